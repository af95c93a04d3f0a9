"""Rules of reductions, cumulative ones and sorts: the padding is set to what does not change the result."""

import jax.numpy as jnp
import numpy as np

from .layout import Padded
from .sizes import NotUniform


def _is_bool(dtype):
    return np.dtype(dtype).kind == "b"


def lowest(dtype):
    """The least value of a dtype, the identity of a maximum."""
    if jnp.issubdtype(dtype, np.floating):
        return -np.inf
    return False if _is_bool(dtype) else np.iinfo(dtype).min


def highest(dtype):
    """The largest value of a dtype, the identity of a minimum."""
    if jnp.issubdtype(dtype, np.floating):
        return np.inf
    return True if _is_bool(dtype) else np.iinfo(dtype).max


def _all_bits(dtype):
    return True if _is_bool(dtype) else np.array(-1).astype(dtype)


# What does not change the result, by dtype.
_NEUTRAL = {
    "reduce_sum": lambda dtype: 0,
    "reduce_prod": lambda dtype: 1,
    "reduce_max": lowest,
    "reduce_min": highest,
    "argmax": lowest,
    "argmin": highest,
    "reduce_and": _all_bits,
    "reduce_or": lambda dtype: 0,
    "reduce_xor": lambda dtype: 0,
    "cumsum": lambda dtype: 0,
    "cumprod": lambda dtype: 1,
    "cummax": lowest,
    "cummin": highest,
    "cumlogsumexp": lowest,
}


def _reduction(site, value):
    axes = site.params["axes"]
    sizes = site.operands[0]
    if site.name in ("argmax", "argmin"):  # which count positions
        for axis in axes:
            value = site.lengths.prefix(value, sizes, axis)
    masked = site.lengths.masked(value, sizes, _NEUTRAL[site.name](value.array.dtype), axes)
    kept = tuple([each for axis, each in enumerate(value.axes) if axis not in axes])
    is_zero = value.is_zero and site.name in ("reduce_sum", "reduce_max", "reduce_min")
    return [Padded(result, kept, is_zero) for result in site.bind(masked.array)]


def _cumulative(site, value):
    axis, sizes = site.params["axis"], site.operands[0]
    if not sizes[axis].is_constant:
        value = site.lengths.prefix(value, sizes, axis)
        if site.params["reverse"]:  # the padding comes first
            value = site.lengths.masked(value, sizes, _NEUTRAL[site.name](value.array.dtype), (axis,))
    axes = tuple(site.lengths.factors(value, sizes))
    return [Padded(result, axes) for result in site.bind(value.array)]


def _last(dtype):
    """The value that a sort puts last: NaN comes after all numbers."""
    return np.nan if jnp.issubdtype(dtype, np.inexact) else highest(dtype)


def _sort(site, *values):
    axis, sizes = site.params["dimension"], site.operands[0]
    if not sizes[axis].is_constant:
        values = [site.lengths.prefix(value, sizes, axis) for value in values]
        # Ties are broken by position, so that padding, which comes last, stays there.
        keys = [
            site.lengths.masked(value, sizes, _last(value.array.dtype), (axis,))
            for value in values[: site.params["num_keys"]]
        ]
        values = [*keys, *values[len(keys) :]]
    arrays, axes = site.lengths.aligned(values, sizes)
    return [Padded(result, axes) for result in site.bind(*arrays, is_stable=True)]


def _top_k(site, value):
    sizes = site.operands[0]
    axis = site.params.get("axis", len(sizes) - 1) % len(sizes)
    if not sizes[axis].is_constant:
        value = site.lengths.prefix(value, sizes, axis)
        value = site.lengths.masked(value, sizes, lowest(value.array.dtype), (axis,))
    axes = site.lengths.factors(value, sizes)
    axes[axis] = None
    results = [Padded(result, tuple(axes)) for result in site.bind(value.array)]
    if any([not size.is_constant for size in (site.results[0][axis],)]):
        raise NotUniform("top_k of a number of elements that varies")
    return results


RULES = {
    **dict.fromkeys([name for name in _NEUTRAL if not name.startswith("cum")], _reduction),
    **dict.fromkeys([name for name in _NEUTRAL if name.startswith("cum")], _cumulative),
    "sort": _sort,
    "top_k": _top_k,
}
