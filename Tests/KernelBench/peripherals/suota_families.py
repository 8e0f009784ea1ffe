"""The differences between the chips with SUOTA, with their stock firmware."""

import dataclasses
import struct


@dataclasses.dataclass(frozen=True)
class Layout:
    """Of a flash with two banks. The product header is where the firmware was built to find it."""
    first: int
    second: int
    product_header: int


@dataclasses.dataclass(frozen=True)
class ImageFormat:
    """Of an image that arrives as a stream. `fields` are signature, size, CRC-32, version, and the payload's offset."""
    signature: bytes
    fields: struct.Struct


@dataclasses.dataclass(frozen=True)
class Family:
    model: str
    layout: Layout | None = None          # a chip with banks and blocks
    image: ImageFormat | None = None      # or one with a stream
    room: int = 0                         # for that
    data_size: int = 244
    says_version: bool = True             # 1.3, size of the data, MTU
    buffer: int = 512                     # for a block
    eeprom: bool = True                   # can be where the images are
    copy: float = 0                       # seconds to copy a new image into place


_TWO_MEGABITS = Layout(0x4000, 0x1F000, product_header=0x38000)
_ONE_MEGABIT = Layout(0x4000, 0x10000, product_header=0x1F000)

FAMILIES = {
    # SDK 3, which is version 1.0.
    "580": Family("DA14580", _ONE_MEGABIT, data_size=20, says_version=False, buffer=256),
    # SDK 6.
    "58x": Family("DA14585", _TWO_MEGABITS),
    "531": Family("DA14531", _ONE_MEGABIT, eeprom=False),
    "68x": Family("DA14681", image=ImageFormat(b"\x70\x61", struct.Struct("<2s2xII16s4xI")), room=0x3B000, copy=1.5),
    "69x": Family("DA14695", image=ImageFormat(b"\x51\x71", struct.Struct("<2sII16s4xI")), room=503 * 1024),
}
