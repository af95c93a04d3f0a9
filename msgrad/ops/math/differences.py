"""Finite differences, trapezoidal integrals, covariance, dot products along an axis."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Int, NonNegativeInt
from ..._contracts.kinds import Scalar
from ...tensor import promotion
from .._core.define import op
from .._core.faces import face, method


@op()
def diff(x: Array, n: NonNegativeInt = 1, axis: Axis = -1, prepend: Array | None = None, append: Array | None = None):
    """The differences of adjacent elements along ``axis``.

    Args:
        x (Tensor): at least one axis, a dtype of numbers.
        n (int): how often to take them; MindSpore 2.10 takes 1 alone. Default: ``1``.
        axis (int): Default: ``-1``.
        prepend, append (Tensor): values to put before and after the elements. Default: ``None``.
    Returns:
        Tensor, shorter by ``n`` along ``axis``.
    Raises:
        TypeError: if an argument has a wrong type, or ``x`` no axis.  ValueError: if an axis is out of range.
    Example:
        >>> ops.diff(Tensor([1.0, 4.0, 9.0])).tolist()
        [3.0, 5.0]
    Source: mindspore.ops.diff, mindspore.Tensor.diff
    """
    if not x.ndim:
        check.refuse(TypeError, "diff", "x", "of at least one axis", x)
    x = x.astype(promotion.unary_dtype("diff", x.dtype))
    axis = check.axis(axis, x.ndim, "axis", "diff")
    parts = [part.astype(x.dtype) for part in (prepend, x, append) if part is not None]
    return jnp.diff(jnp.concatenate(parts, axis) if len(parts) > 1 else x, n, axis)


method("diff", (diff, "(n=1, axis=-1, prepend=None, append=None)"))
face(diff, "diff_ext(input, n=1, dim=-1, prepend=None, append=None)")


@op()
def trapz(y: Array, x: Array | None = None, *, dx: Scalar() = 1.0, dim: Axis = -1):
    """Trapezoidal rule: the area below a curve.

    Args:
        y (Tensor): the heights of the curve.
        x (Tensor | None): where they are; a vector of the axis, or of a shape that broadcasts. Default: ``None``, all
            ``dx`` apart.
        dx (float): the distance between two. Default: ``1.0``.
        dim (int): the axis. Default: ``-1``.
    Returns:
        Tensor without the axis, float32, or float16 if ``y`` is and ``x`` is None.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or shapes do not fit.
            RuntimeError: if ``x`` is a vector of another length than the axis.
    Example:
        >>> ops.trapz(Tensor([1.0, 2.0, 3.0])).item()
        4.0
    Source: mindspore.ops.trapz
    """
    dim = check.axis(dim, check.at_least_rank(y, 1, "y", "trapz").ndim, "dim", "trapz")
    if x is not None and not 0 < x.ndim <= y.ndim:
        check.refuse(ValueError, "trapz", "x", f"of at most the {y.ndim} axes of 'y', and one at least", x.shape)
    if x is not None and x.ndim == 1 and x.shape[0] != y.shape[dim]:
        check.refuse(RuntimeError, "trapz", "x", f"of {y.shape[dim]} points, one for each of 'y'", x.shape)
    # As in MindSpore 2.10, everything but half precision without points is computed in float32.
    y = y if y.dtype == jnp.float16 and x is None else y.astype(jnp.float32)
    x = None if x is None else x.astype(y.dtype)
    if not y.shape[dim]:
        return y.sum(dim)
    return jnp.trapezoid(y, x, dx, dim).astype(y.dtype)


@op(method="cov")
def cov(input: Array, *, correction: Int = 1, fweights: Array | None = None, aweights: Array | None = None):
    """The covariances of the rows.

    Args:
        input (Tensor): shape ``(M, N)``, ``N`` observations of ``M`` variables, or ``(N,)`` or ``()``; not of bool.
        correction (int): the count is lessened by it. Default: ``1``.
        fweights (Tensor): of ``N`` ints: how often each observation occurs. Default: ``None``.
        aweights (Tensor): of ``N`` floats: how much each observation weighs. Default: ``None``.
    Returns:
        Tensor of shape ``(M, M)``, ``()`` for one variable; float64 if an operand is, else float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> ops.cov(Tensor([[0.0, 2.0], [0.0, 4.0]])).tolist()
        [[2.0, 4.0], [4.0, 8.0]]
    Source: mindspore.ops.cov, mindspore.Tensor.cov
    """
    if input.ndim > 2:
        check.refuse(ValueError, "cov", "input", "of at most two axes", input.shape)
    check.dtype(input, "iufc", "input", "cov")
    rows = input.reshape(1, -1) if input.ndim < 2 else input
    rows = rows.astype(jnp.promote_types(rows.dtype, jnp.float32))
    weights = jnp.ones(rows.shape[1], jnp.real(rows).dtype)
    for name, each, kinds in (("fweights", fweights, "iu"), ("aweights", aweights, "f")):
        if each is None:
            continue
        check.dtype(each, kinds, name, "cov")
        if each.ndim > 1 or each.size != rows.shape[1]:
            check.refuse(ValueError, "cov", name, f"of {rows.shape[1]} elements along one axis", each.shape)
        weights = weights * (each if kinds == "f" else each.astype(weights.dtype))
    total = weights.sum()
    lost = correction if aweights is None else correction * (weights * aweights).sum() / total
    centred = rows - (rows * weights).sum(1, keepdims=True) / total
    covariance = jnp.matmul(centred * weights, jnp.conj(centred).T) / jnp.maximum(total - lost, 0)
    return covariance.squeeze()


@op()
def vecdot(x: Array, y: Array, *, axis: Axis = -1):
    """The products of vectors along ``axis``; those of ``x`` are conjugated.

    Args:
        x, y (Tensor): shapes that broadcast.
        axis (int): Default: ``-1``.
    Returns:
        Tensor without the axis.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or shapes do not broadcast.
    Example:
        >>> ops.vecdot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).item()
        11.0
    Source: mindspore.ops.vecdot
    """
    check.broadcastable(x.shape, y.shape, "vecdot")
    axis = check.axis(axis, max(x.ndim, y.ndim), "axis", "vecdot")
    dtype = promotion.result_dtype("mul", x.dtype, y.dtype)
    return jnp.sum(jnp.conj(x.astype(dtype)) * y.astype(dtype), axis)
