"""Connectionist temporal classification: the loss of labels that are not aligned in time, and the best labels."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, Int
from ..._contracts.kinds import TensorOf, concrete
from ...tensor.host_values import host_values
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._core.faces import primitive
from ..index.gathering import LENGTHS, check_within
from .regression_losses import Reduction

_INTS = TensorOf("int32", "int64")
_TIMES = "made of numbers of times below {1}"
_NONE = -1e30  # finite stand-in for log(0), so that sums stay finite


def _paths(log_probs, targets, input_lengths, target_lengths, blank):
    """The log probabilities of all paths to each position, shape ``(N, T, 2 S + 1)``, and of complete paths."""
    steps, batch, _ = log_probs.shape
    positions = 2 * targets.shape[1] + 1
    labels = jnp.full((batch, positions), blank).at[:, 1::2].set(targets)
    at = jnp.arange(positions)
    before = jnp.roll(labels, 2, 1)
    may_skip = (at >= 2) & (labels != blank) & (labels != before)
    own = jnp.take_along_axis(jnp.moveaxis(log_probs, 1, 0), labels[:, None, :], 2)  # (N, T, positions)
    start = jnp.where(at < 2, own[:, 0], _NONE)

    def step(alpha, each):
        emitted, time = each
        shifted = [jnp.where(at >= k, jnp.roll(alpha, k, 1), _NONE) for k in (1, 2)]
        total = jnp.logaddexp(jnp.logaddexp(alpha, shifted[0]), jnp.where(may_skip, shifted[1], _NONE)) + emitted
        alpha = jnp.where((time < input_lengths)[:, None], total, alpha)
        return alpha, alpha

    rest = jnp.moveaxis(own, 1, 0)[1:], jnp.arange(1, steps)
    last, alphas = jax.lax.scan(step, start, rest)
    ends = 2 * target_lengths[:, None]
    pairs = jnp.take_along_axis(last, jnp.concatenate([ends, jnp.maximum(ends - 1, 0)], 1), 1)
    whole = jnp.logaddexp(pairs[:, 0], jnp.where(target_lengths > 0, pairs[:, 1], _NONE))
    # No path has fewer times than labels; without either there is one.
    whole = jnp.where(target_lengths > input_lengths, jnp.asarray(_NONE, whole.dtype), whole)
    whole = jnp.where((input_lengths > 0) | (target_lengths > 0), whole, 0)
    return jnp.concatenate([start[None], alphas]).swapaxes(0, 1), whole


def _losses(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity, owner):
    if check.dtype(log_probs, "f", "log_probs", owner).ndim != 3 or targets.ndim != 2:
        check.refuse(ValueError, owner, "targets", "of shape (N, S), for log probabilities (T, N, C)", targets.shape)
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if lengths.shape != log_probs.shape[1:2]:
            check.refuse(
                ValueError, owner, name, f"of shape {log_probs.shape[1:2]}, one for each sequence", lengths.shape
            )
    if not 0 <= blank < log_probs.shape[2]:
        check.refuse(ValueError, owner, "blank", f"in the range [0, {log_probs.shape[2]})", blank)
    alphas, whole = _paths(log_probs, targets, input_lengths, target_lengths, blank)
    impossible = whole <= _NONE / 2
    loss = jnp.where(impossible, 0 if zero_infinity else jnp.inf, -whole)
    return loss.astype(log_probs.dtype), jnp.where(alphas <= _NONE / 2, -jnp.inf, alphas)


def _look_at_lengths(log_probs, targets, input_lengths, target_lengths):
    limits = (("input_lengths", input_lengths, log_probs, 0), ("target_lengths", target_lengths, targets, 1))
    for name, lengths, whole, axis in limits:
        if axis < whole.ndim:
            check_within(lengths, 0, whole.shape[axis] + 1, name, "CTCLossV2", expected=LENGTHS)


@op(wide=True, look=_look_at_lengths)
def ctc_loss(
    log_probs: Array,
    targets: _INTS,
    input_lengths: _INTS,
    target_lengths: _INTS,
    blank: Int = 0,
    reduction: Reduction = "mean",
    zero_infinity: Bool = False,
):
    """CTC loss: the negative log-likelihood of labels under classes over time, repeated ones merged.

    Args:
        log_probs (Tensor): log probabilities, shape ``(T, N, C)``, a float dtype.
        targets (Tensor): the labels, shape ``(N, S)``, int32 or int64.
        input_lengths, target_lengths (Tensor): how many times, and labels, count; shape ``(N,)``, int32 or int64.
        blank (int): the class that is not a label. Default: ``0``.
        reduction (str): ``'mean'`` (of the losses by the numbers of labels), ``'sum'`` or ``'none'``.
            Default: ``'mean'``.
        zero_infinity (bool): whether the loss of labels that are too many is 0. Default: ``False``.
    Returns:
        tuple of two Tensors: the loss, of rank 0, or of shape ``(N,)`` for ``'none'``; and the logarithms of the
        probabilities of paths, shape ``(N, T, 2 S + 1)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``blank`` is out of range, or the shapes do not fit.
        RuntimeError: if a length is below 0 or above ``T`` or ``S``.
    Example:
        >>> probs = ops.log_softmax(ops.zeros((1, 1, 2)))
        >>> ops.ctc_loss(probs, Tensor([[1]]), Tensor([1]), Tensor([1]))[0].item()
        0.6931471824645996
    Source: mindspore.ops.ctc_loss
    """
    loss, alphas = _losses(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity, "CTCLossV2")
    if reduction == "mean":
        loss = jnp.mean(loss / jnp.maximum(target_lengths, 1).astype(loss.dtype))
    # The log probabilities of paths have no gradient, as in MindSpore: a gradient of both results is that of the loss.
    return jnp.sum(loss) if reduction == "sum" else loss, jax.lax.stop_gradient(alphas)


primitive(
    ctc_loss,
    "CTCLossV2(blank=0, reduction='none', zero_infinity=False)(log_probs, targets, input_lengths, target_lengths)",
)


def _look_at_labels(x, labels_indices, labels_values, sequence_length, ignore_longer_outputs_than_inputs):
    if x.ndim != 3 or labels_indices.ndim != 2:
        return
    steps, batch, _ = x.shape
    check_within(sequence_length, 1, steps + 1, "sequence_length", "CTCLoss", expected=LENGTHS)
    indices, lengths = host_values(labels_indices), host_values(sequence_length)
    if indices is None or not indices.size:
        return
    rows = indices[:, 0]
    outside = rows[(rows < 0) | (rows >= batch)]
    if outside.size:
        check.refuse(RuntimeError, "CTCLoss", "labels_indices", f"of rows in the range [0, {batch})", int(outside[0]))
    if lengths is not None and lengths.shape == (batch,) and not ignore_longer_outputs_than_inputs:
        counts = np.bincount(rows, minlength=batch)
        if (counts > lengths).any():
            expected = "at least the number of labels of each sequence, unless 'ignore_longer_outputs_than_inputs'"
            check.refuse(RuntimeError, "CTCLoss", "sequence_length", f"{expected}, {counts.tolist()}", lengths.tolist())


@op(
    "CTCLoss(preprocess_collapse_repeated=False, ctc_merge_repeated=True, ignore_longer_outputs_than_inputs=False)",
    name="_ctc_loss_of_sparse",
    look=_look_at_labels,
    wide=True,
)
def _ctc_loss_of_sparse(
    x: Array,
    labels_indices: Array,
    labels_values: Array,
    sequence_length: Array,
    preprocess_collapse_repeated: OneOf(False) = False,
    ctc_merge_repeated: OneOf(True) = True,
    ignore_longer_outputs_than_inputs: Bool = False,
):
    """The same loss of scores and of labels in sparse form; the last class is the blank.

    Args:
        x (Tensor): scores, shape ``(T, N, C)``, a float dtype.
        labels_indices (Tensor): row and column of each label, shape ``(L, 2)``, int64.
        labels_values (Tensor): the labels, shape ``(L,)``, int32.
        sequence_length (Tensor): how many times count, shape ``(N,)``, int32.
        preprocess_collapse_repeated (bool): must be False, the default.
        ctc_merge_repeated (bool): must be True, the default.
        ignore_longer_outputs_than_inputs (bool): whether labels may be more than times; the loss is then infinity.
            Default: ``False``, an exception.
    Returns:
        tuple of two Tensors: the losses, shape ``(N,)``, and their derivatives with respect to ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is not one of these, or the shapes do not
            fit.  RuntimeError: if a label is of no row, or a length is out of range.
    Example:
        >>> given = ops.zeros((1, 1, 2)), Tensor([[0, 0]]), Tensor([0], mindspore.int32), Tensor([1], mindspore.int32)
        >>> ops.CTCLoss()(*given)[0].tolist()
        [0.6931471824645996]
    Source: mindspore.ops.CTCLoss
    """
    steps, batch, classes = x.shape
    rows, columns = labels_indices[:, 0], labels_indices[:, 1]
    targets = jnp.full((batch, steps), classes - 1).at[rows, columns].set(labels_values, mode="drop")
    lengths = jnp.zeros(batch, jnp.int32).at[rows].add(1)
    if labels_values.shape != labels_indices.shape[:1]:
        expected = f"of shape {labels_indices.shape[:1]}, one for each of 'labels_indices'"
        check.refuse(ValueError, "CTCLoss", "labels_values", expected, labels_values.shape)

    def losses(x):
        scores = jax.nn.log_softmax(x, -1)
        return _losses(scores, targets, sequence_length, lengths, classes - 1, False, "CTCLoss")[0]

    loss, back = jax.vjp(losses, x)
    return loss, jax.lax.stop_gradient(back(jnp.ones_like(loss))[0])


@op(name="_greedy_classes")
def _greedy_classes(inputs: Array, sequence_length: Array):
    counts = jnp.arange(inputs.shape[0])[:, None] < sequence_length
    return jnp.argmax(inputs, -1), -jnp.sum(jnp.where(counts, inputs.max(-1), 0), 0)[:, None]


@composite("CTCGreedyDecoder(merge_repeated=True)")
def ctc_greedy_decoder(inputs: Array, sequence_length: Array, merge_repeated: Bool = True):
    """Greedy CTC decoding: the best class at each step, without blanks (the last class). It reads values on the host.

    Args:
        inputs (Tensor): scores, shape ``(T, N, C)``, a float dtype.
        sequence_length (Tensor): how many times count, shape ``(N,)``, int32.
        merge_repeated (bool): whether what repeats is one label. Default: ``True``.
    Returns:
        tuple of four Tensors: row and column of each label, shape ``(L, 2)``, int64; the labels, shape ``(L,)``, int64;
        how many rows there are and columns at most, shape ``(2,)``, int64; minus the sum of the best scores, shape
        ``(N, 1)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not fit.
    Example:
        >>> ops.ctc_greedy_decoder(Tensor([[[1.0, 0.0]], [[0.0, 1.0]]]), Tensor([2], mindspore.int32))[1].tolist()
        [0]
    Source: mindspore.ops.ctc_greedy_decoder, mindspore.ops.CTCGreedyDecoder
    """
    if inputs.ndim != 3 or sequence_length.shape != inputs.shape[1:2]:
        check.refuse(ValueError, "CTCGreedyDecoder", "sequence_length", "of shape (N,), for scores (T, N, C)",
                     sequence_length.shape)  # fmt: skip
    least = np.iinfo(np.int32).min
    check_within(sequence_length, least, len(inputs) + 1, "sequence_length", "CTCGreedyDecoder", expected=_TIMES)
    best, total = _greedy_classes(inputs, sequence_length)
    lengths, blank = [max(length, 0) for length in concrete(sequence_length)], inputs.shape[2] - 1
    best = np.array(concrete(best))
    indices, labels, maximum = [], [], 0
    for row, length in enumerate(lengths):
        labelled = best[:length, row]
        starts = np.append(True, labelled[1:] != labelled[:-1]) if merge_repeated else np.ones(len(labelled), bool)
        labelled = labelled[starts[: len(labelled)] & (labelled != blank)]
        indices += [[row, index] for index in range(len(labelled))]
        labels += labelled.tolist()
        maximum = max(maximum, len(labelled))
    pairs = np.array(indices, np.int64).reshape((-1, 2))
    return Tensor(pairs), Tensor(np.array(labels, np.int64)), Tensor(np.array([len(lengths), maximum])), total
