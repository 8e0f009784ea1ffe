"""Drives the library of adafruit-nrfutil for AdafruitNrfutilTests; run by the Python that it is installed in.

    adafruit.py write VERSION PACKAGE ROLE=FILE …     a package with the defaults that the tests expect
    adafruit.py read PACKAGE FOLDER                   one JSON object with everything its reader returns
"""
import hashlib
import json
import os
import sys

from ecdsa import NIST256p, SigningKey
from nordicsemi.dfu import manifest, package, signing
from nordicsemi.dfu.init_packet import Packet, PacketField

# The published test key of RFC 6979, A.2.5.
KEY = SigningKey.from_secret_exponent(0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721, NIST256p)

# Two places were left for Python 2: without this, versions 0.7 and 0.8 end in an exception.
signing.Signing.load_key = lambda self, _: setattr(self, "sk", KEY)


class TextHexlify:
    hexlify = staticmethod(lambda data: data.hex())


manifest.binascii = TextHexlify

FIELDS = {
    "device_type": PacketField.DEVICE_TYPE, "device_revision": PacketField.DEVICE_REVISION,
    "application_version": PacketField.APP_VERSION, "softdevice_req": PacketField.REQUIRED_SOFTDEVICES_ARRAY,
    "ext_packet_id": PacketField.NORDIC_PROPRIETARY_OPT_DATA_EXT_PACKET_ID,
    "firmware_length": PacketField.NORDIC_PROPRIETARY_OPT_DATA_FIRMWARE_LENGTH,
    "firmware_hash": PacketField.NORDIC_PROPRIETARY_OPT_DATA_FIRMWARE_HASH,
    "firmware_crc16": PacketField.NORDIC_PROPRIETARY_OPT_DATA_FIRMWARE_CRC16,
    "init_packet_ecds": PacketField.NORDIC_PROPRIETARY_OPT_DATA_INIT_PACKET_ECDS,
}


def write(version, path, *files):
    named = dict(f.split("=", 1) for f in files)
    key = "key.pem" if version == "0.8" else None
    package.Package(0x52, 52840, 7, [0xB6, 0xFFFE], named.get("application"), named.get("bootloader"),
                    named.get("softdevice"), float(version), key).generate_package(path)


def read(path, folder):
    read = package.Package.unpack_package(path, folder)
    parts = {}
    for role in ("application", "bootloader", "softdevice", "softdevice_bootloader"):
        part = getattr(read, role)
        if part is None:
            continue
        image, dat = os.path.join(folder, part.bin_file), os.path.join(folder, part.dat_file)
        with open(dat, "rb") as file:
            packet = file.read()
        noted = {k: v for k, v in part.init_packet_data.__dict__.items() if v is not None}
        fields = {FIELDS[k]: bytes.fromhex(v) if isinstance(v, str) else v for k, v in noted.items()}
        signer = signing.Signing()
        signer.load_key("")
        parts[role] = {
            "bin_bytes": package.Package.calculate_file_size(image),
            "sd_size": getattr(part, "sd_size", None), "bl_size": getattr(part, "bl_size", None),
            "crc16": package.Package.calculate_crc16(image),
            "sha256": package.Package.calculate_sha256_hash(image).hex(), "noted": noted,
            "packet_is_what_is_noted": Packet(fields).generate_packet() == packet,
            "signed": len(packet) > 64 and signer.verify(packet[:-64], packet[-64:]),
        }
    print(json.dumps({"dfu_version": read.dfu_version, "parts": parts}))


{"write": write, "read": read}[sys.argv[1]](*sys.argv[2:])
