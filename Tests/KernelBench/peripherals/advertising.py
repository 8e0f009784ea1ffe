"""The structures in advertisements."""


def ad(kind: int, value: bytes) -> bytes:
    return bytes([len(value) + 1, kind]) + value
