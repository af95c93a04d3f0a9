"""The protocol buffer wire format: fields with a number and a value, an int or bytes.

Data read is not trusted: each length is checked against the remaining bytes.
"""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
MOST_VARINT_BYTES = 10


class DamagedError(ValueError):
    """The file is damaged."""


def bytes_field(number, data):
    """A field of bytes."""
    return bytes([number << 3 | _BYTES]) + varint(len(data)) + data


def int_field(number, value):
    """A field of an int; a negative one is written in two's complement of 64 bits."""
    return bytes([number << 3 | _VARINT]) + varint(value % (1 << 64))


def varint(number):
    """A non-negative int as a varint, 7 bits to a byte."""
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def read_text(data):
    """Bytes as a str."""
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        raise DamagedError("a name is not text") from None


def read_fields(message):
    """``(number, value)`` of each field: an int, or a view of its bytes."""
    position = 0
    while position < len(message):
        key, position = read_varint(message, position)
        kind = key & 7
        if kind == _VARINT:
            value, position = read_varint(message, position)
        elif kind in (_BYTES, _FIXED32, _FIXED64):
            if kind == _BYTES:
                length, position = read_varint(message, position)
            else:
                length = 4 if kind == _FIXED32 else 8
            if length > len(message) - position:
                raise DamagedError("a field is longer than its record")
            value, position = message[position : position + length], position + length
        else:
            raise DamagedError("a field has an unknown wire type")
        yield key >> 3, value


def read_ints(values):
    """The ints (negative ones too) of a repeated field, whose values are single or packed."""
    ints = []
    for value in values:
        ints += [value] if isinstance(value, int) else read_varints(value)
    return [each - (1 << 64) if each >= 1 << 63 else each for each in ints]


def read_varints(data):
    """The varints that fill ``data``."""
    numbers, position = [], 0
    while position < len(data):
        number, position = read_varint(data, position)
        numbers.append(number)
    return numbers


def read_varint(data, position):
    """The varint at ``position``, and the position after it."""
    number = 0
    for count, byte in enumerate(data[position : position + MOST_VARINT_BYTES]):
        number |= (byte & 0x7F) << 7 * count
        if byte < 0x80:
            return number, position + count + 1
    raise DamagedError("a varint does not end")
