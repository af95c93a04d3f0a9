"""`TFRecordDataset`: files of TensorFlow's records, read without TensorFlow.

A file is records: the length of the data (64 bits, little endian), its CRC, the data, their CRC. The data are a
protocol buffer message ``tf.train.Example``: a map from names to lists of bytes, float32 or int64.
"""

import gzip
import io
import itertools
import struct
import zlib

import numpy as np

from ...engine.refusal import refuse, require
from ...ops.contracts import Bool
from .._pipeline.failures import broken
from ..schema import Schema
from ..shuffling import Shuffle
from . import _files
from .lines import RowsDataset, paths

_LONGEST = 1 << 32  # bytes of a record
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class TFRecordDataset(RowsDataset):
    """Rows of TFRecord files.

    Args:
        dataset_files (str | list[str]): paths or patterns.
        schema (str | Schema): names, types and shapes of the columns. Default: ``None``: all features of the first
            record, in alphabetical order: int64, float32 or bytes.
        columns_list (list[str]): the columns that are read. Default: ``None``, all.
        num_samples (int): how many rows. Default: ``None``, all.
        num_parallel_workers (int): without effect here. Default: ``None``.
        shuffle (bool | Shuffle): as for `TextFileDataset`. Default: ``Shuffle.GLOBAL``.
        num_shards, shard_id (int): how many parts, and which is read. Default: ``None``.
        shard_equal_rows (bool): whether all parts have as many rows; otherwise they have as many files. Default:
            ``False``.
        cache (None): there is no cache server.
        compression_type (str): ``''``, ``'GZIP'`` or ``'ZLIB'``. Default: ``None``, none.
    Raises:
        TypeError, ValueError: for other arguments.  RuntimeError: while reading, if a file is damaged, or a record
            lacks a column.
    Source: mindspore.dataset.TFRecordDataset
    """

    def __init__(
        self,
        dataset_files,
        schema=None,
        columns_list=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        shard_equal_rows=False,
        cache=None,
        compression_type=None,
    ):
        files = paths(dataset_files, "TFRecordDataset")
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        require(schema, (str, Schema, type(None)), "TFRecordDataset", "schema")
        self.schema = Schema(schema) if isinstance(schema, str) else schema
        self.columns_list = require(columns_list, (list, type(None)), "TFRecordDataset", "columns_list") or None
        self.shard_equal_rows = Bool.take(shard_equal_rows, "shard_equal_rows", "TFRecordDataset")
        if compression_type not in (None, "", "GZIP", "ZLIB"):
            refuse(ValueError, "TFRecordDataset", "compression_type", "'', 'GZIP' or 'ZLIB'", compression_type)
        self.compression_type = compression_type or ""
        if num_samples is None and self.schema is not None and self.schema.num_rows:
            self.num_samples = self.schema.num_rows

    def _names(self):
        if self.columns_list is not None:
            return self.columns_list
        if self.schema is not None:
            return [column["name"] for column in self.schema.columns]
        for path in self.dataset_files:
            for data in self._records(path):
                return sorted(features(data, path))
        return []

    def _length_of(self, path):
        return sum(1 for _ in self._records(path))

    def _count(self):
        if self.num_shards is None or self.shard_equal_rows:
            return super()._count()
        rows = sum(map(self._length_of, self.dataset_files[self.shard_id :: self.num_shards]))
        return rows if self.num_samples is None else min(rows, self.num_samples)

    def _of_shard(self, files):
        if self.num_shards is None or self.shard_equal_rows:
            return super()._of_shard(files)
        return itertools.chain.from_iterable(map(self._rows_of, files[self.shard_id :: self.num_shards]))

    def _records(self, path):
        return records(path, self.compression_type)

    def _rows_of(self, path):
        names = self._names()
        described = {column["name"]: column for column in self.schema.columns} if self.schema is not None else {}
        for data in self._records(path):
            found = features(data, path)
            for name in names:
                if name not in found:
                    raise broken("TFRecordDataset", f"a record of {path} has no feature '{name}', but {sorted(found)}")
            yield tuple([_shaped(found[name], described.get(name)) for name in names])


def records(path, compression=""):
    """Yields the data (bytes) of the records of a file.

    Args:
        path (str): of the file.
        compression (str): ``''``, ``'GZIP'`` or ``'ZLIB'``. Default: ``''``.
    Raises:
        RuntimeError: if it is no such file.
    """
    if compression == "ZLIB":
        with open(path, "rb") as whole:
            file = io.BytesIO(zlib.decompress(whole.read()))
    else:
        file = gzip.open(path, "rb") if compression else open(path, "rb")  # noqa: SIM115
    with file:
        while head := file.read(12):
            length = struct.unpack("<Q", head[:8])[0] if len(head) == 12 else _LONGEST
            data = file.read(length + 4) if length < _LONGEST else b""
            if len(data) != length + 4:
                raise _files.damaged("TFRecordDataset", path, "a record is not whole, or it is no TFRecord file")
            yield data[:-4]


def features(data, path):
    """The features of a ``tf.train.Example`` by name: lists of bytes, or arrays of float32 or int64.

    Args:
        data (bytes): the message.
        path (str): the file, for errors.
    Raises:
        RuntimeError: if it is no such message.
    """
    found = {}
    try:
        for _, whole in _fields(data):
            for _, entry in _fields(whole):
                parts = dict(_fields(entry))
                found[bytes(parts[1]).decode()] = _values(parts.get(2, b""))
    except (IndexError, KeyError, ValueError, struct.error) as error:
        raise _files.damaged("TFRecordDataset", path, "a record is no tf.train.Example") from error
    return found


def _values(feature):
    for kind, content in _fields(feature):
        if kind == 1:
            return [bytes(each) for _, each in _fields(content)]
        numbers = [each for _, each in _fields(content)]
        if kind == 2:
            parts = [each if not isinstance(each, int) else struct.pack("<I", each) for each in numbers]
            return np.frombuffer(b"".join(parts), "<f4")
        flat = [value for each in numbers for value in ([each] if isinstance(each, int) else _varints(each))]
        return np.array(flat, np.uint64).astype(np.int64)
    return np.zeros(0, np.int64)


def _fields(data):
    """Yields the number and the content of each field of a message."""
    data, at = memoryview(data), 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
        elif kind == _BYTES:
            length, at = _varint(data, at)
            value, at = data[at : at + length], at + length
        elif kind in (_FIXED32, _FIXED64):
            length = 4 if kind == _FIXED32 else 8
            value, at = int.from_bytes(data[at : at + length], "little"), at + length
        else:
            raise ValueError(kind)
        if at > len(data):
            raise IndexError(at)
        yield tag >> 3, value


def _varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number & 0xFFFFFFFFFFFFFFFF, at


def _varints(data):
    at = 0
    while at < len(data):
        number, at = _varint(data, at)
        yield number


def _shaped(value, column):
    """A feature as an array, of the type and shape that a schema's column says."""
    kind, shape = (None, None) if column is None else (column["type"], column.get("shape"))
    if isinstance(value, list):
        value = np.array(value) if kind == "string" else np.frombuffer(b"".join(value), np.uint8)
    if kind not in (None, "string"):
        value = value.astype(kind, copy=False)
    return value if shape is None else value.reshape(shape)
