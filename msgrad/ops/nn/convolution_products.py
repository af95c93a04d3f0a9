"""Convolutions on a CPU as matrix products: of windows, of patches that do not overlap, of single elements."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .windowed_gradient import padded

_LARGER_BY = 5  # elements of an image before and after a product, over those of the weights, which are then repeated


def are_apart(weight, counts, strides, dilation):
    """Whether windows share no element: kernels are at most as long as the strides, or have one position."""
    axes = zip(weight.shape[2:], counts, strides, dilation, strict=True)
    return all(size == 1 or (step == 1 and (size <= stride or count == 1)) for size, count, stride, step in axes)


def of_patches(x, weight, counts, strides, pads):
    """The convolution by kernels whose windows share no element, as a product with the windows, rearranged."""
    kernels, patches = _patches(weight, x.shape, counts, strides, pads)
    columns = patches(x).reshape(x.shape[0], -1, math.prod(counts))
    return _product(kernels.reshape(len(kernels), -1), columns).reshape(x.shape[0], -1, *counts)


def transposed_patches(y, weight, x, strides, pads):
    """The transpose of `of_patches` from an array like ``x``: the windows are products, which are put into place."""
    (batch, outputs, *counts) = y.shape
    kernels, patches = _patches(weight, x.shape, counts, strides, pads)
    windows = _product(kernels.reshape(outputs, -1).T, y.reshape(batch, outputs, -1))
    windows = windows.reshape(batch, *kernels.shape[1:], *counts)
    return jax.linear_transpose(patches, x)(windows)[0]


def _patches(weight, shape, counts, strides, pads):
    """The kernels, and a function that rearranges an array of this shape as the windows that they meet.

    Both have the elements of a kernel before the channels, and windows have their positions last. With the channels
    first the gradient by weights of 512 x 256 x 2 x 2, for 8 images of 14 x 14, takes 53 ms, and so 29. What meets
    nothing but zeros of the padding at the only position of a kernel is left out: of 3 x 3 weights for an image of one
    element all but one.
    """
    sizes, steps, edges = [], [], []
    axes = zip(shape[2:], weight.shape[2:], counts, strides, pads, strict=True)
    for axis, (length, size, count, stride, (before, _)) in enumerate(axes, 2):
        if count == 1:
            first, end = max(0, before), max(0, before, min(size, before + length))
            weight = lax.slice_in_dim(weight, first, end, axis=axis)
            before, size = before - first, end - first
            stride = size
        sizes.append(size)
        steps.append(stride)
        edges.append((before, count * stride - before - length))
    (batch, channels), rank = shape[:2], len(sizes)

    def patches(x):
        x = padded(x, edges)
        x = x.reshape(batch, channels, *[each for pair in zip(counts, steps, strict=True) for each in pair])
        ends = batch, channels, *[each for pair in zip(counts, sizes, strict=True) for each in pair]
        x = lax.slice(x, [0] * x.ndim, ends)
        return x.transpose(0, *range(3, 2 + 2 * rank, 2), 1, *range(2, 2 + 2 * rank, 2))

    return jnp.moveaxis(weight, 1, -1), patches


def of_windows(x, weight, counts, strides, pads, dilation):
    """The convolution as a product with the windows of all positions, which are made axis by axis."""
    windows = padded(x, pads)
    axes = zip(counts, weight.shape[2:], dilation, strides, strict=True)
    for number, (count, size, step, stride) in enumerate(axes):
        axis = 2 + 2 * number  # after the batch and the channels, the axes of the kernel and those of the result
        reach, end = (size - 1) * step, (count - 1) * stride + 1
        if count < size:  # a slice for each element of the result, since the gradient adds all slices up
            starts = range(0, count * stride, stride)
            parts = [lax.slice_in_dim(windows, at, at + reach + 1, step, axis=axis) for at in starts]
            windows = jnp.stack([jnp.moveaxis(part, axis, 2 + number) for part in parts], axis + 1)
        else:
            starts = range(0, reach + 1, step)
            parts = [lax.slice_in_dim(windows, at, at + end, stride, axis=axis) for at in starts]
            windows = jnp.stack(parts, 2 + number)
    columns = windows.reshape(x.shape[0], math.prod(weight.shape[1:]), math.prod(counts))
    return _product(weight, columns).reshape(x.shape[0], weight.shape[0], *counts)


def by_taps(x, weight, counts, strides, pads, dilation, group):
    """The convolution in groups as a sum over the elements of a kernel, each a product with a slice of the input."""
    batch, channels = x.shape[:2]
    x = padded(x, pads)
    weight = weight.reshape(group, weight.shape[0] // group, channels // group, *weight.shape[2:])
    total: Any = 0
    for tap in np.ndindex(*weight.shape[3:]):
        start = [offset * step for offset, step in zip(tap, dilation, strict=True)]
        end = [first + (n - 1) * stride + 1 for first, n, stride in zip(start, counts, strides, strict=True)]
        part = lax.slice(x, (0, 0, *start), (batch, channels, *end), (1, 1, *strides))
        total = total + weight[(..., *tap)] @ part.reshape(batch, group, channels // group, math.prod(counts))
    return total.reshape(batch, -1, *counts)


def _product(weight, columns):
    """The product of kernels with the columns of each image: one for each image, or one for all."""
    batch, taps, positions = columns.shape
    weight = weight.reshape(weight.shape[0], taps)
    if positions * sum(weight.shape) >= _LARGER_BY * weight.size:
        weight = jnp.broadcast_to(weight, (batch, *weight.shape))
    return weight @ columns
