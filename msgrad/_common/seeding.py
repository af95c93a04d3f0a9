"""MindSpore's seeds and generators. The whole process draws from one stream of keys (`engine.random`)."""

from typing import Any

import numpy as np

from .. import _upcalls
from .._random import streams
from ..engine import random
from ..engine.refusal import refuse, require
from ..tensor.tensor import Tensor

_HALF = 1 << 63  # number of values of a seed, an int64


class Generator:
    """A random generator, whose state is a seed and an offset.

    It starts with seed 0.

    Example:
        >>> generator = Generator().manual_seed(5)
        >>> generator.initial_seed()
        5
    Source: mindspore.Generator
    """

    def __init__(self):
        self._stream = random.Generator()

    def manual_seed(self, seed):
        """Restarts at ``seed`` (int) and returns this generator.

        Raises:
            TypeError: if ``seed`` is not an int.  RuntimeError: if it has more than 64 bits.
        Source: mindspore.Generator.manual_seed
        """
        if not -_HALF <= require(seed, int, "manual_seed", "seed") < _HALF:
            refuse(RuntimeError, "manual_seed", "seed", "an int64", seed)
        self._stream.manual_seed(seed)
        return self

    def seed(self) -> int:
        """Restarts at an unpredictable seed and returns that seed (int).  Source: mindspore.Generator.seed"""
        return self._stream.seed()

    def initial_seed(self) -> int:
        """The seed (int) of the last restart.  Source: mindspore.Generator.initial_seed"""
        seed = self._stream.initial_seed()
        return seed - 2 * _HALF if seed >= _HALF else seed

    def get_state(self):
        """The state, a Tensor of shape ``(16,)``, dtype uint8.  Source: mindspore.Generator.get_state"""
        return Tensor(self._stream.get_state())

    def set_state(self, state):
        """Continues from ``state``, a Tensor that ``get_state`` returned.

        Raises:
            RuntimeError: if it is anything else.
        Source: mindspore.Generator.set_state
        """
        self._stream.set_state(state.asnumpy() if isinstance(state, Tensor) else state)

    def _step(self, step):
        """Advances by ``step`` (Tensor of an int) draws; returns the seed and the previous offset, int64 Tensors.

        Raises:
            RuntimeError: if ``step`` is not a Tensor.
        """
        if not isinstance(step, Tensor):
            raise RuntimeError(f"Invalid tensor input: Step. It must be a Tensor of an int, but got {step!r}.")
        seed, offset = self._stream.get_state().view(np.int64).tolist()
        self._stream.set_state(np.array([seed, offset + int(step)], np.int64).view(np.uint8))
        return Tensor(np.int64(seed)), Tensor(np.int64(offset))

    def next_key(self):
        """Draws the raw key of one random operation: a numpy array of two uint32."""
        return self._stream.next_key()

    def peek(self, count):
        """The key that is drawn after the next ``count`` ones; none is drawn."""
        return self._stream.peek(count)


default_generator = Generator()
"""The generator of every random operation that is not given one.

Until ``set_seed`` or ``manual_seed`` is called, each process draws other numbers.
"""
default_generator._stream = random.default_generator


class _Global:
    """The seed of the last ``set_seed``."""

    seed: Any = None


def set_seed(seed):
    """Seeds all random numbers: operations, initial values, data pipelines, and ``numpy.random``.

    Args:
        seed (int): in ``[0, 2**32 - 1]``, which is what numpy takes.
    Raises:
        TypeError: if ``seed`` is not an int.  ValueError: if it is out of range.
    Example:
        >>> set_seed(1)
        >>> get_seed()
        1
    Source: mindspore.set_seed
    """
    if not isinstance(seed, int) or isinstance(seed, bool):
        refuse(TypeError, "set_seed", "seed", "an int", seed)
    if not 0 <= seed < 1 << 32:
        refuse(ValueError, "set_seed", "seed", "in the range [0, 2**32)", seed)
    np.random.seed(seed)
    random.default_generator.manual_seed(seed)
    _Global.seed = seed
    streams.restart(seed)
    if _upcalls.seed_datasets is not None:
        _upcalls.seed_datasets(seed)


def get_seed() -> int | None:
    """The seed of the last ``set_seed`` (int), or None.  Source: mindspore.get_seed"""
    return _Global.seed


def seed() -> int:
    """``default_generator.seed()``.  Source: mindspore.seed"""
    return default_generator.seed()


def manual_seed(seed):
    """``default_generator.manual_seed(seed)``.  Source: mindspore.manual_seed"""
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """``default_generator.initial_seed()``.  Source: mindspore.initial_seed"""
    return default_generator.initial_seed()


def get_rng_state():
    """``default_generator.get_state()``.  Source: mindspore.get_rng_state"""
    return default_generator.get_state()


def set_rng_state(state):
    """``default_generator.set_state(state)``.  Source: mindspore.set_rng_state"""
    default_generator.set_state(state)
