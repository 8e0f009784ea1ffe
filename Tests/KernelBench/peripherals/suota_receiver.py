"""The conversation of a SUOTA receiver of the DA1458x and DA1453x (SDK 6, version 1.3), without any radio.

It checks its client: what a real one would accept, and be damaged by, is reported as a client error.
"""

import functools
import hashlib
import operator

from flash import Flash
from suota_banks import Banks, Header
from suota_families import Family

OK, EXIT, CRC_ERROR, LENGTH_ERROR, WRITE_FAILED, NO_ROOM, BAD_TYPE = 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08
STARTED, BAD_BANK, BAD_HEADER, BAD_SIZE, NO_PRODUCT_HEADER, SAME_IMAGE = 0x10, 0x11, 0x12, 0x13, 0x14, 0x15
READ_FAILED = 0x16
REBOOT, END, ABORT = 0xFD, 0xFE, 0xFF
_INVALID = 0x14  # no memory device
_TRAILER = 1
_INVALID_LENGTH = 0x0D


class Receiver:
    """Of any family. `report(event, **members)` gets the events; `notify(seconds, status)` sends a status
    after that time. Each kind of write is a method, which returns an ATT error or nothing."""

    def __init__(self, report, notify, flash: Flash):
        self._report, self._notify, self._flash = report, notify, flash
        self._errors = 0
        self._starts = 0
        self._clear()
        self.memory_info = 0
        self.patch_size = 0        # the value of PATCH_LEN
        self.blocks = 0            # acknowledged since the start
        self.leaves = False        # was told to reboot

    def _clear(self):
        self._got = bytearray()    # since the start
        self._sizes = []           # every PATCH_LEN
        self.blocks = 0

    def _start(self, bank: int):
        self._starts += 1
        self._clear()
        self._report("start", count=self._starts, bank=bank)
        self._answer(STARTED)

    def _answer(self, status: int):
        self._notify(self._flash.busy(), status)

    def client_error(self, what: str, **members):
        self._errors += 1
        self._report("client-error", what=what, **members)

    def _word(self, value: bytes) -> tuple[int, int] | None:
        """Type and bank of a write to the memory device."""
        if len(value) != 4 or value[1] or value[2]:
            self.client_error("memory device", value=value.hex())
            return None
        return value[3], value[0]

    def _heard(self, data: bytes, transport: str):
        if not self._got:
            self._report("receive", transport=transport)
        self._got += data

    def _completed(self, size: int, crc_ok: bool, status: int, **members):
        """The end of an image with `size` bytes in its file."""
        self._report("image", bytes=size, received=len(self._got), crc_ok=crc_ok, accepted=status == OK,
                     sha256=hashlib.sha256(self._got[:size]).hexdigest(), lengths=self._sizes,
                     client_errors=self._errors, **members)


class BankReceiver(Receiver):
    """With two banks, blocks in a buffer, and an XOR over everything. Its flash is at `pins`, a GPIO map;
    without it, at any."""

    def __init__(self, report, notify, flash: Flash, banks: Banks, family: Family, buffer: int, pins: bytes | None):
        super().__init__(report, notify, flash)
        self._banks, self._buffer, self._pins = banks, buffer, pins
        self._has_eeprom = family.eeprom
        self._told_pins: bytes | None = None
        self._type, self._asked = _INVALID, 0
        self._ends = 0             # since the start

    def _clear(self):
        super()._clear()
        self._block = bytearray()
        self._image = 0            # bytes of the image so far, as counted
        self._header: Header | None = None
        self._bank = 0
        self.patch_size = 0
        self._ends = 0

    def lost_link(self) -> bool:
        """Whether it restarts. It keeps running and keeps its state; a start clears everything."""
        return False

    def memory_device(self, value: bytes) -> int | None:
        self.memory_info = 0
        if not (word := self._word(value)):
            return None if len(value) == 4 else _INVALID_LENGTH
        kind, bank = word
        match kind:
            case 0x12 | 0x13:
                self._type, self._asked = kind, bank
                if kind == 0x12 and not self._has_eeprom:
                    self.client_error("an EEPROM where there is none")
                if bank > 2:
                    self._answer(BAD_BANK)
                else:
                    self._start(bank)
            case 0x10 | 0x11:
                self._type = kind
                self._answer(BAD_TYPE)
            case _ if kind == REBOOT:
                self.leaves = True
            case _ if kind == END:
                self._end()
            case _ if kind == ABORT:
                self._type = _INVALID
                self._answer(EXIT)
            case _:
                self._type = _INVALID
                self._answer(BAD_TYPE)

    def gpio_map(self, value: bytes) -> int | None:
        if len(value) != 4:
            self.client_error("pins", value=value.hex())
            return _INVALID_LENGTH
        if self._type not in (0x02, 0x03, 0x12, 0x13):
            self._answer(BAD_TYPE)
        else:
            self._told_pins = value
            self._report("pins", value=value.hex())

    def patch_length(self, value: bytes) -> int | None:
        if len(value) != 2:
            self.client_error("block length", value=value.hex())
            return _INVALID_LENGTH
        size = int.from_bytes(value, "little")
        if self._type == _INVALID:
            self.client_error("block length before a start")
        elif size == 0:
            self._answer(LENGTH_ERROR)
        elif size > self._buffer:
            self._answer(NO_ROOM)
        else:
            if self._block:
                self.client_error("block length within a block")
            self.patch_size = size
            self._sizes.append(size)

    def patch_data(self, data: bytes) -> int | None:
        if self._flash.busy():
            self.client_error("data before the last block was answered")
        if self._type == _INVALID:
            self._answer(BAD_TYPE)
        elif not self.patch_size:
            self._answer(LENGTH_ERROR)
        elif len(self._block) + len(data) > self._buffer:
            self._answer(NO_ROOM)
        else:
            self._heard(data, "gatt")
            self._block += data
            if len(self._block) == self.patch_size:
                self._process(bytes(self._block))
                self._block.clear()
            elif len(self._block) > self.patch_size:
                self._answer(LENGTH_ERROR)

    def _process(self, block: bytes):
        status = self._later_block(block) if self._image else self._first_block(block)
        if status == OK:
            self.blocks += 1
            self.memory_info = self._image
        self._answer(status)

    def _first_block(self, block: bytes) -> int:
        if len(block) < Header.SIZE or not (header := Header(block)).is_signed:
            return BAD_HEADER
        if self._pins and self._told_pins != self._pins:
            return READ_FAILED
        if not self._banks.has_product_header:
            return NO_PRODUCT_HEADER
        if not 0 < header.code_size <= self._banks.capacity:
            return BAD_SIZE
        bank = self._banks.choice(self._asked)
        there = self._banks.header(bank)
        if there.counts and there.is_same_as(header):
            return SAME_IMAGE
        new_id = self._banks.next_id(bank)
        self._report("bank", bank=bank + 1, image_id=new_id)
        self._banks.begin(bank)
        self._header, self._bank = header, bank
        self._banks.write(bank, 0, header.stored(new_id))
        self._write(block[Header.SIZE:], Header.SIZE)
        return OK

    def _later_block(self, block: bytes) -> int:
        if self._image + len(block) > self._whole + _TRAILER:
            return WRITE_FAILED
        self._write(block, self._image)
        return OK

    def _write(self, content: bytes, at: int):
        """The byte after the image is not written, and not counted."""
        content = content[:self._whole - at]
        self._banks.write(self._bank, at, content)
        self._image = at + len(content)

    @property
    def _whole(self) -> int:
        return Header.SIZE + self._header.code_size if self._header else 0

    def _end(self):
        self._ends += 1
        if self._ends > 1 or self._type == _INVALID:
            self.client_error("END when nothing was under way")
            self._answer(OK if self._has_eeprom else WRITE_FAILED)
            return
        if not self._got:
            self.client_error("END without data")
        elif len(self._got) != self._whole + _TRAILER:
            self.client_error("END before everything was there", received=len(self._got))
        right = not functools.reduce(operator.xor, self._got, 0)
        status = OK if right else CRC_ERROR
        if self._header:
            if right:
                self._banks.make_valid(self._bank)
            self._completed(self._whole, self._banks.stored_crc_is_right(self._bank), status, transport="gatt",
                            bank=self._bank + 1, version=self._header.text)
        self._type = _INVALID
        self._answer(status)
