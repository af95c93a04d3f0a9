"""Convolutions of operands that have been checked, in the formulation that is fastest on the device."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .depthwise import depthwise
from .windowed_gradient import by_windows, counts_of, own, padded, with_windowed_gradient

_MOST_SLICES = 256  # in one program, over all axes of a kernel
_LEAST_WEIGHTS = 4096  # with fewer, XLA's gradient by the input is fast enough, and compiles in a third of the time
_MOST_PARTS = 8  # groups of a convolution; each becomes a separate convolution in the program
_LEAST_CHANNELS = 8  # with 4, the weight gradient of a kernel of 9 x 1 takes 4.5 ms turned and 0.7 as it is
_MOST_KERNELS = 16  # on one channel; with 20 of 5 x 5 the forward pass takes 0.8 ms as it is, and 1.9 by rows
_MOST_TAPS = 64  # elements of a kernel; each becomes a separate product in the program
_LEAST_POSITIONS = 400  # of a kernel, and outputs, for a gradient by windows: see the table in `convolved`
_LEAST_OUTPUTS = 32
_LARGER_BY = 5  # elements of an image before and after a product, over those of the weights, which are then repeated


def convolved(x, weight, strides, pads, dilation, group):
    """The convolution of arrays with channels in axis 1, in the formulation that is fastest on the device.

    JAX 0.10.2, two cores with AVX2 and without AMX, on a busy machine: processor milliseconds of the forward pass, of
    the gradient by the input and of that by the weights, for 8 images, beside PyTorch 2.13:

    | 1 x 1 kernels | XLA's own | one product | one for each image | PyTorch |
    |---|---|---|---|---|
    | 64 to 256, 56 x 56 | 58 / 38 / 275 | 39 / 26 / 19 | **18 / 15 / 13** | 54 / 18 / 21 |
    | 256 to 64, 56 x 56 | 33 / 45 / 83 | 19 / 37 / 28 | **16 / 20 / 16** | 15 / 18 / 21 |
    | 128 to 512, 28 x 28 | 19 / 21 / 153 | 35 / 16 / 14 | **14 / 15 / 22** | 15 / 14 / 15 |
    | 256 to 512, to 28 x 28 by a stride of 2 | 87 / 62 / 345 | **30 / 36 / 27** | 39 / 32 / 43 | 31 / 139 / 37 |
    | 256 to 1024, 14 x 14 | 16 / 17 / 45 | **13 / 14 / 13** | 15 / 16 / 40 | 12 / 15 / 15 |
    | 2048 to 512, 7 x 7 | 21 / 17 / 32 | **15 / 14 / 16** | 39 / 64 / 145 | 13 / 13 / 12 |

    | other kernels | XLA's own | gradient by windows | PyTorch |
    |---|---|---|---|
    | 3 x 3, 64 to 64, 56 x 56 | 31 / 38 / 117 | **43** | 24 / 28 / 38 |
    | 3 x 3, 128 to 128, 28 x 28 | 36 / 29 / 75 | **45** | 23 / 24 / 26 |
    | 3 x 3, 128 to 128, to 28 x 28 by a stride of 2 | 41 / 42 / 91 | **47** | 30 / 33 / 29 |
    | 3 x 3, 256 to 256, 14 x 14 | 32 / 38 / **40** | 37 | 23 / 22 / 28 |
    | 3 x 3, 512 to 512, 7 x 7 | 45 / 48 / **39** | 52 | 27 / 30 / 37 |
    | 7 x 7, 3 to 64, to 112 x 112 by a stride of 2 | 38 / 162 / 526 | **63** | 62 / 97 / 36 |
    | 3 x 3, 32 to 32, 32 x 32, 128 images | 610 | **79** | |
    | 3 x 3, 16 to 16, 24 x 24, 16 images | **2.0** | 3.4 | |

    XLA's gradient by the weights is a convolution with the images as channels, by kernels as large as they are. It is
    also less exact: at 56 x 56 by 5e-6 of the largest element, by windows 1e-6. The forward pass and the gradient by
    the input have no faster formulation: matrix products over windows, whole or of one image at a time, sums over taps,
    channels last and Winograd's transforms take 1.1 to 5 times as long.

    Groups, as before (one term for each element of the kernel) and by the formulation that is chosen now:

    | 3 x 3 where nothing else is said, 8 images | before | now | PyTorch |
    |---|---|---|---|
    | depthwise, 128 x 56 x 56 | 4.0 / 9 / 82 | 3.8 / 4.4 / 15 | 5.1 / 6.1 / 6.9 |
    | depthwise, 64 x 112 x 112, stride 2 | 9.4 / 28 / 25 | 9.4 / **4.6** / 28 | 6.1 / 7.1 / 7.4 |
    | depthwise, 512 x 14 x 14 | 0.8 / 2.3 / 5.4 | 0.6 / 0.8 / **2.4** | 0.7 / 1.3 / 1.2 |
    | depthwise, 5 x 5, 240 x 28 x 28 | 4.6 / 18 / 111 | 4.2 / **4.2** / **23** | 2.9 / 3.9 / 39 |
    | depthwise, 5 x 5, 144 x 56 x 56, stride 2 | 5.1 / 65 / 128 | 5.8 / **8.5** / **33** | 4.5 / 5.0 / 31 |
    | 32 groups of 4, 56 x 56 | 115 / 100 / 127 | **27 / 13 / 31** | 28 / 40 / 35 |
    | 32 groups of 8, 28 x 28 | 47 / 14 / 23 | **11 / 8 / 14** | 7.7 / 5.5 / 5.5 |
    | 32 groups of 16, 14 x 14 | 32 / 14 / 15 | **7 / 9 / 9** | 5.2 / 4.4 / 4.8 |
    | 32 groups of 32, 7 x 7 | 25 / 12 / 21 | **7 / 8 / 7** | 3.5 / 4.3 / 4.3 |
    | 32 groups of 32, to 7 x 7 by a stride of 2 | 38 / 16 / 22 | **10 / 15 / 10** | 6.1 / 15 / 5.7 |

    Up to 8 groups are separate convolutions, which are faster (8 groups of 32, 28 x 28: 17 ms, by windows 22; PyTorch
    13). Not faster: products over the windows of all images (10 to 190 ms), block-diagonal weights (XLA 0.10.2 crashed
    in their gradient), products of channels one by one (10 ms for 4 channels, 131 for 32, and 74 to 136 for the
    gradient).

    JAX 0.12 has the same order: 1 x 1, 64 to 256, 56 x 56: XLA's own 20 / 17 / 161, one product 36 / 32 / 33, one for
    each image 14 / 14 / 14; 3 x 3, 64 to 64, 56 x 56: 29 / 28 / 60, by windows 40.

    Half types are computed in float32: XLA casts their operands in any case, and its own convolution by 1 x 1 kernels
    takes 245 ms for the gradient by the weights of the first row, and this 17 (PyTorch, without AMX, 76).
    """
    is_known = all([isinstance(length, int) for length in x.shape])  # except for programs of `jax.export`
    if not is_known or jax.default_backend() != "cpu":
        return own(x, weight, strides, pads, dilation, group)
    if x.dtype in (jnp.float16, jnp.bfloat16):
        return _in_float32(x, weight, strides, pads, dilation, group)
    if _is_thin(weight, group):
        return _of_one_channel(x, weight, strides, pads, dilation)
    if group == 1 and math.prod(weight.shape[2:]) == 1:
        return _pointwise(x, weight, strides, pads)
    if _is_depthwise(x, weight, group):
        return depthwise(x, weight, tuple(strides), tuple(map(tuple, pads)), tuple(dilation))
    if 1 < group <= _MOST_PARTS and weight.shape[1] > 1 and x.ndim < 5:
        return _by_groups(x, weight, strides, pads, dilation, group)
    if _is_grouped_image(x, weight, group):
        return by_windows(x, weight, strides, pads, dilation, group)
    if (group > 1 or x.ndim == 5) and math.prod(weight.shape[2:]) <= _MOST_TAPS:
        return _by_taps(x, weight, strides, pads, dilation, group)
    if _is_of_few_kernels(weight, group):
        return _by_rows(x, weight, strides, pads, dilation)
    if _is_tall(weight, group):
        return _turned(x, weight, strides, pads, dilation)
    if group == 1 and x.ndim == 4 and _has_slow_gradient(x, weight, strides, pads, dilation):
        return with_windowed_gradient(x, weight, tuple(strides), tuple(map(tuple, pads)), tuple(dilation))
    return own(x, weight, strides, pads, dilation, group)


def _is_thin(weight, group):
    """Whether the input has one channel and the kernel many weights."""
    is_of_one = weight.shape[1] == group == 1
    return is_of_one and weight.size >= _LEAST_WEIGHTS and sum(weight.shape[2:]) <= _MOST_SLICES


def _has_slow_gradient(x, weight, strides, pads, dilation):
    """Whether XLA's gradient by the weights is slower than products, by the number of elements that it sums."""
    counts = counts_of(x, weight, strides, pads, dilation)
    return x.size > 0 and weight.shape[0] >= _LEAST_OUTPUTS and math.prod(counts) >= _LEAST_POSITIONS


def _is_depthwise(x, weight, group):
    """Whether each channel is a group, with few enough weights for a term for each of them."""
    return x.size > 0 and group > 1 == weight.shape[1] and weight.size // group <= _MOST_TAPS


def _is_grouped_image(x, weight, group):
    """Whether groups of several channels meet windows of several elements of images."""
    return x.size > 0 and group > 1 and x.ndim == 4 and 1 < math.prod(weight.shape[2:]) <= _MOST_TAPS


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


def _in_float32(x, weight, strides, pads, dilation, group):
    """The convolution of half types, computed and summed in float32, and rounded once."""
    wide = x.astype(jnp.float32), weight.astype(jnp.float32)
    return convolved(*wide, strides, pads, dilation, group).astype(x.dtype)


def _pointwise(x, weight, strides, pads):
    """The convolution by kernels of one element, as a matrix product for each image, or as one for all."""
    x = padded(x, pads)
    x = jax.lax.slice(x, [0] * x.ndim, x.shape, (1, 1, *strides))
    (batch, channels, *lengths), outputs = x.shape, weight.shape[0]
    weight, columns = weight.reshape(outputs, channels), x.reshape(batch, channels, math.prod(lengths))
    if columns.shape[2] * (channels + outputs) >= _LARGER_BY * weight.size:
        weight = jnp.broadcast_to(weight, (batch, *weight.shape))
    return (weight @ columns).reshape(batch, outputs, *lengths)


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
    counts = counts_of(x, weight, strides, pads, dilation)
    x = padded(x, pads)
    weight = weight.reshape(group, weight.shape[0] // group, channels // group, *weight.shape[2:])
    total: Any = 0
    for tap in np.ndindex(*weight.shape[3:]):
        start = [offset * step for offset, step in zip(tap, dilation, strict=True)]
        end = [first + (n - 1) * stride + 1 for first, n, stride in zip(start, counts, strides, strict=True)]
        part = jax.lax.slice(x, (0, 0, *start), (batch, channels, *end), (1, 1, *strides))
        part = part.reshape(batch, group, channels // group, math.prod(counts))
        factor = weight[(..., *tap)]
        total = total + (factor * part if channels == group else factor @ part)
    return total.reshape(batch, -1, *counts)
