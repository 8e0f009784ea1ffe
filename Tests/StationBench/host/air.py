"""Simulated beacons that keep their state in a folder, which shows what each of them runs."""

import dataclasses
import json
import pathlib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent


@dataclasses.dataclass(frozen=True)
class Firmware:
    """A sample package, and the SoftDevice of its beacons."""
    file: str
    version: int
    softdevice: int

    @property
    def path(self) -> pathlib.Path:
        return ROOT / "firmware-samples/nordic" / self.file

    @property
    def image(self) -> bytes:
        with zipfile.ZipFile(self.path) as package:
            return next(package.read(name) for name in package.namelist() if name.endswith(".bin"))


# 30 kB: long enough to be interrupted in the middle of a transfer.
BLINKER = Firmware("blinker-1.1.0.zip", 2, 0x98)
# 4 kB: fast.
SMALL = Firmware("vector-a.zip", 1, 0x100)


@dataclasses.dataclass
class Beacon:
    number: int
    faults: list = dataclasses.field(default_factory=list)

    @property
    def address(self) -> str:
        return f"F0:00:00:{self.number >> 8:02X}:{self.number & 0xFF:02X}:00"

    @property
    def key(self) -> str:
        return self.address + "/random"

    def entry(self, firmware: Firmware) -> str:
        faults = f", faults: [{', '.join('{' + one + '}' for one in self.faults)}]" if self.faults else ""
        return (f"  - {{address: '{self.address}', name: Blinker {self.number}, mode: application, key: test, flash: instant, "
                f"softdevice: 0x{firmware.softdevice:X}{faults}}}\n")


class Air:
    """Beacons with one folder of state, in as many scenario files as there are scanners."""

    def __init__(self, folder: pathlib.Path, count: int, firmware: Firmware = SMALL, first: int = 1, faults=None, link="instant",
                 memory="memory"):
        self.folder = folder
        self.firmware = firmware
        self.link = link
        self.image = firmware.image
        self.memory = folder / memory
        self.beacons = [Beacon(first + index, list((faults or {}).get(first + index, []))) for index in range(count)]
        self.by_key = {beacon.key: beacon for beacon in self.beacons}

    def file(self, name, beacons=None, link=None) -> pathlib.Path:
        """A scenario in which `beacons` are heard."""
        path = self.folder / f"{name}.yaml"
        lines = "".join(beacon.entry(self.firmware) for beacon in (beacons or self.beacons))
        path.write_text(f"state: {self.memory}\nlink: {link or self.link}\nbeacons:\n{lines}")
        return path

    def tray(self, name, beacons=None) -> pathlib.Path:
        """A tray with a slot for each of `beacons`."""
        path = self.folder / f"{name}.tray.yaml"
        lines = "".join(f"  - {{slot: A{beacon.number}, device: '{beacon.key}'}}\n" for beacon in (beacons or self.beacons))
        path.write_text(f"tray: 1\nfirmware: {self.firmware.path}\nslots:\n{lines}")
        return path

    def units(self, name, beacons) -> pathlib.Path:
        """A list of units for `order create --units`."""
        path = self.folder / f"{name}.units"
        path.write_text("".join(f"{beacon.key}\n" for beacon in beacons))
        return path

    def _file(self, beacon, suffix) -> pathlib.Path:
        return self.memory / (beacon.address.replace(":", "") + suffix)

    def contents(self, beacon) -> tuple[bytes, bytes]:
        """The whole saved state of a beacon; nothing if it was never changed."""
        return tuple(path.read_bytes() if (path := self._file(beacon, suffix)).exists() else b"" for suffix in (".json", ".flash"))

    def holds(self, beacon) -> bool:
        """Whether it runs the order's firmware: the image is in its flash, and its application was started."""
        state, flash = self.contents(beacon)
        return bool(state) and json.loads(state).get("program") == "application" and flash.startswith(self.image)

    def is_as_made(self, beacon) -> bool:
        """Whether it runs its initial firmware, whatever was connected to it."""
        state, flash = self.contents(beacon)
        return not state or json.loads(state).get("program") == "application" and len(flash) <= 1024

    def tamper(self, beacon):
        """Changes a byte of its application without any record."""
        path = self._file(beacon, ".flash")
        flash = bytearray(path.read_bytes())
        flash[17] ^= 0xFF
        path.write_bytes(flash)
