"""Update clients of other people: fetched at a fixed version into the cache, never part of the repository."""

import pathlib
import subprocess

from host.pieces import Pieces

WHEELS = pathlib.Path(__file__).with_name("others.txt")
# What nrfdfu is built with.
_LIBRARIES = ["gcc", "pkg-config", "libjson-c-dev", "libsystemd-dev", "libzip-dev", "zlib1g-dev"]

_COMMITS = {
    "https://github.com/rctsang/nrf52_ble_dfu": "270386ae8310dc53ecf1c36cb2b1ddd342f07c6f",
    "https://github.com/wasp-os/ota-dfu-python": "928581501dfbca71319559731247a3a9b7295c00",
    "https://github.com/infsoft-locaware/nrfdfu": "5371b343de7369fbff4afe49be9594c59e08b423",
    "https://github.com/infsoft-locaware/blzlib": "9cdceb798953c52f17949b61cd88f3930b206f51",
}


class Others:
    def __init__(self, pieces: Pieces):
        self.packages = pieces.python_packages("others", WHEELS)
        folder = pieces.cache / "others-sources"
        self.sources = {address.rsplit("/", 1)[1]: _checkout(folder, address, commit)
                        for address, commit in _COMMITS.items()}
        pieces.install(_LIBRARIES)
        self.nrfdfu = _nrfdfu(folder, self.sources["nrfdfu"], self.sources["blzlib"])


def _checkout(folder: pathlib.Path, address: str, commit: str) -> pathlib.Path:
    place = folder / address.rsplit("/", 1)[1]
    if _head(place) != commit:
        print("fetching", address, flush=True)
        place.mkdir(parents=True, exist_ok=True)
        for words in (["init", "-q"], ["fetch", "-q", "--depth", "1", address, commit],
                      ["checkout", "-q", "--force", "FETCH_HEAD"]):
            if subprocess.run(["git", *words], cwd=place, timeout=120).returncode:
                raise SystemExit(f"bench: {address} cannot be had at {commit}")
    return place


def _head(place: pathlib.Path) -> str | None:
    if not (place / ".git").exists():
        return None
    head = subprocess.run(["git", "rev-parse", "-q", "--verify", "HEAD"], cwd=place, capture_output=True, text=True)
    return head.stdout.strip()


def _nrfdfu(folder: pathlib.Path, sources: pathlib.Path, library: pathlib.Path) -> pathlib.Path:
    program = folder / "bin" / "nrfdfu"
    if not program.exists():
        program.parent.mkdir(exist_ok=True)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libzip", "json-c", "libsystemd", "zlib"],
                               capture_output=True, text=True, check=True).stdout.split()
        subprocess.run(["gcc", "-O2", "-w", "-D_GNU_SOURCE", "-DBLE_SUPPORT", "-I", library, "-I", sources,
                        "-o", program, *sorted(sources.glob("*.c")), *sorted(library.glob("*.c")), *flags], check=True)
    return program
