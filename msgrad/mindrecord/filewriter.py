"""`FileWriter`: writes MindRecord files."""

import os
import re
from typing import Any

import numpy as np

from .. import log
from ..engine.refusal import refuse
from . import config
from .exceptions import (
    MRMDefineIndexError,
    MRMInvalidSchemaError,
    ParamTypeError,
    ParamValueError,
)
from .header import check_appended
from .shards import HEADER_SIZE, PAGE_SIZE, ShardWriter, shards_of

__all__ = ["FileWriter"]

SUCCESS = "SUCCESS"
FAILED = "FAILED"
_MOST_SHARDS = 1000
_MSG_ONE = (
    "Encrypted rows are written to one file at a time: use shard_num=1 (num_files=1 of Dataset.save), or a FileWriter "
    "for each file, and give readers the list of them."
)
_MSG_SCHEMA = "There is no schema: call add_schema before rows are written."
_SCALARS = ("int32", "int64", "float32", "float64", "string", "bytes")
_ARRAYS = ("int32", "int64", "float32", "float64")
_KINDS = {
    "int32": (int, np.int32), "int64": (int, np.int64), "float32": (float, np.float32), "float64": (float, np.float64),
    "string": (str,), "bytes": (bytes,),
}  # fmt: skip


class FileWriter:
    """Writes rows to one or several files, which MindSpore can read, too.

    Args:
        file_name (str): the path; with several files, each path ends in the number of the file.
        shard_num (int): the number of files, up to 1000. Default: ``1``.
        overwrite (bool): whether existing files are replaced. Default: ``False``.
    Raises:
        ParamValueError: for other arguments.  RuntimeError: for several files that are encrypted (`set_enc_key`).
    Example:
        >>> import tempfile
        >>> from msgrad.mindrecord import FileReader, FileWriter
        >>> path = tempfile.mkdtemp() + "/numbers.mindrecord"
        >>> writer = FileWriter(path)
        >>> writer.add_schema({"label": {"type": "int32"}, "data": {"type": "float32", "shape": [-1]}})
        >>> writer.write_raw_data([{"label": 3, "data": np.ones(2, np.float32)}])
        >>> writer.commit()
        >>> [row["label"] for row in FileReader(path).get_next()]
        [3]
    Source: mindspore.mindrecord.FileWriter
    """

    _writers: Any

    def __init__(self, file_name, shard_num=1, overwrite=False):
        if not isinstance(file_name, str) or not file_name:
            raise ParamValueError(f"For 'FileWriter', the 'file_name' must be a path, but got {file_name!r}.")
        if isinstance(shard_num, bool) or not isinstance(shard_num, int) or not 1 <= shard_num <= _MOST_SHARDS:
            raise ParamValueError(f"For 'FileWriter', the 'shard_num' must be from 1 to 1000, but got {shard_num!r}.")
        if not isinstance(overwrite, bool):
            raise ParamValueError(f"For 'FileWriter', the 'overwrite' must be a bool, but got {overwrite!r}.")
        if shard_num > 1 and config.key() is not None:
            raise RuntimeError(_MSG_ONE)
        digits = len(str(shard_num - 1))
        numbers = [""] if shard_num == 1 else [f"{number:0{digits}}" for number in range(shard_num)]
        self._paths = [f"{file_name}{number}" for number in numbers]
        self._overwrite, self._before = overwrite, None
        self._schema, self._description, self._index = None, "", None
        self._header_size, self._page_size = HEADER_SIZE, PAGE_SIZE
        self._writers, self._is_over = None, False

    @classmethod
    def open_for_append(cls, file_name):
        """A writer that appends rows to the dataset of the file ``file_name`` (str).

        Raises:
            ParamValueError: if it is not a path.  RuntimeError: if it cannot be read.
        Source: mindspore.mindrecord.FileWriter.open_for_append
        """
        if not isinstance(file_name, str):
            raise ParamValueError(f"For 'open_for_append', the 'file_name' must be a path, but got {file_name!r}.")
        before = shards_of(file_name)
        try:
            for each in before:
                check_appended(each.header)
        except ValueError as error:
            raise RuntimeError(str(error)) from error
        writer = cls(file_name)
        header = before[0].header
        writer._paths, writer._before = [reader.path for reader in before], before
        writer._schema, writer._description = before[0].schema, header["schema"][0]["desc"]
        writer._index = [each["index_field"] for each in header.get("index_fields") or []]
        writer._header_size, writer._page_size = header["header_size"], header["page_size"]
        return writer

    def add_schema(self, content, desc=None):
        """Sets the schema of the rows.

        Args:
            content (dict): for each field, a dict of ``type``: int32, int64, float32, float64, string or bytes; and,
                for
            an array of one of the first four, ``shape``: a list of int, with -1 for a variable length.
            desc (str): a description. Default: ``None``.
        Raises:
            MRMInvalidSchemaError: if it is invalid.
        Source: mindspore.mindrecord.FileWriter.add_schema
        """
        if not isinstance(content, dict) or not content:
            raise MRMInvalidSchemaError(f"The schema must be a dict that is not empty, but got {content!r}.")
        for name, each in content.items():
            _check_field(name, each)
        self._schema, self._description = content, desc or ""

    def add_index(self, index_fields):
        """Sets the fields of the index, numbers or strings. Default: all such fields.

        Raises:
            ParamTypeError: if they are not a list of str.  MRMDefineIndexError: for an unknown field or another type.
        Source: mindspore.mindrecord.FileWriter.add_index
        """
        if not isinstance(index_fields, list) or not index_fields:
            raise ParamTypeError("index_fields", "list")
        for name in index_fields:
            if not isinstance(name, str):
                raise ParamTypeError("index field", "str")
            if name not in _plain(self._schema or {}):
                raise MRMDefineIndexError(
                    f"The field '{name}' cannot be an index: it is not a number or string of the schema."
                )
        self._index = list(index_fields)

    def set_header_size(self, header_size):
        """Sets the size of the header, an int: a multiple of 4 from 16 KiB to 128 MiB.

        Raises:
            TypeError: if it is no int, or negative.  RuntimeError: if it is another int.
        Source: mindspore.mindrecord.FileWriter.set_header_size
        """
        self._header_size = _size(header_size, 16, 128, "header_size")

    def set_page_size(self, page_size):
        """Sets the size of pages, an int: a multiple of 4 from 32 KiB to 256 MiB.

        Raises:
            TypeError: if it is no int, or negative.  RuntimeError: if it is another int.
        Source: mindspore.mindrecord.FileWriter.set_page_size
        """
        self._page_size = _size(page_size, 32, 256, "page_size")

    def write_raw_data(self, raw_data, parallel_writer=False):
        """Writes rows; those that do not fit the schema are skipped, with a warning.

        Args:
            raw_data (list[dict]): the rows, dicts by field.
            parallel_writer (bool): without effect here. Default: ``False``.
        Raises:
            ParamTypeError: if they are not a list of dicts.  RuntimeError: if none fits the schema, and after `commit`.
        Source: mindspore.mindrecord.FileWriter.write_raw_data
        """
        if not isinstance(raw_data, list):
            raise ParamTypeError("raw_data", "list")
        if not isinstance(parallel_writer, bool):
            raise TypeError(f"For 'write_raw_data', the 'parallel_writer' must be a bool, but got {parallel_writer!r}.")
        if self._is_over:
            raise RuntimeError("For 'write_raw_data', the files are written already: use FileWriter.open_for_append.")
        for row in raw_data:
            if not isinstance(row, dict):
                raise ParamTypeError("raw_data item", "dict")
        if self._schema is None:
            raise RuntimeError(_MSG_SCHEMA)
        fitting = []
        for number, row in enumerate(raw_data):
            reason = _misfit(row, self._schema)
            if reason is None:
                fitting.append({name: _normal(row[name]) for name in self._schema})
            else:
                log.warning("MindRecord: row %d is skipped: %s", number, reason)
        if not fitting:
            raise RuntimeError(
                "There is no valid data to write: the list is empty, or no row fits the schema, as the warnings say."
            )
        self._open()
        count = len(self._writers)
        bounds = [-(-len(fitting) * index // count) for index in range(count + 1)]
        for writer, start, end in zip(self._writers, bounds, bounds[1:], strict=False):
            for row in fitting[start:end]:
                writer.write(row)

    def _open(self):
        """Opens the files, the first time."""
        if self._writers is not None:
            return
        if self._schema is None:
            raise RuntimeError(_MSG_SCHEMA)
        index = _plain(self._schema) if self._index is None else self._index
        if self._before is None:
            for path in self._paths:
                if os.path.exists(path) and not self._overwrite:
                    raise RuntimeError(f"The file {path} exists already: FileWriter(..., overwrite=True) replaces it.")
        before = self._before or [None] * len(self._paths)
        self._writers = [
            ShardWriter(path, self._schema, index, self._header_size, self._page_size, each)
            for path, each in zip(self._paths, before, strict=True)
        ]

    def commit(self):
        """Finishes the files and writes their indexes.  Source: mindspore.mindrecord.FileWriter.commit"""
        if self._is_over:
            return
        self._open()
        addresses = [os.path.basename(path) for path in self._paths]
        for number, writer in enumerate(self._writers):
            writer.commit(number, addresses, self._description)
        self._is_over = True


def _plain(schema):
    """The fields that may be in the index."""
    return sorted(name for name, each in schema.items() if each["type"] != "bytes" and "shape" not in each)


def _check_field(name, described):
    if not isinstance(name, str) or not re.fullmatch(r"[0-9a-zA-Z_]+", name):
        raise MRMInvalidSchemaError(f"The field {name!r} must be made of letters, digits and '_'.")
    if not isinstance(described, dict) or not set(described) <= {"type", "shape"} or "type" not in described:
        raise MRMInvalidSchemaError(
            f"The field '{name}' must be a dict of 'type' and perhaps 'shape', but got {described!r}."
        )
    if described["type"] not in (_ARRAYS if "shape" in described else _SCALARS):
        raise MRMInvalidSchemaError(f"The field '{name}' has an unknown type: {described}.")
    if not isinstance(described.get("shape", []), list):
        raise MRMInvalidSchemaError(f"The field '{name}' must have a list for a 'shape', but got {described}.")


def _misfit(row, schema):
    """Why a row does not fit the schema (str), or None if it does."""
    for name, each in schema.items():
        if name not in row:
            return f"it has no field '{name}'"
        value = row[name]
        if "shape" in each:
            if not isinstance(value, np.ndarray) or value.dtype != each["type"] or not value.size:
                return f"the field '{name}' is not an array of {each['type']} with elements"
            try:
                value.reshape(each["shape"])
            except ValueError:
                return f"the field '{name}' of the shape {value.shape} is not of the shape {each['shape']}"
        elif isinstance(value, bool) or not isinstance(value, _KINDS[each["type"]]):
            return f"the field '{name}' is {type(value).__name__}, not {each['type']}"
    return None


def _normal(value):
    return value.item() if isinstance(value, np.generic) else value


def _size(number, minimum, maximum, name):
    """``number``, a multiple of 4 from ``minimum`` KiB to ``maximum`` MiB."""
    expected = f"a multiple of 4 from {minimum} KiB to {maximum} MiB"
    if not isinstance(number, int) or number < 0:
        refuse(TypeError, f"set_{name}", name, expected, number)
    if number % 4 or not minimum << 10 <= number <= maximum << 20:
        refuse(RuntimeError, f"set_{name}", name, expected, number)
    return number
