"""The external flash of a DA1458x or DA1453x: a product header, two banks for images, and the rules by which one is
written and one is started.
"""

import struct
import zlib

from flash import Flash
from suota_families import Layout

_HEADER = struct.Struct("<2sBBII16sIB31s")
_VALID, _BLANK, _FLAG, _SECTOR = 0xAA, 0xFF, 2, 4096


class Header:
    """Of an image, in the first 64 bytes; `version` is the field, `text` its value."""

    SIZE = _HEADER.size

    def __init__(self, content: bytes):
        (self.signature, self.flag, self.id, self.code_size, self.crc, self.version, self.timestamp, self.encryption,
         _) = _HEADER.unpack_from(content)

    @property
    def is_signed(self) -> bool:
        return self.signature == b"\x70\x51"

    @property
    def counts(self) -> bool:
        return self.flag == _VALID and self.is_signed

    @property
    def text(self) -> str:
        return version_text(self.version)

    def is_same_as(self, other: "Header") -> bool:
        return (self.version, self.timestamp) == (other.version, other.timestamp)

    def stored(self, image_id: int) -> bytes:
        """As the device writes it: not valid yet, and nothing reserved."""
        return _HEADER.pack(self.signature, _BLANK, image_id, self.code_size, self.crc, self.version, self.timestamp,
                            self.encryption, b"\xFF" * 31)


def version_text(field: bytes) -> str:
    return field.split(b"\0")[0].split(b"\xFF")[0].decode(errors="replace")


def image(version: str, image_id: int) -> bytes:
    """An image that was installed earlier, of the year 2020."""
    program = bytes(256)
    field = (version.encode() + b"\0").ljust(16, b"\xFF")
    return _HEADER.pack(b"\x70\x51", _VALID, image_id, len(program), zlib.crc32(program), field, 1577836800, 0,
                        b"\xFF" * 31) + program


class Banks:
    """Banks count from 0 here, and from 1 everywhere else."""

    def __init__(self, flash: Flash, layout: Layout, first: bytes = b"", second: bytes = b"",
                 product_header: bool = True):
        self._flash = flash
        self.has_product_header = product_header
        ends = (layout.second, layout.product_header)
        self._content = [bytearray(given.ljust(end - start, b"\xFF"))
                         for given, start, end in zip((first, second), (layout.first, layout.second), ends)]
        # The same limit for both banks.
        self.capacity = layout.second - layout.first - Header.SIZE
        self._erased = 0  # sectors of the bank being written

    def header(self, bank: int) -> Header:
        return Header(self._content[bank])

    def choice(self, asked: int) -> int:
        """The bank for an image: the requested one, a bad one, or the older one."""
        if asked:
            return asked - 1
        headers = [self.header(bank) for bank in range(2)]
        for bank, header in enumerate(headers):
            if not header.counts:
                return bank
        first, second = headers[0].id, headers[1].id
        if (first, second) in [(0xFF, 0xFF), (0xFF, 0x00)]:
            return 0
        return 1 if (first, second) == (0x00, 0xFF) or first > second else 0

    def next_id(self, bank: int) -> int:
        other = self.header(1 - bank)
        return (other.id + 1) % 256 if other.counts else 1

    def begin(self, bank: int):
        """Erases the first sector; the others follow as they are reached."""
        self._content[bank][:] = b"\xFF" * len(self._content[bank])
        self._flash.erase()
        self._erased = 1

    def write(self, bank: int, at: int, content: bytes):
        end = at + len(content)
        # A write that ends on a boundary also erases the next sector, needed or not.
        while self._erased <= end // _SECTOR:
            self._flash.erase()
            self._erased += 1
        self._content[bank][at:end] = content
        self._flash.write(len(content))

    def make_valid(self, bank: int):
        self._content[bank][_FLAG] = _VALID

    def stored_crc_is_right(self, bank: int) -> bool:
        header = self.header(bank)
        program = self._content[bank][Header.SIZE:Header.SIZE + header.code_size]
        return zlib.crc32(program) == header.crc

    def starting(self) -> int | None:
        """The newer of two valid images, if its CRC is right; a single one without any check."""
        valid = [bank for bank in range(2) if self.header(bank).counts]
        if len(valid) < 2:
            return valid[0] if valid else None
        first, second = (self.header(bank).id for bank in range(2))
        if (first, second) in [(0xFF, 0x00), (0x00, 0xFF)]:
            newer = 1 if first == 0xFF else 0
        else:
            newer = 0 if first >= second else 1
        return next((bank for bank in (newer, 1 - newer) if self.stored_crc_is_right(bank)), None)
