"""Samplers: select and order the rows of a dataset with random access."""

import copy
import numbers
import types
from typing import Any

import numpy as np

from .._random.engines import Mersenne
from .._random.shuffling import Picks, reshuffled, weighted
from ..engine.refusal import refuse, require, shown
from ._pipeline.description import Described
from ._pipeline.draws import Draws
from ._pipeline.failures import broken, user_error
from .shuffling import Shuffle, shuffles

_MOST = 2**63 - 1
_MSG_CHILD = "The sampler has a child already: add the new one as a child of that one."
_MSG_CONFLICT = (
    "For '{}', a 'sampler' replaces 'num_samples', 'shuffle', 'num_shards' and 'shard_id': give it alone, "
    "but got num_samples={}, shuffle={}, num_shards={}, shard_id={}."
)


class BuiltinSampler(Described):
    """The base of samplers: a number of samples, and a child sampler from whose rows they are taken."""

    _is_capped_ = True  # whether there are at most ``num_samples``

    def __init__(self, num_samples=None):
        self.num_samples = _samples(num_samples, type(self).__name__)
        self.child_sampler = None

    def add_child(self, sampler):
        """Samples from the rows selected by ``sampler`` instead of the whole dataset.

        Raises:
            AttributeError: for anything but a sampler.  RuntimeError: if there is a child already.
        Source: mindspore.dataset.SequentialSampler.add_child
        """
        if sampler is not None and not isinstance(sampler, BuiltinSampler):
            refuse(AttributeError, type(self).__name__, "sampler", "a sampler of mindspore.dataset", sampler)
        if self.child_sampler is not None:
            raise RuntimeError(_MSG_CHILD)
        self.child_sampler, self._is_changed = sampler, True

    def get_child(self):
        """The sampler of `add_child`, or None."""
        return self.child_sampler

    def get_num_samples(self) -> int | None:
        """The smallest number of samples of this sampler and its children (int), or None."""
        child = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        counts = [number for number in (self.num_samples, child) if number is not None]
        return min(counts, default=None)

    def get_shuffle_mode(self):
        """The shuffling mode, a `Shuffle`."""
        return Shuffle.FALSE

    def is_shuffled(self) -> bool:
        """Whether this sampler or a child shuffles."""
        below = self.child_sampler is not None and self.child_sampler.is_shuffled()
        return below or self.get_shuffle_mode() != Shuffle.FALSE

    def is_sharded(self) -> bool:
        """Whether this sampler or a child selects a shard."""
        return self.child_sampler is not None and self.child_sampler.is_sharded()

    def _indices_(self, size, draws, dataset=None):
        """The numbers of the rows to read, in order.

        Args:
            size (int): of the dataset.
            draws (Draws): of this epoch.
            dataset (object): which tells the class of a row, for samplers that need it.
        Returns:
            sequence of int.
        """
        if self.child_sampler is None:
            return self._capped_(self._choose_(size, draws, dataset))
        below = self.child_sampler._indices_(size, draws, dataset)
        return [below[k] for k in self._capped_(self._choose_(len(below), draws, dataset))]

    def _count_(self, size):
        """Number of rows chosen out of ``size`` (int)."""
        if self.child_sampler is not None:
            size = self.child_sampler._count_(size)
        chosen = self._own_count_(size)
        return min(chosen, self.num_samples) if self._is_capped_ and self.num_samples else chosen

    def _capped_(self, chosen):
        return chosen[: self.num_samples] if self._is_capped_ and self.num_samples else chosen

    def _own_count_(self, size):
        return size

    def _choose_(self, size, draws, dataset):
        raise NotImplementedError


class SequentialSampler(BuiltinSampler):
    """The rows in order.

    Args:
        start_index (int): the first row. Default: ``None``, 0.
        num_samples (int): the number of rows. Default: ``None``, all.
    Raises:
        TypeError: if one is not an int.  ValueError: if one is negative.
    Source: mindspore.dataset.SequentialSampler
    """

    def __init__(self, start_index=None, num_samples=None):
        super().__init__(num_samples)
        self.start_index = None if start_index is None else _natural(start_index, "SequentialSampler", "start_index")

    def _choose_(self, size, draws, dataset):
        start = self.start_index or 0
        if start > size:
            raise broken("SequentialSampler", f"the 'start_index' is {start}, but there are {size} rows")
        return range(start, size)

    def _own_count_(self, size):
        return max(0, size - (self.start_index or 0))


class RandomSampler(BuiltinSampler):
    """The rows in random order, different in each epoch.

    Args:
        replacement (bool): whether to draw with replacement. Default: ``False``.
        num_samples (int): the number of rows. Default: ``None``, all.
        shuffle (Shuffle): the mode for MindRecord files. Default: ``Shuffle.GLOBAL``.
    Source: mindspore.dataset.RandomSampler
    """

    def __init__(self, replacement=False, num_samples=None, shuffle=Shuffle.GLOBAL):
        self.replacement = require(replacement, bool, "RandomSampler", "replacement")
        if not isinstance(shuffle, Shuffle) or shuffle == Shuffle.FALSE:
            refuse(TypeError, "RandomSampler", "shuffle", "a Shuffle that shuffles", shuffle)
        self.shuffle = shuffle
        super().__init__(num_samples)

    def get_shuffle_mode(self):
        return self.shuffle

    def _choose_(self, size, draws, dataset):
        if self.replacement:
            count = min(self.num_samples or size, size)
            return Mersenne(draws.seed + draws.epoch).integers(0, size, count).tolist() if size else []
        return reshuffled(size, draws.seed, 1, draws.epoch)


class SubsetSampler(BuiltinSampler):
    """The rows at given indices, in order.

    Args:
        indices (iterable of int): the indices.
        num_samples (int): the number of rows. Default: ``None``, all.
    Source: mindspore.dataset.SubsetSampler
    """

    def __init__(self, indices, num_samples=None):
        owner = type(self).__name__
        if not isinstance(indices, list):
            indices = list(indices) if np.iterable(indices) and not isinstance(indices, str) else [indices]
        for item in indices:
            if not isinstance(item, numbers.Integral) or isinstance(item, bool):
                refuse(TypeError, owner, "indices", "made of ints", item)
        super().__init__(num_samples)
        self.indices = self._capped_([int(item) for item in indices])

    def get_num_samples(self) -> int | None:
        number = super().get_num_samples()
        return len(self.indices) if number is None else min(number, len(self.indices))

    def _choose_(self, size, draws, dataset):
        for item in self.indices:
            if not 0 <= item < size:
                raise broken(type(self).__name__, f"a row {item} was chosen, but there are {size} rows")
        return self.indices

    def _own_count_(self, size):
        return len(self.indices)


class SubsetRandomSampler(SubsetSampler):
    """The rows at given indices, in random order.

    Args:
        indices (iterable of int): the indices.
        num_samples (int): use only the first ones. Default: ``None``, all.
    Source: mindspore.dataset.SubsetRandomSampler
    """

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL

    def _subset_(self, size):
        """The selected rows of ``size``, in the order of ``indices``."""
        return self._capped_(super()._choose_(size, None, None))

    def _choose_(self, size, draws, dataset):
        chosen = self._subset_(size)
        return [chosen[k] for k in draws.order(len(chosen))]


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn at random, with probabilities proportional to weights.

    Args:
        weights (list of number): of the rows, non-negative, not all 0.
        num_samples (int): the number of draws, at most that of the rows, which is the default. Default: ``None``.
        replacement (bool): whether to draw with replacement. Default: ``True``.
    Raises:
        TypeError: if a weight is not a number.  RuntimeError: while reading, if a weight is negative or all are 0.
    Source: mindspore.dataset.WeightedRandomSampler
    """

    def __init__(self, weights, num_samples=None, replacement=True):
        if not isinstance(weights, list):
            weights = [weights]  # of one row; a tuple or an array is no number
        for item in weights:
            if not isinstance(item, numbers.Number):
                refuse(TypeError, "WeightedRandomSampler", "weights", "made of numbers", item)
        self.weights = weights
        self.replacement = require(replacement, bool, "WeightedRandomSampler", "replacement")
        super().__init__(num_samples)

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL

    def _choose_(self, size, draws, dataset):
        weights = np.asarray(self.weights, np.float64)
        if not len(weights) or weights.min() < 0 or weights.sum() <= 0:
            raise broken("WeightedRandomSampler", "the weights must not be negative, and not all of them 0")
        if len(weights) > size:
            raise broken("WeightedRandomSampler", f"there are {len(weights)} weights for {size} rows")
        # Without replacement, rows whose weight is 0 come last, in order.
        return weighted(weights, min(self.num_samples or size, size), self.replacement, draws.renewed)


class DistributedSampler(BuiltinSampler):
    """The shard of the rows that one of several processes reads: every ``num_shards``-th row, equally many for all.

    Args:
        num_shards (int): the number of shards.
        shard_id (int): the shard to read.
        shuffle (bool | Shuffle): whether to shuffle all rows first. Default: ``True``.
        num_samples (int): the number of rows of the shard. Default: ``None``, all.
        offset (int): the shard of the first row; shards may then have different sizes. Default: ``-1``, none: the last
            shards are filled up with rows from the beginning.
    Raises:
        TypeError: if one is not an int.  RuntimeError: while reading, if there is no such shard.
    Source: mindspore.dataset.DistributedSampler
    """

    def __init__(self, num_shards, shard_id, shuffle=True, num_samples=None, offset=-1):
        self.num_shards = _whole(num_shards, "DistributedSampler", "num_shards")
        self.shard_id = _whole(shard_id, "DistributedSampler", "shard_id")
        self.offset = _whole(offset, "DistributedSampler", "offset")
        self.shuffle = shuffles(shuffle, "DistributedSampler", Shuffle.GLOBAL)
        super().__init__(num_samples)

    def get_shuffle_mode(self):
        return self.shuffle

    def is_sharded(self) -> bool:
        return self.num_shards > 1 if self.child_sampler is None else self.child_sampler.is_sharded()

    def set_offset(self, offset):
        """Sets ``offset`` and returns the sampler."""
        self.offset, self._is_changed = _whole(offset, "DistributedSampler", "offset"), True
        return self

    def _choose_(self, size, draws, dataset):
        is_shuffled = self.shuffle != Shuffle.FALSE
        return self._part_(reshuffled(size, draws.seed + 1, 1, draws.epoch) if is_shuffled else range(size))

    def _part_(self, order):
        """The rows of this shard, from the ``order`` that all shards share."""
        size, end = len(order), self._own_count_(len(order)) * self.num_shards
        if self.offset == -1:
            return self._capped_([order[k % size] for k in range(self.shard_id, end, self.num_shards)])
        first = (self.shard_id - self.offset) % self.num_shards
        return self._capped_(order[first :: self.num_shards])

    def _own_count_(self, size):
        if self.offset != -1:
            return self._count_of_(self.shard_id, size)
        self._check()
        return -(-size // self.num_shards)

    def _count_of_(self, shard_id, size):
        """The number of rows (int) of a shard, of ``size`` rows, with an offset."""
        self._check()
        return len(range((shard_id - self.offset) % self.num_shards, size, self.num_shards))

    def _check(self):
        if self.num_shards < 1 or not 0 <= self.shard_id < self.num_shards or self.offset > self.num_shards:
            sentence = f"there is no part {self.shard_id} of {self.num_shards} with the offset {self.offset}"
            raise broken("DistributedSampler", sentence)


class PKSampler(BuiltinSampler):
    """``num_val`` rows of each class, for datasets with classes.

    Args:
        num_val (int): rows of a class.
        num_class (None): all classes are sampled.
        shuffle (bool): whether to shuffle the classes. Default: ``False``.
        class_column (str): the column of the class. Default: ``'label'``.
        num_samples (int): the total number of rows. Default: ``None``, all.
    Raises:
        NotImplementedError: for a ``num_class``.
    Source: mindspore.dataset.PKSampler
    """

    def __init__(self, num_val, num_class=None, shuffle=False, class_column="label", num_samples=None):
        self.num_val = _whole(num_val, "PKSampler", "num_val")
        if num_class is not None:
            raise NotImplementedError("For 'PKSampler', the 'num_class' must be None: all classes are sampled.")
        self.shuffle = require(shuffle, bool, "PKSampler", "shuffle")
        self.class_column = require(class_column, str, "PKSampler", "class_column")
        super().__init__(num_samples)

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL if self.shuffle else Shuffle.FALSE

    def _choose_(self, size, draws, dataset):
        rows = {}
        for index in range(size):
            rows.setdefault(self._class(dataset, index), []).append(index)
        classes = sorted(rows)
        picks = Picks(draws.seed)
        if self.shuffle:
            picks.shuffle(classes)
        if draws.epoch:
            picks = Picks(draws.seed + draws.epoch)
        return [rows[each][picks.below(len(rows[each]))] for each in classes for _ in range(self.num_val)]

    @staticmethod
    def _class(dataset, index):
        if not hasattr(dataset, "_class_of"):
            raise broken("PKSampler", "the dataset has no classes to sample from")
        return dataset._class_of(index)


class Sampler(BuiltinSampler):
    """The base of user-defined samplers, which yield row numbers from ``__iter__``.

    ``dataset_size`` and ``num_samples`` are set beforehand; ``reset`` is called before each epoch.

    Example:
        >>> class Reverse(mindspore.dataset.Sampler):
        ...     def __iter__(self):
        ...         yield from range(self.dataset_size - 1, -1, -1)
    Source: mindspore.dataset.Sampler
    """

    dataset_size = 0

    def __init__(self, num_samples=None):
        super().__init__(num_samples)
        if num_samples is None and hasattr(self, "__len__"):
            self.num_samples = len(self)

    def __iter__(self):
        raise NotImplementedError

    def reset(self):
        """Called before each epoch."""

    def _choose_(self, size, draws, dataset):
        self.dataset_size = size
        if self.num_samples is None:
            self.num_samples, self._is_capped_ = size, False  # to be read by it; it may yield more
        self.reset()
        return _numbers_of(self, None if self._is_free_(dataset) else size)

    def _own_count_(self, size):
        self.dataset_size = size
        return len(_numbers_of(self))

    def _is_free_(self, dataset):
        """Whether any number is a row: of the program's own source, for which ``dataset`` is None."""
        return dataset is None and self.child_sampler is None


class IterSampler(Sampler):
    """Any iterable of row numbers, as a sampler.

    Args:
        sampler (iterable of int): iterated over in each epoch.
        num_samples (int): the number of rows. Default: ``None``, all.
    Example:
        >>> dataset = mindspore.dataset.NumpySlicesDataset([1, 2, 3], sampler=mindspore.dataset.IterSampler([2, 0]))
        >>> [int(row[0]) for row in dataset.create_tuple_iterator(num_epochs=1)]
        [3, 1]
    Source: mindspore.dataset.IterSampler
    """

    def __init__(self, sampler, num_samples=None):
        self.sampler = sampler
        BuiltinSampler.__init__(self, num_samples)
        if self.num_samples is None and hasattr(sampler, "__len__"):
            self.num_samples = len(sampler)

    def __iter__(self):
        return iter(self.sampler)

    def _choose_(self, size, draws, dataset):
        return _numbers_of(self.sampler, None if self._is_free_(dataset) else size)

    def _own_count_(self, size):
        return len(self.sampler) if hasattr(self.sampler, "__len__") else len(_numbers_of(self.sampler))


class FixedOrder(BuiltinSampler):
    """The rows of another sampler, in an order that is the same in each epoch, for the parts of a split.

    Args:
        sampler (BuiltinSampler): the other sampler.
        key (int): determines the random order.
        is_shuffled (bool): whether to shuffle even if ``sampler`` does not.
    """

    def __init__(self, sampler, key, is_shuffled):
        super().__init__()
        self.sampler, self.key, self._shuffles = sampler, key, is_shuffled

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL if self._shuffles else self.sampler.get_shuffle_mode()

    def is_sharded(self) -> bool:
        return self.sampler.is_sharded()

    def _indices_(self, size, draws, dataset=None):
        chosen = self.sampler._indices_(size, Draws(self.key), dataset)
        return fixed_shuffle(chosen, self.key) if self._shuffles else chosen

    def _count_(self, size):
        return self.sampler._count_(size)


def fixed_shuffle(items, key):
    """``items`` as a list in the random order determined by ``key`` (int)."""
    return [items[position] for position in reshuffled(len(items), Draws(key).seed, 1, 0)]


def sampler_of(
    owner,
    sampler,
    num_samples=None,
    shuffle=None,
    num_shards=None,
    shard_id=None,
    conflict: type[Exception] = RuntimeError,
):
    """Makes the sampler of a source from its arguments.

    Raises:
        RuntimeError: if they contradict each other (or the type ``conflict``).  ValueError: if one of ``num_shards``
            and ``shard_id`` is missing.  TypeError: if ``sampler`` is not a sampler.
    """
    if (num_shards is None) != (shard_id is None):
        raise ValueError(f"For '{owner}', the 'num_shards' and the 'shard_id' must be given together.")
    if sampler is None:
        return _default(owner, num_samples, shuffle, num_shards, shard_id)
    if shuffle is not None or num_shards is not None or (isinstance(sampler, BuiltinSampler) and num_samples):
        raise conflict(_MSG_CONFLICT.format(owner, num_samples, shuffle, num_shards, shard_id))
    if isinstance(sampler, BuiltinSampler):
        return sampler
    if isinstance(sampler, (list, tuple, np.ndarray)):
        return SubsetSampler(list(sampler), num_samples)
    if isinstance(sampler, str) or not any(hasattr(sampler, name) for name in ("__iter__", "__getitem__")):
        refuse(TypeError, owner, "sampler", "a sampler of mindspore.dataset or an iterable of ints", sampler)
    return IterSampler(sampler, num_samples)


def _default(owner, num_samples, shuffle, num_shards, shard_id):
    mode = shuffles(shuffle, owner, Shuffle.GLOBAL)
    if num_shards is not None:
        _whole(num_shards, owner, "num_shards")
        if not 0 <= _whole(shard_id, owner, "shard_id") < num_shards:
            refuse(ValueError, owner, "shard_id", f"in the range [0, {num_shards})", shard_id)
        return DistributedSampler(num_shards, shard_id, mode, num_samples)
    if mode == Shuffle.FALSE:
        return SequentialSampler(None, num_samples)
    return RandomSampler(num_samples is not None, num_samples, mode)


def _numbers_of(source: Any, size=None):
    """The row numbers of an iterable: ints, and those of ``size`` rows, if that is given."""
    owner = type(source).__name__
    if isinstance(source, types.GeneratorType):
        raise broken(owner, "a generator can be read only once: give a list, or an object with __iter__")
    try:
        iterator = iter(source)
        # An iterator goes on where it has stopped, so it is copied for each epoch.
        given = list(copy.copy(source) if iterator is source else iterator)
    except Exception as error:
        raise user_error(owner, error) from error
    for item in given:
        if not isinstance(item, numbers.Integral) or isinstance(item, bool):
            raise broken(owner, f"a row number must be an int, but got {shown(item)}")
        if size is not None and not 0 <= int(item) < size:
            raise broken(owner, f"a row {item} was chosen, but there are {size} rows")
    return [int(item) for item in given]


def _whole(value, owner, argument) -> Any:
    if isinstance(value, bool):
        refuse(TypeError, owner, argument, "an int", value)
    return require(value, int, owner, argument)


def _natural(value, owner, argument):
    if not 0 <= _whole(value, owner, argument) <= _MOST:
        refuse(ValueError, owner, argument, "a non-negative int", value)
    return value


def _samples(value, owner):
    return None if value is None else _natural(value, owner, "num_samples")
