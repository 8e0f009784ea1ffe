"""An Orange Beacon Tag, as Orange's own libraries for Android and iOS use it.

It advertises as an iBeacon. For a while after a press of its button it is connectable, and lists its service in the scan
response: Android's library requires both in one record. Its characteristics are read and written with responses.

Settings, all in `orange`:

    window         seconds for which a press allows connections
    values         unusual initial values, hex by name; null for a missing one
    fixed          names of those that cannot be written
    forgets        the number of first writes that it acknowledges and does not keep
"""

import asyncio
import struct

from bumble.core import UUID
from bumble.device import AdvertisingType, Device
from bumble.gatt import Characteristic, Service

from advertising import ad
from strict import StrictServer

_BASE = "59EC{:04X}-0B1E-4063-8B16-B00B50AA3A7E"
_BASIC, _WAKING = 0x0800, 0x0802
_PARTS = {"uuid": (_BASIC, 0x0A00), "major": (_BASIC, 0x0A02), "minor": (_BASIC, 0x0A01), "interval": (_BASIC, 0x0A04),
          "power": (_BASIC, 0x0A05), "sleep": (_WAKING, 0x0A07), "temperature": (_WAKING, 0x0A08),
          "angular": (_WAKING, 0x0A09), "acceleration": (_WAKING, 0x0A0B)}
_USUAL = {"uuid": "3d4f13b4d1fd404980e5d3edcc840b66", "major": "b8f8", "minor": "c0cd", "interval": "a000", "power": "00",
          "sleep": "0000", "temperature": "000f19", "angular": "0000000000", "acceleration": "0014ae073f"}
_POWERS = {-62, -52, -48, -44, -40, -36, -32, -30, -20, -16, -12, -8, -4, 0, 4}
_LEAST, _MOST = (struct.unpack("<f", struct.pack("<f", value))[0] for value in (0.1569064, 156.9064))
_DEFAULTS = dict(window=60, values={}, fixed=[], forgets=0)
_DEVICE_INFORMATION, _FIRMWARE_REVISION, _BATTERY, _BATTERY_LEVEL = map(UUID.from_16_bits, (0x180A, 0x2A26, 0x180F, 0x2A19))
_AT_1_M = -59
_WRITE_NOT_PERMITTED, _INVALID_LENGTH, _VALUE_NOT_ALLOWED = 0x03, 0x0D, 0x13
_P = Characteristic.Properties


class OrangeTag:
    """`report(event, **members)` gets all events; `settings` are those of `beacon.py`."""

    def __init__(self, settings: dict, report):
        self._settings, self._report, self.version = {**_DEFAULTS, **settings["orange"]}, report, settings["version"]
        given = {**_USUAL, **self._settings["values"]}
        self._values = {name: bytes.fromhex(text) for name, text in given.items() if text is not None}
        self._forgets, self._is_open, self._changes = self._settings["forgets"], False, None

    def press(self):
        self._report("pressed")
        self._is_open = True
        asyncio.get_running_loop().call_later(self._settings["window"], self._close)
        self._changes()

    def _close(self):
        self._report("closed")
        self._is_open = False
        self._changes()

    # On the air

    @property
    def interval_ms(self) -> float:
        return struct.unpack("<H", self._values["interval"])[0] * 0.625

    @property
    def kind(self) -> AdvertisingType:
        return AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE if self._is_open else AdvertisingType.UNDIRECTED

    def frame(self) -> tuple[bytes, bytes]:
        """Advertising data and scan response."""
        major, minor = (struct.unpack("<H", self._values[name])[0] for name in ("major", "minor"))
        beacon = b"\x4C\x00\x02\x15" + self._values["uuid"] + struct.pack(">HHb", major, minor, _AT_1_M)
        return ad(0x01, b"\x06") + ad(0xFF, beacon), ad(0x07, bytes(UUID(_BASE.format(_BASIC)))) if self._is_open else b""

    # Attributes

    def serve(self, device: Device, strict: StrictServer, changes):
        """`changes()` updates its advertisement."""
        self._changes = changes
        device.add_service(Service(_DEVICE_INFORMATION, [
            Characteristic(_FIRMWARE_REVISION, _P.READ, Characteristic.READABLE, self.version.encode())]))
        device.add_service(Service(_BATTERY, [Characteristic(_BATTERY_LEVEL, _P.READ, Characteristic.READABLE, bytes([87]))]))
        served = {}
        for name, (_, number) in _PARTS.items():
            if name in self._values:
                served[name] = Characteristic(
                    UUID(_BASE.format(number)), _P.READ | _P.WRITE, Characteristic.READABLE | Characteristic.WRITEABLE,
                    self._values[name])
        for service in (_BASIC, _WAKING):
            if own := [one for name, one in served.items() if _PARTS[name][0] == service]:
                device.add_service(Service(UUID(_BASE.format(service)), own))
        for name, one in served.items():
            strict.on_plain_write(one, lambda _, value, name=name, one=one: self._written(name, one, value))

    def lost_link(self) -> bool:
        """It never restarts; its settings are reported."""
        self._report("settings", **{name: value.hex() for name, value in self._values.items()})
        return False

    def _written(self, name: str, characteristic: Characteristic, value: bytes) -> int | None:
        was = self._values[name]
        if name in self._settings["fixed"]:
            return _WRITE_NOT_PERMITTED
        if len(value) != len(was):
            self._report("violation", what="a value of another length", name=name, value=value.hex())
            return _INVALID_LENGTH
        if not self._allows(name, value):
            self._report("violation", what="a value that Orange does not allow", name=name, value=value.hex())
            return _VALUE_NOT_ALLOWED
        if value == was:
            self._report("violation", what="set to what it was", name=name)
        self._report("set", name=name, value=value.hex(), was=was.hex())
        if self._forgets:
            self._forgets -= 1
            return None
        self._values[name] = characteristic.value = bytes(value)
        return None

    def _allows(self, name: str, value: bytes) -> bool:
        match name:
            case "interval":
                return 160 <= struct.unpack("<H", value)[0] <= 16000
            case "power":
                return struct.unpack("b", value)[0] in _POWERS
            case "temperature":
                switch, lower, upper = struct.unpack("Bbb", value)
                return switch in (0, 1) and lower <= upper
            case "acceleration":
                switch, level = struct.unpack("<Bf", value)
                return switch == 0 or switch == 1 and _LEAST <= level <= _MOST
            case "angular":
                return value[0] in (0, 1)
            case _:
                return True
