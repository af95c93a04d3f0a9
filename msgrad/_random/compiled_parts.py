"""Uniform and normal values by compiled programs: what NumPy computes in `filling`, in a half or a third of the time.

XLA's vector code may contract products and sums, and the logarithm, sine and cosine below are off by a few units in the
last place of float64. So a value whose rounding to float32 depends on that is NaN, one in ten million, and NumPy
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

BLOCKS = 32_768  # of a launch: 0.5 MB of values
PI, SMALLEST = float(np.float32(3.1415926)), float(np.float32(1e-7))  # the latter replaces zero, which has no logarithm

_LEAST = 1e-29  # smallest size of a distribution: below, values may be subnormal, which XLA takes for zeros
_NORMAL = 1e-37  # float32 above it are not subnormal
_HALF_PI = 1.5707963267341256, 6.077100506506192e-11  # the upper 33 bits, so that multiples by 4 are exact; the rest
_LOGARITHM = [1 / (2 * k + 1) for k in range(11)]  # of Taylor series: atanh up to 0.1716, sine and cosine to pi / 4
_SINE = [(-1) ** k / math.factorial(2 * k + 1) for k in range(9)]
_COSINE = [(-1) ** k / math.factorial(2 * k) for k in range(10)]


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
        keys = np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint32)
        values = jax_options.launched(self.executable, np.uint64(start), keys, np.array(numbers))
        return np.asarray(values).reshape(-1)


def _part(columns):
    def part(start, keys, numbers):
        counter = start + jnp.arange(BLOCKS, dtype=jnp.uint64)
        halves = counter, counter >> 32, jnp.broadcast_to(keys[0], BLOCKS), jnp.broadcast_to(keys[1], BLOCKS)
        words = tuple([half.astype(jnp.uint32) for half in halves])
        # A loop: XLA would compile ten rounds written out for longer, and run them no faster.
        words, _ = lax.fori_loop(0, philox.ROUNDS, lambda _, state: philox.round_of_words(*state), (words, keys))
        return jnp.stack(columns(words, *numbers), axis=1)

    return part


def _uniform(words, low, high):
    error = jnp.maximum(abs(low), abs(high)) * 2.0**-50
    return [_certain(word.astype(jnp.float64) * 2.0**-32 * (high - low) + low, error) for word in words]


def _normal(words, mean, sigma):
    values = []
    for first, second in (words[:2], words[2:]):
        radius = jnp.sqrt(_logarithm(_unit(first)) * -2) * sigma
        for part in _cosine_and_sine(_unit(second).astype(jnp.float64) * (2 * PI)):
            value = radius * part
            values.append(_certain(value + mean, (abs(value) + abs(mean)) * 2.0**-48))
    return values


def _unit(words):
    """The float32 in (0, 1) of the low 23 bits of words."""
    return jnp.maximum(_float32(127, words) - 1, np.float32(SMALLEST))


def _float32(exponent, words):
    """The float32 of a biased exponent and of the low 23 bits of words."""
    bits = words & np.uint32(0x7FFFFF) | np.uint32(exponent << 23)
    return lax.bitcast_convert_type(bits, jnp.float32)


def _certain(value, error):
    """``value`` rounded to float32, NaN where one of ``value - error`` and ``value + error`` is rounded otherwise."""
    low, high = (value - error).astype(jnp.float32), (value + error).astype(jnp.float32)
    return jnp.where((low == high) & (abs(low) > np.float32(_NORMAL)), low, np.float32(math.nan))


def _logarithm(x):
    """The natural logarithm of positive float32, in float64: ``exponent * log 2 + 2 atanh((m - 1) / (m + 1))``."""
    bits = lax.bitcast_convert_type(x, jnp.uint32)
    fraction = _float32(126, bits).astype(jnp.float64)  # in [1/2, 1)
    is_low = fraction < math.sqrt(0.5)
    fraction = jnp.where(is_low, 2 * fraction, fraction)
    exponent = (bits >> 23).astype(jnp.int32) - 126 - is_low
    ratio = (fraction - 1) / (fraction + 1)
    return exponent.astype(jnp.float64) * math.log(2) + 2 * ratio * _polynomial(_LOGARITHM, ratio * ratio)


def _cosine_and_sine(angle):
    """Cosine and sine of angles in [0, 2 pi]."""
    quadrant = jnp.floor(angle * (2 / math.pi) + 0.5)
    rest = angle - quadrant * _HALF_PI[0] - quadrant * _HALF_PI[1]
    square = rest * rest
    sine, cosine = rest * _polynomial(_SINE, square), _polynomial(_COSINE, square)
    quadrant = quadrant.astype(jnp.int32)
    is_odd = quadrant & 1 == 1
    sine, cosine = jnp.where(is_odd, cosine, sine), jnp.where(is_odd, sine, cosine)
    return jnp.where((quadrant + 1) & 2 == 2, -cosine, cosine), jnp.where(quadrant & 2 == 2, -sine, sine)


def _polynomial(coefficients, x):
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total


# 10 million values take 0.07 s of processor time, by NumPy 0.14, and 0.14 instead of 0.46; compiling takes 0.3 and 0.5.
UNIFORM = CompiledPart(_uniform, 40_000_000)
NORMAL = CompiledPart(_normal, 12_000_000)


def _leave():
    UNIFORM.least = NORMAL.least = math.inf


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave)  # where XLA has no threads
