"""Reductions, cumulative reductions and sorting: sums, maxima, argmax, cumulative sums."""

import functools
import math

import numpy as np


def widened(dtype):
    """The dtype in which values of ``dtype`` are accumulated: float32 for halves."""
    return np.dtype(np.float32) if dtype.kind in "fV" and dtype.itemsize == 2 else dtype


def _reduce(ufunc, x, *, axes, **_):
    shape = [size for axis, size in enumerate(x.shape) if axis not in axes]
    if math.prod(shape) == x.size:  # nothing is added up, so -0.0 stays -0.0
        return np.reshape(x, shape)
    # From 0, as XLA: the sum of negative zeros is 0.0.
    start = identity(ufunc, x.dtype)
    return ufunc.reduce(x, axis=tuple(axes), dtype=widened(x.dtype), initial=start).astype(x.dtype)


def identity(ufunc, dtype):
    """Identity element of a reduction, its result for no elements."""
    if ufunc in (np.add, np.multiply):
        return dtype.type(ufunc is np.multiply)
    is_minimum = ufunc is np.minimum
    if dtype.kind == "b":
        return np.bool_(is_minimum)
    if dtype.kind in "iu":
        return dtype.type(np.iinfo(dtype).max if is_minimum else np.iinfo(dtype).min)
    return dtype.type(math.inf if is_minimum else -math.inf)


def _bitwise(ufunc, x, *, axes, **_):
    return ufunc.reduce(x, axis=tuple(axes)).astype(x.dtype)


_LONG = 256  # ints along an axis, for which NumPy's call for each row does not count
TILE = 16  # elements that XLA accumulates one by one on a CPU


def _accumulate(ufunc, x, *, axis, reverse):
    if axis == x.ndim - 1:
        return _running(ufunc, x, reverse)
    return np.moveaxis(_running(ufunc, np.moveaxis(x, axis, -1), reverse), -1, axis)


def _running(ufunc, x, reverse):
    """Cumulative reduction along the last axis, in XLA's order: within tiles, then over the tiles' totals.

    The order decides what overflows, and whether to inf or NaN.
    """
    *rows, count = x.shape
    if count <= TILE:
        return _running_in_tile(ufunc, x, reverse)
    start = identity(ufunc, x.dtype)
    tiles = np.full((*rows, -(-count // TILE) * TILE), start, x.dtype)
    tiles[..., :count] = x
    inner = _running_in_tile(ufunc, tiles.reshape(*rows, -1, TILE), reverse)
    others = np.full(inner.shape[:-1], start, x.dtype)  # the reduction of all tiles before, or after, each tile
    if reverse:
        others[..., :-1] = _running(ufunc, inner[..., 0], reverse)[..., 1:]
    else:
        others[..., 1:] = _running(ufunc, inner[..., -1], reverse)[..., :-1]
    return ufunc(others[..., None], inner).reshape(*rows, -1)[..., :count]


def _running_in_tile(ufunc, x, reverse):
    if not reverse:
        return ufunc.accumulate(x, -1, dtype=x.dtype)
    result = np.array(x)  # backwards, too, each element's own reduction goes forwards
    for distance in range(1, x.shape[-1]):
        result[..., :-distance] = ufunc(result[..., :-distance], x[..., distance:])
    return result


def _arg(fn, x, *, axes, index_dtype):
    (axis,) = axes
    return fn(_ordered(x), axis=axis).astype(index_dtype)


def _ordered(x):
    """Casts ``x`` to a dtype that NumPy sorts with NaN last."""
    return x.astype(widened(x.dtype))


def in_total_order(x):
    """Sort keys for XLA's total order of floats: -NaN, -inf, ..., -0.0, 0.0, ..., inf, NaN."""
    if x.dtype.kind in "biu":
        return x
    bits = np.ascontiguousarray(x).reshape(np.shape(x)).view(f"i{x.dtype.itemsize}")
    maximum = np.iinfo(bits.dtype).max
    # The bits of a float order as an integer does, except for negative ones, which run backwards.
    return np.where(bits < 0, ~(bits & maximum), bits)


def _sort(*operands, dimension, num_keys, **_):
    if len(operands) == 1 and operands[0].dtype.kind in "iu":
        return [np.sort(operands[0], dimension)]
    # Stable in both branches, as XLA's sort is asked to be: equal keys keep their order.
    if num_keys == 1:
        order = np.argsort(_ordered(operands[0]), axis=dimension, kind="stable")
    else:
        keys = [_ordered(key) for key in operands[:num_keys]]
        # NumPy's last key counts most, XLA's first.
        order = np.lexsort(keys[::-1], axis=dimension)
    return [np.take_along_axis(operand, order, dimension) for operand in operands]


def _top_k(x, *, k, axis):
    backwards = np.flip(in_total_order(x), axis)  # so that of equal values the first comes first
    order = x.shape[axis] - 1 - np.flip(np.argsort(backwards, axis=axis, kind="stable"), axis)
    order = np.take(order, range(k), axis)
    return np.take_along_axis(x, order, axis), order.astype(np.int32)


PLAIN = {
    "le_to": lambda x, y: in_total_order(x) <= in_total_order(y),
    "lt_to": lambda x, y: in_total_order(x) < in_total_order(y),
}
RULES = {
    "argmax": functools.partial(_arg, np.argmax),
    "argmin": functools.partial(_arg, np.argmin),
    "cummax": functools.partial(_accumulate, np.maximum),
    "cummin": functools.partial(_accumulate, np.minimum),
    "cumprod": functools.partial(_accumulate, np.multiply),
    "cumsum": functools.partial(_accumulate, np.add),
    "reduce_and": functools.partial(_bitwise, np.bitwise_and),
    "reduce_or": functools.partial(_bitwise, np.bitwise_or),
    "reduce_prod": functools.partial(_reduce, np.multiply),
    "reduce_sum": functools.partial(_reduce, np.add),
    "reduce_xor": functools.partial(_bitwise, np.bitwise_xor),
    "sort": _sort,
    "top_k": _top_k,
}


def _comparisons(equation):
    size = math.prod(equation.invars[0].aval.shape)
    return size * (2 + math.log2(size + 1))


def _sorts_integers(equation):
    return len(equation.invars) == 1 and equation.invars[0].aval.dtype.kind in "iu"  # by vector instructions in NumPy


def _sorting_seconds(equation):
    return _comparisons(equation) * (0.7e-9 if _sorts_integers(equation) else 10e-9 * len(equation.invars))


def _compiled_sorting_seconds(equation):
    return 3.5e-9 * _comparisons(equation) if _sorts_integers(equation) else _sorting_seconds(equation) / 2


def _cumulating_seconds(equation):
    return 3e-9 * math.prod(equation.outvars[0].aval.shape)  # without vector code


def _adds_integers(equation):
    """Whether a cumulative sum is one of ints beside each other, which NumPy adds up faster than XLA.

    1e6 on one core: int64 0.3 ms, by XLA 0.7 (on two 1.1); int32 0.3; float32 2.8, by XLA 0.5.
    """
    x, axis = equation.invars[0].aval, equation.params["axis"]
    is_long = x.dtype in (np.int32, np.int64) and axis == len(x.shape) - 1 and x.shape[axis] >= _LONG
    return is_long and not equation.params["reverse"]


def _summing_seconds(equation):
    return _cumulating_seconds(equation) * (0.12 if _adds_integers(equation) else 1)


def _compiled_summing_seconds(equation):
    return math.prod(equation.invars[0].aval.shape) * (1e-9 if _adds_integers(equation) else 0.24e-9)


SECONDS = {"sort": _sorting_seconds, "top_k": _sorting_seconds}
SECONDS |= {"cumsum": _summing_seconds, **dict.fromkeys(("cummax", "cummin", "cumprod"), _cumulating_seconds)}
COMPILED_SECONDS = {"cumsum": _compiled_summing_seconds, "sort": _compiled_sorting_seconds}
SHARES = {"top_k": 0.5}


def _is_complex(equation):
    return equation.invars[0].aval.dtype.kind == "c"


def _has_no_index(equation):
    return _is_complex(equation) or not math.prod(equation.invars[0].aval.shape)


REFUSED = {"argmax": _has_no_index, "argmin": _has_no_index, "reduce_max": _is_complex, "reduce_min": _is_complex}
