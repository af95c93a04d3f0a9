"""``std::minstd_rand0`` in compiled programs: each number by itself, from the state before and from its position.

A position is the sum of the coordinates times their strides, so a number is the product of one power of the factor for
each axis. No table depends on how many are drawn: a program that is padded to larger sizes draws the same numbers.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..._random.engines import FACTOR, MODULUS, multiplied

_MODULUS = np.uint64(MODULUS)
_BITS = 8  # of a digit of an exponent: four digits are enough for all positions up to 2**32
_SHIFTS = np.arange(4, dtype=np.uint64) * np.uint64(_BITS)
_STARTS = np.arange(4, dtype=np.uint64) << np.uint64(_BITS)  # of their powers in the table
_POWERS = np.array([pow(FACTOR, d << _BITS * place, MODULUS) for place in range(4) for d in range(256)], np.uint64)


def states_of_shape(state, shape):
    """The states that follow ``state`` (a uint64 of JAX), in row-major order of the shape."""
    states = lax.rem(state * np.uint64(FACTOR), _MODULUS)
    for axis, length in enumerate(shape):
        powers = _powers(length, shape[axis + 1 :])
        # Of all elements by shifts, which vector units have; else in fewer operations, as NumPy likes it.
        is_last = axis == len(shape) - 1
        states = multiplied(states[..., None], powers) if is_last else lax.rem(states[..., None] * powers, _MODULUS)
    return states


def _powers(length, inner):
    """The powers of the factor for the coordinates of an axis; ``inner`` are the lengths of the axes after it."""
    # Lengths one by one, for the square of one that varies is none of the numbers that `lengths` can tell.
    exponents, size = jnp.arange(length, dtype=np.uint64), jnp.uint64(length)
    for each in map(np.uint64, inner):
        exponents, size = exponents * each, size * each
    digits = (exponents[:, None] >> _SHIFTS & np.uint64(255)) + _STARTS
    first, second, third, fourth = lax.split(jnp.asarray(_POWERS).at[digits].get(mode="promise_in_bounds"), [1] * 4, 1)
    # The last divisor is the modulus, too. XLA takes a remainder by a number that it does not know for too expensive to
    # be computed again for each element; where it knows the sizes, all of this is a constant to it.
    unknown = ((size >> np.uint64(63)) | np.uint64(1)) * _MODULUS
    product = lax.rem(first * second, _MODULUS) * lax.rem(third * fourth, _MODULUS)
    return lax.squeeze(lax.rem(product, lax.broadcast(unknown, product.shape)), [1])
