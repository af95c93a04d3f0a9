"""Random numbers that depend on where they are drawn and not on when.

Either seed, epoch, row and operation fix them, whatever the number of workers; or they are those of MindSpore's
transforms, which have an engine in each of its workers.
"""

import math
import os
import random
import threading
import zlib

import numpy as np

from ..._random.engines import Mersenne
from ..._random.shuffling import Picks, reshuffled

_MASK = (1 << 64) - 1
_WORD = (1 << 32) - 1
_FEW = 64  # words made at once, of which most transforms need one or two for a row
_BELOW_ONE = np.nextafter(np.float32(1), np.float32(0))
_STEP = 0x9E3779B97F4A7C15


def mixed(*parts):
    """A number of 64 bits that depends on all of ``parts`` (ints or strings)."""
    state = 0
    for part in parts:
        state = _scrambled(state + _STEP ^ (zlib.crc32(part.encode()) if isinstance(part, str) else part & _MASK))
    return state


def _scrambled(state):
    """The output function of SplitMix64: every bit of ``state`` changes about half of the bits."""
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
    return state ^ state >> 31


class Draws:
    """A stream of random numbers (SplitMix64): cheap to make, unlike NumPy's generators.

    Args:
        key (int): fixes the stream.
        epoch (int): its number, from 0 on. Default: ``0``.
        seed (int): 32 bits, the same in all epochs, for what is drawn as MindSpore draws it. Default: of the key.
        renewed (int): 32 bits, the seed where MindSpore asks for the seed in each epoch again: without one that was set
            they differ. Default: ``seed``.
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

    def uniform(self, low=0.0, high=1.0):
        """A float in ``[low, high)``."""
        return low + (high - low) * ((self.bits() >> 11) / (1 << 53))

    double = about_middle = uniform

    def chance(self, probability):
        """Whether something of this probability happens."""
        return self.uniform() < probability

    def integer(self, low, high):
        """An int from ``low`` to ``high``, both of them possible."""
        return low + self.bits() % (high - low + 1)

    def normal(self, mean=0.0, deviation=1.0):
        """A float, normally distributed."""
        radius = math.sqrt(-2 * math.log(1 - self.uniform()))
        return mean + deviation * radius * math.cos(2 * math.pi * self.uniform())

    def choice(self, items):
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
        """A random order of ``size`` rows, a list; with a seed each epoch shuffles that of the one before alike."""
        if self.renewed != self.seed:
            return reshuffled(size, self.renewed, 0, 0)
        return reshuffled(size, self.seed, 0, self.epoch)

    def sampled(self, items, count):
        """``count`` of ``items``."""
        return self.shuffled(items)[:count]

    def betas(self, alpha):
        """A function that draws a number of the beta distribution with ``alpha`` twice."""
        generator = self.generator()
        return lambda: generator.beta(alpha, alpha)

    def generator(self):
        """A generator of NumPy's, for many numbers at once."""
        return np.random.Generator(np.random.PCG64(self.bits()))


class EngineDraws:
    """What one of MindSpore's random transforms draws, from a ``std::mt19937`` of its own.

    Args:
        seed (int): of the engine.
    """

    def __init__(self, seed):
        self._picks, self._normal = Picks(Mersenne(seed), _FEW), self._normals()

    def uniform(self, low=0.0, high=1.0):
        """``std::uniform_real_distribution<float>``, a float."""
        low, high = np.float32(low), np.float32(high)
        share = min(np.float32(self._picks.word()) * np.float32(2.0**-32), _BELOW_ONE)
        return float(share * (high - low) + low)

    def about_middle(self, low, high):
        """A float in ``[low, high)``, which lies as far from the middle as one from -1 to 1 says."""
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
        """Yields standard normal float32: two of each pair inside of the unit circle."""
        two, one = np.float32(2), np.float32(1)
        while True:
            x, y = (two * np.float32(self.uniform()) - one for _ in range(2))
            square = x * x + y * y
            if 0 < square <= 1:
                scale = np.sqrt(np.float32(-2) * np.log(square) / square)
                yield y * scale
                yield x * scale

    def choice(self, items):
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
            # One number gives two shares.
            shares = divmod(self._picks.below(left * (left - 1)), left - 1) if left > 1 else [self._picks.below(left)]
            for share in shares:
                if count and share < count:
                    chosen.append(items[-left])
                    count -= 1
                left -= 1
        return chosen

    def betas(self, alpha):
        """A function that draws a number of the beta distribution: the share of one gamma number in the sum of two."""
        first, second = self._gammas(alpha), self._gammas(alpha)

        def draw():
            share = first()
            return share / (share + second())

        return draw

    def _gammas(self, alpha):
        """A function that draws by a ``std::gamma_distribution<float>`` of scale 1 of its own."""
        one, alpha = np.float32(1), np.float32(alpha)
        minimum = alpha + one if alpha < 1 else alpha
        a1 = minimum - one / np.float32(3)
        a2 = one / np.sqrt(np.float32(9) * a1)
        normal = self._normals()  # of which the second of a pair is kept for the next call

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
    """What MindSpore's transforms in Python draw: from the modules ``random`` and ``numpy.random``."""

    uniform = about_middle = staticmethod(random.uniform)
    double, integer, choice = staticmethod(random.random), staticmethod(random.randint), staticmethod(random.choice)
    normal = staticmethod(np.random.normal)

    @staticmethod
    def chance(probability):
        """Whether something of this probability happens."""
        return random.random() < probability

    @staticmethod
    def shuffled(items):
        """``items`` (list), which is shuffled itself."""
        random.shuffle(items)
        return items

    @staticmethod
    def generator():
        """What has the functions of NumPy's generators."""
        return np.random


class Lane:
    """The random transforms of one of MindSpore's workers, which takes every n-th row of n: each has its engine.

    Args:
        seed (int): of the pipeline, and of transforms within others.
        number (int): of the worker; its other transforms have this seed and the number.
        is_alone (bool): whether it is the only worker, so that what transforms in Python draw has an order. Default:
            ``False``.
    """

    def __init__(self, seed, number, is_alone=False):
        self.seeds, self.is_alone, self._engines = ((seed + number) & _WORD, seed), is_alone, {}

    def draws_of(self, transform):
        """What ``transform`` draws from, `EngineDraws`, which go on from row to row."""
        draws = self._engines.get(id(transform))
        if draws is None:
            draws = self._engines[id(transform)] = EngineDraws(self.seeds[_here.is_within])
        return draws


class _Here(threading.local):
    """The random source of this thread: that of the row in progress, or the state after the last call."""

    row = None
    lane = None
    is_within = False  # a transform that another one chose
    rest = None


_here = _Here()
_LIBRARY = LibraryDraws()


def begin_row(key, lane=None):
    """Random operations of this thread belong to the row that ``key`` (int) fixes, or to none, and to a `Lane`."""
    _here.row, _here.lane = key, lane


def within(function, *args):
    """``function(*args)``, which applies transforms that a random one has chosen."""
    before, _here.is_within = _here.is_within, True
    try:
        return function(*args)
    finally:
        _here.is_within = before


def draws_of(transform, in_python=False):
    """The random numbers of one transform for the row at work: in two pipelines of one seed they are the same.

    With a seed they are those of MindSpore's transform, which has an engine in each `Lane`, and begins it anew in each
    call by itself. ``in_python`` says that MindSpore's draws from Python's generators here.

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
    """The seed of operations that are called outside of a pipeline."""

    seed = int.from_bytes(os.urandom(8), "little")
    is_chosen = False


def seed_eager(seed, is_chosen):
    """Restarts the random numbers of operations that are called outside of a pipeline."""
    _Eager.seed, _Eager.is_chosen = seed, is_chosen
    _here.rest = None
