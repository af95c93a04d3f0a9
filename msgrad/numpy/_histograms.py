"""Histograms of one and of several variables."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import Array, Arrays, Bool
from .._contracts.kinds import accepted
from ..engine.handle import Handle
from ._dialect import Like, composite, op, to_tensor


@composite()
def histogram_bin_edges(a: Like, bins=10, range=None, weights: Like | None = None):
    """The edges of the bins of a histogram.

    Args:
        a (Tensor): the numbers.
        bins (int | Tensor | tuple | list): how many bins, or the edges themselves. Default: ``10``.
        range (tuple | list): the outer edges. Default: ``None``, the smallest and the largest number.
        weights (Tensor): of the shape of ``a``; without effect. Default: ``None``.
    Returns:
        Tensor of float32; edges that are given keep their dtype.
    Raises:
        ValueError: if edges are not a vector, or ``range`` decreases.  NotImplementedError: if ``bins`` is a str.
    Example:
        >>> ms.numpy.histogram_bin_edges([0, 2], 2).tolist()
        [0.0, 1.0, 2.0]
    Source: mindspore.numpy.histogram_bin_edges
    """
    if weights is not None and weights.shape != a.shape:
        check.refuse(ValueError, "histogram_bin_edges", "weights", f"of the shape of 'a', {a.shape}", weights.shape)
    if isinstance(bins, str):
        check.refuse(NotImplementedError, "histogram_bin_edges", "bins", "an int, or edges", bins)
    if not isinstance(bins, int):
        edges = to_tensor(bins, "bins", "histogram_bin_edges")
        if edges.ndim != 1:
            check.refuse(ValueError, "histogram_bin_edges", "bins", "a vector of edges", edges.shape)
        return edges
    if range is not None and (not isinstance(range, (tuple, list)) or len(range) != 2 or range[0] > range[1]):
        check.refuse(ValueError, "histogram_bin_edges", "range", "two numbers that do not decrease", range)
    ends = None if range is None else to_tensor(range, "range", "histogram_bin_edges")
    return _edges(a, ends, check.positive_int(bins, "bins", "histogram_bin_edges"))


@op(name="_edges")
def _edges(a: Array, ends: Array | None, bins):
    if ends is not None:
        start, stop = ends
    else:
        start, stop = (jnp.min(a), jnp.max(a)) if a.size else jnp.zeros(2)
    start, stop = start.astype(np.float32), stop.astype(np.float32)
    apart = jnp.where(start == stop, jnp.float32(0.5), jnp.float32(0))
    return jnp.linspace(start - apart, stop + apart, bins + 1)


@op(name="_histogram_kernel")
def _histogram_kernel(sample: Array, weights: Array | None, edges: Arrays):
    """The sums of weights in each bin: the rows of ``sample`` are observations, ``edges`` those of each variable."""
    bins, shape = [], tuple([each.size - 1 for each in edges])
    for each, values in zip(edges, sample.T, strict=True):
        bin_index = jnp.searchsorted(each.astype(np.float32), values.astype(np.float32), "right") - 1
        bin_index = jnp.where(values == each[-1], each.size - 2, bin_index)
        bins.append(jnp.where(bin_index < 0, each.size, bin_index))  # out of range, as elements above the last bin
    weights = jnp.ones(sample.shape[0], np.float32) if weights is None else weights.reshape(-1).astype(np.float32)
    return jnp.zeros(shape, np.float32).at[tuple(bins)].add(weights, mode="drop")


@op(name="_density")
def _density(count: Array, edges: Arrays):
    total = jnp.sum(count)
    for axis, each in enumerate(edges):
        count = count / jnp.expand_dims(jnp.diff(each), [k for k in range(count.ndim) if k != axis])
    return count / total


@composite()
def histogram(a: Like, bins=10, range=None, weights: Like | None = None, density: Bool = False):
    """Histogram: the number of elements in each bin.

    Args:
        a (Tensor): the numbers.
        bins (int | Tensor | tuple | list): how many bins, or their edges. Default: ``10``.
        range (tuple | list): the outer edges. Default: ``None``, the smallest and the largest number.
        weights (Tensor): of the shape of ``a``. Default: ``None``, 1 each.
        density (bool): whether to return the density, whose integral is 1. Default: ``False``.
    Returns:
        tuple of two Tensors: the counts, float32, and the edges.
    Raises:
        ValueError: if edges are not a vector, or ``range`` decreases.  NotImplementedError: if ``bins`` is a str.
    Example:
        >>> ms.numpy.histogram([0, 1, 1, 4], 2)[0].tolist()
        [3.0, 1.0]
    Source: mindspore.numpy.histogram
    """
    edges = histogram_bin_edges(a, bins, range, weights)
    count = _histogram_kernel(a.reshape((-1, 1)), weights, (edges,))
    return (_density(count, (edges,)) if density else count), edges


@composite()
def histogramdd(sample, bins=10, range=None, weights: Like | None = None, density: Bool = False):
    """Histogram of several variables: the number of observations in each bin.

    Args:
        sample (Tensor | tuple | list): the observations, shape ``(N, D)``; or D vectors, one for each variable.
        bins (int | tuple | list): how many bins each variable has; one such number, or the edges, for each.
            Default: ``10``.
        range (tuple | list): the outer edges for each variable. Default: ``None``, the smallest and the largest number.
        weights (Tensor): shape ``(N,)``. Default: ``None``, 1 each.
        density (bool): whether to return the density, whose integral is 1. Default: ``False``.
    Returns:
        tuple of the counts, a Tensor of float32 with D axes, and a list of the edges.
    Raises:
        TypeError: for another ``sample``.  ValueError: for other counts of bins or ranges than variables.
    Example:
        >>> ms.numpy.histogramdd(([0, 1, 1], [0, 0, 4]), 2)[0].tolist()
        [[1.0, 0.0], [1.0, 1.0]]
    Source: mindspore.numpy.histogramdd
    """
    if isinstance(sample, (tuple, list)):
        sample = ops.stack([to_tensor(each, "sample", "histogramdd") for each in sample], -1)
    if accepted(Array, sample, "sample", "histogramdd").ndim != 2:
        check.refuse(ValueError, "histogramdd", "sample", "of two axes", sample.shape)
    count = sample.shape[1]
    bins = [bins] * count if isinstance(bins, int) else bins
    ranges: Any = [None] * count if range is None else range
    for name, value in (("bins", bins), ("range", ranges)):
        if not isinstance(value, (tuple, list, Handle)):
            check.refuse(TypeError, "histogramdd", name, "an int or a sequence", value)
        if len(value) != count:
            check.refuse(ValueError, "histogramdd", name, f"of one entry for each of {count} variables", value)
    edges = [
        histogram_bin_edges(sample[:, k], each, limits, weights)
        for k, (each, limits) in enumerate(zip(bins, ranges, strict=True))
    ]
    counts = _histogram_kernel(sample, weights, tuple(edges))
    return (_density(counts, tuple(edges)) if density else counts), edges


@composite()
def histogram2d(x: Like, y: Like, bins=10, range=None, weights: Like | None = None, density: Bool = False):
    """Histogram of two variables: the number of observations in each bin.

    Args:
        x, y (Tensor): the variables, vectors.
        bins, range, weights, density: as for `histogramdd`.
    Returns:
        tuple of three Tensors: the counts, float32 with two axes, and the edges of both.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other counts of bins or ranges than two.
    Example:
        >>> ms.numpy.histogram2d([0, 1, 1], [0, 0, 4], 2)[0].tolist()
        [[1.0, 0.0], [1.0, 1.0]]
    Source: mindspore.numpy.histogram2d
    """
    counts, edges = histogramdd((x, y), bins, range, weights, density)
    return counts, edges[0], edges[1]
