"""``tf.train.Example``, a protocol buffer message: a map from names to lists of bytes, float32 or int64.

A message is a sequence of fields: a tag (a number and a wire type) and the content. Unknown fields are skipped; a known
field with a wrong wire type is an error.
"""

import numpy as np

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_LENGTHS = {_FIXED64: 8, _FIXED32: 4}
_LONGEST = 10  # bytes of a varint
_BYTES_LIST, _FLOAT_LIST, _INT64_LIST = 1, 2, 3


def features(data):
    """The features of a message (bytes) by name: lists of bytes, arrays of float32 or int64; None without a list.

    Raises:
        ValueError: if it is not such a message, with the reason.
    """
    values, data = {}, memoryview(data)
    for whole in _contents(data, 1):
        for entry in _contents(whole, 1):
            name = bytes(next(reversed(list(_contents(entry, 1))), b"")).decode()
            values[name] = _values(b"".join(_contents(entry, 2)))
    return values


def _values(feature):
    """The list of a feature; if there are several (protocol buffers allow it), those of the last kind are joined."""
    last, parts = None, []
    for number, wire_type, content in _fields(memoryview(feature)):
        if number in (_BYTES_LIST, _FLOAT_LIST, _INT64_LIST):
            _check(number, wire_type, _BYTES)
            if number != last:
                last, parts = number, []
            parts.append(content)
    if last is None:
        return None
    content = memoryview(b"".join(parts))
    if last == _BYTES_LIST:
        return [bytes(each) for each in _contents(content, 1)]
    if last == _FLOAT_LIST:
        packed = b"".join(_contents(content, 1, _BYTES, _FIXED32))
        if len(packed) % 4:
            raise ValueError(f"{len(packed)} bytes are not a list of float32")
        return np.frombuffer(packed, "<f4")
    return _unsigned(b"".join(_contents(content, 1, _BYTES, _VARINT))).astype(np.int64)


def _contents(message, wanted, *wire_types):
    """Yields the contents of the fields of the number ``wanted``: bytes as they are in the message."""
    for number, wire_type, content in _fields(message):
        if number == wanted:
            _check(number, wire_type, *wire_types or (_BYTES,))
            yield content


def _check(number, wire_type, *wire_types):
    if wire_type not in wire_types:
        raise ValueError(f"the field {number} has the wire type {wire_type}, not {' or '.join(map(str, wire_types))}")


def _fields(message):
    """Yields the number, the wire type and the content (a view of the bytes) of each field of a message."""
    at, end = 0, len(message)
    while at < end:
        tag, at = _varint(message, at)
        number, wire_type = tag >> 3, tag & 7
        if not 0 < number < 1 << 29:
            raise ValueError(f"a field has the number {number}")
        if wire_type == _VARINT:
            start, (_, at) = at, _varint(message, at)
        elif wire_type == _BYTES:
            length, start = _varint(message, at)
            at = start + length
        elif wire_type in _LENGTHS:
            start, at = at, at + _LENGTHS[wire_type]
        else:
            raise ValueError(f"the field {number} has the wire type {wire_type}")
        if at > end:
            raise ValueError(f"the field {number} ends {at - end} bytes after its message")
        yield number, wire_type, message[start:at]


def _varint(message, at):
    """The varint at a position, and the position after it."""
    number = 0
    for index, byte in enumerate(message[at : at + _LONGEST]):
        number |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return number & 0xFFFFFFFFFFFFFFFF, at + index + 1
    raise ValueError("a varint has no end")


def _unsigned(data):
    """The numbers (uint64) of varints that follow each other."""
    data = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(data < 0x80) + 1
    if len(ends) == len(data):
        return data.astype(np.uint64)
    lengths = np.diff(ends, prepend=0)
    if not len(ends) or ends[-1] < len(data) or lengths.max() > _LONGEST:
        raise ValueError("a varint has no end")
    starts = ends - lengths
    digits = (np.arange(len(data)) - np.repeat(starts, lengths)).astype(np.uint64)
    return np.add.reduceat((data & 0x7F).astype(np.uint64) << 7 * digits, starts)
