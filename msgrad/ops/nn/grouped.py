"""Convolutions over two axes in many groups on a CPU, and their gradients, as products of small matrices."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .phases import joined, reach, taps_of
from .windowed_gradient import by_windows, counts_of, divisor, padded, with_derivatives

_MOST_ELEMENTS = 1 << 18  # of the products that are held at once: about the second cache
_LEAST_POSITIONS = 400  # of a kernel of a step of 1, for products of the input with each of its elements
_MOST_TAPS = 16  # elements of a kernel, above which XLA's sum of padded products takes longer than one of slices


def _forward(x, weight, strides, pads, dilation, group):
    """The convolution: by windows, or, where these hold more, as the gradient by the input of turned kernels.

    The latter multiplies the input by each element of the kernels, and adds the products up where they belong.
    """
    counts = counts_of(x, weight, strides, pads, dilation)
    if not _is_of_products(weight, counts, strides, group):
        return by_windows(x, weight, strides, pads, dilation, group)
    outputs, per_group, *sizes = weight.shape
    turned = jnp.flip(weight.reshape(group, -1, per_group, *sizes), (-1, -2)).swapaxes(1, 2)
    turned = turned.reshape(x.shape[1], -1, *sizes)
    axes = zip(sizes, pads, dilation, strict=True)
    ends = [[(size - 1) * step - pad for pad in pair] for size, pair, step in axes]
    return _by_input(x, turned, (x.shape[0], outputs, *counts), strides, ends, dilation, group)


def _is_of_products(weight, counts, strides, group):
    is_wide = weight.shape[1] >= weight.shape[0] // group
    return is_wide and max(strides) == 1 and math.prod(counts) >= _LEAST_POSITIONS


def _by_input(dy, weight, shape, strides, pads, dilation, group):
    """The gradient by the input, of ``shape``, in the formulation that is faster."""
    if max(strides) > 1 or math.prod(weight.shape[2:]) > _MOST_TAPS:
        return _by_phases(dy, weight, shape, strides, pads, dilation, group)

    def windows(x):
        return by_windows(x, weight, strides, pads, dilation, group, is_parted=True)

    return jax.linear_transpose(windows, jax.ShapeDtypeStruct(shape, dy.dtype))(dy)[0]


def _by_phases(dy, weight, shape, strides, pads, dilation, group):
    """The gradient by the input: for each phase of the strides a sum of slices of products, of some groups at a time.

    ``dy`` is padded before it is multiplied, since XLA's transpose of slices pads each of them, and tests each element.
    """
    counts, (outputs, per_group, *sizes) = dy.shape[2:], weight.shape
    totals, axes, edges = reach(shape, counts, sizes, strides, pads, dilation)
    lengths = [count + sum(pair) for count, pair in zip(counts, edges, strict=True)]
    taps, each = math.prod(sizes), outputs // group
    together = divisor(group, _MOST_ELEMENTS // max(1, taps * per_group * math.prod(lengths)))
    blocks = group // together
    kernels = weight.reshape(blocks, together, each, per_group, taps).transpose(0, 1, 4, 3, 2)
    kernels = kernels.reshape(blocks, together, taps * per_group, each)

    @jax.checkpoint  # or the transpose would hold the kernels once for each image
    def part(kernels, number, dy):
        dy = padded(dy, edges).reshape(together, each, -1)
        products = lax.dynamic_index_in_dim(kernels, lax.rem(number, jnp.uint32(blocks)), keepdims=False) @ dy
        products = products.reshape(together, *sizes, per_group, *lengths)

        def product(tap, starts):
            slices = [slice(start, start + n) for start, n in zip(starts, totals, strict=True)]
            return products[(slice(None), *tap, slice(None), *slices)]

        phases = []
        for reaching in taps_of(axes):
            terms = [product(*pair) for pair in reaching]
            none = jnp.zeros((together, per_group, *totals), dy.dtype)
            phases.append(functools.reduce(jnp.add, terms) if terms else none)
        return joined(phases, strides, (together, per_group, *shape[2:]))

    numbers = np.arange(len(dy) * blocks, dtype=np.uint32)
    dy = dy.reshape(-1, together, each, *counts)
    x = lax.scan(lambda _, numbered: (None, part(kernels, *numbered)), None, (numbers, dy))[1]
    return x.reshape(shape)


def _transpose_of_by_input(x, weight, *settings):
    """The convolution whose transpose is the gradient by the input as above, so that a backward pass runs that."""
    counts = counts_of(x, weight, *settings[:-1])
    dy = jax.ShapeDtypeStruct((x.shape[0], weight.shape[0], *counts), x.dtype)
    return jax.linear_transpose(lambda dy: _by_input(dy, weight, x.shape, *settings), dy)(x)[0]


# Settings must be tuples.
in_groups = with_derivatives(
    _forward,
    _transpose_of_by_input,
    lambda x, weight, *settings: by_windows(x, weight, *settings),  # JAX would trace a default
)
