"""The conversation of an application that takes Legacy DFU itself, as InfiniTime's does, without any radio.

It answers no request in the wrong state and no unknown one. What it would accept and suffer from is
reported as a violation.
"""

import binascii
import hashlib
import struct
import time

from flash import Flash
from installed import Installed

_SUCCESS, _APPLICATION = 1, 4
_PACKET_MAX, _SECTORS = 20, 116
_ANSWER = 1.0     # seconds: from a timer
_PATIENCE = 9.8   # seconds without an access, after which it drops an update


class LegacyReceiver:
    """`report(event, **members)` gets the events; `notify(seconds, value)` sends an answer after that time.

    `updated` is the version of the new application.
    """

    def __init__(self, report, notify, installed: Installed, flash: Flash, updated: str):
        self._report, self._notify, self._installed, self._flash = report, notify, installed, flash
        self._updated = updated
        self._access = time.monotonic()
        self._forget()
        self.received = 0
        self.dropped = 0
        self.ended: str | None = None  # updated

    def _forget(self):
        self._state = "idle"  # sizes, erasing, init, receiving, received, valid
        self._awaits_init = False
        self._size = self._crc = self._prn = self._packets = 0
        self._image = bytearray()

    def busy(self) -> float:
        """It restarts at once."""
        return 0

    def lost_link(self):
        """It keeps its state until there was no access for a while."""

    def _touch(self):
        now = time.monotonic()
        if self._state == "erasing" and not self._flash.busy():
            self._state = "init"
        elif self._state != "idle" and now - self._access >= _PATIENCE:
            self._report("forgotten", state=self._state)
            self._forget()
        self._access = now

    def request(self, request: bytes):
        self._touch()
        opcode = request[0] if request else 0
        match opcode, self._state:
            case 1, "idle" if request[1:] == bytes([_APPLICATION]):
                self._state = "sizes"
            case 2, "init" if request[1:] == b"\0":
                self._awaits_init = True
            case 2, "init":
                self._notify(_ANSWER, bytes([0x10, 2, _SUCCESS]))
            case 8, "init":
                self._prn = request[1]
            case 3, "init":
                self._state = "receiving"
                self._report("receive", receipts=self._prn, size=self._size)
            case 4, "received":
                self._validate()
            case 5, "valid":
                self._installed.application = self._updated
                self.ended = "updated"
            case _:
                self._report("unanswered", request=request.hex(), state=self._state)

    def _validate(self):
        correct = binascii.crc_hqx(self._image, 0xFFFF) == self._crc
        self._report("image", bytes=len(self._image), received=self.received, dropped=self.dropped, hash_ok=correct,
                     sha256=hashlib.sha256(self._image).hexdigest())
        if not correct:
            self._forget()  # and the answer with it
            return
        self._state = "valid"
        self._notify(_ANSWER, bytes([0x10, 4, _SUCCESS]))

    def packet(self, payload: bytes):
        self._touch()
        if len(payload) > _PACKET_MAX:
            self._report("violation", what="packet of more than 20 bytes", bytes=len(payload))
        elif self._state == "sizes":
            self._size = struct.unpack("<III", payload)[2]
            self._state = "erasing"
            self._flash.erase(_SECTORS, queued=False)
            self._report("start", mode=_APPLICATION, sizes=payload.hex(), status=_SUCCESS)
            self._notify(self._flash.busy() + 0.001, bytes([0x10, 1, _SUCCESS]))
        elif self._state == "init" and self._awaits_init:
            self._crc = struct.unpack("<H", payload[-2:])[0]
        elif self._state == "receiving":
            self._firmware(payload)
        else:
            self._report("violation", what="packet at the wrong time", state=self._state)

    def _firmware(self, payload: bytes):
        self.received += len(payload)
        self._packets += 1
        self._image += payload
        if len(self._image) > self._size:
            self._report("violation", what="more than was announced")
        if len(self._image) >= self._size:
            self._state = "received"
            self._notify(0, bytes([0x10, 3, _SUCCESS]))
        elif self._prn and self._packets % self._prn == 0:
            self._notify(0, b"\x11" + struct.pack("<I", len(self._image)))
