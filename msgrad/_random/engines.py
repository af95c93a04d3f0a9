"""Random engines of the C++ library, and the distributions over them as libstdc++ computes them, in bulk.

MindSpore's CPU kernels draw from ``std::default_random_engine``, which is ``minstd_rand0``, and from ``std::mt19937``.
"""

import functools
import math
from typing import Any

import numpy as np

from . import philox

MODULUS = 2**31 - 1  # a Mersenne prime: a product is reduced by adding its upper bits to its lower ones
FACTOR = 16807
_DIGIT = float(MODULUS - 1)  # the count of its numbers, which start at 1
_SHIFT, _LOW = np.uint64(31), np.uint64(MODULUS)


def multiplied(a, b):
    """``a * b`` modulo 2**31 - 1 of uint64 arrays below it, of NumPy or of JAX."""
    product = a * b
    product = (product >> _SHIFT) + (product & _LOW)
    product = (product >> _SHIFT) + (product & _LOW)
    return product - _LOW * (product >= _LOW)


@functools.lru_cache(64)
def powers(count):
    """Rows and columns whose outer product contains the first ``count`` powers of the factor."""
    width = 1 << max(math.ceil(math.log2(max(count, 1)) / 2), 0)
    columns = np.empty(width, np.uint64)
    columns[0] = FACTOR
    filled = 1
    while filled < width:
        columns[filled : 2 * filled] = multiplied(columns[:filled], np.uint64(pow(FACTOR, filled, MODULUS)))
        filled *= 2
    rows = np.array([pow(FACTOR, width * row, MODULUS) for row in range(-(-count // width))], np.uint64)
    return rows, columns


def states_after(state, count):
    """The ``count`` states of ``minstd_rand0`` that follow ``state``, a uint64."""
    rows, columns = powers(count)
    return multiplied(multiplied(state, rows)[:, None], columns[None, :]).reshape(-1)[:count]


def as_floats(states, numpy=np):
    """``std::uniform_real_distribution<float>`` over states of ``minstd_rand0``: in [0, 1)."""
    floats = (states.astype(numpy.int32) - 1).astype(numpy.float32) * np.float32(2.0**-31)
    # Rounding may give 1, which libstdc++ replaces by the next lower float; the functions below do the same.
    return numpy.minimum(floats, np.nextafter(np.float32(1), np.float32(0)))


def as_doubles(states, numpy=np):
    """``std::uniform_real_distribution<double>`` over pairs of states of ``minstd_rand0``: in [0, 1)."""
    digits = states.astype(numpy.float64) - 1
    return numpy.minimum((digits[..., 0] + digits[..., 1] * _DIGIT) / _DIGIT**2, np.nextafter(1.0, 0.0))


class Engine:
    """An engine with words from 0 to ``largest``, and the library's distributions over them."""

    largest: Any
    words: Any

    def integers(self, low, high, count):
        """``std::uniform_int_distribution`` of libstdc++ 10 and older: ints in ``[low, high)``."""
        width = high - low
        scale = self.largest // width
        accepted = []
        while count > 0:
            words = self.words(count)
            words = words[words < scale * width]
            accepted.append(words // words.dtype.type(scale))
            count -= len(words)
        return np.concatenate(accepted).astype(np.int64) + low if accepted else np.empty(0, np.int64)


class Minstd(Engine):
    """``std::minstd_rand0``, seeded."""

    largest = MODULUS - 2

    def __init__(self, seed):
        self.state = seed % MODULUS or 1

    def skip(self, count):
        """Skips ``count`` numbers."""
        self.state = self.state * pow(FACTOR, count, MODULUS) % MODULUS

    def words(self, count):
        """The next ``count`` numbers minus 1, the smallest: uint64."""
        words = states_after(np.uint64(self.state), count) - np.uint64(1)
        self.skip(count)
        return words

    def normals(self, count):
        """``std::normal_distribution<float>``: the polar method, two values from each pair inside the unit circle."""
        wanted, count_found, parts = -(-count // 2), 0, []
        while count_found < wanted:
            pairs = int((wanted - count_found) * 1.3) + 16  # a pair is inside with probability pi / 4
            point = as_floats(states_after(np.uint64(self.state), 2 * pairs)) * np.float32(2) - np.float32(1)
            x, y = point[0::2], point[1::2]
            square = x * x + y * y
            inside = np.flatnonzero((square <= 1) & (square != 0))[: wanted - count_found]
            self.skip(2 * (int(inside[-1]) + 1 if count_found + len(inside) == wanted else pairs))
            x, y, square = x[inside], y[inside], square[inside]
            scale = np.sqrt(np.float32(-2) * np.log(square.astype(np.float64)).astype(np.float32) / square)
            parts.append(np.stack([y * scale, x * scale], axis=1).reshape(-1))
            count_found += len(inside)
        return np.concatenate(parts)[:count] if parts else np.empty(0, np.float32)


class Mersenne(Engine):
    """``std::mt19937``, seeded; NumPy's legacy seeding with one number is the same."""

    largest = 2**32 - 1

    def __init__(self, seed):
        self._engine = np.random.RandomState(seed % (1 << 32))

    @property
    def state(self):
        return self._engine.get_state()

    @state.setter
    def state(self, state):
        self._engine.set_state(state)

    def words(self, count):
        """The next ``count`` numbers, uint32."""
        return self._engine.randint(0, 1 << 32, count, np.uint32)

    def uniforms(self, count):
        """``std::uniform_real_distribution<double>``: float64 in [0, 1), of two words each."""
        words = self.words(2 * count).astype(np.float64)
        return np.minimum((words[0::2] + words[1::2] * 2.0**32) * 2.0**-64, np.nextafter(1.0, 0.0))


class Philox(Engine):
    """Philox 4x32-10 as MindSpore's kernels use it: ``key`` and ``stream`` of 64 bits; the state counts words."""

    def __init__(self, key, stream):
        self.key, self.stream, self.state = key % 2**64, stream % 2**64, 0

    def skip(self, count):
        """Skips ``count`` words."""
        self.state += count

    def words(self, count):
        """The next ``count`` words, uint32."""
        first, begun = divmod(self.state, philox.WORDS)
        numbers = np.arange(first, first - (-(begun + count) // philox.WORDS), dtype=np.uint64)
        blocks = philox.blocks(self.key, numbers, self.stream)
        self.skip(count)
        return blocks.reshape(-1)[begun : begun + count]

    def doubles(self, count):
        """``count`` floats in [0, 1) of two words each."""
        words = self.words(2 * count).astype(np.uint64)
        return philox.doubles(words[0::2], words[1::2])

    def fractions(self, count):
        """``count`` float32 in [0, 1) of the lower 23 bits of a word each."""
        return (self.words(count) & np.uint32(0x7FFFFF)).astype(np.float32) * np.float32(2.0**-23)

    def place(self):
        """Key, block number and stream, uint32 of shape ``(6,)``, for programs that continue from here."""
        wholes = self.key, self.state // philox.WORDS, self.stream
        return np.array([half for whole in wholes for half in (whole & 0xFFFFFFFF, whole >> 32)], np.uint32)
