"""The conversation of a Nordic Secure DFU bootloader (nRF5 SDK 15.3 to 17.1), without any radio.

It checks its client: what a real bootloader would accept silently and suffer from later (a packet past the end
of an object, a payload that is not a multiple of four) is reported as a violation.
"""

import hashlib
import struct
import zlib

from flash import Flash
from init_packet import InitPacket, Undecodable, parse
from installed import Installed, softdevice_of

_SUCCESS, _NOT_SUPPORTED, _INVALID_PARAMETER, _INSUFFICIENT, _INVALID_OBJECT = 1, 2, 3, 4, 5
_NOT_PERMITTED, _EXTENDED = 8, 0x0B
_COMMAND, _DATA = 1, 2
_COMMAND_MAX, _PAGE = 512, 4096
_HARDWARE = 52
_APPLICATION, _HAS_SOFTDEVICE, _HAS_BOOTLOADER = 0, (1, 3), (2, 3)


class Bootloader:
    """`report(event, **members)` gets the events; `notify(seconds, value)` sends an answer after that time.

    `remembers` defines what it keeps over a lost link: "init" (SDK 16 and later) or "everything" (15.3). With `loses`
    one of so many firmware packets is dropped.
    """

    def __init__(self, report, notify, installed: Installed, remembers: str, flash: Flash, loses: int | None):
        self._report, self._notify, self._installed = report, notify, installed
        self._remembers, self._flash, self._loses = remembers, flash, loses
        self._packets = 0
        self._type = _COMMAND
        self._init = bytearray()
        self._init_size = 0
        self._stored: bytes | None = None   # an executed init packet
        self._valid: InitPacket | None = None
        self._image = bytearray()
        self._object_size = 0
        self._executed = 0
        self._prn = self._until_prn = 0
        self._last_payload_odd = False
        self.received = 0  # bytes of firmware, whether accepted or not
        self.dropped = 0   # packets of firmware
        self.has_begun = False         # an init packet was announced
        self.ended: str | None = None  # activated | activated-system | refused

    def busy(self) -> float:
        """Seconds until its flash is idle."""
        return self._flash.busy()

    def lost_link(self):
        if self._remembers == "everything":
            return
        self._image, self._object_size, self._executed = bytearray(), 0, 0
        self._init, self._valid = bytearray(self._stored or b""), None
        self._init_size = len(self._init)

    # Control point

    def request(self, request: bytes):
        answer = self._request(request)
        # Only Execute of data waits for the flash.
        self._notify(self._flash.busy() if request[:1] == b"\x04" and self._type == _DATA else 0, answer)

    def _request(self, request: bytes) -> bytes:
        lengths = {1: 6, 2: 3, 3: 1, 4: 1, 6: 2}
        opcode = request[0] if request else 0xFF
        if opcode not in lengths:
            self._report("unsupported", opcode=opcode)
            return bytes([0x60, opcode, _NOT_SUPPORTED])
        if len(request) != lengths[opcode]:
            self._report("violation", what="length of a request", request=request.hex())
        match opcode:
            case 1:
                kind, size = struct.unpack("<BI", request[1:6])
                result = self._create(kind, size)
                self._report("create", object=kind, size=size, result=result)
                self._until_prn = self._prn
                return bytes([0x60, 1, result])
            case 2:
                self._prn = self._until_prn = struct.unpack("<H", request[1:3])[0]
                return bytes([0x60, 2, _SUCCESS])
            case 3:
                return self._checksum()
            case 4:
                return bytes([0x60, 4]) + self._execute()
            case _:
                return self._select(request[1])

    def _create(self, kind: int, size: int) -> int:
        if kind == _COMMAND:
            if size == 0:
                return _INVALID_PARAMETER
            if size > _COMMAND_MAX:
                return _INSUFFICIENT
            self._type, self.has_begun = kind, True
            self._init, self._init_size = bytearray(), size
            self._stored = self._valid = None
            self._image, self._object_size, self._executed = bytearray(), 0, 0
            return _SUCCESS
        if kind != _DATA:
            self._type = kind
            return _INVALID_OBJECT
        self._type = kind
        if self._valid is None:
            return _NOT_PERMITTED
        ends = self._executed + size == self._valid.size
        if size == 0 or (size % _PAGE != 0 and not ends):
            return _INVALID_PARAMETER
        if size > _PAGE:
            return _INSUFFICIENT
        if self._executed + size > self._valid.size:
            return _NOT_PERMITTED
        if not self._flash.has_place():
            return _INVALID_OBJECT
        self._flash.erase()
        del self._image[self._executed:]
        self._object_size = size
        self._last_payload_odd = False
        return _SUCCESS

    def _select(self, kind: int) -> bytes:
        if kind not in (_COMMAND, _DATA):
            return bytes([0x60, 6, _INVALID_OBJECT])
        self._type = kind
        held, limit = (self._init, _COMMAND_MAX) if kind == _COMMAND else (self._image, _PAGE)
        self._report("select", object=kind, offset=len(held))
        return bytes([0x60, 6, _SUCCESS]) + struct.pack("<III", limit, len(held), zlib.crc32(held))

    def _checksum(self) -> bytes:
        held = self._init if self._type == _COMMAND else self._image
        return bytes([0x60, 3, _SUCCESS]) + struct.pack("<II", len(held), zlib.crc32(held))

    def _execute(self) -> bytes:
        return self._execute_init() if self._type == _COMMAND else self._execute_data()

    def _execute_init(self) -> bytes:
        if len(self._init) != self._init_size or not self._init:
            return bytes([_NOT_PERMITTED if self._init_size else _INVALID_OBJECT])
        try:
            packet = parse(bytes(self._init))
        except Undecodable as error:
            self._report("init", error=str(error))
            return bytes([_INVALID_OBJECT])
        self._report("init", version=packet.firmware_version, size=packet.size, signed=packet.signed,
                     signature_valid=packet.signature_valid)
        if not packet.signed:
            return bytes([_EXTENDED, 8])
        if not packet.signature_valid:
            return bytes([_INVALID_OBJECT])
        if packet.hardware_version != _HARDWARE:
            return bytes([_EXTENDED, 6])
        if self._installed.softdevice not in packet.softdevices:
            return bytes([_EXTENDED, 7])
        if packet.kind in _HAS_BOOTLOADER and packet.firmware_version <= self._installed.bootloader_version:
            return bytes([_EXTENDED, 5])
        if self._stored != self._init:
            for _ in range(2):  # the settings, and their copy
                self._flash.erase()
                self._flash.write(896)
        self._valid, self._stored = packet, bytes(self._init)
        return bytes([_SUCCESS])

    def _execute_data(self) -> bytes:
        if self._valid is None:
            self._report("violation", what="data executed without an init packet")
            return bytes([_EXTENDED, 0x0C])
        pending = len(self._image) - self._executed
        if pending == 0 and self._object_size == 0:
            return bytes([_SUCCESS])
        if pending != self._object_size:
            return bytes([_NOT_PERMITTED])
        self._executed, self._object_size = len(self._image), 0
        self._report("object", executed=self._executed)
        if self._executed < self._valid.size:
            return bytes([_SUCCESS])
        correct = hashlib.sha256(self._image).digest() == self._valid.sha256
        self._report("image", kind=self._valid.kind, bytes=len(self._image), received=self.received,
                     dropped=self.dropped, hash_ok=correct, sha256=hashlib.sha256(self._image).hexdigest())
        if not correct:
            self.ended = "refused"
            return bytes([_EXTENDED, 0x0C])
        return self._install(self._valid)

    def _install(self, packet: InitPacket) -> bytes:
        if packet.kind in _HAS_SOFTDEVICE:
            fwid = softdevice_of(self._image)
            if fwid is None:
                self.ended = "refused"
                return bytes([_INVALID_OBJECT])
            self._installed.softdevice = fwid
        if packet.kind in _HAS_BOOTLOADER:
            self._installed.bootloader_version = packet.firmware_version
        if packet.kind == _APPLICATION:
            self._installed.application = str(packet.firmware_version)
        # After a SoftDevice the bootloader stays, for the matching application.
        self.ended = "activated-system" if packet.kind in _HAS_SOFTDEVICE else "activated"
        return bytes([_SUCCESS])

    # Packets

    def packet(self, payload: bytes):
        result, has_room = _SUCCESS, True
        if self._type == _COMMAND:
            if len(self._init) + len(payload) > self._init_size:
                self._report("violation", what="init packet longer than created")
                result = _INVALID_PARAMETER
            else:
                self._init += payload
        elif self._valid is None or self._type != _DATA:
            self._report("violation", what="firmware without an executed init packet")
            result = _NOT_PERMITTED
        else:
            self.received += len(payload)
            end = self._executed + self._object_size
            if len(self._image) + len(payload) > end:
                self._report("violation", what="packet past the end of the object", at=len(self._image),
                             bytes=len(payload), end=end)
                result = _INVALID_PARAMETER
            elif not self._takes():
                has_room = False
            else:
                if self._last_payload_odd:
                    self._report("violation", what="payload not a multiple of 4 inside an object")
                self._last_payload_odd = len(payload) % 4 != 0
                self._image += payload
                self._flash.write(len(payload))
        if self._prn == 0:
            return
        self._until_prn -= 1
        if self._until_prn > 0:
            return
        self._until_prn = self._prn
        if not has_room:
            self._notify(0, bytes([0x60, 3, _SUCCESS]) + bytes(8))
        else:
            self._notify(0, self._checksum() if result == _SUCCESS else bytes([0x60, 3, result]))

    def _takes(self) -> bool:
        """Whether a firmware packet finds a place; if not, it is dropped silently."""
        self._packets += 1
        why = None
        if self._loses and self._packets % self._loses == 0:
            why = "chance"
        elif not self._flash.has_place():
            why = "queue full"
        if why:
            self.dropped += 1
            self._report("dropped", why=why, offset=len(self._image) - self._executed)
        return why is None
