"""Reductions over sliding windows, and the gradient of max pooling."""

import functools
import math

import jax.numpy as jnp
import numpy as np

from .reductions import identity, widened
from .reshaping import pad, windows


def _reduce_window(ufunc, x, *, window_dimensions, window_strides, padding, base_dilation, window_dilation, **_):
    wide = widened(x.dtype)
    config = [(low, high, step - 1) for (low, high), step in zip(padding, base_dilation, strict=True)]
    padded = pad(x.astype(wide, copy=False), identity(ufunc, wide), padding_config=config)
    view = windows(padded, window_dimensions, window_strides, window_dilation)
    return ufunc.reduce(view, axis=tuple(range(x.ndim, 2 * x.ndim)), dtype=wide).astype(x.dtype, copy=False)


def _select_and_scatter_add(source, x, *, select_prim, window_dimensions, window_strides, padding):
    # As in `engine/lowering/cpu_windows.py`: the first of equal elements gets the gradient, or the first NaN. No
    # padding does, as it is worse than all numbers.
    ufunc, is_kept, sign = _SELECTED[select_prim.name]
    config = [(low, high, 0) for low, high in padding]
    if any(map(any, padding)) and jnp.issubdtype(x.dtype, jnp.floating):
        x = ufunc(x, x.dtype.type(sign * jnp.finfo(x.dtype).max))
    padded = pad(x, identity(ufunc, x.dtype), padding_config=config)
    ones = (1,) * x.ndim
    values = windows(padded, window_dimensions, window_strides, ones)
    where = np.arange(padded.size).reshape(padded.shape)
    where = windows(where, window_dimensions, window_strides, ones)
    taps = list(np.ndindex(*window_dimensions))
    best, chosen = values[(..., *taps[0])], where[(..., *taps[0])]
    for tap in taps[1:]:
        is_best = is_kept(best, values[(..., *tap)]) | (best != best)
        best = np.where(is_best, best, values[(..., *tap)])
        chosen = np.where(is_best, chosen, where[(..., *tap)])
    wide = widened(source.dtype)
    total = np.zeros(padded.size, wide)
    # Not ``total[chosen] +=``, which adds once where windows overlap.
    np.add.at(total, chosen.ravel(), source.ravel().astype(wide, copy=False))
    back = [(-low, -high, 0) for low, high in padding]
    return pad(total.reshape(padded.shape), wide.type(0), padding_config=back).astype(source.dtype, copy=False)


_SELECTED = {  # what wins in a window, by which comparison, and the sign of the numbers beside the padding
    "ge": (np.maximum, np.greater_equal, -1),
    "le": (np.minimum, np.less_equal, 1),
}
RULES = {
    "reduce_window_max": functools.partial(_reduce_window, np.maximum),
    "reduce_window_min": functools.partial(_reduce_window, np.minimum),
    "reduce_window_sum": functools.partial(_reduce_window, np.add),
    "select_and_scatter_add": _select_and_scatter_add,
}


def _seconds(equation):
    sizes = equation.params["window_dimensions"]
    return 3e-9 * math.prod(equation.outvars[0].aval.shape) * math.prod(sizes)


def _selecting_seconds(equation):
    sizes = equation.params["window_dimensions"]
    source, x = [math.prod(each.aval.shape) for each in equation.invars]
    return 8e-9 * source * math.prod(sizes) + 15e-9 * source + 5e-9 * x


SECONDS = {**dict.fromkeys(RULES, _seconds), "select_and_scatter_add": _selecting_seconds}
