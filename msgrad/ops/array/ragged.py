"""Operations on ragged data: edit distance, ranges, slices of sparse arrays, accidental hits, repeated n-grams."""

import itertools

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Dtype, Index, PositiveInt, Shape
from ...tensor.tensor import Tensor
from .._core.define import composite, op


def _distance(first, second):
    """The smallest number of insertions, deletions and substitutions that turn a sequence into another."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        last, row = row, [i]
        for j, b in enumerate(second, 1):
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b)))
    return row[-1]


def _groups(indices, values):
    """The values of a sparse array, grouped by all indices but the last."""
    groups = {}
    for index, value in zip(indices.tolist(), values.tolist(), strict=True):
        groups.setdefault(tuple(index[:-1]), []).append(value)
    return groups


@composite(
    "EditDistance(normalize=True)"
    "(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape)",
    name="_edit_distance",
)
def _edit_distance(
    hypothesis_indices: Array,
    hypothesis_values: Array,
    hypothesis_shape: Shape,
    truth_indices: Array,
    truth_values: Array,
    truth_shape: Shape,
    normalize: Bool = True,
):
    """Edit distance of sequences, those of two sparse arrays along the last axis. It reads values on the host.

    Args:
        hypothesis_indices, truth_indices (Tensor): shapes ``(N, R)`` and ``(M, R)``, int64, in ascending order.
        hypothesis_values, truth_values (Tensor): shapes ``(N,)`` and ``(M,)``.
        hypothesis_shape, truth_shape (Tensor): ``R`` lengths: the dense shapes.
        normalize (bool): whether to divide distances by the lengths of the second sequences; for length 0 the result is
            infinite, or 0 if both are empty. Default: ``True``.
    Returns:
        Tensor of the greater shape without the last axis, float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> given = Tensor([[0, 0], [0, 1]]), Tensor([1, 2]), (1, 2), Tensor([[0, 0]]), Tensor([2]), (1, 1)
        >>> ops.EditDistance()(*given).tolist()
        [1.0]
    Source: mindspore.ops.EditDistance
    """
    sides = []
    sequences = (hypothesis_indices, hypothesis_values), (truth_indices, truth_values)
    for name, (indices, values) in zip(("hypothesis", "truth"), sequences, strict=True):
        indices, values = indices._values_(), values._values_()
        if indices.ndim != 2 or indices.shape != (len(values), len(truth_shape)):
            expected = f"of shape {(len(values), len(truth_shape))}"
            check.refuse(ValueError, "EditDistance", f"{name}_indices", expected, indices.shape)
        sides.append(_groups(indices, values))
    if len(hypothesis_shape) != len(truth_shape):
        check.refuse(ValueError, "EditDistance", "truth_shape", f"of {len(hypothesis_shape)} lengths", truth_shape)
    shape = tuple(map(max, hypothesis_shape[:-1], truth_shape[:-1]))
    distances = np.zeros(shape, np.float32)
    for index in itertools.product(*map(range, shape)):
        hypothesis, truth = (side.get(index, []) for side in sides)
        distance = _distance(hypothesis, truth)
        if normalize and distance:
            distance = distance / len(truth) if truth else np.inf
        distances[index] = distance
    return Tensor(distances)


@composite("RaggedRange(Tsplits)(starts, limits, deltas)", name="_ragged_range")
def _ragged_range(starts: Array, limits: Array, deltas: Array, Tsplits: Dtype):  # noqa: N803  MindSpore's name
    """Several ranges, in sequence. It reads values on the host.

    Args:
        starts, limits, deltas (Tensor): shape ``(N,)`` or ``()``, one numeric dtype: the start, limit and step (not 0)
            of each range.
        Tsplits (mindspore.dtype): int32 or int64: of the splits.
    Returns:
        tuple of two Tensors: where each range begins, and the end; the numbers, of the dtype of ``starts``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes differ, or a step is 0.
    Example:
        >>> splits, numbers = ops.RaggedRange(mindspore.int64)(Tensor([2, 8]), Tensor([3, 10]), Tensor([1, 1]))
        >>> splits.tolist(), numbers.tolist()
        ([0, 1, 3], [2, 8, 9])
    Source: mindspore.ops.RaggedRange
    """
    rows = [each._values_() for each in (starts, limits, deltas)]
    if not rows[0].shape == rows[1].shape == rows[2].shape or rows[0].ndim > 1:
        shapes = [each.shape for each in rows]
        check.refuse(ValueError, "RaggedRange", "limits", "of the shape of 'starts' and 'deltas', () or (N,)", shapes)
    if not rows[2].all():
        check.refuse(ValueError, "RaggedRange", "deltas", "without 0", deltas)
    dtype, ranges = rows[0].dtype, []
    for start, limit, delta in zip(*map(np.atleast_1d, rows), strict=True):
        count = max(int(np.ceil((limit - start) / delta)), 0)
        ranges.append((start + np.arange(count) * delta).astype(dtype))
    splits = np.cumsum([0, *map(len, ranges)])
    return Tensor(splits.astype(Tsplits.numpy)), Tensor(np.concatenate([*ranges, np.zeros(0, dtype)]))


@composite("SparseSlice", name="_sparse_slice")
def _sparse_slice(indices: Array, values: Array, shape: Shape, start: Shape, size: Shape):
    """Slices a sparse array. It reads values on the host.

    Args:
        indices (Tensor): shape ``(N, R)``, int64.
        values (Tensor): shape ``(N,)``.
        shape (Tensor): ``R`` lengths: the dense shape.
        start, size (Tensor): ``R`` ints each: the first index and the length along each axis.
    Returns:
        tuple of three Tensors: the indices, values and shape of the part.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> given = Tensor([[0, 1], [2, 2]]), Tensor([1.0, 2.0]), Tensor([3, 4])
        >>> [each.tolist() for each in ops.SparseSlice()(*given, Tensor([1, 1]), Tensor([2, 2]))]
        [[[1, 1]], [2.0], [2, 2]]
    Source: mindspore.ops.SparseSlice
    """
    tuples = indices._values_()
    if tuples.ndim != 2 or not tuples.shape[1] == len(shape) == len(start) == len(size):
        check.refuse(ValueError, "SparseSlice", "indices", f"of shape (N, {len(shape)})", tuples.shape)
    low = np.array(start)
    high = np.minimum(low + size, shape)
    rows = np.flatnonzero(((tuples >= low) & (tuples < high)).all(1))
    return Tensor(tuples[rows] - low), values[Tensor(rows)], Tensor(np.maximum(high - low, 0))


@composite("ComputeAccidentalHits(num_true=1)(true_classes, sampled_candidates)", name="_accidental_hits")
def _accidental_hits(true_classes: Index, sampled_candidates: Index, num_true: PositiveInt = 1):
    """Accidental hits: the sampled classes that are true classes. It reads values on the host.

    Args:
        true_classes (Tensor): shape ``(batch, num_true)``, an int dtype.
        sampled_candidates (Tensor): shape ``(samples,)``, an int dtype.
        num_true (int): the number of true classes of each row. Default: ``1``.
    Returns:
        tuple of three Tensors: the rows (int32), the indices of the samples (int64), and for each the smallest float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> rows, columns, _ = ops.ComputeAccidentalHits()(Tensor([[1], [5]]), Tensor([5, 2, 1]))
        >>> rows.tolist(), columns.tolist()
        ([0, 1], [2, 0])
    Source: mindspore.ops.ComputeAccidentalHits
    """
    true, sampled = true_classes._values_(), sampled_candidates._values_()
    if true.ndim != 2 or true.shape[1] != num_true or sampled.ndim != 1:
        expected = f"of shape (batch, {num_true}), and 'sampled_candidates' of one axis"
        check.refuse(ValueError, "ComputeAccidentalHits", "true_classes", expected, true.shape)
    rows, _, columns = np.nonzero(true[:, :, None] == sampled)
    weights = np.full(len(rows), np.finfo(np.float32).min, np.float32)
    return Tensor(rows.astype(np.int32)), Tensor(columns), Tensor(weights)


@op("NoRepeatNGram(ngram_size=1)(state_seq, log_probs)", name="_no_repeat_ngram")
def _no_repeat_ngram(state_seq: Index, log_probs: Array, ngram_size: PositiveInt = 1):
    """Masks words that would repeat an n-gram of ``ngram_size`` words.

    Args:
        state_seq (Tensor): shape ``(batch, beams, length)``, an int dtype: the words so far.
        log_probs (Tensor): shape ``(batch, beams, words)``, a float dtype.
        ngram_size (int): at most ``length``. Default: ``1``.
    Returns:
        Tensor of the shape and dtype of ``log_probs``; the smallest number for forbidden words.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``ngram_size`` is too great, or shapes do not fit.
    Example:
        >>> logits = ops.NoRepeatNGram(2)(Tensor([[[1, 0, 1]]]), Tensor([[[0.5, 0.25]]]))
        >>> (logits < -1e38).tolist()
        [[[True, False]]]
    Source: mindspore.ops.NoRepeatNGram
    """
    owner, length = "NoRepeatNGram", state_seq.shape[-1]
    if state_seq.ndim != 3 or state_seq.shape[:2] != log_probs.shape[:2]:
        check.refuse(ValueError, owner, "state_seq", f"of shape {(*log_probs.shape[:2], 'length')}", state_seq.shape)
    if ngram_size > length:
        check.refuse(ValueError, owner, "ngram_size", f"at most {length}, the length of 'state_seq'", ngram_size)
    minimum, start = jnp.finfo(log_probs.dtype).min, length - ngram_size + 1
    forbidden = jnp.zeros(log_probs.shape, bool)
    words = jnp.arange(log_probs.shape[-1])
    for index in range(start):
        repeats = jnp.all(state_seq[..., index : index + ngram_size - 1] == state_seq[..., start:], -1)
        forbidden |= repeats[..., None] & (words == state_seq[..., index + ngram_size - 1, None])
    return jnp.where(forbidden, minimum, log_probs)
