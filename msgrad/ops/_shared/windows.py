"""Sliding windows over the last axes of an array: their arguments, padding, indices and contents.

Convolution, pooling and unfolding are built on them.
"""

import math

import jax
import jax.export
import jax.numpy as jnp
import numpy as np

from ..._contracts import check


def pairs(pad):
    """``(before, after)`` of each axis, of MindSpore's flat ``(top, bottom, left, right)``."""
    return list(zip(pad[::2], pad[1::2], strict=True))


def both(pad):
    """``(before, after)`` of each axis, of one number for both sides."""
    return [(length, length) for length in pad]


def spanned(kernel, dilation):
    """The extent of windows along each axis."""
    return [(length - 1) * step + 1 for length, step in zip(kernel, dilation, strict=True)]


def padding(owner, mode, pads, lengths, kernel, strides, dilation):
    """The ``(before, after)`` of each axis for a ``pad_mode``.

    Raises:
        ValueError: if ``pads`` are given with a mode that determines them.
    """
    check_unpadded(owner, mode, [width for pair in pads for width in pair])
    if mode != "same":
        return pads
    widths = []
    for length, reach, stride in zip(lengths, spanned(kernel, dilation), strides, strict=True):
        total = max((-(-length // stride) - 1) * stride + reach - length, 0)
        widths.append((total // 2, total - total // 2))
    return widths


def check_unpadded(owner, mode, widths):
    """Raises ValueError if ``widths`` (list or tuple of int) are given with a ``pad_mode`` that determines them."""
    if mode != "pad" and any(widths):
        check.refuse(ValueError, owner, "pad", f"0 where 'pad_mode' is {mode!r}", widths, "Use pad_mode='pad'.")


def check_within(owner, lengths, kernel, dilation, pads):
    """Raises ValueError if a kernel is longer than the axis that it slides over, with its padding."""
    for length, reach, (before, after) in zip(lengths, spanned(kernel, dilation), pads, strict=True):
        if not jax.export.is_symbolic_dim(length) and reach > before + length + after:
            padded = tuple([before + length + after for length, (before, after) in zip(lengths, pads, strict=True)])
            expected = f"of kernels within {padded}, the input with its padding, when dilated by {tuple(dilation)}"
            check.refuse(ValueError, owner, "weight", expected, tuple(kernel))


def counts(owner, lengths, kernel, strides, dilation, pads, ceil_mode=False):
    """The number of windows along each axis; with ``ceil_mode`` the last one may extend beyond the end.

    Raises:
        ValueError: if there is none.
    """
    sizes = []
    rows = zip(lengths, spanned(kernel, dilation), strides, pads, strict=True)
    for length, reach, stride, (before, after) in rows:
        steps = (before + length + after - reach) / stride
        count = (math.ceil if ceil_mode else math.floor)(steps) + 1
        if ceil_mode and (count - 1) * stride >= length + before:
            count -= 1
        if count < 1:
            check.refuse(ValueError, owner, "kernel_size", f"within the padded lengths {tuple(lengths)}", tuple(kernel))
        sizes.append(count)
    return sizes


def sliding(length, kernel, stride, dilation, before, count):
    """The indices that ``count`` windows along one axis cover, and which of them exist."""
    indices = np.arange(count)[:, None] * stride + np.arange(kernel) * dilation - before
    return indices, (indices >= 0) & (indices < length)


def adaptive(length, count):
    """The indices of ``count`` windows that partition an axis, and which of them exist, as for `sliding`."""
    starts = np.arange(count) * length // count
    ends = -(-(np.arange(count) + 1) * length // count)
    indices = starts[:, None] + np.arange((ends - starts).max())
    return indices, indices < ends[:, None]


def gathered(x, windows, fill):
    """The contents of windows over the last axes of ``x``, and their indices in these axes, flattened.

    Args:
        x (jax.Array): shape ``(..., *lengths)``.
        windows (list of tuple): for each axis the indices and whether they exist, as `sliding` gives them.
        fill (Number): for indices that do not exist.
    Returns:
        tuple of two arrays, ``(..., *counts, elements)`` and ``(*counts, elements)``.
    """
    rank = len(windows)
    lead, lengths = x.ndim - rank, x.shape[x.ndim - rank :]
    flat, exists = 0, True
    for axis, (indices, there) in enumerate(windows):
        indices = jnp.clip(indices, 0, lengths[axis] - 1)
        x = jnp.take(x, indices, axis=lead + 2 * axis)
        shape = [1] * (2 * rank)
        shape[2 * axis : 2 * axis + 2] = indices.shape
        flat = flat * lengths[axis] + indices.reshape(shape)
        exists = exists & there.reshape(shape)
    x = jnp.where(exists, x, fill)
    return _elements_last(x, lead, rank), _elements_last(jnp.broadcast_to(flat, x.shape[lead:]), 0, rank)


def _elements_last(x, lead, rank):
    """``(..., counts, elements, counts, elements)`` as ``(..., counts, counts, elements)``."""
    order = [*range(lead), *range(lead, lead + 2 * rank, 2), *range(lead + 1, lead + 2 * rank, 2)]
    x = x.transpose(order)
    return x.reshape((*x.shape[: lead + rank], -1))


_FEW = 4  # elements a row up to which XLA's CPU backend is faster with a gather for each of them than with one for all


def weighted(x, weights, axis):
    """Weighted sums along ``axis``; elements of weight 0 are skipped, so that inf or NaN there does not spread.

    The derivative is the product with the whole matrix: the transpose of a gather is a scatter, four times slower.

    Args:
        x (jax.Array): any shape, a float dtype.
        weights (numpy.ndarray): shape ``(count, length)``, mostly zeros.
        axis (int): that of ``length``.
    Returns:
        jax.Array with ``count`` elements along ``axis``.
    """
    axis, dtype = axis % x.ndim, x.dtype  # the rule below outlives the trace, so it must not refer to `x`
    maximum = max(int((weights != 0).sum(1).max(initial=0)), 1)
    indices = np.argsort(weights == 0, axis=1, kind="stable")[:, :maximum]
    chosen = np.take_along_axis(weights, indices, 1).astype(dtype)

    def part(x, indices, weights):
        weights = weights.reshape([1] * axis + [*weights.shape] + [1] * (x.ndim - axis - 1))
        return jnp.where(weights != 0, jnp.take(x, indices, axis=axis) * weights, jnp.zeros((), dtype))

    @jax.custom_jvp
    def total(x):
        if maximum > _FEW:
            return part(x, indices, chosen).sum(axis + 1)
        return sum(part(x, indices[:, k], chosen[:, k]) for k in range(maximum))

    @total.defjvp
    def _(primals, tangents):
        product = jnp.tensordot(tangents[0], jnp.asarray(weights, dtype), ((axis,), (1,)))
        return total(*primals), jnp.moveaxis(product, -1, axis)

    return total(x)
