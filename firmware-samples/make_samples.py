#!/usr/bin/env python3
"""Writes the sample files from the recipes, byte for byte the same on every run.

Python 3 standard library only, and no code shared with the program: protobuf, ECDSA and the errors of
the malformed samples are implemented here a second time, as an independent check. Files other than
packages for Nordic's nRF5 bootloaders are built by formats.py and mcuboot.py.

    make_samples.py            writes every folder and SHA256SUMS
    make_samples.py --check    writes nothing, fails when the committed files differ
    make_samples.py --large DIR   also writes DIR/large-500k.zip
"""
import argparse
import hashlib
import hmac
import json
import pathlib
import struct
import sys
import zlib

import formats
import legacy
import mcuboot

HERE = pathlib.Path(__file__).resolve().parent

# --- ECDSA P-256, deterministic (RFC 6979), with the published key of its appendix A.2.5 ------------

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
TEST_KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(k, point):
    result = None
    while k:
        if k & 1:
            result = add(result, point)
        point = add(point, point)
        k >>= 1
    return result


def sign(message, key=TEST_KEY):
    """r and s, each with its least significant byte first, as in the init packet."""
    digest = hashlib.sha256(message).digest()
    z = int.from_bytes(digest, "big")
    seed = key.to_bytes(32, "big") + (z % N).to_bytes(32, "big")
    k, v = b"\x00" * 32, b"\x01" * 32
    for marker in (b"\x00", b"\x01"):
        k = hmac.digest(k, v + marker + seed, "sha256")
        v = hmac.digest(k, v, "sha256")
    while True:
        v = hmac.digest(k, v, "sha256")
        nonce = int.from_bytes(v, "big")
        if 0 < nonce < N:
            r = multiply(nonce, G)[0] % N
            s = pow(nonce, -1, N) * (z + r * key) % N
            if r and s:
                return r.to_bytes(32, "little") + s.to_bytes(32, "little")
        k = hmac.digest(k, v + b"\x00", "sha256")
        v = hmac.digest(k, v, "sha256")


# --- protobuf ---------------------------------------------------------------------------------------


def varint(n):
    out = b""
    while n > 0x7F:
        out, n = out + bytes([n & 0x7F | 0x80]), n >> 7
    return out + bytes([n])


def number(tag, n):
    return varint(tag << 3) + varint(n)


def block(tag, content):
    return varint(tag << 3 | 2) + varint(len(content)) + content


TYPES = {"application": 0, "softdevice": 1, "bootloader": 2, "softdevice_bootloader": 3}


def init_command(r, image):
    """Fields in number order, zeros included, as nrfutil writes them."""
    size = r.get("declared_size", len(image))
    kind = TYPES[r.get("type", r["role"])]
    sizes = {0: (0, 0, size), 1: (size, 0, 0), 2: (0, size, 0), 3: (size // 2, size - size // 2, 0)}[kind]
    digest = hashlib.sha256(image).digest()[::-1]
    if "hash_xor" in r:
        digest = bytes([digest[0] ^ r["hash_xor"]]) + digest[1:]
    fields = [
        number(1, r.get("version", 1)), number(2, r.get("hardware", 52)),
        block(3, b"".join(varint(n) for n in r.get("sd_req", [0x98]))),
        number(4, kind), number(5, sizes[0]), number(6, sizes[1]), number(7, sizes[2]),
        block(8, number(1, r.get("hash_type", 3)) + block(2, digest[: r.get("hash_bytes", 32)])),
        number(9, 1 if r.get("debug") else 0)]
    out = b"".join(field for i, field in enumerate(fields, 1) if i not in r.get("omit", []))
    for entry in r.get("boot_validation", [1]):
        kind, content = entry if isinstance(entry, list) else (entry, 0)
        # For a SoftDevice with bootloader, the signature covers only the SoftDevice.
        covered = image[: sizes[0] or len(image)]
        out += block(10, number(1, kind) + block(2, sign(covered) if content == "sign" else bytes(content)))
    return out + bytes.fromhex(r.get("init_extra", ""))


def init_packet(r, image):
    init = init_command(r, image)
    command = number(1, r.get("op_code", 1)) + block(2, init)
    if r.get("init_not_last"):
        command = block(2, init) + number(1, 1)
    signature = bytes.fromhex(r["signature_hex"]) if "signature_hex" in r else sign(init)
    if "signature_xor" in r:
        signature = bytes([signature[0] ^ r["signature_xor"]]) + signature[1:]
    signature = signature[: r.get("signature_bytes", 64)]
    signed = block(2, block(1, command) + number(2, r.get("signature_type", 0)) + block(3, signature))
    packet = {"signed": signed, "unsigned": block(1, command), "both": block(1, command) + signed,
              "none": number(9, 1)}[r.get("packet", "signed")]
    packet += bytes.fromhex(r.get("packet_append", ""))
    return packet[: r["packet_bytes"]] if "packet_bytes" in r else packet


# --- images -----------------------------------------------------------------------------------------


def image_bytes(r):
    size = r["image_bytes"]
    if r.get("image") == "modulo-251":
        return bytes(i % 251 for i in range(size))
    # A vector table, then repeated instruction-like words between noise: it deflates about as well as code.
    out, state = bytearray(struct.pack("<4I", 0x20010000, 0x26201, 0x26229, 0x2622B)), r.get("seed", 1)
    while len(out) < size:
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out += struct.pack("<I", 0x4770B510 if state & 0x30000 == 0 else state >> 8 & 0xFFFFFF | 0x46000000)
    if "softdevice" in r:
        # A SoftDevice's information structure, at 3000 of the flash: it ends on a page, after 1000 of the MBR.
        end = 0x1000 + -(-size // 0x1000) * 0x1000
        out[0x2004:0x200E] = struct.pack("<IIH", 0x51B1E5DB, end, r["softdevice"])
    return bytes(out[:size])


# --- zip --------------------------------------------------------------------------------------------

# 1980-01-01 00:00, the earliest time of the format.
DATE, TIME = 0x21, 0


def zip_file(entries, recipe={}):
    """`entries` are dicts: name, content, method, and the false values of a malformed entry. An entry's
    `local` has different values for its own header; `unlisted` omits it from the directory."""
    out, directory = bytes.fromhex(recipe.get("prefix", "")), b""
    for e in entries:
        name = e["name"].encode()
        content = e["content"]
        method = e.get("method", 0)
        if method == 8:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = packer.compress(content) + packer.flush()
        else:
            packed = content
        packed += bytes.fromhex(e.get("hidden", ""))
        if "zeros" in e:
            packed, content_crc, size = e["zeros"]
        else:
            content_crc, size = zlib.crc32(content), len(content)
        crc = content_crc ^ e.get("crc_xor", 0)
        size = e.get("size", size)
        date, time = e.get("date", DATE), e.get("time", TIME)
        extra, small = b"", size
        if size > 0xFFFFFFFF:
            extra, small = struct.pack("<HHQ", 1, 8, size), 0xFFFFFFFF
        if "second_name" in e:
            second = struct.pack("<BI", 1, zlib.crc32(name)) + e["second_name"].encode()
            extra += struct.pack("<HH", 0x7075, len(second)) + second
        said = {"flags": e.get("flags", 0), "method": method, "crc": crc, "packed": len(packed), "size": small}

        def common(said, name):
            return struct.pack("<HHHHHIIIHH", 20, said["flags"], said["method"], time, date, said["crc"],
                               said["packed"], said["size"], len(name), len(extra))

        local = e.get("local", {})
        place = len(out) if "overlaps" not in e else e["overlaps"]
        if not e.get("unlisted"):
            directory += b"PK\x01\x02" + struct.pack("<H", 20) + common(said, name)
            directory += struct.pack("<HHHII", 0, e.get("disk", 0), 0, e.get("attributes", 0), place) + name + extra
        if "overlaps" in e:
            continue
        local_name = local.get("name", e["name"]).encode()
        out += b"PK\x03\x04" + common(dict(said, **local), local_name) + local_name + extra + packed
        if "descriptor" in e:
            out += b"PK\x07\x08" + struct.pack("<III", *(e["descriptor"] or [crc, len(packed), size]))
    out += bytes.fromhex(recipe.get("gap", ""))
    listed = sum(1 for e in entries if not e.get("unlisted"))
    comment = bytes.fromhex(recipe.get("comment", ""))
    end = struct.pack("<HHHHIIH", recipe.get("disk", 0), 0, listed, listed, len(directory), len(out), len(comment))
    return out + directory + b"PK\x05\x06" + end + comment + bytes.fromhex(recipe.get("trailing", ""))


def deflated_zeros(size):
    """A deflate stream of `size` zeros, with its CRC and size, made in pieces."""
    packer, piece, crc, out = zlib.compressobj(9, zlib.DEFLATED, -15), bytes(1 << 20), 0, b""
    for start in range(0, size, len(piece)):
        chunk = piece[: min(len(piece), size - start)]
        crc = zlib.crc32(chunk, crc)
        out += packer.compress(chunk)
    return out + packer.flush(), crc, size


# --- recipes ----------------------------------------------------------------------------------------


def manifest_bytes(recipe):
    if "manifest_text" in recipe:
        return recipe["manifest_text"].encode(recipe.get("manifest_encoding", "utf-8"))
    parts = {}
    for r in recipe["parts"]:
        entry = {"bin_file": r["name"] + ".bin", "dat_file": r["name"] + ".dat"}
        if "generation" in r:
            entry.update(legacy.notes(r, image_bytes(r), sign))
        elif r["role"] == "softdevice_bootloader":
            half = r["image_bytes"] // 2
            entry["info_read_only_metadata"] = {"bl_size": r["image_bytes"] - half, "sd_size": half}
        entry.update(r.get("manifest_extra", {}))
        parts[r["role"]] = entry
    parts.update(recipe.get("manifest_extra", {}))
    return json.dumps({"manifest": parts}, indent=4, sort_keys=True).encode(recipe.get("manifest_encoding", "utf-8"))


def build(recipe):
    if recipe.get("format") in mcuboot.FORMATS:
        return mcuboot.build(recipe, image_bytes, sign, zip_file)
    if "format" in recipe:
        return formats.build(recipe, image_bytes)
    method = recipe.get("method", 0)
    entries = []
    for r in recipe.get("parts", []):
        image = image_bytes(r)
        dat = legacy.init_packet(r, image, sign) if "generation" in r else init_packet(r, image)
        file = formats.build(r["hex"], lambda _: image) if "hex" in r else image
        if "split" in r:
            first, place, second = r["split"]
            entries += [{"name": first, "content": file[:place]}, {"name": second, "content": file[place:]}]
        else:
            entries.append({"name": r["name"] + (".hex" if "hex" in r else ".bin"), "content": file})
        entries.append({"name": r.get("dat_name", r["name"]) + ".dat", "content": dat})
    if recipe.get("manifest", True):
        entries.append({"name": "manifest.json", "content": manifest_bytes(recipe)})
    for e in entries:
        e["method"] = method
        e.update({k: recipe[k] for k in ("date", "time", "flags", "descriptor") if k in recipe})
    drop = recipe.get("without", [])
    entries = [e for e in entries if e["name"] not in drop]
    for name in recipe.get("empty", []):
        next(e for e in entries if e["name"] == name)["content"] = b""
    for name, change in recipe.get("change", {}).items():
        next(e for e in entries if e["name"] == name).update(change)
    for e in recipe.get("extra", []):
        e = dict(e, content=bytes.fromhex(e.get("hex", "")) + e.get("text", "").encode())
        if "zeros" in e:
            e["zeros"] = deflated_zeros(e["zeros"])
        entries.insert(e.get("at", len(entries)), e)
    for i in range(recipe.get("many", 0)):
        entries.append({"name": format(i, "x"), "content": b""})
    file = zip_file(entries, recipe)
    return file[: -recipe["cut"]] if "cut" in recipe else file


def recipes(folder):
    for path in sorted((HERE / "recipes").glob("*.json")):
        for name, recipe in json.loads(path.read_text()).items():
            if name.split("/")[0] in folder:
                yield name, expand(recipe)


def expand(recipe):
    """Completes a recipe with the part of recipes/base.json, which `part` changes and `parts` replaces."""
    base = json.loads((HERE / "recipes" / "base.json").read_text())
    recipe = dict(recipe)
    if "format" in recipe:
        return recipe
    part = recipe.pop("part", {})
    if recipe.pop("base", True) and "parts" not in recipe:
        recipe["parts"] = [dict(base["part"], **part)]
    return recipe


FOLDERS = ("nordic", "legacy", "dialog", "feasycom", "mcuboot", "hex", "malformed")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true", help="compare, write nothing")
    options.add_argument("--large", metavar="DIR", help="also write what is too large to commit")
    options = options.parse_args()
    # Check with the r of the signature of "sample" in the RFC, to detect an error in the curve.
    assert sign(b"sample")[:32][::-1].hex().startswith("efd48b2aacb6a8fd1140dd9cd45e81d6"), "ECDSA is wrong"
    files = {name: build(recipe) for name, recipe in recipes(FOLDERS)}
    sums = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    files["SHA256SUMS"] = sums.encode()
    for name, content in files.items():
        path = HERE / name
        if options.check:
            if not path.exists() or path.read_bytes() != content:
                sys.exit(f"{name} is not what its recipe makes")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    for name, recipe in recipes(("large",)) if options.large else ():
        path = pathlib.Path(options.large) / name.split("/")[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(build(recipe))
    print(f"{len(files) - 1} samples, {sum(map(len, files.values()))} bytes")


if __name__ == "__main__":
    main()
