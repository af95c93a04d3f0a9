"""Mixture-of-experts routing: permutes tokens by their experts, and back."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, Index, Int, NonNegativeInt, PositiveInt
from .._core.define import op
from .._shared import ordering


def _order(experts):
    """The indices that sort ``experts``, flattened, and the rank of each in that order."""
    order = ordering.order(experts.ravel())
    return order, ordering.order(order)


@op()
def moe_token_permute(
    tokens: Array, indices: Index, num_out_tokens: Int | None = None, padded_mode: OneOf(False) = False
):
    """Permutes tokens by their experts; a token is repeated for each of its experts.

    Args:
        tokens (Tensor): shape ``(N, hidden)``.
        indices (Tensor): shape ``(N, K)`` or ``(N,)``, an int dtype: the experts of each token.
        num_out_tokens (int): the number of tokens to keep; a negative number: to drop. Default: ``None``, all.
        padded_mode (bool): must be False, the default.
    Returns:
        tuple of two Tensors: the tokens, and the rank of each element of ``indices`` among them (int32).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> tokens, ranks = ops.moe_token_permute(Tensor([[1.0], [2.0]]), Tensor([[1, 0], [0, 1]]))
        >>> tokens.tolist(), ranks.tolist()
        ([[1.0], [2.0], [1.0], [2.0]], [2, 0, 1, 3])
    Source: mindspore.ops.moe_token_permute
    """
    if tokens.ndim != 2 or indices.ndim not in (1, 2) or indices.shape[0] != tokens.shape[0]:
        expected = f"of shape {(tokens.shape[0], 'K')} for tokens (N, hidden)"
        check.refuse(ValueError, "moe_token_permute", "indices", expected, indices.shape)
    order, ranks = _order(indices)
    count = indices.size if num_out_tokens is None else num_out_tokens
    token_indices = order[:count] // (indices.size // indices.shape[0])
    return tokens[token_indices], ranks.astype(jnp.int32)


@op()
def moe_token_unpermute(
    permuted_tokens: Array,
    sorted_indices: Index,
    probs: Array | None = None,
    padded_mode: OneOf(False) = False,
    restore_shape: OneOf(None) = None,
):
    """Undoes `moe_token_permute`: the sum, weighted by ``probs``, of the experts' outputs for each token.

    Args:
        permuted_tokens (Tensor): shape ``(N * K, hidden)`` or fewer rows; those that are missing count as 0.
        sorted_indices (Tensor): shape ``(N * K,)``, int32: the second result of `moe_token_permute`.
        probs (Tensor): shape ``(N, K)``: the weights. Default: ``None``, where ``K`` is 1.
        padded_mode (bool): must be False, the default.
        restore_shape (None): must be None, the default.
    Returns:
        Tensor of shape ``(N, hidden)``, dtype of ``permuted_tokens``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> tokens, ranks = ops.moe_token_permute(Tensor([[1.0], [2.0]]), Tensor([[1, 0], [0, 1]]))
        >>> ops.moe_token_unpermute(tokens, ranks, Tensor([[0.5, 0.5], [0.5, 0.5]])).tolist()
        [[1.0], [2.0]]
    Source: mindspore.ops.moe_token_unpermute
    """
    owner, count = "moe_token_unpermute", sorted_indices.size
    if permuted_tokens.ndim != 2 or sorted_indices.ndim != 1:
        expected = "of one axis, for tokens of two"
        check.refuse(ValueError, owner, "sorted_indices", expected, sorted_indices.shape)
    if probs is not None and (probs.ndim != 2 or probs.size != count):
        check.refuse(ValueError, owner, "probs", f"of shape (N, K), {count} elements", probs.shape)
    tokens = jnp.take(permuted_tokens, sorted_indices, axis=0, mode="fill", fill_value=0)
    if probs is None:
        return tokens
    tokens = tokens.reshape((*probs.shape, -1)) * probs[..., None]
    return tokens.sum(1).astype(permuted_tokens.dtype)


@op()
def moe_init_routing_v2(
    x: Array,
    expert_idx: Index,
    active_num: NonNegativeInt,
    expert_capacity: NonNegativeInt,
    expert_num: PositiveInt,
    drop_pad_mode: OneOf(0, 1),
    expert_tokens_count_or_cumsum_flag: OneOf(0, 1, 2),
    expert_tokens_before_capacity_flag: Bool,
):
    """Permutes tokens by their experts; with ``drop_pad_mode`` each expert gets equally many.

    Args:
        x (Tensor): shape ``(N, hidden)``.
        expert_idx (Tensor): shape ``(N, K)``, int32, from 0 to below ``expert_num``: the experts of each token.
        active_num (int): how many tokens stay, where ``drop_pad_mode`` is 0; 0 for all.
        expert_capacity (int): how many tokens each expert gets, where ``drop_pad_mode`` is 1.
        expert_num (int): the number of experts.
        drop_pad_mode (int): 1 to drop tokens that are too many and pad with 0, else 0.
        expert_tokens_count_or_cumsum_flag (int): what the third result is, where ``drop_pad_mode`` is 0: 1 the running
            sums of the numbers of tokens, 2 the numbers, 0 nothing.
        expert_tokens_before_capacity_flag (bool): whether the fourth result is, where ``drop_pad_mode`` is 1, the
            number of tokens of each expert before any are dropped.
    Returns:
        tuple of four Tensors: the tokens, ``(N * K, hidden)`` or fewer, or ``(expert_num, expert_capacity, hidden)``;
        the rank of each element of ``expert_idx`` among them, -1 for a dropped one (int32); two of shape
        ``(expert_num,)`` (int32), 0 if they are not requested.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or shapes do not fit.
    Example:
        >>> x, experts = Tensor([[1.0], [2.0]]), Tensor([[1, 0], [0, 1]])
        >>> tokens, ranks, _, _ = ops.moe_init_routing_v2(x, experts, 0, 1, 2, 1, 0, False)
        >>> tokens.tolist(), ranks.tolist()
        ([[[1.0]], [[1.0]]], [1, 0, -1, -1])
    Source: mindspore.ops.moe_init_routing_v2
    """
    owner = "moe_init_routing_v2"
    if x.ndim != 2 or expert_idx.ndim != 2 or expert_idx.shape[0] != x.shape[0]:
        check.refuse(ValueError, owner, "expert_idx", f"of shape {(x.shape[0], 'K')}", expert_idx.shape)
    if drop_pad_mode and not 0 < expert_capacity <= x.shape[0]:
        check.refuse(ValueError, owner, "expert_capacity", f"from 1 to {x.shape[0]}", expert_capacity)
    order, ranks = _order(expert_idx)
    rows = order // expert_idx.shape[1]
    counts = jnp.bincount(expert_idx.ravel(), length=expert_num).astype(jnp.int32)
    nothing = jnp.zeros(expert_num, jnp.int32)
    if not drop_pad_mode:
        tokens = x[rows[:active_num]] if active_num else x[rows]
        expert_counts = (nothing, jnp.cumsum(counts, dtype=jnp.int32), counts)[expert_tokens_count_or_cumsum_flag]
        return tokens, ranks.astype(jnp.int32), expert_counts, nothing
    experts = expert_idx.ravel()
    rank = ranks - (jnp.cumsum(counts) - counts)[experts]
    ranks = jnp.where(rank < expert_capacity, experts * expert_capacity + rank, -1)
    tokens = jnp.zeros((expert_num * expert_capacity, x.shape[1]), x.dtype)
    # An index beyond the end drops the token.
    targets = jnp.where(ranks < 0, len(tokens), ranks)
    tokens = tokens.at[targets].set(jnp.repeat(x, expert_idx.shape[1], 0), mode="drop")
    before = counts if expert_tokens_before_capacity_flag else nothing
    return tokens.reshape((expert_num, expert_capacity, -1)), ranks.astype(jnp.int32), nothing, before
