"""How are cumulative sums, products and extremes lowered for a CPU? In loops over rows, and by products of blocks.

JAX adds neighbours, then neighbours of these, and so on, each time in a new array. Processor milliseconds for 1e6
float32 (JAX 0.10.2, one core with AVX-512, load 4; PyTorch 2.13):

| | JAX | here | PyTorch |
|---|---:|---:|---:|
| sums, 1000 x 1000, first axis | 3.7 | 0.2 | 1.1 |
| sums, 1000 x 1000, last axis | 3.2 | 0.8 | 0.8 |
| sums, one axis | 4.9 | 0.7 | 0.8 |
| the same, int64 (by NumPy 0.3: `interpreter/reductions.py`) | 4.9 | 0.7 | 0.3 |
| products, 1000 x 1000, last axis | 3.8 | 1.8 | 0.8 |
| maxima, one axis (JAX 0.12: 7.3, 2.8) | 8.1 | 2.3 | |
| maxima, 8 x 100 000, last axis (5.5, 1.9) | 7.2 | 2.2 | |
| logarithms of sums of exponentials, 1000 x 1000, last axis | 290 | 3.6 | 24 |

Products and logarithms of sums along the only axis, where no rows lie beside each other, are JAX's: in blocks they
would be rounded otherwise, and logarithms take twice as long along one axis of 8 x 100 000.
"""

import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from .replacing import replace

_SHORT = 4096  # elements below which a loop takes longer than it saves
_LEAST = 32  # elements along the axis, likewise
_WIDE = 128  # elements beside each other for which a step of a loop is vector code
_BLOCK = 16  # elements of a row that a product adds up
_TYPES = [np.dtype(name) for name in ("float32", "float64", "int32", "int64")]

_STEPS = {
    lax.cumsum_p: jnp.add,
    lax.cumprod_p: jnp.multiply,
    lax.cummax_p: jnp.maximum,
    lax.cummin_p: jnp.minimum,
    lax.cumlogsumexp_p: jnp.logaddexp,
}

_IN_BLOCKS = jnp.add, jnp.maximum, jnp.minimum  # along an axis with few elements beside each other


def _in_rows(step, x, axis, reverse):
    """The cumulative ``step`` along an axis, as a loop over it."""

    def further(total, row):
        total = step(total, row)
        return total, total

    rows = jnp.moveaxis(x, axis, 0)
    start = jnp.full_like(rows[0], _identity(step, x.dtype))
    return jnp.moveaxis(lax.scan(further, start, rows, reverse=reverse)[1], 0, axis)


def _in_blocks(step, x, axis, reverse):
    """The cumulative ``step`` along an axis with few elements beside each other: within blocks, and then across."""
    x = jnp.moveaxis(x, axis, -1)
    x = jnp.flip(x, -1) if reverse else x
    length, identity = x.shape[-1], _identity(step, x.dtype)
    least = -(-_WIDE // _beside(x, x.ndim - 1)[1])
    block = -(-length // max(least, math.isqrt(length)))
    blocks = -(-length // block)
    others = [(0, 0)] * (x.ndim - 1)
    padded = jnp.pad(x, [*others, (0, blocks * block - length)], constant_values=identity)
    within = _in_rows(step, padded.reshape(*x.shape[:-1], blocks, block), x.ndim, False)
    until = lax.associative_scan(step, within[..., -1], axis=-1)
    before = jnp.pad(until[..., :-1], [*others, (1, 0)], constant_values=identity)
    result = step(before[..., None], within).reshape(*x.shape[:-1], blocks * block)[..., :length]
    return jnp.moveaxis(jnp.flip(result, -1) if reverse else result, -1, axis)


def _identity(step, dtype):
    """What ``step`` leaves unchanged."""
    is_float = jnp.issubdtype(dtype, jnp.floating)
    if step is jnp.add:
        return -0.0 if is_float else 0
    if step is jnp.multiply:
        return 1
    least, most = (-math.inf, math.inf) if is_float else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return most if step is jnp.minimum else least


def _sums(x):
    """The cumulative sums along the last axis: within blocks by products with ones, and those of all blocks before."""
    length = x.shape[-1]
    if length <= _BLOCK:
        return x @ _ones(length, x.dtype)
    blocks, others = -(-length // _BLOCK), [(0, 0)] * (x.ndim - 1)
    padded = jnp.pad(x, [*others, (0, blocks * _BLOCK - length)]).reshape(*x.shape[:-1], blocks, _BLOCK)
    within = padded @ _ones(_BLOCK, x.dtype)
    before = _sums(jnp.pad(within[..., -1], [*others, (1, 0)])[..., :-1])
    return (within + before[..., None]).reshape(*x.shape[:-1], blocks * _BLOCK)[..., :length]


def _ones(length, dtype):
    """An upper triangle of ones."""
    return jnp.asarray(np.triu(np.ones((length, length))), dtype)


def _sums_of_rows(x, axis, reverse):
    """The cumulative sums along an axis with few elements beside each other."""
    x = jnp.moveaxis(x, axis, -1)
    x = jnp.flip(x, -1) if reverse else x
    if jnp.issubdtype(x.dtype, jnp.floating):
        # A product would make an infinity NaN before it, too, as its zeros do.
        sums = lax.cond(jnp.isfinite(jnp.abs(x).sum()), _sums, _sums_in_turn, x)
    else:
        sums = _sums(x)
    return jnp.moveaxis(jnp.flip(sums, -1) if reverse else sums, -1, axis)


def _sums_in_turn(x):
    """The cumulative sums along the last axis, with infinities and NaN: in a loop where that is fast to run."""
    if _beside(x, x.ndim - 1)[1] >= _WIDE:
        return _in_rows(jnp.add, x, x.ndim - 1, False)
    return lax.associative_scan(jnp.add, x, axis=-1)


def _beside(x, axis):
    """Of the elements with one index along an axis: how many lie side by side in memory, and how many there are."""
    return math.prod(x.shape[axis + 1 :]), math.prod(x.shape) // x.shape[axis]


def _lowered(step):
    def compute(x, axis, reverse):
        beside, others = _beside(x, axis)
        if step is jnp.add and beside < _WIDE:
            return _sums_of_rows(x, axis, reverse)
        return (_in_rows if others >= _WIDE else _in_blocks)(step, x, axis, reverse)

    def applies(x, axis, **_):
        if x.dtype not in _TYPES or math.prod(x.shape) < _SHORT or x.shape[axis] < _LEAST:
            return False
        return step in _IN_BLOCKS or _beside(x, axis)[1] >= _WIDE

    return compute, applies


def install():
    """Replaces JAX's lowerings for CPUs."""
    for primitive, step in _STEPS.items():
        replace(primitive, *_lowered(step))
