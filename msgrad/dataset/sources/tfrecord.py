"""`TFRecordDataset`: TFRecord files, read without TensorFlow."""

import numpy as np

from ..._contracts import check
from ..._contracts.limits import item_limit
from ...engine.refusal import refuse, require
from .._pipeline.failures import broken
from ..schema import Schema
from ..shuffling import Shuffle
from ._formats import examples as _examples
from ._formats import records as _records
from .lines import RowsDataset, paths


class TFRecordDataset(RowsDataset):
    """Rows of TFRecord files.

    Args:
        dataset_files (str | list[str]): paths or patterns.
        schema (str | Schema): names, types and shapes of the columns. Default: ``None``: all features of the first
            record, in alphabetical order: int64, float32 or bytes.
        columns_list (list[str]): the columns to read. Default: ``None``, all.
        num_samples (int): the number of rows. Default: ``None``, all.
        num_parallel_workers (int): as for `TextFileDataset`. Default: ``None``.
        shuffle (bool | Shuffle): as for `TextFileDataset`. Default: ``Shuffle.GLOBAL``.
        num_shards, shard_id (int): the number of shards, and the one to read. Default: ``None``.
        shard_equal_rows (bool): whether shards have equally many rows; otherwise equally many files. Default:
            ``False``.
        cache (None): not supported.
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
        self.shard_equal_rows = check.boolean(shard_equal_rows, "shard_equal_rows", "TFRecordDataset")
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
        return sorted(next(examples(self.dataset_files[0], self.compression_type)))

    def _length_of(self, path):
        return _records.count(path, self.compression_type)

    def _rows_up_to(self, most):
        return sum(self._lengths)

    def _count(self):
        if self.num_shards is None or self.shard_equal_rows:
            return super()._count()
        rows = sum(self._lengths[self.shard_id :: self.num_shards])
        return rows if self.num_samples is None else min(rows, self.num_samples)

    def _rows_by_file(self, numbers):
        if self.num_shards is None or self.shard_equal_rows:
            return super()._rows_by_file(numbers)
        return (self._read(self.dataset_files[number]) for number in numbers[self.shard_id :: self.num_shards])

    def _rows_of(self, path):
        names = self._names()
        described = {column["name"]: column for column in self.schema.columns} if self.schema is not None else {}
        for number, values in enumerate(examples(path, self.compression_type), 1):
            for name in names:
                if values.get(name) is None:
                    features = sorted(name for name, value in values.items() if value is not None)
                    reason = f"record {number} of {path} has no feature '{name}', but {features}"
                    raise broken("TFRecordDataset", reason)
            try:
                row = []
                for name in names:
                    row.append(_shaped(values[name], described.get(name)))
            except ValueError as error:
                raise _records.damaged(path, number, f"feature '{name}': {error}") from error
            yield tuple(row)


def examples(path, compression=""):
    """Yields the features of the records of a file, dicts by name: lists of bytes, arrays of float32 or int64.

    Args:
        path (str): of the file.
        compression (str): ``''``, ``'GZIP'`` or ``'ZLIB'``. Default: ``''``.
    Raises:
        RuntimeError: if the file has another format or is damaged.
    """
    for number, data in enumerate(_records.records(path, compression), 1):
        try:
            yield _examples.features(data)
        except ValueError as error:
            raise _records.damaged(path, number, f"it is no tf.train.Example ({error})") from error


def _shaped(value, column):
    """A feature as an array of the type and shape of a schema's column.

    Raises:
        ValueError: if that is impossible.
    """
    kind, shape = (None, None) if column is None else (column["type"], column.get("shape"))
    if isinstance(value, list):
        value = _array_of_bytes(value, kind)
    elif kind == "string":
        raise ValueError(f"it has {value.dtype}, but the schema says string")
    elif kind is not None:
        value = value.astype(kind, copy=False)
    if shape is None:
        return value
    try:
        return value.reshape(shape)
    except ValueError as error:
        raise ValueError(f"it has the shape {value.shape}, but the schema says {tuple(shape)}") from error


def _array_of_bytes(strings, kind):
    """Converts a list of bytes: to strings, or to their bytes in sequence; without a schema they are padded with
    spaces to the longest, as in MindSpore."""
    width = max(map(len, strings), default=0)
    if kind == "uint8":
        return np.frombuffer(b"".join(strings), np.uint8)
    if kind not in (None, "string"):
        raise ValueError(f"it has bytes, but the schema says {kind}")
    if width * len(strings) > item_limit():
        raise ValueError(f"it has {len(strings)} strings of up to {width} bytes, more than MSGRAD_ITEM_LIMIT")
    if kind is None:
        return np.frombuffer(b"".join(each.ljust(width) for each in strings), np.uint8)
    return np.array([each.decode() for each in strings], str)
