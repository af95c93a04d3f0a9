"""The row orders of MindRecord files, equal to MindSpore's: these shuffles have generators of their own."""

from ..._random.engines import Mersenne, Minstd
from ..._random.shuffling import Picks, order_of_epoch
from .._pipeline.failures import broken
from ..samplers import DistributedSampler, RandomSampler, SubsetRandomSampler
from ..shuffling import Shuffle

_FEW = 64  # engine words generated at once
_WORD = (1 << 32) - 1
_MOST_GLOBAL = 10**8  # block size of `Shuffle.ADAPTIVE` in rows
_PART = 10**6  # block size of `Shuffle.PARTIAL` in rows


def record_order(sampler, ends, draws, dataset):
    """The numbers of the rows to read in an epoch.

    Args:
        sampler (BuiltinSampler): selects the rows.
        ends (list[int]): the cumulative numbers of rows of the files.
        draws (Draws): of the epoch.
        dataset (Dataset): gives the class of a row.
    Returns:
        sequence of int.
    """
    size, seed = ends[-1], draws.seed + 1
    if sampler.child_sampler is not None:
        return sampler._indices_(size, draws, dataset)
    if type(sampler) is SubsetRandomSampler:
        return _shuffled(sampler._subset_(size), seed)
    if type(sampler) is DistributedSampler:
        return _of_shard(sampler, ends, seed + draws.epoch)
    if type(sampler) is RandomSampler:
        return _at_random(sampler, ends, seed, draws.epoch)
    return sampler._indices_(size, draws, dataset)


def _of_shard(sampler, ends, seed):
    """The rows of a shard, from an order common to all shards; with an offset they are consecutive."""
    rows, mode = range(ends[-1]), _mode(sampler, ends)
    if mode == Shuffle.PARTIAL:
        return _partly_shuffled(sampler._part_(_files_shuffled(rows, ends, seed)), seed)
    order = rows if mode == Shuffle.FALSE else _SHUFFLES[mode](rows, ends, seed)
    if sampler.offset == -1:
        return sampler._part_(order)
    counts = [sampler._count_of_(shard, len(rows)) for shard in range(sampler.shard_id + 1)]
    return order[sum(counts[:-1]) :][: min(counts[-1], sampler.num_samples or counts[-1])]


def _at_random(sampler, ends, seed, epoch):
    """Each epoch shuffles, or draws from, the previous epoch's order; `Shuffle.PARTIAL` starts again."""
    rows, mode, count = range(ends[-1]), _mode(sampler, ends), sampler.num_samples or ends[-1]
    if mode == Shuffle.PARTIAL:
        return _partly_shuffled(_files_shuffled(rows, ends, seed + epoch)[:count], seed + epoch)

    def following(order, each):
        if sampler.replacement and mode == Shuffle.GLOBAL:
            engines = (Picks(Mersenne(seed + each + number & _WORD), _FEW) for number in range(count))
            return [order[picks.below(len(order))] for picks in engines]
        return _SHUFFLES[mode](order, ends, seed + each)[:count]

    key = tuple(ends), seed, mode, sampler.replacement, count
    return order_of_epoch(key, epoch, lambda: list(rows), following)


def _mode(sampler, ends):
    """The shuffling mode.

    Raises:
        RuntimeError: if files are shuffled and some rows are omitted.
    """
    if sampler.shuffle in (Shuffle.FILES, Shuffle.INFILE) and sampler.num_samples:
        reason = f"'num_samples' cannot be given with {sampler.shuffle}: give Shuffle.GLOBAL, or take() rows afterwards"
        raise broken(type(sampler).__name__, reason)
    if sampler.shuffle == Shuffle.ADAPTIVE:
        return Shuffle.GLOBAL if ends[-1] <= _MOST_GLOBAL else Shuffle.PARTIAL
    return sampler.shuffle


def _shuffled(rows, seed):
    rows = list(rows)
    Picks(Minstd(seed & _WORD), _FEW).shuffle(rows)
    return rows


def _partly_shuffled(rows, seed):
    return [row for start in range(0, len(rows), _PART) for row in _shuffled(rows[start : start + _PART], seed)]


def _all_shuffled(rows, ends, seed):
    return _shuffled(rows, seed)


def _files_shuffled(rows, ends, seed):
    """The rows with files in random order; the rows of a file stay together."""
    starts = [0, *ends[:-1]]
    return [row for file in _shuffled(range(len(ends)), seed) for row in rows[starts[file] : ends[file]]]


def _shuffled_in_files(rows, ends, seed):
    """The rows with each file's rows in random order."""
    starts = [0, *ends[:-1]]
    return [row for start, end in zip(starts, ends, strict=True) for row in _shuffled(rows[start:end], seed)]


_SHUFFLES = {Shuffle.GLOBAL: _all_shuffled, Shuffle.FILES: _files_shuffled, Shuffle.INFILE: _shuffled_in_files}
