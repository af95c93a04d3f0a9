"""Image patches: unfold and fold (im2col, col2im); pixel and channel shuffle."""

import math

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import LengthsOrList
from ..._contracts.contracts import Array, Ints, PadMode, PositiveInt
from .._core.define import op
from .._core.faces import face, method, primitive
from .._shared.windows import both, counts, gathered, sliding
from .._shared.windows import padding as padding_of


def _patches(owner, x, kernel, strides, dilation, pads):
    """``(N, C, H, W)`` as ``(N, C, kernel elements, windows)``."""
    if x.ndim != 4:
        check.refuse(ValueError, owner, "input", "of shape (N, C, H, W)", x.shape)
    lengths = x.shape[2:]
    sizes = counts(owner, lengths, kernel, strides, dilation, both(pads))
    rows = zip(lengths, kernel, strides, dilation, pads, sizes, strict=True)
    values, _ = gathered(x, [sliding(*row) for row in rows], 0)
    return jnp.moveaxis(values, -1, 2).reshape((*x.shape[:2], kernel[0] * kernel[1], -1))


@op(name="_extract_patches")
def extract_patches(
    x: Array, kernel: LengthsOrList(2), strides: LengthsOrList(2), dilation: LengthsOrList(2), pad_mode: PadMode
):
    """The elements of each sliding window of images as channels, with those of one pixel adjacent."""
    if x.ndim != 4:
        check.refuse(ValueError, "Unfold", "input_x", "of shape (N, C, H, W)", x.shape)
    lengths = x.shape[2:]
    pads = padding_of("Unfold", pad_mode, [(0, 0)] * 2, lengths, kernel, strides, dilation)
    sizes = counts("Unfold", lengths, kernel, strides, dilation, pads)
    rows = zip(lengths, kernel, strides, dilation, [before for before, _ in pads], sizes, strict=True)
    values, _ = gathered(x, [sliding(*row) for row in rows], 0)
    return values.transpose((0, 4, 1, 2, 3)).reshape((x.shape[0], -1, *sizes))


@op("Im2Col(ksizes, strides=1, dilations=1, pads=0)", name="_im2col")
def _im2col(
    x: Array,
    ksizes: LengthsOrList(2),
    strides: LengthsOrList(2) = 1,
    dilations: LengthsOrList(2) = 1,
    pads: LengthsOrList(2, 0) = 0,
):
    """Im2col: the elements of each sliding window.

    Args:
        x (Tensor): shape ``(N, C, H, W)``.
        ksizes (int | tuple[int]): height and width of the windows.
        strides, dilations (int | tuple[int]): steps of the windows, and within them. Default: ``1``.
        pads (int | tuple[int]): the number of zeros on both sides. Default: ``0``.
    Returns:
        Tensor of shape ``(N, C, elements of a window, windows)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range or no window fits in.
    Example:
        >>> ops.Im2Col(2)(ops.ones((1, 3, 4, 4))).shape
        (1, 3, 4, 9)
    Source: mindspore.ops.Im2Col
    """
    return _patches("Im2Col", x, ksizes, strides, dilations, pads)


@op()
def unfold(
    input: Array,
    kernel_size: LengthsOrList(2),
    dilation: LengthsOrList(2) = 1,
    padding: LengthsOrList(2, 0) = 0,
    stride: LengthsOrList(2) = 1,
):
    """Unfold (im2col): the elements of each sliding window as columns.

    Args:
        input (Tensor): shape ``(N, C, H, W)``.
        kernel_size (int | tuple[int]): height and width of the windows.
        dilation (int | tuple[int]): the step within a window. Default: ``1``.
        padding (int | tuple[int]): the number of zeros on both sides. Default: ``0``.
        stride (int | tuple[int]): the steps of the windows. Default: ``1``.
    Returns:
        Tensor of shape ``(N, C * elements of a window, windows)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range or no window fits in.
    Example:
        >>> ops.unfold(ops.ones((1, 3, 4, 4)), 2).shape
        (1, 12, 9)
    Source: mindspore.ops.unfold
    """
    patches = _patches("unfold", input, kernel_size, stride, dilation, padding)
    return patches.reshape((patches.shape[0], -1, patches.shape[-1]))


@op("Col2Im(kernel_size, dilation=1, padding=0, stride=1)(x, output_size)", name="_col2im")
def _col2im(
    x: Array,
    output_size: Ints,
    kernel_size: LengthsOrList(2),
    dilation: LengthsOrList(2) = 1,
    padding: LengthsOrList(2, 0) = 0,
    stride: LengthsOrList(2) = 1,
):
    """Col2im: puts the elements of sliding windows back into images; overlapping elements are added.

    Args:
        x (Tensor): shape ``(N, C, elements of a window, windows)``.
        output_size (tuple[int] | Tensor): height and width of the images.
        kernel_size (int | tuple[int]): height and width of the windows.
        dilation (int | tuple[int]): the step within a window. Default: ``1``.
        padding (int | tuple[int]): how many zeros were added on both sides. Default: ``0``.
        stride (int | tuple[int]): the steps of the windows. Default: ``1``.
    Returns:
        Tensor of shape ``(N, C, *output_size)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or a shape does not fit.
    Example:
        >>> ops.Col2Im(2, stride=2)(ops.ones((1, 1, 4, 4)), (4, 4)).shape
        (1, 1, 4, 4)
    Source: mindspore.ops.Col2Im
    """
    if len(output_size) != 2 or x.ndim != 4:
        check.refuse(ValueError, "Col2Im", "output_size", "height and width, for an input of four axes", output_size)

    def forward(image):
        return _patches("Col2Im", image, kernel_size, stride, dilation, padding)

    image = jax.ShapeDtypeStruct((*x.shape[:2], *output_size), x.dtype)
    columns_shape = jax.eval_shape(forward, image).shape
    if columns_shape != x.shape:
        check.refuse(ValueError, "Col2Im", "x", f"of shape {columns_shape}, for images of {output_size}", x.shape)
    return jax.linear_transpose(forward, image)(x)[0]


face(
    _col2im,
    "col2im(input_x, output_size, kernel_size, dilation, padding_value, stride)",
    input_x="x",
    padding_value="padding",
)
method("col2im", (_col2im, "(output_size, kernel_size, dilation, padding_value, stride)", {"padding_value": "padding"}))


@op()
def fold(
    input: Array,
    output_size: Ints,
    kernel_size: LengthsOrList(2),
    dilation: LengthsOrList(2) = 1,
    padding: LengthsOrList(2, 0) = 0,
    stride: LengthsOrList(2) = 1,
):
    """Fold (col2im): puts the columns of `unfold` back into images; overlapping elements are added.

    Args:
        input (Tensor): shape ``(N, C * elements of a window, windows)`` or ``(N, C, elements of a window, windows)``.
        output_size (tuple[int] | Tensor): height and width of the images.
        kernel_size (int | tuple[int]): height and width of the windows.
        dilation (int | tuple[int]): the step within a window. Default: ``1``.
        padding (int | tuple[int]): how many zeros were added on both sides. Default: ``0``.
        stride (int | tuple[int]): the steps of the windows. Default: ``1``.
    Returns:
        Tensor of shape ``(N, C, *output_size)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or a shape does not fit.
    Example:
        >>> ops.fold(ops.ones((1, 4, 4)), (4, 4), 2, stride=2).shape
        (1, 1, 4, 4)
    Source: mindspore.ops.fold
    """
    elements = kernel_size[0] * kernel_size[1]
    if input.ndim not in (3, 4) or math.prod(input.shape[1:-1]) % elements:
        expected = f"of three or four axes, those between the first and the last a multiple of {elements}"
        check.refuse(ValueError, "fold", "input", expected, input.shape)
    windows = input.reshape((input.shape[0], -1, elements, input.shape[-1]))
    return _col2im(windows, output_size, kernel_size, dilation, padding, stride)


@op()
def pixel_shuffle(input: Array, upscale_factor: PositiveInt):
    """Pixel shuffle: enlarges images by ``r``; ``r * r`` channels become the pixels of one.

    Args:
        input (Tensor): shape ``(*, C * r * r, H, W)``.
        upscale_factor (int): ``r``.
    Returns:
        Tensor of shape ``(*, C, H * r, W * r)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the channels are not a multiple.
    Example:
        >>> ops.pixel_shuffle(Tensor([[[1.0]], [[2.0]], [[3.0]], [[4.0]]]), 2).tolist()
        [[[1.0, 2.0], [3.0, 4.0]]]
    Source: mindspore.ops.pixel_shuffle
    """
    r = upscale_factor
    *lead, channels, height, width = check.at_least_rank(input, 3, "input", "pixel_shuffle").shape
    if channels % (r * r):
        check.refuse(ValueError, "pixel_shuffle", "input", f"with a multiple of {r * r} channels", input.shape)
    x = input.reshape((-1, channels // (r * r), r, r, height, width)).transpose((0, 1, 4, 2, 5, 3))
    return x.reshape((*lead, channels // (r * r), height * r, width * r))


@op()
def pixel_unshuffle(input: Array, downscale_factor: PositiveInt):
    """Pixel unshuffle: shrinks images by ``r``; the pixels of one channel become ``r * r`` channels.

    Args:
        input (Tensor): shape ``(*, C, H * r, W * r)``.
        downscale_factor (int): ``r``.
    Returns:
        Tensor of shape ``(*, C * r * r, H, W)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if height or width is not a multiple.
    Example:
        >>> ops.pixel_unshuffle(Tensor([[[1.0, 2.0], [3.0, 4.0]]]), 2).tolist()
        [[[1.0]], [[2.0]], [[3.0]], [[4.0]]]
    Source: mindspore.ops.pixel_unshuffle
    """
    r = downscale_factor
    *lead, channels, height, width = check.at_least_rank(input, 3, "input", "pixel_unshuffle").shape
    if height % r or width % r:
        check.refuse(ValueError, "pixel_unshuffle", "input", f"of lengths that are multiples of {r}", input.shape)
    x = input.reshape((-1, channels, height // r, r, width // r, r)).transpose((0, 1, 3, 5, 2, 4))
    return x.reshape((*lead, channels * r * r, height // r, width // r))


@op()
def channel_shuffle(x: Array, groups: PositiveInt):
    """Channel shuffle: interleaves the channels (axis 1) of groups.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, or with more axes.
        groups (int): a divisor of ``C``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type, or there are less than four axes.
        ValueError: if ``groups`` does not divide ``C``.
    Example:
        >>> ops.channel_shuffle(Tensor([[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]), 2).tolist()
        [[[[1.0]], [[3.0]], [[2.0]], [[4.0]]]]
    Source: mindspore.ops.channel_shuffle
    """
    if x.ndim < 4:
        check.refuse(TypeError, "channel_shuffle", "x", "of four axes or more", x)
    if x.shape[1] % groups:
        check.refuse(ValueError, "channel_shuffle", "groups", f"a divisor of axis 1 of shape {x.shape}", groups)
    return x.reshape((x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])).swapaxes(1, 2).reshape(x.shape)


primitive(channel_shuffle, "ChannelShuffle(group)(x)", group="groups")


method("fold", (fold, "(output_size, kernel_size, dilation=1, padding=0, stride=1)"))
method("unfold", (unfold, "(kernel_size, dilation=1, padding=0, stride=1)"))
