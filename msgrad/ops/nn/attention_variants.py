"""Ring attention, deformable attention over images of several sizes, and paged attention over a block cache."""

from typing import Any

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Index, PositiveInt
from ..._contracts.kinds import Scalar
from .._core.define import composite, op
from .._shared.interpolation import interpolated


@op()
def ring_attention_update(
    prev_attn_out: Array,
    prev_softmax_max: Array,
    prev_softmax_sum: Array,
    cur_attn_out: Array,
    cur_softmax_max: Array,
    cur_softmax_sum: Array,
    actual_seq_qlen: Index | None = None,
    layout: OneOf("SBH", "TND") = "SBH",
):
    """Ring attention: combines the attention to two parts of the keys.

    Args:
        prev_attn_out, cur_attn_out (Tensor): attention to each part, shape ``(S, B, H)``, ``H`` heads times size, or
            ``(T, N, D)``.
        prev_softmax_max, cur_softmax_max (Tensor): the largest product of each position with a key of the part, shape
            ``(B, N, S, 8)`` or ``(T, N, 8)``, eight times the same; float32.
        prev_softmax_sum, cur_softmax_sum (Tensor): the sums of the exponentials, less the largest; the same shape.
        actual_seq_qlen (Tensor): without effect: each position is by itself; must be given for ``'TND'``.
            Default: ``None``.
        layout (str): 'SBH' or 'TND'. Default: ``'SBH'``.
    Returns:
        tuple of three Tensors: attention to both parts, and the largest products and sums of both.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> out, ones = ops.ones((1, 1, 2)), ops.ones((1, 1, 1, 8))
        >>> ops.ring_attention_update(out, ones, ones, out * 3, ones, ones)[0].tolist()
        [[[2.0, 2.0]]]
    Source: mindspore.ops.ring_attention_update
    """
    owner = "ring_attention_update"
    if layout == "TND" and actual_seq_qlen is None:
        check.refuse(ValueError, owner, "actual_seq_qlen", "given for layout 'TND'", actual_seq_qlen)
    if prev_attn_out.ndim != 3 or prev_softmax_max.ndim != (4 if layout == "SBH" else 3):
        check.refuse(ValueError, owner, "prev_softmax_max", f"of the layout {layout}", prev_softmax_max.shape)
    maximum = jnp.maximum(prev_softmax_max, cur_softmax_max)
    before = prev_softmax_sum * jnp.exp(prev_softmax_max - maximum)
    now = cur_softmax_sum * jnp.exp(cur_softmax_max - maximum)
    total = before + now

    def weighted(attention, part):
        share = (part / total)[..., :1]
        if layout == "TND":
            return attention * share
        share = share.transpose(2, 0, 1, 3)  # (S, B, N, 1)
        return (attention.reshape((*share.shape[:3], -1)) * share).reshape(attention.shape)

    merged = weighted(prev_attn_out, before) + weighted(cur_attn_out, now)
    return merged.astype(prev_attn_out.dtype), maximum, total


@op()
def multi_scale_deformable_attn_function(value: Array, shape, offset, locations: Array, weight: Array):
    """Multi-scale deformable attention: attention to sampled points of images of several sizes.

    Args:
        value (Tensor): shape ``(batch, keys, heads, size)``: the pixels of all images, row after row.
        shape (Tensor): shape ``(levels, 2)``, ints: height and width of each image.
        offset (Tensor): shape ``(levels,)``, ints: where the pixels of each image begin among the keys.
        locations (Tensor): shape ``(batch, queries, heads, levels, points, 2)``: across and down, from 0 to 1.
        weight (Tensor): shape ``(batch, queries, heads, levels, points)``.
    Returns:
        Tensor of shape ``(batch, queries, heads * size)``; between pixels it is interpolated, beyond them there is 0.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> at = ops.ones((1, 1, 1, 1, 1, 2)) * 0.5, ops.ones((1, 1, 1, 1, 1))
        >>> value = Tensor([[[[1.0]], [[3.0]]]])
        >>> ops.multi_scale_deformable_attn_function(value, Tensor([[1, 2]]), Tensor([0]), *at).tolist()
        [[[2.0]]]
    Source: mindspore.ops.multi_scale_deformable_attn_function
    """
    owner = "multi_scale_deformable_attn_function"
    if value.ndim != 4 or locations.ndim != 6 or weight.shape != locations.shape[:-1]:
        check.refuse(ValueError, owner, "weight", f"of shape {locations.shape[:-1]}", weight.shape)
    if not len(shape) == len(offset) == locations.shape[3]:
        check.refuse(ValueError, owner, "shape", f"of {locations.shape[3]} heights and widths", shape)
    if any(start + height * width > value.shape[1] for (height, width), start in zip(shape, offset, strict=True)):
        check.refuse(ValueError, owner, "shape", f"images of {value.shape[1]} keys in all", shape)

    def one(image, points):
        """A head's points, shape (queries, points, 2), in its image (size, height, width)."""
        height, width = image.shape[1:]
        return interpolated(image, [points[..., 1] * height - 0.5, points[..., 0] * width - 0.5])

    total: Any = 0
    for level, ((height, width), start) in enumerate(zip(shape, offset, strict=True)):
        image = value[:, start : start + height * width].transpose(0, 2, 3, 1)
        image = image.reshape((*image.shape[:3], height, width))
        points = locations[:, :, :, level].swapaxes(1, 2)
        samples = jax.vmap(jax.vmap(one))(image, points)  # (batch, heads, size, queries, points)
        total = total + jnp.einsum("bhsqp,bqhp->bqhs", samples, weight[:, :, :, level])
    return total.reshape((*total.shape[:2], -1)).astype(value.dtype)


@op(name="_update_kv_cache")
def _update_kv_cache(cache: Array, new: Array, slots: Index):
    flat = cache.reshape((-1, *cache.shape[2:]))
    slots = jnp.where(slots < 0, len(flat), slots)  # beyond the end: dropped
    return flat.at[slots].set(new.reshape((-1, *cache.shape[2:])).astype(cache.dtype), mode="drop").reshape(cache.shape)


@composite("ReshapeAndCache")
def reshape_and_cache(
    key: Array,
    value: Array | None = None,
    key_cache: Array | None = None,
    value_cache: Array | None = None,
    slot_mapping: Index | None = None,
):
    """Writes keys and values of tokens into a paged cache of blocks.

    Args:
        key, value (Tensor): shape ``(tokens, heads, size)``, a float dtype.
        key_cache, value_cache (Parameter | Tensor): shape ``(blocks, block length, heads, size)``: written to.
        slot_mapping (Tensor): shape ``(tokens,)``, int32: the index of each token among those of all blocks; a
            negative one leaves it out.
    Returns:
        Tensor, ``key``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> cache = ops.zeros((2, 2, 1, 1))
        >>> _ = ops.ReshapeAndCache()(ops.ones((1, 1, 1)), None, cache, None, Tensor([2]))
        >>> cache.reshape(-1).tolist()
        [0.0, 0.0, 1.0, 0.0]
    Source: mindspore.ops.auto_generate.reshape_and_cache
    """
    owner = "ReshapeAndCache"
    for name, tensor in (("key_cache", key_cache), ("slot_mapping", slot_mapping)):
        if tensor is None:
            check.refuse(TypeError, owner, name, "a Tensor", tensor)
    if (value is None) != (value_cache is None):
        check.refuse(ValueError, owner, "value_cache", "given where 'value' is", value_cache)
    pairs: Any = ((key, key_cache), (value, value_cache))
    for new, cache in pairs:
        if new is None:
            continue
        if cache.ndim != 4 or slot_mapping.ndim != 1 or new.size != slot_mapping.size * cache.shape[2] * cache.shape[3]:
            expected = f"({slot_mapping.size}, heads, size) of the cache {cache.shape}"
            check.refuse(ValueError, owner, "key", f"of shape {expected}", new.shape)
        cache._write_(_update_kv_cache(cache, new, slot_mapping))
    return key


def _paged(owner, query, keys, values, tables, lengths, bias, heads, kv_heads, scale):
    count = len(keys)
    if keys.ndim != 4 or keys.shape[2] != kv_heads or heads % kv_heads:
        expected = f"of shape (blocks, block length, {kv_heads}, size)"
        check.refuse(ValueError, owner, "key_cache", expected, keys.shape)
    if tables.ndim != 2 or not tables.shape[0] == lengths.size == len(query):
        check.refuse(ValueError, owner, "block_tables", f"of shape ({len(query)}, blocks)", tables.shape)

    wide = jnp.promote_types(query.dtype, jnp.float32)

    def one(query, table, length_of_context, bias):
        key, value = (each[table].reshape((-1, *each.shape[2:])) for each in (keys, values))
        key, value = (jnp.repeat(each, heads // kv_heads, 1) for each in (key, value))
        scores = jnp.einsum("nd,tnd->nt", query, key, preferred_element_type=wide) * scale
        scores = scores if bias is None else scores + bias.reshape((-1, bias.shape[-1]))[:, : scores.shape[1]]
        hidden = jnp.arange(scores.shape[1]) >= length_of_context
        weights = jax.nn.softmax(jnp.where(hidden, jnp.finfo(scores.dtype).min, scores), -1)
        return jnp.einsum("nt,tnd->nd", weights.astype(value.dtype), value)

    apart = query.reshape((len(query), heads, keys.shape[3]))
    tables = jnp.clip(tables, 0, count - 1)  # unused entries of a table may be any number
    attended = jax.vmap(one, (0, 0, 0, None if bias is None else 0))(apart, tables, lengths.ravel(), bias)
    return attended.reshape(query.shape).astype(query.dtype)


@op(
    "PagedAttention(head_num, scale_value, kv_head_num, kv_cache_quant_mode='DEFAULT', mask_mode='MASK_DEFAULT', "
    "mla_v_dim=0)(query, key_cache, value_cache=None, block_tables=None, context_lens=None, antiquant_scale=None, "
    "antiquant_offset=None, attn_mask=None, q_seq_lens=None, alibi_mask=None)"
)
def _paged_attention(
    query: Array,
    key_cache: Array,
    value_cache: Array,
    block_tables: Index,
    context_lens: Index,
    antiquant_scale: OneOf(None),
    antiquant_offset: OneOf(None),
    attn_mask: OneOf(None),
    q_seq_lens: OneOf(None),
    alibi_mask: Array | None,
    head_num: PositiveInt,
    scale_value: Scalar(),
    kv_head_num: PositiveInt,
    kv_cache_quant_mode: OneOf("DEFAULT") = "DEFAULT",
    mask_mode: OneOf("MASK_DEFAULT") = "MASK_DEFAULT",
    mla_v_dim: OneOf(0) = 0,
):
    """Paged attention: one token of each sequence attends to keys and values in blocks, written by `ReshapeAndCache`.

    Args:
        query (Tensor): shape ``(tokens, head_num, size)``, or ``(tokens, head_num * size)``; a float dtype.
        key_cache, value_cache (Tensor): shape ``(blocks, block length, kv_head_num, size)``.
        block_tables (Tensor): shape ``(tokens, most blocks)``, int32: the blocks of each sequence, in order.
        context_lens (Tensor): shape ``(tokens,)``, int32: how many keys each sequence has.
        antiquant_scale, antiquant_offset, attn_mask, q_seq_lens (None): must be None. Default: ``None``.
        alibi_mask (Tensor): shape ``(tokens, keys)`` or ``(tokens, head_num, 1, keys)``: added to the scaled products.
            Default: ``None``.
        head_num (int): heads of ``query``.
        scale_value (float): the factor of the products.
        kv_head_num (int): heads of the caches, a divisor.
        kv_cache_quant_mode (str): must be 'DEFAULT', the default.
        mask_mode (str): must be 'MASK_DEFAULT', the default.
        mla_v_dim (int): must be 0, the default.
    Returns:
        Tensor of the shape and dtype of ``query``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or shapes do not fit.
    Example:
        >>> cache, one = Tensor([[[[2.0]], [[4.0]]]]), Tensor([[0]])
        >>> ops.PagedAttention(1, 0.0, 1)(ops.ones((1, 1, 1)), cache, cache, one, Tensor([2])).tolist()
        [[[3.0]]]
    Source: mindspore.ops.PagedAttention
    """
    inputs = query, key_cache, value_cache, block_tables, context_lens, alibi_mask
    return _paged("PagedAttention", *inputs, head_num, kv_head_num, scale_value)


@op(
    "PagedAttentionMask(head_num, scale_value, kv_head_num, kv_cache_quant_mode='DEFAULT')"
    "(query, key_cache, value_cache, block_tables, context_lens, antiquant_scale=None, antiquant_offset=None, "
    "alibi_mask=None)"
)
def _paged_attention_mask(
    query: Array,
    key_cache: Array,
    value_cache: Array,
    block_tables: Index,
    context_lens: Index,
    antiquant_scale: OneOf(None),
    antiquant_offset: OneOf(None),
    alibi_mask: Array | None,
    head_num: PositiveInt,
    scale_value: Scalar(),
    kv_head_num: PositiveInt,
    kv_cache_quant_mode: OneOf("DEFAULT") = "DEFAULT",
):
    """`PagedAttention` with a mask added to the scores.

    Args:
        query (Tensor): shape ``(tokens, head_num, size)``, or ``(tokens, head_num * size)``; a float dtype.
        key_cache, value_cache (Tensor): shape ``(blocks, block length, kv_head_num, size)``.
        block_tables (Tensor): shape ``(tokens, most blocks)``, int32: the blocks of each sequence, in order.
        context_lens (Tensor): shape ``(tokens,)``, int32: how many keys each sequence has.
        antiquant_scale, antiquant_offset (None): must be None. Default: ``None``.
        alibi_mask (Tensor): shape ``(tokens, head_num, 1, keys)``: what is added. Default: ``None``.
        head_num (int): heads of ``query``.
        scale_value (float): the factor of the products.
        kv_head_num (int): heads of the caches, a divisor.
        kv_cache_quant_mode (str): must be 'DEFAULT', the default.
    Returns:
        Tensor of the shape and dtype of ``query``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or shapes do not fit.
    Example:
        >>> cache, one = Tensor([[[[2.0]], [[4.0]]]]), Tensor([[0]])
        >>> bias = Tensor([[[[0.0, -1e9]]]])
        >>> attend = ops.PagedAttentionMask(1, 0.0, 1)
        >>> attend(ops.ones((1, 1, 1)), cache, cache, one, Tensor([2]), alibi_mask=bias).tolist()
        [[[2.0]]]
    Source: mindspore.ops.PagedAttentionMask
    """
    inputs = query, key_cache, value_cache, block_tables, context_lens, alibi_mask
    return _paged("PagedAttentionMask", *inputs, head_num, kv_head_num, scale_value)
