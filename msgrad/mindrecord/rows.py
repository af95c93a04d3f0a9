"""Encodes and decodes the rows of MindRecord files.

A row has two parts, each preceded by its length (64 bits, little endian). The raw part is a MessagePack map of the
numbers and strings. The blob part has the arrays and bytes, in the order of their names; if there are several, each is
preceded by its length (64 bits, big endian). Arrays of ints are compressed: the count (32 bits, big endian), two bits
for each int that give its size (1, 2, 4 or 8 bytes), and these bytes, little endian.
"""

import struct

import numpy as np

from .._contracts.limits import item_limit

_WIDTHS = (1, 2, 4, 8)
_LIMITS = [1 << (8 * width - 1) for width in _WIDTHS]


class DamagedError(ValueError):
    """The bytes do not encode a row."""


def with_length(part):
    """A part of a row, preceded by its length."""
    return struct.pack("<Q", len(part)) + part


def raw(values):
    """The raw part of ``values`` (dict of int, float and str), without its length."""
    if not values:
        values = {"id": 0}
    return _map_head(len(values)) + b"".join(_text(name) + _scalar(values[name]) for name in sorted(values))


def _map_head(count):
    return bytes([0x80 | count]) if count < 16 else b"\xde" + struct.pack(">H", count)


def _text(value):
    data = value.encode()
    if len(data) < 32:
        return bytes([0xA0 | len(data)]) + data
    for mark, form, limit in ((0xD9, ">B", 1 << 8), (0xDA, ">H", 1 << 16), (0xDB, ">I", 1 << 32)):
        if len(data) < limit:
            return bytes([mark]) + struct.pack(form, len(data)) + data
    raise ValueError("a string of 4 GiB or more")


def _scalar(value):
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        narrow = float(np.float32(value)) == value
        return b"\xca" + struct.pack(">f", value) if narrow else b"\xcb" + struct.pack(">d", value)
    if -32 <= value < 128:
        return struct.pack("b", value)
    signed = ((0xD0, ">b", 1 << 7), (0xD1, ">h", 1 << 15), (0xD2, ">i", 1 << 31), (0xD3, ">q", 1 << 63))
    unsigned = ((0xCC, ">B", 1 << 8), (0xCD, ">H", 1 << 16), (0xCE, ">I", 1 << 32), (0xCF, ">Q", 1 << 64))
    for mark, form, limit in signed if value < 0 else unsigned:
        if -limit <= value < limit:
            return bytes([mark]) + struct.pack(form, value)
    raise ValueError(f"an int of more than 64 bits: {value}")


def read_raw(part):
    """Decodes the fields that `raw` encoded."""
    try:
        head, at = part[0], 1
        if head == 0xDE:
            head, at = struct.unpack(">H", part[1:3])[0], 3
        elif head & 0xF0 == 0x80:
            head &= 0x0F
        else:
            raise DamagedError
        values = {}
        for _ in range(head):
            name, at = _read(part, at)
            values[name], at = _read(part, at)
    except (IndexError, struct.error, UnicodeDecodeError, TypeError) as error:
        raise DamagedError from error
    return values


_FORMS = {
    0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
_TEXTS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}


def _read(part, at):
    mark = part[at]
    if mark < 0x80 or mark >= 0xE0:
        return (mark if mark < 0x80 else mark - 256), at + 1
    if mark in _FORMS:
        end = at + 1 + struct.calcsize(_FORMS[mark])
        return struct.unpack(_FORMS[mark], part[at + 1 : end])[0], end
    if mark in _TEXTS:
        begin = at + 1 + struct.calcsize(_TEXTS[mark])
        length = struct.unpack(_TEXTS[mark], part[at + 1 : begin])[0]
    elif mark & 0xE0 == 0xA0:
        begin, length = at + 1, mark & 0x1F
    else:
        raise DamagedError
    if begin + length > len(part):
        raise DamagedError
    return bytes(part[begin : begin + length]).decode(), begin + length


def blob(fields, schema):
    """The blob part, without its length, and the number of bytes saved by compression.

    Args:
        fields (list): the values, bytes or arrays, in the order of their names.
        schema (list): the schema of each.
    """
    if not fields:
        return bytes(4), 0
    parts, saved = [], 0
    for value, described in zip(fields, schema, strict=True):
        if isinstance(value, bytes):
            parts.append(value)
        elif described["type"] in ("int32", "int64"):
            parts.append(squeezed(value))
            saved += value.nbytes - len(parts[-1])
        else:
            parts.append(np.ascontiguousarray(value).tobytes())
    if len(parts) == 1:
        return parts[0], saved
    return b"".join(struct.pack(">Q", len(part)) + part for part in parts), saved


def read_blob(part, schema):
    """Decodes the bytes and arrays that `blob` encoded.

    Args:
        part (bytes): the blob part without its length.
        schema (list): the schema of each field.
    """
    if len(schema) == 1:
        return [_field(part, schema[0])]
    fields, at = [], 0
    for described in schema:
        if at + 8 > len(part):
            raise DamagedError
        length = struct.unpack(">Q", part[at : at + 8])[0]
        at += 8
        if at + length > len(part):
            raise DamagedError
        fields.append(_field(part[at : at + length], described))
        at += length
    return fields


def _field(data, described):
    if described["type"] == "bytes":
        return bytes(data)
    try:
        if described["type"] in ("int32", "int64"):
            array = unsqueezed(data, described["type"])
        else:
            array = np.frombuffer(data, described["type"])
        return array.reshape(described["shape"])
    except ValueError as error:
        raise DamagedError from error


_KINDS = {"bytes": bytes, "string": str, "int32": int, "int64": int, "float32": (int, float), "float64": (int, float)}


def fits(value, described):
    """Whether a decoded value has the type and the shape given by the schema."""
    if "shape" in described or described["type"] == "bytes":
        return isinstance(value, (bytes, np.ndarray))
    if described["type"].startswith("int"):
        limit = 1 << (int(described["type"][3:]) - 1)
        return type(value) is int and -limit <= value < limit
    return isinstance(value, _KINDS[described["type"]])


def squeezed(array):
    """Compresses an array of ints to bytes."""
    numbers = array.reshape(-1).astype(np.int64)
    codes = np.zeros(len(numbers), np.uint8)
    for limit in _LIMITS[:-1]:
        codes += (numbers < -limit) | (numbers >= limit)
    flags = np.zeros(-(-len(codes) // 4) * 4, np.uint8)
    flags[: len(codes)] = codes
    flags = flags.reshape(-1, 4) @ np.array([64, 16, 4, 1], np.uint8)
    lengths = np.left_shift(1, codes)
    wide = numbers.astype("<i8").view(np.uint8).reshape(-1, 8)
    used_bytes = wide[np.arange(8) < lengths[:, None]]
    return struct.pack(">I", len(numbers)) + flags.astype(np.uint8).tobytes() + used_bytes.tobytes()


def unsqueezed(data, kind):
    """The 1-d array that `squeezed` has compressed, of the dtype ``kind``."""
    if len(data) < 4:
        raise DamagedError
    count = struct.unpack(">I", data[:4])[0]
    begin = 4 + -(-count // 4)
    if begin > len(data) or 8 * count > item_limit():
        raise DamagedError
    flags = np.frombuffer(data[4:begin], np.uint8)
    codes = ((flags[:, None] >> np.array([6, 4, 2, 0], np.uint8)) & 3).reshape(-1)[:count]
    lengths = np.left_shift(1, codes.astype(np.int64))
    if begin + int(lengths.sum()) != len(data):
        raise DamagedError
    wide = np.zeros((count, 8), np.uint8)
    wide[np.arange(8) < lengths[:, None]] = np.frombuffer(data[begin:], np.uint8)
    numbers = wide.view("<i8").reshape(-1)
    shift = 64 - 8 * lengths
    return (numbers << shift >> shift).astype(kind)  # sign extension
