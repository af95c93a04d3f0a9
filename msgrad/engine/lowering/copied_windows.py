"""Windows of an array with channels in axis 1, as matrices: those of some rows of images at a time.

They are copied in a loop over the elements of a window, so that XLA compiles one kernel for all of these, into a buffer
that serves for all parts: XLA would fill each new one with zeros, which takes nearly as long as the copies.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def positions(lengths, sizes, strides, padding, dilation, steps):
    """How many positions kernels have along each axis."""
    axes = zip(lengths, sizes, strides, padding, dilation, steps, strict=True)
    return [
        ((length - 1) * wide + sum(pad) - (size - 1) * step) // stride + 1
        for length, size, stride, pad, wide, step in axes
    ]


class Parts(NamedTuple):
    """The positions of kernels, divided into ``count`` parts: some ``rows`` of some ``images`` each."""

    count: int
    images: int
    rows: int
    of_image: int

    def start(self, number):
        """The first image and the first row of a part."""
        number, of_image = jnp.uint32(number), jnp.uint32(self.of_image)
        return lax.div(number, of_image) * jnp.uint32(self.images), lax.rem(number, of_image) * jnp.uint32(self.rows)

    def rows_in_all(self):
        """The rows of an image that its parts hold together: at least as many as it has."""
        return self.of_image * self.rows


def divided(batch, counts, elements, most):
    """Parts of ``counts`` positions in each image, whose windows hold at most ``most`` elements, or are one row.

    ``elements`` is how many a window has, in all channels.
    """
    most = max(1, most // (elements * math.prod(counts[1:])))  # rows
    images = next(n for n in range(min(batch, max(1, most // counts[0])), 0, -1) if batch % n == 0)
    of_image = -(-counts[0] // most)
    return Parts(batch // images * of_image, images, -(-counts[0] // of_image), of_image)


class Windows(NamedTuple):
    """Windows of ``sizes`` elements, ``steps`` apart, at ``counts`` positions, ``strides`` apart.

    ``lows`` is how many zeros come before the array.
    """

    sizes: Sequence[int]
    counts: Sequence[int]
    strides: Sequence[int]
    steps: Sequence[int]
    lows: Sequence[int]


def channels_last(x, parts, windows):
    """A function that copies the ``windows`` of a part, by its number, into a buffer, and such a buffer.

    Its shape is ``(images, rows, ..., taps, channels)``.
    """
    sizes, counts, strides, steps, _ = windows
    channels, taps = x.shape[1], math.prod(sizes)
    x = _reached(jnp.moveaxis(x, 1, -1), 1, parts, windows)
    lengths = parts.rows, *counts[1:]
    spans = [(n - 1) * stride + 1 for n, stride in zip(lengths, strides, strict=True)]
    offsets = np.indices(sizes, np.uint32).reshape(len(sizes), taps).T * np.array(steps, np.uint32)

    def copy(number, buffer):
        image, row = parts.start(number)

        def one(tap, buffer):
            first = list(lax.dynamic_index_in_dim(offsets, tap, keepdims=False))
            first[0] += row * jnp.uint32(strides[0])
            part = lax.dynamic_slice(x, (image, *first, jnp.uint32(0)), (parts.images, *spans, channels))
            part = lax.slice(part, [0] * part.ndim, part.shape, (1, *strides, 1))
            return lax.dynamic_update_slice_in_dim(buffer, part[..., None, :], tap, -2)

        return lax.fori_loop(0, taps, one, buffer)

    return copy, jnp.zeros((parts.images, *lengths, taps, channels), x.dtype)


def channels_first(x, parts, windows):
    """The same for a buffer of shape ``(taps, channels, images, rows, ...)``."""
    sizes, counts, strides, steps, _ = windows
    channels, taps, rank = x.shape[1], math.prod(sizes), len(sizes)
    x = _reached(x, 2, parts, windows)
    # The phases of the strides come first, so that windows have no strides.
    pairs = [each for length, stride in zip(x.shape[2:], strides, strict=True) for each in (length // stride, stride)]
    x = x.reshape(*x.shape[:2], *pairs).transpose(*range(3, 3 + 2 * rank, 2), 1, 0, *range(2, 2 + 2 * rank, 2))
    lengths = parts.rows, *counts[1:]
    offsets = np.indices(sizes).reshape(rank, taps).T * steps
    phases, offsets = (offsets % strides).astype(np.uint32), (offsets // strides).astype(np.uint32)

    def copy(number, buffer):
        image, row = parts.start(number)

        def one(tap, buffer):
            phase, first = [list(lax.dynamic_index_in_dim(each, tap, keepdims=False)) for each in (phases, offsets)]
            first[0] += row
            start, shape = (*phase, jnp.uint32(0), image, *first), (channels, parts.images, *lengths)
            part = lax.dynamic_slice(x, start, (*[1] * rank, *shape)).reshape(1, *shape)
            return lax.dynamic_update_slice_in_dim(buffer, part, tap, 0)

        return lax.fori_loop(0, taps, one, buffer)

    return copy, jnp.zeros((taps, channels, parts.images, *lengths), x.dtype)


def _reached(x, first, parts, windows):
    """``x``, whose axis of rows is ``first``, with zeros where windows reach, in lengths that the strides divide."""
    sizes, counts, strides, steps, lows = windows
    axes = zip((parts.rows_in_all(), *counts[1:]), sizes, strides, steps, lows, x.shape[first:], strict=False)
    edges = [
        (low, ((size - 1) * step // stride + n) * stride - low - length, 0)
        for n, size, stride, step, low, length in axes
    ]
    edges = [*[(0, 0, 0)] * first, *edges]
    return lax.pad(x, x.dtype.type(0), [*edges, *[(0, 0, 0)] * (x.ndim - len(edges))])


def strips(x, parts, axis):
    """A function that gives a part, by its number, of an array with images in an axis and rows in the next."""
    missing = parts.rows_in_all() - x.shape[axis + 1]
    x = lax.pad(x, x.dtype.type(0), [(0, missing * (each == axis + 1), 0) for each in range(x.ndim)])
    shape = [*x.shape[:axis], parts.images, parts.rows, *x.shape[axis + 2 :]]

    def strip(number):
        none = [jnp.uint32(0)] * x.ndim
        return lax.dynamic_slice(x, [*none[:axis], *parts.start(number), *none[axis + 2 :]], shape)

    return strip


def summed(parts, product, copy, buffer):
    """The sum over all parts of ``product(number, buffer)``, with the windows of the part in ``buffer``."""
    if parts.count == 1:
        return product(0, copy(0, buffer))

    def add(number, carry):
        total, buffer = carry
        buffer = copy(number, buffer)
        return total + product(number, buffer), buffer

    total = jax.eval_shape(product, jnp.uint32(0), buffer)
    carry = jnp.zeros(total.shape, total.dtype), buffer
    return lax.fori_loop(jnp.uint32(0), jnp.uint32(parts.count), add, carry)[0]
