"""Convolutions of one, two and three axes, and their transposes."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Array, NonNegativeInt, PadMode, PositiveInt
from ...engine.precision import of_convolutions
from .._core.define import op
from .._core.faces import completed
from .._core.families import body
from .._shared.windows import both, check_unpadded, check_within, padding, pairs
from .normalization import along

_MOST_SLICES = 256  # in one program, over all axes of a kernel
_LEAST_WEIGHTS = 4096  # with fewer, XLA's gradient by the input is fast enough, and compiles in a third of the time
_MOST_PARTS = 8  # groups of a convolution; each becomes a separate convolution in the program
_LEAST_CHANNELS = 8  # with 4, the weight gradient of a kernel of 9 x 1 takes 4.5 ms turned and 0.7 as it is
_MOST_KERNELS = 16  # on one channel; with 20 of 5 x 5 the forward pass takes 0.8 ms as it is, and 1.9 by rows
_MOST_TAPS = 64  # elements of a kernel; each becomes a separate product in the program


def convolved(x, weight, strides, pads, dilation, group):
    """The convolution of arrays with channels in axis 1, in the formulation that is fastest on the device."""
    is_known = all([isinstance(length, int) for length in x.shape])  # except for programs of `jax.export`
    if is_known and jax.default_backend() == "cpu":
        if _is_thin(weight, group):
            return _of_one_channel(x, weight, strides, pads, dilation)
        if _is_pointwise(x, weight, group):
            return _pointwise(x, weight, strides, pads)
        if 1 < group <= _MOST_PARTS and weight.shape[1] > 1 and x.ndim < 5:
            return _by_groups(x, weight, strides, pads, dilation, group)
        if _is_grouped_or_3d(x, weight, group):
            return _by_taps(x, weight, strides, pads, dilation, group)
        if _is_of_few_kernels(weight, group):
            return _by_rows(x, weight, strides, pads, dilation)
        if _is_tall(weight, group):
            return _turned(x, weight, strides, pads, dilation)
    axes = "DHW"[5 - x.ndim :]
    layout = f"NC{axes}", f"OI{axes}", f"NC{axes}"
    return jax.lax.conv_general_dilated(
        x, weight, strides, pads, None, dilation, layout, group, precision=of_convolutions()
    )


def _is_thin(weight, group):
    """Whether the input has one channel and the kernel many weights."""
    is_of_one = weight.shape[1] == group == 1
    return is_of_one and weight.size >= _LEAST_WEIGHTS and sum(weight.shape[2:]) <= _MOST_SLICES


def _is_pointwise(x, weight, group):
    """Whether a kernel has one element, and products in the dtype itself are exact enough."""
    return group == 1 and math.prod(weight.shape[2:]) == 1 and x.dtype in (jnp.float32, jnp.float64)


def _is_grouped_or_3d(x, weight, group):
    """Whether XLA's CPU backend has no fast kernel, and products in the dtype itself are exact enough."""
    is_wide = x.dtype in (jnp.float32, jnp.float64)
    return is_wide and (group > 1 or x.ndim == 5) and math.prod(weight.shape[2:]) <= _MOST_TAPS


def _is_tall(weight, group):
    """Whether a kernel has several rows and one column, and enough channels for its turned gradient to be fast."""
    rows_and_columns = weight.shape[2:]
    is_column = len(rows_and_columns) == 2 and rows_and_columns[0] > 1 == rows_and_columns[1]
    return group == 1 and is_column and min(weight.shape[:2]) >= _LEAST_CHANNELS


def _is_of_few_kernels(weight, group):
    """Whether an input of two axes and one channel has few kernels, of several rows."""
    is_of_one = weight.shape[1] == group == 1
    return is_of_one and weight.ndim == 4 and weight.shape[0] <= _MOST_KERNELS and 1 < weight.shape[2] <= _MOST_SLICES


def _of_one_channel(x, weight, strides, pads, dilation):
    """The convolution of an input of one channel, as a matrix product over its windows.

    XLA's gradient by such an input is a convolution with one output channel, for which its CPU backend has no fast
    kernel: with 96 kernels of 3 x 40 (TextCNN) it takes one core 150 ms, and this 2.
    """
    windows = padded(x, pads)[:, 0]
    for number, (size, step, stride) in enumerate(zip(weight.shape[2:], dilation, strides, strict=True)):
        axis = 1 + 2 * number  # after the batch, the axes of the kernel and those of the result
        reach = (size - 1) * step
        end = windows.shape[axis] - reach
        count = -(-end // stride)
        if count < size:  # a slice for each element of the result, since the gradient adds all slices up
            starts = range(0, count * stride, stride)
            parts = [jax.lax.slice_in_dim(windows, at, at + reach + 1, step, axis=axis) for at in starts]
            windows = jnp.stack([jnp.moveaxis(part, axis, 1 + number) for part in parts], axis + 1)
        else:
            starts = range(0, reach + 1, step)
            parts = [jax.lax.slice_in_dim(windows, at, at + end, stride, axis=axis) for at in starts]
            windows = jnp.stack(parts, 1 + number)
    counts = windows.shape[1 + len(strides) :]
    columns = windows.reshape(x.shape[0], math.prod(weight.shape[2:]), math.prod(counts))
    return (weight.reshape(weight.shape[0], -1) @ columns).reshape(x.shape[0], weight.shape[0], *counts)


def _pointwise(x, weight, strides, pads):
    """The convolution by kernels of one element, as a matrix product.

    For 128 to 128 channels at 16 x 14 x 14 positions the weight gradient takes one core 0.8 ms instead of 2.0.
    """
    x = padded(x, pads)
    x = jax.lax.slice(x, [0] * x.ndim, x.shape, (1, 1, *strides))
    result = weight.reshape(weight.shape[:2]) @ x.reshape(*x.shape[:2], math.prod(x.shape[2:]))
    return result.reshape(x.shape[0], weight.shape[0], *x.shape[2:])


def _by_rows(x, weight, strides, pads, dilation):
    """The convolution of two axes and one channel, with the rows of the kernels as channels.

    XLA's CPU backend gathers the windows of several channels faster than those of several rows: 6 kernels of 5 x 5 (the
    first layer of LeNet, 32 x 1 x 28 x 28) take one core 0.37 ms instead of 0.62, and the gradient by the input 0.7
    instead of 1.7.
    """
    x = padded(x, pads)
    size, step, stride = weight.shape[2], dilation[0], strides[0]
    end = x.shape[2] - (size - 1) * step
    rows = [jax.lax.slice_in_dim(x, at, at + end, stride, axis=2) for at in range(0, size * step, step)]
    kernels = jnp.swapaxes(weight, 1, 2)
    flat = [(0, 0), (0, 0)]
    return convolved(jnp.concatenate(rows, 1), kernels, (1, strides[1]), flat, (1, dilation[1]), 1)


def _turned(x, weight, strides, pads, dilation):
    """The convolution of two axes with rows and columns swapped, since XLA's CPU backend gathers windows along rows.

    A kernel of 7 x 1 for 8 channels at 16 x 64 x 64 positions takes one core 1.4 ms instead of 2.3, and the weight
    gradient of one of 3 x 1 for 32 channels 0.4 instead of 0.8.
    """
    turned = [each[::-1] for each in (strides, pads, dilation)]
    return jnp.swapaxes(convolved(jnp.swapaxes(x, 2, 3), jnp.swapaxes(weight, 2, 3), *turned, 1), 2, 3)


def padded(x, pads):
    """``x`` padded with zeros at both ends of its axes; negative widths (of transposed convolutions) crop."""
    return jax.lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *[(*pair, 0) for pair in pads]])


def _by_groups(x, weight, strides, pads, dilation, group):
    """A grouped convolution as one convolution per group.

    For 4 groups of 16 channels and 3 x 3 taps the forward pass takes one core 1.5 ms, in place of XLA's 3.1, and the
    gradient by the weights 1.4, in place of 164.
    """
    parts = zip(jnp.split(x, group, 1), jnp.split(weight, group), strict=True)
    return jnp.concatenate([convolved(*part, strides, pads, dilation, 1) for part in parts], 1)


def _by_taps(x, weight, strides, pads, dilation, group):
    """The convolution as a sum over the elements of a kernel, each a product with a slice of the input.

    XLA's CPU backend runs grouped convolutions, and gradients of strided ones over three axes, by its plain loops. For
    one channel in each of 64 groups and 7 taps the forward pass takes it 83 ms of one core and this 0.4; for 32 groups
    of 4 channels and 3 x 3 taps the gradient by the weights 632 and 1.6.
    """
    batch, channels = x.shape[:2]
    x = padded(x, pads)
    rows = zip(x.shape[2:], weight.shape[2:], strides, dilation, strict=True)
    counts = [(length - (size - 1) * step - 1) // stride + 1 for length, size, stride, step in rows]
    weight = weight.reshape(group, weight.shape[0] // group, channels // group, *weight.shape[2:])
    total = 0
    for tap in np.ndindex(*weight.shape[3:]):
        start = [offset * step for offset, step in zip(tap, dilation, strict=True)]
        end = [first + (n - 1) * stride + 1 for first, n, stride in zip(start, counts, strides, strict=True)]
        part = jax.lax.slice(x, (0, 0, *start), (batch, channels, *end), (1, 1, *strides))
        part = part.reshape(batch, group, channels // group, math.prod(counts))
        factor = weight[(..., *tap)]
        total = total + (factor * part if channels == group else factor @ part)
    return total.reshape(batch, -1, *counts)


def _convolution(owner, x, weight, stride, mode, pads, dilation, group):
    """The convolution of arrays whose channels are axis 1."""
    rank = len(stride)
    if x.ndim != rank + 2 or weight.ndim != rank + 2:
        check.refuse(ValueError, owner, "input", f"of {rank + 2} axes, as 'weight'", (x.shape, weight.shape))
    check.same_dtype(weight, x, "weight", "input", owner)
    if x.shape[1] != weight.shape[1] * group:
        expected = f"of {x.shape[1]} / {group} channels (axis 1): those of the input by 'group'"
        check.refuse(RuntimeError, owner, "weight", expected, weight.shape)
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
