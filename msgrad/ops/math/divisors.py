"""Greatest common divisors and least common multiples of ints, without a division.

A TPU's compiler takes 45 s of processor time for each division of 64-bit ints.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax


def _of_sizes(compute):
    """``compute`` of the absolute values of two ints; that of the smallest int is unsigned and wraps around."""

    def of_sizes(x, y):
        unsigned = np.dtype(f"u{x.dtype.itemsize}")
        sizes = [jnp.abs(each).astype(unsigned) for each in jnp.broadcast_arrays(x, y)]
        return compute(*sizes).astype(x.dtype)

    return of_sizes


def _twos(x):
    """How often 2 divides ``x``, of which 0 counts as odd."""
    lowest = jnp.where(x == 0, 1, x & -x)
    return lax.population_count(lowest - 1)


def _greatest_divisor(x, y):
    twos = _twos(x | y)

    def subtracted(pair):
        # Both odd: their difference is even, and has the same divisors in common with the smaller one.
        least, most = jnp.minimum(*pair), jnp.maximum(*pair)
        rest = most - least
        is_done = least == 0
        return jnp.where(is_done, most, least), jnp.where(is_done, 0, rest >> _twos(rest))

    odd, _ = lax.while_loop(lambda pair: jnp.any(pair[1] != 0), subtracted, (x >> _twos(x), y >> _twos(y)))
    return odd << twos


def _least_multiple(x, y):
    divisor = _greatest_divisor(x, y)
    twos = _twos(divisor)
    odd, quotient = divisor >> twos, x >> twos
    # An odd number's inverse modulo a power of 2, by Newton's method: it is right to 3 bits, and to twice as many each.
    inverse = odd
    for _ in range(5):
        inverse = inverse * (2 - odd * inverse)
    return jnp.where(divisor == 0, 0, quotient * inverse * y)


greatest_divisor, least_multiple = _of_sizes(_greatest_divisor), _of_sizes(_least_multiple)
