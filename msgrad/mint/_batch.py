"""Steps of synchronized batch norm, and a convolution over time."""

from .. import ops
from .._contracts.contracts import Array, Real
from ..ops._core.define import composite
from ..ops.nn.convolution import conv_tbc
from ..ops.nn.sync_batch_norm import batch_norm_elemt, batch_norm_stats, gathered_stats
from ._dialect import MINT

MINT.face(batch_norm_stats, "batch_norm_stats(input, eps)")
MINT.face(batch_norm_elemt, "batch_norm_elemt(input, weight=None, bias=None, mean=None, invstd=None, eps=1e-05)")
MINT.face(conv_tbc, "conv_tbc(input, weight, bias, pad=0)")


@composite(dialect=MINT)
def batch_norm_gather_stats_with_counts(
    input: Array,
    mean: Array,
    invstd: Array,
    running_mean: Array | None = None,
    running_var: Array | None = None,
    momentum: Real = 0.1,
    eps: Real = 1e-5,
    counts: Array | None = None,
):
    """Combines the statistics of several batches, and updates the running ones in place with ``momentum``.

    Args:
        input (Tensor): one of the batches, shape ``(N, C, ...)``.
        mean, invstd (Tensor): what `batch_norm_stats` gives of each, shape ``(B, C)``.
        running_mean, running_var (Tensor | None): shape ``(C,)``; with the unbiased variance. Default: ``None``.
        momentum (float): the part that the new ones have. Default: ``0.1``.
        eps (float): added to the variance. Default: ``1e-5``.
        counts (Tensor | None): elements of a channel in each batch, shape ``(B,)``. Default: ``None``, as in ``input``.
    Returns:
        tuple of two Tensors of shape ``(C,)``: the mean, and one over the root of the variance.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> x, mean, invstd = Tensor([[1.0], [3.0]]), Tensor([[2.0], [4.0]]), Tensor([[1.0], [1.0]])
        >>> mint.batch_norm_gather_stats_with_counts(x, mean, invstd, eps=0.0)[0].tolist()
        [3.0]
    Source: mindspore.mint.batch_norm_gather_stats_with_counts
    """
    if counts is None:
        counts = ops.ones((mean.shape[0],), mean.dtype) * (input.size // input.shape[1])
    whole, variance, count = gathered_stats(mean, invstd, counts, eps)
    unbiased = variance * (count / ops.maximum(count - 1, 1))
    for running, new in ((running_mean, whole), (running_var, unbiased)):
        if running is not None:
            running._write_(((1 - momentum) * running + momentum * new).astype(running.dtype))
    return whole, ops.rsqrt(variance + eps)
