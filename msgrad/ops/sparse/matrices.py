"""Sparse matrices given by indices and values: conversion to dense, products, sums, sorting."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Index, Ints
from ..._contracts.kinds import concrete
from ...tensor.host_values import host_values
from ...tensor.numbers import constant
from .._core.define import composite, op
from ..index.scatter_core import scatter_nd_by


def _look_at_positions(owner, indices, sparse_shape):
    """Raises if concrete positions are outside of a shape."""
    positions = host_values(indices)
    if positions is None or positions.ndim != 2 or positions.shape[1] != len(sparse_shape):
        return
    outside = ((positions < 0) | (positions >= sparse_shape)).any(1)
    if outside.any():
        expected = f"positions within the shape {tuple(sparse_shape)}"
        check.refuse(ValueError, owner, "indices", expected, tuple(positions[outside][0].tolist()))


@op(
    "SparseToDense",
    name="_sparse_to_dense",
    look=lambda indices, sparse_shape: _look_at_positions("SparseToDense", indices, sparse_shape),
)
def _sparse_to_dense(indices: Index, values: Array, sparse_shape: Ints):
    """The dense form of a sparse Tensor.

    Args:
        indices (Tensor): shape ``(n, R)``, int32 or int64: the position of each value.
        values (Tensor): shape ``(n,)``, any dtype; those of one position add up.
        sparse_shape (tuple[int]): the ``R`` lengths of the result.
    Returns:
        Tensor of the given shape, zeros elsewhere.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not fit.
    Example:
        >>> ops.SparseToDense()(Tensor([[0, 1]]), Tensor([5.0]), (2, 2)).tolist()
        [[0.0, 5.0], [0.0, 0.0]]
    Source: mindspore.ops.SparseToDense
    """
    if values.ndim != 1 or indices.shape != (len(values), len(sparse_shape)):
        expected = f"of shape {(values.size, len(sparse_shape))}, a position for each value"
        check.refuse(ValueError, "SparseToDense", "indices", expected, indices)
    return scatter_nd_by(jnp.zeros(sparse_shape, values.dtype), indices, values, "add")


@op(
    "SparseTensorDenseMatmul(adjoint_st=False, adjoint_dt=False)",
    name="_sparse_matmul",
    look=lambda indices, sparse_shape: _look_at_positions("SparseTensorDenseMatmul", indices, sparse_shape),
)
def _sparse_matmul(
    indices: Index,
    values: Array,
    sparse_shape: Ints,
    dense: Array,
    adjoint_st: Bool = False,
    adjoint_dt: Bool = False,
):
    """The product of a sparse matrix and a dense one.

    Args:
        indices (Tensor): shape ``(n, 2)``, int32 or int64: the position of each value.
        values (Tensor): shape ``(n,)``.
        sparse_shape (tuple[int]): the two lengths of the sparse matrix.
        dense (Tensor): a matrix of the dtype of ``values``.
        adjoint_st, adjoint_dt (bool): whether to take the conjugate transpose of either. Default: ``False``.
    Returns:
        Tensor, a matrix.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not fit.
    Example:
        >>> ops.SparseTensorDenseMatmul()(Tensor([[0, 1]]), Tensor([5.0]), (2, 2), ops.eye(2)).tolist()
        [[0.0, 5.0], [0.0, 0.0]]
    Source: mindspore.ops.SparseTensorDenseMatmul
    """
    matrix = _sparse_to_dense(indices, values, sparse_shape)
    matrix = jnp.conj(matrix.T) if adjoint_st else matrix
    dense = jnp.conj(dense.T) if adjoint_dt else dense
    if matrix.ndim != 2 or dense.ndim != 2 or matrix.shape[1] != dense.shape[0]:
        check.refuse(ValueError, "SparseTensorDenseMatmul", "dense", f"a matrix of {matrix.shape[-1]} rows", dense)
    return matrix @ dense


@op("SparseTensorDenseAdd", name="_sparse_add")
def _sparse_add(x1_indices: Index, x1_values: Array, x1_shape: Ints, x2: Array):
    """The sum of a sparse Tensor and a dense one.

    Args:
        x1_indices (Tensor): shape ``(n, R)``, int32 or int64: the position of each value.
        x1_values (Tensor): shape ``(n,)``.
        x1_shape (tuple[int] | Tensor): the ``R`` lengths.
        x2 (Tensor): of that shape, and the dtype of ``x1_values``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not fit.
    Example:
        >>> ops.SparseTensorDenseAdd()(Tensor([[0]]), Tensor([5.0]), (2,), Tensor([1.0, 2.0])).tolist()
        [6.0, 2.0]
    Source: mindspore.ops.SparseTensorDenseAdd
    """
    if x2.shape != x1_shape:
        check.refuse(ValueError, "SparseTensorDenseAdd", "x2", f"of shape {x1_shape}", x2)
    return x2 + _sparse_to_dense(x1_indices, x1_values, x1_shape)


@op()
def _summed_by_index(values: Array, segments: Array, count):
    return jnp.zeros(count, values.dtype).at[segments].add(values)


@composite("Coalesce")
def coalesce(x_indices: Index, x_values: Array, x_shape: Index):
    """A sparse Tensor with sorted indices, and the values of equal indices summed.

    Args:
        x_indices (Tensor): shape ``(R, n)``, int64: the position of each value, a column. Its values are needed at
            once.
        x_values (Tensor): shape ``(n,)``.
        x_shape (Tensor): shape ``(R,)``, int64: the lengths.
    Returns:
        tuple of three Tensors: positions of shape ``(R, m)``, values of shape ``(m,)``, and ``x_shape``.
    Raises:
        TypeError: if an argument is not a Tensor.  ValueError: if shapes do not fit, or a position lies outside.
    Example:
        >>> [each.tolist() for each in ops.coalesce(Tensor([[1, 0, 1]]), Tensor([1.0, 2.0, 3.0]), Tensor([2]))]
        [[[0, 1]], [2.0, 4.0], [2]]
    Source: mindspore.ops.coalesce, mindspore.ops.Coalesce
    """
    index_values, shape = x_indices._values_(), concrete(x_shape)
    if index_values.ndim != 2 or index_values.shape != (len(shape), *x_values.aval[0]):
        check.refuse(ValueError, "Coalesce", "x_indices", f"of shape {(len(shape), *x_values.aval[0])}", x_indices)
    if ((index_values < 0) | (index_values >= np.array(shape)[:, None])).any():
        check.refuse(ValueError, "Coalesce", "x_indices", f"positions inside of {shape}", index_values.tolist())
    flat, segments = np.unique(np.ravel_multi_index(tuple(index_values), shape), return_inverse=True)
    rows = np.stack(np.unravel_index(flat, shape)).astype(index_values.dtype)
    return constant(rows), _summed_by_index(x_values, constant(segments.reshape(-1)), len(flat)), x_shape
