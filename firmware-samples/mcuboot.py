"""MCUboot images, and packages of the nRF Connect SDK.

Written from docs/formats/mcuboot.md, and like the rest of this folder without code of the program. The P-256 key is
that of make_samples.py, the Ed25519 key that of RFC 8032, 7.1, test 1. Encrypted samples look like ones: their body is
computed noise, and there is no key that decrypts it.
"""
import hashlib
import json
import struct

import formats

# --- keys ---------------------------------------------------------------------------------------------

P256_POINT = bytes.fromhex("04" "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                           "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
P256_KEY = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + P256_POINT
ED25519_SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")

# Edwards curve of RFC 8032, 5.1.
Q = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, Q) % Q


def edwards_add(a, b):
    product = D * a[0] * b[0] * a[1] * b[1] % Q
    return ((a[0] * b[1] + b[0] * a[1]) * pow(1 + product, -1, Q) % Q,
            (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, Q) % Q)


def edwards_point(k):
    """k times the base point, encoded."""
    y = 4 * pow(5, -1, Q) % Q
    square = (y * y - 1) * pow(D * y * y + 1, -1, Q) % Q
    x = pow(square, (Q + 3) // 8, Q)
    if x * x % Q != square:
        x = x * pow(2, (Q - 1) // 4, Q) % Q
    base, total = ((Q - x) if x & 1 else x, y), (0, 1)
    while k:
        if k & 1:
            total = edwards_add(total, base)
        base, k = edwards_add(base, base), k >> 1
    return (total[1] | (total[0] & 1) << 255).to_bytes(32, "little")


def number(digest):
    return int.from_bytes(digest, "little")


HALVES = hashlib.sha512(ED25519_SEED).digest()
SCALAR = number(HALVES[:32]) & (1 << 254) - 8 | 1 << 254
ED25519_POINT = edwards_point(SCALAR)
ED25519_KEY = bytes.fromhex("302a300506032b6570032100") + ED25519_POINT
assert ED25519_POINT.hex().startswith("d75a980182b10ab7"), "Ed25519 is wrong"


def sign_ed25519(message):
    r = number(hashlib.sha512(HALVES[32:] + message).digest()) % L
    point = edwards_point(r)
    k = number(hashlib.sha512(point + ED25519_POINT + message).digest())
    return point + ((r + k * SCALAR) % L).to_bytes(32, "little")


def der(r, s):
    """An ECDSA signature as SEQUENCE of two INTEGERs."""
    out = b""
    for n in (r, s):
        content = n.to_bytes(n.bit_length() // 8 + 1, "big")
        out += bytes([2, len(content)]) + content
    return bytes([0x30, len(out)]) + out


# --- images -------------------------------------------------------------------------------------------

MAGIC = bytes.fromhex("3db8f396")
TRAILER_MAGIC = bytes.fromhex("77c295f360d2ef7f3552500f2cb67980")
FLAGS = {"unknown": 2, "encrypted": 4, "not-bootable": 0x10, "ram-load": 0x20, "rom-fixed": 0x100, "compressed": 0x400}


def tlv(kind, content):
    return struct.pack("<HH", kind, len(content)) + content


def area(magic, entries):
    return struct.pack("<HH", magic, len(entries) + 4) + entries


def version(text):
    numbers, _, build = text.partition("+")
    major, minor, revision = map(int, numbers.split("."))
    return struct.pack("<BBHI", major, minor, revision, int(build or 0))


def image(r, noise, sign):
    """`key` is p256, ed25519, pure (Ed25519 over the image itself) or none; `sha` the hash's bits. The members from
    `flip` on damage it."""
    body = noise(r)
    head = r.get("header_bytes", 512)
    protected = b"".join(tlv(kind, bytes.fromhex(content)) for kind, content in r.get("protected", []))
    if protected:
        protected = area(0x6908, protected)
    flags = sum(FLAGS[name] for name in r.get("flags", []))
    header = bytes.fromhex(r.get("magic", MAGIC.hex())) + struct.pack(
        "<IHHII", r.get("load_address", 0), r.get("declared_header", head), r.get("protected_bytes", len(protected)),
        r.get("declared_size", len(body)), flags) + version(r.get("version", "1.0.0"))
    hashed = header.ljust(head, b"\0") + body + protected

    key = r.get("key", "p256")
    algorithm = {256: hashlib.sha256, 384: hashlib.sha384, 512: hashlib.sha512}[r.get("sha", 256)]
    digest = algorithm(hashed).digest()
    tlvs = tlv({256: 0x10, 384: 0x11, 512: 0x12}[r.get("sha", 256)], digest) * r.get("hashes", 1)
    if key == "pure":
        tlvs += tlv(0x25, b"\x01")
    if key != "none":
        public = P256_KEY if key == "p256" else ED25519_KEY
        name = bytearray(algorithm(public).digest())
        name[0] ^= r.get("key_hash_xor", 0)
        tlvs += tlv(1, bytes.fromhex(r["key_hash"]) if "key_hash" in r else bytes(name))
        if key == "p256":
            halves = sign(hashed)
            r_and_s = [number(halves[:32]), number(halves[32:])]
            r_and_s[1] ^= r.get("signature_xor", 0)
            tlvs += tlv(0x22, der(*r_and_s))
        else:
            signature = bytearray(sign_ed25519(hashed if key == "pure" else digest))
            signature[0] ^= r.get("signature_xor", 0)
            tlvs += tlv(0x24, bytes(signature))
    if "encrypted" in r.get("flags", []):
        body = b"".join(hashlib.sha256(b"body %d" % i).digest() for i in range(len(body) // 32 + 1))[: len(body)]
        if r.get("body_key", True):
            tlvs += tlv(0x32, P256_POINT + hashlib.sha512(b"key").digest()[:48])
    tlvs += bytes.fromhex(r.get("tlvs", ""))

    out = bytearray(header.ljust(head, b"\0") + body + protected + area(0x6907, tlvs))
    for place in r.get("flip", []):
        out[place] ^= 1
    if "padded_to" in r:
        out += b"\xFF" * (r["padded_to"] - len(out) - len(TRAILER_MAGIC)) + TRAILER_MAGIC
        if r.get("confirmed"):
            out[-24] = 1
    out += bytes.fromhex(r.get("append", ""))
    return bytes(out[: -r["cut"]] if "cut" in r else out)


# --- packages -----------------------------------------------------------------------------------------

# 2025-01-01 00:00 UTC.
TIME = 1735689600


def package(r, noise, sign, zip_file):
    """`files` are images with a name and their own members of the manifest; `manifest` changes the rest of it.
    Members whose value is null are left out."""
    entries, listed = [], []
    for file in r["files"]:
        content = image(file, noise, sign)
        note = {"type": "application", "board": r.get("board", "lantern/nrf52840"), "soc": r.get("soc", "nrf52840"),
                "size": len(content), "file": file["name"], "modtime": TIME, **file.get("note", {})}
        listed.append({name: value for name, value in note.items() if value is not None})
        if not file.get("missing"):
            entries.append({"name": file["name"], "content": content})
    manifest = {"format-version": 1, "time": TIME, "files": listed, "name": "lantern",
                "firmware": {"zephyr": {"revision": "0" * 40}, "nrf": {"revision": "0" * 40}},
                **r.get("manifest", {})}
    manifest = {name: value for name, value in manifest.items() if value is not None}
    text = json.dumps(manifest, indent=4)
    for old, new in r.get("replace", []):
        assert old in text, f"{old} is not in the manifest"
        text = text.replace(old, new, 1)
    entries.append({"name": "manifest.json", "content": text.encode()})
    entries += [{"name": e["name"], "content": e["text"].encode()} for e in r.get("extra", [])]
    return zip_file(entries)


def programmed(r, noise, sign):
    """An image in Intel HEX at its `address`, with other `regions`, as builds make it for programmers."""
    content = {"address": r["address"], "hex": image(r, noise, sign).hex()}
    return formats.intel_hex({"regions": r.get("regions", []) + [content]}, noise)


FORMATS = ("mcuboot", "mcuboot-hex", "nrf-connect")


def build(r, noise, sign, zip_file):
    if r["format"] == "nrf-connect":
        return package(r, noise, sign, zip_file)
    return programmed(r, noise, sign) if r["format"] == "mcuboot-hex" else image(r, noise, sign)
