"""Which elementwise functions are lowered by formulas for a CPU? Those for which XLA calls the C library.

Of float32, and of half types, which become float32. XLA makes vector code of the formulas and fuses it with what is
around, except for the remainder's two branches. Processor milliseconds for 1e6 float32 (JAX 0.10.2, one core with
AVX-512, load 5; PyTorch 2.13), and the largest error in units of 1e-8, absolute for sine and cosine, relative for the
others:

| | XLA | here | PyTorch | error |
|---|---:|---:|---:|---:|
| sine, cosine (of any size) | 3.9 | 0.87 | 1.0 | 4 |
| tangent (between -1 and 1) | 9.9 | 0.97 | 1.3 | 6 |
| inverse sine | 15 | 0.33 | 1.3 | 18 |
| inverse cosine | 20 | 0.35 | 1.3 | 18 |
| inverse tangent | 10 | 0.19 | 2.1 | 11 |
| atan2 | 20 | 0.26 | 1.0 | 16 |
| remainder | 7.0 | 0.45 | 1.1 | 0 |
"""

import functools
import math
from fractions import Fraction

import jax.numpy as jnp
import numpy as np
from jax import lax

from .replacing import replace

# -- sine, cosine, tangent ------------------------------------------------------------------------------------------

_SINE = [(-1) ** k / math.factorial(2 * k + 1) for k in range(5)]  # Taylor series up to pi / 4
_COSINE = [(-1) ** k / math.factorial(2 * k) for k in range(6)]
_BITS = 400  # of pi behind the point
_EXPONENTS = range(1 - 150, 255 - 150)  # of the last bit of a float32


@functools.cache
def _constants():
    """The powers of 2 in float32, modulo 2 pi, by their exponents; and pi / 2 as a sum, the first part of 26 bits.

    A float32 is an integer times a power of 2. That integer has 24 bits, so that float64 has the product to 1e-8.
    """
    turn = _turn()
    powers = [Fraction((1 << max(n, 0) + _BITS) % turn, 1 << _BITS) * Fraction(2) ** min(n, 0) for n in _EXPONENTS]
    quarter = Fraction(turn, 4 << _BITS)
    upper = Fraction(round(quarter * 2**25), 2**25)
    # Zeros and subnormal numbers have the first exponent, infinity and NaN the last one.
    return np.array([0.0, *map(float, powers), np.nan]), float(upper), float(quarter - upper)


def _turn():
    """2 pi as an integer of `_BITS` bits behind the point, by Machin's formula."""
    one = 1 << _BITS + 20

    def inverse_tangent(divisor):
        power = total = one // divisor
        for k in range(3, 2 * _BITS, 2):
            power //= -divisor * divisor
            total += power // k
        return total

    return 8 * (4 * inverse_tangent(5) - inverse_tangent(239)) >> 20


def _reduced(x):
    """The number of the nearest multiple of pi / 2, and the difference of ``x`` from it, in float64."""
    powers, upper, lower = _constants()
    bits = lax.bitcast_convert_type(x, jnp.uint32)
    fraction = lax.bitcast_convert_type(bits & np.uint32(0x807FFFFF) | np.uint32(150 << 23), jnp.float32)
    exponent = (bits >> 23 & 0xFF).astype(jnp.int32)
    x = fraction.astype(jnp.float64) * jnp.asarray(powers).at[exponent].get(mode="promise_in_bounds")
    number = jnp.round(x * (2 / math.pi))
    rest = jnp.where(number == 0, x, x - number * upper - number * lower)  # which keeps the sign of a zero
    return number.astype(jnp.int64), rest


def _sine_and_cosine(x):
    number, rest = _reduced(x)
    square = rest * rest
    sine, cosine = rest * _polynomial(_SINE, square), _polynomial(_COSINE, square)
    is_odd = number & 1 == 1
    sine, cosine = jnp.where(is_odd, cosine, sine), jnp.where(is_odd, sine, cosine)
    return jnp.where(number & 2 == 2, -sine, sine), jnp.where(number + 1 & 2 == 2, -cosine, cosine)


def _sine(x):
    return _sine_and_cosine(x)[0].astype(x.dtype)


def _cosine(x):
    return _sine_and_cosine(x)[1].astype(x.dtype)


def _tangent(x):
    sine, cosine = _sine_and_cosine(x)
    return (sine / cosine).astype(x.dtype)


# -- inverse functions ----------------------------------------------------------------------------------------------

# (atan(sqrt z) / sqrt z - 1) / z between 0 and 1, interpolated at Chebyshev's points.
_INVERSE_TANGENT = (
    *(-0.33333332, 0.199997662, -0.14279114, 0.110380116, -0.0867322143),
    *(0.0628444317, -0.0362709163, 0.0137506261, -0.00244709232),
)  # fmt: skip


def _angle(y, x):
    """The angle of a point, between -pi and pi: ``atan2``."""
    high, wide = abs(y), abs(x)
    least, most = jnp.minimum(high, wide), jnp.maximum(high, wide)
    ratio = jnp.where(least == most, (most != 0).astype(y.dtype), least / most)  # also of two infinities
    square = ratio * ratio
    angle = ratio + ratio * square * _polynomial(_INVERSE_TANGENT, square)
    angle = jnp.where(high > wide, np.float32(math.pi / 2) - angle, angle)
    is_left = lax.bitcast_convert_type(x, jnp.int32) < 0
    return jnp.copysign(jnp.where(is_left, np.float32(math.pi) - angle, angle), y)


def _inverse_tangent(x):
    return _angle(x, jnp.ones_like(x))


def _inverse_sine(x):
    return _angle(x, jnp.sqrt((1 - x) * (1 + x)))


def _inverse_cosine(x):
    return _angle(jnp.sqrt((1 - x) * (1 + x)), x)


def _polynomial(coefficients, x):
    total = x.dtype.type(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * x + x.dtype.type(coefficient)
    return total


# -- remainder ------------------------------------------------------------------------------------------------------


def _remainder(x, y):
    """The remainder of ``x``, with its sign: exact, as float64 has the product of a quotient of 29 bits."""

    def by_quotient(x, y):
        dividend, divisor = abs(x).astype(jnp.float64), abs(y).astype(jnp.float64)
        rest = dividend - jnp.floor(dividend / divisor) * divisor
        rest = jnp.where(rest < 0, rest + divisor, rest)  # the quotient had been rounded up to an integer
        rest = jnp.where(dividend < divisor, dividend, rest)  # also of an infinite divisor
        return jnp.copysign(rest, x).astype(x.dtype)

    def by_library(x, y):
        return lax.rem(x.astype(jnp.float64), y.astype(jnp.float64)).astype(x.dtype)

    return lax.cond(jnp.all(abs(x) < np.float32(2**29) * abs(y)), by_quotient, by_library, x, y)


_FORMULAS = {
    lax.sin_p: _sine,
    lax.cos_p: _cosine,
    lax.tan_p: _tangent,
    lax.asin_p: _inverse_sine,
    lax.acos_p: _inverse_cosine,
    lax.atan_p: _inverse_tangent,
    lax.atan2_p: _angle,
    lax.rem_p: _remainder,
}
_TYPES = {np.dtype(np.float32), np.dtype(np.float16), np.dtype(jnp.bfloat16)}
_SHORT = 1024  # elements below which the C library is as fast, and faster to compile


def _applies(*avals, **parameters):
    first = avals[0]
    is_usual = all([value is None for value in parameters.values()])  # no accuracy is asked for
    return is_usual and math.prod(first.shape) >= _SHORT and first.dtype in _TYPES


def _of_halves(formula, *operands, **_):
    return formula(*[each.astype(np.float32) for each in operands]).astype(operands[0].dtype)


def install():
    """Lowers these functions for CPUs by their formulas."""
    for primitive, formula in _FORMULAS.items():
        replace(primitive, functools.partial(_of_halves, formula), _applies, is_elementwise=primitive is not lax.rem_p)
