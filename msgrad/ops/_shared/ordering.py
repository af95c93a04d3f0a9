"""The order of elements along an axis: what sorting, ranks and medians are made of.

XLA's CPU backend compares floats, and pairs of a number and its index, by calls of a function. Integers it compares at
once: so there each number becomes an integer of 64 bits, whose upper half orders as the number does and whose lower
half is its index. 4 million float32 take 0.35 s instead of 1.7 (JAX 0.12: 0.34 and 1.2), by NumPy 0.12 instead of 0.8.
"""

import jax
import jax.numpy as jnp

_SHORT = 512  # elements below which the steps around the sort cost more than they save
_HALF, _LOW = 32, 0xFFFFFFFF


def order(x, axis=-1, descending=False):
    """The indices that sort ``x`` along ``axis``, int32; equal elements keep their order, and NaN is the largest."""
    if x.size < _SHORT or jax.default_backend() != "cpu":
        return jnp.argsort(x, axis=axis, stable=True, descending=descending).astype(jnp.int32)
    axis %= x.ndim
    lowest, *higher = _words(jax.lax.stop_gradient(x), descending)
    indices = _positions(lowest, axis)
    for word in higher:  # each sort keeps the order of the one before
        positions = _positions(jnp.take_along_axis(word, indices, axis), axis)
        indices = jnp.take_along_axis(indices, positions, axis)
    return indices


def _positions(word, axis):
    """The indices that sort words of 32 bits, which are in uint64."""
    packed = word << _HALF | jax.lax.broadcasted_iota(jnp.uint64, word.shape, axis)
    return (jax.lax.sort(packed, axis, is_stable=False) & _LOW).astype(jnp.int32)


def _words(x, descending):
    """The words of 32 bits of integers that order as ``x`` does, as uint64, the lowest one first."""
    number = _as_integer(x)
    if descending:
        number = ~number
    if number.dtype == jnp.uint64:
        return number & _LOW, number >> _HALF
    return (number.astype(jnp.uint64),)


def _as_integer(x):
    """uint32 that order as the elements of ``x`` do; uint64 for elements of 64 bits."""
    if x.dtype.itemsize == 8 or x.dtype == jnp.uint32:
        wide = x
    else:
        wide = x.astype(jnp.float32 if jnp.issubdtype(x.dtype, jnp.floating) else jnp.int32)
    unsigned = jnp.dtype(f"uint{8 * wide.dtype.itemsize}")
    top = unsigned.type(1 << 8 * unsigned.itemsize - 1)
    if jnp.issubdtype(wide.dtype, jnp.unsignedinteger):
        return wide
    if jnp.issubdtype(wide.dtype, jnp.signedinteger):
        return jax.lax.bitcast_convert_type(wide, unsigned) ^ top
    wide = jnp.where(jnp.isnan(wide), jnp.nan, jnp.where(wide == 0, 0, wide))  # all zeros are equal, and all NaN
    bits = jax.lax.bitcast_convert_type(wide, unsigned)
    return jnp.where(bits >= top, ~bits, bits | top)
