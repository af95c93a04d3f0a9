"""Pooling over sliding windows: max and average."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Array, Bool, NonNegativeInt, PadMode
from .._core.define import op
from .._core.faces import primitive
from .._core.families import body
from .._shared.linear_maps import along, numbers
from .._shared.windows import both, counts, gathered, padding, pairs, sliding, spanned


def _smallest(dtype):
    # Of NumPy, as all starts of `reduce_window` here: JAX differentiates it by the value that it sees.
    return np.array(-np.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min, dtype)


def check_rank(owner, x, *ranks):
    if x.ndim not in ranks:
        check.refuse(ValueError, owner, "x", f"of {' or '.join(map(str, ranks))} axes", x.shape)
    return x


def _reaching(owner, lengths, kernel, strides, dilation, pads, ceil_mode):
    """The numbers of windows, and the padding including that of incomplete last windows."""
    sizes = counts(owner, lengths, kernel, strides, dilation, pads, ceil_mode)
    rows = zip(sizes, lengths, spanned(kernel, dilation), strides, pads, strict=True)
    ends = [(pad[0], max(pad[1], (n - 1) * step + reach - length - pad[0])) for n, length, reach, step, pad in rows]
    return sizes, ends


def _maxima(x, kernel, strides, pads):
    lead = x.ndim - len(kernel)
    ones, zeros = (1,) * lead, [(0, 0)] * lead
    lowest = _smallest(x.dtype)
    return jax.lax.reduce_window(x, lowest, jax.lax.max, (*ones, *kernel), (*ones, *strides), [*zeros, *pads])


def _sums(x, kernel, strides, pads):
    """The sum of each window, along one axis after the other.

    On one core with AVX2 a gradient through windows of 2 x 2 takes 3 ms in place of 11 (4 x 32 x 224 x 224), through
    3 x 3 by 2 22 in place of 40 (8 x 64 x 112 x 112), and the sums 12 in place of 19, and 3 of 6.
    """
    for axis, (size, stride, pad) in enumerate(zip(kernel, strides, pads, strict=True), x.ndim - len(kernel)):
        sizes, steps, edges = [1] * x.ndim, [1] * x.ndim, [(0, 0)] * x.ndim
        sizes[axis], steps[axis], edges[axis] = size, stride, pad
        x = jax.lax.reduce_window(x, np.zeros((), x.dtype), jax.lax.add, sizes, steps, edges)
    return x


def window_max(owner, x, kernel, strides, pads, ceil_mode=False):
    """The maximum of each window over the last axes."""
    check.dtype(x, "fiu", "x", owner)
    lengths = x.shape[x.ndim - len(kernel) :]
    _, pads = _reaching(owner, lengths, kernel, strides, (1,) * len(kernel), pads, ceil_mode)
    return _maxima(x, kernel, strides, pads)


def window_maxima(x, windows, dtype):
    """The maximum of each window (as `gathered` takes them), and its index in the flattened axes."""
    values, indices = gathered(x, windows, _smallest(x.dtype))
    first = jnp.argmax(values, -1)[..., None]
    chosen = jnp.take_along_axis(jnp.broadcast_to(indices, values.shape), first, -1)
    return jnp.take_along_axis(values, first, -1)[..., 0], chosen[..., 0].astype(dtype)


def _window_max_with_indices(owner, x, kernel, strides, dilation, pads, ceil_mode, dtype):
    check.dtype(x, "fiu", "x", owner)
    lengths = x.shape[x.ndim - len(kernel) :]
    sizes = counts(owner, lengths, kernel, strides, dilation, pads, ceil_mode)
    rows = zip(lengths, kernel, strides, dilation, [before for before, _ in pads], sizes, strict=True)
    return window_maxima(x, [sliding(*row) for row in rows], dtype)


def mean(owner, x, kernel, strides, pads, ceil_mode=False, counts_padding=True, divisor=0):
    """The mean of each window over the last axes, with or without the padding, or the sum over a divisor."""
    check_both(owner, kernel, pads)
    lengths = x.shape[x.ndim - len(kernel) :]
    sizes, ends = _reaching(owner, lengths, kernel, strides, (1,) * len(kernel), pads, ceil_mode)
    total = _sums(x, kernel, strides, ends)
    if divisor:
        return total / divisor
    if counts_padding and not ceil_mode:
        return total / np.asarray(math.prod(kernel), x.dtype)
    # By arithmetic, and no table, so that programs of many lengths have one form (`linear_maps`).
    size: Any = 1
    rank = len(kernel)
    for axis, (n, length, reach, step, (before, after)) in enumerate(
        zip(sizes, lengths, kernel, strides, pads, strict=True)
    ):
        low, high = (-before, length + after) if counts_padding else (0, length)
        starts = numbers(n) * step - before
        size = size * along(jnp.minimum(starts + reach, high) - jnp.maximum(starts, low), axis, rank)
    return total / size.astype(x.dtype)


def _windows(owner, x, rank, kernel, strides, pad_mode, pads=None):
    """The padding of a Primitive's windows over the last ``rank`` axes."""
    check_rank(owner, x, rank + 2)
    pads = [(0, 0)] * rank if pads is None else pads
    pads = padding(owner, pad_mode, pads, x.shape[2:], kernel, strides, (1,) * rank)
    check_both(owner, kernel, pads)
    return pads


def check_both(owner, kernel, pads):
    """Raises if the padding at both ends of an axis is longer than a window."""
    if any(sum(ends) > length for ends, length in zip(pads, kernel, strict=True)):
        expected = f"no longer at both ends together than 'kernel_size', {tuple(kernel)}"
        check.refuse(ValueError, owner, "padding", expected, tuple(map(tuple, pads)))


_PLANES = """{summary}

    Args:
        x (Tensor): shape ``(N, C, H, W)``, or ``(N, H, W, C)`` for ``'NHWC'``{dtype}.
        kernel_size, strides (int | tuple[int]): height and width, and steps, of the windows. Default: ``1``.
        pad_mode (str): ``'valid'``, or ``'same'`` for as many windows as steps. Default: ``'valid'``.
        data_format (str): ``'NCHW'`` or ``'NHWC'``. Default: ``'NCHW'``.
    Returns:
        {returns}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, ``x`` has another rank, or
            the windows do not fit in.
    Example:
        >>> ops.{primitive}(2, 2)(Tensor([[[[1.0, 2.0], [4.0, 3.0]]]])){chosen}.tolist()
        [[[[{value}]]]]
    Source: mindspore.ops.{primitive}
    """


def _over_planes(
    text,
    name,
    pool,
    summary,
    value,
    dtype="",
    returns="Tensor of the layout and dtype of ``x``",
    chosen="",
    lengths="Lengths",
):
    """Defines the Primitive ``text``: ``pool`` of the windows over height and width, in either layout."""
    owner = text.partition("(")[0]

    def compute(x, kernel, strides, pad_mode, data_format):
        is_last = data_format == "NHWC"
        x = jnp.moveaxis(x, -1, 1) if is_last else x
        pads = _windows(owner, x, 2, kernel, strides, pad_mode.lower())
        return jax.tree.map(lambda y: jnp.moveaxis(y, 1, -1) if is_last else y, pool(owner, x, kernel, strides, pads))

    signature = (
        f"(x: Array, kernel_size: {lengths}(2) = 1, strides: {lengths}(2) = 1, "
        "pad_mode: Word('valid', 'same', 'VALID', 'SAME') = 'valid', data_format: OneOf('NCHW', 'NHWC') = 'NCHW')"
    )
    fields = {"primitive": owner, "summary": summary, "value": value, "dtype": dtype, "returns": returns}
    is_mean = pool is _mean_without_padding
    return op(text, name=name, wide=is_mean)(body(name + signature, compute, _PLANES, chosen=chosen, **fields))


def _mean_without_padding(owner, x, kernel, strides, pads):
    return mean(owner, check.dtype(x, "f", "x", owner), kernel, strides, pads, counts_padding=False)


def _window_max_in_image(owner, x, kernel, strides, pads):
    y, indices = _window_max_with_indices(owner, x, kernel, strides, (1, 1), pads, False, jnp.int32)
    area = x.shape[2] * x.shape[3]
    return y, indices + (jnp.arange(x.shape[1], dtype=jnp.int32) * area)[:, None, None]


max_pool = _over_planes(
    "MaxPool(kernel_size=1, strides=1, pad_mode='valid', data_format='NCHW')",
    "_max_pool",
    window_max,
    "Max pooling over two axes: the maximum of each window.",
    4.0,
)
avg_pool = _over_planes(
    "AvgPool(kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW')(x)",
    "_avg_pool",
    _mean_without_padding,
    "Average pooling over two axes: the mean of each window, without the padding.",
    2.5,
    ", a float dtype",
    lengths="LengthsOrList",
)
_over_planes(
    "MaxPoolWithArgmax(kernel_size=1, strides=1, pad_mode='valid', data_format='NCHW')",
    "_max_pool_with_argmax",
    _window_max_in_image,
    "Max pooling over two axes, with indices into the flattened image, channels included.",
    2,
    returns="tuple of two Tensors: the elements, and their indices (int32), counted in ``(C, H, W)``",
    chosen="[1]",
)


@op(
    "MaxPool3D(kernel_size=1, strides=1, pad_mode='VALID', pad_list=0, ceil_mode=None, data_format='NCDHW')",
    name="_max_pool3d",
)
def _max_pool3d(
    x: Array,
    kernel_size: Lengths(3) = 1,
    strides: Lengths(3) = 1,
    pad_mode: PadMode = "valid",
    pad_list: Lengths(6, 0) = 0,
    ceil_mode: Bool | None = None,
    data_format: OneOf("NCDHW") = "NCDHW",
):
    """Max pooling over three axes: the maximum of each window.

    Args:
        x (Tensor): shape ``(N, C, D, H, W)``.
        kernel_size, strides (int | tuple[int]): sizes and strides of the windows. Default: ``1``.
        pad_mode (str): ``'valid'``, ``'same'`` for as many windows as steps, or ``'pad'``. Default: ``'valid'``.
        pad_list (int | tuple[int]): for ``'pad'``: the padding at head, tail, top, bottom, left, right.
            Default: ``0``.
        ceil_mode (bool | None): whether a last window may extend beyond the end. Default: ``None``, no.
        data_format (str): must be ``'NCDHW'``, the default.
    Returns:
        Tensor of the dtype of ``x``, of five axes.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, ``x`` has another rank, or
            the windows do not fit in.
    Example:
        >>> ops.MaxPool3D(2, 2)(ops.ones((1, 1, 2, 2, 2))).tolist()
        [[[[[1.0]]]]]
    Source: mindspore.ops.MaxPool3D
    """
    pads = _windows("MaxPool3D", x, 3, kernel_size, strides, pad_mode, pairs(pad_list))
    return window_max("MaxPool3D", x, kernel_size, strides, pads, bool(ceil_mode))


@op(
    "AvgPool3D(kernel_size=1, strides=1, pad_mode='valid', pad=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=0, data_format='NCDHW')",
    name="_avg_pool3d",
    wide=True,
)
def _avg_pool3d(
    x: Array,
    kernel_size: Lengths(3) = 1,
    strides: Lengths(3) = 1,
    pad_mode: PadMode = "valid",
    pad: Lengths(6, 0) = 0,
    ceil_mode: Bool = False,
    count_include_pad: Bool = True,
    divisor_override: NonNegativeInt = 0,
    data_format: OneOf("NCDHW") = "NCDHW",
):
    """Average pooling over three axes: the mean of each window.

    Args:
        x (Tensor): shape ``(N, C, D, H, W)``, a float dtype.
        kernel_size, strides (int | tuple[int]): sizes and strides of the windows. Default: ``1``.
        pad_mode (str): ``'valid'``, ``'same'`` for as many windows as steps, or ``'pad'``. Default: ``'valid'``.
        pad (int | tuple[int]): for ``'pad'``: the padding at head, tail, top, bottom, left, right.
            Default: ``0``.
        ceil_mode (bool): whether a last window may extend beyond the end. Default: ``False``.
        count_include_pad (bool): whether means include the padding (never that of ``'same'``). Default: ``True``.
        divisor_override (int): what sums are divided by, if it is not 0. Default: ``0``.
        data_format (str): must be ``'NCDHW'``, the default.
    Returns:
        Tensor of the dtype of ``x``, of five axes.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, ``x`` has another rank, or
            the windows do not fit in.
    Example:
        >>> ops.AvgPool3D(2, 2)(ops.ones((1, 1, 2, 2, 2))).tolist()
        [[[[[1.0]]]]]
    Source: mindspore.ops.AvgPool3D
    """
    pads = _windows("AvgPool3D", check.dtype(x, "f", "x", "AvgPool3D"), 3, kernel_size, strides, pad_mode, pairs(pad))
    return mean("AvgPool3D", x, kernel_size, strides, pads, ceil_mode, count_include_pad, divisor_override)


def check_pads(owner, kernel, padding):
    if any(2 * pad > length for pad, length in zip(padding, kernel, strict=True)):
        check.refuse(ValueError, owner, "padding", f"at most half of 'kernel_size', {kernel}", padding)


_INDICES = """Max pooling over {axes} axes, with indices into the flattened axes.

    Args:
        x (Tensor): shape ``{shape}``.
        {kernel} (int | tuple[int]): sizes of the windows.
        strides (int | tuple[int]): their steps. Default: ``None``, ``{kernel}``.
        pads (int | tuple[int]): the padding on both sides, at most half a window. Default: ``0``.
        dilation (int | tuple[int]): the spacing of a window's elements. Default: ``1``.
        ceil_mode (bool): whether a last window may extend beyond the end. Default: ``False``.{layout}
        argmax_type (mindspore.dtype): of the indices, int32 or int64. Default: ``int64``.
    Returns:
        tuple of two Tensors: the elements, and their indices.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, ``x`` has another rank, or
            the windows do not fit in.
    Example:
        >>> ops.{owner}(2, 2, 0)(ops.ones({ones}))[1].tolist()
        {zeros}
    Source: mindspore.ops.{owner}
    """


def _with_indices(name, text, owner, rank, layout="", **fields):
    """Defines a function over ``rank`` axes of the signature ``text``; ``owner`` is the Primitive's name."""

    def compute(x, kernel, strides, pads, dilation, ceil_mode, *options):
        check_pads(owner, kernel, pads)
        dtype = options[-1].numpy if options[-1] else jnp.int64
        x = check_rank(owner, x, rank + 2)
        return _window_max_with_indices(owner, x, kernel, strides or kernel, dilation, both(pads), ceil_mode, dtype)

    fields |= {"owner": owner, "ones": (1, 1) + (2,) * rank, "zeros": "[" * (rank + 2) + "0" + "]" * (rank + 2)}
    return op(name=name)(body(name + text, compute, _INDICES, layout=layout, **fields))


max_pool2d_with_indices = _with_indices(
    "_max_pool2d_with_indices",
    "(x: Array, kernel_size: Lengths(2), strides: Lengths(2) | None = None, pads: Lengths(2, 0) = 0, "
    "dilation: Lengths(2) = 1, ceil_mode: Bool = False, argmax_type: Dtype | None = None)",
    "MaxPoolWithArgmaxV2",
    2,
    axes="two",
    shape="(N, C, H, W)",
    kernel="kernel_size",
)
max_pool3d_with_indices = _with_indices(
    "_max_pool3d_with_indices",
    "(x: Array, ksize: Lengths(3), strides: Lengths(3) | None = None, pads: Lengths(3, 0) = 0, "
    "dilation: Lengths(3) = 1, ceil_mode: Bool = False, data_format: OneOf('NCDHW') = 'NCDHW', "
    "argmax_type: Dtype | None = None)",
    "MaxPool3DWithArgmax",
    3,
    "\n        data_format (str): must be ``'NCDHW'``, the default.",
    axes="three",
    shape="(N, C, D, H, W)",
    kernel="ksize",
)
primitive(
    max_pool2d_with_indices,
    "MaxPoolWithArgmaxV2(kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, "
    "argmax_type: DtypeOf('int32', 'int64')=int64)",
)
primitive(
    max_pool3d_with_indices,
    "MaxPool3DWithArgmax(ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format='NCDHW', "
    "argmax_type: DtypeOf('int32', 'int64')=int64)",
)
