"""Datasets without random access: lines of text files, rows of CSV files."""

import csv
import functools
import glob
import itertools
import os
import re
import sys

import numpy as np

from ..._contracts.limits import item_limit
from ..._random.shuffling import Mersenne64, buffered, reshuffled
from ...engine.refusal import refuse, require
from .. import config
from ..node import Dataset
from ..samplers import sampler_of
from ..shuffling import Shuffle, shuffles
from . import _files

_BUFFER = 10000  # the largest shuffle buffer, in rows
_NO_ROWS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, csv.Error)
_INT = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_HEX_FLOAT = r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
_FLOAT = re.compile(
    rf"[ \t\n\v\f\r]*([+-]?(?:{_HEX_FLOAT}|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[iI][nN][fF]|[nN][aA][nN]))"
)


class RowsDataset(Dataset):
    """Rows of files without random access.

    A subclass defines the names of the columns and, in ``_rows_of``, the rows of a file. Shards have the same number of
    consecutive rows; the last is filled up with rows from the beginning.

    Args:
        files (list[str]): paths.
        shuffle (bool | Shuffle): ``Shuffle.GLOBAL``: files, and rows in a buffer; ``Shuffle.FILES``: files.
        num_samples, num_shards, shard_id (int): the number of rows, the number of shards, and the one to read.
    """

    def __init__(self, files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache):
        owner = type(self).__name__
        super().__init__(None, num_parallel_workers, cache)
        self.dataset_files = files
        self.shuffle_mode = shuffles(shuffle, owner, Shuffle.GLOBAL)
        if self.shuffle_mode not in (Shuffle.FALSE, Shuffle.GLOBAL, Shuffle.FILES):
            refuse(ValueError, owner, "shuffle", "a bool, Shuffle.GLOBAL or Shuffle.FILES", shuffle)
        sampler_of(owner, None, num_samples, False, num_shards, shard_id)  # it checks them
        self.num_samples, self.num_shards, self.shard_id = num_samples or None, num_shards, shard_id

    def _shuffled(self):
        return self.shuffle_mode != Shuffle.FALSE

    def _sharded(self):
        return self.num_shards is not None and self.num_shards > 1

    def _rows_of(self, path):
        raise NotImplementedError

    def _read(self, path):
        """Yields the rows of a file.

        Raises:
            RuntimeError: for any error while reading the file.
        """
        try:
            yield from self._rows_of(path)
        except _NO_ROWS as error:
            raise _files.damaged(type(self).__name__, path, f"{type(error).__name__}: {error}") from error

    def _length_of(self, path):
        """The number of rows of a file."""
        return sum(1 for _ in self._read(path))

    def _count(self):
        total = sum(self._lengths)
        part = total if self.num_shards is None else -(-total // self.num_shards)
        return part if self.num_samples is None else min(part, self.num_samples)

    def _open(self, run):
        engine = None  # for draws from the buffer; shared by all epochs

        def engine_of(draws):
            nonlocal engine
            engine = engine or Mersenne64(draws.seed)
            return engine

        is_global = self.shuffle_mode == Shuffle.GLOBAL
        skipped = (lambda draws: engine_of(draws).skip(self.get_dataset_size())) if is_global else lambda draws: None
        epochs = run.epochs("files", self._sharded(), skipped)

        def rows():
            draws = next(epochs)
            rows = self._not_empty(
                itertools.islice(self._in_turn(self._rows_by_file(self._file_order(draws))), self.num_samples)
            )
            return buffered(rows, self._buffer, engine_of(draws)) if is_global else rows

        return rows

    def _file_order(self, draws):
        """The file numbers in the order of an epoch, the same for all shards."""
        count = len(self.dataset_files)
        if self.shuffle_mode == Shuffle.FALSE:
            return range(count)
        return reshuffled(count, 1, 1, draws.epoch) if self._sharded() else draws.order(count)

    @functools.cached_property
    def _lengths(self):
        return list(map(self._length_of, self.dataset_files))

    @functools.cached_property
    def _buffer(self):
        """The size of the shuffle buffer in rows: four times the average file size of this shard."""
        files = len(self.dataset_files)
        part = -(-sum(self._lengths) // self.num_shards) if self._sharded() else self._rows_up_to(files * _BUFFER // 4)
        return min(4 * (part // files) or _BUFFER, _BUFFER)

    def _rows_up_to(self, most):
        """The number of rows of the files, at most ``most``: counting all would take up to half an epoch."""
        return sum(
            1 for _ in itertools.islice(itertools.chain.from_iterable(map(self._read, self.dataset_files)), most)
        )

    def _not_empty(self, rows):
        """The rows; raises an error if there are none."""
        first = next(rows, None)
        if first is None:
            raise _files.damaged(type(self).__name__, ", ".join(self.dataset_files), "there are no rows")
        return itertools.chain([first], rows)

    def _rows_by_file(self, numbers):
        """Yields the rows of this shard, file by file; all shards read the files in the same order."""
        if self.num_shards is None:
            yield from (self._read(self.dataset_files[number]) for number in numbers)
            return
        each = -(-sum(self._lengths) // self.num_shards)
        start, end = each * self.shard_id, each * (self.shard_id + 1)
        for number in itertools.cycle(numbers):
            length = self._lengths[number]
            if start < length and end > 0:
                yield itertools.islice(self._read(self.dataset_files[number]), max(start, 0), end)
            start, end = start - length, end - length
            if end <= 0:
                return

    def _in_turn(self, files):
        """Yields rows in the order of MindSpore's n workers, which read every n-th file and take turns."""
        files = list(files)
        count = 1 if config.get_debug_mode() else min(self.num_parallel_workers, len(self.dataset_files))
        readers = [itertools.chain.from_iterable(files[number::count]) for number in range(count)]
        while len(readers) > 1:
            for reader in list(readers):
                row = next(reader, None)
                if row is None:
                    readers.remove(reader)
                else:
                    yield row
        yield from itertools.chain.from_iterable(readers)


def paths(files, owner):
    """The files matched by a path, a pattern or a list of these, sorted.

    Raises:
        TypeError: if they are not a str.  ValueError: if there is no such file.
    """
    paths = []
    for each in [files] if isinstance(files, str) else require(files, (str, list), owner, "dataset_files"):
        matching = [each] if os.path.isfile(require(each, str, owner, "dataset_files")) else sorted(glob.glob(each))
        if not matching:
            raise ValueError(f"For '{owner}', the 'dataset_files' must be files, but there is none at {each!r}.")
        paths += matching
    if not paths:
        refuse(ValueError, owner, "dataset_files", "a list that is not empty", files)
    return sorted(paths)


class TextFileDataset(RowsDataset):
    """The lines of text files: ``text``, a str; empty lines are skipped.

    Args:
        dataset_files (str | list[str]): paths or patterns.
        num_samples (int): the number of rows. Default: ``None``, all.
        num_parallel_workers (int): the number of files read at once, a row of each in turn. Default: ``None``, from the
            settings.
        shuffle (bool | Shuffle): whether to shuffle files and rows; ``Shuffle.FILES``: files only. Default:
            ``Shuffle.GLOBAL``.
        num_shards, shard_id (int): the number of shards, and the one to read. Default: ``None``.
        cache (None): not supported.
    Source: mindspore.dataset.TextFileDataset
    """

    def __init__(
        self,
        dataset_files,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        files = paths(dataset_files, "TextFileDataset")
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _names(self):
        return ["text"]

    def _rows_of(self, path):
        with open(path, encoding="utf-8", newline="\n") as file:
            for line in file:
                line = line.rstrip("\n")
                if line:
                    yield (np.array(line),)


class CSVDataset(RowsDataset):
    """The lines of CSV files.

    Args:
        dataset_files (str | list[str]): paths or patterns.
        field_delim (str): the separator of fields. Default: ``','``.
        column_defaults (list): a value for each column, whose type (int32, float32 or str) is the column's; it replaces
            empty fields. Default: ``None``, strings.
        column_names (list[str]): the names of the columns. Default: ``None``, from the first line of each file.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as for `TextFileDataset`.
    Raises:
        TypeError, ValueError: for other arguments.  RuntimeError: if names are empty or repeated; while reading, if
            a file has other columns than the first, a line has a wrong number of fields or a quote within one, or if
            there are no rows.
    Source: mindspore.dataset.CSVDataset
    """

    def __init__(
        self,
        dataset_files,
        field_delim=",",
        column_defaults=None,
        column_names=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        files = paths(dataset_files, "CSVDataset")
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self.field_delim = require(field_delim, str, "CSVDataset", "field_delim")
        if len(field_delim) != 1 or field_delim in '"\r\n':
            refuse(ValueError, "CSVDataset", "field_delim", "one character, no quote and no end of a line", field_delim)
        self.column_names = require(column_names, (list, type(None)), "CSVDataset", "column_names")
        for each in column_names or ():
            require(each, str, "CSVDataset", "column_names")
        if not _distinct(column_names or []):
            refuse(RuntimeError, "CSVDataset", "column_names", "different non-empty names", column_names)
        self.column_defaults = require(column_defaults, (list, type(None)), "CSVDataset", "column_defaults")
        for each in column_defaults or ():
            require(each, (str, int, float), "CSVDataset", "column_defaults")

    def _names(self):
        if self.column_names is None:
            return next(_lines(self.dataset_files[0], "CSVDataset", self.field_delim), [])
        return self.column_names

    def _rows_of(self, path):
        names, has_header = self._names(), self.column_names is None
        header = next(_lines(path, "CSVDataset", self.field_delim), []) if has_header else names
        if header != names:
            raise _files.damaged("CSVDataset", path, f"its columns are {header}, those of the first file {names}")
        if not _distinct(names):
            raise _files.damaged("CSVDataset", path, f"a name is empty or there twice in {names}")
        kinds = self.column_defaults or [""] * len(names)
        return fields(path, kinds, "CSVDataset", self.field_delim, has_header)


def _distinct(names):
    """Whether the names are distinct and not empty."""
    return len(set(names)) == len(names) and "" not in names


def fields(path, kinds, owner, delimiter=",", has_header=False):
    """Yields the rows of a CSV file.

    Args:
        path (str): the file.
        kinds (list): for each field a str, int or float of its type; a str is the default of an empty field.
        owner (str): the name in errors.
        delimiter (str): the separator of fields.
        has_header (bool): whether the first line is a header.
    Raises:
        RuntimeError: if a line has another number of fields, or a field is not a number.
    """
    for number, line in enumerate(_lines(path, owner, delimiter)):
        if not line or (number == 0 and has_header):
            continue
        if len(line) != len(kinds):
            raise _files.damaged(owner, path, f"line {number + 1} has {len(line)} fields, not {len(kinds)}")
        try:
            yield tuple([_field(*pair) for pair in zip(line, kinds, strict=True)])
        except ValueError as error:
            raise _files.damaged(owner, path, f"line {number + 1}: {error}") from error


def _lines(path, owner, delimiter):
    """Yields the lines of a CSV file as lists of str; except in the first line, quotes must enclose whole fields."""
    csv.field_size_limit(max(csv.field_size_limit(), min(item_limit(), sys.maxsize)))  # a process-wide setting of `csv`
    field = f'(?:"(?:[^"]|"")*"|[^"{re.escape(delimiter)}]*)'
    quoted, read = re.compile(f"{field}(?:{re.escape(delimiter)}{field})*"), []
    with opened(path, owner) as file:
        try:
            for number, line in enumerate(csv.reader(_recorded_lines(file, read), delimiter=delimiter, strict=True)):
                text = "".join(read).rstrip("\r\n")
                if number and '"' in text and not quoted.fullmatch(text):  # `csv` would make it part of the field
                    raise _files.damaged(owner, path, f"line {number + 1} has a quote within a field")
                read.clear()
                yield line
        except (csv.Error, UnicodeDecodeError) as error:
            raise _files.damaged(owner, path, error) from error


def _recorded_lines(lines, read):
    """Yields lines, and appends each to the list ``read``, which the caller empties."""
    for each in lines:
        read.append(each)
        yield each


def opened(path, owner):
    """Opens a text file.

    Raises:
        RuntimeError: if it does not exist.
    """
    try:
        return open(path, encoding="utf-8", newline="")
    except OSError as error:
        raise _files.damaged(owner, path, error.strerror) from error


def _field(text, default):
    if isinstance(default, str):
        return np.array(text or default)
    return _int(text) if isinstance(default, int) else _float(text)


def _int(text):
    """Parses the int32 at the start of a text, as C++ does."""
    match = _INT.match(text)
    if not match or not -(1 << 31) <= int(match[1]) < 1 << 31:
        raise ValueError(f"there is no int32 in {text[:40]!r}")
    return np.array(int(match[1]), np.int32)


def _float(text):
    """Parses the float32 at the start of a text, as C++ does."""
    match = _FLOAT.match(text)
    if not match:
        raise ValueError(f"there is no float32 in {text[:40]!r}")
    number = float.fromhex(match[1]) if "x" in match[1].lower() else float(match[1])
    with np.errstate(over="ignore"):
        result = np.float32(number)
    if np.isinf(result) and match[1].lower().lstrip("+-") != "inf":
        raise ValueError(f"{text[:40]!r} is beyond float32")
    return np.array(result)
