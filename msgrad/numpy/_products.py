"""Matrix and vector products, norms, convolutions."""

import functools

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import Array, Arrays, Axes, Bool, Int, NonNegativeInt
from ..ops._core.families import body
from ._dialect import NAMES, Like, composite, face, op, promote, promoted, to_tensor, typed

face(typed(ops.matmul), "matmul(x1, x2, dtype=None)")

_PRODUCT = """{summary}

    Args:
        a, b (Tensor): {shapes}.
    Returns:
        Tensor of the common dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not go together.
    Example:
        >>> ms.numpy.{name}(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _product(name, multiply, summary, shapes, value):
    def compute(a, b):
        dtype = promote(a.dtype, b.dtype)
        return multiply(a.astype(dtype), b.astype(dtype))

    fields = {"summary": summary, "shapes": shapes, "value": value}
    return op()(body(f"{name}(a: Like, b: Like)", compute, _PRODUCT, NAMES, **fields))


def _aligned(name, axis, multiply):
    """``multiply`` of two arrays, after checking that the lengths of the contracted axes are equal."""

    def product(a, b):
        if a.ndim and b.ndim and a.shape[-1] != b.shape[max(axis, -b.ndim)]:
            check.refuse(ValueError, name, "b", f"of {a.shape[-1]} elements along the axis that is summed", b.shape)
        return multiply(a, b)

    return product


dot = _product(
    "dot",
    _aligned("dot", -2, jnp.dot),
    "The sum of products over the last axis of one and the last but one of the other.",
    "of the same length there; a number multiplies",
    "11.0",
)
_product(
    "inner",
    _aligned("inner", -1, jnp.inner),
    "The sum of products over the last axis of both.",
    "of the same length there; a number multiplies",
    "11.0",
)
_product("outer", jnp.outer, "All products of elements.", "taken as vectors", "[[3.0, 4.0], [6.0, 8.0]]")
_product("kron", jnp.kron, "The second Tensor times each element of the first.", "any shapes", "[3.0, 4.0, 6.0, 8.0]")


@composite()
def tensordot(a: Array, b: Array, axes=2):
    """The sum of products over several axes.

    Args:
        a, b (Tensor): of the same lengths there, and of the same dtype.
        axes (int | tuple | list): how many, the last of ``a`` and the first of ``b``; or the axes of each.
            Default: ``2``.
    Returns:
        Tensor of the other axes.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if lengths differ, or there are no such axes.
    Example:
        >>> ms.numpy.tensordot(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])).item()
        11.0
    Source: mindspore.numpy.tensordot
    """
    return a * b if axes == 0 and 0 in (a.ndim, b.ndim) else ops.tensor_dot(a, b, axes)


@op()
def cross(a: Like, b: Like, axisa: Int = -1, axisb: Int = -1, axisc: Int = -1, axis: Int | None = None):
    """The cross products of vectors of length 2 or 3.

    Args:
        a, b (Tensor): the vectors; the other axes broadcast.
        axisa, axisb, axisc (int): the axis of the vectors, of ``a``, ``b`` and the result. Default: ``-1``.
        axis (int): instead of all three. Default: ``None``.
    Returns:
        Tensor; of two vectors of length 2, their determinants.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other lengths, or if there is no such axis.
    Example:
        >>> ms.numpy.cross([1, 2, 3], [4, 5, 6]).tolist()
        [-3, 6, -3]
    Source: mindspore.numpy.cross
    """
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    axisa, length_a = check.axis_and_length(axisa, a.shape, "axisa", "cross")
    axisb, length_b = check.axis_and_length(axisb, b.shape, "axisb", "cross")
    for name, length in (("a", length_a), ("b", length_b)):
        if length not in (2, 3):
            check.refuse(ValueError, "cross", name, "of vectors of length 2 or 3", length)
    dtype = promote(a.dtype, b.dtype)
    return jnp.cross(a.astype(dtype), b.astype(dtype), axisa, axisb, axisc)


@composite()
def multi_dot(arrays):
    """The product of several matrices, in the cheapest order.

    Args:
        arrays (tuple | list): matrices; the first may be a row, the last a column.
    Returns:
        Tensor.
    Raises:
        ValueError: if they are less than two, or the shapes do not go together.
    Example:
        >>> ms.numpy.multi_dot([Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]), Tensor([[2.0]])]).tolist()
        [[22.0]]
    Source: mindspore.numpy.multi_dot
    """
    arrays = [to_tensor(each, "arrays", "multi_dot") for each in arrays]
    if len(arrays) < 2:
        check.refuse(ValueError, "multi_dot", "arrays", "two matrices or more", len(arrays))
    return _multiplied(promoted(arrays))


@op(name="_multiplied")
def _multiplied(arrays: Arrays):
    try:
        return jnp.linalg.multi_dot(arrays)
    except TypeError:
        shapes = [each.shape for each in arrays]
        return check.refuse(ValueError, "multi_dot", "arrays", "of shapes that can be multiplied", shapes)


@composite()
def matrix_power(a: Like, n: NonNegativeInt):
    """A power of square matrices.

    Args:
        a (Tensor): shape ``(*, N, N)``.
        n (int): the exponent, from 0 on.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``n`` is not an int.  ValueError: if it is negative, or the matrices are not square.
    Example:
        >>> ms.numpy.matrix_power(Tensor([[1.0, 1.0], [0.0, 1.0]]), 3).tolist()
        [[1.0, 3.0], [0.0, 1.0]]
    Source: mindspore.numpy.matrix_power
    """
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        check.refuse(ValueError, "matrix_power", "a", "made of square matrices", a.shape)
    return functools.reduce(ops.matmul, [a] * n) if n else _identities(a)


@op(name="_identities")
def _identities(a: Array):
    return jnp.broadcast_to(jnp.eye(a.shape[-1], dtype=a.dtype), a.shape)


@op()
def norm(x: Like, ord=None, axis: Axes = None, keepdims: Bool = False):
    """A norm of vectors or matrices.

    Args:
        x (Tensor): any shape; ints and float16 count as float32.
        ord (int | float | inf | str | None): which: of vectors any number; of matrices 1, -1, 2, -2,
            ``inf``, ``-inf``, ``'fro'`` and ``'nuc'``. Default: ``None``, the root of the sum of squares.
        axis (int | tuple[int] | list[int] | None): one of vectors, or two of matrices. Default: ``None``, all.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``ord``, or if there are no such axes.
    Example:
        >>> ms.numpy.norm(Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.numpy.norm
    """
    if ord not in (None, "fro", "nuc") and not isinstance(ord, (int, float)):
        check.refuse(ValueError, "norm", "ord", "None, a number, 'fro' or 'nuc'", ord)
    if not jnp.issubdtype(x.dtype, jnp.inexact) or x.dtype == np.float16:
        x = x.astype(np.float32)
    axis = None if axis is None and ord is None else check.axes(axis, x.ndim, "axis", "norm")
    if axis is not None and len(axis) not in (1, 2):
        check.refuse(ValueError, "norm", "axis", "one axis of vectors, or two of matrices", axis)
    return jnp.linalg.norm(x, ord, axis, keepdims)


_FOLDED = """{summary}

    Args:
        a, v (Tensor): vectors.
        mode (str): ``'full'``, all; ``'same'``, as many as the longer vector has; ``'valid'``, those where the vectors
            overlap. Default: ``'{mode}'``.
    Returns:
        Tensor of {dtype}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other shapes or another ``mode``.
    Example:
        >>> ms.numpy.{name}(Tensor([1.0, 2.0, 3.0]), Tensor([0.0, 1.0]), 'full').tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _folded(name, fold, result, mode, **fields):
    def compute(a, v, mode):
        check.one_of(mode, ("full", "same", "valid"), "mode", name)
        a, v = jnp.atleast_1d(a), jnp.atleast_1d(v)
        for key, each in (("a", a), ("v", v)):
            if each.ndim != 1 or not each.size:
                check.refuse(ValueError, name, key, "a vector that is not empty", each.shape)
        own = promote(a.dtype, v.dtype)
        wide = own if own.kind == "c" or own == np.float64 else np.dtype(np.float32)
        return fold(a.astype(wide), v.astype(wide), mode).astype(result(own, wide))

    op()(body(f'{name}(a: Like, v: Like, mode="{mode}")', compute, _FOLDED, NAMES, mode=mode, **fields))


_folded(
    "convolve",
    jnp.convolve,
    lambda own, wide: own,
    "full",
    summary="The convolution of two vectors: sums of products of one and the other reversed.",
    dtype="the common dtype",
    value="[0.0, 1.0, 2.0, 3.0]",
)
_folded(
    "correlate",
    jnp.correlate,
    lambda own, wide: own if own == np.float16 else wide,
    "valid",
    summary="The correlation of two vectors: sums of products at each displacement.",
    dtype="the common dtype, float32 for ints",
    value="[1.0, 2.0, 3.0, 0.0]",
)
