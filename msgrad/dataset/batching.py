"""Batching: ``batch``, ``padded_batch`` and ``bucket_batch_by_length``."""

import functools
from typing import Any

import numpy as np

from .._contracts import check
from ..engine.refusal import refuse, require
from . import config
from ._pipeline import values
from ._pipeline.arguments import MAXIMUM_INT32, columns, columns_or_none
from ._pipeline.batch_memory import BatchMemory
from ._pipeline.failures import broken, user_error
from ._pipeline.processes import Processes
from ._pipeline.stacking import stack, stacked
from ._pipeline.threads import Threads
from .mapping import MapDataset, names_after, table_after
from .node import Dataset, register


class BatchInfo:
    """The current batch and epoch, for functions of ``batch``.  Source: mindspore.dataset.BatchInfo"""

    def __init__(self, batch, epoch):
        self._batch, self._epoch = batch, epoch

    def get_batch_num(self):
        """The number of the batch in its epoch, from 0 on."""
        return self._batch

    def get_epoch_num(self):
        """The number of the epoch, from 0 on."""
        return self._epoch


class _Batched(Dataset):
    """The base of batched datasets: batch size and number of batches."""

    def __init__(self, input_dataset, batch_size, drop_remainder, num_parallel_workers):
        super().__init__(input_dataset, num_parallel_workers)
        if not callable(batch_size):
            if isinstance(batch_size, bool) or not isinstance(batch_size, (int, np.integer)):
                refuse(TypeError, "batch", "batch_size", "an int or a function", batch_size)
            if not 1 <= batch_size <= MAXIMUM_INT32:
                refuse(ValueError, "batch", "batch_size", f"in the range [1, {MAXIMUM_INT32}]", batch_size)
        self.batch_size, self.drop_remainder = batch_size, drop_remainder

    def get_batch_size(self):
        return -1 if callable(self.batch_size) else self.batch_size

    def _count(self):
        rows = None if callable(self.batch_size) else self.children[0].get_dataset_size()
        if rows is None:
            return None
        return rows // self.batch_size if self.drop_remainder else -(-rows // self.batch_size)

    def _batches(self, rows, epoch):
        """Yields the rows of each batch as a list."""
        number, batch, size = 0, [], self._size(0, epoch)
        for row in rows:
            batch.append(row)
            if len(batch) == size:
                yield batch
                number, batch = number + 1, []
                size = self._size(number, epoch)
        if batch and not self.drop_remainder:
            yield batch

    def _size(self, number, epoch):
        if not callable(self.batch_size):
            return self.batch_size
        try:
            size = self.batch_size(BatchInfo(number, epoch))
        except Exception as error:
            raise user_error("batch", error) from error
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise broken("batch", f"the 'batch_size' function must return a positive int, but it returned {size!r}")
        return size


@register
class BatchDataset(_Batched):
    """A dataset of batches: see `batch`.  Source: mindspore.dataset.BatchDataset"""

    per_batch_map: Any

    def __init__(
        self,
        input_dataset,
        batch_size,
        drop_remainder=False,
        num_parallel_workers=None,
        per_batch_map=None,
        input_columns=None,
        output_columns=None,
        python_multiprocessing=False,
        max_rowsize=None,
    ):
        super().__init__(input_dataset, batch_size, drop_remainder, num_parallel_workers)
        if per_batch_map is not None and not callable(per_batch_map):
            refuse(TypeError, "batch", "per_batch_map", "a function", per_batch_map)
        if per_batch_map is None and (input_columns or output_columns):
            raise ValueError("For 'batch', 'input_columns' and 'output_columns' belong to a 'per_batch_map'.")
        self.per_batch_map = per_batch_map
        self.input_columns = columns_or_none(input_columns, "batch", "input_columns")
        self.output_columns = columns_or_none(output_columns, "batch", "output_columns")
        self.python_multiprocessing = check.boolean(python_multiprocessing, "python_multiprocessing", "batch")

    def _taken(self):
        names = self.children[0]._names()
        for name in self.input_columns or ():
            if name not in names:
                raise broken("batch", f"there is no column '{name}' among {names}")
        return self.input_columns or names

    def _names(self):
        child, outputs = self.children[0], self.output_columns
        if outputs is None:
            return child._names()
        used = self._taken()
        return names_after(child._names() if len(outputs) == len(used) else child._table().names, used, outputs)

    def _table(self):
        return table_after(self.children[0]._table(), self._taken(), self.output_columns)

    def _open(self, run):
        memory = BatchMemory(self.batch_size)
        if self.per_batch_map is None and not callable(self.batch_size):
            self._offer(memory, run)
        with run.batched(self.batch_size if isinstance(self.batch_size, int) else 1):
            child = self.children[0]._open(run)
        if self.per_batch_map is None:
            change = functools.partial(self._stack, memory)
        else:
            change = functools.partial(self._mapped, self._names())
        count = 0 if config.get_debug_mode() else self.num_parallel_workers
        if self.python_multiprocessing and self.per_batch_map is not None and not config.get_debug_mode():
            pool = Processes(change, count, run, "batch")
        else:
            pool = Threads(change, count, run)

        def rows():
            memory.restart()
            return pool.rows((run.epoch, batch) for batch in self._batches(child(), run.epoch))

        return rows

    def _offer(self, memory, run):
        """Lets the nodes of ``map`` whose rows these batches have make them in ``memory``."""
        node = self.children[0]
        while node._keeps_rows:
            if isinstance(node, MapDataset):
                run.batch_columns[node] = memory.column()
            node = node.children[0]

    @staticmethod
    def _stack(memory, number, batch):
        return stacked(batch[1], "batch", memory.stack)

    def _mapped(self, after, number, batch):
        epoch, rows = batch
        names, used = self.children[0]._names(), self._taken()
        lists = [list(column) for column in zip(*rows, strict=True)]
        try:
            results = self.per_batch_map(*[lists[names.index(name)] for name in used], BatchInfo(number, epoch))
        except Exception as error:
            raise user_error("batch", error, number) from error
        results = results if isinstance(results, tuple) else (results,)
        outputs = self.output_columns or used
        if len(results) != len(outputs):
            raise broken(
                "batch", f"the 'per_batch_map' gives {len(results)} columns, but the 'output_columns' are {outputs}"
            )
        columns_by_name = {name: lists[index] for index, name in enumerate(names) if name not in used}
        columns_by_name |= dict(zip(outputs, results, strict=True))
        return tuple([_whole(columns_by_name[name], index) for index, name in enumerate(after)])


def _whole(column, position):
    """A column of a batch as one array."""
    if isinstance(column, np.ndarray):
        return values.array(column)
    if isinstance(column, dict):
        return column
    if not isinstance(column, (list, tuple)):
        raise broken("batch", f"the 'per_batch_map' must return lists or arrays, but got {type(column).__name__}")
    return stack([values.array(value) for value in column], "batch", position)


@register
class PaddedBatchDataset(_Batched):
    """A dataset of padded batches: see `padded_batch`."""

    def __init__(self, input_dataset, batch_size, drop_remainder=False, num_parallel_workers=None, pad_info=None):
        super().__init__(input_dataset, batch_size, drop_remainder, num_parallel_workers)
        self.pad_info = _checked_pads(pad_info, "padded_batch")

    def _open(self, run):
        child = self.children[0]._open(run)
        names = self.children[0]._names()
        pads = dict.fromkeys(names) if self.pad_info == {} else self.pad_info or {}

        def rows():
            for batch in self._batches(child(), run.epoch):
                yield padded(batch, names, pads, "padded_batch")

        return rows


@register
class BucketBatchByLengthDataset(Dataset):
    """A dataset of batches of rows of similar length: see `bucket_batch_by_length`."""

    def __init__(self, input_dataset, column_names, boundaries, sizes, length, pad_info, to_boundary, drop_remainder):
        super().__init__(input_dataset)
        owner = "bucket_batch_by_length"
        self.column_names = columns(column_names, owner, "column_names")
        self.bucket_boundaries = _positive_ints(boundaries, owner, "bucket_boundaries")
        if sorted(set(self.bucket_boundaries)) != self.bucket_boundaries:
            refuse(ValueError, owner, "bucket_boundaries", "strictly increasing", boundaries)
        self.bucket_batch_sizes = _positive_ints(sizes, owner, "bucket_batch_sizes")
        if len(self.bucket_batch_sizes) != len(self.bucket_boundaries) + 1:
            expected = f"{len(self.bucket_boundaries) + 1} numbers, one more than there are boundaries"
            refuse(ValueError, owner, "bucket_batch_sizes", expected, sizes)
        if length is None and len(self.column_names) != 1:
            refuse(ValueError, owner, "column_names", "one column, if there is no function of the length", column_names)
        if length is not None and not callable(length):
            refuse(TypeError, owner, "element_length_function", "a function", length)
        self.element_length_function: Any = length
        self.pad_info = _checked_pads(pad_info, owner)
        self.pad_to_bucket_boundary, self.drop_remainder = to_boundary, drop_remainder

    def _count(self):
        return None

    def _open(self, run):
        child, names = self.children[0]._open(run), self.children[0]._names()
        for name in self.column_names:
            if name not in names:
                raise broken("bucket_batch_by_length", f"there is no column '{name}' among {names}")
        indices = [names.index(name) for name in self.column_names]

        def rows():
            buckets = [[] for _ in self.bucket_batch_sizes]
            for row in child():
                number = int(np.searchsorted(self.bucket_boundaries, self._length(row, indices), "right"))
                buckets[number].append(row)
                if len(buckets[number]) == self.bucket_batch_sizes[number]:
                    yield self._joined(buckets[number], number, names)
                    buckets[number] = []
            for number, bucket in enumerate(buckets):
                if bucket and not self.drop_remainder:
                    yield self._joined(bucket, number, names)

        return rows

    def _length(self, row, indices):
        if self.element_length_function is None:
            return row[indices[0]].shape[0] if row[indices[0]].shape else 1
        try:
            return int(self.element_length_function(*[row[index] for index in indices]))
        except Exception as error:
            raise user_error("bucket_batch_by_length", error) from error

    def _joined(self, rows, number, names):
        pads, boundary = self.pad_info or dict.fromkeys(names), None
        if self.pad_to_bucket_boundary and any(None in (pad[0] or ()) for pad in pads.values() if pad is not None):
            if number == len(self.bucket_boundaries):
                raise broken(
                    "bucket_batch_by_length", "a row is longer than the last boundary: there is nothing to pad to"
                )
            boundary = self.bucket_boundaries[number] - 1
        return padded(rows, names, pads, "bucket_batch_by_length", boundary)


def padded(rows, names, pads, node, boundary=None):
    """The rows of a batch as one row, with the columns in ``pads`` padded.

    Args:
        rows (list): of the batch.
        names (list[str]): of the columns.
        pads (dict): by column, None or the shape and the value.
        node (str): the name in errors.
        boundary (int): the length for None in a shape. Default: ``None``, the largest length of the batch.
    """
    return tuple(
        [
            _padded(column, pads[name], node, index, boundary)
            if name in pads and not isinstance(column[0], dict)
            else stack(column, node, index)
            for index, (name, column) in enumerate(zip(names, zip(*rows, strict=True), strict=True))
        ]
    )


def _padded(column, pad, node, position, boundary):
    shape, fill = pad if pad is not None else (None, 0)
    first = column[0]
    if any(value.ndim != first.ndim for value in column) or (shape is not None and len(shape) != first.ndim):
        rule = f"the values of column {position} must have the rank that they are padded to, of shape {shape}"
        raise broken(node, rule)
    maximum = [max(lengths) for lengths in zip(*[value.shape for value in column], strict=True)]
    if shape is not None:
        target = [boundary if length is None and boundary is not None else length for length in shape]
        maximum = [longest if length is None else length for length, longest in zip(target, maximum, strict=True)]
    kind = np.result_type(*column) if first.dtype.kind in "US" else first.dtype
    whole = np.full((len(column), *maximum), first.dtype.type() if fill is None else fill, kind)
    for number, value in enumerate(column):
        part = tuple([slice(0, min(pair)) for pair in zip(value.shape, maximum, strict=True)])
        whole[(number, *part)] = value[part]
    return whole


def _checked_pads(pad_info, owner):
    if pad_info is None:
        return None
    for name, pad in require(pad_info, dict, owner, "pad_info").items():
        require(name, str, owner, "column in the pad_info")
        if pad is None:
            continue
        if not isinstance(pad, tuple) or len(pad) != 2:
            refuse(TypeError, owner, f"pad_info['{name}']", "None or a tuple of a shape and a value", pad)
        for length in require(pad[0], (list, tuple, type(None)), owner, f"pad_info['{name}']") or ():
            if length is not None and (not isinstance(length, int) or length < 1):
                refuse(ValueError, owner, f"shape of pad_info['{name}']", "made of positive ints and None", pad[0])
    return pad_info


def _positive_ints(numbers, owner, argument):
    if not require(numbers, list, owner, argument):
        refuse(ValueError, owner, argument, "a list that is not empty", numbers)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int):
            refuse(TypeError, owner, argument, "made of ints", number)
        if number < 1:
            refuse(ValueError, owner, argument, "made of positive ints", number)
    return numbers
