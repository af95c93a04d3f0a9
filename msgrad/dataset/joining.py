"""Combines datasets (``zip``, ``concat``, ``flat_map``) and selects columns (``project``, ``rename``)."""

import builtins
import itertools
import threading

from .._contracts import check
from .._random.engines import Mersenne
from .._random.shuffling import interleaved
from ..engine.refusal import refuse, require
from . import config
from ._pipeline import values
from ._pipeline.arguments import columns
from ._pipeline.column_table import ColumnTable
from ._pipeline.failures import broken, pipeline_error
from .batching import BatchDataset, PaddedBatchDataset
from .mappable import Mappable
from .mapping import renamed
from .node import Dataset, register
from .samplers import DistributedSampler, RandomSampler


def zip(datasets):
    """Zips the rows of several datasets; the result is as long as the shortest one.

    Args:
        datasets (tuple[Dataset]): two or more, with different column names.
    Returns:
        ZipDataset.
    Raises:
        TypeError: if they are not a tuple.  ValueError: if there are fewer than two.  RuntimeError: if names are equal.
    Source: mindspore.dataset.zip
    """
    if len(require(datasets, tuple, "zip", "datasets")) < 2:
        refuse(ValueError, "zip", "datasets", "two or more", datasets)
    return ZipDataset(datasets)


@register
def notify(dataset, condition_name, num_batch, data):
    """Resumes a ``sync_wait``: see `Dataset.sync_update`."""
    waits = [node for node in _nodes(dataset) if isinstance(node, SyncWaitDataset) and node.name == condition_name]
    if not waits:
        refuse(
            RuntimeError, "sync_update", "condition_name", "the name of a sync_wait of this pipeline", condition_name
        )
    if num_batch is not None and not (isinstance(num_batch, int) and num_batch > 0):
        refuse(RuntimeError, "sync_update", "num_batch", "a positive int", num_batch)
    waits[0]._update(num_batch, data)


def _nodes(dataset):
    yield dataset
    for child in dataset.children:
        yield from _nodes(child)


@register
class ZipDataset(Dataset):
    """Zipped datasets: see `zip`.  Source: mindspore.dataset.ZipDataset"""

    def __init__(self, datasets):
        super().__init__([require(dataset, Dataset, "zip", "datasets") for dataset in datasets])

    def _names(self):
        names = [name for child in self.children for name in child._names()]
        for name in names:
            if names.count(name) > 1:
                raise broken("zip", f"there are two columns '{name}': rename one")
        return names

    def _table(self):
        return ColumnTable([name for child in self.children for name in child._table().names])

    def _count(self):
        return min(child.get_dataset_size() for child in self.children)

    def num_classes(self):
        return None

    def _open(self, run):
        self._names()
        children = [child._open(run) for child in self.children]

        def rows():
            for parts in builtins.zip(*[child() for child in children], strict=False):
                yield sum(parts, ())

        return rows


def _in_turn(children):
    """The rows of several datasets, one after the other, whose first rows must have the same dtypes and ranks."""
    first = None
    for child in children:
        rows = child()
        for row in rows:
            first = row if first is None else first
            _check_alike(first, row)
            yield row
            break
        yield from rows


def _check_alike(first, row):
    for value, other in builtins.zip(first, row, strict=True):
        pairs = [(values.kind(each), len(values.shape(each))) for each in (value, other)]
        if pairs[0] != pairs[1]:
            raise broken("concat", f"the datasets must have the same dtypes and ranks, but their rows have {pairs}")


@register
class ConcatDataset(Dataset):
    """Concatenated datasets: see `concat`.  Source: mindspore.dataset.ConcatDataset"""

    def __init__(self, datasets):
        super().__init__(datasets)
        for number, dataset in enumerate(self.children):
            if dataset._count() == 0:
                raise ValueError(f"There are no samples in the dataset number {number}: leave it out of the concat.")
        self._parts = None  # a `DistributedSampler` for each dataset without one
        self._takes_turns = False

    def _count(self):
        sizes = [child.get_dataset_size() for child in self.children]
        if self._parts is None:
            return sum(sizes)
        return sum(part.count(size) if part else size for part, size in builtins.zip(self._parts, sizes, strict=True))

    def use_sampler(self, sampler):
        """Reads one shard of the rows with a `DistributedSampler`, or interleaves the datasets with a `RandomSampler`.

        A dataset with random access gets a sampler of its part of the shard, instead of its own. Interleaving is
        random: the probability of a dataset is proportional to its remaining rows, which keep their order.

        Raises:
            TypeError: for other samplers, or one that distributes batches.  ValueError: if the sampler draws with
                replacement, shuffles and distributes, or has ``num_samples``, or distributes a dataset that has it.
        Source: mindspore.dataset.ConcatDataset.use_sampler
        """
        require(sampler, (DistributedSampler, RandomSampler), "use_sampler", "sampler")
        if isinstance(sampler, RandomSampler) and sampler.replacement:
            refuse(ValueError, "use_sampler", "sampler", "one without replacement", sampler)
        if isinstance(sampler, DistributedSampler) and sampler.is_shuffled():
            refuse(ValueError, "use_sampler", "sampler", "one with 'shuffle=False'", sampler)
        if sampler.get_num_samples() is not None:
            refuse(ValueError, "use_sampler", "num_samples of the sampler", "None", sampler.get_num_samples())
        if isinstance(sampler, DistributedSampler):
            self._distribute(sampler.num_shards, sampler.shard_id)
        else:
            self._take_turns()
        self.dataset_size, self._is_changed = None, True

    def _distribute(self, num_shards, shard_id):
        if num_shards < 1:
            refuse(ValueError, "use_sampler", "num_shards of the sampler", "a positive int", num_shards)
        for child in self.children:
            if isinstance(child, (BatchDataset, PaddedBatchDataset)):
                refuse(TypeError, "use_sampler", "dataset", "one without batches", child)
            if _is_sampled(child) and child.sampler.get_num_samples() is not None:
                count = child.sampler.get_num_samples()
                refuse(ValueError, "use_sampler", "num_samples of the dataset's sampler", "None", count)
        self._parts, self._takes_turns, before = [], False, 0
        for child in self.children:
            size = child._length() if _is_sampled(child) else child.get_dataset_size()
            part = DistributedSampler(num_shards, shard_id, False, offset=before % num_shards)
            if _is_sampled(child):
                child.use_sampler(part)
            self._parts.append(None if _is_sampled(child) else part)
            before += size

    def _take_turns(self):
        self._parts = None
        for node in _nodes(self):
            if isinstance(node, ConcatDataset):
                node._takes_turns, node._is_changed = True, True

    def _sharded(self):
        return self._parts is not None or super()._sharded()

    def _open(self, run):
        names = self.children[0]._names()
        for child in self.children[1:]:
            if child._names() != names:
                raise broken("concat", f"the columns must be the same, but they are {names} and {child._names()}")
        parts = self._parts or [None] * len(self.children)
        children = [_part_of(child._open(run), part) for child, part in builtins.zip(self.children, parts, strict=True)]
        if self._takes_turns:
            return self._by_turns(children, run)
        return lambda: _in_turn(children)

    def _by_turns(self, children, run):
        engine = None

        def turns(draws):
            nonlocal engine
            engine = engine or Mersenne(draws.seed)
            return interleaved(counts, engine)

        counts = [child.get_dataset_size() for child in self.children]
        epochs = run.epochs("concat", skipped=turns)

        def rows():
            left = [iter(child()) for child in children]
            for turn in turns(next(epochs)):
                yield from itertools.islice(left[turn], 1)

        return rows


def _is_sampled(dataset):
    """Whether it is a source whose rows a sampler selects."""
    return isinstance(dataset, Mappable) and dataset._is_sampled


def _part_of(child, part):
    """A function that reads the rows of an opened dataset that belong to a `DistributedSampler`, or all of them."""
    if part is None:
        return child
    first = (part.shard_id - part.offset) % part.num_shards
    return lambda: itertools.islice(child(), first, None, part.num_shards)


@register
class FlatMapDataset(Dataset):
    """A dataset of the rows of nested datasets: see `flat_map`."""

    def __init__(self, input_dataset, func):
        super().__init__(input_dataset)
        self._func = func

    def _make_pipeline(self, row):
        return require(self._func(*row), Dataset, "flat_map", "result of the func")

    def _names(self):
        first = self.children[0]._first
        return [] if first is None else self._make_pipeline(first)._names()

    def _table(self):
        return ColumnTable(self._names())

    def _count(self):
        return None

    def _open(self, run):
        child = self.children[0]._open(run)

        def rows():
            for row in child():
                yield from self._make_pipeline(row)._open(run)()

        return rows


@register
class ProjectDataset(Dataset):
    """Selected columns of a dataset: see `project`.  Source: mindspore.dataset.ProjectDataset"""

    _keeps_rows = True

    def __init__(self, input_dataset, columns_given):
        super().__init__(input_dataset)
        self.columns = columns(columns_given, "project", "columns")

    def _names(self):
        columns_before = self.children[0]._names()
        for name in self.columns:
            if name not in columns_before:
                raise broken("project", f"there is no column '{name}' among {columns_before}")
        return self.columns

    def _table(self):
        return ColumnTable(self._names())

    def _open(self, run):
        child, columns_before = self.children[0]._open(run), self.children[0]._names()
        indices = [columns_before.index(name) for name in self._names()]
        return lambda: (tuple([row[index] for index in indices]) for row in child())


@register
class RenameDataset(Dataset):
    """A dataset with renamed columns: see `rename`.  Source: mindspore.dataset.RenameDataset"""

    _keeps_rows = True

    def __init__(self, input_dataset, input_columns, output_columns):
        super().__init__(input_dataset)
        self.input_columns = columns(input_columns, "rename", "input_columns")
        self.output_columns = columns(output_columns, "rename", "output_columns")
        if len(self.input_columns) != len(self.output_columns):
            expected = f"{len(self.input_columns)} names, one for each of the 'input_columns'"
            refuse(ValueError, "rename", "output_columns", expected, output_columns)

    def _names(self):
        columns_before = self.children[0]._names()
        for name in self.input_columns:
            if name not in columns_before:
                raise broken("rename", f"there is no column '{name}' among {columns_before}")
        return renamed(columns_before, self.input_columns, self.output_columns, "rename")

    def _table(self):
        return ColumnTable(renamed(self.children[0]._table().names, self.input_columns, self.output_columns, "rename"))

    def _open(self, run):
        self._names()
        return self.children[0]._open(run)


@register
class SyncWaitDataset(Dataset):
    """A dataset that waits for updates: see `sync_wait`.  Source: mindspore.dataset.SyncWaitDataset"""

    def __init__(self, input_dataset, condition_name, num_batch=1, callback=None):
        super().__init__(input_dataset)
        self.name = require(condition_name, str, "sync_wait", "condition_name")
        if condition_name in input_dataset.get_sync_notifiers():
            refuse(RuntimeError, "sync_wait", "condition_name", "a new name in this pipeline", condition_name)
        num_batch = check.positive_int(num_batch, "num_batch", "sync_wait")
        if callback is not None and not callable(callback):
            refuse(TypeError, "sync_wait", "callback", "a function", callback)
        self.num_batch, self._callback = num_batch, callback
        self._rows, self._passes, self._is_free = 1, threading.Semaphore(num_batch), False

    def _update(self, num_batch=None, data=None):
        """Calls the callback with ``data``, and allows ``num_batch`` further batches (None: the default)."""
        if self._callback is not None:
            self._callback(data)
        self._passes.release((num_batch or self.num_batch) * self._rows)

    def is_sync(self):
        return True

    def get_sync_notifiers(self):
        return {**super().get_sync_notifiers(), self.name: self._update}

    def disable_sync(self):
        super().disable_sync()
        self._is_free = True
        self._passes.release()  # the waiting threads

    def _open(self, run):
        child = self.children[0]._open(run)
        self._rows = run.rows_of_batch
        self._passes = passes = threading.Semaphore(self.num_batch * self._rows)
        run.closing.callback(passes.release)  # a thread that waits for an update would do so until the timeout

        def rows():
            for row in child():
                if not self._is_free and not passes.acquire(timeout=config.get_callback_timeout()):
                    raise pipeline_error(
                        f"For 'sync_wait', nothing called sync_update('{self.name}') within "
                        f"{config.get_callback_timeout()} seconds (config.set_callback_timeout)."
                    )
                if run.closing.is_closed:
                    return
                yield row

        return rows
