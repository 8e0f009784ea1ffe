"""The data of a KBeacon, and its answers to messages. (kbeacon.md, 6 and 7.2)"""

import json

from kbeacon_records import Records

_INVALID, _UNSUPPORTED, _NOT_JSON, _MISSING, _UNKNOWN = 0x0103, 0x0104, 0x0105, 0x0106, 0x0119
_JSON = 2
_LED_OF_1, _BEEP = 0, 1
_BEEPS, _TAKES_UPDATES = 1 << 1, 1 << 19
# Sensor, UID, iBeacon, URL, common, trigger; and common, adverts, triggers, sensors.
_PARTS_1, _TRIGGER_1 = 0x01 | 0x02 | 0x04 | 0x10 | 0x20 | 0x40, 0x40
_PARTS_2, _MOST_AT_ONCE = 0x0F, 2
_FACTORY = dict(uuid="7777772E-6B6B-6D63-6E2E-636F6D000001", major=1, minor=1, period_ms=1000)
# The time for which the link is held beyond the requested one, and the minimum.
_RING_MORE, _RING_LEAST = 0.5, 1.0


class Parameters:
    """With `keeps` an update keeps all of them; otherwise they are the factory's afterwards, except the password."""

    def __init__(self, settings: dict):
        self.generation = settings["generation"]
        self._keeps = settings["keeps"]
        self.takes_updates = settings["takes_updates"]
        self.factory_name = settings["factory_name"]
        self.name = settings["called"] or self.factory_name
        self.uuid, self.major, self.minor = settings["identity"]
        self.period_ms = settings["period_ms"]
        self.battery = settings["battery"]

    def updated(self):
        if self._keeps:
            return
        self.name = self.factory_name
        self.uuid, self.major, self.minor = _FACTORY["uuid"], _FACTORY["major"], _FACTORY["minor"]
        self.period_ms = _FACTORY["period_ms"]

    @property
    def model(self) -> str:
        if self.generation == 2:
            return "K6_NRF52XX"
        return "K11_NRF52XX" if self.takes_updates else "K11_CC26XX"

    @property
    def capabilities(self) -> int:
        """Button, beeper, acceleration; then kinds of adverts; in the second generation, whether it takes updates."""
        if self.generation == 1:
            return 0x07 | 0x1F << 8
        return 0x07 | 0x3F << 8 | (_TAKES_UPDATES if self.takes_updates else 0)

    def common(self, version: str) -> dict:
        called = "devName" if self.generation == 1 else "name"
        shared = {"ver": f"V{version}", "hver": "V3.0", called: self.name, "bCap": self.capabilities, "trCap": 15,
                  "minPwr": -40, "maxPwr": 4, "meaPwr": -59}
        if self.generation == 1:
            return {"modle": self.model, **shared, "txPwr": 0, "type": 5, "advPrd": self.period_ms, "tlmItvl": 10,
                    "advFlag": 5}
        return {"model": self.model, **shared, "btPt": self.battery, "id": 214815, "maxSlot": 5, "maxTg": 5, "nBlk": 0,
                "maxPrd": 40000}

    def adverts(self) -> list[dict]:
        slot = {"txPwr": 0, "advPrd": self.period_ms, "conn": 1, "mode": 0, "trAdv": 0}
        return [{"slot": 0, "type": 5, **slot, **self._ibeacon()}, {"slot": 1, "type": 1, **slot}]

    def _ibeacon(self) -> dict:
        return {"uuid": self.uuid, "majorID": self.major, "minorID": self.minor}

    def answer_1(self, mask: int, version: str) -> dict:
        parts = {0x20: self.common(version), 0x04: self._ibeacon(), 0x01: {"sensor": 1, "msItvl": 10},
                 0x02: {"nid": "0x" + "0" * 20, "sid": "0x" + "0" * 12}, 0x10: {"url": "https://example.org/"},
                 _TRIGGER_1: {"trObj": []}}
        return {key: value for bit, part in parts.items() if mask & bit for key, value in part.items()}

    def answer_2(self, mask: int, slot: int | None, version: str) -> dict:
        shown = [one for one in self.adverts() if slot in (None, one["slot"])]
        parts = {0x01: self.common(version), 0x02: {"advObj": shown}, 0x04: {"trObj": []}, 0x08: {"srObj": []}}
        return {key: value for bit, part in parts.items() if mask & bit for key, value in part.items()}


class Messages:
    """`causes` has a cause and the number of times it is the answer, by message. `foreign` is the cause with which a unit of the first
    generation answers the query in the other format; without it, it is silent."""

    def __init__(self, report, parameters: Parameters, version, causes: dict, foreign: int | None, records: Records):
        self._report, self.parameters, self._version, self._records = report, parameters, version, records
        self._foreign = foreign
        self._causes = {name: list(refusal) for name, refusal in causes.items()}
        self.rings_for = 0.0  # seconds for which the link is held after the last answer

    def perform(self, kind: int, command: bytes) -> tuple[int, bytes | list[bytes]] | None:
        if kind != _JSON:
            return self._records.perform(command)
        try:
            message = json.loads(command)
            if not isinstance(message, dict):
                raise ValueError("no object")
        except ValueError:
            self._report("violation", what="not JSON", bytes=len(command))
            return _NOT_JSON, b""
        # Some units remove spaces, newlines and escapes before parsing.
        if json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() != command:
            self._report("violation", what="JSON with spaces, escapes or keys twice")
        self._report("message", message={**message, **({"pwd": "..."} if "pwd" in message else {})})
        if (refusal := self._causes.get(message.get("msg"), [0, 0]))[1]:
            refusal[1] -= 1
            return refusal[0], b""
        match message.get("msg"):
            case "getPara":
                return self._describe(message)
            case "ring":
                return self._ring(message)
            case "cfg" | "reset" | "admin":
                self._report("violation", what="a change that was not requested", msg=message["msg"])
                return _UNSUPPORTED, b""
        self._report("violation", what="unknown message")
        return _UNKNOWN, b""

    def _describe(self, message: dict) -> tuple[int, bytes] | None:
        ours, theirs = ("stype", "type") if self.parameters.generation == 1 else ("type", "stype")
        if ours not in message and theirs in message:
            self._report("asked-otherwise")
            if self.parameters.generation == 2:
                return _INVALID, b""
            return None if self._foreign is None else (self._foreign, b"")
        mask = message.get(ours)
        allowed = _PARTS_1 if ours == "stype" else _PARTS_2
        if type(mask) is not int or not 0 < mask <= allowed or mask & ~allowed:
            self._report("violation", what="mask", mask=mask)
            return _INVALID, b""
        if ours == "stype":
            if mask & _TRIGGER_1 and "trType" not in message:
                self._report("violation", what="question for a trigger without its type")
                return _MISSING, b""
            said = self.parameters.answer_1(mask, self._version())
        else:
            if mask.bit_count() > _MOST_AT_ONCE:
                self._report("violation", what="more than two kinds at once", mask=mask)
                return _INVALID, b""
            said = self.parameters.answer_2(mask, message.get("slot"), self._version())
        return 0, json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()

    def _ring(self, message: dict) -> tuple[int, bytes]:
        time, kind = message.get("ringTime"), message.get("ringType")
        if type(time) is not int or type(kind) is not int:
            self._report("violation", what="ring without its time and type")
            return _MISSING, b""
        if self.parameters.generation == 1 and kind == _LED_OF_1 or kind & ~0x07:
            self._report("violation", what="type of a ring", kind=kind)
        if kind & _BEEP and not self.parameters.capabilities & _BEEPS:
            return _UNSUPPORTED, b""
        flashes = [message.get(key) for key in ("ledOn", "ledOff")]
        if flashes != [None, None] and (kind & _BEEP or any(type(one) is not int or one <= 0 for one in flashes)):
            self._report("violation", what="times of the light", times=flashes, kind=kind)
        self._report("ring", milliseconds=time, type=kind, flashes=flashes)
        self.rings_for = max(time / 1000 + _RING_MORE, _RING_LEAST) if kind else 0.0
        return 0, b""
