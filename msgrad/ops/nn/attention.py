"""Attention, and rotary position embeddings."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Int, PositiveInt, Real
from ..._contracts.kinds import Scalar
from .._core.define import op

_LAYOUTS = {  # for each layout: the axes batch, heads, sequence of a 4-d query; None if heads are merged
    "BSH": None,
    "SBH": None,
    "BSND": (0, 2, 1, 3),
    "BNSD": (0, 1, 2, 3),
}


def _heads_apart(x, heads, layout):
    """Reshapes an operand in any layout to ``(batch, heads, sequence, size)``."""
    if layout == "SBH":
        x = x.swapaxes(0, 1)
    if _LAYOUTS[layout] is None:
        x = x.reshape((*x.shape[:2], heads, -1)).swapaxes(1, 2)
        return x
    return x.transpose(_LAYOUTS[layout])


def _as_given(x, layout):
    if _LAYOUTS[layout] is not None:
        return x.transpose(_LAYOUTS[layout])
    x = x.swapaxes(1, 2)
    x = x.reshape((*x.shape[:2], -1))
    return x.swapaxes(0, 1) if layout == "SBH" else x


def _sparse_mask(rows, columns, before, after, mode):
    """The attention mask of a ``sparse_mode``: True for pairs of positions that are masked out."""
    distance = jnp.arange(columns) - jnp.arange(rows)[:, None]
    if mode == 2:
        return distance > 0
    if mode == 3:
        return distance > columns - rows
    if mode == 4:
        distance = distance - (columns - rows)
    return (distance > after) | (-distance > before)


def _heads_of(x, key, query, heads, layout):
    """Keys or values as ``(batch, heads, sequence, size)``, repeated where they have fewer heads than ``query``."""
    own = heads * key.shape[-1] // query.shape[-1] if _LAYOUTS[layout] is None else None
    x = _heads_apart(x, own, layout)
    return x if x.shape[1] == heads else jnp.repeat(x, heads // x.shape[1], 1)


def _scores(query, key, heads, shift, mask, scale, before, after, layout, mode):
    """The scaled products of queries and keys, ``(batch, heads, S1, S2)``; the lowest number for hidden pairs."""
    q, k = _heads_apart(query, heads, layout), _heads_of(key, key, query, heads, layout)
    wide = jnp.promote_types(q.dtype, jnp.float32)
    scores = jnp.einsum("bnsd,bntd->bnst", q, k, preferred_element_type=wide)
    scores = (scores if shift is None else scores + shift) * scale
    hidden = jnp.zeros((1, 1), bool) if mode == 1 else _sparse_mask(*scores.shape[2:], before, after, mode)
    if mask is not None and mode in (0, 1):
        hidden = hidden | (mask != 0)
    return jnp.where(hidden, jnp.finfo(wide).min, scores)


@op(name="_attention_statistics")
def attention_statistics(
    query: Array, key: Array, real_shift: Array | None, attn_mask: Array | None, head_num, scale, pre_tokens,
    next_tokens, input_layout, sparse_mode,
):  # fmt: skip
    """The softmax statistics of `flash_attention_score`: maxima, which it subtracts, and sums, each 8 times."""
    scores = _scores(query, key, head_num, real_shift, attn_mask, scale, pre_tokens, next_tokens, input_layout,
                     sparse_mode)  # fmt: skip
    largest = scores.max(-1, keepdims=True)
    total = jnp.exp(scores - largest).sum(-1, keepdims=True)
    return tuple(jnp.repeat(each, 8, -1) for each in (largest, total))


@op()
def flash_attention_score(
    query: Array,
    key: Array,
    value: Array,
    head_num: PositiveInt,
    real_shift: Array | None = None,
    drop_mask: Array | None = None,
    padding_mask: Array | None = None,
    attn_mask: Array | None = None,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    keep_prob: Real = 1.0,
    scalar_value: Scalar() = 1.0,
    pre_tokens: Int = 2147483647,
    next_tokens: Int = 2147483647,
    inner_precise: Int = 0,
    input_layout: OneOf(*_LAYOUTS) = "BSH",
    sparse_mode: OneOf(0, 1, 2, 3, 4) = 0,
):
    """Scaled dot-product attention: ``softmax(scalar_value * query @ key.T) @ value`` for each head.

    Args:
        query, key, value (Tensor): in the layout; a float dtype. Keys and values may have fewer heads, a divisor.
        head_num (int): the number of heads of ``query``.
        real_shift (Tensor): added to the products before they are scaled. Default: ``None``.
        drop_mask (Tensor): must be None, as ``keep_prob`` must be 1. Default: ``None``.
        padding_mask (Tensor): without effect, as in MindSpore. Default: ``None``.
        attn_mask (Tensor): 1 for pairs that are hidden; broadcast to ``(B, N, S1, S2)``. Default: ``None``.
        prefix, actual_seq_qlen, actual_seq_kvlen (tuple[int]): must be None. Default: ``None``.
        keep_prob (float): must be 1: use `dropout`. Default: ``1.0``.
        scalar_value (float): the scale. Default: ``1.0``.
        pre_tokens, next_tokens (int): how far back and ahead a position looks, for modes 0 and 4.
            Default: ``2147483647``.
        inner_precise (int): without effect. Default: ``0``.
        input_layout (str): ``'BSH'``, ``'SBH'``, ``'BSND'`` or ``'BNSD'``: batch, sequence, heads, size; ``H`` is
            heads and size. Default: ``'BSH'``.
        sparse_mode (int): 0 and 1 by the masks; 2: no position looks ahead; 3: nor from the end; 4: the band from the
            end. Default: ``0``.
    Returns:
        Tensor of the layout and dtype of ``query``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values.
    Example:
        >>> ops.flash_attention_score(ops.ones((1, 2, 4)), ops.ones((1, 3, 4)), ops.ones((1, 3, 4)), 2).shape
        (1, 2, 4)
    Source: mindspore.ops.flash_attention_score
    """
    owner = "flash_attention_score"
    absent = {"drop_mask": drop_mask, "prefix": prefix, "actual_seq_qlen": actual_seq_qlen,
              "actual_seq_kvlen": actual_seq_kvlen}  # fmt: skip
    for name, length in absent.items():
        if length is not None:
            check.refuse(ValueError, owner, name, "None: msgrad's attention has whole sequences", length)
    if keep_prob != 1:
        check.refuse(ValueError, owner, "keep_prob", "1", keep_prob, "Apply ops.dropout to the result.")
    weights = jax.nn.softmax(
        _scores(query, key, head_num, real_shift, attn_mask, scalar_value, pre_tokens, next_tokens, input_layout,
                sparse_mode), -1,
    )  # fmt: skip
    v = _heads_of(value, key, query, head_num, input_layout)
    attended = jnp.einsum("bnst,bntd->bnsd", weights.astype(v.dtype), v)
    return _as_given(attended, input_layout).astype(query.dtype)


@op()
def rotary_position_embedding(x: Array, cos: Array, sin: Array, mode: OneOf(0, 1) = 0):
    """Rotary position embedding: ``x * cos + rotated(x) * sin``, a rotation of pairs of elements of the last axis.

    Args:
        x (Tensor): of even length along the last axis, a float dtype.
        cos, sin (Tensor): of the angles, shapes that broadcast.
        mode (int): 0 for pairs half the axis apart, 1 for neighbours. Default: ``0``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``mode``, or the length is odd.
    Example:
        >>> ops.rotary_position_embedding(Tensor([1.0, 2.0]), Tensor([0.0, 0.0]), Tensor([1.0, 1.0])).tolist()
        [-2.0, 1.0]
    Source: mindspore.ops.rotary_position_embedding
    """
    if x.shape[-1] % 2:
        check.refuse(ValueError, "rotary_position_embedding", "x", "of even length along the last axis", x.shape)
    if mode:
        turned = jnp.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    else:
        first, second = jnp.split(x, 2, -1)
        turned = jnp.concatenate([-second, first], -1)
    return (x * cos + turned * sin).astype(x.dtype)
