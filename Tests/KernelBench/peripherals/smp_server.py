"""Frames of the Simple Management Protocol: a header, and a map in CBOR. (docs/protocols/mcuboot-smp.md)

Every request is answered in its turn, when flash has done what it asked for.
"""

import cbor
from smp_slots import VERSION_1, Refused, Slots

HEADER = 8
_UNKNOWN, _BAD_VALUE, _NOT_SUPPORTED, _CORRUPT = 1, 3, 8, 9


class SMPServer:
    """`settings` are those of `smp_device.py`."""

    def __init__(self, settings: dict, slots: Slots, report):
        self._settings, self._slots, self._report = settings, slots, report
        # Whether it was asked to restart since it did.
        self.restarts = False

    def answer(self, frame: bytes) -> bytes:
        op, version = frame[0] & 7, frame[0] >> 3 & 3
        length, group, command = int.from_bytes(frame[2:4], "big"), int.from_bytes(frame[4:6], "big"), frame[7]
        if length != len(frame) - HEADER:
            said = {"rc": _CORRUPT}
        else:
            try:
                said = self._said(op, group, command, cbor.decoded(frame[HEADER:]))
            except cbor.Malformed as error:
                self._report("violation", what="malformed CBOR", why=str(error), frame=frame.hex())
                said = {"rc": _BAD_VALUE}
            except Refused as refused:
                self._report("refused", group=group, command=command, result=refused.result)
                if version and self._settings["dialect"] == 2:
                    said = {"err": {"group": group, "rc": refused.result}}
                else:
                    said = {"rc": VERSION_1.get(refused.result, _UNKNOWN)}
        body = cbor.encoded(said)
        if self._settings["dialect"] == 1:
            version = 0
        head = bytes([op + 1 | version << 3, 0]) + len(body).to_bytes(2, "big") + frame[4:8]
        return head + body

    def _said(self, op: int, group: int, command: int, request: dict) -> dict:
        settings = self._settings
        match (group, command, op):
            case (0, 0, 0 | 2):
                return {"r": request.get("d", "")}
            case (0, 5, 2):
                self.restarts = True
                return {}
            case (0, 6, 0) if settings["parameters"]:
                return {"buf_size": settings["buffer"], "buf_count": settings["buffers"]}
            case (0, 8, 0) if settings["mode"] is not None:
                return {"mode": settings["mode"]} if request.get("query") == "mode" else {"bootloader": "MCUboot"}
            case (1, 0, 0):
                return {"images": self._slots.state(), "splitStatus": 0}
            case (1, 0, 2):
                self._slots.write_state(request.get("hash"), request.get("confirm", False))
                return {"images": self._slots.state(), "splitStatus": 0}
            case (1, 1, 2):
                offset = self._slots.upload(request)
                return {"rc": 0, "off": offset} if settings["dialect"] == 1 else {"off": offset}
            case (1, 5, 2):
                self._slots.erase()
                return {}
        self._report("unsupported", group=group, command=command, op=op)
        return {"rc": _NOT_SUPPORTED}
