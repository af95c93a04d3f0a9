"""Selects and orders rows: ``shuffle``, ``repeat``, ``skip``, ``take``, ``filter``, ``split``."""

import itertools
import math
import os

from .._random.shuffling import Mersenne64, buffered
from ..engine.refusal import refuse, require
from . import config
from ._pipeline.arguments import MAXIMUM_INT32, columns_or_none, counted
from ._pipeline.failures import broken, pipeline_error, user_error
from .node import Dataset, register

_MSG_PARTS = "For 'split', the 'sizes' must be positive ints, or fractions between 0 and 1 with sum 1, but got {}."
_MSG_TOO_MANY = "For 'split', the 'sizes' {} add up to {}, but the dataset has {} rows."


@register
def split(dataset, sizes, randomize):
    """The parts of a dataset: see `Dataset.split`."""
    counts, start, parts = _counts(sizes, dataset.get_dataset_size()), 0, []
    seed = config.chosen_seed()
    key = int.from_bytes(os.urandom(4), "little") if seed is None else seed
    for count in counts:
        parts.append(dataset._split_part(start, count, key, randomize))
        start += count
    return tuple(parts)


@register
class ShuffleDataset(Dataset):
    """A shuffled dataset: see `Dataset.shuffle`.  Source: mindspore.dataset.ShuffleDataset"""

    def __init__(self, input_dataset, buffer_size):
        super().__init__(input_dataset)
        if input_dataset.is_sync():
            raise RuntimeError("No shuffle after sync operators: call shuffle before sync_wait.")
        if isinstance(buffer_size, bool) or not isinstance(buffer_size, int):
            refuse(TypeError, "shuffle", "buffer_size", "an int", buffer_size)
        if not 2 <= buffer_size <= MAXIMUM_INT32:
            refuse(ValueError, "shuffle", "buffer_size", f"in the range [2, {MAXIMUM_INT32}]", buffer_size)
        self.buffer_size = buffer_size

    def _shuffled(self):
        return True

    def _open(self, run):
        # All epochs share one engine: an epoch takes one number for each row.
        child, engine = self.children[0]._open(run), None

        def engine_of(draws):
            nonlocal engine
            engine = engine or Mersenne64(draws.seed)
            return engine

        epochs = run.epochs("shuffle", skipped=lambda draws: engine_of(draws).skip(self.children[0].get_dataset_size()))
        return lambda: buffered(child(), self.buffer_size, engine_of(next(epochs)))


@register
class RepeatDataset(Dataset):
    """A dataset that is repeated: see `Dataset.repeat`.  Source: mindspore.dataset.RepeatDataset"""

    def __init__(self, input_dataset, count):
        super().__init__(input_dataset)
        self.count = -1 if count is None else counted("repeat", count)

    def _count(self):
        return self.children[0].get_dataset_size() * (1 if self.count == -1 else self.count)

    def get_repeat_count(self):
        return self.count

    def _open(self, run):
        with run.repeated(max(self.count, 1)):
            child = self.children[0]._open(run)

        def rows():
            for _ in itertools.count() if self.count == -1 else range(self.count):
                is_empty = True
                for row in child():
                    is_empty = False
                    yield row
                if is_empty:  # it would loop forever
                    return

        return rows


@register
class SkipDataset(Dataset):
    """A dataset without its first rows: see `Dataset.skip`.  Source: mindspore.dataset.SkipDataset"""

    def __init__(self, input_dataset, count):
        super().__init__(input_dataset)
        self.count = count

    def _count(self):
        return max(0, self.children[0].get_dataset_size() - self.count)

    def _open(self, run):
        child = self.children[0]._open(run)
        return lambda: itertools.islice(child(), self.count, None)


@register
class TakeDataset(Dataset):
    """The first rows of a dataset: see `Dataset.take`.  Source: mindspore.dataset.TakeDataset"""

    def __init__(self, input_dataset, count):
        super().__init__(input_dataset)
        self.count = count

    def _count(self):
        return min(self.count, self.children[0].get_dataset_size())

    def _open(self, run):
        child = self.children[0]._open(run)
        return lambda: itertools.islice(child(), self.count)


@register
class FilterDataset(Dataset):
    """The filtered rows of a dataset: see `Dataset.filter`.  Source: mindspore.dataset.FilterDataset"""

    def __init__(self, input_dataset, predicate, input_columns=None, num_parallel_workers=None):
        super().__init__(input_dataset, num_parallel_workers)
        if not callable(predicate):
            refuse(TypeError, "filter", "predicate", "a function", predicate)
        self.predicate = predicate
        self.input_columns = columns_or_none(input_columns, "filter", "input_columns")

    def _count(self):
        return None

    def _open(self, run):
        child, names = self.children[0]._open(run), self.children[0]._names()
        for name in self.input_columns or ():
            if name not in names:
                raise broken("filter", f"there is no column '{name}' among {names}")
        indices = [names.index(name) for name in self.input_columns or names]

        def rows():
            for number, row in enumerate(child()):
                try:
                    is_wanted = bool(self.predicate(*[row[index] for index in indices]))
                except Exception as error:
                    raise user_error("filter", error, number) from error
                if is_wanted:
                    yield row

        return rows


@register
class FixedOrderDataset(Dataset):
    """The rows in a random order that is the same in every epoch; all of them are held in memory."""

    def __init__(self, input_dataset, key):
        super().__init__(input_dataset)
        self._key = key

    def _shuffled(self):
        return True

    def _open(self, run):
        child = self.children[0]._open(run)

        def rows():
            return buffered(child(), MAXIMUM_INT32, Mersenne64(self._key))

        return rows


def _counts(sizes, rows):
    """The sizes of the parts of ``rows`` rows."""
    if not require(sizes, list, "split", "sizes"):
        refuse(ValueError, "split", "sizes", "a list that is not empty", sizes)
    if all(isinstance(size, int) and size > 0 for size in sizes):
        if sum(sizes) != rows:
            raise pipeline_error(_MSG_TOO_MANY.format(sizes, sum(sizes), rows))
        return sizes
    is_fraction = all(isinstance(size, float) and 0 < size < 1 for size in sizes)
    if not is_fraction or not math.isclose(sum(sizes), 1, rel_tol=1e-9):
        raise ValueError(_MSG_PARTS.format(sizes))
    counts = [round(size * rows) for size in sizes]
    if 0 in counts:
        raise pipeline_error(f"For 'split', the 'sizes' {sizes} leave one part of the {rows} rows empty.")
    # The rounded sizes may not add up: the first parts are adjusted by one.
    position = 0
    while (missing := rows - sum(counts)) != 0:
        counts[position % len(counts)] += 1 if missing > 0 else -1
        position += 1
    return counts
