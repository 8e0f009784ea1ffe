"""CBOR (RFC 8949), as an SMP server writes it: maps and arrays without a length, closed by a break."""

_UNSIGNED, _NEGATIVE, _BYTES, _TEXT, _ARRAY = range(5)


class Malformed(Exception):
    pass


def encoded(value) -> bytes:
    if value is True or value is False:
        return bytes([0xF4 + value])
    if isinstance(value, int):
        return _head(_UNSIGNED, value) if value >= 0 else _head(_NEGATIVE, -1 - value)
    if isinstance(value, bytes):
        return _head(_BYTES, len(value)) + value
    if isinstance(value, str):
        return _head(_TEXT, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return b"\x9F" + b"".join(map(encoded, value)) + b"\xFF"
    return b"\xBF" + b"".join(encoded(key) + encoded(one) for key, one in value.items()) + b"\xFF"


def _head(kind: int, number: int) -> bytes:
    if number < 24:
        return bytes([kind << 5 | number])
    size = next(power for power in range(4) if number < 1 << (8 << power))
    return bytes([kind << 5 | 24 + size]) + number.to_bytes(1 << size, "big")


def decoded(content: bytes):
    """One value; nothing may follow it."""
    value, at = _value(content, 0)
    if at != len(content):
        raise Malformed("bytes after the value")
    return value


def _value(content: bytes, at: int):
    kind, number, at = _read_head(content, at)
    match kind:
        case 0:
            return number, at
        case 1:
            return -1 - number, at
        case 2 | 3:
            if number is None or at + number > len(content):
                raise Malformed("string without an end")
            text = content[at:at + number]
            return (text.decode() if kind == _TEXT else text), at + number
        case 4 | 5:
            items = []
            while number is None or len(items) < number * (kind - 3):
                if number is None and content[at:at + 1] == b"\xFF":
                    at += 1
                    break
                item, at = _value(content, at)
                items.append(item)
            return (items if kind == _ARRAY else dict(zip(items[::2], items[1::2]))), at
        case 7 if number in (20, 21):
            return number == 21, at
    raise Malformed(f"value of kind {kind}")


def _read_head(content: bytes, at: int):
    """Its kind and its number, which is None if it has no length."""
    if at >= len(content):
        raise Malformed("ends early")
    kind, low = content[at] >> 5, content[at] & 31
    at += 1
    if low < 24:
        return kind, low, at
    if low == 31:
        return kind, None, at
    size = 1 << low - 24
    if size > 8 or at + size > len(content):
        raise Malformed("number without an end")
    return kind, int.from_bytes(content[at:at + size], "big"), at + size
