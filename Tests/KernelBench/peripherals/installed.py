"""The content of a chip, which every restart keeps."""

import dataclasses
import struct


@dataclasses.dataclass
class Installed:
    application: str | None      # its version; None when it was erased
    softdevice: int              # its FWID
    bootloader_version: int


def softdevice_of(image: bytes) -> int | None:
    """The FWID in a SoftDevice, at 2000 of its image; None if it is not a SoftDevice."""
    if len(image) < 0x200E:
        return None
    magic, _, fwid = struct.unpack_from("<IIH", image, 0x2004)
    return fwid if magic == 0x51B1E5DB else None
