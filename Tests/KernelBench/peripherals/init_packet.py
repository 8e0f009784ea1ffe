"""Reads as much of a Nordic init packet as a bootloader needs, protobuf by hand.

    Packet        1 command | 2 signed command { 1 command, 2 signature type, 3 signature }
    command       1 op code, 2 init command
    init command  1 firmware version, 2 hardware version, 3 SoftDevices (packed), 4 type,
                  5 6 7 sizes of SoftDevice, bootloader, application, 8 hash { 1 type, 2 bytes }, 9 debug
"""

import dataclasses

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

# RFC 6979, A.2.5: a published key, with which the samples are signed.
_KEY = ec.EllipticCurvePublicNumbers(
    0x60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6,
    0x7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299,
    ec.SECP256R1()).public_key()


class Undecodable(Exception):
    pass


@dataclasses.dataclass
class InitPacket:
    firmware_version: int
    hardware_version: int
    softdevices: list[int]
    kind: int  # 0 application, 1 SoftDevice, 2 bootloader, 3 SoftDevice and bootloader
    size: int
    sha256: bytes
    signed: bool
    signature_valid: bool


def parse(packet: bytes) -> InitPacket:
    try:
        return _parse(packet)
    except (IndexError, KeyError, ValueError) as error:
        raise Undecodable(str(error)) from error


def _parse(packet: bytes) -> InitPacket:
    outer = _fields(packet)
    signature = None
    if 2 in outer:
        signed = _fields(outer[2])
        command, signature = _fields(signed[1]), signed[3]
        if signed[2] != 0:
            raise ValueError("signature type")
    else:
        command = _fields(outer[1])
    init_bytes = command[2]
    init = _fields(init_bytes)
    hashed = _fields(init[8])
    if hashed[1] != 3:
        raise ValueError("hash type")
    return InitPacket(
        firmware_version=init[1], hardware_version=init[2], softdevices=_packed(init.get(3, b"")),
        kind=init.get(4, 0), size=init.get(5, 0) + init.get(6, 0) + init.get(7, 0),
        sha256=hashed[2][::-1],  # sent in reverse order
        signed=signature is not None,
        signature_valid=signature is not None and _verifies(init_bytes, signature))


def _verifies(message: bytes, signature: bytes) -> bool:
    """r and s are sent in reverse order, each separately."""
    if len(signature) != 64:
        return False
    r, s = (int.from_bytes(half, "little") for half in (signature[:32], signature[32:]))
    try:
        _KEY.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def _fields(data: bytes) -> dict:
    fields, at = {}, 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == 0:
            fields[key >> 3], at = _varint(data, at)
        elif key & 7 == 2:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise ValueError("a field runs past the end")
            fields[key >> 3], at = data[at:at + length], at + length
        else:
            raise ValueError("wire type")
    return fields


def _packed(data: bytes) -> list[int]:
    values, at = [], 0
    while at < len(data):
        value, at = _varint(data, at)
        values.append(value)
    return values
