"""Attention with several heads."""

import math

from .. import ops
from ..engine import dtypes
from ..initializer import XavierNormal, XavierUniform, initializer
from ..ops import check
from ..ops.contracts import PositiveInt, checked
from ..tensor.parameter import Parameter
from .cell import Cell
from .dense import Dense

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Cell):
    """``softmax(q @ k.T / sqrt(d)) @ v`` for each of several heads, joined again by a `Dense` layer.

    Args:
        embed_dim (int): the number of features ``E`` of queries and outputs.
        num_heads (int): a divisor of it.
        dropout (float): the probability that a weight of the attention is set to 0 in training. Default: ``0.0``.
        has_bias (bool): whether the projections have biases. Default: ``True``.
        add_bias_kv (bool): whether a trained key and value are added to the sequence. Default: ``False``.
        add_zero_attn (bool): whether a key and a value of zeros are added. Default: ``False``.
        kdim, vdim (int): the number of features of keys and values. Default: ``None``, ``E``.
        batch_first (bool): whether sequences are ``(batch, length, features)``. Default: ``False``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs:
        query, key, value (Tensor): shape ``(length, batch, features)``, or ``(length, features)``.
        key_padding_mask (Tensor): which keys are hidden, shape ``(batch, key length)``: of bool, or what is added to
            the scores. Default: ``None``.
        need_weights (bool): whether the weights are given too. Default: ``True``.
        attn_mask (Tensor): which keys are hidden from which query, ``(query length, key length)`` or
            ``(batch * num_heads, query length, key length)``; bool, uint8 or floats as above. Default: ``None``.
        average_attn_weights (bool): whether the weights are the mean over heads. Default: ``True``.
    Output: tuple of the output, of the shape of ``query``, and the weights, ``(batch, query length, key length)`` or
        ``(batch, num_heads, query length, key length)``; of the output alone without ``need_weights``.
    Parameters: ``in_proj_weight`` of shape ``(3 * E, E)``, or with ``kdim`` or ``vdim`` ``q_proj_weight``,
        ``k_proj_weight``, ``v_proj_weight``; ``in_proj_bias``; ``bias_k``, ``bias_v``; ``out_proj.weight``,
        ``out_proj.bias``.
    Raises:
        ValueError: if the sizes or shapes do not fit.
    Example:
        >>> x = ops.ones((5, 2, 4))
        >>> output, weights = nn.MultiheadAttention(4, 2)(x, x, x)
        >>> output.shape, weights.shape
        ((5, 2, 4), (2, 5, 5))
    Source: mindspore.nn.MultiheadAttention
    """

    @checked
    def __init__(
        self,
        embed_dim: PositiveInt,
        num_heads: PositiveInt,
        dropout=0.0,
        has_bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        dtype=dtypes.float32,
    ):
        super().__init__()
        if embed_dim % num_heads:
            check.refuse(
                ValueError, "MultiheadAttention", "embed_dim", f"divisible by {num_heads}, the heads", embed_dim
            )
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        dtype = dtypes.float32 if dtype is None else dtype

        def made(name, init, *shape):
            return Parameter(initializer(init, shape, dtype), name=name)

        if self.kdim == self.vdim == embed_dim:
            self.in_proj_weight = made("in_proj_weight", XavierUniform(), 3 * embed_dim, embed_dim)
            self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        else:
            self.q_proj_weight = made("q_proj_weight", XavierUniform(), embed_dim, embed_dim)
            self.k_proj_weight = made("k_proj_weight", XavierUniform(), embed_dim, self.kdim)
            self.v_proj_weight = made("v_proj_weight", XavierUniform(), embed_dim, self.vdim)
            self.in_proj_weight = None
        self.in_proj_bias = made("in_proj_bias", "zeros", 3 * embed_dim) if has_bias else None
        self.out_proj = Dense(embed_dim, embed_dim, has_bias=has_bias, dtype=dtype)
        self.bias_k = made("bias_k", XavierNormal(), 1, 1, embed_dim) if add_bias_kv else None
        self.bias_v = made("bias_v", XavierNormal(), 1, 1, embed_dim) if add_bias_kv else None
        self.add_zero_attn = add_zero_attn
        self.dtype = dtype

    def construct(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
    ):
        """The output, and the weights."""
        self._check_inputs(query, key, value)
        is_batched = query.ndim == 3
        q, k, v = self._projected(query, key, value)
        if not is_batched:
            q, k, v = (x.expand_dims(0) for x in (q, k, v))
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
        elif not self.batch_first:
            q, k, v = (x.swapaxes(0, 1) for x in (q, k, v))
        mask = self._mask(attn_mask, key_padding_mask, (*q.shape[:2], k.shape[1]), q.dtype)
        k, v = self._lengthened(k, self.bias_k), self._lengthened(v, self.bias_v)
        q, k, v = (x.reshape((*x.shape[:2], self.num_heads, self.head_dim)).swapaxes(1, 2) for x in (q, k, v))
        scores = ops.matmul(q, k.swapaxes(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + ops.pad(mask, (0, k.shape[2] - mask.shape[3]))
        weights = ops.softmax(scores, -1)
        if self.training and self.dropout:
            weights = ops.dropout(weights, self.dropout)
        joined = ops.matmul(weights, v).swapaxes(1, 2)
        output = self.out_proj(joined.reshape((*joined.shape[:2], self.embed_dim)))
        weights = weights.mean(1) if average_attn_weights else weights
        if not is_batched:
            output, weights = output.squeeze(0), weights.squeeze(0)
        elif not self.batch_first:
            output = output.swapaxes(0, 1)
        return (output, weights) if need_weights else (output,)

    def _check_inputs(self, query, key, value):
        if query.ndim not in (2, 3) or not query.ndim == key.ndim == value.ndim:
            check.refuse(ValueError, "MultiheadAttention", "query", "of 2 or 3 axes, as 'key' and 'value'", query)
        sizes = {"query": (query, self.embed_dim), "key": (key, self.kdim), "value": (value, self.vdim)}
        for name, (given, size) in sizes.items():
            if given.shape[-1] != size:
                check.refuse(ValueError, "MultiheadAttention", name, f"of {size} features along its last axis", given)
        if key.shape[:-1] != value.shape[:-1]:
            check.refuse(ValueError, "MultiheadAttention", "value", f"of the lengths of 'key', {key.shape[:-1]}", value)

    def _projected(self, query, key, value):
        weight, bias = self.in_proj_weight, self.in_proj_bias
        if weight is not None and query is key and key is value:  # one product is faster than three
            return ops.chunk(ops.dense(query, weight, bias), 3, -1)
        own = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        weights = own if weight is None else ops.chunk(weight, 3)
        biases = (None,) * 3 if bias is None else ops.chunk(bias, 3)
        return [ops.dense(*each) for each in zip((query, key, value), weights, biases, strict=True)]

    def _lengthened(self, x, trained):
        shape = (x.shape[0], 1, self.embed_dim)
        x = x if trained is None else ops.cat((x, trained.astype(x.dtype).broadcast_to(shape)), 1)
        return ops.cat((x, ops.zeros(shape, x.dtype)), 1) if self.add_zero_attn else x

    def _mask(self, attn_mask, key_padding_mask, lengths, dtype):
        """What is added to the scores, of shape ``(batch, heads, query length, key length)`` or 1 for some of them."""
        batch, rows, columns = lengths
        masks = []
        if attn_mask is not None:
            attn_mask = attn_mask.astype(dtypes.bool_) if attn_mask.dtype == dtypes.uint8 else attn_mask
            accepted = {(rows, columns): (1, 1, rows, columns)}
            accepted[(batch * self.num_heads, rows, columns)] = (batch, self.num_heads, rows, columns)
            masks.append(_added("attn_mask", attn_mask, accepted, dtype))
        if key_padding_mask is not None:
            accepted = {(batch, columns): (batch, 1, 1, columns)}
            masks.append(_added("key_padding_mask", key_padding_mask, accepted, dtype))
        return sum(masks[1:], masks[0]) if masks else None


def _added(name, mask, accepted, dtype):
    """A mask as what is added to scores, in the shape that ``accepted`` has for its own."""
    if mask.shape not in accepted:
        expected = f"of shape {' or '.join(map(str, accepted))}"
        check.refuse(ValueError, "MultiheadAttention", name, expected, mask)
    if mask.dtype != dtypes.bool_ and not mask.is_floating_point():
        check.refuse(ValueError, "MultiheadAttention", name, "of bool or floats", mask)
    if mask.dtype == dtypes.bool_:
        mask = ops.where(mask, float("-inf"), 0.0)
    return mask.astype(dtype).reshape(accepted[mask.shape])
