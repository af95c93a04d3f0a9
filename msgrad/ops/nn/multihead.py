"""Multi-head attention with given weights."""

import math

from ..._contracts import check
from ...engine import dtypes
from ..array.concatenation import concat
from ..array.creation import zeros
from ..array.padding import pad
from ..array.splitting import chunk
from ..index.selection import where
from ..linalg.matmul import dense, matmul
from .dropout import unseeded_dropout
from .softmax import softmax

_OWNER = "multi_head_attention_forward"
_MSG_CAUSAL = (
    "For 'multi_head_attention_forward', 'is_causal' must be False: MindSpore adds 1 to some scores then, and hides "
    "none. Give an 'attn_mask' that is True above the diagonal."
)


def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
    k_is_v=False,
    q_is_k=False,
    dtype=dtypes.float32,
):
    """Multi-head attention with given weights: ``softmax(q @ k.T / sqrt(d)) @ v`` for each head.

    Args:
        query (Tensor): shape ``(L, B, E)``, or ``(L, E)``.
        key, value (Tensor): shape ``(S, B, features)``, or ``(S, features)``.
        embed_dim_to_check (int): ``E``.
        num_heads (int): a divisor of it.
        in_proj_weight, in_proj_bias (Tensor): shapes ``(3 * E, E)`` and ``(3 * E,)``, or None.
        bias_k, bias_v (Tensor): a key and a value more, shape ``(1, 1, E)``, or None.
        add_zero_attn (bool): whether a key and a value of zeros are added.
        dropout_p (float): the probability that a weight of the attention is set to 0 in training.
        out_proj_weight, out_proj_bias (Tensor): shapes ``(E, E)`` and ``(E,)``, the latter or None.
        training (bool): whether to apply dropout. Default: ``True``.
        key_padding_mask (Tensor): ``(B, S)``: a bool mask of keys to ignore, or floats added to scores. Default:
            ``None``.
        attn_mask (Tensor): likewise, ``(L, S)`` or ``(B * num_heads, L, S)``. Default: ``None``.
        use_separate_proj_weight (bool): whether the three that follow are taken. Default: ``False``.
        q_proj_weight, k_proj_weight, v_proj_weight (Tensor): shape ``(E, features)``. Default: ``None``.
        static_k, static_v (Tensor): instead of what is projected, ``(B * num_heads, S, E // num_heads)``. Default:
            ``None``.
        average_attn_weights (bool): whether the weights are the mean over heads. Default: ``True``.
        is_causal (bool): must be False. Default: ``False``.
        k_is_v, q_is_k (bool): that these are the same, which saves work if both are. Default: ``False``.
        dtype (mindspore.dtype): without effect. Default: ``float32``.
    Returns:
        tuple of the output, of the shape of ``query``, and the weights, ``(B, L, S)`` or ``(B, num_heads, L, S)``.
    Raises:
        ValueError: if the shapes do not fit.  NotImplementedError: for ``is_causal=True``.
    Source: mindspore.ops.function.nn_func.multi_head_attention_forward
    """
    if is_causal:
        raise NotImplementedError(_MSG_CAUSAL)
    _check_shapes(query, key, value, embed_dim_to_check, num_heads)
    embed_dim, is_batched = query.shape[-1], query.ndim == 3
    own = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None
    projected = packed_projection((query, key, value), in_proj_weight, own, in_proj_bias, k_is_v and q_is_k)
    q, k, v = (x.swapaxes(0, 1) if is_batched else x.expand_dims(0) for x in projected)
    if not is_batched and key_padding_mask is not None:
        key_padding_mask = key_padding_mask.expand_dims(0)
    batch, rows, columns = *q.shape[:2], k.shape[1]
    mask = _mask(attn_mask, key_padding_mask, (batch, num_heads, rows, columns), q.dtype)
    heads = [_in_heads(q, num_heads)]
    for x, bias, static in ((k, bias_k, static_k), (v, bias_v, static_v)):
        x = _in_heads(_lengthened(x, bias), num_heads) if static is None else static
        x = x.reshape((batch, num_heads, -1, embed_dim // num_heads))
        heads.append(concat((x, zeros((*x.shape[:2], 1, x.shape[3]), x.dtype)), 2) if add_zero_attn else x)
    q, k, v = heads
    scores = matmul(q, k.swapaxes(2, 3)) / math.sqrt(q.shape[3])
    if mask is not None:
        scores = scores + pad(mask, (0, k.shape[2] - mask.shape[3]))
    weights = softmax(scores, -1)
    if training and dropout_p:
        weights = unseeded_dropout(weights, dropout_p)
    joined = matmul(weights, v).swapaxes(1, 2)
    output = dense(joined.reshape((*joined.shape[:2], embed_dim)), out_proj_weight, out_proj_bias)
    weights = weights.mean(1) if average_attn_weights else weights
    return (output.swapaxes(0, 1), weights) if is_batched else (output.squeeze(0), weights.squeeze(0))


def _check_shapes(query, key, value, embed_dim, num_heads):
    if query.shape[-1] != embed_dim or embed_dim % num_heads:
        expected = f"of {embed_dim} features, which {num_heads} heads share"
        check.refuse(ValueError, _OWNER, "query", expected, query)
    if key.shape[:-1] != value.shape[:-1] or query.ndim == 3 and key.shape[1] != query.shape[1]:
        expected = f"as many as 'value', {tuple(value.shape)}, and in batches as 'query', {tuple(query.shape)}"
        check.refuse(ValueError, _OWNER, "key", expected, key)


def packed_projection(inputs, weight, own, bias, are_same):
    """Projects to queries, keys and values (a list), by one packed ``weight`` and ``bias`` or separate weights."""
    if own is None and are_same:  # one product is faster than three
        return chunk(dense(inputs[0], weight, bias), 3, -1)
    weights = chunk(weight, 3) if own is None else own
    biases = (None,) * 3 if bias is None else chunk(bias, 3)
    return [dense(*each) for each in zip(inputs, weights, biases, strict=True)]


def _lengthened(x, bias):
    if bias is None:
        return x
    return concat((x, bias.astype(x.dtype).broadcast_to((x.shape[0], 1, x.shape[2]))), 1)


def _in_heads(x, num_heads):
    return x.reshape((*x.shape[:2], num_heads, x.shape[2] // num_heads)).swapaxes(1, 2)


def _mask(attn_mask, key_padding_mask, lengths, dtype):
    """The mask added to the scores, of shape ``(batch, heads, query length, key length)``, or 1 for some of them."""
    batch, num_heads, rows, columns = lengths
    masks = []
    if attn_mask is not None:
        attn_mask = attn_mask.astype(dtypes.bool_) if attn_mask.dtype == dtypes.uint8 else attn_mask
        accepted: dict[tuple, tuple] = {(rows, columns): (1, 1, rows, columns)}
        accepted[(batch * num_heads, rows, columns)] = (batch, num_heads, rows, columns)
        masks.append(_added("attn_mask", attn_mask, accepted, dtype))
    if key_padding_mask is not None:
        masks.append(_added("key_padding_mask", key_padding_mask, {(batch, columns): (batch, 1, 1, columns)}, dtype))
    return sum(masks[1:], masks[0]) if masks else None


def _added(name, mask, accepted, dtype):
    """A mask in additive form, reshaped as ``accepted`` specifies for its shape."""
    if mask.shape not in accepted:
        check.refuse(ValueError, _OWNER, name, f"of shape {' or '.join(map(str, accepted))}", mask)
    if mask.dtype != dtypes.bool_ and not mask.is_floating_point():
        check.refuse(ValueError, _OWNER, name, "of bool or floats", mask)
    if mask.dtype == dtypes.bool_:
        mask = where(mask, float("-inf"), 0.0)
    return mask.astype(dtype).reshape(accepted[mask.shape])
