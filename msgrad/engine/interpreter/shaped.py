"""Calls that are made for the shapes and dtypes of an equation.

A rule asks them of its operands at each launch, which takes longer than NumPy's work on a token of a small model. Each
function here asks once, for the plan, and gives the call; None where the primitive's rule is to be called.
"""

import functools
import math
from operator import itemgetter, methodcaller

import numpy as np

from .reductions import TILE, identity, widened
from .shaped_indexing import gathered
from .shaped_products import product

_MOST = 1 << 14  # elements up to which `np.where` is as fast as by bits, and a copy as a view


def same(x):
    """The call of an equation whose result is its operand; plans leave it out."""
    return x


def _shapes(equation):
    return equation.invars[0].aval.shape, equation.outvars[0].aval.shape


def _viewed(equation):
    old, new = _shapes(equation)
    return same if old == new else methodcaller("reshape", new)


def _reshaped(equation):
    return _viewed(equation) if equation.params["dimensions"] is None else None


def _broadcast(equation):
    # Mostly it only gets axes of length 1, as a bias beside one token; `broadcast_to` takes 4 us.
    old, new = _shapes(equation)
    if math.prod(old) == math.prod(new):
        return _viewed(equation)
    dtype = equation.invars[0].aval.dtype
    if not old and dtype.kind != "V":
        return functools.partial(_repeated, new, dtype, (0,) * len(new))
    if math.prod(new) > _MOST:
        return None
    sizes = [1] * len(new)
    for axis, size in zip(equation.params["broadcast_dimensions"], old, strict=True):
        sizes[axis] = size
    return functools.partial(_copied, tuple(sizes), new, dtype)


def _repeated(shape, dtype, strides, x):
    return np.ndarray(shape, dtype, x, 0, strides)


def _copied(sizes, shape, dtype, x):
    result = np.empty(shape, dtype)
    result[...] = x.reshape(sizes)
    return result


def _converted(equation):
    old, new = equation.invars[0].aval.dtype, equation.outvars[0].aval.dtype
    if old == new:
        return same
    is_rounded = new.kind in "iu" and old.kind not in "biu"
    return None if is_rounded or new.kind == "b" or old.kind == "c" else methodcaller("astype", new)


def _transposed(equation):
    permutation = tuple(equation.params["permutation"])
    return same if permutation == tuple(range(len(permutation))) else methodcaller("transpose", permutation)


def _sliced(equation):
    params = equation.params
    old, new = _shapes(equation)
    if old == new:
        return same
    strides = params["strides"] or (1,) * len(params["start_indices"])
    return itemgetter(tuple(map(slice, params["start_indices"], params["limit_indices"], strides)))


def _reversed(equation):
    if not equation.params["dimensions"]:  # of an indexed read without negative steps
        return same
    axes = range(len(equation.invars[0].aval.shape))
    return itemgetter(tuple([slice(None, None, -1 if axis in equation.params["dimensions"] else 1) for axis in axes]))


def _accumulated(ufunc, equation):
    old, new = _shapes(equation)
    dtype = equation.invars[0].aval.dtype
    if math.prod(old) == math.prod(new) and math.prod(old):
        return methodcaller("reshape", new)
    if widened(dtype) != dtype:
        return None
    return functools.partial(
        ufunc.reduce, axis=tuple(equation.params["axes"]), dtype=dtype, initial=identity(ufunc, dtype)
    )


def _of_bools(ufunc, equation):
    if equation.invars[0].aval.dtype.kind != "b":
        return None
    return functools.partial(ufunc.reduce, axis=tuple(equation.params["axes"]), initial=ufunc is np.bitwise_and)


def _extreme(ufunc, equation):
    # With an initial value, since NumPy refuses an empty maximum, which is -infinity in XLA.
    start = identity(ufunc, equation.invars[0].aval.dtype)
    return functools.partial(ufunc.reduce, axis=tuple(equation.params["axes"]), initial=start)


def _cumulative(ufunc, equation):
    x, axis = equation.invars[0].aval, equation.params["axis"]
    # Of other functions, and of sums and products of floats, the order decides what is rounded and what overflows.
    is_exact = ufunc in (np.maximum, np.minimum) or x.dtype.kind in "iu"
    if equation.params["reverse"] or not is_exact and x.shape[axis] > TILE:
        return None
    return functools.partial(ufunc.accumulate, axis=axis, dtype=x.dtype)


def _divided(equation):
    return None if equation.invars[0].aval.dtype.kind in "iu" else np.divide


def _sigmoid(equation):
    return functools.partial(_logistic, np.ones((), equation.invars[0].aval.dtype))


def _logistic(one, x):
    return np.reciprocal(np.exp(-x) + one)  # an array of no axes: a number beside an array takes 0.2 us more


def _powered(equation):
    return {2: np.square, 3: _cubed}.get(equation.params["y"])


def _cubed(x):
    return x * x * x


def _of_root(equation):
    # Of a real type that NumPy computes in, for which this is 1 divided by the root.
    dtype = equation.invars[0].aval.dtype
    return _reciprocal_root if dtype.kind == "f" and widened(dtype) == dtype else None


def _reciprocal_root(x):
    return np.reciprocal(np.sqrt(x))


def _index_of(name, equation):
    dtype, (axis,) = equation.invars[0].aval.dtype, equation.params["axes"]
    if widened(dtype) != dtype:
        return None
    return functools.partial(_found, methodcaller(name, axis), equation.params["index_dtype"])


def _found(position, dtype, x):
    return position(x).astype(dtype)


def _stacked(equation):
    shape, axis = equation.outvars[0].aval.shape, equation.params["axis"]
    return functools.partial(_joined, (*shape[:axis], 1, *shape[axis + 1 :]), axis)


def _joined(shape, axis, *operands):
    return np.concatenate([each.reshape(shape) for each in operands], axis)  # `np.stack` takes three times as long


def _selected(equation):
    which, *cases = [each.aval for each in equation.invars]
    if which.dtype.kind != "b" or len(cases) != 2 or math.prod(cases[0].shape) >= _MOST:
        return None
    return where


def where(which, other, chosen):
    """Selection: ``chosen`` where ``which`` is true, else ``other``."""
    return np.where(which, chosen, other)


CALLS = {
    "argmax": functools.partial(_index_of, "argmax"),
    "argmin": functools.partial(_index_of, "argmin"),
    "broadcast_in_dim": _broadcast,
    "convert_element_type": _converted,
    "cummax": functools.partial(_cumulative, np.maximum),
    "cummin": functools.partial(_cumulative, np.minimum),
    "cumprod": functools.partial(_cumulative, np.multiply),
    "cumsum": functools.partial(_cumulative, np.add),
    "copy": lambda equation: same,
    "copy_p": lambda equation: same,
    "div": _divided,
    "dot_general": product,
    "gather": gathered,
    "integer_pow": _powered,
    "logistic": _sigmoid,
    "reduce_and": functools.partial(_of_bools, np.bitwise_and),
    "reduce_max": functools.partial(_extreme, np.maximum),
    "reduce_min": functools.partial(_extreme, np.minimum),
    "reduce_or": functools.partial(_of_bools, np.bitwise_or),
    "reduce_prod": functools.partial(_accumulated, np.multiply),
    "reduce_sum": functools.partial(_accumulated, np.add),
    "reshape": _reshaped,
    "rev": _reversed,
    "rsqrt": _of_root,
    "select_n": _selected,
    "slice": _sliced,
    "squeeze": _viewed,
    "stack": _stacked,
    "stop_gradient": lambda equation: same,
    "transpose": _transposed,
}
