"""Packages of the bench's own, made from recipes like those in firmware-samples."""

import hashlib
import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "firmware-samples"))
import make_samples  # noqa: E402

from host import mcuboot_images  # noqa: E402

_SAMPLES = pathlib.Path(make_samples.__file__).parent

_RECIPES = {
    # The application runs only on SoftDevice 98, which the first part installs over 95.
    "two-parts.zip": {"parts": [
        {"role": "application", "name": "blinker", "image_bytes": 30720, "seed": 7, "version": 2, "hardware": 52,
         "sd_req": [0x98]},
        {"role": "softdevice_bootloader", "name": "sd_bl", "image_bytes": 61440, "seed": 8, "softdevice": 0x98,
         "version": 3, "hardware": 52, "sd_req": [0x95, 0x98], "boot_validation": [1, 1]}]},
    # For clients that read no archives it is also unpacked, in a folder of its name.
    "middle.zip": {"parts": [
        {"role": "application", "name": "middle", "image_bytes": 163840, "seed": 10, "version": 2, "hardware": 52,
         "sd_req": [0x98]}]},
    "legacy.zip": {"part": {"generation": "0.5", "image_bytes": 30720, "seed": 9, "version": 2},
                   "manifest_extra": {"dfu_version": 0.5}},
    "58x-56k.img": {"format": "suota", "header": "58x", "image_bytes": 57344, "seed": 12, "version": "6.0.30"},
    "69x-60k.img": {"format": "suota", "header": "69x", "image_bytes": 61440, "seed": 11, "version": "3.0.1"},
    "68x-200k.img": {"format": "suota", "header": "68x", "image_bytes": 204800, "seed": 13, "version": "2.0.2"},
    "68x-60k.img": {"format": "suota", "header": "68x", "image_bytes": 61440, "seed": 10, "version": "2.0.1"},
    # Open containers: for a model that restarts before its update, and for one that keeps its link. The last packets are
    # short.
    "bp102.fbu": {"format": "fbeacon", "image_bytes": 20000, "seed": 14, "bootloader": 651, "versions": [800, 841],
                  "model": 21, "records": [[1, b"BP102".hex()]]},
    "bp108n.fbu": {"format": "fbeacon", "image_bytes": 20001, "seed": 15, "bootloader": 651, "versions": [800, 841],
                   "model": 40, "records": [[1, b"BP108N".hex()]]},
}


def write(folder: pathlib.Path):
    for name, recipe in _RECIPES.items():
        (folder / name).write_bytes(make_samples.build(make_samples.expand(recipe)))
    (folder / "bench-2.0.0.bin").write_bytes(mcuboot_images.image("2.0.0"))
    (folder / "bench-2.0.0.zip").write_bytes(mcuboot_images.package("2.0.0"))
    with zipfile.ZipFile(folder / "middle.zip") as archive:
        archive.extractall(folder / "middle")


def sample_sha256(name: str) -> str:
    """The SHA-256 of a file of firmware-samples."""
    return hashlib.sha256((_SAMPLES / name).read_bytes()).hexdigest()


def whole_sha256(name: str) -> str:
    return hashlib.sha256(make_samples.build(make_samples.expand(_RECIPES[name]))).hexdigest()


def payload(name: str) -> tuple[int, str]:
    """Size and SHA-256 of the payload of an open container, without header and extension."""
    container = make_samples.build(make_samples.expand(_RECIPES[name]))
    carried = container[32 + int.from_bytes(container[24:26], "little"):]
    return len(carried), hashlib.sha256(carried).hexdigest()


def sha256(package: str, part: str = "blinker") -> str:
    """The SHA-256 of the image of a part."""
    parts = make_samples.expand(_RECIPES[package])["parts"]
    image = make_samples.image_bytes(next(one for one in parts if one["name"] == part))
    return hashlib.sha256(image).hexdigest()
