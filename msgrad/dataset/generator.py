"""Datasets of user-provided values: `GeneratorDataset`, `NumpySlicesDataset`, `PaddedDataset`."""

import numpy as np

from .._contracts import check
from ..dtype import dtype_to_nptype
from ..engine.dtypes import DType
from ..engine.refusal import refuse, require
from . import config
from ._pipeline import named_rows, values
from ._pipeline.arguments import columns
from ._pipeline.failures import broken, user_error
from ._pipeline.processes import Processes
from ._pipeline.slices import PaddingRows, Slices
from ._pipeline.stacking import stacked
from ._pipeline.threads import Threads
from .mappable import Mappable
from .samplers import PKSampler, Sampler, SequentialSampler, sampler_of
from .schema import Schema
from .shuffling import Shuffle, shuffles

_MSG_SOURCE = (
    "For 'GeneratorDataset', the 'source' must be a function, an iterable, or have __getitem__ and __len__, but got {}."
)
_MSG_EMPTY = (
    "GeneratorNode: data row of input source must not be 0, got: 0. A 'source' with __getitem__ has no rows; most "
    "often its files were not found."
)
_MSG_NAMES = "For 'GeneratorDataset', give the names of the columns: GeneratorDataset(source, ['image', 'label'])."
_MSG_LENGTH = (
    "For 'GeneratorDataset', a 'source' with __getitem__ needs __len__, too, which gives the number of rows to "
    "choose from."
)
_MSG_ACCESS = (
    "For 'GeneratorDataset', the '{}' needs a 'source' with __getitem__ and __len__: a {} can only be read in order."
)


class GeneratorDataset(Mappable):
    """A dataset of rows produced by Python code.

    Args:
        source (callable | iterable | object): a function that returns an iterable, an iterable, or an object with
            ``__getitem__`` and ``__len__``, whose rows a sampler selects. A row is a tuple or list with a value for
            each column: NumPy arrays, numbers, strings, bytes, Tensors, torch's tensors, dicts; for one column also the
            bare value; for several also a dict by name. So Hugging Face's and torch's datasets are sources, too.
        column_names (str | list[str]): the names of the columns. Default: ``None``, those of the ``schema``; without
            one, the ``column_names`` of the source, or the keys of its first row.
        column_types (list[mindspore.dtype]): the dtypes to check values for. Default: ``None``.
        schema (str | Schema): names and types, instead of the above. Default: ``None``.
        num_samples (int): the number of rows. Default: ``None``, all.
        num_parallel_workers (int): threads or processes that call ``__getitem__``. Default: ``1``.
        shuffle (bool): whether to shuffle the rows. Default: ``None``, True with ``__getitem__``.
        sampler (Sampler | iterable): selects the rows. Default: ``None``.
        num_shards, shard_id (int): the number of shards, and the one to read. Default: ``None``.
        python_multiprocessing (bool): whether several workers are processes; otherwise threads. Default: ``True``.
        max_rowsize: without effect here. Default: ``None``.
        batch_sampler (Sampler | iterable): yields lists of row numbers, each of which becomes a batch. Default:
            ``None``.
        collate_fn (callable): combines lists, one for each column, into a batch. Default: ``None``, they are stacked.
    Raises:
        TypeError: for another source.  ValueError: if names are missing or arguments contradict each other.
        RuntimeError: while reading, if the source raises (with its traceback) or yields another number of columns.
    Example:
        >>> dataset = mindspore.dataset.GeneratorDataset(lambda: iter([(1, 2), (3, 4)]), ["x", "y"])
        >>> [(int(x), int(y)) for x, y in dataset.create_tuple_iterator(num_epochs=1)]
        [(1, 2), (3, 4)]
    Source: mindspore.dataset.GeneratorDataset
    """

    def __init__(
        self,
        source,
        column_names=None,
        column_types=None,
        schema=None,
        num_samples=None,
        num_parallel_workers=1,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        python_multiprocessing=True,
        max_rowsize=None,
        batch_sampler=None,
        collate_fn=None,
    ):
        owner = "GeneratorDataset"
        self.source = source
        self._has_access = hasattr(source, "__getitem__") and not named_rows.is_stream(source)
        if not (self._has_access or hasattr(source, "__iter__") or callable(source)):
            raise TypeError(_MSG_SOURCE.format(type(source).__name__))
        found = named_rows.names_in(source, self._has_access) if column_names is schema is None else None
        self.column_names, self._types = _described(found or column_names, column_types, schema)
        # With one name a dict is its value, as in MindSpore.
        self._is_named = found is not None or len(self.column_names) > 1
        self.num_samples = _samples(num_samples)
        if batch_sampler is not None:
            _check_batches(batch_sampler, num_samples, shuffle, sampler, num_shards)
        elif collate_fn is not None:
            raise ValueError(
                "For 'GeneratorDataset', the 'collate_fn' makes the batches of a 'batch_sampler': give both."
            )
        if self._has_access:
            if not hasattr(source, "__len__"):
                raise RuntimeError(_MSG_LENGTH)
            _refuse_classes(sampler, ValueError)
            sampler = sampler_of(owner, sampler, num_samples, shuffle, num_shards, shard_id, ValueError)
        else:
            for name, value in (("sampler", sampler), ("num_shards", num_shards), ("batch_sampler", batch_sampler)):
                if value is not None:
                    raise ValueError(_MSG_ACCESS.format(name, type(source).__name__))
            sampler = sampler_of(owner, None, num_samples, Shuffle.FALSE, num_shards, shard_id)
            shuffles(shuffle, owner, Shuffle.FALSE)
        super().__init__(sampler, num_parallel_workers)
        self.python_multiprocessing = check.boolean(python_multiprocessing, "python_multiprocessing", owner)
        self._batches, self._collate = batch_sampler, collate_fn
        self._is_sampled = self._has_access and batch_sampler is None

    def _names(self):
        return self.column_names

    def __getitem__(self, index):
        if isinstance(index, bool) or not isinstance(index, (int, np.number)):
            refuse(TypeError, "GeneratorDataset", "index", "an int", index)
        if not self._has_access:
            raise RuntimeError(_MSG_ACCESS.format("index", type(self.source).__name__))
        if self._batches is not None:
            raise RuntimeError("For 'GeneratorDataset', rows cannot be read by index with a 'batch_sampler'.")
        return self._item(self._number(int(index)))

    def _item(self, number):
        """A row, as returned by the source."""
        return self.source[number]

    def _length(self):
        return len(self.source)

    def _check_rows(self):
        """Raises for a source of no rows: it is most often a folder or a list that was not found."""
        if self._has_access and not len(self.source):
            raise RuntimeError(_MSG_EMPTY)

    def _count(self):
        self._check_rows()
        if self._batches is not None:
            return len(list(self._batches))
        if self._has_access:
            return super()._count()
        if hasattr(self.source, "__len__"):
            return min(len(self.source), self.num_samples or len(self.source))
        return None

    def _open(self, run):
        self._check_rows()
        if not self._has_access:
            return self._in_order
        count = 0 if config.get_debug_mode() or self.num_parallel_workers == 1 else self.num_parallel_workers
        if count > 1 and self.python_multiprocessing:
            rows_of = Processes(self._rows_at, count, run, "GeneratorDataset").rows
        else:
            rows_of = Threads(self._rows_at, count, run).rows
        epochs = run.epochs(
            "sampler", self.sampler.is_sharded(), skipped=lambda draws: list(self._epoch_indices(draws))
        )
        return lambda: rows_of(self._epoch_indices(next(epochs)))

    def _epoch_indices(self, draws):
        """The row numbers of an epoch; with a batch sampler, lists of them."""
        if self._batches is None:
            return self.sampler._indices_(len(self.source), draws)
        if isinstance(self._batches, Sampler):
            self._batches.dataset_size = len(self.source)
        return self._batches

    def use_sampler(self, new_sampler):
        """Replaces the sampler; a `PKSampler` is a RuntimeError.

        Source: mindspore.dataset.GeneratorDataset.use_sampler
        """
        _refuse_classes(new_sampler, RuntimeError)
        super().use_sampler(new_sampler)

    def _rows_at(self, number, index):
        if self._batches is None:
            return self._row(index)
        rows = [self._row(each) for each in index]
        if self._collate is None:
            return stacked(rows, "GeneratorDataset")
        try:
            result = self._collate(*[list(column) for column in zip(*rows, strict=True)])
        except Exception as error:
            raise user_error("GeneratorDataset", error, number) from error
        return self._checked(result, number, values.cells)

    def _row(self, index):
        try:
            row = self.source[index]
        except Exception as error:
            raise user_error("GeneratorDataset", error, index) from error
        return self._checked(row, index)

    def _in_order(self):
        """One epoch of a source without random access."""
        number = -1
        try:
            rows = iter(self.source() if not hasattr(self.source, "__iter__") else self.source)
            for number, row in enumerate(rows):
                yield self._checked(row, number)
                if number + 1 == self.num_samples:
                    return
        except GeneratorExit:
            raise
        except Exception as error:
            raise user_error("GeneratorDataset", error, number + 1) from error

    def _checked(self, row, number, convert=values.row):
        if self._is_named and isinstance(row, dict):
            row = named_rows.in_order(row, self.column_names, number)
        try:
            row = tuple(convert(row))
        except (TypeError, ValueError) as error:
            raise broken("GeneratorDataset", f"row {number} has values that no column can hold: {error}") from error
        if len(row) != len(self.column_names):
            sentence = f"row {number} has {len(row)} values, but the columns are {self.column_names}"
            raise broken("GeneratorDataset", sentence)
        if self._types is not None:
            for name, value, expected in zip(self.column_names, row, self._types, strict=True):
                if value.dtype != expected:
                    sentence = (
                        f"column '{name}' of row {number} is {value.dtype}, but the 'column_types' say {expected}"
                    )
                    raise broken("GeneratorDataset", sentence)
        return row


class NumpySlicesDataset(GeneratorDataset):
    """A dataset of slices of arrays along their first axis.

    Args:
        data (list | dict | tuple | numpy.ndarray | pandas.DataFrame): an array or a list; a tuple of them, for several
            columns, the later ones also any sequences; a dict of arrays, Tensors, Parameters or iterables by column.
        column_names (str | list[str]): the names of the columns. Default: ``None``, a dict's keys, or ``column_0``, ...
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: as for `GeneratorDataset`.
    Raises:
        TypeError: for other ``data``.  ValueError: if lengths differ, or the number of names is wrong.
    Example:
        >>> dataset = mindspore.dataset.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
        >>> [int(x) for x, in dataset.create_tuple_iterator(num_epochs=1)]
        [1, 2]
    Source: mindspore.dataset.NumpySlicesDataset
    """

    def __init__(
        self,
        data,
        column_names=None,
        num_samples=None,
        num_parallel_workers=1,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
    ):
        slices = Slices(data)
        names = slices.names if column_names is None else columns(column_names, "NumpySlicesDataset", "column_names")
        if len(names) != len(slices.arrays):
            expected = f"{len(slices.arrays)} names, one for each column"
            refuse(ValueError, "NumpySlicesDataset", "column_names", expected, column_names)
        super().__init__(
            slices,
            names,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            python_multiprocessing=False,
        )

    def _checked(self, row, number, convert=None):
        return row  # made by `Slices`

    def _item(self, number):
        return tuple([part[number] for part in self.source.given])


class PaddedDataset(GeneratorDataset):
    """A dataset of padding rows, appended to another one with ``+``.

    Args:
        padded_samples (list[dict]): the rows, dicts by column.
    Raises:
        TypeError: if they are not a list of dicts.  ValueError: if there are none.
        RuntimeError: on reading a row that lacks a key of the first one.
    Source: mindspore.dataset.PaddedDataset
    """

    def __init__(self, padded_samples):
        rows = PaddingRows(padded_samples)
        super().__init__(rows, rows.names, shuffle=False)


def _described(column_names, column_types, schema):
    """The names of the columns and their NumPy dtypes, or None for the latter."""
    if schema is not None:
        schema = schema if isinstance(schema, Schema) else Schema(schema)
        described = schema.columns
        return [each["name"] for each in described], [np.dtype(each["type"]) for each in described]
    if column_names is None:
        raise ValueError(_MSG_NAMES)
    names = columns(column_names, "GeneratorDataset", "column_names")
    if column_types is None:
        return names, None
    if len(require(column_types, list, "GeneratorDataset", "column_types")) != len(names):
        refuse(
            ValueError, "GeneratorDataset", "column_types", f"of length {len(names)}, one for each name", column_types
        )
    return names, [np.dtype(dtype_to_nptype(each) if isinstance(each, DType) else each) for each in column_types]


def _refuse_classes(sampler, error):
    if isinstance(sampler, PKSampler):
        raise error("GeneratorDataset doesn't support PKSampler: its rows have no classes. Use a SubsetSampler.")


def _samples(num_samples):
    if num_samples is None:
        return None
    if isinstance(num_samples, bool) or not isinstance(num_samples, int):
        refuse(TypeError, "GeneratorDataset", "num_samples", "an int", num_samples)
    return SequentialSampler(num_samples=num_samples).num_samples or None


def _check_batches(batch_sampler, num_samples, shuffle, sampler, num_shards):
    if not hasattr(batch_sampler, "__iter__"):
        refuse(TypeError, "GeneratorDataset", "batch_sampler", "an iterable of lists of row numbers", batch_sampler)
    for name, value in (
        ("num_samples", num_samples),
        ("shuffle", shuffle),
        ("sampler", sampler),
        ("num_shards", num_shards),
    ):
        if value is not None:
            raise ValueError(f"For 'GeneratorDataset', the 'batch_sampler' excludes '{name}': give only one of them.")
