"""Convolutions of one, two and three axes, and their transposes."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Array, NonNegativeInt, PadMode, PositiveInt
from .._core.define import op
from .._core.faces import completed
from .._core.families import body
from .._shared.windows import both, check_unpadded, check_within, padding, pairs
from .convolved import convolved
from .normalization import along


def _convolution(owner, x, weight, stride, mode, pads, dilation, group):
    """The convolution of arrays whose channels are axis 1."""
    rank = len(stride)
    check_operands(owner, x, weight, rank)
    if x.shape[1] != weight.shape[1] * group:
        taken = f"'weight', {weight.shape}, takes {weight.shape[1]}" + (group > 1) * f" in each of {group} groups"
        expected = f"of {weight.shape[1] * group} channels (axis 1): {taken}"
        check.refuse(RuntimeError, owner, "input", expected, x.shape)
    if weight.shape[0] % group:
        check.refuse(ValueError, owner, "group", f"a divisor of the {weight.shape[0]} channels of the result", group)
    kernel, lengths = weight.shape[2:], x.shape[2:]
    pads = padding(owner, mode, pads, lengths, kernel, stride, dilation)
    check_within(owner, lengths, kernel, dilation, pads)
    return convolved(x, weight, stride, pads, dilation, group)


def with_bias(owner, y, bias):
    if bias is None:
        return y
    if bias.shape != (y.shape[1],):
        check.refuse(ValueError, owner, "bias", f"of shape ({y.shape[1]},), one for each channel", bias.shape)
    return y + along(bias, 1, y.ndim).astype(y.dtype)


_CONVOLUTION = """The convolution over {phrase}.

    Args:
        input (Tensor): shape ``(N, C, {axes})``, a float dtype.
        weight (Tensor): shape ``(O, C / groups, {kernel})``, the dtype of ``input``.
        bias (Tensor): shape ``(O,)``. Default: ``None``, zeros.
        stride (int | tuple[int]): Default: ``1``.
        pad_mode (str): ``'valid'``; ``'same'``: zeros on both sides, so that a stride of 1 keeps the lengths; or
            ``'pad'``: ``padding`` zeros on both sides. Default: ``'valid'``.
        padding (int | tuple[int]): for ``'pad'``. Default: ``0``.
        dilation (int | tuple[int]): the step between elements of ``weight``. Default: ``1``.
        groups (int): into which the channels are parted. Default: ``1``.
    Returns:
        Tensor of shape ``(N, O, ...)``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range or a shape
            does not fit.  RuntimeError: if the channels do not fit.
    Example:
        >>> ops.{name}(ops.ones({shape}), ops.ones({ones}), pad_mode="pad", padding=1).shape
        {result}
    Source: mindspore.ops.{name}
    """


def _of_rank(owner):
    def compute(x, weight, bias, stride, mode, pad, dilation, group):
        return with_bias(owner, _convolution(owner, x, weight, stride, mode, both(pad), dilation, group), bias)

    return compute


def _function(name, rank, phrase, axes, kernel):
    head = "input: Array, weight: Array, bias: Array | None = None, "
    text = (
        f"{name}({head}stride: Lengths({rank}) = 1, pad_mode: PadMode = 'valid', padding: Lengths({rank}, 0) = 0, "
        f"dilation: Lengths({rank}) = 1, groups: PositiveInt = 1)"
    )
    fields = {"phrase": phrase, "axes": axes, "kernel": kernel}
    fields |= {"shape": (1, 2, *(4,) * rank), "ones": (3, 2, *(1,) * rank), "result": (1, 3, *(6,) * rank)}
    return op()(body(text, _of_rank(name), _CONVOLUTION, **fields))


conv1d = _function("conv1d", 1, "one axis", "L", "K")
conv2d = _function("conv2d", 2, "two axes", "H, W", "Kh, Kw")
conv3d = _function("conv3d", 3, "three axes", "D, H, W", "Kd, Kh, Kw")


def channels_first(x, data_format):
    return jnp.moveaxis(x, -1, 1) if data_format == "NHWC" else x


def check_operands(owner, x, weight, rank):
    """Raises a TypeError unless both have one dtype, a ValueError unless they have ``rank`` axes beside two others."""
    if rank > 1:  # `conv1d` looks at the axes first, as in MindSpore
        check.same_dtype(weight, x, "weight", "input", owner)
    if x.ndim != rank + 2 or weight.ndim != rank + 2:
        check.refuse(ValueError, owner, "input", f"of {rank + 2} axes, as 'weight'", (x.shape, weight.shape))
    check.same_dtype(weight, x, "weight", "input", owner)


def check_kernel(owner, weight, out_channel, kernel_size):
    if weight.shape[0] != out_channel or weight.shape[2:] != kernel_size:
        check.refuse(RuntimeError, owner, "weight", f"of {out_channel} kernels of size {kernel_size}", weight.shape)


@op(
    "Conv2D(out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=1, dilation=1, group=1, "
    "data_format='NCHW')",
    name="_conv2d",
)
def _conv2d(
    x: Array,
    weight: Array,
    out_channel: PositiveInt,
    kernel_size: Lengths(2),
    mode: OneOf(1) = 1,
    pad_mode: PadMode = "valid",
    pad: Lengths(4, 0) = 0,
    stride: Lengths(2) = 1,
    dilation: Lengths(2) = 1,
    group: PositiveInt = 1,
    data_format: OneOf("NCHW", "NHWC") = "NCHW",
):
    """The convolution over two axes.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, or ``(N, H, W, C)`` for ``'NHWC'``, a float dtype.
        weight (Tensor): shape ``(out_channel, C / group, *kernel_size)``, or ``(out_channel, *kernel_size, C / group)``
            for ``'NHWC'``, the dtype of ``x``.
        out_channel (int): the number of channels of the result.
        kernel_size (int | tuple[int]): height and width of the kernels.
        mode (int): must be 1, the default.
        pad_mode (str): ``'valid'``, ``'same'`` or ``'pad'``. Default: ``'valid'``.
        pad (int | tuple[int]): for ``'pad'``: zeros at top, bottom, left, right. Default: ``0``.
        stride, dilation (int | tuple[int]): Default: ``1``.
        group (int): into which the channels are parted. Default: ``1``.
        data_format (str): ``'NCHW'`` or ``'NHWC'``. Default: ``'NCHW'``.
    Returns:
        Tensor of shape ``(N, out_channel, ...)``, or with the channels last.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range or a shape
            does not fit.  RuntimeError: if the channels do not fit.
    Example:
        >>> ops.Conv2D(3, 2, pad_mode="same")(ops.ones((1, 2, 4, 4)), ops.ones((3, 2, 2, 2))).shape
        (1, 3, 4, 4)
    Source: mindspore.ops.Conv2D
    """
    x, weight = channels_first(x, data_format), channels_first(weight, data_format)
    check_operands("Conv2D", x, weight, 2)
    check_kernel("Conv2D", weight, out_channel, kernel_size)
    y = _convolution("Conv2D", x, weight, stride, pad_mode, pairs(pad), dilation, group)
    return jnp.moveaxis(y, 1, -1) if data_format == "NHWC" else y


@op(
    "Conv3D(out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=1, dilation=1, group=1, "
    "data_format='NCDHW')",
    name="_conv3d",
)
def _conv3d(
    x: Array,
    weight: Array,
    out_channel: PositiveInt,
    kernel_size: Lengths(3),
    mode: OneOf(1) = 1,
    pad_mode: PadMode = "valid",
    pad: Lengths(6, 0) = 0,
    stride: Lengths(3) = 1,
    dilation: Lengths(3) = 1,
    group: PositiveInt = 1,
    data_format: OneOf("NCDHW") = "NCDHW",
):
    """The convolution over three axes.

    Args:
        x (Tensor): shape ``(N, C, D, H, W)``, a float dtype.
        weight (Tensor): shape ``(out_channel, C / group, *kernel_size)``, the dtype of ``x``.
        out_channel (int): the number of channels of the result.
        kernel_size (int | tuple[int]): depth, height and width of the kernels.
        mode (int): must be 1, the default.
        pad_mode (str): ``'valid'``, ``'same'`` or ``'pad'``. Default: ``'valid'``.
        pad (int | tuple[int]): for ``'pad'``: zeros at head, tail, top, bottom, left, right. Default: ``0``.
        stride, dilation (int | tuple[int]): Default: ``1``.
        group (int): into which the channels are parted. Default: ``1``.
        data_format (str): must be ``'NCDHW'``, the default.
    Returns:
        Tensor of shape ``(N, out_channel, ...)``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range or a shape
            does not fit.  RuntimeError: if the channels do not fit.
    Example:
        >>> ops.Conv3D(3, 2)(ops.ones((1, 2, 4, 4, 4)), ops.ones((3, 2, 2, 2, 2))).shape
        (1, 3, 3, 3, 3)
    Source: mindspore.ops.Conv3D
    """
    check_operands("Conv3D", x, weight, 3)
    check_kernel("Conv3D", weight, out_channel, kernel_size)
    return _convolution("Conv3D", x, weight, stride, pad_mode, pairs(pad), dilation, group)


@op(
    "DepthwiseConv2dNative(channel_multiplier, kernel_size, mode=3, pad_mode='valid', pad=0, stride=1, dilation=1, "
    "group=1)",
    name="_depthwise_conv2d",
)
def _depthwise_conv2d(
    x: Array,
    weight: Array,
    channel_multiplier: PositiveInt,
    kernel_size: Lengths(2),
    mode: OneOf(3) = 3,
    pad_mode: PadMode = "valid",
    pad: Lengths(4, 0) = 0,
    stride: Lengths(2) = 1,
    dilation: Lengths(2) = 1,
    group: PositiveInt = 1,
):
    """Depthwise convolution: each channel is convolved separately.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, a float dtype.
        weight (Tensor): shape ``(channel_multiplier, C, *kernel_size)``, the dtype of ``x``.
        channel_multiplier (int): how many channels each one becomes.
        kernel_size (int | tuple[int]): height and width of the kernels.
        mode (int): must be 3, the default.
        pad_mode (str): ``'valid'``, ``'same'`` or ``'pad'``. Default: ``'valid'``.
        pad (int | tuple[int]): for ``'pad'``: zeros at top, bottom, left, right. Default: ``0``.
        stride, dilation (int | tuple[int]): Default: ``1``.
        group (int): without effect, as in MindSpore. Default: ``1``.
    Returns:
        Tensor of shape ``(N, C * channel_multiplier, ...)``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range or a shape
            does not fit.  RuntimeError: if the kernels do not fit.
    Example:
        >>> ops.DepthwiseConv2dNative(1, 2)(ops.ones((1, 2, 4, 4)), ops.ones((1, 2, 2, 2))).shape
        (1, 2, 3, 3)
    Source: mindspore.ops.DepthwiseConv2dNative
    """
    check_kernel("DepthwiseConv2dNative", weight, channel_multiplier, kernel_size)
    channels = weight.shape[1]
    weight = weight.swapaxes(0, 1).reshape((-1, 1, *kernel_size))
    return _convolution("DepthwiseConv2dNative", x, weight, stride, pad_mode, pairs(pad), dilation, channels)


@op(name="_conv_tbc")
def conv_tbc(input: Array, weight: Array, bias: Array, pad: NonNegativeInt = 0):
    """The convolution over time of sequences whose first axis is time.

    Args:
        input (Tensor): shape ``(T, B, C)``.
        weight (Tensor): shape ``(K, C, O)``.
        bias (Tensor): shape ``(O,)``.
        pad (int): how many zeros at both ends. Default: ``0``.
    Returns:
        Tensor of shape ``(T + 2 * pad - K + 1, B, O)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> mint.conv_tbc(ops.ones((5, 1, 2)), ops.ones((3, 2, 4)), ops.ones(4), 1).shape
        (5, 1, 4)
    Source: mindspore.mint.conv_tbc
    """
    if input.ndim != 3 or weight.ndim != 3 or input.shape[2] != weight.shape[1]:
        check.refuse(ValueError, "conv_tbc", "weight", "of shape (K, C, O) for an input (T, B, C)", weight.shape)
    check_within("conv_tbc", input.shape[:1], weight.shape[:1], (1,), [(pad, pad)])
    y = convolved(jnp.transpose(input, (1, 2, 0)), jnp.transpose(weight, (2, 1, 0)), (1,), [(pad, pad)], (1,), 1)
    return jnp.transpose(y, (2, 0, 1)) + bias


_EACH = ("kernel_size", "stride", "dilation")
_IN_ATTRS = {2: ("stride", "pad", "dilation"), 3: ("kernel_size", "pad")}  # `attrs` has the others as they were given


@completed("Conv2D", "Conv3D", "DepthwiseConv2dNative")
def complete(primitive):
    """The last step of constructors: checks ``pad`` against ``pad_mode``, and stores lengths for every axis."""
    rank = 3 if "3D" in primitive.name else 2
    lengths = {name: Lengths(rank).take(getattr(primitive, name), name, primitive.name) for name in _EACH}
    pad = Lengths(2 * rank, 0).take(primitive.pad, "pad", primitive.name)
    check_unpadded(primitive.name, primitive.pad_mode.lower(), pad)
    flat = {"kernel_size": lengths["kernel_size"], "pad": pad, "padding": pad}
    flat |= {name: (1, 1, *lengths[name]) for name in ("stride", "dilation")}
    vars(primitive).update(flat)
    primitive.attrs.update({name: flat[name] for name in _IN_ATTRS[rank]})
