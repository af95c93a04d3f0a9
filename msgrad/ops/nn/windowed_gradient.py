"""XLA's own convolution, and over two axes one whose gradient by the weights is a sum of matrix products."""

import functools
import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import SymbolicZero, zero_from_primal

from ...engine.precision import of_convolutions

_MOST_ELEMENTS = 1 << 21  # of the windows that are held at once, in float32 8 MiB: about what the cache of a core holds


def own(x, weight, strides, pads, dilation, group):
    """The convolution by XLA's own kernel: channels in axis 1."""
    axes = "DHW"[5 - x.ndim :]
    layout = f"NC{axes}", f"OI{axes}", f"NC{axes}"
    precision = of_convolutions()
    return lax.conv_general_dilated(x, weight, strides, pads, None, dilation, layout, group, precision=precision)


def counts_of(x, weight, strides, pads, dilation):
    """How many positions the kernels have along each axis."""
    axes = zip(x.shape[2:], weight.shape[2:], strides, pads, dilation, strict=True)
    return [(length + sum(pad) - (size - 1) * step - 1) // stride + 1 for length, size, stride, pad, step in axes]


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3, 4))
def with_windowed_gradient(x, weight, strides, pads, dilation):
    """The convolution over two axes in one group, whose gradient by the weights is computed by `_by_windows`."""
    return own(x, weight, strides, pads, dilation, 1)


def _change(strides, pads, dilation, values, changes):
    (x, weight), (d_x, d_weight) = values, changes
    y = with_windowed_gradient(x, weight, strides, pads, dilation)
    d_y = []
    if type(d_x) is not SymbolicZero:
        d_y.append(with_windowed_gradient(d_x, weight, strides, pads, dilation))
    if type(d_weight) is not SymbolicZero:
        d_y.append(_by_windows(x, d_weight, strides, pads, dilation))
    return y, functools.reduce(jnp.add, d_y) if d_y else zero_from_primal(y, symbolic_zeros=True)


with_windowed_gradient.defjvp(_change, symbolic_zeros=True)


def _by_windows(x, weight, strides, pads, dilation):
    """The convolution as matrix products, each of the weights with the windows of some rows of one image.

    Its transpose is the gradient by the weights: a sum of products. The windows fit into the processor's cache, and a
    backward pass gathers them again.
    """
    (batch, channels), (outputs, _, *sizes) = x.shape[:2], weight.shape
    spans = [(size - 1) * step + 1 for size, step in zip(sizes, dilation, strict=True)]
    height, width = counts_of(x, weight, strides, pads, dilation)
    taps = channels * math.prod(sizes)
    most = min(height, max(1, _MOST_ELEMENTS // (taps * width)))
    parts = -(-height // most)  # of an image
    rows = -(-height // parts)  # of the result, in each
    reach, columns = (rows - 1) * strides[0] + spans[0], (width - 1) * strides[1] + spans[1]
    ends = [(parts * rows - 1) * strides[0] + spans[0], columns]  # of what is read, from the start of the padding on
    edges = [(low, end - low - length, 0) for (low, _), end, length in zip(pads, ends, x.shape[2:], strict=True)]
    x = lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *edges])
    starts = [range(0, span, step) for span, step in zip(spans, dilation, strict=True)]
    lengths = [(rows - 1) * strides[0] + 1, (width - 1) * strides[1] + 1]

    @jax.checkpoint
    def part(kernels, x, number):
        top = number % parts * rows * strides[0]
        strip = lax.dynamic_slice(x, (number // parts, 0, top, 0), (1, channels, reach, columns))[0]
        windows = [
            lax.slice(strip, (0, i, j), (channels, i + lengths[0], j + lengths[1]), (1, *strides))
            for i in starts[0]
            for j in starts[1]
        ]
        return kernels @ jnp.stack(windows, 1).reshape(taps, rows * width)

    kernels = weight.reshape(outputs, taps)
    numbers = jnp.arange(batch * parts)
    y = lax.scan(lambda _, number: (None, part(kernels, x, number)), None, numbers)[1]
    y = jnp.moveaxis(y.reshape(batch, parts, outputs, rows, width), 1, 2)
    return y.reshape(batch, outputs, parts * rows, width)[:, :, :height]
