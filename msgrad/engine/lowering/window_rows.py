"""Windows of an array with channels in axis 1, as rows of matrices: those of some rows of images at a time."""

import math

import jax.numpy as jnp
import numpy as np
from jax import lax


def rows_of_windows(x, padding, sizes, steps, counts, strides, most):
    """A function of a number that gives some windows, how many numbers there are, and the images and rows of each.

    It returns an array of shape ``(images * rows * ..., taps * channels)``, the first image, and the first row.
    Windows have ``sizes`` elements ``steps`` apart, at ``counts`` positions ``strides`` apart. They are copied in a
    loop over the taps, so that XLA compiles one kernel for all of them.
    """
    batch, channels = x.shape[:2]
    taps = math.prod(sizes)
    rows = max(1, most // (taps * channels * math.prod(counts[1:])))
    images = next(n for n in range(min(batch, max(1, rows // counts[0])), 0, -1) if batch % n == 0)
    parts = -(-counts[0] // min(rows, counts[0]))
    rows = -(-counts[0] // parts)
    totals, positions = (parts * rows, *counts[1:]), (rows, *counts[1:])
    axes = zip(totals, strides, sizes, steps, padding, x.shape[2:], strict=True)
    edges = [
        (low, (n - 1) * stride + (size - 1) * step + 1 - low - length, 0)
        for n, stride, size, step, (low, _), length in axes
    ]
    x = lax.pad(jnp.moveaxis(x, 1, -1), x.dtype.type(0), [(0, 0, 0), *edges, (0, 0, 0)])
    spans = [(n - 1) * stride + 1 for n, stride in zip(positions, strides, strict=True)]
    offsets = np.indices(sizes, np.uint32).reshape(len(sizes), taps).T * np.array(steps, np.uint32)

    def windows(number):
        number, none = jnp.uint32(number), jnp.uint32(0)
        image = lax.div(number, jnp.uint32(parts)) * jnp.uint32(images)
        row = lax.rem(number, jnp.uint32(parts)) * jnp.uint32(rows)

        def add(tap, columns):
            first = list(lax.dynamic_index_in_dim(offsets, tap, keepdims=False))
            first[0] += row * jnp.uint32(strides[0])
            part = lax.dynamic_slice(x, (image, *first, none), (images, *spans, channels))
            part = lax.slice(part, [0] * part.ndim, part.shape, (1, *strides, 1))
            return lax.dynamic_update_slice_in_dim(columns, part[..., None, :], tap, -2)

        columns = jnp.zeros((images, *positions, taps, channels), x.dtype)
        columns = lax.fori_loop(0, taps, add, columns)
        return columns.reshape(-1, taps * channels), image, row

    return windows, batch // images * parts, (images, rows)
