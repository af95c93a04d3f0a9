"""Permutations and samples of rows as MindSpore's pipelines draw them, with ``std::shuffle`` and similar functions."""

import bisect
import itertools
import math
import threading
from typing import Any

import numpy as np

from .engines import Mersenne

_BLOCK = 4096  # words computed at once
_FEWEST = 16  # words among which one may be rejected; if there are fewer, each is drawn by itself
_FEW = 64  # words that become Python's at once
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


class Picks:
    """Draws single numbers from an engine of the C++ library.

    Args:
        engine (Engine | int): what is drawn from; of an int, ``std::mt19937`` with that seed.
        block (int): the number of words computed at once.
    """

    def __init__(self, engine, block=_BLOCK):
        self._engine = Mersenne(engine) if isinstance(engine, int) else engine
        self._largest, self._length = self._engine.largest, block
        self._block, self._place = np.empty(0, np.uint32), 0  # the words computed last, and how many of them are used
        self._words = self._each()
        self.used = 0

    def _each(self):
        """Yields word after word, also after `_many` has taken others."""
        while True:
            if self._place == len(self._block):
                self._block, self._place = self._engine.words(self._length), 0
            block, start = self._block, self._place
            for place, word in enumerate(block[start : start + _FEW].tolist(), start + 1):
                self._place = place
                yield word
                if self._place != place or self._block is not block:
                    break

    def _many(self, count):
        """The next ``count`` words, int64."""
        words = self._block[self._place : self._place + count]
        self._place += len(words)
        left = count - len(words)
        if left:
            self._block, self._place = self._engine.words(max(self._length, left)), left
            words = np.concatenate([words, self._block[:left]])
        return words.astype(np.int64)

    def word(self):
        """The next number, unchanged."""
        self.used += 1
        return next(self._words)

    def below(self, width) -> Any:
        """``std::uniform_int_distribution``: an int in ``[0, width)``."""
        scale = self._largest // width
        limit = scale * width
        for word in self._words:
            self.used += 1
            if word < limit:
                return word // scale

    def shuffle(self, items):
        """``std::shuffle`` of a list, in place."""
        items[:] = map(items.__getitem__, self.order(len(items)).tolist())

    def order(self, count):
        """The indices that ``std::shuffle`` puts in order, int64."""
        return _order_after(self._exchanged(count))

    def _exchanged(self, count):
        """With which index up to itself each of ``count`` is exchanged, in turn: int64."""
        indices = np.arange(count)
        if count < 2:
            return indices
        others = np.zeros(count, np.int64)
        if self._largest // count < count:
            others[1:] = self._below_each(indices[1:] + 1)
            return others
        start = 1
        if count % 2 == 0:
            others[1] = self.below(2)
            start = 2
        # In a short list each number gives two indices.
        firsts = indices[start::2]
        others[start::2], others[start + 1 :: 2] = np.divmod(self._below_each((firsts + 1) * (firsts + 2)), firsts + 2)
        return others

    def _below_each(self, widths):
        """An int below each of ascending ``widths`` (int64), by blocks in which few words are rejected."""
        picks, done = np.empty_like(widths), 0
        while done < len(widths):
            count = min(_BLOCK, len(widths) - done)
            count = min(count, self._largest // int(widths[done + count - 1]))  # of as many, one may be rejected
            if count < min(_FEWEST, len(widths) - done):
                picks[done:] = [self.below(width) for width in widths[done:].tolist()]
                break
            words = self._many(count)
            while len(words):
                part = widths[done : done + len(words)]
                found = words // (self._largest // part)
                rejected = np.flatnonzero(found >= part)
                accepted = int(rejected[0]) if len(rejected) else len(words)
                self.used += min(accepted + 1, len(words))
                picks[done : done + accepted] = found[:accepted]
                done, words = done + accepted, words[accepted + 1 :]
        return picks


def _order_after(others):
    """The order after each index in turn was exchanged with that of ``others`` (at most itself).

    What lies where another index is exchanged with moves to that index, and from there to the next one likewise.
    """
    indices = np.arange(len(others))
    # Sorted by the index that they are exchanged with, as integers of 64 bits, for which NumPy has vector code.
    packed = np.sort(others.astype(np.uint64) << _HALF | indices.astype(np.uint64))
    targets, times = (packed >> _HALF).astype(np.int64), (packed & _LOW).astype(np.int64)
    later = np.empty_like(others)  # the next exchange with the same index; -1 for the last one
    following = np.append(times[1:], -1)
    following[:-1][targets[1:] != targets[:-1]] = -1
    later[times] = following
    moved = indices.copy()  # where what lies at an index after its own exchange is in the end
    moved[targets[::-1]] = times[::-1]  # the first exchange with it is written last
    stayed = np.flatnonzero(others == indices)
    moved[stayed] = np.where(later[stayed] < 0, stayed, later[stayed])
    while True:
        further = moved[moved]
        if np.array_equal(further, moved):
            break
        moved = further
    order = np.empty_like(others)
    order[np.where(later < 0, others, moved[later])] = indices
    return order


class _Orders:
    """The last orders made by `order_of_epoch`, from which the next epochs continue."""

    lock = threading.Lock()
    orders = {}
    maximum = 8


def order_of_epoch(key, epoch, begin, shuffle):
    """The order of an epoch, which is made from that of the previous epoch.

    Args:
        key (tuple): what the order depends on, hashable.
        epoch (int): its number, starting at 0.
        begin (callable): makes the order that the first epoch starts from, a list.
        shuffle (callable): ``shuffle(order, epoch)`` is the order of an epoch, made from a list that it may change.
    Returns:
        list of int, not to be written to.
    """
    with _Orders.lock:
        done, order = _Orders.orders.pop(key, (-1, None))
        if done > epoch or order is None:
            done, order = -1, begin()
        elif done < epoch:
            order = list(order)
        for each in range(done + 1, epoch + 1):
            order = shuffle(order, each)
        while len(_Orders.orders) >= _Orders.maximum:
            _Orders.orders.pop(next(iter(_Orders.orders)))
        _Orders.orders[key] = epoch, order
        return order


def reshuffled(size, seed, step, epoch):
    """The order of ``size`` rows in an epoch: each epoch shuffles the previous order, with a seed greater by ``step``.

    Returns:
        list of int, not to be written to.
    """

    def shuffle(order, each):
        Picks(seed + step * each).shuffle(order)
        return order

    return order_of_epoch((size, seed, step), epoch, lambda: list(range(size)), shuffle)


def weighted(weights, count, has_replacement, seed):
    """``count`` indices by weight: ``std::discrete_distribution``, or the first arrivals of exponential times."""
    weights = np.asarray(weights, np.float64)
    if not has_replacement:
        with np.errstate(divide="ignore"):
            times = -np.log(1 - Mersenne(seed).uniforms(len(weights))) / weights
        return np.argsort(times, kind="stable")[:count].tolist()
    if len(weights) < 2:
        return [0] * count
    shares = np.cumsum(weights / math.fsum(weights))
    shares[-1] = 1.0
    return np.searchsorted(shares, Mersenne(seed).uniforms(count), "left").tolist()


def interleaved(counts, engine):
    """The sequence that each row comes from: ``std::discrete_distribution`` weighted by the remaining rows.

    Args:
        counts (list[int]): the number of rows of each sequence.
    engine (Mersenne): the engine to draw from.
    Returns:
        list of int.
    """
    left, turns = list(counts), []
    for share in engine.uniforms(sum(counts) + 1)[:-1].tolist():  # MindSpore draws once more at the end of an epoch
        rows = sum(left)
        shares = list(itertools.accumulate(count / rows for count in left))
        shares[-1] = 1.0
        turn = bisect.bisect_left(shares, share)
        left[turn] -= 1
        turns.append(turn)
    return turns


class Mersenne64:
    """``std::mt19937_64``, seeded, which NumPy lacks."""

    _SIZE, _MIDDLE = 312, 156
    _TWIST = np.uint64(0xB5026F5AA96619E9)

    def __init__(self, seed):
        state = [seed]
        for index in range(1, self._SIZE):
            last = state[-1]
            state.append(((last ^ last >> 62) * 6364136223846793005 + index) & (1 << 64) - 1)
        self._state = np.array(state, np.uint64)
        self._words, self._place = [], 0

    def next(self):
        """The next number, an int of 64 bits."""
        if self._place == len(self._words):
            self._words, self._place = self._block().tolist(), 0
        self._place += 1
        return self._words[self._place - 1]

    def skip(self, count):
        """Skips ``count`` numbers."""
        left = len(self._words) - self._place
        while count > left:
            count -= left
            self._words, self._place, left = self._block().tolist(), 0, self._SIZE
        self._place += count

    def _block(self):
        state, middle = self._state, self._MIDDLE
        self._twist(state, slice(0, middle), state[1 : middle + 1], state[middle:])
        self._twist(state, slice(middle, -1), state[middle + 1 :], state[: middle - 1])
        self._twist(state, slice(-1, None), state[:1], state[middle - 1 : middle])
        words = state.copy()
        words ^= words >> np.uint64(29) & np.uint64(0x5555555555555555)
        words ^= words << np.uint64(17) & np.uint64(0x71D67FFFEDA60000)
        words ^= words << np.uint64(37) & np.uint64(0xFFF7EEE000000000)
        return words ^ words >> np.uint64(43)

    def _twist(self, state, words, following, across):
        mixed = state[words] & np.uint64(0xFFFFFFFF80000000) | following & np.uint64(0x7FFFFFFF)
        state[words] = across ^ mixed >> np.uint64(1) ^ (mixed & np.uint64(1)) * self._TWIST


def buffered(rows, size, engine):
    """Yields ``rows`` (iterable) in the order drawn by a `Mersenne64` from a buffer of ``size`` rows."""
    rows = iter(rows)
    buffer = list(itertools.islice(rows, size))
    for row in rows:
        index = engine.next() % len(buffer)
        yield buffer[index]
        buffer[index] = buffer[-1]
        buffer[-1] = row
    while buffer:
        index = engine.next() % len(buffer)
        yield buffer[index]
        buffer[index] = buffer[-1]
        buffer.pop()
