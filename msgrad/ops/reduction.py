"""Reductions: sum, mean, product, extremes, and what holds for any or all elements.

`axis` is an int, a tuple or list of ints, or None or ``()`` for all of them.
"""

import jax.numpy as jnp

from ..engine.dtypes import DType
from ..engine.handle import Handle
from ..tensor import promotion
from . import check
from .cast import convert
from .define import Array, Scalar, op
from .overload import overload

Axes = int | tuple | list | Handle | None


def _numpy(dtype, op_name):
    if dtype is None:
        return None
    if not isinstance(dtype, DType) or dtype.numpy is None:
        raise TypeError(f"For '{op_name}', the 'dtype' must be a mindspore dtype of numbers, but got {dtype!r}.")
    return dtype.numpy


def _total(function, name, x, axis, keepdims, dtype=None):
    """``function`` of ``x``, a sum or product, in the dtype of the promotion table's row ``name``."""
    dtype = promotion.reduction_dtype(name, x.dtype, _numpy(dtype, name))
    return function(convert(x, dtype), axis=axis, keepdims=keepdims).astype(dtype)


@op()
def sum(input: Array, dim=None, keepdim=False, *, dtype=None):
    """The sum over ``dim``.

    Args:
        input (Tensor): any shape and dtype.
        dim (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``: int64 for bool, uint8 and signed ints, else
            that of the input.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
        RuntimeError: if an axis comes twice.
    Example:
        >>> ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0).tolist()
        [4.0, 6.0]
    Source: mindspore.ops.sum, mindspore.Tensor.sum
    """
    check.boolean(keepdim, "keepdim", "SumExt")
    return _total(jnp.sum, "sum", input, check.axes(dim, input.ndim, "dim", "SumExt"), keepdim, dtype)


@op("ReduceSum", attrs=("keep_dims", "skip_mode"), name="_reduce_sum")
def _reduce_sum(x: Array, axis=(), keep_dims=False, skip_mode=False):
    """The sum over ``axis``, in the dtype of ``x``.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int]): Default: ``()``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
        skip_mode (bool): whether ``axis=()`` means no axis. Default: ``False``.
    Returns:
        Tensor.
    Example:
        >>> ops.ReduceSum(keep_dims=True)(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).tolist()
        [[3.0], [7.0]]
    Source: mindspore.ops.ReduceSum
    """
    check.boolean(keep_dims, "keep_dims", "ReduceSum")
    if skip_mode and axis == ():
        return x
    return _total(jnp.sum, "ReduceSum", x, check.axes(axis, x.ndim, "axis", "ReduceSum"), keep_dims)


def _average(x, axis, keepdims, dtype=None):
    # The whole part of the mean of ints is what remains.
    dtype = promotion.reduction_dtype("mean", x.dtype, dtype)
    if jnp.issubdtype(dtype, jnp.integer):
        return convert(jnp.mean(x.astype(jnp.float64), axis=axis, keepdims=keepdims), dtype)
    return jnp.mean(x.astype(dtype), axis=axis, keepdims=keepdims)


@op("ReduceMean", attrs=("keep_dims",))
def mean(x: Array, axis=None, keep_dims=False):
    """The mean over ``axis``.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``x``; that of ints is rounded towards 0.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).tolist()
        [1.5, 3.5]
    Source: mindspore.ops.mean, mindspore.ops.ReduceMean, mindspore.Tensor.mean
    """
    check.boolean(keep_dims, "keep_dims", "ReduceMean")
    return _average(x, check.axes(axis, x.ndim, "axis", "ReduceMean"), keep_dims)


@op(name="_mean_dtype")
def _mean_dtype(x: Array, axis, keep_dims, dtype):
    return _average(x, check.axes(axis, x.ndim, "dim", "MeanExt"), keep_dims, _numpy(dtype, "MeanExt"))


@op()
def prod(input: Array, axis=None, keep_dims=False, dtype=None):
    """The product over ``axis``.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axis stays, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``: int64 for bool, uint8 and signed ints, else
            that of the input.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0).tolist()
        [3.0, 8.0]
    Source: mindspore.ops.prod, mindspore.Tensor.prod
    """
    check.boolean(keep_dims, "keep_dims", "ProdExt")
    if axis is not None:
        axis = check.axis(axis, input.ndim, "axis", "ProdExt")
    return _total(jnp.prod, "prod", input, check.axes(axis, input.ndim, "axis", "ProdExt"), keep_dims, dtype)


@op("ReduceProd", attrs=("keep_dims",), name="_reduce_prod")
def _reduce_prod(x: Array, axis=(), keep_dims=False):
    """The product over ``axis``, in the dtype of ``x``.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int]): Default: ``()``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Example:
        >>> ops.ReduceProd()(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).tolist()
        [2.0, 12.0]
    Source: mindspore.ops.ReduceProd
    """
    check.boolean(keep_dims, "keep_dims", "ReduceProd")
    return _total(jnp.prod, "ReduceProd", x, check.axes(axis, x.ndim, "axis", "ReduceProd"), keep_dims)


def _extreme(x, sign, axis, keepdims, initial, where):
    """The greatest (``sign`` 1) or least (-1) element; equal ones share the gradient."""
    if initial is not None and where is None:
        where = True
    if where is not None and initial is None:
        raise ValueError("For 'amax' and 'amin', 'initial' must be given with 'where': what an empty choice gives.")
    reduce = jnp.max if sign > 0 else jnp.min
    return reduce(check.dtype(x, "biuf", "input", "ReduceMax"), axis, keepdims=keepdims, initial=initial, where=where)


@op("ReduceMax", attrs=("keep_dims",), name="_reduce_max")
def _reduce_max(x: Array, axis=(), keep_dims=False):
    """The greatest element along ``axis``; equal ones share the gradient.

    Source: mindspore.ops.ReduceMax
    """
    check.boolean(keep_dims, "keep_dims", "ReduceMax")
    return _extreme(x, 1, check.axes(axis, x.ndim, "axis", "ReduceMax"), keep_dims, None, None)


@op("ReduceMin", attrs=("keep_dims",), name="_reduce_min")
def _reduce_min(x: Array, axis=(), keep_dims=False):
    """The least element along ``axis``; equal ones share the gradient.

    Source: mindspore.ops.ReduceMin
    """
    check.boolean(keep_dims, "keep_dims", "ReduceMin")
    return _extreme(x, -1, check.axes(axis, x.ndim, "axis", "ReduceMin"), keep_dims, None, None)


@op(method="amax")
def amax(input: Array, axis=None, keepdims=False, *, initial: Scalar() | None = None, where: Array | None = None):
    """The greatest element along ``axis``; equal ones share the gradient.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        initial (Number): the least value that the result can have. Default: ``None``.
        where (Tensor): of bool: which elements count; needs ``initial``. Default: ``None``, all.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.amax(Tensor([[1.0, 5.0], [7.0, 2.0]]), 0).tolist()
        [7.0, 5.0]
    Source: mindspore.ops.amax, mindspore.Tensor.amax
    """
    check.boolean(keepdims, "keepdims", "ReduceMax")
    return _extreme(input, 1, check.axes(axis, input.ndim, "axis", "ReduceMax"), keepdims, initial, where)


@op(method="amin")
def amin(input: Array, axis=None, keepdims=False, *, initial: Scalar() | None = None, where: Array | None = None):
    """The least element along ``axis``; equal ones share the gradient.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        initial (Number): the greatest value that the result can have. Default: ``None``.
        where (Tensor): of bool: which elements count; needs ``initial``. Default: ``None``, all.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.amin(Tensor([[1.0, 5.0], [7.0, 2.0]]), 0).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.amin, mindspore.Tensor.amin
    """
    check.boolean(keepdims, "keepdims", "ReduceMin")
    return _extreme(input, -1, check.axes(axis, input.ndim, "axis", "ReduceMin"), keepdims, initial, where)


@op("ReduceAny", attrs=("keep_dims",))
def any(input: Array, axis=None, keep_dims=False):
    """Whether an element along ``axis`` is not 0.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of bool, of uint8 for uint8.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.any(Tensor([[True, False], [False, False]]), 1).tolist()
        [True, False]
    Source: mindspore.ops.any, mindspore.ops.ReduceAny, mindspore.Tensor.any
    """
    check.boolean(keep_dims, "keep_dims", "ReduceAny")
    found = jnp.any(input != 0, axis=check.axes(axis, input.ndim, "axis", "ReduceAny"), keepdims=keep_dims)
    return found.astype(promotion.reduction_dtype("any", input.dtype))


@op("ReduceAll", attrs=("keep_dims",))
def all(input: Array, axis=None, keep_dims=False):
    """Whether every element along ``axis`` is not 0.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of bool.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.all(Tensor([[True, False], [True, True]]), 1).tolist()
        [False, True]
    Source: mindspore.ops.all, mindspore.ops.ReduceAll, mindspore.Tensor.all
    """
    check.boolean(keep_dims, "keep_dims", "ReduceAll")
    return jnp.all(input != 0, axis=check.axes(axis, input.ndim, "axis", "ReduceAll"), keepdims=keep_dims)


def _sum_dim(self, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None):
    return sum(self, dim, keepdim, dtype=dtype)


def _sum_axis(
    self,
    axis: Axes = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    initial: int | float | None = None,
):
    result = sum(self, axis, keepdims, dtype=dtype)
    return result if initial is None else result + initial


overload(
    "sum",
    """The sum: ``sum(dim=None, keepdim=False, *, dtype=None)``, as `ops.sum`, or
    ``sum(axis=None, dtype=None, keepdims=False, initial=None)``, where ``initial`` (Number) is added.

    Source: mindspore.Tensor.sum
    """,
    _sum_dim,
    _sum_axis,
)


def _mean_dim(self, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None):
    return mean(self, dim, keepdim) if dtype is None else _mean_dtype(self, dim, keepdim, dtype)


def _mean_axis(self, axis: Axes = None, keep_dims: bool = False):
    return mean(self, axis, keep_dims)


overload(
    "mean",
    """``mean(dim=None, keepdim=False, *, dtype=None)`` or ``mean(axis=None, keep_dims=False)``, as `ops.mean`.

    Source: mindspore.Tensor.mean
    """,
    _mean_dim,
    _mean_axis,
)


def _prod(self, dim: int | None = None, keepdim: bool = False, dtype: DType | None = None):
    return prod(self, dim, keepdim, dtype)


overload(
    "prod",
    """The product: ``prod(dim=None, keepdim=False, dtype=None)``, as `ops.prod`.

    Source: mindspore.Tensor.prod
    """,
    _prod,
)

for _name, _face in {"any": any, "all": all}.items():

    def _axis(self, axis: Axes = None, keep_dims: bool = False, *, face=_face):
        return face(self, axis, keep_dims)

    def _dim(self, dim: Axes = None, keepdim: bool = False, *, face=_face):
        return face(self, dim, keepdim)

    overload(
        _name,
        f"""``{_name}(axis=None, keep_dims=False)`` or ``{_name}(dim=None, keepdim=False)``, as `ops.{_name}`.

    Source: mindspore.Tensor.{_name}
    """,
        _axis,
        _dim,
    )
