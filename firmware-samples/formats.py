"""Files other than Nordic packages: Dialog images, Feasycom files, Intel HEX.

Written from docs/formats, with Python's own CRCs (zlib.crc32, binascii.crc_hqx), and like the rest of this folder
without code of the program.
"""
import binascii
import hashlib
import struct
import zlib


def payload(r, noise):
    """`ramp` 00…FF repeated, `modulo-251`, `cipher` (looks encrypted), or bytes that look like code."""
    size = r["image_bytes"]
    kind = r.get("image", "code")
    if kind == "ramp":
        return bytes(i & 0xFF for i in range(size))
    if kind == "cipher":
        blocks = (hashlib.sha256(b"%d %d" % (r.get("seed", 1), i)).digest() for i in range(size // 32 + 1))
        return b"".join(blocks)[:size]
    return noise(r)


def suota(r, noise):
    program = payload(r, noise)
    family = r["header"]
    version = bytes.fromhex(r["version_hex"]) if "version_hex" in r else version_field(r.get("version", "1.2.3"))
    crc = zlib.crc32(program) ^ r.get("crc_xor", 0)
    common = struct.pack("<II", r.get("code_size", len(program)), crc) + version
    common += struct.pack("<I", r.get("timestamp", 1700000000))
    sections = bytes.fromhex(r.get("sections", ""))
    if family == "58x":
        header = b"\x70\x51" + bytes([r.get("valid_flag", 0xAA), r.get("image_id", 0xFF)]) + common
        header += bytes([r.get("flags", 0)]) + b"\xFF" * 31
        gap = b""
    elif family == "68x":
        offset = r.get("offset", 36)
        header = b"\x70\x61" + struct.pack("<H", r.get("flags", 0)) + common + struct.pack("<I", offset)
        gap = sections + b"\xFF" * (offset - 36 - len(sections))
    else:
        offset = r.get("offset", 0x400)
        header = b"\x51\x71" + common + struct.pack("<I", offset)
        gap = sections + b"\xFF" * (offset - 34 - len(sections))
    file = header + gap + program
    if r.get("upload_trailer"):
        trailer = 0
        for byte in file:
            trailer ^= byte
        file += bytes([trailer])
    return file


def version_field(text):
    """As written by the vendor's tool: a NUL after the text, then FF."""
    return (text.encode() + b"\0").ljust(16, b"\xFF")


def flash(r, noise):
    """A whole flash: boot header and bootloader, two images, product header; gaps FF."""
    out = bytearray()

    def place(offset, content):
        out.extend(b"\xFF" * (offset + len(content) - len(out)))
        out[offset : offset + len(content)] = content

    if "bootloader_bytes" in r:
        size = r["bootloader_bytes"]
        place(0, b"\x70\x50" + bytes(4) + struct.pack(">H", size) + noise({"image_bytes": size, "seed": 5}))
    first, second, product = r["offsets"]
    place(product, b"\x70\x52" + struct.pack("<HII", 0, first, second) + b"\xFF" * 12)
    for offset, image in zip((first, second), r.get("images", [])):
        place(offset, suota(image, noise))
    return bytes(out)


def fbeacon(r, noise):
    program = payload(r, noise)
    start, end = {"vendor": (b"\xDD\x07", b"\xE0\x07"), "open": (b"FB", b"UP")}[r.get("container", "open")]
    records = b""
    for kind, value in r.get("records", []):
        value = hashlib.sha256(program).digest() if value == "sha256" else bytes.fromhex(value)
        records += bytes([kind, len(value)]) + value
    records += bytes.fromhex(r.get("records_hex", ""))
    body = records + program
    # The data covered by a vendor's binCrc is not in the file, so this is an arbitrary number.
    bin_crc = (0x1234 if r.get("container") == "vendor" else binascii.crc_hqx(program, 0)) ^ r.get("bin_crc_xor", 0)
    fields = struct.pack("<HHIHHHH", r.get("bootloader", 0), bin_crc, r.get("length", len(program)),
                         *r.get("versions", [1, 2]), r.get("model", 21), r.get("upload_model", 1))
    if r.get("container") == "vendor":
        fields += bytes(10)
    else:
        crc = zlib.crc32(body) ^ r.get("body_crc_xor", 0)
        fields += struct.pack("<BBIHH", r.get("version", 1), r.get("flags", 0), crc, len(records), r.get("reserved", 0))
    header_crc = binascii.crc_hqx(fields, 0) ^ r.get("header_crc_xor", 0)
    return start + fields + struct.pack("<H", header_crc) + bytes.fromhex(r.get("end", end.hex())) + body


def intel_hex(r, noise):
    """The `regions` at their addresses; `replace` damages the text."""
    width, lines, base = r.get("width", 16), [], None
    for region in r["regions"]:
        address = int(region["address"], 16)
        content = bytes.fromhex(region["hex"]) if "hex" in region else payload(region, noise)
        for start in range(0, len(content), width):
            place = address + start
            above = place >> 16
            if above != base:
                base = above
                if r.get("segmented"):
                    lines.append(record(2, 0, struct.pack(">H", above << 12)))
                else:
                    lines.append(record(4, 0, struct.pack(">H", above)))
            lines.append(record(0, place & 0xFFFF, content[start : start + width]))
    if "start" in r:
        lines.append(record(3 if r.get("segmented") else 5, 0, struct.pack(">I", int(r["start"], 16))))
    lines.append(record(1, 0, b""))
    text = "".join(line + r.get("line_end", "\n") for line in lines)
    if r.get("lower"):
        text = text.lower()
    for old, new in r.get("replace", []):
        assert old in text, f"{old} is not in the text"
        text = text.replace(old, new, 1)
    return text.encode()


def record(kind, offset, data):
    body = bytes([len(data)]) + struct.pack(">HB", offset, kind) + data
    return ":" + (body + bytes([-sum(body) & 0xFF])).hex().upper()


def text(r, noise):
    return r["text"].encode()


BUILDERS = {"suota": suota, "flash": flash, "fbeacon": fbeacon, "intel-hex": intel_hex, "text": text}


def build(r, noise):
    file = BUILDERS[r["format"]](r, noise) + bytes.fromhex(r.get("append", ""))
    return file[: -r["cut"]] if "cut" in r else file
