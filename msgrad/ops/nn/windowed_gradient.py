"""XLA's own convolution, and over two axes one whose gradient by the weights is a sum of matrix products."""

import functools
import itertools
import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import SymbolicZero, zero_from_primal

from ...engine.precision import of_convolutions

_MOST_ELEMENTS = 1 << 21  # of the windows that are held at once, in float32 8 MiB: about what the cache of a core holds
_MOST_IN_GROUPS = 1 << 18  # of those of groups, whose products are small: about the second cache


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


def padded(x, pads):
    """``x`` padded with zeros at both ends of its axes; negative widths (of transposed convolutions) crop."""
    return lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *[(*pair, 0) for pair in pads]])


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3, 4))
def with_windowed_gradient(x, weight, strides, pads, dilation):
    """The convolution over two axes in one group, whose gradient by the weights is computed by `by_windows`."""
    return own(x, weight, strides, pads, dilation, 1)


def _change(strides, pads, dilation, values, changes):
    (x, weight), (d_x, d_weight) = values, changes
    y = with_windowed_gradient(x, weight, strides, pads, dilation)
    d_y = []
    if type(d_x) is not SymbolicZero:
        d_y.append(with_windowed_gradient(d_x, weight, strides, pads, dilation))
    if type(d_weight) is not SymbolicZero:
        d_y.append(by_windows(x, d_weight, strides, pads, dilation, 1))
    return y, functools.reduce(jnp.add, d_y) if d_y else zero_from_primal(y, symbolic_zeros=True)


with_windowed_gradient.defjvp(_change, symbolic_zeros=True)


def by_windows(x, weight, strides, pads, dilation, group):
    """The convolution over two axes as matrix products, of the weights with the windows of some rows of one image.

    Its transpose is the gradient by the weights: a sum of products. The windows fit into the processor's cache, and a
    backward pass gathers them again. If groups are many, some of them are computed at a time. The phases of the strides
    are parted before, so that neither a window nor its transpose, which pads, has steps.
    """
    (batch, channels), (outputs, per_group, *sizes) = x.shape[:2], weight.shape
    height, width = counts_of(x, weight, strides, pads, dilation)
    taps = per_group * math.prod(sizes)
    most = _MOST_ELEMENTS if group == 1 else _MOST_IN_GROUPS
    together = divisor(group, most // max(1, taps * height * width))  # groups
    blocks = group // together
    most = min(height, max(1, most // (together * taps * width)))
    parts = -(-height // most)  # of an image
    rows = -(-height // parts)  # of the result, in each
    far = [(size - 1) * step // stride for size, step, stride in zip(sizes, dilation, strides, strict=True)]
    lengths = parts * rows + far[0], width + far[1]
    axes = zip(pads, lengths, strides, x.shape[2:], strict=True)
    edges = [(low, n * stride - low - length, 0) for (low, _), n, stride, length in axes]
    x = lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *edges])
    x = x.reshape(batch * blocks, channels // blocks, lengths[0], strides[0], lengths[1], strides[1])
    x = x.transpose(0, 3, 5, 1, 2, 4)
    offsets = [range(0, size * step, step) for size, step in zip(sizes, dilation, strict=True)]

    @jax.checkpoint
    def part(kernels, x, number):
        strip = (1, *x.shape[1:4], rows + far[0], lengths[1])
        strip = lax.dynamic_slice(x, (number // parts, 0, 0, 0, number % parts * rows, 0), strip)[0]
        windows = [_window(strip, at, strides, (rows, width)) for at in itertools.product(*offsets)]
        return kernels[number // parts % blocks] @ jnp.stack(windows, 1).reshape(together, taps, rows * width)

    kernels = weight.reshape(blocks, together, outputs // group, taps)
    numbers = jnp.arange(batch * blocks * parts)
    y = lax.scan(lambda _, number: (None, part(kernels, x, number)), None, numbers)[1]
    y = jnp.moveaxis(y.reshape(batch, blocks, parts, outputs // blocks, rows, width), 2, 3)
    return y.reshape(batch, outputs, parts * rows, width)[:, :, :height]


def _window(strip, at, strides, lengths):
    """What the element ``at`` of a kernel meets in a strip whose first axes are the phases of the strides."""
    (shift, phase), (across, column) = [divmod(*each) for each in zip(at, strides, strict=True)]
    return strip[phase, column, :, shift : shift + lengths[0], across : across + lengths[1]]


def divisor(number, most):
    """The largest divisor of ``number`` that is at most ``most``, and 1 at least."""
    return max(each for each in range(1, max(1, min(number, most)) + 1) if number % each == 0)
