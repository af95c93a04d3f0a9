"""Comparisons and logic: rows over ``mindspore.ops``; set operations are in `_selecting`."""

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import Axes, Bool
from ..engine.dtypes import bool_
from ._dialect import Like, composite, face, op, typed

face(typed(ops.equal), "equal(x1, x2, dtype=None)")
face(typed(ops.not_equal), "not_equal(x1, x2, dtype=None)")
face(typed(ops.less), "less(x1, x2, dtype=None)")
face(typed(ops.le), "less_equal(x1, x2, dtype=None)")
face(typed(ops.greater), "greater(x1, x2, dtype=None)")
face(typed(ops.ge), "greater_equal(x1, x2, dtype=None)")
face(typed(ops.isfinite), "isfinite(x, dtype=None)")
face(typed(ops.isnan), "isnan(x, dtype=None)")
face(typed(ops.isinf), "isinf(x, dtype=None)")
face(typed(ops.isposinf), "isposinf(x)")
face(typed(ops.isneginf), "isneginf(x)")
face(typed(ops.signbit), "signbit(x, dtype=None)")
face(typed(ops.logical_not), "logical_not(a, dtype=None)")
face(typed(ops.logical_and), "logical_and(x1, x2, dtype=None)")
face(typed(ops.logical_or), "logical_or(x1, x2, dtype=None)")
face(typed(ops.logical_xor), "logical_xor(x1, x2, dtype=None)")
face(ops.isclose, "isclose(a: Like, b: Like, rtol=1e-05, atol=1e-08, equal_nan=False)")


@op()
def sometrue(a: Like, axis: Axes = None, keepdims: Bool = False):
    """Logical OR along ``axis``: whether an element is nonzero.

    Args:
        a (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of bool.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.sometrue(Tensor([[1, 0], [0, 0]]), 1).tolist()
        [True, False]
    Source: mindspore.numpy.sometrue
    """
    return jnp.any(a != 0, axis=check.axes(axis, a.ndim, "axis", "sometrue"), keepdims=keepdims)


@composite()
def array_equal(a1: Like, a2: Like, equal_nan: Bool = False):
    """Whether two Tensors have the same shape and elements.

    Args:
        a1, a2 (Tensor): any shapes.
        equal_nan (bool): whether NaN equals NaN. Default: ``False``.
    Returns:
        Tensor of one bool.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.array_equal([0, 1], [0, 1]).item()
        True
    Source: mindspore.numpy.array_equal
    """
    if a1.shape != a2.shape:
        return ops.zeros((), bool_)
    same = ops.equal(a1, a2)
    return (ops.logical_or(same, ops.logical_and(ops.isnan(a1), ops.isnan(a2))) if equal_nan else same).all()


@composite()
def array_equiv(a1: Like, a2: Like):
    """Whether two Tensors have the same elements after broadcasting.

    Args:
        a1, a2 (Tensor): any shapes.
    Returns:
        Tensor of one bool; False if the shapes do not broadcast.
    Raises:
        TypeError: if an argument is not a Tensor, number or list of them.
    Example:
        >>> ms.numpy.array_equiv([0, 1], [[0, 1], [0, 1]]).item()
        True
    Source: mindspore.numpy.array_equiv
    """
    try:
        np.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return ops.zeros((), bool_)
    return ops.equal(a1, a2).all()


@composite()
def isscalar(element):
    """Whether a value is a number, a bool or a Python str.

    Args:
        element (object): any value.
    Returns:
        bool.
    Example:
        >>> ms.numpy.isscalar(3.1), ms.numpy.isscalar(Tensor(3.1))
        (True, False)
    Source: mindspore.numpy.isscalar
    """
    return isinstance(element, (bool, int, float, str))
