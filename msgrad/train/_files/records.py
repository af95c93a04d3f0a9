"""MindSpore's ``.ckpt`` files: a sequence of protocol buffer messages, each with one value or part of one.

A file is fields ``1: Value``; a Value is ``1: tag`` (the name) and ``2: Tensor``; a Tensor is ``1: dims`` (one varint
each, or packed), ``2: tensor_type`` and ``3: tensor_content``. A value of more than 512 MiB is split into consecutive
messages with the same tag and dims. The file may end with ``crc_num`` and ten bytes, the CRC-32 of all data before.

Data read is not trusted: each length is checked against the rest of the file before anything is read.
"""

import binascii
import dataclasses
import os
from typing import Any

import numpy as np

from . import contents
from .messages import (
    MOST_VARINT_BYTES,
    DamagedError,
    bytes_field,
    read_fields,
    read_text,
    read_varint,
    read_varints,
    varint,
)

SLICE = 512 << 20  # bytes of content in one message
_SEAL = b"crc_num"
_SEAL_BYTES = len(_SEAL) + 10
_MOST_AXES = 64


@dataclasses.dataclass
class Record:
    """A named value: its shape, MindSpore's name of its dtype (``"Float32"``, ``"str"``), and its bytes."""

    name: str
    dims: tuple
    kind: str
    content: Any  # bytes, or a view of them; of a file that is read an array of them


def write(file, records, sealed=False):
    """Writes ``records`` (iterable of Record) to a binary file, with their CRC at the end if ``sealed``."""
    crc = 0
    for record in records:
        content = memoryview(record.content)
        for start in range(0, max(len(content), 1), SLICE):
            head, body = _message(record, content[start : start + SLICE])
            file.write(head)
            file.write(body)
            if sealed:
                crc = binascii.crc32(body, binascii.crc32(head, crc))
    if sealed:
        file.write(_SEAL + crc.to_bytes(10, "big"))


def _message(record, content):
    """A message in two parts: its header, and its content."""
    tensor = b"".join(b"\x08" + varint(length) for length in record.dims)
    tensor += bytes_field(2, record.kind.encode()) + b"\x1a" + varint(len(content))
    value = bytes_field(1, record.name.encode()) + b"\x12" + varint(len(tensor) + len(content)) + tensor
    return b"\x0a" + varint(len(value) + len(content)) + value, content


def read(file, size, check=False, wanted=None) -> Any:
    """Yields the Records of a binary file.

    Args:
        file (binary file): at its beginning; it can seek.
        size (int): of the file, in bytes.
        check (bool): whether to verify the CRC, if the file has one. Default: ``False``.
        wanted (callable): ``wanted(name)`` returns whether to yield the record of that name. Default: all.
    Raises:
        DamagedError: if the file has another format, is truncated, or its CRC is wrong.
    """
    end, crc = _seal_of(file, size)
    whole: Any
    checksum, whole = 0, None
    while file.tell() < end:
        head, message = _take(file, end)
        if check:
            checksum = binascii.crc32(message, binascii.crc32(head, checksum))
        part = _value(message)
        if whole is not None and whole.name == part.name:
            whole.content.append(part.content)
            continue
        if whole is not None and (wanted is None or wanted(whole.name)):
            yield _joined(whole)
        whole, part.content = part, [part.content]
    if check and crc is not None and crc != checksum:
        raise DamagedError("its CRC does not match its content")
    if whole is not None and (wanted is None or wanted(whole.name)):
        yield _joined(whole)


def _joined(record):
    parts = [np.frombuffer(part, np.uint8) for part in record.content]
    record.content = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return record


def _seal_of(file, size):
    """The position where the messages end, and the CRC after them or None."""
    if size >= _SEAL_BYTES:
        file.seek(size - _SEAL_BYTES)
        seal = file.read(_SEAL_BYTES)
        file.seek(0)
        if seal.startswith(_SEAL):
            return size - _SEAL_BYTES, int.from_bytes(seal[len(_SEAL) :], "big")
    return size, None


def _take(file, end):
    """The next message of the file: its length prefix and its bytes, a view of an array."""
    head = file.read(min(1 + MOST_VARINT_BYTES, end - file.tell()))
    if head[:1] != b"\x0a":
        raise DamagedError("it does not begin like a checkpoint")
    length, position = read_varint(head, 1)
    file.seek(position - len(head), os.SEEK_CUR)
    if length > end - file.tell():
        raise DamagedError(f"a record of {length} bytes begins {end - file.tell()} bytes before the end")
    return head[:position], contents.read(file, file.tell(), length, by_end=True).data


def _value(message):
    fields = dict(read_fields(message))
    tag, tensor = fields.get(1), fields.get(2)
    if not isinstance(tag, memoryview) or not isinstance(tensor, memoryview):
        raise DamagedError("a record has no name or no tensor")
    dims, kind, content = [], None, None
    for number, value in read_fields(tensor):
        if number == 1:
            dims += [value] if isinstance(value, int) else read_varints(value)
        elif number == 2:
            kind = value
        elif number == 3:
            content = value
    if not isinstance(kind, memoryview) or not isinstance(content, memoryview) or len(dims) > _MOST_AXES:
        raise DamagedError("a tensor has no dtype or no content, or too many axes")
    return Record(read_text(tag), tuple(dims), read_text(kind), content)
