"""Convolutions of bfloat16 on a CPU, as products for which XLA takes the processor's instructions for bfloat16.

XLA itself would convert the operands to float32. Processor milliseconds of the forward pass / gradient by the input /
gradient by the weights, each alone, with 8 images where nothing else is said, on one core of Zen 5 with AVX-512's
products of bfloat16 (load 4 to 7), beside those in float32 by the formulations of `ops/nn/convolved.py` and PyTorch
2.13's in bfloat16:

| | float32, JAX 0.10.2 | JAX 0.10.2 | JAX 0.12 | PyTorch |
|---|---|---|---|---|
| 1 x 1, 256 to 64, 56 x 56 | 6.6 / 6.0 / 8.7 | 2.8 / 3.9 / 4.0 | 3.0 / 4.0 / 4.6 | 4.6 / 4.7 / 7.0 |
| 1 x 1, 128 to 512, 28 x 28 | 6.5 / 6.1 / 8.7 | 4.2 / 3.1 / 4.6 | 2.6 / 2.9 / 4.3 | 3.3 / 3.2 / 4.2 |
| 1 x 1, 256 to 1024, 14 x 14 | 4.8 / 5.2 / 5.0 | 3.3 / 3.5 / 3.3 | 2.7 / 4.1 / 4.2 | 2.5 / 2.8 / 3.1 |
| 1 x 1, 2048 to 512, 7 x 7 | 5.1 / 5.7 / 4.7 | 2.6 / 3.7 / 2.7 | 2.4 / 2.2 / 4.8 | 2.5 / 2.9 / 5.1 |
| 1 x 1, 256 to 512, to 28 x 28 by a stride of 2 | 11 / 17 / 12 | 6.8 / 9.3 / 7.1 | 7.4 / 8.7 / 6.6 | 6.8 / 15 / 8.5 |
| 1 x 1, 64 to 256, 56 x 56, one image | 0.6 / 0.7 / 0.6 | 0.4 / 0.3 / 0.3 | 0.6 / 0.4 / 0.3 | 0.5 / 0.6 / 0.6 |
| 3 x 3, 64 to 64, 56 x 56 | 11 / 10 / 16 | 11 / 11 / 9.2 | 11 / 11 / 9.9 | 4.7 / 4.9 / 5.9 |
| 3 x 3, 128 to 128, 28 x 28 | 9.8 / 9.9 / 12 | 6.1 / 6.4 / 6.1 | 5.7 / 5.6 / 8.5 | 4.2 / 4.3 / 5.2 |
| 3 x 3, 128 to 128, to 28 x 28 by a stride of 2 | 15 / 17 / 16 | 7.8 / 9.5 / 8.8 | 6.9 / 9.0 / 9.0 | 5.3 / 7.7 / 7.7 |
| 3 x 3, 256 to 256, 14 x 14 | 11 / 10 / 15 | 5.9 / 5.8 / 6.4 | 5.3 / 5.4 / 8.6 | 4.3 / 4.6 / 4.7 |
| 3 x 3, 512 to 512, 7 x 7 | 15 / 13 / 17 | 6.4 / 6.7 / 6.8 | 5.4 / 5.7 / 7.6 | 4.4 / 5.7 / 6.6 |
| 3 x 3, 512 to 512, 7 x 7, one image | 5.7 / 3.3 / 7.5 | 2.6 / 2.4 / 2.5 | 1.4 / 1.9 / 2.7 | 1.3 / 1.6 / 1.9 |

The second operand of a product is rearranged by XLA, the first is not: so windows come first, channels last. With
channels first, where they are ranges of flattened rows, 3 x 3 kernels take 8 to 15 ms; with all windows at once as long
as here or, at 56 x 56, 17 ms, and the memory. Windows by slices that are joined take 9 ms at 56 x 56, but compile in
0.30 to 0.37 s each in place of 0.20. Gradients by the weights sum over images in float32.
"""

import functools
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..processor import multiplies_bfloat16
from .copied_windows import Windows, channels_last, divided, positions
from .cpu_weight_gradients import by_weights
from .replacing import replace

_CONVERTS = jax.__version_info__ < (0, 12)  # XLA moves bfloat16 in loops that convert it to float32 and back
_MOST_TAPS = 64  # elements of a kernel along its axes, of which windows hold as many times the input
_LEAST_CHANNELS = 64  # for windows: with fewer, copying them takes as long as the products save
_MOST_ELEMENTS = 1 << 20  # of the windows that are held at once
# Elements of an image before and after a product, over those of the weights, with which these are repeated for each
# image; the same for a gradient by the weights, where XLA's sum over images takes long; and the columns that are not
# rearranged, over the elements of the weights, with which two operands are exchanged.
_LARGER_BY, _SUMMED_BY, _TURNED_BY = 5, 25, 4


def is_faster(shape, counts):
    """Whether a convolution is faster than in float32, by the shape of its weights and its positions along each axis.

    Args:
        shape (sequence of int): outputs, channels and the lengths of the kernels.
        counts (sequence of int): positions of the kernels.
    """
    taps = math.prod(shape[2:])
    return taps == 1 or (taps <= min(_MOST_TAPS, math.prod(counts)) and min(shape[:2]) >= _LEAST_CHANNELS)


class _Settings(NamedTuple):
    """Parameters of a convolution, and the order of axes in which JAX stores its operands.

    ``order`` is the order of the weights' axes. ``is_transposed`` says that the input's first axis are channels, and
    images the second; then the result is stored so, too, without a copy.
    """

    order: tuple
    strides: tuple
    padding: tuple
    dilation: tuple
    steps: tuple
    is_transposed: bool


def _applies(x, weight, **parameters):
    return _form(x, weight, **parameters) is not None


def _form(
    x,
    weight,
    *,
    dimension_numbers,
    window_strides,
    padding,
    lhs_dilation,
    rhs_dilation,
    feature_group_count,
    batch_group_count,
    preferred_element_type,
    **_,
):
    """The function that computes a convolution of arrays with channels in axis 1; None if it stays as it is."""
    is_half = x.dtype == weight.dtype == jnp.bfloat16 and preferred_element_type in (None, jnp.bfloat16)
    if not (is_half and multiplies_bfloat16() and feature_group_count == batch_group_count == 1):
        return None
    shape, kernel = [x.shape[axis] for axis in dimension_numbers.lhs_spec], weight.shape
    kernel = [kernel[axis] for axis in dimension_numbers.rhs_spec]
    if 0 in (*shape, *kernel) or len(shape) < 3:
        return None
    counts = positions(shape[2:], kernel[2:], window_strides, padding, lhs_dilation, rhs_dilation)
    if min(counts) < 1:
        return None
    is_dilated, taps = max(lhs_dilation) > 1, math.prod(kernel[2:])
    if taps == 1:
        return None if is_dilated and max(window_strides) > 1 else _of_points
    if is_dilated:
        return _by_phases if is_faster(kernel, counts) and max(window_strides) == 1 else None
    if math.prod(counts) == 1:
        return _by_points
    if math.prod(counts) < taps:  # a gradient by weights, whose kernels have as many positions as these had elements
        return _by_windows if is_faster((shape[0], kernel[0], *counts), kernel[2:]) else None
    return _of_windows if is_faster(kernel, counts) else None


def _convolution(x, weight, **parameters):
    """The convolution, rounded once from sums in float32."""
    numbers = parameters["dimension_numbers"]
    compute: Any = _form(x, weight, **parameters)
    settings = _Settings(
        numbers.rhs_spec,
        parameters["window_strides"],
        parameters["padding"],
        parameters["lhs_dilation"],
        parameters["rhs_dilation"],
        is_transposed=numbers.lhs_spec[0] > numbers.lhs_spec[1],
    )
    result = compute(lax.transpose(_moved(x), numbers.lhs_spec), _moved(weight), settings)
    return _values(lax.transpose(result, np.argsort(numbers.out_spec)))


# The functions below take and return what `_moved` gives. Arguments and results have channels in axis 1; weights have
# their axes in any order, given as in JAX (outputs, channels, ...), so that they are moved as little as possible.


def _moved(x):
    """An array of bfloat16 in the dtype in which it is moved, as it is or by its bits."""
    return lax.bitcast_convert_type(x, jnp.uint16) if _CONVERTS else x


def _values(x):
    return lax.bitcast_convert_type(x, jnp.bfloat16) if _CONVERTS else x


def _rounded(x):
    """The bfloat16 that are next to float32."""
    return _moved(x.astype(jnp.bfloat16))


def _product(x, y, axes, batch=((), ())):
    """The product in float32."""
    return lax.dot_general(_values(x), _values(y), (axes, batch), preferred_element_type=jnp.float32)


def _padded(x, edges, inner=None):
    """``x`` with zeros around the axes after the first two, and ``inner`` ones between its elements."""
    inner = inner or [0] * len(edges)
    config = [(*pair, within) for pair, within in zip(edges, inner, strict=True)]
    return lax.pad(x, x.dtype.type(0), [(0, 0, 0), (0, 0, 0), *config])


def _matrix(weight, order):
    """Weights as a matrix of channels, in axes after the elements of the kernel, and outputs, and the axis to sum."""
    outputs, channels, *taps = order
    is_first = outputs < channels  # a copy that exchanges the two would take long
    weight = lax.transpose(weight, (outputs, *taps, channels) if is_first else (*taps, channels, outputs))
    return (weight.reshape(len(weight), -1), 1) if is_first else (weight.reshape(-1, weight.shape[-1]), 0)


def _of_points(x, weight, settings):
    """The convolution by kernels of one element."""
    order, strides, padding, dilation, _, is_transposed = settings
    if max(dilation) == 1:
        x = _padded(x, padding)
        x = lax.slice(x, [0] * x.ndim, x.shape, (1, 1, *strides))
    (images, channels), counts, outputs = x.shape[:2], x.shape[2:], weight.shape[order[0]]
    count = math.prod(counts)
    if images * count < min(outputs, channels):  # channels last, so that no copy of the weights is transposed
        (weight, axis), rows = _matrix(weight, order), jnp.moveaxis(x, 1, -1).reshape(-1, channels)
        y = _rounded(_product(rows, weight, ((1,), (axis,))))
        y = jnp.moveaxis(y.reshape(images, *counts, outputs), -1, 1)
    else:
        weight = lax.transpose(weight, order).reshape(outputs, channels)  # of a matrix XLA would make it slowly later
        is_large = images == 1 or count * (outputs + channels) >= _LARGER_BY * outputs * channels
        if is_large and not is_transposed:
            weight, x = jnp.broadcast_to(weight, (images, *weight.shape)), x.reshape(images, channels, -1)
            y = _rounded(_product(weight, x, ((2,), (1,)), ((0,), (0,)))).reshape(images, outputs, *counts)
        else:
            y = _rounded(_product(weight, jnp.swapaxes(x, 0, 1).reshape(channels, -1), ((1,), (0,))))
            y = jnp.swapaxes(y.reshape(outputs, images, *counts), 0, 1)
    return y if max(dilation) == 1 else _padded(y, padding, [wide - 1 for wide in dilation])


def _by_points(x, weight, settings):
    """The convolution by kernels with one position, such as the gradient by the weights of `_of_points`."""
    steps = settings.steps
    x, weight = _padded(x, settings.padding), lax.transpose(weight, settings.order)
    ends = [(size - 1) * step + 1 for size, step in zip(weight.shape[2:], steps, strict=True)]
    x = lax.slice(x, [0] * x.ndim, (*x.shape[:2], *ends), (1, 1, *steps))
    # XLA rearranges the second operand, so that is the smaller one, unless the copy of the result takes longer.
    pair = [each.reshape(*each.shape[:2], -1) for each in (weight, x)]
    (outputs, images, count), channels = pair[0].shape, len(x)
    is_turned = (channels - outputs) * images * count > _TURNED_BY * channels * outputs
    pair = pair[::-1] if is_turned else pair
    # Here images are what is summed, and first in memory if the settings say so: then one product would copy both.
    if settings.is_transposed and count * (outputs + channels) >= _SUMMED_BY * outputs * channels:
        y = _product(*pair, ((2,), (2,)), ((1,), (1,))).sum(0)
    else:
        y = _product(*[each.reshape(len(each), -1) for each in pair], ((1,), (1,)))
    y = _rounded(y)
    return (y if is_turned else y.T).reshape(channels, outputs, *[1] * len(steps))


def _of_windows(x, weight, settings):
    """The convolution as products of windows with the weights."""
    order, strides, padding, dilation, steps, _ = settings
    counts = positions(x.shape[2:], [weight.shape[axis] for axis in order[2:]], strides, padding, dilation, steps)
    return jnp.moveaxis(_channels_last(x, weight, settings, counts), -1, 1)


def _channels_last(x, weight, settings, counts):
    """The same at ``counts`` positions, with channels in the last axis: some rows at a time."""
    order, strides, padding, _, steps, _ = settings
    sizes = [weight.shape[axis] for axis in order[2:]]
    lows = [low for low, _ in padding]
    parts = divided(len(x), counts, x.shape[1] * math.prod(sizes), _MOST_ELEMENTS)
    copy, buffer = channels_last(x, parts, Windows(sizes, counts, strides, steps, lows))
    kernels, axis = _matrix(weight, order)

    def part(buffer, number):
        buffer = copy(number, buffer)
        rows = buffer.reshape(-1, math.prod(sizes) * x.shape[1])
        return buffer, _rounded(_product(rows, kernels, ((1,), (axis,))))

    if parts.count == 1:
        y = part(buffer, 0)[1]
    else:
        y = lax.scan(part, buffer, jnp.arange(parts.count, dtype=jnp.uint32))[1]
    return y.reshape(len(x), parts.rows_in_all(), *counts[1:], kernels.shape[1 - axis])[:, : counts[0]]


def _by_phases(x, weight, settings):
    """The convolution of an input with zeros between its elements, such as a gradient by the input for strides.

    Each phase of the result meets some elements of the kernels, and no zeros.
    """
    order, strides, padding, dilation, steps, _ = settings
    sizes = [weight.shape[axis] for axis in order[2:]]
    counts = positions(x.shape[2:], sizes, strides, padding, dilation, steps)
    totals = [-(-count // wide) for count, wide in zip(counts, dilation, strict=True)]
    phases = []
    for phase in np.ndindex(*dilation):
        kernels, edges, within = weight, [], []
        axes = zip(order[2:], sizes, phase, padding, dilation, steps, strict=True)
        for axis, size, offset, (low, _), wide, step in axes:
            first = next((tap for tap in range(size) if (offset + tap * step - low) % wide == 0), size)
            every = wide // math.gcd(wide, step)
            kernels = lax.slice_in_dim(kernels, first, size, every, axis)
            edges.append(((low - offset - first * step) // wide, 0))
            within.append(every * step // wide)
        if kernels.size:
            phases.append(_channels_last(x, kernels, settings._replace(padding=edges, steps=within), totals))
        else:
            phases.append(jnp.zeros((len(x), *totals, weight.shape[order[0]]), x.dtype))
    rank, y = len(dilation), jnp.stack(phases)
    y = y.reshape(*dilation, *y.shape[1:])
    pairs = [each for axis in range(rank) for each in (rank + 1 + axis, axis)]
    y = y.transpose(rank, *pairs, 2 * rank + 1)
    y = y.reshape(len(x), *[count * wide for count, wide in zip(totals, dilation, strict=True)], -1)
    return jnp.moveaxis(lax.slice(y, [0] * y.ndim, (len(x), *counts, y.shape[-1])), -1, 1)


def _by_windows(x, weight, settings):
    """The convolution by kernels with few positions, such as a gradient by the weights of `_of_windows`."""
    product = functools.partial(_product, axes=((1,), (0,)))
    order, strides, padding, dilation, steps, _ = settings
    return _rounded(by_weights(x, lax.transpose(weight, order), strides, padding, dilation, steps, product))


def install():
    """Lowers convolutions for CPUs."""
    replace(lax.conv_general_dilated_p, _convolution, _applies)
