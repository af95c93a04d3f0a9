"""Variance, norms, medians and counts."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import special

from ..._contracts import check
from ..._contracts.contracts import Array, Axes, Axis, Bool, Dtype, Int, NonNegativeInt
from ..._contracts.kinds import Scalar, Static
from ...engine import dtypes
from ...engine.transforms.lifting import is_inexact
from .._core.define import composite, op
from .._core.faces import method
from .._core.families import body
from .._shared import ordering
from . import argminmax, reduction


def _count_less(value, arg_name, op_name):
    return check.integer(int(value) if isinstance(value, bool) else value, arg_name, op_name)


Ddof = Static(_count_less, int, np.integer)  # subtracted from the count; True means 1


def _deviation(x, axis, ddof, keepdims, op_name):
    """The standard deviation over ``axis``, with ``n - ddof`` for the count."""
    axes = check.axes(axis, check.dtype(x, "fc", "input", op_name).ndim, "axis", op_name, ValueError)
    count = math.prod(x.shape[axis] for axis in axes)
    if count <= ddof:  # divided by 0, or by a negative count
        return (jnp.std(x, axis=axes, keepdims=keepdims) * (jnp.inf if count == ddof else jnp.nan)).astype(x.dtype)
    return jnp.std(x, axis=axes, ddof=ddof, keepdims=keepdims).astype(x.dtype)


def _variance(x, axis, ddof, keepdims):
    """The variance, with ``n - ddof`` for the count, which may be negative."""
    axes = check.axes(axis, check.dtype(x, "fc", "input", "var").ndim, "axis", "var", ValueError)
    count = math.prod(x.shape[axis] for axis in axes)
    if count < ddof:
        return jnp.square(_deviation(x, axis, 0, keepdims, "var")) * (count / (count - ddof))
    return jnp.square(_deviation(x, axis, ddof, keepdims, "var"))


_SPREAD = """{summary}

    Args:
        input (Tensor): any shape, a dtype of {dtypes}.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        ddof ({count}): the sum of squares is divided by the count less this. Default: ``0``.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        {returns}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> {example}
        {value}
    Source: mindspore.{source}
    """
_STD = "The standard deviation; its derivative is NaN where all elements are equal."
_VAR = "The variance: the square of `std`, so its derivative too is NaN where all elements are equal."


def _spread(name, compute, summary, private=None, ddof="Ddof", **fields):
    """Defines a standard deviation or variance."""
    fields = {
        "dtypes": "floats",
        "count": "int | bool",
        "returns": "Tensor, dtype of ``input``",
        "example": f"ops.{name}(Tensor([1.0, 3.0])).item()",
        "value": 1.0,
        "source": f"ops.{name}",
    } | fields
    text = f"{name}(input: Array, axis: Axes = None, ddof: {ddof} = 0, keepdims: Bool = False)"
    return op(name=private, wide=True)(body(text, compute, _SPREAD, {"Ddof": Ddof}, summary=summary, **fields))


def _and_mean(name, measure, summary):
    def compute(x, axis, ddof, keepdims):
        return measure(x, axis, ddof, keepdims), reduction.mean(x, axis, keepdims)

    fields = {"returns": "tuple of two Tensors, dtype of ``input``", "value": [1.0, 2.0]}
    return _spread(name, compute, summary, example=f"[x.item() for x in ops.{name}(Tensor([1.0, 3.0]))]", **fields)


def _of_numbers(name, private, measure, summary):
    def compute(x, axis, ddof, keepdims):
        return measure(floats(x), axis, ddof, keepdims)

    fields = {"dtypes": "numbers", "count": "int", "returns": "Tensor, of ints in float32", "source": f"Tensor.{name}"}
    return _spread(name, compute, summary, private, "Int", example=f"Tensor([1, 3]).{name}().item()", **fields)


def floats(x):
    """``x``, ints and bools as float32."""
    return x if is_inexact(x.dtype) else x.astype(jnp.float32)


std = _spread("std", lambda *args: _deviation(*args, "std"), _STD)
var = _spread("var", _variance, _VAR)
std_mean = _and_mean("std_mean", std, "The standard deviation, as `std`, and the mean.")
var_mean = _and_mean("var_mean", var, "The variance, as `var`, and the mean.")
_std_of_numbers = _of_numbers("std", "_std_of_numbers", std, _STD)
_var_of_numbers = _of_numbers("var", "_var_of_numbers", var, _VAR)

method(
    "std",
    (_std_of_numbers, "(axis=None, ddof=0, keepdims=False)"),
    (_std_of_numbers, "(dim=None, *, correction=1, keepdim=False)"),
)
method(
    "var",
    (_var_of_numbers, "(axis=None, ddof=0, keepdims=False)"),
    (_var_of_numbers, "(dim=None, *, correction=1, keepdim=False)"),
)


@op("ReduceStd(axis=[], unbiased=True, keep_dims=False)", name="_reduce_std", wide=True)
def _reduce_std(input_x: Array, axis: Axes = (), unbiased: Bool = True, keep_dims: Bool = False):
    """The standard deviation and the mean over ``axis``.

    Args:
        input_x (Tensor): any shape, a float dtype.
        axis (int | tuple[int] | list[int]): Default: ``[]``, all axes.
        unbiased (bool): whether to divide by the count less one. Default: ``True``.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors, dtype of ``input_x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> [each.item() for each in ops.ReduceStd(unbiased=False)(Tensor([1.0, 3.0]))]
        [1.0, 2.0]
    Source: mindspore.ops.ReduceStd
    """
    return std(input_x, axis, int(unbiased), keep_dims), reduction.mean(input_x, axis, keep_dims)


def vector_norm(x, order, axes, keepdim):
    """The norm of the given order over ``axes``."""
    size = jnp.abs(x) if jnp.iscomplexobj(x) else x * jax.lax.stop_gradient(jnp.sign(x))  # gradient 0 at 0
    if order == jnp.inf or order == -jnp.inf:
        if len(axes) == 1:  # the first of equal elements has the gradient
            return argminmax.with_indices(size, axes[0], keepdim, order > 0, "norm")[0]
        return (jnp.max if order > 0 else jnp.min)(size, axes, keepdims=keepdim)
    if order == 2:
        return root(jnp.sum(jnp.square(size), axes, keepdims=keepdim), 2)
    if order == 0:
        return jnp.sum(x != 0, axes, keepdims=keepdim).astype(x.dtype)
    if order == 1:
        return jnp.sum(size, axes, keepdims=keepdim)
    return root(jnp.sum(size**order, axes, keepdims=keepdim), order)


def norm_of_matrices(x, ord, axes, keepdims, op_name):
    """The norm of the matrices along two axes, of singular values in float32 at least; else a ValueError."""
    check.one_of(ord, ("fro", "nuc", jnp.inf, -jnp.inf, 1, -1, 2, -2), "ord", op_name)
    if ord in ("nuc", 2, -2):
        x = x.astype(jnp.promote_types(x.dtype, np.float32))
    return jnp.linalg.norm(x, ord, axes, keepdims)


def root(total, order):
    """``total ** (1 / order)``; for a positive ``order`` the derivative at 0 is 0, not infinite."""
    if order <= 0:
        return total ** (1 / order)
    is_zero = total == 0
    safe = jnp.where(is_zero, 1, total)
    return jnp.where(is_zero, 0, jnp.sqrt(safe) if order == 2 else safe ** (1 / order)).astype(total.dtype)


@op(method="norm", wide=True)
def norm(A: Array, ord=None, dim: Axes = None, keepdim: Bool = False, *, dtype: Dtype | None = None):
    """The norm of vectors or matrices.

    Args:
        A (Tensor): any shape.
        ord (int | float | str | None): of the norm; for matrices also ``'fro'`` and ``'nuc'``. Default: ``None``, the
            root of the sum of squares.
        dim (int | tuple[int] | None): one axis for vectors, two for matrices. Default: ``None``: all axes, of which
            there are one or two if ``ord`` is given.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): to which ``A`` is cast first. Default: ``None``.
    Returns:
        Tensor, of ints in float32; of half types in float32, too, for 2, -2 and ``'nuc'`` of matrices.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis or norm.
    Example:
        >>> ops.norm(Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.ops.norm, mindspore.Tensor.norm
    """
    x = A if dtype is None else A.astype(dtype.numpy)
    x = floats(x)
    axes = check.axes(dim, x.ndim, "dim", "norm", ValueError)
    if ord is None:
        return jnp.sqrt(jnp.sum(jnp.square(jnp.abs(x)), axes, keepdims=keepdim))  # NaN at 0, as in MindSpore
    if len(axes) == 1:
        return vector_norm(x, check.number(ord, "ord", "norm"), axes, keepdim)
    if len(axes) != 2:
        check.refuse(ValueError, "norm", "dim", "one or two axes where 'ord' is given", dim)
    return norm_of_matrices(x, ord, axes, keepdim, "norm")


@op(method="logsumexp", wide=True)
def logsumexp(input: Array, dim: Axes, keepdim: Bool = False):
    """The logarithm of the sum of exponentials, without overflow.

    Args:
        input (Tensor): any shape, a float dtype.
        dim (int | tuple[int] | list[int]): the axes; ``()`` for all of them.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.logsumexp(Tensor([[3.0]]), 1).tolist()
        [3.0]
    Source: mindspore.ops.logsumexp, mindspore.Tensor.logsumexp
    """
    x = check.dtype(input, "f", "input", "logsumexp")
    return special.logsumexp(x, axis=check.axes(dim, x.ndim, "dim", "logsumexp"), keepdims=keepdim)


@op()
def median(input: Array, axis: Axis = -1, keepdims: Bool = False):
    """Median along ``axis``, the lower of two middle elements, and its index.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int): Default: ``-1``.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.median(Tensor([3.0, 1.0, 2.0]))[0].item()
        2.0
    Source: mindspore.ops.median, mindspore.Tensor.median
    """
    axis = check.axis(axis, check.dtype(input, "iuf", "input", "Median").ndim, "axis", "Median")
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    check.not_empty(input, (axis,), "input", "Median")
    order = ordering.order(input, axis)
    middle = (input.shape[axis] - 1) // 2
    indices = jax.lax.slice_in_dim(order, middle, middle + 1, axis=axis)
    if jnp.issubdtype(input.dtype, jnp.floating):  # NaN is the median of elements with a NaN: the first one
        is_nan = jnp.isnan(input)
        first = jnp.argmax(is_nan, axis=axis, keepdims=True)
        indices = jnp.where(jnp.any(is_nan, axis=axis, keepdims=True), first, indices)
    return argminmax.picked(input, indices, axis, keepdims)


method("median", (median, "(dim=-1, keepdim=False)"), (median, "(axis=-1, keepdims=False)"))


@op()
def count_nonzero(x: Array, axis: Axes = (), keep_dims: Bool = False, dtype: Dtype | None = dtypes.int32):
    """The number of nonzero elements.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int]): Default: ``()``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``int32``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.count_nonzero(Tensor([0, 1, 2])).item()
        2
    Source: mindspore.ops.count_nonzero, mindspore.Tensor.count_nonzero
    """
    axes = check.axes(axis, x.ndim, "axis", "count_nonzero")
    return jnp.sum(x != 0, axis=axes, keepdims=keep_dims, dtype=(dtype or dtypes.int32).numpy)


@op("CountNonZero(dims=None)", name="_count_nonzero_primitive")
def _count_nonzero_primitive(x: Array, dims: Axes = None):
    """The number of nonzero elements.

    Args:
        x (Tensor): any shape and dtype.
        dims (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
    Returns:
        Tensor of int64.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.CountNonZero()(Tensor([0, 1, 2])).item()
        2
    Source: mindspore.ops.CountNonZero
    """
    return count_nonzero(x, dims, dtype=dtypes.int64)


method(
    "count_nonzero",
    (count_nonzero, "(axis=(), keep_dims=False, dtype=None)"),
    (count_nonzero, "(dim=None)", {"fixed": {"dtype": dtypes.int64}}),
)


@op(wide=True)
def nansum(input: Array, axis: Axes = None, keepdims: Bool = False, *, dtype: Dtype | None = None):
    """The sum over ``axis``, ignoring NaN.

    Args:
        input (Tensor): any shape and real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``: int64 for bools, else that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.nansum(Tensor([1.0, float("nan")])).item()
        1.0
    Source: mindspore.ops.nansum, mindspore.Tensor.nansum
    """
    total = reduction.sum(jnp.where(jnp.isnan(input), 0, input), axis, keepdims, dtype=dtype)
    return total if dtype is not None or input.dtype == jnp.bool_ else total.astype(input.dtype)


method(
    "nansum",
    (nansum, "(axis=None, keepdims=False, *, dtype=None)"),
    (nansum, "(dim=None, keepdim=False, *, dtype=None)"),
)


@composite(method="ptp", name="_ptp")
def _ptp(self: Array, axis: Axes = None, keepdims: Bool = False):
    """The range (maximum minus minimum) along ``axis``.

    Args:
        self (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> Tensor([1.0, 5.0]).ptp().item()
        4.0
    Source: mindspore.Tensor.ptp
    """
    return reduction.amax(self, axis, keepdims) - reduction.amin(self, axis, keepdims)


@op("L2Normalize(axis=0, epsilon=0.0001)", name="_l2_normalize", wide=True)
def l2_normalize(input_x: Array, axis: Axes = 0, epsilon: Scalar() = 1e-4):
    """L2 normalization: ``x / sqrt(max(sum(x^2), epsilon))``, with the sum over ``axis``.

    Args:
        input_x (Tensor): any shape, a float dtype.
        axis (int | tuple[int] | list[int]): Default: ``0``.
        epsilon (float): the smallest value under the root. Default: ``1e-4``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.L2Normalize()(Tensor([0.0, 2.0])).tolist()
        [0.0, 1.0]
    Source: mindspore.ops.L2Normalize
    """
    x = check.dtype(input_x, "f", "input_x", "L2Normalize")
    squares = jnp.sum(jnp.square(x), check.axes(axis, x.ndim, "axis", "L2Normalize"), keepdims=True)
    return x / jnp.sqrt(jnp.maximum(squares, epsilon))


@composite(method="bincount")
def bincount(input: Array, weights: Array | None = None, minlength: NonNegativeInt = 0):
    """Counts of each integer from 0 on. It reads values on the host, since the largest one determines the length.

    Args:
        input (Tensor): shape ``(n,)``, a real dtype, no value below 0; floats that are not integers do not count.
        weights (Tensor): shape ``(n,)``: the weight of each occurrence. Default: ``None``, 1 for each.
        minlength (int): the smallest length of the result. Default: ``0``.
    Returns:
        Tensor of float32, shape ``(max(input) + 1,)`` or longer.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``input`` is not of rank 1, or has a value below 0.
    Example:
        >>> ops.bincount(Tensor([0, 1, 1])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.bincount, mindspore.Tensor.bincount
    """
    if input.ndim != 1:
        check.refuse(ValueError, "bincount", "input", "a Tensor of rank 1", input)
    length = minlength
    if input.shape[0]:
        if int(reduction.amin(input)) < 0:
            check.refuse(ValueError, "bincount", "input", "without a value below 0", input)
        length = max(minlength, int(reduction.amax(input)) + 1)
    return _bincount_kernel(input, weights, length)


@op(name="_bincount_kernel")
def _bincount_kernel(input: Array, weights: Array | None, length: Int):
    check.dtype(input, "biuf", "input", "bincount")
    amounts = jnp.ones(input.shape, jnp.float32) if weights is None else weights.astype(jnp.float32)
    indices = input.astype(jnp.int64)
    return jnp.zeros(length, jnp.float32).at[indices].add(jnp.where(indices == input, amounts, 0))
