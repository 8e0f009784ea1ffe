"""MCUboot images and zips of the bench's own, signed with the published P-256 key of RFC 6979, A.2.5.

An image is a header of 32 bytes, filled up to 512, then the program, then tagged values (TLVs): the SHA-256 of everything
before them, that of the public key, and the signature.
"""

import hashlib
import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "firmware-samples"))
import make_samples  # noqa: E402

MAGIC, TLV_MAGIC = 0x96F3B83D, 0x6907
_HEADER = 512
_KEY_HASH, _SHA256, _ECDSA = 0x01, 0x10, 0x22
# SubjectPublicKeyInfo of a P-256 key, up to the point.
_KEY_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")


def image(version: str, size: int = 30000) -> bytes:
    """`version` is major.minor.revision; the program's bytes are another one for each."""
    major, minor, revision = map(int, version.split("."))
    seed = major << 24 | minor << 16 | revision
    program = make_samples.image_bytes({"image_bytes": size, "seed": seed})
    header = struct.pack("<IIHHIIBBHII", MAGIC, 0, _HEADER, 0, size, 0, major, minor, revision, 0, 0)
    hashed = header.ljust(_HEADER, b"\0") + program
    values = [(_SHA256, hashlib.sha256(hashed).digest()), (_KEY_HASH, hashlib.sha256(_public_key()).digest()),
              (_ECDSA, _der(make_samples.sign(hashed)))]
    tagged = b"".join(struct.pack("<HH", kind, len(value)) + value for kind, value in values)
    return hashed + struct.pack("<HH", TLV_MAGIC, 4 + len(tagged)) + tagged


def image_hash(content: bytes) -> bytes | None:
    """The value of its SHA-256 TLV, or nothing if the hash is wrong or there is none."""
    try:
        magic, _, header, protected, size = struct.unpack_from("<IIHHI", content)
        at = header + size + protected
        tlv_magic, total = struct.unpack_from("<HH", content, at)
        end, found = at + total, at + 4
        while (magic, tlv_magic) == (MAGIC, TLV_MAGIC) and found + 4 <= end <= len(content):
            kind, length = struct.unpack_from("<HH", content, found)
            value = content[found + 4:found + 4 + length]
            if kind == _SHA256:
                return value if value == hashlib.sha256(content[:at]).digest() else None
            found += 4 + length
    except struct.error:
        pass
    return None


def image_version(content: bytes) -> str:
    return "{}.{}.{}".format(*struct.unpack_from("<BBH", content, 20))


def package(version: str, **settings) -> bytes:
    """What a build of the nRF Connect SDK leaves as dfu_application.zip."""
    content = image(version, **settings)
    manifest = {"format-version": 1, "time": 1735689600, "name": "bench", "files": [{
        "type": "application", "board": "nrf52840dk", "soc": "nrf52840", "load_address": 0xC000, "image_index": "0",
        "slot_index_primary": "1", "slot_index_secondary": "2", "version_MCUBOOT": f"{version}+0", "size": len(content),
        "file": "bench.signed.bin", "modtime": 1735689600}]}
    return make_samples.zip_file([{"name": "bench.signed.bin", "content": content},
                                  {"name": "manifest.json", "content": json.dumps(manifest, indent=2).encode()}])


def _public_key() -> bytes:
    x, y = make_samples.multiply(make_samples.TEST_KEY, make_samples.G)
    return _KEY_PREFIX + b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")


def _der(signature: bytes) -> bytes:
    """From two numbers, each with its least significant byte first."""
    parts = b""
    for number in (signature[:32], signature[32:]):
        value = number[::-1].lstrip(b"\0")
        value = b"\0" * (value[0] >> 7) + value
        parts += bytes([0x02, len(value)]) + value
    return bytes([0x30, len(parts)]) + parts
