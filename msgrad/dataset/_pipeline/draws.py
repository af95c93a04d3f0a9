"""Random numbers that depend on where they are drawn and not on when: seed, epoch, row and operation fix them.

So a pipeline gives the same rows whatever the number of its workers.
"""

import math
import os
import threading
import zlib

import numpy as np

_MASK = (1 << 64) - 1
_WORD = (1 << 32) - 1
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

    def generator(self):
        """A generator of NumPy's, for many numbers at once."""
        return np.random.Generator(np.random.PCG64(self.bits()))


class _Here(threading.local):
    """The random source of this thread: that of the row in progress, or the state after the last call."""

    row = None
    rest = None


_here = _Here()


def begin_row(key):
    """Random operations of this thread belong to the row that ``key`` (int) fixes, or to none (None)."""
    _here.row = key


def draws_of(name):
    """The random numbers of one operation for the row at work.

    Args:
        name (str): of the operation. In two pipelines of one seed it draws the same for the same row.
    Returns:
        Draws.
    """
    if _here.row is not None:
        return Draws(mixed(_here.row, name))
    if _here.rest is None or _here.rest[0] != _Eager.seed:
        _here.rest = _Eager.seed, Draws(mixed(_Eager.seed, "eager"))
    return _here.rest[1]


class _Eager:
    """The seed of operations that are called outside of a pipeline."""

    seed = int.from_bytes(os.urandom(8), "little")


def seed_eager(seed):
    """Restarts the random numbers of operations that are called outside of a pipeline."""
    _Eager.seed = seed
    _here.rest = None
