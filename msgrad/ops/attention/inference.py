"""Attention of inference: to keys and values of a cache, some of whose positions may be unused."""

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, Int, NonNegativeInt, PositiveInt
from ...engine.handle import Handle
from .._core.define import composite
from ..array.concatenation import concat
from ..array.creation import zeros
from .flash import FAR, flash_attention, lengths, log_sum_exp

_NONE = OneOf(None)  # of quantised numbers and of caches in pages, which are Ascend's own


def _attended(owner, query, key, value, mask, key_lengths, shift, heads, kv_heads, scale, layout, sparse=(0, FAR, FAR)):
    """Attention, and what `log_sum_exp` needs of its arguments."""
    key, value = _joined(owner, "key", key), _joined(owner, "value", value)
    merged = layout == "BSH"
    own = key.shape[-1] * heads // max(query.shape[-1], 1) if merged else key.shape[2 if layout == "BSND" else 1]
    if kv_heads not in (0, own):
        check.refuse(ValueError, owner, "num_key_value_heads", f"0 or {own}, the heads of 'key'", kv_heads)
    is_one = query.shape[2 if layout == "BNSD" else 1] == 1
    if mask is not None and is_one and mask.ndim == 2:  # (B, S2): MindSpore reads it so for one query
        mask = mask.reshape((mask.shape[0], 1, 1, mask.shape[1]))
    sparse = (0, FAR, FAR) if is_one else sparse
    key_lengths = lengths(key_lengths, "actual_seq_lengths", owner)
    attended = flash_attention(
        query, key, value, shift, mask, key_lengths, None, None, None, None, scale, 1.0, owner, heads, layout, sparse,
        False,
    )  # fmt: skip
    return attended, (query, key, shift, mask, key_lengths, scale, owner, heads, layout, sparse)


def _joined(owner, name, given):
    """One Tensor of keys or values, which may be given as a list of them along the batch."""
    if isinstance(given, Handle):
        return given
    if not isinstance(given, (list, tuple)) or not given or not all(isinstance(each, Handle) for each in given):
        check.refuse(TypeError, owner, name, "a Tensor, or a list or tuple of Tensors", given)
    return given[0] if len(given) == 1 else concat(given, 0)


@composite()
def prompt_flash_attention(
    query: Array, key: Array, value: Array, attn_mask: Array | None = None, actual_seq_lengths=None,
    actual_seq_lengths_kv=None, pse_shift: Array | None = None, deq_scale1: _NONE = None, quant_scale1: _NONE = None,
    deq_scale2: _NONE = None, quant_scale2: _NONE = None, quant_offset2: _NONE = None, num_heads: PositiveInt = 1,
    scale_value=1.0, pre_tokens: Int = FAR, next_tokens: Int = 0, input_layout: OneOf("BSH", "BNSD") = "BSH",
    num_key_value_heads: NonNegativeInt = 0, sparse_mode: OneOf(0, 1, 2, 3, 4) = 0, inner_precise: Int = 1,
):  # fmt: skip
    """Scaled dot-product attention of a prompt: ``softmax(scale_value * query @ key.T + pse_shift) @ value``.

    Args:
        query, key, value (Tensor): in the layout; a float dtype. Keys and values may have fewer heads, a divisor.
        attn_mask (Tensor): 1 for pairs that are hidden: ``(S1, S2)``, ``(B, S1, S2)`` or ``(B, 1, S1, S2)``. Modes 2
            to 4 do not read it. Default: ``None``.
        actual_seq_lengths (Tensor | tuple[int] | list[int]): without effect: what padded queries give is not
            specified. Default: ``None``.
        actual_seq_lengths_kv (Tensor | tuple[int] | list[int]): how many keys each sequence has; the others are
            hidden. Default: ``None``.
        pse_shift (Tensor): added to the scaled products, ``(1 or B, N, S1, S2)``. Default: ``None``.
        deq_scale1, quant_scale1, deq_scale2, quant_scale2, quant_offset2: must be None. Default: ``None``.
        num_heads (int): the number of heads of ``query``. Default: ``1``.
        scale_value (float): the scale. Default: ``1.0``.
        pre_tokens, next_tokens (int): as of `flash_attention_score`. Default: ``2147483647`` and ``0``.
        input_layout (str): ``'BSH'`` or ``'BNSD'``. Default: ``'BSH'``.
        num_key_value_heads (int): the number of heads of ``key``; 0 says that its shape tells. Default: ``0``.
        sparse_mode (int): as of `flash_attention_score`. Default: ``0``.
        inner_precise (int): without effect. Default: ``1``.
    Returns:
        Tensor of the shape and dtype of ``query``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or shapes that do not fit.
    Example:
        >>> ops.prompt_flash_attention(*[ops.ones((1, 3, 4))] * 3, num_heads=2).shape
        (1, 3, 4)
    Source: mindspore.ops.prompt_flash_attention
    """
    sparse = sparse_mode, pre_tokens, next_tokens
    return _attended(
        "prompt_flash_attention", query, key, value, attn_mask, actual_seq_lengths_kv, pse_shift, num_heads,
        num_key_value_heads, scale_value, input_layout, sparse,
    )[0]  # fmt: skip


@composite()
def incre_flash_attention(
    query: Array, key, value, attn_mask: Array | None = None, actual_seq_lengths=None, pse_shift: Array | None = None,
    dequant_scale1: _NONE = None, quant_scale1: _NONE = None, dequant_scale2: _NONE = None, quant_scale2: _NONE = None,
    quant_offset2: _NONE = None, antiquant_scale: _NONE = None, antiquant_offset: _NONE = None,
    block_table: _NONE = None, num_heads: PositiveInt = 1, input_layout: OneOf("BSH", "BNSD") = "BSH", scale_value=1.0,
    num_key_value_heads: NonNegativeInt = 0, block_size: Int = 0, inner_precise: Int = 1,
    kv_padding_size: _NONE = None,
):  # fmt: skip
    """Scaled dot-product attention of one token: ``softmax(scale_value * query @ key.T + pse_shift) @ value``.

    Args:
        query (Tensor): in the layout, of one token; a float dtype.
        key, value (Tensor | list[Tensor] | tuple[Tensor]): in the layout, lists along the batch. They may have fewer
            heads, a divisor.
        attn_mask (Tensor): 1 for keys that are hidden: ``(B, S)``, ``(B, 1, S)`` or ``(B, 1, 1, S)``.
            Default: ``None``.
        actual_seq_lengths (Tensor | tuple[int] | list[int]): how many keys each sequence has; the others are hidden.
            Default: ``None``.
        pse_shift (Tensor): added to the scaled products, ``(1 or B, N, 1, S)``. Default: ``None``.
        dequant_scale1, quant_scale1, dequant_scale2, quant_scale2, quant_offset2, antiquant_scale, antiquant_offset,
            block_table, kv_padding_size: must be None. Default: ``None``.
        num_heads (int): the number of heads of ``query``. Default: ``1``.
        input_layout (str): ``'BSH'`` or ``'BNSD'``. Default: ``'BSH'``.
        scale_value (float): the scale. Default: ``1.0``.
        num_key_value_heads (int): the number of heads of ``key``; 0 says that its shape tells. Default: ``0``.
        block_size, inner_precise (int): without effect. Default: ``0`` and ``1``.
    Returns:
        Tensor of the shape and dtype of ``query``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or shapes that do not fit.
    Example:
        >>> ops.incre_flash_attention(ops.ones((1, 1, 4)), [ops.ones((1, 3, 4))], [ops.ones((1, 3, 4))]).tolist()
        [[[1.0, 1.0, 1.0, 1.0]]]
    Source: mindspore.ops.incre_flash_attention
    """
    return _attended(
        "incre_flash_attention", query, key, value, attn_mask, actual_seq_lengths, pse_shift, num_heads,
        num_key_value_heads, scale_value, input_layout,
    )[0]  # fmt: skip


@composite()
def fused_infer_attention_score(
    query: Array, key, value, *, pse_shift: Array | None = None, atten_mask: Array | None = None,
    actual_seq_lengths=None, actual_seq_lengths_kv=None, dequant_scale1: _NONE = None, quant_scale1: _NONE = None,
    dequant_scale2: _NONE = None, quant_scale2: _NONE = None, quant_offset2: _NONE = None,
    antiquant_scale: _NONE = None, antiquant_offset: _NONE = None, key_antiquant_scale: _NONE = None,
    key_antiquant_offset: _NONE = None, value_antiquant_scale: _NONE = None, value_antiquant_offset: _NONE = None,
    block_table: _NONE = None, query_padding_size: _NONE = None, kv_padding_size: _NONE = None,
    key_shared_prefix: _NONE = None, value_shared_prefix: _NONE = None, actual_shared_prefix_len: _NONE = None,
    num_heads: PositiveInt = 1, scale=1.0, pre_tokens: Int = FAR, next_tokens: Int = FAR,
    input_layout: OneOf("BSH", "BNSD", "BSND", "BNSD_BSND") = "BSH", num_key_value_heads: NonNegativeInt = 0,
    sparse_mode: OneOf(0, 1, 2, 3, 4) = 0, inner_precise: Int = 1, block_size: Int = 0, antiquant_mode: Int = 0,
    key_antiquant_mode: Int = 0, value_antiquant_mode: Int = 0, softmax_lse_flag: Bool = False,
):  # fmt: skip
    """Scaled dot-product attention of a prompt or of one token, and the logarithms of its softmax's sums.

    Args:
        query (Tensor): in the layout; a float dtype.
        key, value (Tensor | list[Tensor] | tuple[Tensor]): in the layout, lists along the batch. They may have fewer
            heads, a divisor.
        pse_shift (Tensor): added to the scaled products, ``(1 or B, N, S1, S2)``. Default: ``None``.
        atten_mask (Tensor): 1 for pairs that are hidden: ``(S1, S2)``, ``(B, S1, S2)`` or ``(B, 1, S1, S2)``, for one
            token also ``(B, S2)``. Modes 2 to 4 do not read it. Default: ``None``.
        actual_seq_lengths (Tensor | tuple[int] | list[int]): without effect: what padded queries give is not
            specified. Default: ``None``.
        actual_seq_lengths_kv (Tensor | tuple[int] | list[int]): how many keys each sequence has; the others are
            hidden. Default: ``None``.
        dequant_scale1, quant_scale1, dequant_scale2, quant_scale2, quant_offset2, antiquant_scale, antiquant_offset,
            key_antiquant_scale, key_antiquant_offset, value_antiquant_scale, value_antiquant_offset, block_table,
            query_padding_size, kv_padding_size, key_shared_prefix, value_shared_prefix, actual_shared_prefix_len:
            must be None. Default: ``None``.
        num_heads (int): the number of heads of ``query``. Default: ``1``.
        scale (float): the scale. Default: ``1.0``.
        pre_tokens, next_tokens (int): as of `flash_attention_score`. Default: ``2147483647``.
        input_layout (str): ``'BSH'``, ``'BNSD'``, ``'BSND'``, or ``'BNSD_BSND'``: the latter for the result.
            Default: ``'BSH'``.
        num_key_value_heads (int): the number of heads of ``key``; 0 says that its shape tells. Default: ``0``.
        sparse_mode (int): as of `flash_attention_score`; without effect for one token. Default: ``0``.
        inner_precise, block_size, antiquant_mode, key_antiquant_mode, value_antiquant_mode (int): without effect.
        softmax_lse_flag (bool): whether to compute the second result. Default: ``False``.
    Returns:
        tuple of the attention, of the layout and dtype of ``query``, and the logarithms, float32 of shape
        ``(B, N, S1, 1)``, or a zero of shape ``(1,)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or shapes that do not fit.
    Example:
        >>> ops.fused_infer_attention_score(*[ops.ones((1, 3, 4))] * 3, num_heads=2)[0].shape
        (1, 3, 4)
    Source: mindspore.ops.fused_infer_attention_score
    """
    layout, _, result = input_layout.partition("_")
    attended, described = _attended(
        "fused_infer_attention_score", query, key, value, atten_mask, actual_seq_lengths_kv, pse_shift, num_heads,
        num_key_value_heads, scale, layout, (sparse_mode, pre_tokens, next_tokens),
    )  # fmt: skip
    attended = attended.swapaxes(1, 2) if result else attended
    return attended, log_sum_exp(*described) if softmax_lse_flag else zeros((1,))
