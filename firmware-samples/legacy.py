"""Parts of Nordic Legacy packages: init packets, and their manifest entries.

Written from docs/formats/nordic-legacy.md, without code of the program; the CRC is Python's own.
"""
import binascii
import hashlib
import struct

EXTENSIONS = {"0.6": 0, "0.7": 1, "0.8": 2}


def fields(r, image, sign):
    """The fields of the init packet in byte order, with their names in the manifest."""
    generation = r["generation"]
    out = {"device_type": r.get("device_type", 0x52), "device_revision": r.get("device_revision", 1),
           "application_version": r.get("version", 1), "softdevice_req": r.get("sd_req", [0x98])}
    if generation in EXTENSIONS:
        out["ext_packet_id"] = r.get("extension", EXTENSIONS[generation])
    if generation in ("0.5", "0.6"):
        out["firmware_crc16"] = binascii.crc_hqx(image, 0xFFFF) ^ r.get("crc_xor", 0)
    if generation in ("0.7", "0.8"):
        digest = bytearray(hashlib.sha256(image).digest())
        digest[0] ^= r.get("hash_xor", 0)
        out["firmware_length"] = r.get("declared_size", len(image))
        out["firmware_hash"] = bytes(digest)
    if generation == "0.8":
        halves = sign(pack(out))
        signature = bytearray(halves[31::-1] + halves[:31:-1])
        signature[0] ^= r.get("signature_xor", 0)
        out["init_packet_ecds"] = bytes(signature)
    return out


FORMS = {"device_type": "<H", "device_revision": "<H", "application_version": "<I", "ext_packet_id": "<I",
         "firmware_length": "<I", "firmware_crc16": "<H"}


def pack(values):
    out = b""
    for name, value in values.items():
        if name == "softdevice_req":
            out += struct.pack(f"<{len(value) + 1}H", len(value), *value)
        else:
            out += value if isinstance(value, bytes) else struct.pack(FORMS[name], value)
    return out


def init_packet(r, image, sign):
    if r.get("crc_alone"):
        return struct.pack("<H", binascii.crc_hqx(image, 0xFFFF))
    packet = pack(fields(r, image, sign)) + bytes.fromhex(r.get("packet_append", ""))
    return packet[: r["packet_bytes"]] if "packet_bytes" in r else packet


def notes(r, image, sign):
    """The manifest's members of a part, in addition to its file names."""
    out = {}
    if r.get("data", True):
        values = {k: v.hex() if isinstance(v, bytes) else v for k, v in fields(r, image, sign).items()}
        out["init_packet_data"] = {**values, **r.get("notes", {})}
    if r["role"] == "softdevice_bootloader" and r.get("sizes", True):
        first, second = r.get("sizes", [len(image) // 2, len(image) - len(image) // 2])
        out.update({"sd_size": first, "bl_size": second})
    return out
