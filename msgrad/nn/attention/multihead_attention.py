"""Multi-head attention."""

from ..._contracts import check
from ..._contracts.contracts import PositiveInt
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...initializer import XavierNormal, XavierUniform, initializer
from ...ops.nn.multihead import multi_head_attention_forward
from ...tensor.parameter import Parameter
from ..basic.dense import Dense
from ..cell import Cell

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Cell):
    """Multi-head attention: ``softmax(q @ k.T / sqrt(d)) @ v`` for each head, combined by a `Dense` layer.

    Args:
        embed_dim (int): the number of features ``E`` of queries and outputs.
        num_heads (int): a divisor of it.
        dropout (float): the dropout probability of the attention weights in training. Default: ``0.0``.
        has_bias (bool): whether the projections have biases. Default: ``True``.
        add_bias_kv (bool): whether a trained key and value are added to the sequence. Default: ``False``.
        add_zero_attn (bool): whether a key and a value of zeros are added. Default: ``False``.
        kdim, vdim (int): the number of features of keys and values. Default: ``None``, ``E``.
        batch_first (bool): whether sequences are ``(batch, length, features)``. Default: ``False``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs:
        query, key, value (Tensor): shape ``(length, batch, features)``, or ``(length, features)``.
        key_padding_mask (Tensor): shape ``(batch, key length)``: a bool mask of the keys to ignore, or floats added to
            the scores. Default: ``None``.
        need_weights (bool): whether to return the weights. Default: ``True``.
        attn_mask (Tensor): the keys that each query ignores, ``(query length, key length)`` or
            ``(batch * num_heads, query length, key length)``; bool, uint8 or floats as above. Default: ``None``.
        average_attn_weights (bool): whether to average the returned weights over heads. Default: ``True``.
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
        are_same = query is key and key is value
        is_turned = self.batch_first and query.ndim == 3
        if is_turned:
            query, key, value = (x.swapaxes(0, 1) for x in (query, key, value))
        output, weights = multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            self.training,
            key_padding_mask,
            attn_mask,
            self.in_proj_weight is None,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            k_is_v=are_same,
            q_is_k=are_same,
        )
        output = output.swapaxes(0, 1) if is_turned else output
        return (output, weights) if need_weights else (output,)

    def _check_inputs(self, query, key, value):
        if query.ndim not in (2, 3) or not query.ndim == key.ndim == value.ndim:
            check.refuse(ValueError, "MultiheadAttention", "query", "of 2 or 3 axes, as 'key' and 'value'", query)
        sizes = {"query": (query, self.embed_dim), "key": (key, self.kdim), "value": (value, self.vdim)}
        for name, (length, size) in sizes.items():
            if length.shape[-1] != size:
                check.refuse(ValueError, "MultiheadAttention", name, f"of {size} features along its last axis", length)
        if key.shape[:-1] != value.shape[:-1]:
            check.refuse(ValueError, "MultiheadAttention", "value", f"of the lengths of 'key', {key.shape[:-1]}", value)
