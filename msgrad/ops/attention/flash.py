"""Scaled dot-product attention with the masks, layouts and sequences of Ascend's kernels."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Int, PositiveInt, Real
from ..._contracts.kinds import Scalar
from ...engine.handle import Handle
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .formulations import statistics
from .kernel import attention
from .layouts import LAYOUTS, apart, as_given, packed_steps, sparse_steps
from .steps import Hidden, Kept, Plus, Shifted, Times, positions

FAR = 2147483647
_LINES = 1024  # rows of a 'real_shift' that says what depends on the distance alone


@op(name="_flash_attention")
def _flash_attention(
    query: Array, key: Array, value: Array, shift: Array | None, drop_mask: Array | None, mask: Array | None,
    prefix: Array | None, query_ends: Array | None, key_ends: Array | None, key_lengths: Array | None, heads, owner,
    scale: Scalar() = 1.0, keep_prob: Scalar() = 1.0, before=FAR, after=FAR, layout="BSH", mode=0, scaled_shift=True,
):  # fmt: skip
    """Attention of operands in a layout; the `attention` of `mindspore.ops` in its names' terms."""
    q, k, v = apart(owner, query, key, value, heads, layout)
    steps = _steps(q, k, shift, mask, prefix, query_ends, key_ends, key_lengths, scale, before, after, mode,
                   scaled_shift, owner)  # fmt: skip
    drop = None
    if drop_mask is not None:
        shape = (*q.shape[:3], k.shape[2])
        if drop_mask.size * 8 < q.size // max(q.shape[3], 1) * k.shape[2]:
            check.refuse(ValueError, owner, "drop_mask", f"of a bit for each of the weights {shape}", drop_mask.shape)
        bits = drop_mask.reshape(*shape[:3], -1)
        drop = Kept(jnp.unpackbits(bits, axis=-1, count=shape[3], bitorder="little") == 1, keep_prob)
    return as_given(attention(q, k, v, steps, drop), layout).astype(query.dtype)


_flash_attention.op.retraced = True


@op(name="_attention_statistics")
def _attention_statistics(query: Array, key: Array, shift: Array | None, mask: Array | None, heads, owner,
                          scale: Scalar() = 1.0, before=FAR, after=FAR, layout="BSH", mode=0):  # fmt: skip
    """The softmax statistics of `flash_attention_score`: maxima, which it subtracts, and sums, each 8 times."""
    q, k, _ = apart(owner, query, key, key, heads, layout)
    steps = _steps(q, k, shift, mask, None, None, None, None, scale, before, after, mode, True, owner)
    return tuple([jnp.repeat(each, 8, -1) for each in jnp.split(statistics(q, k, steps), 2, -1)])


def attention_statistics(query, key, real_shift, attn_mask, head_num, scale, pre_tokens, next_tokens, input_layout,
                         sparse_mode):  # fmt: skip
    """The softmax statistics of `flash_attention_score` with these arguments: maxima and sums, each 8 times."""
    return _attention_statistics(query, key, real_shift, attn_mask, head_num, "FlashAttentionScore", scale, pre_tokens,
                                 next_tokens, input_layout, sparse_mode)  # fmt: skip


def _steps(q, k, shift, mask, prefix, query_ends, key_ends, key_lengths, scale, before, after, mode, scaled_shift,
           owner):  # fmt: skip
    rows, columns = q.shape[2], k.shape[2]
    if query_ends is None:
        is_sparse = mode > 1 or (mode == 0 and mask is not None)
        hiding = sparse_steps(mode, rows, columns, before, after, prefix) if is_sparse else []
        row, column = positions(rows, columns)
    else:
        hiding, row, column = packed_steps(mode, before, after, query_ends, key_ends, rows, columns)
    steps = [Times(jnp.asarray(scale))]
    if shift is not None:
        shift = shift.reshape((1,) * (4 - shift.ndim) + shift.shape)
        is_line = shift.shape[2] == _LINES < rows
        if shift.shape[0] not in (1, q.shape[0]) or shift.shape[1] not in (1, q.shape[1]) or (
            shift.shape[2:] != ((_LINES if is_line else rows), shift.shape[3] if is_line else columns)
        ):  # fmt: skip
            expected = f"of a shape that broadcasts to the scores {(*q.shape[:3], columns)}"
            check.refuse(ValueError, owner, "real_shift", expected, shift.shape)
        added = Shifted(shift[:, :, -1:], row, column) if is_line else Plus(shift)
        steps = [added, *steps] if scaled_shift else [*steps, added]
    if mask is not None and mode in (0, 1, 5):
        steps.append(Hidden(lambda mask: mask != 0, _as_four_axes(mask, rows, columns, owner)))
    if key_lengths is not None:
        steps.append(Hidden(lambda at, length: at >= length, column, key_lengths.reshape(-1, 1, 1, 1)))
    return [*steps, *hiding]


def _as_four_axes(mask, rows, columns, owner):
    """A mask ``(S1, S2)``, ``(B, S1, S2)`` or of four axes, as one of four."""
    if mask.shape[-2:] != (rows, columns) and mask.ndim > 1:
        broadcast = all(own in (1, full) for own, full in zip(mask.shape[-2:], (rows, columns), strict=True))
        if not broadcast:
            check.refuse(ValueError, owner, "attn_mask", f"of last axes {(rows, columns)}", mask.shape)
    return mask[:, None] if mask.ndim == 3 else mask.reshape((1,) * (4 - mask.ndim) + mask.shape)


def lengths(value, name, owner):
    """A Tensor of lengths, which may be given as a tuple or list of ints; None stays None."""
    if value is None or isinstance(value, Handle):
        return value
    if not isinstance(value, (tuple, list)) or not all(type(each) is int for each in value):
        check.refuse(TypeError, owner, name, "a Tensor, or a tuple or list of ints", value)
    return Tensor(list(value))


@composite()
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
    scalar_value=1.0,
    pre_tokens: Int = FAR,
    next_tokens: Int = FAR,
    inner_precise: Int = 0,
    input_layout: OneOf(*LAYOUTS, "TND") = "BSH",
    sparse_mode: OneOf(0, 1, 2, 3, 4, 5) = 0,
):
    """Scaled dot-product attention: ``dropout(softmax(scalar_value * (query @ key.T + shift))) @ value`` for each head.

    Long sequences take memory that grows with their length, not with its square; GPUs and TPUs have kernels for it
    (docs/performance.md).

    Args:
        query, key, value (Tensor): in the layout; a float dtype. Keys and values may have fewer heads, a divisor.
        head_num (int): the number of heads of ``query``.
        real_shift (Tensor): added to the products before they are scaled, ``(1 or B, 1 or N, S1, S2)``. With ``S1``
            above 1024 it may have 1024 rows, the last ones of a bias that depends on the distance alone (ALiBi).
            Default: ``None``.
        drop_mask (Tensor): the weights that stay, a bit of each, uint8 of shape ``(B, N, S1, S2 // 8)``; must be given
            if ``keep_prob`` is below 1, and only then. Default: ``None``.
        padding_mask (Tensor): without effect, as in MindSpore. Default: ``None``.
        attn_mask (Tensor): 1 for pairs that are hidden; broadcast to ``(B, N, S1, S2)``. Modes 2 to 4 do not read it.
            Default: ``None``.
        prefix (Tensor | tuple[int] | list[int]): shape ``(B,)``, for mode 5: how many first keys all positions see.
            Default: ``None``.
        actual_seq_qlen, actual_seq_kvlen (Tensor | tuple[int] | list[int]): for the layout ``'TND'``, the cumulative
            lengths of the sequences. Default: ``None``.
        keep_prob (float): the probability that a weight stays, in ``(0, 1]``. Default: ``1.0``.
        scalar_value (float): the scale. Default: ``1.0``.
        pre_tokens, next_tokens (int): how far back and ahead a position looks, for mode 4, and for mode 0 with a mask.
            Default: ``2147483647``.
        inner_precise (int): without effect. Default: ``0``.
        input_layout (str): ``'BSH'``, ``'SBH'``, ``'BSND'`` or ``'BNSD'``: batch, sequence, heads, size; ``H`` is
            heads and size. ``'TND'``: sequences one behind another, heads, size. Default: ``'BSH'``.
        sparse_mode (int): 0 and 1 by the masks; 2: no position looks ahead; 3: nor from the end; 4: the band from the
            end; 5: as 3, but all look at the ``prefix``. Default: ``0``.
    Returns:
        Tensor of the layout and dtype of ``query``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for other values, or shapes that do not fit.
    Example:
        >>> ops.flash_attention_score(ops.ones((1, 2, 4)), ops.ones((1, 3, 4)), ops.ones((1, 3, 4)), 2).shape
        (1, 2, 4)
    Source: mindspore.ops.flash_attention_score
    """
    owner = "flash_attention_score"
    if not 0 < keep_prob <= 1:
        check.refuse(ValueError, owner, "keep_prob", "in the range (0, 1]", keep_prob)
    if (keep_prob == 1) != (drop_mask is None):
        expected = "None where 'keep_prob' is 1" if keep_prob == 1 else "a mask where 'keep_prob' is below 1"
        hint = "ops.DropoutGenMask makes one."
        check.refuse(ValueError, owner, "drop_mask", expected, drop_mask, hint)
    packed = {"actual_seq_qlen": actual_seq_qlen, "actual_seq_kvlen": actual_seq_kvlen}
    for name, ends in packed.items():
        if (input_layout == "TND") != (ends is not None):
            expected = "cumulative lengths in the layout 'TND', and None in others"
            check.refuse(ValueError, owner, name, expected, ends, "Hide what is padded by 'attn_mask'.")
    if input_layout == "TND" and (
        drop_mask is not None or sparse_mode == 5 or (attn_mask is not None and sparse_mode < 2)
    ):
        check.refuse(ValueError, owner, "input_layout", "not 'TND' with a mask or a prefix", input_layout)
    if (sparse_mode == 5) > (prefix is not None):
        check.refuse(ValueError, owner, "prefix", "given for 'sparse_mode' 5", prefix)
    ends = [lengths(each, name, owner) for name, each in packed.items()]
    prefix = lengths(prefix, "prefix", owner) if sparse_mode == 5 else None
    return _flash_attention(
        query, key, value, real_shift, drop_mask, attn_mask, prefix, *ends, None, head_num, owner, scalar_value,
        keep_prob, pre_tokens, next_tokens, input_layout, sparse_mode,
    )  # fmt: skip
