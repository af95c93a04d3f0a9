"""Random numbers of pipelines, reproducible for any number of workers.

They are either a function of seed, epoch, row and operation; or those of MindSpore's transforms, which have a random
engine in each of MindSpore's workers.
"""

import math
import os
import random
import threading
import zlib
from typing import Any

import numpy as np

from ..._random.engines import Mersenne
from ..._random.shuffling import Picks, reshuffled

_MASK = (1 << 64) - 1
_WORD = (1 << 32) - 1
_FEW = 64  # words made at once; most transforms need one or two for a row
_BELOW_ONE = np.nextafter(np.float32(1), np.float32(0))
_STEP = 0x9E3779B97F4A7C15


def mixed(*parts):
    """A 64-bit hash of ``parts`` (ints or strings)."""
    state = 0
    for part in parts:
        state = _scrambled(state + _STEP ^ (zlib.crc32(part.encode()) if isinstance(part, str) else part & _MASK))
    return state


def _scrambled(state):
    """The output function of SplitMix64: each bit of ``state`` changes about half of the result's bits."""
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
    return state ^ state >> 31


class Draws:
    """A random stream (SplitMix64): cheap to create, unlike NumPy's generators.

    Args:
        key (int): determines the stream.
        epoch (int): its number, from 0. Default: ``0``.
        seed (int): 32 bits, the same in all epochs, for draws that equal MindSpore's. Default: from the key.
        renewed (int): 32 bits, the seed for operations that MindSpore seeds anew in each epoch: it differs between
            epochs if no seed was set. Default: ``seed``.
    Example:
        >>> 0 <= Draws(1).uniform() < 1
        True
    """

    __slots__ = ("_state", "epoch", "renewed", "seed")

    def __init__(self, key, epoch=0, seed=None, renewed=None):
        self._state, self.epoch = key, epoch
        self.seed = key & _WORD if seed is None else seed
        self.renewed = self.seed if renewed is None else renewed

    def bits(self):
        """An int of 64 random bits."""
        self._state = self._state + _STEP & _MASK
        return _scrambled(self._state)

    def uniform(self, low=0.0, high=1.0) -> Any:
        """A float in ``[low, high)``."""
        return low + (high - low) * ((self.bits() >> 11) / (1 << 53))

    double = about_middle = uniform

    def chance(self, probability):
        """True with this probability."""
        return self.uniform() < probability

    def integer(self, low, high):
        """An int from ``low`` to ``high``, both of them possible."""
        return low + self.bits() % (high - low + 1)

    def normal(self, mean=0.0, deviation=1.0):
        """A float, normally distributed."""
        radius = math.sqrt(-2 * math.log(1 - self.uniform()))
        return mean + deviation * radius * math.cos(2 * math.pi * self.uniform())

    def choice(self, items) -> Any:
        """One of ``items``."""
        return items[self.bits() % len(items)]

    def shuffled(self, items):
        """``items`` as a list in random order."""
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.bits() % (last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def order(self, size):
        """A random order of ``size`` rows (list); with a seed, each epoch shuffles the previous epoch's order."""
        if self.renewed != self.seed:
            return reshuffled(size, self.renewed, 0, 0)
        return reshuffled(size, self.seed, 0, self.epoch)

    def sampled(self, items, count):
        """``count`` of ``items``."""
        return self.shuffled(items)[:count]

    def betas(self, alpha):
        """A function that draws from the distribution Beta(alpha, alpha)."""
        generator = self.generator()
        return lambda: generator.beta(alpha, alpha)

    def generator(self):
        """A generator of NumPy's, for many numbers at once."""
        return np.random.Generator(np.random.PCG64(self.bits()))


class EngineDraws:
    """The draws of one of MindSpore's random transforms, from a ``std::mt19937`` of its own.

    Args:
        seed (int): of the engine.
    """

    def __init__(self, seed):
        self._picks, self._normal = Picks(Mersenne(seed), _FEW), self._normals()

    def uniform(self, low=0.0, high=1.0) -> Any:
        """``std::uniform_real_distribution<float>``, a float."""
        low, high = np.float32(low), np.float32(high)
        share = min(np.float32(self._picks.word()) * np.float32(2.0**-32), _BELOW_ONE)
        return float(share * (high - low) + low)

    def about_middle(self, low, high):
        """A float in ``[low, high)``: the middle plus half the width times a draw from [-1, 1)."""
        low, high, two = np.float32(low), np.float32(high), np.float32(2)
        return float((high + low) / two + np.float32(self.uniform(-1, 1)) * ((high - low) / two))

    def double(self, low=0.0, high=1.0):
        """``std::uniform_real_distribution<double>``."""
        first = self._picks.word()
        share = min((first + self._picks.word() * 2.0**32) * 2.0**-64, math.nextafter(1.0, 0.0))
        return share * (high - low) + low

    def chance(self, probability):
        """``std::bernoulli_distribution``."""
        return self.double() < probability

    def integer(self, low, high):
        """``std::uniform_int_distribution``: an int from ``low`` to ``high``, both of them possible."""
        return low + self._picks.below(high - low + 1)

    def normal(self, mean=0.0, deviation=1.0):
        """``std::normal_distribution<float>``, a float."""
        return float(next(self._normal) * np.float32(deviation) + np.float32(mean))

    def _normals(self):
        """Yields standard normal float32 (polar method): two for each pair inside the unit circle."""
        two, one = np.float32(2), np.float32(1)
        while True:
            x, y = (two * np.float32(self.uniform()) - one for _ in range(2))
            square = x * x + y * y
            if 0 < square <= 1:
                scale = np.sqrt(np.float32(-2) * np.log(square) / square)
                yield y * scale
                yield x * scale

    def choice(self, items) -> Any:
        """One of ``items``."""
        return items[self._picks.below(len(items))]

    def shuffled(self, items):
        """``std::shuffle``: ``items`` as a list in random order."""
        items = list(items)
        self._picks.shuffle(items)
        return items

    def sampled(self, items, count):
        """``std::sample`` of a list: ``count`` of ``items``, in their order."""
        chosen, left = [], len(items)
        while count and left:
            # One number of the engine gives two draws.
            shares = divmod(self._picks.below(left * (left - 1)), left - 1) if left > 1 else [self._picks.below(left)]
            for share in shares:
                if count and share < count:
                    chosen.append(items[-left])
                    count -= 1
                left -= 1
        return chosen

    def betas(self, alpha):
        """A function that draws from a beta distribution: one gamma draw divided by the sum of two."""
        first, second = self._gammas(alpha), self._gammas(alpha)

        def draw():
            share = first()
            return share / (share + second())

        return draw

    def _gammas(self, alpha):
        """A function that draws from a ``std::gamma_distribution<float>`` of scale 1."""
        one, alpha = np.float32(1), np.float32(alpha)
        minimum = alpha + one if alpha < 1 else alpha
        a1 = minimum - one / np.float32(3)
        a2 = one / np.sqrt(np.float32(9) * a1)
        normal = self._normals()  # the second of a pair is kept for the next call

        def draw():
            while True:
                n = next(normal)
                v = one + a2 * n
                if v <= 0:
                    continue
                v, u = v * v * v, np.float32(self.uniform())
                if u <= 1 - 0.0331 * float(n) ** 4:
                    break
                if np.log(u) <= 0.5 * float(n) ** 2 + float(a1) * float(one - v + np.log(v)):
                    break
            if alpha == minimum:
                return float(a1 * v)
            return float(np.power(np.float32(self.uniform()), one / alpha) * a1 * v)

        return draw

    def bits(self):
        """An int of 64 random bits."""
        return self._picks.word() << 32 | self._picks.word()

    def generator(self):
        """A generator of NumPy's, for many numbers at once."""
        return np.random.Generator(np.random.PCG64(self.bits()))


class LibraryDraws:
    """The draws of MindSpore's Python transforms: from the modules ``random`` and ``numpy.random``."""

    uniform = about_middle = staticmethod(random.uniform)
    double, integer, choice = staticmethod(random.random), staticmethod(random.randint), staticmethod(random.choice)
    normal = staticmethod(np.random.normal)

    @staticmethod
    def chance(probability):
        """True with this probability."""
        return random.random() < probability

    @staticmethod
    def shuffled(items):
        """``items`` (list), shuffled in place."""
        random.shuffle(items)
        return items

    @staticmethod
    def generator():
        """An object with the functions of NumPy's generators."""
        return np.random


class Lane:
    """The random engines of one of MindSpore's n workers, which takes every n-th row; each transform has an engine.

    Args:
        seed (int): of the pipeline, and of nested transforms.
        number (int): of the worker; its other transforms are seeded by ``seed + number``.
        is_alone (bool): whether it is the only worker, so that the draws of Python transforms are ordered. Default:
            ``False``.
    """

    def __init__(self, seed, number, is_alone=False):
        self.seeds, self.is_alone, self._engines = ((seed + number) & _WORD, seed), is_alone, {}

    def draws_of(self, transform):
        """The `EngineDraws` of ``transform``, which continue from row to row."""
        draws = self._engines.get(id(transform))
        if draws is None:
            draws = self._engines[id(transform)] = EngineDraws(self.seeds[_here.is_within])
        return draws


class _Here(threading.local):
    """The random source of this thread: that of the current row, or the state after the last call."""

    row: Any = None
    lane: Any = None
    is_within = False  # a transform that another transform chose
    rest: Any = None


_here = _Here()
_LIBRARY = LibraryDraws()


def begin_row(key, lane=None):
    """Sets the row of this thread's random operations, by its ``key`` (int, or None), and their `Lane`."""
    _here.row, _here.lane = key, lane


def is_in_pipeline():
    """Whether this thread transforms a row of a pipeline."""
    return _here.row is not None or _here.lane is not None


def within(function, *args):
    """Calls ``function(*args)``, which applies transforms that a random transform has chosen."""
    before, _here.is_within = _here.is_within, True
    try:
        return function(*args)
    finally:
        _here.is_within = before


def each_of(function, images):
    """``function`` of each of ``images`` in one call, each with new random numbers."""
    lane, row = _here.lane, _here.row
    try:
        if lane is None and row is None and _Eager.is_chosen:
            _here.lane = Lane(_Eager.seed, 0, is_alone=True)
        results = []
        for number, image in enumerate(images):
            _here.row = row if row is None else mixed(row, number)
            results.append(function(image))
        return results
    finally:
        _here.lane, _here.row = lane, row


def draws_of(transform, in_python=False):
    """The random numbers of one transform for the current row: equal in two pipelines with one seed.

    With a seed they are those of MindSpore's transform, which has an engine in each `Lane`, and restarts it in each
    call outside a pipeline. ``in_python``: whether MindSpore's transform draws from Python's generators.

    Returns:
        Draws | EngineDraws | LibraryDraws.
    """
    if in_python and (_here.row is None if _here.lane is None else _here.lane.is_alone):
        return _LIBRARY
    if _here.lane is not None:
        return _here.lane.draws_of(transform)
    if _here.row is not None:
        return Draws(mixed(_here.row, type(transform).__name__))
    if _Eager.is_chosen:
        return EngineDraws(_Eager.seed)
    if _here.rest is None or _here.rest[0] != _Eager.seed:
        _here.rest = _Eager.seed, Draws(mixed(_Eager.seed, "eager"))
    return _here.rest[1]


class _Eager:
    """The seed of operations called outside a pipeline."""

    seed = int.from_bytes(os.urandom(8), "little")
    is_chosen = False


def seed_eager(seed, is_chosen):
    """Restarts the random numbers of operations called outside a pipeline."""
    _Eager.seed, _Eager.is_chosen = seed, is_chosen
    _here.rest = None
