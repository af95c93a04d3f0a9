"""Quantiles, medians and k-th values; ``nanmean``."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Axes, Axis, Bool, Dtype, Int, Operand
from ...engine.handle import Handle
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._shared import ordering
from .argminmax import picked


@op()
def _quantile(input: Array, q: Array, axis: Axis | None, keepdims: Bool, is_nan_kept: Bool):
    owner = "quantile" if is_nan_kept else "nanquantile"
    x = check.dtype(input, "f", "input", owner)
    if x.dtype not in (np.float32, np.float64):
        check.refuse(TypeError, owner, "input", "a Tensor of float32 or float64", x.dtype.name)
    if axis is not None:
        axis = check.axis(axis, x.ndim, "axis", owner)
        axis = axis if x.ndim else None
    check.not_empty(x, range(x.ndim) if axis is None else (axis,), "input", owner, RuntimeError)
    found = _interpolated(x.reshape(-1) if axis is None else jnp.moveaxis(x, axis, -1), q.astype(x.dtype), is_nan_kept)
    if keepdims:
        found = found.reshape(*q.shape, *[1] * x.ndim) if axis is None else jnp.expand_dims(found, axis + q.ndim)
    return found


def _interpolated(x, q, is_nan_kept):
    """The quantiles ``q`` along the last axis of ``x``; several are the first axis."""
    order, is_nan = ordering.order(x), jnp.isnan(x)
    count = x.shape[-1] if is_nan_kept else jnp.sum(~is_nan, -1, keepdims=True)
    rank = jnp.broadcast_to(q.reshape(-1) * (jnp.asarray(count, x.dtype) - 1), (*x.shape[:-1], q.size))
    below = jnp.floor(rank)
    share = rank - below
    lower, upper = [
        jnp.take_along_axis(x, jnp.take_along_axis(order, jnp.maximum(each, 0).astype(jnp.int32), -1), -1)
        for each in (below, jnp.ceil(rank))
    ]
    found = lower * (1 - share) + upper * share
    if is_nan_kept:
        found = jnp.where(jnp.any(is_nan, -1, keepdims=True), jnp.nan, found)
    return jnp.moveaxis(found, -1, 0) if q.ndim else jnp.squeeze(found, -1)


def _at(input, q, axis, keepdims, is_nan_kept):
    if not isinstance(q, Handle):
        if not 0 <= q <= 1:
            check.refuse(ValueError, "Quantile", "q", "in the range [0, 1]", q)
        q = Tensor(float(q), input.dtype)
    if q.ndim > 1:
        check.refuse(ValueError, "Quantile", "q", "of at most one axis", q)
    return _quantile(input, q, axis, keepdims, is_nan_kept)


@composite(method="quantile")
def quantile(input: Array, q: Operand, axis: Axis | None = None, keepdims: Bool = False):
    """Quantile: the number below which a fraction ``q`` of the elements is, interpolated linearly.

    Args:
        input (Tensor): any shape, float32 or float64.
        q (float | Tensor): the share, in ``[0, 1]``, or several, which are the first axis of the result.
        axis (int | None): Default: ``None``, all elements.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``input``; not a number where there is an element that is none.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``q`` is out of range, or there is no such axis.
    Example:
        >>> ops.quantile(Tensor([1.0, 2.0, 4.0]), 0.75).item()
        3.0
    Source: mindspore.ops.quantile, mindspore.Tensor.quantile
    """
    return _at(input, q, axis, keepdims, True)


@composite("Quantile(dim=None, keep_dims=False, ignore_nan=False)", name="_quantile_primitive")
def _quantile_primitive(
    input: Array, q: Operand, dim: Axis | None = None, keep_dims: Bool = False, ignore_nan: Bool = False
):
    """Quantile, with or without NaN: `quantile`, `nanquantile`.

    Args:
        input (Tensor): any shape, float32 or float64.
        q (float | Tensor): the share, in ``[0, 1]``, or several, which are the first axis of the result.
        dim (int | None): Default: ``None``, all elements.
        keep_dims (bool): whether the axis stays, with length 1. Default: ``False``.
        ignore_nan (bool): whether NaN is left out. Default: ``False``.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``q`` is out of range, or there is no such axis.
    Example:
        >>> ops.Quantile(ignore_nan=True)(Tensor([1.0, 2.0, float("nan"), 4.0]), 0.75).item()
        3.0
    Source: mindspore.ops.Quantile
    """
    return _at(input, q, dim, keep_dims, not ignore_nan)


@composite(method="nanquantile")
def nanquantile(input: Array, q: Operand, axis: Axis | None = None, keepdims: Bool = False):
    """Quantile that ignores NaN; see `quantile`.

    Args:
        input (Tensor): any shape, float32 or float64.
        q (float | Tensor): the share, in ``[0, 1]``, or several, which are the first axis of the result.
        axis (int | None): Default: ``None``, all elements.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``q`` is out of range, or there is no such axis.
    Example:
        >>> ops.nanquantile(Tensor([1.0, 2.0, float("nan"), 4.0]), 0.75).item()
        3.0
    Source: mindspore.ops.nanquantile, mindspore.Tensor.nanquantile
    """
    return _at(input, q, axis, keepdims, False)


@op(method="nanmean")
def nanmean(input: Array, axis: Axes = None, keepdims: Bool = False, *, dtype: Dtype | None = None):
    """The mean over ``axis``, ignoring NaN.

    Args:
        input (Tensor): any shape, a float dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``, that of ``input``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.nanmean(Tensor([1.0, float("nan"), 3.0])).item()
        2.0
    Source: mindspore.ops.nanmean, mindspore.Tensor.nanmean
    """
    x = check.dtype(input, "f", "input", "nanmean")
    axes = check.axes(axis, x.ndim, "axis", "nanmean")
    is_number = ~jnp.isnan(x)
    total = jnp.sum(jnp.where(is_number, x, 0), axes, keepdims=keepdims)
    mean = total / jnp.sum(is_number, axes, keepdims=keepdims).astype(x.dtype)
    return mean if dtype is None else mean.astype(dtype.numpy)


def _ranked(x, axis, rank, keepdims):
    """The element of the given rank along ``axis``, counted from 0 and NaN last, and its index."""
    order = ordering.order(x, axis)
    indices = jnp.take_along_axis(order, jnp.broadcast_to(rank, jnp.sum(x, axis, keepdims=True).shape), axis)
    return picked(x, indices, axis, keepdims)


@op(method="nanmedian")
def nanmedian(input: Array, axis: Axis = -1, keepdims: Bool = False):
    """Median along ``axis``, ignoring NaN, the lower of two middle elements, and its index.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int): Default: ``-1``.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.nanmedian(Tensor([3.0, float("nan"), 2.0]))[0].item()
        2.0
    Source: mindspore.ops.nanmedian, mindspore.Tensor.nanmedian
    """
    axis = check.axis(axis, check.dtype(input, "iuf", "input", "Median").ndim, "axis", "Median")
    if not input.ndim:
        return input, jnp.zeros((), jnp.int64)
    count = jnp.sum(~jnp.isnan(input), axis, keepdims=True)
    return _ranked(input, axis, jnp.maximum(count - 1, 0) // 2, keepdims)


@op("Median(global_median=False, axis=0, keep_dims=False, ignore_nan=False)", name="_median_primitive")
def _median(
    x: Array,
    global_median: Bool = False,
    axis: Axis = 0,
    keep_dims: Bool = False,
    ignore_nan: Bool = False,
):
    """Median along ``axis``, the lower of two middle elements, and its index.

    Args:
        x (Tensor): any shape, a real dtype.
        global_median (bool): whether of all elements; the index is 0. Default: ``False``.
        axis (int): Default: ``0``.
        keep_dims (bool): whether the axis stays, with length 1. Default: ``False``.
        ignore_nan (bool): whether NaN is ignored. Default: ``False``: then it is the median.
    Returns:
        tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.Median()(Tensor([3.0, 1.0, 2.0]))[0].item()
        2.0
    Source: mindspore.ops.Median
    """
    if global_median or not x.ndim:
        values = nanmedian(x.reshape(-1))[0]
        axis = None
    else:
        axis = check.axis(axis, x.ndim, "axis", "Median")
        values, indices = nanmedian(x, axis, keep_dims)
    if not ignore_nan:
        bad = jnp.isnan(x)
        values = jnp.where(bad.any(axis, keepdims=keep_dims and axis is not None), jnp.asarray(jnp.nan), values).astype(
            x.dtype
        )
        if axis is not None:
            first = jnp.argmax(bad, axis, keepdims=keep_dims)
            indices = jnp.where(bad.any(axis, keepdims=keep_dims), first, indices)
    return (values, jnp.zeros((), jnp.int64)) if axis is None else (values, indices)


@op(name="_kthvalue", method="kthvalue")
def _kthvalue(input: Array, k: Int, dim: Axis = -1, keepdim: Bool = False):
    """The ``k``-th smallest element along ``dim``, and its index.

    Args:
        input (Tensor): any shape, a real dtype.
        k (int): the rank, from 1 on.
        dim (int): Default: ``-1``.
        keepdim (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis or rank.
    Example:
        >>> Tensor([3.0, 1.0, 2.0]).kthvalue(2)[0].item()
        2.0
    Source: mindspore.Tensor.kthvalue
    """
    dim = check.axis(dim, check.dtype(input, "iuf", "input", "kthvalue").ndim, "dim", "kthvalue")
    check.in_range(k, 1, input.shape[dim] if input.ndim else 1, "k", "kthvalue")
    return _ranked(input, dim, k - 1, keepdim) if input.ndim else (input, jnp.zeros((), jnp.int64))


@op(method="msort")
def msort(input: Array):
    """The elements in ascending order along the first axis.

    Args:
        input (Tensor): any shape, a real dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of real numbers.
    Example:
        >>> ops.msort(Tensor([3.0, 1.0, 2.0])).tolist()
        [1.0, 2.0, 3.0]
    Source: mindspore.ops.msort, mindspore.Tensor.msort
    """
    return jnp.take_along_axis(input, ordering.order(check.dtype(input, "iuf", "input", "msort"), 0), 0)
