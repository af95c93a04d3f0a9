"""Steps of attention and of resizing, used by libraries: of ``mindspore.ops.function.nn_func`` and of Primitives."""

import math

from ... import ops
from ...engine import dtypes
from ...ops.attention.flash import attention_statistics
from ...ops.nn.multihead import packed_projection

_MSG_AXES = "Queries of {} axes need {} of {} axes, but got {}."
_MSG_SHAPE = "Expecting {} of shape {}, but got {}."


def linear(x, w, b):
    """``x @ w.T + b``, where ``b`` may be None."""
    return ops.dense(x, w, b)


def _in_projection(q, k, v, w_q, w_k, w_v, b_q=None, b_k=None, b_v=None):
    """Queries, keys and values (Tensors), each by its own weight and bias.

    Raises:
        ValueError: if a weight or a bias has another shape.
    """
    size = q.shape[-1]
    projected = []
    for name, x, weight, bias in (("query", q, w_q, b_q), ("key", k, w_k, b_k), ("value", v, w_v, b_v)):
        for kind, parameter, shape in (("weights", weight, (size, x.shape[-1])), ("bias", bias, (size,))):
            if parameter is not None and parameter.shape != shape:
                raise ValueError(_MSG_SHAPE.format(f"{name} {kind}", shape, parameter.shape))
        projected.append(linear(x, weight, bias))
    return tuple(projected)


def _in_projection_packed(q, k, v, w, b, k_is_v, q_is_k):
    """Queries, keys and values (Tensors) by three weights, and biases, in one Tensor each."""
    return tuple(packed_projection((q, k, v), w, None, b, k_is_v and q_is_k))


def _inner_dropout(x, p, training):
    """Sets elements to 0 with probability ``p`` while training."""
    return ops.dropout(x, p) if training and 0 < p <= 1 else x


def _scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, is_training, dtype):
    """Attention with weights ``softmax(query @ key.T / sqrt(length) + attn_mask)``: its result, and the weights.

    With ``is_causal``, ``attn_mask`` is, as in MindSpore, 1 where a key is not after the query, and 0 elsewhere: it
    weakens keys that come later, and does not hide them.
    """
    scale = math.sqrt(math.sqrt(query.shape[-1]))
    scores = ops.matmul(query / scale, key.swapaxes(-2, -1) / scale)
    if is_causal:
        attn_mask = ops.ones((query.shape[-2], key.shape[-2]), scores.dtype).tril()
    weights = ops.softmax(scores if attn_mask is None else scores + attn_mask, -1)
    weights = _inner_dropout(weights, dropout_p, is_training)
    return ops.matmul(weights, value), weights


def _inner_pad(x, padding, value=None):
    """`ops.pad`, for bools too."""
    padded = x.astype(dtypes.int32) if x.dtype == dtypes.bool_ else x
    return ops.pad(padded, padding, value=value).astype(x.dtype)


def _check_qkv_shape(query_ndim, key_ndim, value_ndim):
    """Whether queries, keys and values of so many axes are batches.

    Raises:
        ValueError: if they do not have all 2 or all 3.
    """
    if query_ndim not in (2, 3) or not query_ndim == key_ndim == value_ndim:
        raise ValueError(_MSG_AXES.format("2 or 3", "keys and values", "as many", (query_ndim, key_ndim, value_ndim)))
    return query_ndim == 3


def _check_kpm_shape(query_ndim, kmp_ndim):
    """Checks the number of axes of a mask of keys: one less than queries have.

    Raises:
        ValueError: if it has another.
    """
    if query_ndim in (2, 3) and kmp_ndim != query_ndim - 1:
        raise ValueError(_MSG_AXES.format(query_ndim, "a 'key_padding_mask'", query_ndim - 1, kmp_ndim))


def _check_attn_mask_shape(query_ndim, query_shape, key_shape, attn_mask_ndim, attn_mask_shape, num_heads):
    """Checks the shape of a mask of queries and keys.

    Raises:
        ValueError: if it does not fit.
    """
    if query_ndim in (2, 3) and attn_mask_ndim not in (2, 3):
        raise ValueError(_MSG_AXES.format(query_ndim, "an 'attn_mask'", "2 or 3", attn_mask_ndim))
    expected = (num_heads, query_shape[0], key_shape[0])
    if query_ndim == 2 and attn_mask_ndim == 3 and tuple(attn_mask_shape) != expected:
        raise ValueError(_MSG_SHAPE.format("'attn_mask'", expected, attn_mask_shape))


def _interploate_ext_make_tuple(input, value):
    """``value`` for each axis of images: itself, if it is a sequence."""
    return value if isinstance(value, (list, tuple)) else (value,) * (input.ndim - 2)


def _interpolate_ext_scale_factor_convert_size(input, scale_factor):
    """The height and width (tuple of int) of images that are scaled."""
    return tuple(math.floor(length * factor) for length, factor in zip(input.shape[2:], scale_factor, strict=False))


def flash_attention(query, key, value, real_shift, drop_mask, padding_mask, attn_mask, prefix, actual_seq_qlen,
                    actual_seq_kvlen, head_num, keep_prob, scale_value, pre_tokens, next_tokens, inner_precise,
                    input_layout, sparse_mode):  # fmt: skip
    """The four outputs of the Primitive FlashAttentionScore; MindSpore computes it on Ascend alone."""
    attended = ops.flash_attention_score(
        query, key, value, head_num, real_shift, drop_mask, padding_mask, attn_mask, prefix, actual_seq_qlen,
        actual_seq_kvlen, keep_prob, scale_value, pre_tokens, next_tokens, inner_precise, input_layout, sparse_mode,
    )  # fmt: skip
    statistics = attention_statistics(
        query, key, real_shift, attn_mask, head_num, scale_value, pre_tokens, next_tokens, input_layout, sparse_mode
    )
    return (*statistics, ops.zeros((), query.dtype), attended)
