"""Embedding lookup: rows of a table by index."""

import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Int, Real
from ..._contracts.kinds import Scalar, TensorOf
from .._core.define import composite, op

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
        weight.write(_clip_row_norms(input, weight, max_norm, norm_type))
    return _embedding_rows(input, weight, padding_idx, scale_grad_by_freq)


@op("EmbeddingLookup()", name="_embedding_lookup")
def _embedding_lookup(input_params: Array, input_indices: _INDEX, offset: Int):
    """Embedding lookup in one shard of a table; zeros for rows of other shards.

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
    indices = input_indices - offset
    indices = jnp.where(indices < 0, input_params.shape[0], indices)  # a negative one would count from the end
    return jnp.take(input_params, indices, axis=0, mode="fill", fill_value=0)


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
