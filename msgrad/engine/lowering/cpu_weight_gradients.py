"""Gradients of convolutions by their weights on a CPU, as products of windows of one operand with the other.

XLA's own is a convolution with the images as channels, by kernels as large as they are. Processor milliseconds, on one
core of Zen 5 with AVX-512 (load 4, huge pages), of operands with channels first / last, beside those of PyTorch 2.13
with channels last; 8 images where nothing else is said:

| | XLA, JAX 0.10.2 | here | XLA, JAX 0.12 | here | PyTorch |
|---|---|---|---|---|---|
| 3 x 3, 64 to 64, 56 x 56 | 17 / 18 | 14 / 14 | 20 / 17 | 17 / 15 | 9.4 |
| 3 x 3, 128 to 128, 28 x 28 | 16 / 16 | 11 / 11 | 15 / 15 | 13 / 12 | 8.9 |
| 3 x 3, 256 to 256, 14 x 14 | 14 / 14 | 10 / 10 | 18 / 17 | 11 / 10 | 8.2 |
| 3 x 3, 512 to 512, 7 x 7 | 18 / 19 | 9.6 / 9.3 | 16 / 17 | 9.5 / 9.6 | 9.9 |
| 3 x 3, 128 to 128, to 28 x 28 by a stride of 2 | 26 / 29 | 14 / 14 | 18 / 18 | 15 / 14 | 17 |
| 3 x 3, 512 to 512, to 7 x 7 by a stride of 2 | 21 / 23 | 11 / 11 | 19 / 19 | 13 / 12 | 15 |
| 7 x 7, 3 to 64, to 112 x 112 by a stride of 2 | 37 / 31 | 22 / 14 | 36 / 33 | 30 / 15 | 13 |
| 3 x 3, 64 to 32, 128 x 128, 4 images | 26 / 25 | 24 / 19 | 28 / 28 | 26 / 22 | 17 |
| 3 x 3, 128 to 64, 64 x 64, 4 images | 21 / 21 | 15 / 14 | 23 / 22 | 18 / 14 | 12 |
| 3 x 3, 512 to 256, 16 x 16, 4 images | 17 / 18 | 11 / 11 | 20 / 20 | 11 / 11 | 13 |
| 3 x 3, 512 to 512, 7 x 7, one image | 8.4 / 8.4 | 2.0 / 1.9 | 3.0 / 2.9 | 1.6 / 1.6 | 3.6 |
| 3 x 3, 32 to 32, 32 x 32, 128 images | 55 / 43 | 30 / 26 | 29 / 29 | 35 / 29 | 13 |
| 3 x 3, 16 to 16, 32 x 32, 64 images | 9.4 / 6.6 | 5.4 / 5.1 | 3.6 / 4.1 | 7.0 / 6.4 | 1.3 |
| 3 x 3, 64 to 64, 8 x 8, 16 images | 0.6 / 0.6 | 0.7 / 0.6 | 0.7 / 0.7 | 0.8 / 0.7 | 0.4 |

They are compiled in 0.2 s, XLA's in 0.06 to 0.12. Where kernels have more positions than the image has elements, as
for transposed convolutions, XLA has plain loops: 4 x 4, 256 to 256 from 16 x 16 to 32 x 32 takes 5 000 ms. XLA's own is
also less exact: at 56 x 56 by 5e-6 of the largest element, products by 1e-6.

What XLA does with two matrices decides the form: it multiplies rows of the first by columns of the second as they are
(64 to 32 channels at 128 x 128 in 13 ms), but rearranges a transposed first one (24 to 45 ms). So one operand has
channels first, the other last. Windows are copied of the operand with fewer channels: first, as ranges of rows, or with
strides, whose ranges are no rows, last. Not faster: windows of the rows of both operands (3 and 3 copies in place of
9), some rows transposed at a time, smaller buffers (256 KiB: 1.2 to 2 times as long), new ones for each part (1.05 to
1.15 times).
"""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .copied_windows import Windows, channels_first, channels_last, divided, positions, strips, summed
from .replacing import replace

_MOST_ELEMENTS = 1 << 21  # of the windows that are held at once
_LEAST_PRODUCTS = 1 << 25  # of two numbers; with fewer, XLA takes less than a millisecond, and less time to compile
_LEAST_CHANNELS = 16 if jax.__version_info__ < (0, 12) else 32  # of the operand that has more
_LEAST_IN_ROWS = 8  # channels of windows with strides, to be copied with channels last


def _applies(x, dy, *, dimension_numbers, batch_group_count, feature_group_count, preferred_element_type, **parameters):
    is_float = x.dtype == dy.dtype and x.dtype in (jnp.float32, jnp.float64)
    if not is_float or preferred_element_type not in (None, x.dtype) or x.ndim != 4 or 0 in (*x.shape, *dy.shape):
        return False
    if batch_group_count > 1 or min(max(parameters[name]) for name in ("lhs_dilation", "rhs_dilation")) > 1:
        return False
    channels, _, *lengths = [x.shape[axis] for axis in dimension_numbers.lhs_spec]
    outputs, images, *counts = [dy.shape[axis] for axis in dimension_numbers.rhs_spec]
    names = "window_strides", "padding", "lhs_dilation", "rhs_dilation"
    sizes = positions(lengths, counts, *[parameters[name] for name in names])
    if min(sizes) < 1 or math.prod(counts) <= math.prod(sizes):
        return False
    products = channels * outputs * images * math.prod(sizes) * math.prod(counts)
    most = max(channels, outputs // feature_group_count)
    is_exchanged = math.prod(counts) > math.prod(lengths)
    return is_exchanged or (products >= _LEAST_PRODUCTS and most >= _LEAST_CHANNELS)


def _gradient(x, dy, *, dimension_numbers, feature_group_count, precision, **parameters):
    """The convolution whose result are weights; groups are those of `jax.vmap`."""
    numbers, groups = dimension_numbers, feature_group_count
    x, dy = lax.transpose(x, numbers.lhs_spec), lax.transpose(dy, numbers.rhs_spec)
    by_weights_of = functools.partial(
        by_weights,
        strides=parameters["window_strides"],
        padding=parameters["padding"],
        dilation=parameters["lhs_dilation"],
        steps=parameters["rhs_dilation"],
        product=functools.partial(jnp.matmul, precision=precision),
    )
    if groups == 1:
        result = by_weights_of(x, dy)
    else:
        xs, dys = x.reshape(len(x), groups, -1, *x.shape[2:]), dy.reshape(groups, -1, *dy.shape[1:])
        results = lax.map(lambda pair: by_weights_of(pair[0], pair[1]), (jnp.moveaxis(xs, 1, 0), dys))
        result = jnp.moveaxis(results, 0, 1).reshape(len(x), len(dy), *results.shape[3:])
    return lax.transpose(result, np.argsort(numbers.out_spec))


def by_weights(x, dy, strides, padding, dilation, steps, product):
    """The convolution of ``x`` by kernels ``dy``, whose results are for each channel of both; images are in axis 1.

    The two are exchanged if ``x`` has more channels, or zeros between its elements, as for a transposed convolution.

    Args:
        strides, padding, dilation, steps (tuple): of the convolution, the last two of ``x`` and ``dy``, one of them 1.
        product (function): of two matrices.
    """
    sizes = positions(x.shape[2:], dy.shape[2:], strides, padding, dilation, steps)
    lows = [low for low, _ in padding]
    if max(dilation) > 1 or (max(steps) == 1 and len(x) >= len(dy)):
        lows = [(size - 1) * stride - low for size, stride, low in zip(sizes, strides, lows, strict=True)]
        result = _of_windows(dy, x, Windows(sizes, x.shape[2:], dilation, strides, lows), product)
        return jnp.swapaxes(jnp.flip(result, range(2, result.ndim)), 0, 1)
    return _of_windows(x, dy, Windows(sizes, dy.shape[2:], steps, strides, lows), product)


def _of_windows(x, other, windows, product):
    """Products of windows of ``x`` with ``other``: channels of both, and elements of the windows."""
    if max(windows.strides) > 1 and len(x) >= _LEAST_IN_ROWS:
        return _by_rows(x, other, windows, product)
    return jnp.moveaxis(_by_columns(x, other, windows, product), (-2, -1), (0, 1))


def _by_columns(x, other, windows, product):
    """Elements of the windows, then channels of both: windows with channels first by ``other`` with channels last."""
    sizes, counts, *_ = windows
    (channels, batch), outputs, taps = x.shape[:2], len(other), math.prod(sizes)
    parts = divided(batch, counts, taps * channels, _MOST_ELEMENTS)
    copy, buffer = channels_first(jnp.swapaxes(x, 0, 1), parts, windows)
    strip = strips(jnp.moveaxis(other, 0, -1), parts, 0)

    def of_part(number, buffer):
        return product(buffer.reshape(taps * channels, -1), strip(number).reshape(-1, outputs))

    return summed(parts, of_part, copy, buffer).reshape(*sizes, channels, outputs)


def _by_rows(x, other, windows, product):
    """Channels of both, and elements of the windows: ``other`` with channels first by windows that have them last."""
    sizes, counts, *_ = windows
    (channels, batch), outputs, taps = x.shape[:2], len(other), math.prod(sizes)
    parts = divided(batch, counts, taps * channels, _MOST_ELEMENTS)
    copy, buffer = channels_last(jnp.swapaxes(x, 0, 1), parts, windows)
    strip = strips(other, parts, 1)

    def of_part(number, buffer):
        return product(strip(number).reshape(outputs, -1), buffer.reshape(-1, taps * channels))

    result = summed(parts, of_part, copy, buffer).reshape(outputs, *sizes, channels)
    return jnp.moveaxis(result, (-1, 0), (0, 1))


def install():
    """Lowers gradients by weights for CPUs."""
    replace(lax.conv_general_dilated_p, _gradient, _applies)
