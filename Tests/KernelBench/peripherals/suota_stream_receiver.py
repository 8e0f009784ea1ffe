"""The conversation of a SUOTA receiver of the DA1468x or DA1469x (version 1.3), without any radio: a stream of bytes,
by writes or over a credit-based channel."""

import zlib

from flash import Flash
from suota_banks import version_text
from suota_families import Family
from suota_receiver import ABORT, BAD_HEADER, BAD_SIZE, CRC_ERROR, END, EXIT, OK, REBOOT, Receiver

_FLASH = 0x13
_SECTOR = 4096
_APPLICATION_ERROR = 0x80


class StreamReceiver(Receiver):
    def __init__(self, report, notify, flash: Flash, family: Family):
        self._image, self._room = family.image, family.room
        super().__init__(report, notify, flash)
        self._has_started = False  # since power-up: a lost link then causes a restart
        self.listens = False       # on its PSM
        self.new_version: str | None = None

    def _clear(self):
        super()._clear()
        self._state = "idle"       # receiving, received, ended; spoiled until the next start
        self._transport = None     # gatt | channel
        self._code_size = self._payload_at = self._expected_crc = 0
        self._version = ""
        self._pending = 0          # bytes since the last acknowledgement
        self._erased = 0           # bytes of sectors
        self.memory_info = 0

    def lost_link(self) -> bool:
        """Whether it restarts."""
        self.listens = False
        return self._has_started

    def memory_device(self, value: bytes) -> int | None:
        if not (word := self._word(value)):
            return None if len(value) == 4 else _APPLICATION_ERROR
        match word[0]:
            case kind if kind == _FLASH:
                if self._state != "idle":
                    self.client_error("a second start without ABORT")
                self._has_started = self.listens = True
                self._start(word[1])
                self._state = "receiving"
            case kind if kind == END:
                self._end()
            case kind if kind == ABORT:
                self._state, self.listens = "idle", False
                self._answer(EXIT)
            case kind if kind == REBOOT:
                self.leaves = True
            case kind:
                self.client_error("a memory device that is not answered", kind=f"{kind:02x}")

    def gpio_map(self, value: bytes) -> int | None:
        if len(value) != 4:
            self.client_error("pins", value=value.hex())
            return _APPLICATION_ERROR
        self._report("pins", value=value.hex())

    def patch_length(self, value: bytes) -> int | None:
        if len(value) != 2:
            self.client_error("block length", value=value.hex())
            return _APPLICATION_ERROR
        size = int.from_bytes(value, "little")
        self._sizes.append(size)
        if size == 0:
            self.client_error("block length 0, which is answered without end")
            return None
        if self._transport == "channel":
            self.client_error("block length with a channel")
        if self._pending:
            self.client_error("block length within a block")
        self._transport, self.patch_size = "gatt", size

    def opened_channel(self):
        if self._transport:
            self.client_error("channel during blocks")
        self._transport = "channel"

    def channel_data(self, data: bytes):
        if self._transport != "channel" or self._state not in ("receiving", "received"):
            self.client_error("data over a channel that was not requested")
            return
        self._heard(data, "channel")
        self._parse()
        self._store(len(data))

    def patch_data(self, data: bytes) -> int | None:
        if self._transport != "gatt" or self._state in ("idle", "ended"):
            self.client_error("data at the wrong time", state=self._state)
            return _APPLICATION_ERROR
        if not self._pending and self._flash.busy():
            self.client_error("data before the last block was answered")
        self._heard(data, "gatt")
        self._parse()
        if self._state == "spoiled":
            return _APPLICATION_ERROR
        self._store(len(data))
        self._pending += len(data)
        while self._pending >= self.patch_size:
            self._pending -= self.patch_size
            self.blocks += 1
            self._answer(OK)

    def _store(self, count: int):
        """Sectors are erased as they are reached."""
        while self._erased < len(self._got):
            self._flash.erase()
            self._erased += _SECTOR
        self._flash.write(count)

    def _parse(self):
        self.memory_info = len(self._got)
        if self._state == "receiving" and not self._code_size and len(self._got) >= self._image.fields.size:
            self._parse_header()
        if self._state == "receiving" and self._code_size and len(self._got) >= self._whole:
            self._state = "received"

    def _parse_header(self):
        signature, size, self._expected_crc, version, self._payload_at = self._image.fields.unpack_from(self._got)
        if signature != self._image.signature:
            self._state = "spoiled"
            self._answer(BAD_HEADER)
        elif self._payload_at + size > self._room:
            self._state = "spoiled"
            self._answer(BAD_SIZE)
        else:
            self._code_size, self._version = size, version_text(version)

    @property
    def _whole(self) -> int:
        return self._payload_at + self._code_size

    def _end(self):
        if self._state == "ended":
            self.client_error("END twice")
            self._answer(CRC_ERROR)
            return
        if self._state != "received":
            self.client_error("END before everything was there", received=len(self._got), state=self._state)
        right = self._state == "received" and zlib.crc32(self._got[self._payload_at:self._whole]) == self._expected_crc
        status = OK if right else CRC_ERROR
        if right:
            self.new_version = self._version
        if self._code_size:
            self._completed(self._whole, right, status, transport=self._transport, bank=None, version=self._version)
        self._state = "ended"
        self._answer(status)
