"""Permutations and samples of rows as MindSpore's pipelines draw them, with ``std::shuffle`` and similar functions."""

import bisect
import itertools
import math
import threading
from typing import Any

import numpy as np

from .engines import Mersenne

_BLOCK = 4096  # words computed at once


class Picks:
    """Draws single numbers from an engine of the C++ library.

    Args:
        engine (Engine | int): what is drawn from; of an int, ``std::mt19937`` with that seed.
        block (int): the number of words computed at once.
    """

    def __init__(self, engine, block=_BLOCK):
        engine = Mersenne(engine) if isinstance(engine, int) else engine
        self._words = itertools.chain.from_iterable(iter(lambda: engine.words(block).tolist(), None))
        self._largest = engine.largest
        self.used = 0

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
        """``std::shuffle`` of a list, in place: in a short list each number gives two indices."""
        count = len(items)
        if count < 2:
            return
        if self._largest // count < count:
            for index, other in enumerate(self._below_each(count), 1):
                items[index], items[other] = items[other], items[index]
            return
        start = 1
        if count % 2 == 0:
            other = self.below(2)
            items[1], items[other] = items[other], items[1]
            start = 2
        for index in range(start, count, 2):
            first, second = divmod(self.below((index + 1) * (index + 2)), index + 2)
            items[index], items[first] = items[first], items[index]
            items[index + 1], items[second] = items[second], items[index + 1]

    def _below_each(self, count):
        """Yields an int below 2, one below 3, ... and one below ``count``: by blocks, since few words are rejected."""
        width = 2
        while width <= count:
            length = min(_BLOCK, count + 1 - width)
            words = np.fromiter(itertools.islice(self._words, length), np.int64, length)
            while len(words):
                widths = np.arange(width, width + len(words))
                picks = words // (self._largest // widths)
                rejected = np.flatnonzero(picks >= widths)
                accepted = int(rejected[0]) if len(rejected) else len(words)
                self.used += min(accepted + 1, len(words))
                yield from picks[:accepted].tolist()
                width, words = width + accepted, words[accepted + 1 :]


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
