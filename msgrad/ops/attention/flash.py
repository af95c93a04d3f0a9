"""Scaled dot-product attention with the masks, layouts and sequences of Ascend's kernels."""

from typing import Any

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Int, PositiveInt, Real
from ..._contracts.kinds import Scalar
from ...engine.handle import Handle
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from ..math.elementwise import log
from .formulations import statistics
from .kernel import attention
from .layouts import LAYOUTS, apart, as_given, packed_steps, sparse_steps
from .steps import Hidden, Kept, Plus, Shifted, Times, positions

FAR = 2147483647
_LINES = 1024  # rows of a 'real_shift' that says what depends on the distance alone


@op(name="_flash_attention")
def flash_attention(
    query: Array, key: Array, value: Array, shift: Array | None, mask: Array | None, key_lengths: Array | None,
    drop_mask: Array | None, prefix: Array | None, query_ends: Array | None, key_ends: Array | None,
    scale: Scalar(), keep_prob: Scalar(), owner, heads, layout, sparse, scaled_shift=True,
):  # fmt: skip
    """Attention of operands in a layout.

    Args:
        query, key, value (Tensor): in the layout.
        shift (Tensor): added to the products; scaled with them if ``scaled_shift`` is True.
        mask (Tensor): not 0 where pairs are hidden.
        key_lengths (Tensor): how many keys each sequence has.
        drop_mask (Tensor): bits of the weights that stay, with probability ``keep_prob``.
        prefix (Tensor): for mode 5.
        query_ends, key_ends (Tensor): cumulative lengths of packed sequences.
        sparse (tuple): the ``sparse_mode``, and how far back and ahead a position looks.
    """
    q, k, v = apart(owner, query, key, value, heads, layout)
    ends = None if query_ends is None else (query_ends, key_ends)
    steps = _steps(owner, q, k, scale, sparse, scaled_shift, shift, mask, key_lengths, prefix, ends)
    drop = None
    if drop_mask is not None:
        shape = (*q.shape[:3], k.shape[2])
        if drop_mask.shape != (*shape[:3], -(-shape[3] // 8)):
            expected = f"of a bit for each of the weights {shape}, so of shape {(*shape[:3], -(-shape[3] // 8))}"
            check.refuse(ValueError, owner, "drop_mask", expected, drop_mask.shape)
        drop = Kept(jnp.unpackbits(drop_mask, axis=-1, count=shape[3], bitorder="little") == 1, keep_prob)
    return as_given(attention(q, k, v, steps, drop), layout).astype(query.dtype)


flash_attention.op.retraced = True


@op(name="_attention_statistics")
def _attention_statistics(query: Array, key: Array, shift: Array | None, mask: Array | None, key_lengths: Array | None,
                          scale: Scalar(), owner, heads, layout, sparse, scaled_shift=True):  # fmt: skip
    q, k, _ = apart(owner, query, key, key, heads, layout)
    steps = _steps(owner, q, k, scale, sparse, scaled_shift, shift, mask, key_lengths)
    return tuple(jnp.split(statistics(q, k, steps), 2, -1))


def attention_statistics(query, key, real_shift, attn_mask, head_num, scale, pre_tokens, next_tokens, input_layout,
                         sparse_mode):  # fmt: skip
    """The softmax statistics of `flash_attention_score`: maxima, which it subtracts, and sums, each 8 times."""
    sparse = sparse_mode, pre_tokens, next_tokens
    made = _attention_statistics(query, key, real_shift, attn_mask, None, scale, "FlashAttentionScore", head_num,
                                 input_layout, sparse)  # fmt: skip
    return tuple([each.repeat_interleave(8, -1) for each in made])


def log_sum_exp(query, key, shift, mask, key_lengths, scale, owner, heads, layout, sparse):
    """The logarithm of the sum of powers of each row of scores, ``(B, N, S1, 1)``."""
    largest, total = _attention_statistics(query, key, shift, mask, key_lengths, scale, owner, heads, layout, sparse,
                                           False)  # fmt: skip
    return largest + log(total)


def _steps(owner, q, k, scale, sparse, scaled_shift, shift, mask, key_lengths, prefix=None, ends=None):
    """The steps from products to scores."""
    rows, columns, (mode, before, after) = q.shape[2], k.shape[2], sparse
    if ends is None:
        is_sparse = mode > 1 or (mode == 0 and mask is not None)
        hiding = sparse_steps(mode, rows, columns, before, after, prefix) if is_sparse else []
        row, column = positions(rows, columns)
    else:
        first, last = ends
        hiding, row, column = packed_steps(mode, before, after, first, last, rows, columns)
    steps: list[Any] = [Times(jnp.asarray(scale))]
    if shift is not None:
        added = _shift_step(owner, shift, q.shape, columns, row, column)
        steps = [added, *steps] if scaled_shift else [*steps, added]
    if mask is not None and mode in (0, 1, 5):
        steps.append(Hidden(lambda mask: mask != 0, _as_four_axes(mask, rows, columns, owner)))
    if key_lengths is not None:
        steps.append(Hidden(lambda at, length: at >= length, column, key_lengths.reshape(-1, 1, 1, 1)))
    return [*steps, *hiding]


def _shift_step(owner, shift, shape, columns, row, column):
    """The step of a bias ``(1 or B, 1 or N, S1, S2)``, or of its last 1024 rows."""
    shift = shift.reshape((1,) * (4 - shift.ndim) + shift.shape)
    is_line = shift.shape[2] == _LINES < shape[2]
    full = (*shape[:2], _LINES, shift.shape[3]) if is_line else (*shape[:3], columns)
    if shift.shape[2:] != full[2:] or any(own not in (1, every) for own, every in zip(shift.shape, full, strict=True)):
        check.refuse(ValueError, owner, "real_shift", f"of a shape that broadcasts to the scores {full}", shift.shape)
    return Shifted(shift[:, :, -1:], row, column) if is_line else Plus(shift)


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
    return flash_attention(
        query, key, value, real_shift, attn_mask, None, drop_mask, prefix, *ends, scalar_value, keep_prob, owner,
        head_num, input_layout, (sparse_mode, pre_tokens, next_tokens),
    )  # fmt: skip
