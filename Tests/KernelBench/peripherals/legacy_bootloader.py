"""The conversation of a Nordic Legacy DFU bootloader (SDK 7 to 11, one bank), without any radio.

It checks its client: what a real one would accept silently is reported as a violation. Packages of generation
0.5 only: an init packet that ends in a CRC16.
"""

import binascii
import hashlib
import struct

from flash import Flash
from installed import Installed

_SUCCESS, _INVALID_STATE, _NOT_SUPPORTED, _TOO_LARGE, _WRONG_CRC, _FAILED = 1, 2, 3, 4, 5, 6
_APPLICATION = 4
_PACKET_MAX, _INIT_MAX, _PAGE, _ROOM = 20, 64, 4096, 200 * 1024
_TYPE, _REVISION, _ANY_SOFTDEVICE = 0x52, 1, 0xFFFE


class LegacyBootloader:
    """`report(event, **members)` gets the events; `notify(seconds, value)` sends an answer after that time.
    `flash` has as many places as there are BUFFERS."""

    BUFFERS = 8

    def __init__(self, report, notify, installed: Installed, flash: Flash):
        self._report, self._notify, self._installed, self._flash = report, notify, installed, flash
        self._state = "idle"  # started, init, ready, receiving, received, valid; spoiled until a reset
        self._awaits_sizes = False
        self._size = 0
        self._init = bytearray()
        self._version = self._crc = 0
        self._image = bytearray()
        self._prn = self._until_prn = 0
        self.received = 0
        self.dropped = 0
        self.ended: str | None = None  # activated | reset

    def busy(self) -> float:
        """Seconds until its flash is idle."""
        return self._flash.busy()

    def lost_link(self):
        """The update stays in RAM, but cannot be continued: Start is refused until a reset."""

    def _answer(self, opcode: int, status: int, after: float = 0):
        if status != _SUCCESS:
            self._report("refusal", opcode=opcode, status=status)
        self._notify(after, bytes([0x10, opcode, status]))

    # Control point

    def request(self, request: bytes):
        lengths = {1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 3}
        opcode = request[0] if request else 0
        if opcode not in lengths or len(request) != lengths[opcode]:
            self._report("violation", what="request", request=request.hex())
            self._answer(opcode, _NOT_SUPPORTED)
            return
        match opcode:
            case 1:
                self._mode, self._awaits_sizes = request[1], True
            case 2 if request[1] == 0:
                if self._state != "started":
                    self._answer(2, _INVALID_STATE)
                else:
                    self._state = "init"
            case 2:
                self._complete_init()
            case 3:
                self._receive()
            case 4:
                self._validate()
            case 5:
                self.ended = "activated" if self._state == "valid" else "reset"
            case 6:
                self.ended = "reset"
            case 7:
                self._notify(0, b"\x10\x07\x01" + struct.pack("<I", len(self._image)))
            case 8:
                self._prn = self._until_prn = struct.unpack("<H", request[1:])[0]

    def _start(self, sizes: bytes):
        self._awaits_sizes = False
        status = self._start_status(sizes)
        self._report("start", mode=self._mode, sizes=sizes.hex(), status=status)
        if status != _SUCCESS:
            self._answer(1, status)
            return
        self._state = "started"
        # With one bank, the application is erased at once.
        self._installed.application = None
        self._flash.erase(-(-self._size // _PAGE), queued=False)
        self._answer(1, _SUCCESS, after=self._flash.busy())
        self._flash.erase(queued=False)  # the settings' page, after the answer

    def _start_status(self, sizes: bytes) -> int:
        if len(sizes) != 12:
            return _NOT_SUPPORTED
        softdevice, bootloader, application = struct.unpack("<III", sizes)
        if self._mode != _APPLICATION or softdevice or bootloader or application % 4:
            return _NOT_SUPPORTED
        if not 0 < application <= _ROOM:
            return _TOO_LARGE
        if self._state != "idle":
            return _INVALID_STATE
        self._size = application
        return _SUCCESS

    def _complete_init(self):
        if self._state != "init":
            self._answer(2, _INVALID_STATE)
            return
        try:
            kind, revision, self._version, count = struct.unpack_from("<HHIH", self._init)
            *softdevices, self._crc = struct.unpack_from(f"<{count + 1}H", self._init, 10)
            fits = (kind, revision) == (_TYPE, _REVISION) and (
                self._installed.softdevice in softdevices or _ANY_SOFTDEVICE in softdevices)
        except struct.error:
            fits = False
        self._report("init", bytes=len(self._init), fits=fits)
        self._state = "ready" if fits else "started"
        self._init.clear()
        self._answer(2, _SUCCESS if fits else _FAILED)

    def _receive(self):
        if self._state != "ready":
            self._answer(3, _INVALID_STATE)
            return
        self._state = "receiving"
        self._report("receive", receipts=self._prn, size=self._size)

    def _validate(self):
        if self._state != "received":
            self._answer(4, _INVALID_STATE)
            return
        if self._flash.busy():
            self._report("violation", what="validated before everything was in flash")
        correct = binascii.crc_hqx(self._image, 0xFFFF) == self._crc
        self._state = "valid" if correct else "spoiled"
        self._report("image", bytes=len(self._image), received=self.received, dropped=self.dropped, hash_ok=correct,
                     sha256=hashlib.sha256(self._image).hexdigest())
        if correct:
            self._installed.application = str(self._version)
        self._answer(4, _SUCCESS if correct else _WRONG_CRC)

    # Packets

    def packet(self, payload: bytes):
        if len(payload) > _PACKET_MAX:
            self._report("violation", what="packet of more than 20 bytes", bytes=len(payload))
        elif self._awaits_sizes:
            self._start(payload)
        elif self._state == "init":
            # Padded to whole words, so that only the last one may have another length.
            self._init += payload + bytes(-len(payload) % 4)
            if len(self._init) > _INIT_MAX:
                self._init.clear()
                self._answer(2, _FAILED)
        else:
            self._firmware(payload)

    def _firmware(self, payload: bytes):
        if self._state != "receiving":
            self._report("violation", what="packet at the wrong time", state=self._state)
            self._answer(3, _INVALID_STATE)
            return
        if len(payload) % 4:
            self._report("violation", what="payload not a multiple of 4")
            self._answer(3, _NOT_SUPPORTED)
            return
        self.received += len(payload)
        if not self._flash.has_place():
            self.dropped += 1
            self._report("dropped", why="no buffer", offset=len(self._image))
            self._answer(3, _FAILED)
            return
        if len(self._image) + len(payload) > self._size:
            self._report("violation", what="more than was announced")
            self._state = "spoiled"
            self._answer(3, _TOO_LARGE)
            return
        self._flash.write(len(payload))
        self._image += payload
        if len(self._image) == self._size:
            self._state = "received"
            self._answer(3, _SUCCESS, after=self._flash.busy())
        elif self._prn:
            self._until_prn -= 1
            if self._until_prn == 0:
                self._until_prn = self._prn
                self._notify(0, b"\x11" + struct.pack("<I", len(self._image)))
