"""`Mappable`: sources with random access, whose rows a sampler selects."""

import copy
import functools

from ..engine.refusal import require
from . import config
from ._pipeline.failures import broken
from ._pipeline.run import Run
from ._pipeline.threads import Threads
from .node import Dataset
from .samplers import BuiltinSampler, FixedOrder, SequentialSampler


class Mappable(Dataset):
    """A source with random access: a sampler selects the rows to read.

    A subclass defines ``_length`` (the total number of rows), the names, and ``_row`` (the row of a number, called by
    several threads).
    """

    _is_sampled = True  # whether the sampler selects the rows

    def __init__(self, sampler, num_parallel_workers=None, cache=None):
        super().__init__(None, num_parallel_workers, cache)
        self.sampler = sampler

    def _length(self):
        raise NotImplementedError

    def _row(self, index):
        raise NotImplementedError

    def _open(self, run):
        count = 0 if config.get_debug_mode() else self.num_parallel_workers
        pool = Threads(lambda number, index: self._row(index), count, run)
        epochs = run.epochs(
            "sampler", self.sampler.is_sharded(), skipped=lambda draws: list(self._epoch_indices(draws))
        )
        return lambda: pool.rows(self._epoch_indices(next(epochs)))

    def _epoch_indices(self, draws):
        """The numbers of the rows of an epoch."""
        return self.sampler._indices_(self._length(), draws, self)

    @functools.cached_property
    def _order(self):
        """The row numbers of one epoch, in the order of ``dataset[index]``."""
        return list(self._epoch_indices(next(Run().epochs("sampler", self.sampler.is_sharded()))))

    def _number(self, index):
        """The number of the row at ``index`` (int) of an epoch.

        Raises:
            RuntimeError: if it is out of range; negative indices are not supported.
        """
        if not 0 <= index < len(self._order):
            sentence = f"the index must be in [0, {len(self._order)}), but got {index}"
            raise broken(type(self).__name__, sentence)
        return self._order[index]

    def _sharded(self):
        return self.sampler.is_sharded()

    def _shuffled(self):
        return self.sampler.is_shuffled()

    def _count(self):
        return self.sampler._count_(self._length())

    def use_sampler(self, new_sampler):
        """Replaces the sampler.  Source: mindspore.dataset.GeneratorDataset.use_sampler"""
        require(new_sampler, BuiltinSampler, "use_sampler", "new_sampler")
        self.sampler, self.dataset_size = new_sampler, None
        replaced = ("num_samples", "shuffle", "num_shards", "shard_id")
        arguments = {name: value for name, value in self._arguments().items() if name not in replaced}
        self._given = (), arguments | {"sampler": new_sampler}
        for name in ("_first", "_order"):
            self.__dict__.pop(name, None)

    def add_sampler(self, new_sampler):
        """Samples with ``new_sampler`` from the rows that the current sampler selects.

        Source: mindspore.dataset.GeneratorDataset.add_sampler
        """
        new_sampler.add_child(self.sampler)
        self.use_sampler(new_sampler)

    def _split_part(self, start, count, key, randomize):
        sampler = SequentialSampler(start, count)
        sampler.add_child(FixedOrder(self.sampler, key, randomize))
        part = copy.copy(self)
        part.use_sampler(sampler)
        return part
