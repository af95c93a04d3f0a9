"""Differences, integrals and interpolation; covariances; searching in sorted numbers and counting in bins."""

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.choices import OneOf
from .._contracts.contracts import Array, Axis, Bool, Int, NonNegativeInt, Real
from ..engine.handle import Handle
from ._dialect import AnyDtype, Like, composite, op
from ._shaping import concatenate

# -- differences ----------------------------------------------------------------------------------------------------


def _as_float(x):
    """``x``, ints as float32."""
    return x if jnp.issubdtype(x.dtype, jnp.inexact) else x.astype(np.float32)


@composite()
def diff(a: Array, n: NonNegativeInt = 1, axis: Axis = -1, prepend: Like | None = None, append: Like | None = None):
    """The ``n``-th differences of adjacent elements.

    Args:
        a (Tensor): one axis or more.
        n (int): how often. Default: ``1``.
        axis (int): along which axis. Default: ``-1``.
        prepend, append (Tensor | Number): values to put before and after the elements. Default: ``None``, nothing.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if nothing would be left, or there is no such axis.
    Example:
        >>> ms.numpy.diff(Tensor([1, 3, 6])).tolist()
        [2, 3]
    Source: mindspore.numpy.diff
    """
    axis = check.axis(axis, len(check.at_least_rank(a, 1, "a", "diff").shape), "axis", "diff")
    edge = a.shape[:axis] + (1,) + a.shape[axis + 1 :]
    ends = [each if each is None else ops.broadcast_to(each, edge) for each in (prepend, append)]
    if ends != [None, None]:
        a = concatenate([each for each in (ends[0], a, ends[1]) if each is not None], axis)
    if n >= a.shape[axis]:
        check.refuse(ValueError, "diff", "n", f"below the length of the axis, {a.shape[axis]}", n)
    return _differences(a, n, axis)


@op(name="_differences")
def _differences(a: Array, n, axis):
    return jnp.diff(a, n, axis)


@composite()
def ediff1d(ary: Array, to_end: Like | None = None, to_begin: Like | None = None):
    """The differences of adjacent elements of the flattened array.

    Args:
        ary (Tensor): any shape.
        to_end, to_begin (Tensor | Number | list): what is put after and before them. Default: ``None``, nothing.
    Returns:
        Tensor, 1-d, of the dtype of ``ary``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.ediff1d(Tensor([1, 3, 6]), to_begin=0).tolist()
        [0, 2, 3]
    Source: mindspore.numpy.ediff1d
    """
    parts = [to_begin, diff(ary.reshape(-1)), to_end]
    return ops.concat([ops.cast(each, ary.dtype).reshape(-1) for each in parts if each is not None])


@op()
def trapz(y: Like, x: Like | None = None, dx: Like = 1.0, axis: Axis = -1):
    """The integral along an axis by the trapezoidal rule.

    Args:
        y (Tensor): the values.
        x (Tensor): where they are. Default: ``None``, at equal distances.
        dx (Number): these distances. Default: ``1.0``.
        axis (int): along which axis. Default: ``-1``.
    Returns:
        Tensor without the axis; float32 for ints.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.trapz([1, 2, 3]).item()
        4.0
    Source: mindspore.numpy.trapz
    """
    axis = check.axis(axis, y.ndim, "axis", "trapz")
    y = _as_float(y)
    if x is not None:
        dx = jnp.diff(x)
    y, dx = jnp.moveaxis(y, axis, -1), jnp.asarray(dx).astype(y.dtype)
    if x is not None and x.ndim > 1:
        dx = jnp.moveaxis(jnp.diff(x, axis=axis), axis, -1).astype(y.dtype)
    return jnp.sum((y[..., :-1] + y[..., 1:]) * dx / 2, -1)


@composite()
def gradient(f: Like, *varargs, axis=None, edge_order: Int = 1):
    """Gradient by central differences, with one-sided differences at the edges.

    Args:
        f (Tensor): two elements or more along each axis.
        varargs (Number): the distances: none is 1, one is for all axes, or one for each.
        axis (int | tuple[int] | list[int] | None): along which axes. Default: ``None``, all.
        edge_order (int): must be 1, as for MindSpore. Default: ``1``.
    Returns:
        Tensor; a list of them for several axes.
    Raises:
        TypeError: for a wrong number of distances.  ValueError: if an axis is too short.
        NotImplementedError: for another ``edge_order``, or distances that are not numbers.
    Example:
        >>> ms.numpy.gradient([1.0, 2.0, 4.0]).tolist()
        [1.0, 1.5, 2.0]
    Source: mindspore.numpy.gradient
    """
    if edge_order != 1:
        check.refuse(NotImplementedError, "gradient", "edge_order", "1", edge_order)
    axes = sorted(check.axes(axis, f.ndim, "axis", "gradient"))
    distances = varargs * len(axes) if len(varargs) == 1 else varargs or (1,) * len(axes)
    if len(distances) != len(axes):
        check.refuse(TypeError, "gradient", "varargs", f"none, one or {len(axes)} numbers", varargs)
    for each in distances:
        if not isinstance(each, (int, float)) and not (isinstance(each, Handle) and each.ndim == 0):
            check.refuse(NotImplementedError, "gradient", "varargs", "made of numbers", each)
    if not f.ndim or min(f.shape[each] for each in axes) < 2:
        check.refuse(ValueError, "gradient", "f", "of two elements or more along each axis", f.shape)
    gradients = [_difference(f, each) / distance for each, distance in zip(axes, distances, strict=True)]
    return gradients[0] if len(gradients) == 1 else gradients


@op(name="_difference")
def _difference(f: Array, axis):
    return jnp.gradient(f if f.dtype == np.float64 else f.astype(np.float32), axis=axis)


@composite()
def unwrap(p: Like, discont: Real = 3.141592653589793, axis: Axis = -1):
    """Unwraps angles: adds multiples of 2 pi where adjacent angles differ by more than ``discont``.

    Args:
        p (Tensor): the angles.
        discont (float): the largest difference that is not a jump. Default: ``3.141592653589793``.
        axis (int): along which axis. Default: ``-1``.
    Returns:
        Tensor of float64 for float64, else of float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.around(ms.numpy.unwrap([0.0, 6.25])).tolist()
        [0.0, -0.0]
    Source: mindspore.numpy.unwrap
    """
    return _unwrapped(p, discont, check.axis(axis, p.ndim, "axis", "unwrap"))


@op(name="_unwrapped")
def _unwrapped(p: Array, discont, axis):
    return jnp.unwrap(p if p.dtype == np.float64 else p.astype(np.float32), discont, axis)


@op()
def interp(x: Like, xp: Like, fp: Like, left: Like | None = None, right: Like | None = None):
    """Linear interpolation.

    Args:
        x (Tensor): the points at which to interpolate.
        xp, fp (Tensor): vectors: where values are given, increasing, and the values.
        left, right (Number): the value before and after all. Default: ``None``, the first and the last.
    Returns:
        Tensor of float32, of the shape of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``xp`` and ``fp`` are not vectors of equal length.
    Example:
        >>> ms.numpy.interp([1.5, 9.0], [1, 2], [10, 20]).tolist()
        [15.0, 20.0]
    Source: mindspore.numpy.interp
    """
    if xp.ndim != 1 or fp.shape != xp.shape:
        check.refuse(ValueError, "interp", "fp", "a vector as long as the vector 'xp'", fp.shape)
    x, xp, fp = x.astype(np.float32), xp.astype(np.float32), fp.astype(np.float32)
    return jnp.interp(x, xp, fp, left, right).astype(np.float32)


# -- covariances ----------------------------------------------------------------------------------------------------


def _variables(x, rowvar, name):
    """``x`` as a matrix of float32 whose rows are variables."""
    if x.ndim > 2:
        check.refuse(ValueError, name, "m", "of one or two axes", x.shape)
    x = jnp.atleast_2d(x.astype(np.float32))
    return x if rowvar or x.shape[0] == 1 else x.T


def _weights(weights, name):
    if weights is None:
        return None
    if weights.ndim != 1:
        check.refuse(RuntimeError, "cov", name, "a vector", weights.shape)
    return jnp.abs(check.dtype(weights, "iu", name, "cov"))


@op()
def cov(
    m: Like,
    y: Like | None = None,
    rowvar: Bool = True,
    bias: Bool = False,
    ddof: Int | None = None,
    fweights: Like | None = None,
    aweights: Like | None = None,
    dtype: AnyDtype | None = None,
):
    """The covariances of variables.

    Args:
        m (Tensor): a variable in each row.
        y (Tensor): more variables. Default: ``None``.
        rowvar (bool): False if the variables are the columns. Default: ``True``.
        bias (bool): whether the divisor is the count, not one less. Default: ``False``.
        ddof (int): what the count is lessened by. Default: ``None``, as ``bias`` says.
        fweights, aweights (Tensor): of ints: how often each observation comes, and its weight. Default: ``None``.
        dtype (mindspore.dtype | str | type): that the result is cast to. Default: ``None``, float32.
    Returns:
        Tensor, 2-d, or 0-d for one variable.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are more than two axes.
        RuntimeError: if weights are not a vector.
    Example:
        >>> ms.numpy.cov([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]).tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    Source: mindspore.numpy.cov
    """
    m = _variables(m, rowvar, "cov")
    if y is not None:
        m = jnp.concatenate([m, _variables(y, rowvar, "cov")])
    covariance = jnp.cov(
        m, bias=bias, ddof=ddof, fweights=_weights(fweights, "fweights"), aweights=_weights(aweights, "aweights")
    )
    return covariance.squeeze().astype(dtype.numpy if dtype else np.float32)


@op()
def corrcoef(x: Like, y: Like | None = None, rowvar: Bool = True, dtype: AnyDtype | None = None):
    """The correlations of variables.

    Args:
        x (Tensor): a variable in each row.
        y (Tensor): more variables. Default: ``None``.
        rowvar (bool): False if the variables are the columns. Default: ``True``.
        dtype (mindspore.dtype | str | type): that the result is cast to. Default: ``None``, float32.
    Returns:
        Tensor, 2-d, or 0-d for one variable.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are more than two axes.
    Example:
        >>> ms.numpy.corrcoef([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]).tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    Source: mindspore.numpy.corrcoef
    """
    correlation = cov(x, y, rowvar)
    if not correlation.ndim:
        return (correlation / correlation).astype(dtype.numpy if dtype else np.float32)
    deviation = jnp.sqrt(jnp.diag(correlation))
    correlation = jnp.clip(correlation / deviation[:, None] / deviation, -1, 1)
    return correlation.astype(dtype.numpy if dtype else np.float32)


# -- sorted numbers and bins ----------------------------------------------------------------------------------------


@op()
def searchsorted(a: Like, v: Like, side: OneOf("left", "right") = "left", sorter: Like | None = None):
    """Insertion indices of numbers in a sorted array.

    Args:
        a (Tensor): a vector, sorted.
        v (Tensor): the numbers.
        side (str): among equal ones, ``'left'`` before or ``'right'`` after them. Default: ``'left'``.
        sorter (Tensor): the order in which ``a`` is sorted. Default: ``None``.
    Returns:
        Tensor of int32, of the shape of ``v``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``side``, or if ``a`` is not a vector.
    Example:
        >>> ms.numpy.searchsorted([1, 3, 5], [3, 4]).tolist()
        [1, 2]
    Source: mindspore.numpy.searchsorted
    """
    if a.ndim != 1:
        check.refuse(ValueError, "searchsorted", "a", "a vector", a.shape)
    if sorter is not None and sorter.shape != a.shape:
        check.refuse(ValueError, "searchsorted", "sorter", f"of the shape of 'a', {a.shape}", sorter.shape)
    a = a.astype(np.float32)
    a, v = (a if sorter is None else a[sorter]), v.astype(np.float64 if v.dtype == np.float64 else np.float32)
    return jnp.searchsorted(a.astype(v.dtype), v, side).astype(np.int32)


@op()
def digitize(x: Like, bins: Like, right: Bool = False):
    """The indices of the bins of numbers.

    Args:
        x (Tensor): the numbers.
        bins (Tensor): a vector, the edges, that increase or decrease.
        right (bool): whether a bin holds its right edge, not its left. Default: ``False``.
    Returns:
        Tensor of int32, of the shape of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``bins`` is not a vector.
    Example:
        >>> ms.numpy.digitize([0.2, 6.4], [0.0, 1.0, 4.0]).tolist()
        [1, 3]
    Source: mindspore.numpy.digitize
    """
    if bins.ndim != 1:
        check.refuse(ValueError, "digitize", "bins", "a vector", bins.shape)
    if not bins.size:
        return jnp.zeros(x.shape, np.int32)
    side = "left" if right else "right"
    rising = searchsorted(bins, x, side)
    falling = bins.size - searchsorted(bins[::-1], x, side)
    return jnp.where(bins[0] <= bins[-1], rising, falling).astype(np.int32)


@composite()
def bincount(x: Like, weights: Like | None = None, minlength: NonNegativeInt = 0, length: Int | None = None):
    """The count of each int, or the sum of its weights; reads values on the host unless ``length`` is given.

    Args:
        x (Tensor): a vector of ints; negative ones count as 0.
        weights (Tensor): as long. Default: ``None``, 1 each.
        minlength (int): how many counts there are at least. Default: ``0``.
        length (int): how many there are. Default: ``None``, as many as ``x`` needs.
    Returns:
        Tensor of float32.
    Raises:
        TypeError: if ``x`` is not made of ints.  ValueError: if it is not a vector, or the lengths differ.
    Example:
        >>> ms.numpy.bincount([0, 2, 2]).tolist()
        [1.0, 0.0, 2.0]
    Source: mindspore.numpy.bincount
    """
    if x.ndim != 1:
        check.refuse(ValueError, "bincount", "x", "a vector", x.shape)
    if x.aval[1].kind not in "iu":
        check.refuse(TypeError, "bincount", "x", "a Tensor of ints", x.dtype)
    if weights is not None and weights.shape != x.shape:
        check.refuse(ValueError, "bincount", "weights", f"of the shape of 'x', {x.shape}", weights.shape)
    if length is None:
        length = max(int(x._values_().max(initial=0)) + 1, minlength)
    return _counts(x, ops.ones_like(x) if weights is None else weights, length)


@op(name="_counts")
def _counts(x: Array, weights: Array, length):
    return jnp.zeros(length, np.float32).at[jnp.maximum(x, 0)].add(weights.astype(np.float32), mode="drop")
