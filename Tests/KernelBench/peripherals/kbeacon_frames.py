"""The adverts of a KBeacon: its sensor and, in the second generation, its system frame; battery and identity in the
scan response. (kbeacon.md, 2)
"""

import struct

from advertising import ad

_FEATURES = b"\xAA\xFE"  # service data of its frames
_EXTENDED = b"\x80\x20"
_HAS_IDENTITY = 0x04
# Voltage, temperature, acceleration; genuine units of the second generation also have a bit without data.
_MASK_1, _MASK_2 = 0x0001, 0x010B


def _around(frame: bytes) -> bytes:
    return ad(0x01, b"\x06") + ad(0x03, _FEATURES) + ad(0x16, _FEATURES + frame)


def system_frame(model: int, battery: int, mac: bytes, version: tuple[int, int]) -> bytes:
    """`mac` in display order."""
    return _around(bytes([0x22, model, battery]) + mac + bytes(version))


def sensor_frame(generation: int, millivolts: int, celsius: float) -> bytes:
    if generation == 1:
        return _around(b"\x21" + struct.pack(">HH", _MASK_1, millivolts))
    return _around(b"\x21" + struct.pack(">HHhhhh", _MASK_2, millivolts, round(celsius * 256), -4, -20, 1003))


def scan_response(name: str, battery: int, identity: tuple[int, int] | None, mac: bytes) -> bytes:
    """`identity` is major and minor; without it, the last bytes of a public address."""
    if identity:
        extended = struct.pack(">BBHH", battery, _HAS_IDENTITY, *identity)
    else:
        extended = bytes([battery, 0, 1]) + mac[3:]
    return ad(0x16, _EXTENDED + extended) + ad(0x09, name.encode())
