"""Cumulative sums, products and extremes."""

import functools
import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import zero_from_primal

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Bool, Dtype
from ...engine import dtypes
from ...tensor.c_casts import convert
from .._core.define import op
from .._core.faces import method
from .._core.families import body

_LONG = 1 << 17  # elements from which on extremes are found in a loop over rows
_LEAST_ROWS = 32  # with fewer a loop takes longer than it saves
_WIDE = 128  # elements beside each other for which a step of a loop is vector code


def _cast_to(x, dtype):
    return x if dtype is None else convert(x, dtype.numpy)


def _axis(value, x, arg_name, op_name, error: type[Exception] = ValueError):
    """``value`` as an axis of ``x``, of which there must be one."""
    return check.axis(value, check.at_least_rank(x, 1, arg_name, op_name).ndim, "axis", op_name, error)


@op("CumSum(exclusive=False, reverse=False)", name="_cumsum", wide=True)
def _cumsum(input: Array, axis: Axis, exclusive: Bool = False, reverse: Bool = False):
    """Cumulative sum along ``axis``.

    Args:
        input (Tensor): at least one axis, a dtype of numbers.
        axis (int): along which to add.
        exclusive (bool): whether an element is left out of its own sum. Default: ``False``.
        reverse (bool): whether to add from the end. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.CumSum(exclusive=True)(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [0.0, 1.0, 3.0]
    Source: mindspore.ops.CumSum
    """
    axis = _axis(axis, check.dtype(input, "iufc", "input", "CumSum"), "input", "CumSum")
    total = lax.cumsum(input, axis, reverse)
    return total - input if exclusive else total


@op(wide=True)
def cumsum(x: Array, axis: Axis, dtype: Dtype | None = None):
    """Cumulative sum along ``axis``.

    Args:
        x (Tensor): at least one axis, a dtype of numbers.
        axis (int): along which to add.
        dtype (mindspore.dtype): to which ``x`` is cast first. Default: ``None``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [1.0, 3.0, 6.0]
    Source: mindspore.ops.cumsum
    """
    return _cumsum(_cast_to(x, dtype), axis)


_SHORT = {dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.uint8}  # the method sums these in int32


@op(name="_cumsum_of_all", wide=True)
def _cumsum_of_all(x: Array, axis: Axis | None = None, dtype: Dtype | None = None):
    """Cumulative sum along ``axis``.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        axis (int | None): along which to add; None for all elements in a row. Default: ``None``.
        dtype (mindspore.dtype): to which the Tensor is cast first. Default: ``None``: int32 for short ints and bools.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).cumsum(0).tolist()
        [[1.0, 2.0], [4.0, 6.0]]
    Source: mindspore.Tensor.cumsum
    """
    if dtype is None and dtypes.of(x.dtype) in _SHORT:
        dtype = dtypes.int32
    return cumsum(x.reshape(-1), 0, dtype) if axis is None else cumsum(x, axis, dtype)


method("cumsum", (_cumsum_of_all, "(dim, *, dtype=None)"), (_cumsum_of_all, "(axis=None, dtype=None)"))


# -- products -------------------------------------------------------------------------------------------------------


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _running_product(x, axis):
    return lax.cumprod(x, axis)


@_running_product.defjvp
def _running_product_jvp(axis, primals, tangents):
    # Through the logarithm, as in MindSpore: not a number at 0.
    (x,), (dx,) = primals, tangents
    result = _running_product(x, axis)
    return result, result * lax.cumsum(dx / x, axis)


@op("CumProd(exclusive=False, reverse=False)", name="_cumprod", wide=True)
def _cumprod(x: Array, axis: Axis, exclusive: Bool = False, reverse: Bool = False):
    """Cumulative product along ``axis``.

    Args:
        x (Tensor): at least one axis, a dtype of numbers.
        axis (int): along which to multiply.
        exclusive (bool): whether an element is left out of its own product. Default: ``False``.
        reverse (bool): whether to multiply from the end. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.CumProd()(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [1.0, 2.0, 6.0]
    Source: mindspore.ops.CumProd
    """
    axis = _axis(axis, check.dtype(x, "iufc", "x", "CumProd"), "x", "CumProd")
    if reverse:
        return jnp.flip(_cumprod(jnp.flip(x, axis), axis, exclusive), axis)
    result = _running_product(x, axis)
    if exclusive:
        one = jnp.ones_like(lax.slice_in_dim(x, 0, 1, axis=axis))
        result = jnp.concatenate([one, lax.slice_in_dim(result, 0, -1, axis=axis)], axis)
    return result


@op(method="cumprod", wide=True)
def cumprod(input: Array, dim: Axis, dtype: Dtype | None = None):
    """Cumulative product along ``dim``; its derivative is NaN at 0.

    Args:
        input (Tensor): at least one axis, any dtype.
        dim (int): along which to multiply.
        dtype (mindspore.dtype): to which ``input`` is cast first. Default: ``None``: int64 for ints and bools.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [1.0, 2.0, 6.0]
    Source: mindspore.ops.cumprod, mindspore.Tensor.cumprod
    """
    if dtype is None and input.dtype.kind in "biu":
        dtype = dtypes.int64
    return _cumprod(_cast_to(input, dtype), dim)


# -- sums of exponentials -------------------------------------------------------------------------------------------


@op("CumulativeLogsumexp(exclusive=False, reverse=False)", name="_running_logsumexp", wide=True)
def _running_logsumexp(x: Array, axis: Axis, exclusive: Bool = False, reverse: Bool = False):
    """Logarithm of the cumulative sum of exponentials along ``axis``, without overflow.

    Args:
        x (Tensor): at least one axis, a float dtype.
        axis (int): along which to add.
        exclusive (bool): whether an element is left out of its own sum; the first sum is then the dtype's smallest
            number. Default: ``False``.
        reverse (bool): whether to add from the end. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are no axes.
        RuntimeError: if there is no such axis.
    Example:
        >>> ops.CumulativeLogsumexp()(Tensor([0.0, float("-inf")]), 0).tolist()
        [0.0, 0.0]
    Source: mindspore.ops.CumulativeLogsumexp
    """
    axis = _axis(axis, check.dtype(x, "f", "x", "CumulativeLogsumexp"), "x", "CumulativeLogsumexp", RuntimeError)
    minimum = jnp.finfo(x.dtype).min
    if reverse:
        return jnp.flip(_running_logsumexp(jnp.flip(x, axis), axis, exclusive), axis)
    result = lax.cumlogsumexp(x, axis)
    if exclusive:
        first = jnp.full_like(lax.slice_in_dim(x, 0, 1, axis=axis), minimum)
        result = jnp.concatenate([first, lax.slice_in_dim(result, 0, -1, axis=axis)], axis)
    return result


@op(method="logcumsumexp", wide=True)
def logcumsumexp(input: Array, axis: Axis):
    """Logarithm of the cumulative sum of exponentials along ``axis``, without overflow.

    Args:
        input (Tensor): at least one axis, a float dtype.
        axis (int): along which to add.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are no axes.
        RuntimeError: if there is no such axis.
    Example:
        >>> ops.logcumsumexp(Tensor([0.0, float("-inf")]), 0).tolist()
        [0.0, 0.0]
    Source: mindspore.ops.logcumsumexp, mindspore.Tensor.logcumsumexp
    """
    return _running_logsumexp(input, axis)


# -- extremes -------------------------------------------------------------------------------------------------------


def _is_long(shape, axis):
    """Whether a loop over rows is faster: on a CPU, where many elements of known number lie beside each other."""
    if jax.default_backend() != "cpu" or not all([isinstance(length, int) for length in shape]):
        return False
    size = math.prod(shape)
    is_outer = axis in (0, len(shape) - 1)  # of 8 x 64 x 100 x 20 along the third axis it takes twice as long
    return is_outer and size >= _LONG and shape[axis] >= _LEAST_ROWS and size // shape[axis] >= _WIDE


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2, 3))
def _in_rows(x, axis, is_maximum, dtype):
    """Cumulative extremes of floats and their indices, in one loop over the rows along ``axis``.

    Processor milliseconds for float32 and indices of int64 (JAX 0.10.2 / 0.12, Zen 5, load 7):

    | | two scans and a gather | here | PyTorch |
    |---|---:|---:|---:|
    | 1000 x 1000, last axis | 4.8 / 4.5 | 3.2 / 3.8 | 0.5 |
    | 1000 x 1000, first axis | 2.3 / 1.8 | 1.7 / 1.0 | 2.0 |
    | 64 x 64 x 256, last axis | 10 / 8.3 | 3.6 / 5.4 | 1.0 |
    """
    rows = jnp.moveaxis(x, axis, 0)

    def further(state, row):
        extreme, index, number = state
        is_new = (row >= extreme if is_maximum else row <= extreme) | (row != row)
        extreme, index = jnp.where(is_new, row, extreme), jnp.where(is_new, number, index)
        return (extreme, index, number + 1), (extreme, index)

    extreme = jnp.full_like(rows[0], -jnp.inf if is_maximum else jnp.inf)
    start = extreme, jnp.zeros(extreme.shape, dtype), jnp.zeros((), dtype)
    return tuple(jnp.moveaxis(each, 0, axis) for each in lax.scan(further, start, rows)[1])


@_in_rows.defjvp
def _in_rows_jvp(axis, is_maximum, dtype, primals, tangents):
    extremes, indices = _in_rows(*primals, axis, is_maximum, dtype)
    change = jnp.take_along_axis(tangents[0], indices, axis)
    return (extremes, indices), (change, zero_from_primal(indices))


def _running_extreme(scan, name, dtype, x, axis):
    """Cumulative extremes (the last of equal elements) and their indices. NaN is more extreme than any number."""
    axis = _axis(axis, check.dtype(x, "iuf", "input", name), "input", name)
    if jnp.issubdtype(x.dtype, jnp.floating) and _is_long(x.shape, axis):  # of int32 it is not always faster
        return _in_rows(x, axis, scan is lax.cummax, dtype)
    # The scan is used only for comparison: the gradient flows through the elements gathered below.
    is_extreme = (x == lax.stop_gradient(scan(x, axis))) | jnp.isnan(x)
    count = lax.broadcasted_iota("int32", x.shape, axis)
    indices = lax.cummax(jnp.where(is_extreme, count, 0), axis)
    return jnp.take_along_axis(x, indices, axis), indices.astype(dtype)


_RUNNING = """Cumulative {adjective} along ``axis``, and its index, the last one of several.

    Args:
        input (Tensor): at least one axis, a real dtype. A NaN is {adjective}.
        axis (int): along which to go.
    Returns:
        tuple of two Tensors of the shape of ``input``: elements, and indices ({dtype}).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.{name}(Tensor([2.0, 2.0]), 0)[1].tolist()
        [0, 1]
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}, mindspore.Tensor.{name}
    """


def _running(text, primitive, scan, dtype, adjective):
    def compute(x, axis):
        return _running_extreme(scan, primitive.partition("(")[0], dtype, x, axis)

    fields = {"adjective": adjective, "dtype": dtype, "primitive": primitive.partition("(")[0]}
    definition = body(text, compute, _RUNNING, **fields)
    return op(primitive, method=definition.__name__)(definition)


cummax = _running("cummax(input: Array, axis: Axis)", "Cummax(axis)", lax.cummax, "int64", "maximum")
cummin = _running("cummin(input: Array, axis: Axis)", "Cummin(axis)", lax.cummin, "int32", "minimum")
