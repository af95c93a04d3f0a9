"""The RNN transducer loss."""

import jax
import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.contracts import Array, Index, NonNegativeInt
from .._core.define import op


def _cost(log_probs, labels, times, count, blank):
    """The negative log probability of all paths through the grid of one sequence, ``(T, U, V)``."""
    silent = log_probs[:, :, blank]
    spoken = jnp.take_along_axis(log_probs[:, :-1], labels[None, :, None], 2)[:, :, 0]

    first = jnp.concatenate([jnp.zeros(1, silent.dtype), jnp.cumsum(spoken[0])])

    def next_label(last, step):
        arrived, emitted = step
        total = jnp.logaddexp(arrived, last + emitted)
        return total, total

    def next_time(last, step):
        quiet, emitted = step
        arrived = last + quiet
        _, rest = lax.scan(next_label, arrived[0], (arrived[1:], emitted))
        total = jnp.concatenate([arrived[:1], rest])
        return total, total

    _, rest = lax.scan(next_time, first, (silent[:-1], spoken[1:]))
    arrived = jnp.concatenate([first[None], rest])
    return -(arrived[times - 1, count] + silent[times - 1, count])


@op("RNNTLoss(blank_label=0)(acts, labels, input_lengths, label_lengths)", name="_rnnt_loss", wide=True)
def _rnnt_loss(acts: Array, labels: Index, input_lengths: Index, label_lengths: Index, blank_label: NonNegativeInt = 0):
    """RNN transducer loss of each sequence, and its gradient with respect to the logits.

    Args:
        acts (Tensor): shape ``(B, T, U, V)``, a float dtype: for each time and number of labels so far, the next one.
        labels (Tensor): shape ``(B, U - 1)``, int32.
        input_lengths (Tensor): shape ``(B,)``, int32: how many times each sequence has.
        label_lengths (Tensor): shape ``(B,)``, int32: how many labels.
        blank_label (int): the one that says nothing. Default: ``0``.
    Returns:
        tuple of two Tensors of dtype ``acts.dtype``: the losses ``(B,)``, and their gradients of the shape of ``acts``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit, or there is no such label.
    Example:
        >>> lengths = Tensor([2], mindspore.int32)
        >>> costs, gradients = ops.RNNTLoss()(ops.zeros((1, 2, 3, 5)), Tensor([[1, 2]]), lengths, lengths)
        >>> round(costs.item(), 3), gradients.shape
        (5.339, (1, 2, 3, 5))
    Source: mindspore.ops.RNNTLoss
    """
    check.dtype(acts, "f", "acts", "RNNTLoss")
    if acts.ndim != 4 or labels.shape != (acts.shape[0], acts.shape[2] - 1):
        check.refuse(ValueError, "RNNTLoss", "acts", "of shape (B, T, U, V) with labels (B, U - 1)", acts.shape)
    if not input_lengths.shape == label_lengths.shape == acts.shape[:1]:
        check.refuse(ValueError, "RNNTLoss", "input_lengths", f"of shape {acts.shape[:1]}", input_lengths.shape)
    if blank_label >= acts.shape[3]:
        check.refuse(ValueError, "RNNTLoss", "blank_label", f"below {acts.shape[3]}", blank_label)

    def cost(acts, *rest):
        return _cost(jax.nn.log_softmax(acts, -1), *rest, blank_label)

    return jax.vmap(jax.value_and_grad(cost))(acts, labels, input_lengths, label_lengths)
