"""Norms of vectors and matrices, and distances; ``norm``, which selects between the two, is in `statistics`."""

import numbers

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Axes, Axis, Bool, Dtype, Float, Int, IntOrInts, Ints, NonNegativeFloat, Real
from ..._contracts.kinds import Scalar
from .._core.define import op
from ..math.statistics import floats, norm_of_matrices, root
from ..math.statistics import vector_norm as _norm
from .matmul import check_dtypes


def _p_norm(x, p, axes, keepdims=False):
    """The p-norm of differences, with gradient 0 where all of them are 0."""
    size = jnp.abs(x)
    if p == 0:
        return jnp.sum(x != 0, axes, keepdims=keepdims).astype(x.dtype)
    if p == jnp.inf:
        return jnp.max(size, axes, keepdims=keepdims)
    if p == 1:
        return jnp.sum(x * jnp.sign(x), axes, keepdims=keepdims)
    if p == 2:
        return root(jnp.sum(x * x, axes, keepdims=keepdims), 2)
    is_zero = jnp.all(x == 0, axes, keepdims=True)
    powers = jnp.where(size == 0, 0, jnp.where(size == 0, 1, size) ** p)
    total = jnp.sum(powers, axes, keepdims=True)
    length = jnp.where(is_zero, 0, jnp.where(is_zero, 1, total) ** (1 / p)).astype(x.dtype)
    return length if keepdims else jnp.squeeze(length, axes)


def _squared_distances(x1, x2):
    """The squared Euclidean distances of each row of ``x1``, ``(*, M, K)``, from each of ``x2``, ``(*, N, K)``."""
    difference = x1[..., :, None, :] - x2[..., None, :, :]
    return jnp.sum(difference * difference, -1)


_squared_distances_on_cpu = jax.custom_jvp(_squared_distances)


@_squared_distances_on_cpu.defjvp
def _squared_distances_jvp(primals, tangents):
    # By products of matrices in place of all the differences: between 1 000 and 1 000 rows of 64 the gradient takes
    # 14 ms instead of 225. The products cancel, so they are of float64.
    (x1, x2), (dx1, dx2) = [[each.astype(jnp.float64) for each in pair] for pair in (primals, tangents)]
    own = jnp.sum(x1 * dx1, -1)[..., :, None] + jnp.sum(x2 * dx2, -1)[..., None, :]
    crossed = x1 @ dx2.swapaxes(-1, -2) + dx1 @ x2.swapaxes(-1, -2)
    return _squared_distances_on_cpu(*primals), (2 * (own - crossed)).astype(primals[0].dtype)


def _check_p(p, name):
    if p < 0:
        check.refuse(ValueError, name, "p", "a non-negative number", p)


@op("Cdist(p=2.0)", wide=True)
def cdist(x1: Array, x2: Array, p: Real = 2.0):
    """The distances between the rows of two batches of matrices.

    Args:
        x1 (Tensor): shape ``(*, M, K)``, a float dtype.
        x2 (Tensor): shape ``(*, N, K)``, the same dtype.
        p (float): of the norm, non-negative; ``inf`` for the largest difference. Default: ``2.0``.
    Returns:
        Tensor of shape ``(*, M, N)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not go together, or ``p`` is below 0.
    Example:
        >>> ops.cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]])).tolist()
        [[5.0]]
    Source: mindspore.ops.cdist, mindspore.ops.Cdist
    """
    check.dtype(check.at_least_rank(x1, 2, "x1", "Cdist"), "f", "x1", "Cdist")
    check_dtypes(x1, check.at_least_rank(x2, 2, "x2", "Cdist"), "Cdist")
    _check_p(p, "Cdist")
    if x1.ndim != x2.ndim:
        check.refuse(ValueError, "Cdist", "x2", f"of {x1.ndim} axes, as 'x1'", x2.shape)
    if x1.shape[-1] != x2.shape[-1]:
        check.refuse(ValueError, "Cdist", "x2", f"matrices of {x1.shape[-1]} columns", x2.shape)
    if p == 2:
        is_on_cpu = jax.default_backend() == "cpu"
        return root((_squared_distances_on_cpu if is_on_cpu else _squared_distances)(x1, x2), 2)
    return _p_norm(x1[..., :, None, :] - x2[..., None, :, :], p, -1)


@op("Pdist(p=2.0)", wide=True)
def pdist(input: Array, p: NonNegativeFloat = 2.0):
    """The distances between all pairs of rows of a matrix.

    Args:
        input (Tensor): shape ``(N, M)``, a float dtype.
        p (float): of the norm, non-negative; ``inf`` for the largest difference. Default: ``2.0``.
    Returns:
        Tensor of shape ``(N * (N - 1) / 2,)``: those of row 0, then of row 1, ...
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are not two axes, or ``p`` is below 0.
    Example:
        >>> ops.pdist(Tensor([[0.0, 0.0], [3.0, 4.0]])).tolist()
        [5.0]
    Source: mindspore.ops.pdist, mindspore.ops.Pdist
    """
    check.dtype(input, "f", "input", "Pdist")
    if input.ndim != 2:
        check.refuse(ValueError, "Pdist", "input", "a matrix", input.shape)
    first, second = _pairs(input.shape[0])
    return _p_norm(input[first] - input[second], p, -1)


def _pairs(rows):
    """The two rows of each pair, in order, as of ``jnp.triu_indices``, which in JAX 0.12 warns without 64-bit ints."""
    ends = jnp.cumsum(jnp.arange(rows - 1, -1, -1))
    pair = jnp.arange(rows * (rows - 1) // 2)
    first = jnp.searchsorted(ends, pair, side="right")
    return first, pair - ends[first] + rows


@op(wide=True)
def dist(input: Array, other: Array, p: Real = 2):
    """The norm of the difference of two Tensors.

    Args:
        input, other (Tensor): shapes that broadcast, a float dtype.
        p (float): of the norm, non-negative. Default: ``2``.
    Returns:
        Tensor, 0-d.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.dist(Tensor([0.0, 0.0]), Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.ops.dist
    """
    check.broadcastable(input.shape, other.shape, "dist")
    x = input - other
    return _p_norm(check.dtype(x, "f", "input", "dist"), p, tuple(range(x.ndim)))


@op(wide=True)
def cosine_similarity(x1: Array, x2: Array, dim: Axis = 1, eps: Scalar() = 1e-08):
    """The cosine of the angle between vectors along ``dim``.

    Args:
        x1, x2 (Tensor): shapes that broadcast, a float dtype.
        dim (int): Default: ``1``.
        eps (float): the smallest that the product of the lengths counts as. Default: ``1e-08``.
    Returns:
        Tensor without the axis.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or shapes do not broadcast.
    Example:
        >>> ops.cosine_similarity(Tensor([[3.0, 4.0]]), Tensor([[3.0, 4.0]])).tolist()
        [1.0]
    Source: mindspore.ops.cosine_similarity
    """
    owner = "cosine_similarity"
    check.dtype(x1, "f", "x1", owner)
    check.dtype(x2, "f", "x2", owner)
    check.broadcastable(x1.shape, x2.shape, owner)
    x1, x2 = jnp.broadcast_arrays(x1, x2)
    axis = check.axis(dim, x1.ndim, "dim", owner)
    lengths = _p_norm(x1, 2, axis) * _p_norm(x2, 2, axis)
    return jnp.sum(x1 * x2, axis) / jnp.maximum(lengths, eps).astype(lengths.dtype)


@op("Renorm(p: PositiveInt, dim, maxnorm)", name="_renorm", wide=True)
def _renorm_primitive(x: Array, p: Int, dim: Axis, maxnorm: Scalar(of=Float)):
    """Renormalizes slices along ``dim`` to a norm of at most ``maxnorm``.

    Args:
        x (Tensor): any shape, a float dtype.
        p (int): of the norm.
        dim (int): the axis.
        maxnorm (float): the bound.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or ``p`` is below 1.
    Example:
        >>> ops.Renorm(1, 0, 5.0)(Tensor([[2.0, 8.0], [1.0, 1.0]])).tolist()
        [[1.0, 4.0], [1.0, 1.0]]
    Source: mindspore.ops.Renorm
    """
    dim = check.axis(dim, check.dtype(x, "fc", "x", "Renorm").ndim, "dim", "Renorm", RuntimeError)
    if p < 1:
        check.refuse(ValueError, "Renorm", "p", "at least 1", p)
    norms = _p_norm(x, p, tuple(k for k in range(x.ndim) if k != dim), True)
    return jnp.where(norms > maxnorm, x / jnp.where(norms == 0, 1, norms) * maxnorm, x).astype(x.dtype)


@op(method="renorm", wide=True)
def renorm(input: Array, p: Int, axis: Axis, maxnorm: Scalar(of=Float)):
    """Renormalizes slices along ``axis`` to a norm of at most ``maxnorm``.

    Args:
        input (Tensor): any shape, a float dtype.
        p (int): of the norm.
        axis (int): the axis.
        maxnorm (float): the bound.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or ``p`` is below 1.
    Example:
        >>> ops.renorm(Tensor([[2.0, 8.0], [1.0, 1.0]]), 1, 0, 5.0).tolist()
        [[1.0, 4.0], [1.0, 1.0]]
    Source: mindspore.ops.renorm, mindspore.Tensor.renorm
    """
    return _renorm_primitive(input, p, axis, maxnorm)


@op("LpNorm(axis, p: NonNegativeInt=2, keep_dims=False, epsilon=1e-12)", name="_lp_norm", wide=True)
def _lp_norm(
    input: Array, axis: IntOrInts, p: Int = 2, keep_dims: Bool = False, epsilon: Scalar(of=NonNegativeFloat) = 1e-12
):
    """The p-norm over ``axis``.

    Args:
        input (Tensor): any shape, a float dtype.
        axis (int | tuple[int] | list[int]): the axes.
        p (int): of the norm. Default: ``2``.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
        epsilon (float): the smallest norm. Default: ``1e-12``.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.LpNorm(0)(Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.ops.LpNorm
    """
    axes = check.axes(axis, check.dtype(input, "f", "input", "LpNorm").ndim, "axis", "LpNorm")
    return jnp.maximum(_p_norm(input, p, axes, keep_dims), jnp.asarray(epsilon, input.dtype))


@op("EuclideanNorm(keep_dims=False)", name="_euclidean_norm", wide=True)
def _euclidean_norm(x: Array, axes: Ints, keep_dims: Bool = False):
    """The root of the sum of squares over ``axes``.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        axes (Tensor): int32 or int64: the axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.EuclideanNorm()(Tensor([3.0, 4.0]), Tensor([0])).item()
        5.0
    Source: mindspore.ops.EuclideanNorm
    """
    axes = check.axes(axes, x.ndim, "axes", "EuclideanNorm")
    return _p_norm(floats(x), 2, axes, keep_dims).astype(x.dtype)


@op("NuclearNorm(dim: Sequence | None=None, keepdim=False)", name="_nuclear_norm", wide=True)
def _nuclear_norm(x: Array, dim: Axes = None, keepdim: Bool = False):
    """Nuclear norm: the sum of the singular values of matrices.

    Args:
        x (Tensor): at least two axes, a float dtype.
        dim (tuple[int] | list[int] | None): the two axes of the matrices. Default: ``None``: all, which are two.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are not two axes.
    Example:
        >>> ops.NuclearNorm()(Tensor([[3.0, 0.0], [0.0, 4.0]])).item()
        7.0
    Source: mindspore.ops.NuclearNorm
    """
    axes = check.axes(dim, check.dtype(x, "f", "x", "NuclearNorm").ndim, "dim", "NuclearNorm")
    if len(axes) != 2:
        check.refuse(ValueError, "NuclearNorm", "dim", "two axes", dim)
    return jnp.linalg.norm(x, "nuc", axes, keepdim)


@op(wide=True)
def vector_norm(x: Array, ord=2, axis: Axes = None, keepdims: Bool = False, *, dtype: Dtype | None = None):
    """The norm of vectors, along one axis or several.

    Args:
        x (Tensor): any shape.
        ord (float): of the norm, also ``inf`` and ``-inf``. Default: ``2``.
        axis (int | tuple[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): to which ``x`` is cast first. Default: ``None``.
    Returns:
        Tensor, of ints in float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``ord`` is not a number, or there is no such axis.
    Example:
        >>> ops.vector_norm(Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.ops.vector_norm
    """
    if not isinstance(ord, numbers.Real):
        check.refuse(ValueError, "vector_norm", "ord", "a number", ord)
    x = floats(x if dtype is None else x.astype(dtype.numpy))
    return _norm(x, ord, check.axes(axis, x.ndim, "axis", "vector_norm", ValueError), keepdims)


@op(wide=True)
def matrix_norm(A: Array, ord="fro", axis: Ints = (-2, -1), keepdims: Bool = False, *, dtype: Dtype | None = None):
    """The norm of matrices.

    Args:
        A (Tensor): at least two axes.
        ord (str | float): ``'fro'``, ``'nuc'``, ``inf``, ``-inf``, 1, -1, 2 or -2. Default: ``'fro'``.
        axis (tuple[int]): the two axes of the matrices. Default: ``(-2, -1)``.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): to which ``A`` is cast first. Default: ``None``.
    Returns:
        Tensor, of ints in float32; of half types in float32, too, for 2, -2 and ``'nuc'``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are not two axes, or for another norm.
    Example:
        >>> ops.matrix_norm(Tensor([[3.0, 4.0]])).item()
        5.0
    Source: mindspore.ops.matrix_norm
    """
    x = floats(A if dtype is None else A.astype(dtype.numpy))
    axes = check.axes(axis, check.at_least_rank(x, 2, "A", "matrix_norm").ndim, "axis", "matrix_norm")
    if len(axes) != 2:
        check.refuse(ValueError, "matrix_norm", "axis", "two axes", axis)
    return norm_of_matrices(x, ord, axes, keepdims, "matrix_norm")
