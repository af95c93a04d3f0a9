"""The random streams of operations: what each call draws, as in MindSpore's CPU kernels.

An operation has two seeds: that of ``set_seed``, and one that counts the calls by name. A kernel mixes them into the
seed of an engine. A function of ``ops`` takes new seeds at each call; a Primitive, and an operation in a compiled
program, keeps its seeds and its engine, which goes on.
"""

import threading
import weakref

from . import philox
from .engines import Minstd

_LIMIT = 2**31 - 1
_STEP = 3528531795 ^ 3449720151  # difference between the seeds of two calls
_SEED_OF_ZERO = 87654321
_MIXING_KEY = 0x3EC8F720, 0x02461E29


class _OpSeeds:
    """The seed of ``set_seed`` or None, and the next seed of each ``(name, seed)``."""

    seed = None
    next_of = {}


def restart(seed):
    """Resets the call counts, for a new seed of the process."""
    _OpSeeds.seed = seed
    _OpSeeds.next_of.clear()


def op_seeds(name, seed=None):
    """The two seeds of one call of the operation ``name`` with the argument ``seed``; None if nothing is seeded."""
    first = _SEED_OF_ZERO if _OpSeeds.seed == 0 else _OpSeeds.seed or 0
    seed = seed or 0
    if not first and not seed:
        return None
    second = _OpSeeds.next_of.get((name, seed), seed)
    _OpSeeds.next_of[name, seed] = second + _STEP
    return first % _LIMIT, second % _LIMIT


class Stream:
    """The random stream of one operation and shape: its engine keeps its state between calls.

    Args:
        seeds (tuple[int, int]): not both 0.
        shape (tuple[int]): the shape of the result.
        more (object): further arguments of ``draw``.
    """

    _all = weakref.WeakSet()  # for `state`; weak, so that streams of deleted operations are freed
    engine = Minstd

    def __init__(self, seeds, shape, *more):
        self._seeds, self._shape, self._more = seeds, shape, more
        self._made = None
        self._lock = threading.Lock()
        Stream._all.add(self)

    def next_key(self):
        """The random operand of one call, an array; named as in generators of JAX keys, whose interface it has."""
        with self._lock:
            if self._made is None:
                self._made = self.made(self._seeds)
            return self.draw(self._made, self._shape, *self._more)

    def peek(self, count):
        """The operand of the call after the next ``count`` ones, whose draws stay to be made; None before the first."""
        with self._lock:
            if self._made is None:
                return None
            before = self._made.state
            operands = [self.draw(self._made, self._shape, *self._more) for _ in range(count + 1)]
            self._made.state = before
            return operands[-1]

    def made(self, seeds):
        """The engine in its initial state."""
        return self.engine(mixed(*seeds))

    def draw(self, engine, shape):
        """Draws the numbers of one call, an array."""
        raise NotImplementedError


def mixed(first, second):
    """The seed of an engine, 64 bits, from the two seeds of an operation."""
    low, high, _, _ = philox.block((first & 0xFFFFFFFF, first >> 32, second & 0xFFFFFFFF, second >> 32), _MIXING_KEY)
    return high << 32 | low


def state():
    """The call counts and the state of each stream's engine, for `set_state`."""
    streams = [(weakref.ref(stream), stream._made and stream._made.state) for stream in Stream._all]
    return _OpSeeds.seed, dict(_OpSeeds.next_of), streams


def set_state(before):
    """Restores ``before``, a result of `state`; streams made since are reset to their initial state."""
    _OpSeeds.seed, counts, streams = before
    _OpSeeds.next_of.clear()
    _OpSeeds.next_of.update(counts)
    for stream in Stream._all:
        stream._made = None
    for reference, engine_state in streams:
        stream = reference()
        if stream is not None and engine_state is not None:
            stream._made = stream.made(stream._seeds)
            stream._made.state = engine_state
