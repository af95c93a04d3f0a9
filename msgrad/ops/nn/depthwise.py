"""Depthwise convolutions on a CPU, and their gradients, as sums over the elements of a kernel."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_derivatives import SymbolicZero, zero_from_primal

from .phases import joined, reach, taps_of
from .windowed_gradient import counts_of, divisor, padded, with_phases

_MOST_IMAGES = 8  # whose products are added up before the sum over positions; each is a term in the program
_MOST_ELEMENTS = 1 << 22  # of the sums over images, above which they are computed in blocks of channels
_MOST_READ = 1 << 23  # elements of the images and of the gradient, likewise
_LEAST_TERMS = 16  # of a sum, for two sums at the same time; with 9 these take up to 7 % longer
_ELEMENTS = 1 << 18  # of the sums in a block, in float32 1 MiB: about the second cache of a core


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3, 4))
def depthwise(x, weight, strides, pads, dilation):
    """The convolution with a group for each channel of ``x``; each gradient has a formulation of its own."""
    counts = counts_of(x, weight, strides, pads, dilation)
    x = padded(x, pads)[:, :, None]
    kernels = _kernels(weight, x.shape[1])

    def product(tap):
        starts = [offset * step for offset, step in zip(tap, dilation, strict=True)]
        ends = [first + (n - 1) * stride + 1 for first, n, stride in zip(starts, counts, strides, strict=True)]
        part = lax.slice(x, (0, 0, 0, *starts), (*x.shape[:3], *ends), (1, 1, 1, *strides))
        return kernels[tap] * part

    total = _sum if max(strides) > 1 else _sum_of_halves
    return total([product(tap) for tap in kernels]).reshape(x.shape[0], weight.shape[0], *counts)


def _change(strides, pads, dilation, values, changes):
    (x, weight), (d_x, d_weight) = values, changes
    y = depthwise(x, weight, strides, pads, dilation)
    d_y = []
    if type(d_x) is not SymbolicZero:  # the transpose of the gradient, so that a backward pass runs the gradient

        def gradient(dy):
            return _by_input(dy, weight, x.shape, strides, pads, dilation)

        d_y += jax.linear_transpose(gradient, y)(d_x)
    if type(d_weight) is not SymbolicZero:
        d_y.append(_by_positions(x, d_weight, strides, pads, dilation))
    return y, functools.reduce(jnp.add, d_y) if d_y else zero_from_primal(y, symbolic_zeros=True)


depthwise.defjvp(_change, symbolic_zeros=True)


def _by_input(dy, weight, shape, strides, pads, dilation):
    """The gradient by the input: for each phase of the strides a sum of slices of ``dy``, which is padded once.

    XLA's transpose of a sum of slices pads each product by itself, and tests each element of each.
    """
    (batch, channels), counts = shape[:2], dy.shape[2:]
    totals, axes, edges = reach(shape, counts, weight.shape[2:], strides, pads, dilation)
    dy = padded(dy.reshape(batch, channels, -1, *counts), edges)
    kernels = _kernels(weight, channels)

    def product(tap, starts, number):
        ends = [start + n for start, n in zip(starts, totals, strict=True)]
        part = lax.slice(dy, (0, 0, number, *starts), (batch, channels, number + 1, *ends))
        return (kernels[tap][:, number, None] * part)[:, :, 0]

    numbers, phases = range(dy.shape[2]), []
    for taps in taps_of(axes):
        terms = [product(tap, starts, number) for tap, starts in taps for number in numbers]
        phases.append(_sum_of_halves(terms) if terms else jnp.zeros((batch, channels, *totals), dy.dtype))
    return joined(phases, strides, shape)


def _by_positions(x, weight, strides, pads, dilation):
    """The convolution by weights that are repeated for each position before they are used for all images.

    Its transpose is the gradient by the weights: products, added up over images first and then, by a product, over
    positions. XLA adds numbers up one by one along the last axis, but whole arrays by vectors. Axes are flattened, with
    the same lengths for the result and for each phase of ``x``, so that a slice of a phase is one range. A loop goes
    through the elements of a kernel, so that XLA compiles the same for all of them: 5 x 5 in 0.5 s in place of 2.1.
    """
    (batch, channels), counts, sizes = x.shape[:2], counts_of(x, weight, strides, pads, dilation), weight.shape[2:]
    reach = [(size - 1) * step // stride for size, step, stride in zip(sizes, dilation, strides, strict=True)]
    lengths = [count + far for count, far in zip(counts, reach, strict=True)]
    ends = [n * stride for n, stride in zip((lengths[0] + 1, *lengths[1:]), strides, strict=True)]
    edges = [(low, end - low - n) for (low, _), end, n in zip(pads, ends, x.shape[2:], strict=True)]
    positions, taps = counts[0] * math.prod(lengths[1:]), math.prod(sizes)
    steps = -(-batch // _MOST_IMAGES)
    images = -(-batch // steps)
    multiple = weight.shape[0] // channels
    elements = multiple * taps * positions
    read = images * (math.prod(ends) + multiple * positions)
    is_small = channels * elements <= _MOST_ELEMENTS and channels * read <= _MOST_READ
    block = channels if is_small else divisor(channels, _ELEMENTS // elements)
    blocks = channels // block
    x = lax.pad(x, jnp.zeros((), x.dtype), [(0, images * steps - batch, 0)] + [(0, 0, 0)] * (x.ndim - 1))
    ones = jnp.ones((1, positions), x.dtype)
    offsets = [at * step for at, step in zip(np.indices(sizes).reshape(len(sizes), -1), dilation, strict=True)]
    shifts, phases = zip(*[np.divmod(*each) for each in zip(offsets, strides, strict=True)], strict=True)
    # The same for images of all sizes.
    elements_met = np.array([np.ravel_multi_index(phases, strides), *shifts], np.uint32)

    @jax.checkpoint
    def piece(kernels, x, number):
        start = number // blocks * images, number % blocks * block, *[0] * len(sizes)
        part = lax.dynamic_slice(x, start, (images, block, *x.shape[2:]))
        part = _each(lambda image: with_phases(padded(image[None], edges), strides)[0], part)
        part = part.reshape(images, math.prod(strides) * block, -1)

        @jax.checkpoint
        def added(sums, element):
            kernel, phase, first, *shifts = element
            kernel = lax.optimization_barrier(kernel @ ones)
            for shift, length in zip(shifts, lengths[1:], strict=True):
                first = first * jnp.uint32(length) + shift
            # A slice for each image: of one for all XLA would compute the start again at each number.
            starts = [(jnp.uint32(image), phase * jnp.uint32(block), first) for image in range(images)]
            slices = [lax.dynamic_slice(part, start, (1, block, positions))[0] for start in starts]
            slices = slices if multiple == 1 else [jnp.repeat(each, multiple, 0) for each in slices]
            return sums + jnp.stack([kernel * each for each in slices]), None

        sums = jnp.zeros((images, block * multiple, positions), x.dtype)
        return lax.scan(added, sums, (kernels[number % blocks], *elements_met))[0]

    kernels = jnp.moveaxis(weight.reshape(blocks, block * multiple, taps), 2, 1)[..., None]
    if steps * blocks == 1:
        y = piece(kernels, x, 0)
    else:
        y = lax.map(lambda number: piece(kernels, x, number), jnp.arange(steps * blocks))
    y = jnp.swapaxes(y.reshape(steps, blocks, images, block * multiple, positions), 1, 2)
    y = y.reshape(steps * images, weight.shape[0], counts[0], *lengths[1:])
    return _each(lambda image: lax.slice(image, [0] * image.ndim, (weight.shape[0], *counts)), y[:batch])


def _each(fn, images):
    """``fn`` of each image, in a loop.

    XLA fuses padding with what flattens it, and divides then to find each element's position: 4e5 elements in 0.39 ms.
    As the result of a loop they are flattened without a copy, and padded in 0.08.
    """
    return lax.map(jax.checkpoint(fn), images)


def _kernels(weight, channels):
    """For each position in a kernel the weights there, of shape ``(channels, multiple, 1, ...)``."""
    weight = weight.reshape(channels, -1, *weight.shape[2:])
    ones = (1,) * (weight.ndim - 2)
    return {tap: weight[(..., *tap)].reshape(*weight.shape[:2], *ones) for tap in np.ndindex(*weight.shape[2:])}


def _sum(terms):
    return functools.reduce(jnp.add, terms)


def _sum_of_halves(terms):
    """The sum of two sums, which a processor computes at the same time, where there are many terms.

    In one sum each addition waits for the one before: 7 x 7 at 192 x 28 x 28 takes 4.6 ms in place of 3.6. More than
    two are not faster. With strides the terms are gathered, and two sums take up to 1.15 times as long.
    """
    middle = len(terms) // 2
    return _sum(terms) if len(terms) < _LEAST_TERMS else _sum(terms[:middle]) + _sum(terms[middle:])
