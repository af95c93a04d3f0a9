"""Reductions: sums, means, extremes and counts along axes, NaN-ignoring and cumulative ones."""

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import Array, Axes, Bool
from ..engine.dtypes import float32
from ..ops._core.families import body
from ..tensor.promotion import reduction_dtype
from ._dialect import NAMES, AnyDtype, Like, composite, op

# -- sums and means -------------------------------------------------------------------------------------------------


@op()
def sum(a: Like, axis: Axes = None, dtype: AnyDtype | None = None, keepdims: Bool = False, initial: Like | None = None):
    """The sum along ``axis``.

    Args:
        a (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        dtype (mindspore.dtype | str | type): of the sum. Default: ``None``: int64 for bool, uint8 and signed ints.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        initial (Number): what the sum starts from. Default: ``None``, 0.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0).tolist()
        [4.0, 6.0]
    Source: mindspore.numpy.sum
    """
    dtype = reduction_dtype("sum", a.dtype) if dtype is None else dtype.numpy
    total = jnp.sum(a.astype(dtype), check.axes(axis, a.ndim, "axis", "sum"), keepdims=keepdims).astype(dtype)
    return total if initial is None else ops.add(total, initial)


@op()
def mean(a: Like, axis: Axes = None, keepdims: Bool = False, dtype: AnyDtype | None = None):
    """The mean along ``axis``.

    Args:
        a (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype | str | type): of the result. Default: ``None``, that of ``a``.
    Returns:
        Tensor; the mean of ints is rounded towards 0.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).tolist()
        [1.5, 3.5]
    Source: mindspore.numpy.mean
    """
    return ops.mean(a, check.axes(axis, a.ndim, "axis", "mean"), keepdims).astype(dtype.numpy if dtype else a.dtype)


_SPREAD = """The {phrase} along ``axis``.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        ddof (int): what the count is lessened by in the divisor. Default: ``0``.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of floats.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.{name}(Tensor([1.0, 3.0])).item()
        1.0
    Source: mindspore.numpy.{name}
    """


def _spread(name, method, phrase):
    def compute(x, axis, ddof, keepdims):
        return method(x, axis, ddof, keepdims)

    text = f"{name}(x: Like, axis: Axes = None, ddof: Int = 0, keepdims: Bool = False)"
    composite()(body(text, compute, _SPREAD, NAMES, phrase=phrase))


_spread("std", lambda x, *options: x.std(*options), "standard deviation")
_spread("var", lambda x, *options: x.var(*options), "variance")


@composite()
def average(x: Array, axis: Axes = None, weights: Array | None = None, returned: Bool = False):
    """The weighted mean along ``axis``.

    Args:
        x (Tensor): any shape.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        weights (Tensor): of the shape of ``x``, or a vector along one axis. Default: ``None``, equal ones.
        returned (bool): whether the sum of the weights is returned too. Default: ``False``.
    Returns:
        Tensor; with ``returned`` a tuple of it and of the sums.
    Raises:
        TypeError: if an argument has a wrong type, or the weights a wrong shape. ValueError: if an axis is out of
            range.
    Example:
        >>> ms.numpy.average(Tensor([1.0, 4.0]), weights=Tensor([2.0, 1.0])).item()
        2.0
    Source: mindspore.numpy.average
    """
    if weights is None:
        mean_, total = _weighted(x, ops.ones_like(x), axis)
    elif weights.shape == x.shape:
        mean_, total = _weighted(x, weights, axis)
    elif weights.ndim == 1 and isinstance(axis, int):
        shape = [-1 if k == axis % x.ndim else 1 for k in range(x.ndim)]
        mean_, total = _weighted(x, weights.reshape(shape), axis)
    else:
        expected = f"of the shape of 'x', {x.shape}, or a vector along one axis"
        check.refuse(TypeError, "average", "weights", expected, weights.shape)
    return (mean_, ops.broadcast_to(total, mean_.shape)) if returned else mean_


@op(name="_weighted")
def _weighted(x: Array, weights: Array, axis: Axes):
    axis = check.axes(axis, x.ndim, "axis", "average")
    products, total = x * weights, jnp.sum(weights, axis).astype(weights.dtype)
    return (jnp.sum(products, axis) / total).astype(products.dtype), total


# -- extremes -------------------------------------------------------------------------------------------------------

_EXTREME = """The {phrase} element along ``axis``; equal ones share the gradient.

    Args:
        a (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        initial (Number): the {bound} value that the result can have. Default: ``None``.
        where (Tensor | bool): which elements count; needs ``initial``. Default: ``True``, all.
    Returns:
        Tensor, dtype of ``a``.
    Raises:
        TypeError: if an argument has a wrong type.
        ValueError: if an axis is out of range, or ``where`` is given without ``initial``.
    Example:
        >>> ms.numpy.{name}(Tensor([[1.0, 5.0], [7.0, 2.0]]), 0).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _extreme(name, reduce, phrase, bound, value):
    def compute(a, axis, keepdims, initial, where):
        where = None if where is True else where
        if where is not None and initial is None:
            check.refuse(ValueError, name, "initial", "given together with 'where'", None)
        axis = check.axes(axis, a.ndim, "axis", name)
        check.dtype(a, "biuf", "a", name)
        if where is not None:
            a, where = jnp.broadcast_arrays(a, where.astype(bool))
        if initial is None:
            check.not_empty(a, axis, "a", name)
        initial = None if initial is None else initial.astype(a.dtype)
        return reduce(a, axis, keepdims=keepdims, initial=initial, where=where)

    text = (
        f"{name}(a: Like, axis: Axes = None, keepdims: Bool = False, initial: Like | None = None, where: _Where = True)"
    )
    return op()(body(text, compute, _EXTREME, NAMES | {"_Where": _Where()}, phrase=phrase, bound=bound, value=value))


class _Where(type(Like)):
    """The contract of ``where``: a Tensor of bool, or True for none."""

    def __init__(self):
        super().__init__(Like.make, bool)

    def freeze(self, value, arg_name, owner, operands):
        return None if value is True else super().freeze(value, arg_name, owner, operands)


_extreme("amax", jnp.max, "largest", "smallest", "[7.0, 5.0]")
_extreme("max", jnp.max, "largest", "smallest", "[7.0, 5.0]")
_extreme("amin", jnp.min, "smallest", "largest", "[1.0, 2.0]")
_extreme("min", jnp.min, "smallest", "largest", "[1.0, 2.0]")


@op()
def ptp(x: Array, axis: Axes = None, keepdims: Bool = False):
    """The range (maximum minus minimum) along ``axis``.

    Args:
        x (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.ptp(Tensor([1.0, 5.0, 3.0])).item()
        4.0
    Source: mindspore.numpy.ptp
    """
    axis = check.axes(axis, x.ndim, "axis", "ptp")
    return jnp.max(x, axis, keepdims=keepdims) - jnp.min(x, axis, keepdims=keepdims)


_ARG = """The index of the {phrase} element, the first of equal ones.

    Args:
        a (Tensor): any shape.
        axis (int | None): Default: ``None``, the index among all elements.
    Returns:
        Tensor of {dtype}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.{name}(Tensor([3, 9, 1])).item()
        {value}
    Source: mindspore.numpy.{name}
    """


def _arg(name, choose, dtype, phrase, value):
    def compute(a, axis):
        axis = None if axis is None else check.axis(axis, a.ndim, "axis", name)
        chosen = range(a.ndim) if axis is None else (axis,)
        if not a.ndim:
            return jnp.zeros((), np.int64)
        return choose(check.not_empty(a, chosen, "a", name, RuntimeError), axis).astype(dtype)

    fields = {"phrase": phrase, "value": value, "dtype": np.dtype(dtype).name}
    op()(body(f"{name}(a: Like, axis: Axis | None = None)", compute, _ARG, NAMES, **fields))


_arg("argmax", jnp.argmax, np.int64, "largest", 1)
_arg("argmin", jnp.argmin, np.int32, "smallest", 2)


@op()
def count_nonzero(x: Like, axis: Axes = None, keepdims: Bool = False):
    """The number of nonzero elements along ``axis``.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of int32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.count_nonzero(Tensor([0, 1, 2])).item()
        2
    Source: mindspore.numpy.count_nonzero
    """
    axis = check.axes(axis, x.ndim, "axis", "count_nonzero")
    return jnp.count_nonzero(x, axis, keepdims=keepdims).astype(np.int32)


# -- ignoring NaN -----------------------------------------------------------------------------------------------

_NAN = """The {phrase} of the elements along ``axis`` that are not NaN.

    Args:
        a (Tensor): any shape.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        dtype (mindspore.dtype | str | type): of the result. Default: ``None``, {dtype}.{ddof}
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.{name}(Tensor([1.0, float("nan"), 3.0])).item()
        {value}
    Source: mindspore.numpy.{name}
    """
_DDOF = "\n        ddof (int): what the count is lessened by in the divisor. Default: ``0``."
_OWN, _SINGLE = "that of ``a``", "float32"


def _of_numbers(name, reduce, phrase, value):
    def compute(a, axis, dtype, keepdims):
        axis = check.axes(axis, a.ndim, "axis", name)
        return reduce(a, axis=axis, keepdims=keepdims).astype(a.dtype if dtype is None else dtype.numpy)

    text = f"{name}(a: Like, axis: Axes = None, dtype: AnyDtype | None = None, keepdims: Bool = False)"
    op()(body(text, compute, _NAN, NAMES, phrase=phrase, value=value, dtype=_OWN, ddof=""))


def _nan_extreme(name, extreme):
    def reduce(a, axis, keepdims):
        check.not_empty(a, axis, "a", name)
        info = jnp.finfo if jnp.issubdtype(a.dtype, jnp.floating) else jnp.iinfo
        minimum = -float(2**63) if extreme is jnp.max else float(2**63)  # MindSpore's, where all are NaN
        numbers = a if info is jnp.iinfo else jnp.where(jnp.isnan(a), jnp.asarray(minimum, a.dtype), a)
        return extreme(numbers, axis=axis, keepdims=keepdims)

    return reduce


_of_numbers("nanmax", _nan_extreme("nanmax", jnp.max), "largest", "3.0")
_of_numbers("nanmin", _nan_extreme("nanmin", jnp.min), "smallest", "1.0")
_of_numbers("nansum", jnp.nansum, "sum", "4.0")


@op(wide=True)
def nanmean(a: Like, axis: Axes = None, dtype: AnyDtype | None = None, keepdims: Bool = False):
    """The mean of the elements along ``axis`` that are not NaN.

    Args:
        a (Tensor): any shape.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        dtype (mindspore.dtype | str | type): that the sum is taken in. Default: ``None``, float32.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.nanmean(Tensor([1.0, float("nan"), 3.0])).item()
        2.0
    Source: mindspore.numpy.nanmean
    """
    axis = check.axes(axis, a.ndim, "axis", "nanmean")
    total = jnp.nansum(a, axis, keepdims=keepdims).astype((dtype or float32).numpy)
    count = jnp.sum(~jnp.isnan(a), axis, keepdims=keepdims)
    return total / count.astype(a.dtype if jnp.issubdtype(a.dtype, jnp.floating) else total.dtype)


def _deviation(name, reduce, phrase, value):
    def compute(a, axis, dtype, ddof, keepdims):
        a = a if jnp.issubdtype(a.dtype, jnp.floating) else a.astype(np.float32)
        result = reduce(a, axis=check.axes(axis, a.ndim, "axis", name), ddof=ddof, keepdims=keepdims)
        return result.astype((dtype or float32).numpy)

    text = f"{name}(a: Like, axis: Axes = None, dtype: AnyDtype | None = None, ddof: Int = 0, keepdims: Bool = False)"
    op(wide=True)(body(text, compute, _NAN, NAMES, phrase=phrase, value=value, dtype=_SINGLE, ddof=_DDOF))


_deviation("nanvar", jnp.nanvar, "variance", "1.0")
_deviation("nanstd", jnp.nanstd, "standard deviation", "1.0")

# -- cumulative -----------------------------------------------------------------------------------------------------

_CUMULATIVE = """The {phrase} of the elements up to each.

    Args:
        a (Tensor): any shape.
        axis (int | None): along which axis. Default: ``None``, over all elements in order.
        dtype (mindspore.dtype | str | type): of the result. Default: ``None``: {dtype}.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.{name}(Tensor([1.0, 2.0, 3.0])).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """
_OF_SUMS = {"bool": "int32", "int8": "int32", "int16": "int32", "uint8": "int32"}
_OF_PRODUCTS = {"bool": "int32", "int8": "int32", "int16": "int32", "uint8": "uint32", "uint16": "uint32"}


def _cumulative(name, accumulate, dtypes, phrase, value):
    def compute(a, axis, dtype):
        if axis is not None:
            check.at_least_rank(a, 1, "a", name)
        a, axis = (a.reshape(-1), 0) if axis is None else (a, check.axis(axis, a.ndim, "axis", name))
        dtype = dtypes.get(a.dtype.name, a.dtype) if dtype is None else dtype.numpy
        wide = a if jnp.issubdtype(a.dtype, jnp.inexact) else a.astype(np.int64)
        return accumulate(wide, axis).astype(dtype)

    fields = {"phrase": phrase, "value": value, "dtype": f"{dtypes}, that of ``a`` for others".replace("'", "")}
    text = f"{name}(a: Like, axis: Axis | None = None, dtype: AnyDtype | None = None)"
    op()(body(text, compute, _CUMULATIVE, NAMES, **fields))


def _sum_of_numbers(a, axis):
    return jnp.cumsum(jnp.where(jnp.isnan(a), 0, a), axis)


_cumulative("cumsum", jnp.cumsum, _OF_SUMS, "sum", "[1.0, 3.0, 6.0]")
_cumulative("nancumsum", _sum_of_numbers, _OF_SUMS, "sum, NaN being 0,", "[1.0, 3.0, 6.0]")
_cumulative("cumprod", jnp.cumprod, _OF_PRODUCTS, "product", "[1.0, 2.0, 6.0]")
