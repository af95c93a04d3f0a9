"""Adaptive pooling to a given number of windows."""

from typing import Any

import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, PositiveInt
from ..._contracts.kinds import Static
from .._core.define import op
from .._core.faces import face, primitive
from .._shared.linear_maps import MOST, along, mapped, numbers, taken
from .._shared.windows import adaptive
from .pooling import check_rank, window_maxima


def _sizes(value, arg_name, owner):
    """The output lengths, None for unchanged axes."""
    if isinstance(value, list):
        check.refuse(TypeError, owner, arg_name, "an int or a tuple", value, "Convert it first: tuple(x).")
    if value is None:
        check.refuse(TypeError, owner, arg_name, "an int or a tuple", value)
    return _sizes_or_list(value, arg_name, owner)


def _sizes_or_list(value, arg_name, owner):
    sizes = value if isinstance(value, (tuple, list)) else (value,)
    return tuple([None if each is None else check.positive_int(each, arg_name, owner) for each in sizes])


_Sizes = Static(_sizes, int, tuple)
_SizesOrList = Static(_sizes_or_list, int, tuple, list)


def _two_sizes(value, arg_name, owner):
    sizes = _sizes(value, arg_name, owner)
    if isinstance(value, tuple) and len(sizes) != 2:
        check.refuse(ValueError, owner, arg_name, "one length, or 2", value)
    return sizes


_TwoSizes = Static(_two_sizes, int, tuple)


def _resolved(owner, x, rank, sizes):
    sizes = sizes * rank if len(sizes) == 1 else sizes
    check_rank(owner, x, rank + 1, rank + 2)
    if len(sizes) != rank:
        check.refuse(ValueError, owner, "output_size", f"one length, or {rank}", sizes)
    return [own if size is None else size for own, size in zip(x.shape[-rank:], sizes, strict=True)]


def adaptive_mean(owner, x: Any, rank, sizes):
    check.dtype(x, "f", "input", owner)
    for axis, size in zip(range(-rank, 0), _resolved(owner, x, rank, sizes), strict=True):
        x = x.mean(axis, keepdims=True) if size == 1 else window_means(x, size, axis % x.ndim)
    return x


def window_means(x, count, axis):
    """The means of ``count`` windows along ``axis``, which may overlap by an element."""
    length, dtype = x.shape[axis], x.dtype
    wide, integer = jnp.promote_types(dtype, jnp.float32), jnp.int32 if max(length, count) <= MOST else jnp.int64

    def windows(number):
        number = number.astype(integer)
        start = number * length // count
        return start, ((number + 1) * length + count - 1) // count - start

    def sums(x, axis):
        starts, widths = windows(numbers(count))
        shape, rank = (*x.shape[:axis], count, *x.shape[axis + 1 :]), x.ndim

        def turn(carried):
            # One element of each window: as many turns as the widest one has, however many these are.
            step, total = carried
            part = taken(x, jnp.minimum(starts + step, length - 1), axis).astype(wide)
            is_inside = along(step < widths, axis, rank)
            return step + 1, total + jnp.where(is_inside, part, jnp.zeros((), wide))

        first = jnp.zeros((), integer), jnp.zeros(shape, wide)
        _, total = lax.while_loop(lambda carried: carried[0] < widths.max(), turn, first)
        return (total / along(widths.astype(wide), axis, rank)).astype(dtype)

    def matrix():
        starts, widths = windows(numbers(count, axis=0))
        beyond = numbers(length) - starts
        return jnp.where((beyond >= 0) & (beyond < widths), 1 / widths.astype(dtype), jnp.zeros((), dtype))

    return mapped(x, axis, sums, matrix)


def _adaptive_max(owner, x, rank, sizes, dtype):
    sizes = _resolved(owner, x, rank, sizes)
    return window_maxima(x, [adaptive(n, size) for n, size in zip(x.shape[-rank:], sizes, strict=True)], dtype)


def _check_divides(owner, x, size):
    if x.shape[-1] % size:
        check.refuse(ValueError, owner, "output_size", f"a divisor of the last length, {x.shape[-1]}", size)


@op(wide=True)
def adaptive_avg_pool1d(input: Array, output_size: PositiveInt):
    """Adaptive average pooling over one axis: the means of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, L)`` or ``(C, L)``, a float dtype.
        output_size (int): a divisor of ``L``.
    Returns:
        Tensor of the dtype of ``input``, its last axis of that length.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if it is not a divisor, or there are other axes.
    Example:
        >>> ops.adaptive_avg_pool1d(Tensor([[[1.0, 3.0, 5.0, 5.0]]]), 2).tolist()
        [[[2.0, 5.0]]]
    Source: mindspore.ops.adaptive_avg_pool1d
    """
    _check_divides("adaptive_avg_pool1d", check_rank("adaptive_avg_pool1d", input, 2, 3), output_size)
    return adaptive_mean("adaptive_avg_pool1d", input, 1, (output_size,))


@op("AdaptiveAvgPool2D(output_size)", wide=True)
def adaptive_avg_pool2d(input: Array, output_size: _TwoSizes):
    """Adaptive average pooling over two axes: the means of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, H, W)`` or ``(C, H, W)``, a float dtype.
        output_size (int | tuple[int | None]): how many along each axis; None for its length.
    Returns:
        Tensor of the dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a number is not positive, or there are other axes.
    Example:
        >>> ops.adaptive_avg_pool2d(Tensor([[[[1.0, 3.0], [5.0, 7.0]]]]), (1, None)).tolist()
        [[[[3.0, 5.0]]]]
    Source: mindspore.ops.adaptive_avg_pool2d, mindspore.ops.AdaptiveAvgPool2D
    """
    return adaptive_mean("AdaptiveAvgPool2D", input, 2, output_size)


face(adaptive_avg_pool2d, "adaptive_avg_pool2d_ext(input, output_size: AsTuple)")


@op("AdaptiveAvgPool3D(output_size)", wide=True)
def adaptive_avg_pool3d(input: Array, output_size: _Sizes):
    """Adaptive average pooling over three axes: the means of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``, a float dtype.
        output_size (int | tuple[int | None]): how many along each axis; None for its length.
    Returns:
        Tensor of the dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a number is not positive, or there are other axes.
    Example:
        >>> ops.adaptive_avg_pool3d(ops.ones((1, 1, 2, 2, 2)), 1).tolist()
        [[[[[1.0]]]]]
    Source: mindspore.ops.adaptive_avg_pool3d, mindspore.ops.AdaptiveAvgPool3D
    """
    return adaptive_mean("AdaptiveAvgPool3D", input, 3, output_size)


@op()
def adaptive_max_pool1d(input: Array, output_size: PositiveInt):
    """Adaptive max pooling over one axis: the maxima of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, L)`` or ``(C, L)``.
        output_size (int): a divisor of ``L``.
    Returns:
        Tensor of the dtype of ``input``, its last axis of that length.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if it is not a divisor, or there are other axes.
    Example:
        >>> ops.adaptive_max_pool1d(Tensor([[[1.0, 3.0, 5.0, 4.0]]]), 2).tolist()
        [[[3.0, 5.0]]]
    Source: mindspore.ops.adaptive_max_pool1d
    """
    _check_divides("adaptive_max_pool1d", check_rank("adaptive_max_pool1d", input, 2, 3), output_size)
    return _adaptive_max("adaptive_max_pool1d", input, 1, (output_size,), jnp.int32)[0]


@op()
def adaptive_max_pool2d(input: Array, output_size: _SizesOrList, return_indices: Bool = False):
    """Adaptive max pooling over two axes: the maxima of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, H, W)`` or ``(C, H, W)``.
        output_size (int | tuple[int | None]): how many along each axis; None for its length.
        return_indices (bool): whether the indices in the flattened ``(H, W)`` are returned, too. Default: ``False``.
    Returns:
        Tensor, or tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a number is not positive, or there are other axes.
    Example:
        >>> ops.adaptive_max_pool2d(Tensor([[[[1.0, 3.0], [5.0, 7.0]]]]), (1, None)).tolist()
        [[[[5.0, 7.0]]]]
    Source: mindspore.ops.adaptive_max_pool2d
    """
    pooled = _adaptive_max("AdaptiveMaxPool2D", input, 2, output_size, jnp.int64)
    return pooled if return_indices else pooled[0]


primitive(adaptive_max_pool2d, "AdaptiveMaxPool2D(output_size)(input)", fixed={"return_indices": True})


@op()
def adaptive_max_pool3d(input: Array, output_size: _SizesOrList, return_indices: Bool = False):
    """Adaptive max pooling over three axes: the maxima of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``.
        output_size (int | tuple[int | None]): how many along each axis; None for its length.
        return_indices (bool): whether the indices in the flattened ``(D, H, W)`` are returned, too. Default: ``False``.
    Returns:
        Tensor, or tuple of two Tensors: elements, and indices (int32).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a number is not positive, or there are other axes.
    Example:
        >>> ops.adaptive_max_pool3d(ops.ones((1, 1, 2, 2, 2)), 1).tolist()
        [[[[[1.0]]]]]
    Source: mindspore.ops.adaptive_max_pool3d
    """
    pooled = _adaptive_max("AdaptiveMaxPool3D", input, 3, output_size, jnp.int32)
    return pooled if return_indices else pooled[0]


primitive(adaptive_max_pool3d, "AdaptiveMaxPool3D()(input, output_size)", fixed={"return_indices": True})
