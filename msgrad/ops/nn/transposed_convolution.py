"""Transposed convolutions: the derivatives of convolutions by their inputs, as operations of their own."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import Lengths, LengthsOrList, OneOf
from ..._contracts.contracts import Array, Ints, PadMode, PositiveInt
from .._core.define import op
from .._core.faces import completed, face
from .._shared.windows import padding, pairs, spanned
from .convolution import channels_first, check_kernel, check_operands, complete, with_bias
from .convolved import convolved, transposed


def _transposed(owner, y, weight, shape, stride, pads, dilation, group):
    """The transpose of the convolution that maps an input of the given ``shape`` to ``y``."""
    check.same_dtype(weight, y, "weight", "input", owner)

    def forward(x):
        return convolved(x, weight, stride, pads, dilation, group)

    forward_shape = jax.eval_shape(forward, jax.ShapeDtypeStruct(shape, y.dtype)).shape
    if forward_shape != y.shape:
        expected = f"of the shape {forward_shape}, which a result of shape {shape} gives"
        check.refuse(RuntimeError, owner, "input", expected, y.shape)
    return transposed(y, weight, shape, stride, pads, dilation, group)


@op(
    (
        "Conv2DTranspose(out_channel, kernel_size, pad_mode='valid', pad=0, pad_list=None, mode=1, stride=1, "
        "dilation=1, group=1, data_format='NCHW')",
        "Conv2DBackpropInput(out_channel, kernel_size, pad_mode='valid', pad=0, pad_list=None, mode=1, stride=1, "
        "dilation=1, group=1, data_format='NCHW')",
    ),
    name="_conv2d_transpose",
)
def _conv2d_transpose(
    dout: Array,
    weight: Array,
    input_size: Ints,
    out_channel: PositiveInt,
    kernel_size: Lengths(2),
    pad_mode: PadMode = "valid",
    pad: Lengths(4, 0) = 0,
    pad_list: Lengths(4, 0) | None = None,
    mode: OneOf(1) = 1,
    stride: Lengths(2) = 1,
    dilation: Lengths(2) = 1,
    group: PositiveInt = 1,
    data_format: OneOf("NCHW", "NHWC") = "NCHW",
):
    """The transposed convolution over two axes: the gradient of `Conv2D` by its input.

    Args:
        dout (Tensor): shape ``(N, O, H, W)``, or ``(N, H, W, O)`` for ``'NHWC'``, a float dtype.
        weight (Tensor): shape ``(O, out_channel / group, *kernel_size)``, or with axis 1 last for ``'NHWC'``, the dtype
            of ``dout``.
        input_size (tuple[int] | Tensor): the shape of the result.
        out_channel (int): without effect: the number of channels of ``dout``, which its shape says.
        kernel_size (int | tuple[int]): height and width of the kernels.
        pad_mode (str): ``'valid'``, ``'same'`` or ``'pad'``. Default: ``'valid'``.
        pad (int | tuple[int]): for ``'pad'``: zeros at top, bottom, left, right. Default: ``0``.
        pad_list (tuple[int]): the same; takes its place if it is given. Default: ``None``.
        mode (int): must be 1, the default.
        stride, dilation (int | tuple[int]): Default: ``1``.
        group (int): into which the channels are parted. Default: ``1``.
        data_format (str): ``'NCHW'`` or ``'NHWC'``. Default: ``'NCHW'``.
    Returns:
        Tensor of shape ``input_size``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range.
        RuntimeError: if the shapes do not fit.
    Example:
        >>> ops.Conv2DTranspose(2, 2)(ops.ones((1, 3, 3, 3)), ops.ones((3, 2, 2, 2)), (1, 2, 4, 4)).shape
        (1, 2, 4, 4)
    Source: mindspore.ops.Conv2DTranspose, mindspore.ops.Conv2DBackpropInput
    """
    owner = "Conv2DBackpropInput"
    dout, weight = channels_first(dout, data_format), channels_first(weight, data_format)
    shape = (input_size[0], input_size[3], *input_size[1:3]) if data_format == "NHWC" else input_size
    check_kernel(owner, weight, weight.shape[0], kernel_size)
    pads = pairs(pad if pad_list is None else pad_list)
    pads = padding(owner, pad_mode, pads, shape[2:], kernel_size, stride, dilation)
    x = _transposed(owner, dout, weight, shape, stride, pads, dilation, group)
    return jnp.moveaxis(x, 1, -1) if data_format == "NHWC" else x


completed("Conv2DTranspose", "Conv2DBackpropInput")(complete)


def _of_lengths(owner, y, weight, lengths, before, stride, dilation, group):
    """The transposed convolution whose result has the given ``lengths``, and starts ``before`` elements early."""
    reach, pads = spanned(weight.shape[2:], dilation), []
    for count, length, start, step, span in zip(y.shape[2:], lengths, before, stride, reach, strict=True):
        pads.append((start, (count - 1) * step + span - length - start))
    shape = (y.shape[0], weight.shape[1] * group, *lengths)
    return _transposed(owner, y, weight, shape, stride, pads, dilation, group)


@op(
    "Conv3DTranspose(in_channel, out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=1, dilation=1, "
    "group=1, output_padding=0, data_format='NCDHW')(dout, weight, bias=None)",
    name="_conv3d_transpose",
)
def _conv3d_transpose(
    dout: Array,
    weight: Array,
    bias: Array | None = None,
    in_channel: PositiveInt = 1,
    out_channel: PositiveInt = 1,
    kernel_size: Lengths(3) | None = None,
    mode: OneOf(1) = 1,
    pad_mode: PadMode = "valid",
    pad: Lengths(6, 0) = 0,
    stride: Lengths(3) = 1,
    dilation: Lengths(3) = 1,
    group: PositiveInt = 1,
    output_padding: Lengths(3, 0) = 0,
    data_format: OneOf("NCDHW") = "NCDHW",
):
    """The transposed convolution over three axes.

    Args:
        dout (Tensor): shape ``(N, in_channel, D, H, W)``, a float dtype.
        weight (Tensor): shape ``(in_channel, out_channel / group, *kernel_size)``, the dtype of ``dout``.
        bias (Tensor): shape ``(out_channel,)``. Default: ``None``, zeros.
        in_channel, out_channel (int): the number of channels before and after; ``weight`` says them too.
        kernel_size (int | tuple[int]): depth, height and width of the kernels; ``weight`` says them too.
        mode (int): must be 1, the default.
        pad_mode (str): ``'valid'``; ``'same'``: lengths are those of ``dout`` times ``stride``; or ``'pad'``.
            Default: ``'valid'``.
        pad (int | tuple[int]): for ``'pad'``: the crop at head, tail, top, bottom, left, right.
            Default: ``0``.
        stride, dilation (int | tuple[int]): Default: ``1``.
        group (int): into which the channels are parted. Default: ``1``.
        output_padding (int | tuple[int]): for ``'pad'``: how much is added at the ends. Default: ``0``.
        data_format (str): must be ``'NCDHW'``, the default.
    Returns:
        Tensor of shape ``(N, out_channel, ...)``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range.
        RuntimeError: if the shapes do not fit.
    Example:
        >>> ops.Conv3DTranspose(3, 2, 2)(ops.ones((1, 3, 3, 3, 3)), ops.ones((3, 2, 2, 2, 2))).shape
        (1, 2, 4, 4, 4)
    Source: mindspore.ops.Conv3DTranspose
    """
    owner, kernel = "Conv3DTranspose", weight.shape[2:]
    check_operands(owner, dout, weight, 3)
    if dout.shape[1] != weight.shape[0]:
        expected = f"of {dout.shape[1]} channels (axis 0), as the input"
        check.refuse(ValueError, owner, "weight", expected, weight.shape)
    if kernel_size is not None:
        check_kernel(owner, weight, in_channel, kernel_size)
    rows = zip(dout.shape[2:], stride, spanned(kernel, dilation), strict=True)
    full = [(n - 1) * step + span for n, step, span in rows]
    before, lengths = [0, 0, 0], full
    if pad_mode == "same":
        lengths = [n * step for n, step in zip(dout.shape[2:], stride, strict=True)]
        before = [max(long - short, 0) // 2 for long, short in zip(full, lengths, strict=True)]
    elif pad_mode == "pad":
        before = pad[::2]
        lengths = [n - a - b + more for n, a, b, more in zip(full, pad[::2], pad[1::2], output_padding, strict=True)]
    return with_bias(owner, _of_lengths(owner, dout, weight, lengths, before, stride, dilation, group), bias)


completed("Conv3DTranspose")(complete)
face(
    _conv3d_transpose,
    "conv3d_transpose(inputs, weight, pad_mode='valid', padding=0, stride=1, dilation=1, group=1, output_padding=0)",
    inputs="dout",
    padding="pad",
)


@op()
def conv_transpose2d(
    input: Array,
    weight: Array,
    bias: Array | None = None,
    stride: LengthsOrList(2) = 1,
    padding: LengthsOrList(2, 0) = 0,
    output_padding: LengthsOrList(2, 0) = 0,
    groups: PositiveInt = 1,
    dilation: LengthsOrList(2) = 1,
):
    """The transposed convolution over two axes.

    Args:
        input (Tensor): shape ``(N, C, H, W)`` or ``(C, H, W)``, a float dtype.
        weight (Tensor): shape ``(C, O / groups, Kh, Kw)``, the dtype of ``input``.
        bias (Tensor): shape ``(O,)``. Default: ``None``, zeros.
        stride (int | tuple[int]): Default: ``1``.
        padding (int | tuple[int]): how much is cut off on both sides. Default: ``0``.
        output_padding (int | tuple[int]): how much is added at the ends. Default: ``0``.
        groups (int): into which the channels are parted. Default: ``1``.
        dilation (int | tuple[int]): Default: ``1``.
    Returns:
        Tensor of shape ``(N, O, ...)`` or ``(O, ...)``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range or a shape
            does not fit.
    Example:
        >>> ops.conv_transpose2d(ops.ones((1, 3, 3, 3)), ops.ones((3, 2, 2, 2)), stride=2).shape
        (1, 2, 6, 6)
    Source: mindspore.ops.conv_transpose2d
    """
    owner, y = "conv_transpose2d", input if input.ndim == 4 else input[None]
    if y.ndim != 4 or weight.ndim != 4 or y.shape[1] != weight.shape[0]:
        check.refuse(ValueError, owner, "weight", "of four axes, its first that of channels", weight.shape)
    rows = zip(y.shape[2:], stride, spanned(weight.shape[2:], dilation), padding, output_padding, strict=True)
    lengths = [(n - 1) * step + span - 2 * cut + more for n, step, span, cut, more in rows]
    x = with_bias(owner, _of_lengths(owner, y, weight, lengths, padding, stride, dilation, groups), bias)
    return x if input.ndim == 4 else x[0]
