"""Uniform and normal values by compiled programs: what NumPy computes in `filling`, in a quarter of the time or less.

XLA's vector code may contract products and sums, and the logarithm, sine and cosine below are off by a few units in the
last place of float64. So a value whose rounding to float32 depends on that is NaN, mostly one in ten million, and NumPy
computes it.
"""

import math
import os
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..engine import foreign_tracing, host, jax_options
from ..engine.execution.executables import Executable
from . import philox

BLOCKS = 65_536  # of a launch: 1 MB of values
PI, SMALLEST = float(np.float32(3.1415926)), float(np.float32(1e-7))  # the latter replaces zero, which has no logarithm

_LEAST = 1e-29  # smallest size of a distribution: below, values may be subnormal, which XLA takes for zeros
_NORMAL = 1e-37  # float32 above it are not subnormal
_FRACTION = 23  # bits of a word from which a normal value is computed
_ROOT_HALF, _BIAS = int(np.float64(math.sqrt(0.5)).view(np.uint64)), 64
_QUARTER = math.pi / 2 - PI / 2 + 6.123233995736766e-17  # pi / 2 minus that of MindSpore's pi
_LOGARITHM = [1 / (2 * k + 1) for k in range(10)]  # of Taylor series: atanh up to 0.1716, sine and cosine to pi / 4
_SINE = [(-1) ** k / math.factorial(2 * k + 1) for k in range(8)]
_COSINE = [(-1) ** k / math.factorial(2 * k) for k in range(9)]
_RECIPROCAL = 1.9721, -1.45084, 0.471929, -0.0572729  # 1 / x between 1.7 and 2.42 up to 1.3e-4


class CompiledPart:
    """The program of one distribution for `BLOCKS` blocks of a Philox stream.

    Args:
        columns (function): of the four columns of words and of the distribution's two numbers; gives columns of values.
        least (int): number of values in this process from which on it is worth compiling.
    """

    least: Any

    def __init__(self, columns, least):
        self.least, self.drawn = least, 0
        self.executable = Executable(_part(columns), (__name__, columns.__name__))

    def is_worth(self, count, *numbers):
        """Whether to use it for the next ``count`` values."""
        self.drawn += count
        if self.drawn < self.least or foreign_tracing.is_under_way() or not host.is_cpu(host.current_device()):
            return False
        return _LEAST < max(map(abs, numbers)) < math.inf

    def __call__(self, seed, start, *numbers):
        """The values of `BLOCKS` blocks from block ``start`` on, float32 of one axis; NaN where they are uncertain."""
        keys = np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint64)
        values = jax_options.launched(self.executable, np.uint64(start), keys, np.array(numbers))
        return np.asarray(values).view(np.float32)


def _part(columns):
    def part(start, keys, numbers):
        counter = start + jnp.arange(BLOCKS, dtype=jnp.uint64)
        low, high = keys
        words = philox.block((counter, counter >> 32, low, high), (low, high))
        return _joined(columns(words, *numbers))

    return part


def _joined(columns):
    """Four columns of float32 as the elements of one complex128, so that they lie side by side in memory.

    An array with an axis for them is written value by value: with it all is one kernel of vector code.
    """
    bits = [lax.bitcast_convert_type(column, jnp.uint32).astype(jnp.uint64) for column in columns]
    return lax.complex(_as_float(bits[0] | bits[1] << 32), _as_float(bits[2] | bits[3] << 32))


def _uniform(words, low, high):
    # Products of 32 bits and at most 21 are exact: then nothing depends on contraction. Bounds such as 1 / 32, those of
    # layers with 1 024 inputs, have few bits, and one value in 40 lies in the middle of two of float32.
    is_exact = _as_bits(high - low) << 32 == 0
    error = jnp.where(is_exact, 0.0, jnp.maximum(abs(low), abs(high)) * 2.0**-50)
    return [_certain(_converted(word) * 2.0**-32 * (high - low) + low, error) for word in words]


def _normal(words, mean, sigma):
    values = []
    for first, second in (words[:2], words[2:]):
        radius = jnp.sqrt(_logarithm(_unit(first)) * -2) * sigma
        for part in _cosine_and_sine(second):
            value = radius * part
            values.append(_certain(value + mean, (abs(value) + abs(mean)) * 2.0**-48))
    return values


def _unit(words):
    """The fractions in (0, 1) of the low 23 bits of words."""
    return jnp.maximum(_converted(_low_bits(words)) * 2.0**-_FRACTION, SMALLEST)


def _low_bits(words):
    return words & ((1 << _FRACTION) - 1)


def _certain(value, error):
    """``value`` rounded to float32, NaN where one of ``value - error`` and ``value + error`` is rounded otherwise."""
    low, high = (value - error).astype(jnp.float32), (value + error).astype(jnp.float32)
    return jnp.where((low == high) & (abs(low) > np.float32(_NORMAL)), low, np.float32(math.nan))


# Integers and floats below have 64 bits each, so that vectors of them are never widened or narrowed.


def _as_float(bits):
    return lax.bitcast_convert_type(bits, jnp.float64)


def _as_bits(x):
    return lax.bitcast_convert_type(x, jnp.uint64)


def _converted(integers):
    """The float64 of uint64 below 2**52: as the fraction of a number in [2**52, 2**53)."""
    return _as_float(integers | 0x433 << 52) - 2.0**52


def _logarithm(x):
    """The natural logarithm of x in (0, 1]: ``exponent * log 2 + 2 atanh((m - 1) / (m + 1))``."""
    exponent = (_as_bits(x) - (_ROOT_HALF - (_BIAS << 52))) >> 52  # plus the bias
    m = _as_float(_as_bits(x) - (exponent << 52) + (_BIAS << 52))  # between the roots of 1/2 and of 2
    reciprocal = _polynomial(_RECIPROCAL, m + 1)
    for _ in range(2):  # Newton's steps: XLA computes a division in a kernel of its own, which stores its results
        reciprocal = reciprocal * (2 - (m + 1) * reciprocal)
    ratio = (m - 1) * reciprocal
    return (_converted(exponent) - _BIAS) * math.log(2) + 2 * ratio * _polynomial(_LOGARITHM, ratio * ratio)


def _cosine_and_sine(words):
    """Cosine and sine of the fraction of a turn that the low bits of words say, with MindSpore's pi."""
    quadrant = (_low_bits(words) + (1 << _FRACTION - 3)) >> _FRACTION - 2  # 0 to 4: the nearest multiple of pi / 2
    number = _converted(quadrant)
    rest = (_unit(words) - number / 4) * (2 * PI) - number * _QUARTER
    square = rest * rest
    sine, cosine = rest * _polynomial(_SINE, square), _polynomial(_COSINE, square)
    is_odd = quadrant & 1 == 1
    sine, cosine = jnp.where(is_odd, cosine, sine), jnp.where(is_odd, sine, cosine)
    return _negated(cosine, quadrant + 1 & 2), _negated(sine, quadrant & 2)


def _negated(x, is_two):
    """``-x`` where ``is_two`` is 2, ``x`` where it is 0."""
    return _as_float(_as_bits(x) ^ is_two << 62)


def _polynomial(coefficients, x):
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total


# 10 million values take 0.035 s of processor time, by NumPy 0.14, and 0.07 for 0.46; compiling takes 0.2 and 0.3.
UNIFORM = CompiledPart(_uniform, 20_000_000)
NORMAL = CompiledPart(_normal, 8_000_000)


def _leave():
    UNIFORM.least = NORMAL.least = math.inf


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave)  # where XLA has no threads
