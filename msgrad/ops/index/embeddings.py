"""Embedding lookup: rows of a table by index. The gradient of a *sparse* lookup is a `RowGradient`."""

import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Int, Real
from ..._contracts.kinds import Scalar, TensorOf, concrete
from ...engine.recording.record import is_differentiating
from ...tensor.parameter import Parameter
from .._core.define import composite, op
from .gathering import check_within, gather

_INDEX = TensorOf("int32", "int64")


@op(name="_embedding_rows")
def _embedding_rows(indices: Array, weight: Array, padding_idx, by_frequency):
    rows = jnp.take(weight, indices, axis=0)
    if by_frequency:
        counts = jnp.zeros(weight.shape[0], weight.dtype).at[indices.ravel()].add(1)
        share = (1 / jnp.maximum(counts, 1))[indices][..., None]
        # The identity; the derivative is divided by the number of occurrences of its row.
        rows = rows * share + _constant(rows * (1 - share))
    if padding_idx is not None:
        rows = jnp.where((indices == padding_idx)[..., None], _constant(rows), rows)
    return rows


def _constant(x):
    return lax.stop_gradient(x)


@op(name="_clip_row_norms")
def _clip_row_norms(indices: Array, weight: Array, maximum: Scalar(), order):
    norms = jnp.sum(jnp.abs(weight) ** order, 1) ** (1 / order)
    used = jnp.zeros(weight.shape[0], bool).at[indices.ravel()].set(True)
    factor = jnp.where(used & (norms > maximum), maximum / (norms + 1e-7), 1)
    return (weight * factor[:, None]).astype(weight.dtype)


@composite()
def embedding(
    input: _INDEX,
    weight: Array,
    padding_idx: Int | None = None,
    max_norm: Real | None = None,
    norm_type: Real = 2.0,
    scale_grad_by_freq: Bool = False,
):
    """Embedding lookup: the rows of ``weight`` at the indices ``input``.

    Args:
        input (Tensor): numbers of rows, any shape, int32 or int64.
        weight (Tensor | Parameter): shape ``(rows, length)``; written to if ``max_norm`` is given.
        padding_idx (int): a row that has no derivative; negative counts from the end. Default: ``None``.
        max_norm (float): rows that are used are made at most as long, in place. Default: ``None``.
        norm_type (float): the order of the norm for it. Default: ``2.0``.
        scale_grad_by_freq (bool): whether the derivative of a row is divided by its number of occurrences.
            Default: ``False``.
    Returns:
        Tensor of shape ``input.shape + (length,)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``weight`` is not a matrix, or has no such row.
    Example:
        >>> ops.embedding(Tensor([1, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [[3.0, 4.0], [1.0, 2.0]]
    Source: mindspore.ops.embedding
    """
    if weight.ndim != 2:
        check.refuse(ValueError, "Embedding", "weight", "a matrix", weight)
    if padding_idx is not None:
        padding_idx = check.axis(padding_idx, weight.shape[0], "padding_idx", "Embedding")
    if max_norm is not None:
        weight._write_(_clip_row_norms(input, weight, max_norm, norm_type))
    return _embedding_rows(input, weight, padding_idx, scale_grad_by_freq)


@op(name="_row_numbers")
def _row_numbers(indices: Array, count, offset):
    """The ``indices`` less ``offset`` in one axis; ``count``, which no row has, for those outside of the table."""
    indices = indices.reshape(-1) - offset
    return jnp.where(indices < 0, count, indices)  # a negative one would count from the end


@op(name="_rows_at")
def _rows_at(table: Array, numbers: Array):
    return jnp.take(table, numbers, axis=0, mode="fill", fill_value=0)


ROWS_AT = _rows_at.op  # the table and the numbers of its rows; `autodiff.row_gradients` looks for it


def _sparse_rows(table, indices, offset):
    """The rows of a Parameter in two operations, the second of which gives its gradient by rows."""
    (count, *lengths), shape = table.aval[0], indices.aval[0]
    return _rows_at(table, _row_numbers(indices, count, offset)).reshape((*shape, *lengths))


@op(name="_dense_lookup")
def dense_lookup(input_params: Array, input_indices: _INDEX, offset: Int):
    """As `embedding_lookup` below, with a dense gradient."""
    numbers = _row_numbers(input_indices, input_params.shape[0], offset)
    rows = _rows_at(input_params, numbers)
    return rows.reshape((*input_indices.shape, *input_params.shape[1:]))


@composite("EmbeddingLookup()", name="_embedding_lookup")
def embedding_lookup(input_params: Array, input_indices: _INDEX, offset: Int):
    """Embedding lookup in one shard of a table; zeros for rows of other shards.

    A gradient by a Parameter that only sparse lookups use consists of rows, see `RowGradient`.

    Args:
        input_params (Tensor): the part of the table, at least one axis.
        input_indices (Tensor): numbers of rows of the whole table, int32 or int64.
        offset (int): the number of the part's first row.
    Returns:
        Tensor of shape ``input_indices.shape + input_params.shape[1:]``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.EmbeddingLookup()(Tensor([[1.0], [2.0]]), Tensor([5, 9]), 4).tolist()
        [[2.0], [0.0]]
    Source: mindspore.ops.EmbeddingLookup
    """
    if isinstance(input_params, Parameter) and is_differentiating():
        return _sparse_rows(input_params, input_indices, offset)
    return dense_lookup(input_params, input_indices, offset)


@composite("SparseGatherV2()(input_params, input_indices, axis)", name="_sparse_gather")
def sparse_gather(input_params: Array, input_indices: TensorOf("int16", "int32", "int64"), axis):
    """Gathers slices along an axis; along the first one, a Parameter gets its gradient by rows (`RowGradient`).

    Args:
        input_params (Tensor): shape ``(..., A, ...)``, any dtype.
        input_indices (Tensor): any shape, an int dtype, values in ``[-A, A)``.
        axis (int): the axis of length ``A``; negative counts from the end.
    Returns:
        Tensor of shape ``input_params.shape[:axis] + input_indices.shape + input_params.shape[axis + 1:]``.
    Raises:
        TypeError: for another dtype of positions.  ValueError: if ``axis`` is out of range.
        RuntimeError: if a position is known to be out of range.
    Example:
        >>> ops.SparseGatherV2()(Tensor([1.0, 2.0, 3.0]), Tensor([2, 0]), 0).tolist()
        [3.0, 1.0]
    Source: mindspore.ops.SparseGatherV2
    """
    if concrete(axis) == 0 and isinstance(input_params, Parameter) and is_differentiating():
        count = input_params.aval[0][0]
        check_within(input_indices, -count, count, "input_indices", "SparseGatherV2")
        return _sparse_rows(input_params, _from_start(input_indices, count), 0)
    return gather(input_params, input_indices, axis)


@op(name="_from_start")
def _from_start(indices: Array, count):
    return jnp.where(indices < 0, indices + count, indices)


@op("MapUniform()(input, per_group_size, group_num)", name="_map_uniform")
def _map_uniform(input: Array, per_group_size: Int, group_num: Int):
    """Spreads keys over groups: ``input % group_num * per_group_size + input // group_num``.

    Args:
        input (Tensor): any shape, an int dtype, non-negative.
        per_group_size, group_num (int): how many keys a group takes, and the number of groups.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.MapUniform()(Tensor([0, 1, 2, 3]), 2, 2).tolist()
        [0, 2, 1, 3]
    Source: mindspore.ops.MapUniform
    """
    return input % group_num * per_group_size + input // group_num
