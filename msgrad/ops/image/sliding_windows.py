"""Windows that slide over images and volumes, with MindSpore's ``SAME`` and ``VALID``: patches and dilation."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import Lengths, LengthsOrList, OneOf, Word
from ..._contracts.contracts import Array
from .._core.define import op
from .._shared.windows import both, counts, gathered, padding, sliding

_SAME_OR_VALID = Word("same", "valid", "SAME", "VALID")


def _windows(owner, x, kernel, strides, dilation, mode):
    """The elements of windows over all axes of ``x`` but the first two, as a last axis, 0 outside."""
    lengths, rank = x.shape[2:], len(kernel)
    if x.ndim != rank + 2:
        check.refuse(ValueError, owner, "x", f"of {rank + 2} axes", x.shape)
    edges = padding(owner, mode.lower(), both((0,) * rank), lengths, kernel, strides, dilation)
    sizes = counts(owner, lengths, kernel, strides, dilation, edges)
    rows = zip(lengths, kernel, strides, dilation, [before for before, _ in edges], sizes, strict=True)
    return gathered(x, [sliding(*row) for row in rows], 0)[0]


def _as_channels(x):
    """``(N, C, *counts, elements)`` as ``(N, elements * C, *counts)``."""
    x = jnp.moveaxis(x, -1, 1)
    return x.reshape((x.shape[0], -1, *x.shape[3:]))


@op("ExtractImagePatches(ksizes, strides, rates, padding='VALID')")
def extract_image_patches(
    input_x: Array,
    ksizes: LengthsOrList(2),
    strides: LengthsOrList(2),
    rates: LengthsOrList(2),
    padding: _SAME_OR_VALID = "VALID",
):
    """The elements of each window that slides over images, as channels.

    Args:
        input_x (Tensor): shape ``(N, C, H, W)``.
        ksizes (tuple[int] | list[int]): ``(1, 1, height, width)`` of the windows.
        strides (tuple[int] | list[int]): ``(1, 1, down, across)``, the steps of the windows.
        rates (tuple[int] | list[int]): ``(1, 1, down, across)``, the steps within a window.
        padding (str): 'valid', or 'same' where windows reach over the edges, beyond which there is 0.
            Default: ``'VALID'``.
    Returns:
        Tensor of shape ``(N, elements of a window * C, windows down, windows across)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or no window fits in.
    Example:
        >>> ops.ExtractImagePatches((1, 1, 2, 2), (1, 1, 1, 1), (1, 1, 1, 1))(ops.ones((1, 3, 4, 4))).shape
        (1, 12, 3, 3)
    Source: mindspore.ops.ExtractImagePatches
    """
    return _as_channels(_windows("ExtractImagePatches", input_x, ksizes, strides, rates, padding))


@op("ExtractVolumePatches(kernel_size, strides, padding)", name="_extract_volume_patches")
def _extract_volume_patches(
    input_x: Array, kernel_size: LengthsOrList(3), strides: LengthsOrList(3), padding: _SAME_OR_VALID
):
    """The elements of each window that slides over volumes, as channels.

    Args:
        input_x (Tensor): shape ``(N, C, D, H, W)``.
        kernel_size (int | tuple[int] | list[int]): ``(1, 1, depth, height, width)`` of the windows.
        strides (int | tuple[int] | list[int]): the same, the steps of the windows.
        padding (str): 'VALID', or 'SAME' where windows reach over the edges, beyond which there is 0.
    Returns:
        Tensor of shape ``(N, elements of a window * C, *windows)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or no window fits in.
    Example:
        >>> ops.ExtractVolumePatches(2, 1, "VALID")(ops.ones((1, 3, 4, 4, 4))).shape
        (1, 24, 3, 3, 3)
    Source: mindspore.ops.ExtractVolumePatches
    """
    windows = _windows("ExtractVolumePatches", input_x, kernel_size, strides, (1, 1, 1), padding)
    return _as_channels(windows)


@op("Dilation2D(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter)", name="_dilation2d")
def _dilation2d(
    x: Array,
    filter: Array,
    stride: Lengths(2),
    dilation: Lengths(2),
    pad_mode: OneOf("same", "valid", "SAME", "VALID") = "SAME",
    data_format: OneOf("NCHW") = "NCHW",
):
    """Grayscale dilation: the largest sum of image and filter in each window.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, a real dtype.
        filter (Tensor): shape ``(C, height, width)``, the dtype of ``x``.
        stride (int | tuple[int]): the steps of the windows.
        dilation (int | tuple[int]): the steps within a window.
        pad_mode (str): 'same', where windows reach over the edges, beyond which there is 0, or 'valid'.
            Default: ``'SAME'``.
        data_format (str): must be ``'NCHW'``, the default.
    Returns:
        Tensor of shape ``(N, C, windows down, windows across)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or shapes do not fit.
    Example:
        >>> ops.Dilation2D(1, 1, "VALID")(ops.ones((1, 2, 3, 3)), ops.ones((2, 2, 2)))[0, 0].tolist()
        [[2.0, 2.0], [2.0, 2.0]]
    Source: mindspore.ops.Dilation2D
    """
    if x.dtype != filter.dtype:
        check.refuse(TypeError, "Dilation2D", "filter", f"of the dtype of 'x', {x.dtype.name}", filter.dtype.name)
    if filter.ndim != 3 or x.ndim != 4 or filter.shape[0] != x.shape[1]:
        check.refuse(ValueError, "Dilation2D", "filter", f"of shape (C, height, width) for {x.shape}", filter.shape)
    held = _windows("Dilation2D", x, filter.shape[1:], stride, dilation, pad_mode)
    return jnp.max(held + filter.reshape((filter.shape[0], 1, 1, -1)), -1)
