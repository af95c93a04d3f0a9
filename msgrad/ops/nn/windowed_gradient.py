"""XLA's own convolution, and one in groups whose gradient by the weights is a sum of matrix products."""

import functools
import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_derivatives import SymbolicZero, zero_from_primal

from ...engine.lowering.copied_windows import positions
from ...engine.precision import of_convolutions

_MOST_ELEMENTS = 1 << 18  # of the windows that are held at once, in float32 1 MiB: about the second cache of a core


def own(x, weight, strides, pads, dilation, group):
    """The convolution by XLA's own kernel: channels in axis 1."""
    axes = "DHW"[5 - x.ndim :]
    layout = f"NC{axes}", f"OI{axes}", f"NC{axes}"
    precision = of_convolutions()
    return lax.conv_general_dilated(x, weight, strides, pads, None, dilation, layout, group, precision=precision)


def counts_of(x, weight, strides, pads, dilation):
    """How many positions the kernels have along each axis."""
    return positions(x.shape[2:], weight.shape[2:], strides, pads, [1] * len(strides), dilation)


def padded(x, pads):
    """``x`` padded with zeros at both ends of its last axes; negative widths (of transposed convolutions) crop."""
    others = [(0, 0, 0)] * (x.ndim - len(pads))
    return lax.pad(x, jnp.zeros((), x.dtype), [*others, *[(*pair, 0) for pair in pads]])


def by_windows(x, weight, strides, pads, dilation, group, is_parted=False):
    """The convolution in groups, over one or two axes, as products of weights with windows of some rows of one image.

    Its transpose is the gradient by the weights: a sum of products. The windows fit into the processor's cache, and a
    backward pass gathers them again. Some groups are computed at a time. The phases of the strides are parted before,
    so that neither a window nor its transpose, which pads, has steps: for some rows, or, if ``is_parted``, at first for
    all images. For 32 groups of 8 channels to 28 x 28 by a stride of 2 the latter takes
    three times as long, but the gradient by ``x`` a third.
    """
    if x.ndim == 3:  # images of one row
        settings = (1, *strides), ((0, 0), *pads), (1, *dilation)
        return by_windows(x[:, :, None], weight[:, :, None], *settings, group, is_parted)[:, :, 0]
    (batch, channels), (outputs, per_group, *sizes) = x.shape[:2], weight.shape
    height, width = counts_of(x, weight, strides, pads, dilation)
    taps = per_group * math.prod(sizes)
    together = divisor(group, _MOST_ELEMENTS // max(1, taps * height * width))  # groups
    blocks = group // together
    most = min(height, max(1, _MOST_ELEMENTS // (together * taps * width)))
    parts = -(-height // most)  # of an image
    rows = -(-height // parts)  # of the result, in each
    far = [(size - 1) * step // stride for size, step, stride in zip(sizes, dilation, strides, strict=True)]
    lengths = parts * rows + far[0], width + far[1]
    axes = zip(pads, lengths, strides, x.shape[2:], strict=True)
    edges = [(low, n * stride - low - length, 0) for (low, _), n, stride, length in axes]
    x = lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *edges])
    x = x.reshape(batch * blocks, channels // blocks, *x.shape[2:])
    # A gradient by ``x`` in groups parts it, and adds slices up in one kernel.
    is_gathered = together == 1 and not is_parted
    windows = _gathered if is_gathered else functools.partial(_stacked, together=together)
    x, step = (with_phases(x, strides), 1) if is_parted else (x, strides[0])  # of rows
    offsets = [at * step for at, step in zip(np.indices(sizes, np.uint32).reshape(2, -1), dilation, strict=True)]
    numbers = jnp.arange(batch * blocks * parts, dtype=jnp.uint32)
    groups = () if together == 1 else (together,)

    @jax.checkpoint
    def part(kernels, x, number):
        none, image = jnp.uint32(0), lax.div(number, jnp.uint32(parts))
        row = lax.rem(number, jnp.uint32(parts)) * jnp.uint32(rows * step)
        start = image, *[none] * (x.ndim - 3), row, none
        strip = lax.dynamic_slice(x, start, (1, *x.shape[1:-2], (rows + far[0]) * step, x.shape[-1]))
        strip = (strip if is_parted else with_phases(strip, strides))[0]
        columns = windows(strip, offsets, strides, (channels // blocks, rows, width))
        columns = columns.reshape(*groups, taps, rows * width)
        return lax.dynamic_index_in_dim(kernels, lax.rem(image, jnp.uint32(blocks)), keepdims=False) @ columns

    kernels = jnp.swapaxes(weight.reshape(group, outputs // group, per_group, -1), 2, 3)
    kernels = kernels.reshape(blocks, *groups, outputs // group, taps)
    y = lax.scan(lambda _, number: (None, part(kernels, x, number)), None, numbers)[1]
    if parts > 1:
        y = jnp.swapaxes(y.reshape(batch * blocks, parts, outputs // blocks, rows * width), 1, 2)
    return y.reshape(batch, outputs, parts * rows, width)[:, :, :height]


def with_phases(x, strides):
    """``x`` with the phases of the strides as axes after the first one; if there is one alone, as it is.

    XLA would copy what is transposed, also where the axes have no more than one element.
    """
    if max(strides) == 1:
        return x
    batch, channels, *lengths = x.shape
    pairs = [(length // stride, stride) for length, stride in zip(lengths, strides, strict=True)]
    x = x.reshape(batch, channels, *itertools.chain(*pairs))
    return x.transpose(0, *range(3, x.ndim, 2), 1, *range(2, x.ndim, 2))


def _gathered(strip, offsets, strides, shape):
    """Windows of ``shape`` at the ``offsets``, by a loop: XLA compiles one kernel, which copies each of them once."""
    strip = strip.reshape(-1, *strip.shape[-2:])  # the phases before the channels
    (shift, phase), (across, column) = [np.divmod(*each) for each in zip(offsets, strides, strict=True)]
    starts = (phase * strides[1] + column) * shape[0], shift, across
    return lax.map(lambda start: lax.dynamic_slice(strip, start, shape), starts)


def _stacked(strip, offsets, strides, shape, together):
    """The same by slices, of channels in groups, whose gradient by the strip is wanted: a sum in one kernel."""
    windows = []
    for at in zip(*[each.tolist() for each in offsets], strict=True):
        (row, phase), (column, across) = [divmod(*each) for each in zip(at, strides, strict=True)]
        part = strip[phase, across] if strip.ndim == 5 else strip
        part = part[:, row : row + shape[1], column : column + shape[2]]
        windows.append(part.reshape(together, -1, *shape[1:]))
    return jnp.stack(windows, 1)


def divisor(number, most):
    """The largest divisor of ``number`` that is at most ``most``, and 1 at least."""
    return max(each for each in range(1, max(1, min(number, most)) + 1) if number % each == 0)


def with_derivatives(value, by_operand, by_weight):
    """``value(operand, weight, *settings)``, linear in both, with a formulation for each derivative.

    ``by_operand`` None: the function itself.
    """
    fn = jax.custom_jvp(value, nondiff_argnums=(2, 3, 4, 5))

    def change(*arguments):
        *settings, (operand, weight), (d_operand, d_weight) = arguments
        result, changes = fn(operand, weight, *settings), []
        if type(d_operand) is not SymbolicZero:
            changes.append((by_operand or fn)(d_operand, weight, *settings))
        if type(d_weight) is not SymbolicZero:
            changes.append(by_weight(operand, d_weight, *settings))
        return result, functools.reduce(jnp.add, changes) if changes else zero_from_primal(result, symbolic_zeros=True)

    fn.defjvp(change, symbolic_zeros=True)
    return fn


with_windowed_gradient = with_derivatives(own, None, by_windows)  # settings must be tuples
