"""The records of TFRecord files.

A record is the length of the data (64 bits, little endian), the CRC of the length, the data, and their CRC. The CRCs
are checked; a data CRC of 0 means that none was written, which MindSpore accepts, too.
"""

import gzip
import io
import os
import struct
import zlib

from ...._contracts.limits import item_limit
from .. import _files
from .crc32c import masked

_PIECE = 1 << 24  # bytes read at once, so that a wrong length does not allocate memory
_HEAD = struct.Struct("<QI")


def records(path, compression=""):
    """Yields the data (bytes) of the records of a file.

    Args:
        path (str): of the file.
        compression (str): ``''``, ``'GZIP'`` or ``'ZLIB'``. Default: ``''``.
    Raises:
        RuntimeError: if the file has another format or is damaged.
    """
    for number, data in _payloads(path, compression, _read):
        data, crc = data[:-4], int.from_bytes(data[-4:], "little")
        if crc and crc != masked(data):
            raise damaged(path, number, "its data have another CRC than is written after them")
        yield data


def count(path, compression=""):
    """The number of records of a file; their data are skipped.

    Raises:
        RuntimeError: if it is not a TFRecord file, or truncated.
    """
    return sum(1 for _ in _payloads(path, compression, _inflate_over if compression else _seek_over))


def damaged(path, number, reason):
    """The error of a record, counted from 1 (RuntimeError)."""
    return _files.damaged("TFRecordDataset", path, f"record {number} is damaged: {reason}")


def _payloads(path, compression, read_payload):
    """Yields the number of each record and ``read_payload(file, length)`` of its data and CRC.

    That is None if the file ends early.
    """
    number = 0
    try:
        with _opened(path, compression) as file:
            while head := file.read(_HEAD.size):
                number += 1
                if len(head) < _HEAD.size:
                    raise damaged(path, number, f"its head is {len(head)} of {_HEAD.size} bytes")
                length, crc = _HEAD.unpack(head)
                if crc != masked(head[:8]):
                    raise damaged(path, number, "its length has another CRC than is written after it")
                if length > item_limit():
                    raise damaged(path, number, f"it has {length} bytes, more than MSGRAD_ITEM_LIMIT, {item_limit()}")
                record = read_payload(file, length + 4)
                if record is None:
                    raise damaged(path, number, f"the file ends within its {length} bytes")
                yield number, record
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or f"it is not a whole {compression} stream"
        raise _files.damaged("TFRecordDataset", path, f"after {number} records, {reason}") from error
    if not number:
        raise _files.damaged("TFRecordDataset", path, "it has no records")


def _opened(path, compression):
    if compression == "GZIP":
        return gzip.open(path, "rb")
    return io.BufferedReader(_Inflated(path)) if compression else open(path, "rb")


class _Inflated(io.RawIOBase):
    """A zlib stream of a file, inflated bit by bit."""

    def __init__(self, path):
        self._file, self._stream = open(path, "rb"), zlib.decompressobj()

    def readable(self):
        return True

    def readinto(self, buffer):
        data = b""
        while not data and not self._stream.eof:
            packed = self._stream.unconsumed_tail or self._file.read(io.DEFAULT_BUFFER_SIZE)
            if not packed:
                raise EOFError
            data = self._stream.decompress(packed, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self):
        self._file.close()
        super().close()


def _read(file, length):
    data = b"".join(_pieces(file, length))
    return data if len(data) == length else None


def _inflate_over(file, length):
    return True if sum(map(len, _pieces(file, length))) == length else None


def _seek_over(file, length):
    return True if file.seek(length, os.SEEK_CUR) <= os.fstat(file.fileno()).st_size else None


def _pieces(file, length):
    """Yields the next ``length`` bytes of a file, or those that it has, in pieces."""
    while length and (piece := file.read(min(length, _PIECE))):
        length -= len(piece)
        yield piece
