"""What a chip holds; every restart leaves it alone."""

import dataclasses
import struct


@dataclasses.dataclass
class Installed:
    application: str | None      # what it calls itself; none, when it was erased
    softdevice: int              # its FWID
    bootloader_version: int


def softdevice_of(image: bytes) -> int | None:
    """The FWID that a SoftDevice says it has, at 2000 of its image; none, when it is no SoftDevice."""
    if len(image) < 0x200E:
        return None
    magic, _, fwid = struct.unpack_from("<IIH", image, 0x2004)
    return fwid if magic == 0x51B1E5DB else None
