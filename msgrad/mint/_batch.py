"""The steps of a normalisation by the statistics of batches on several devices, and a convolution over time."""

import jax.numpy as jnp

from .. import ops
from ..ops import check
from ..ops.contracts import Array, NonNegativeInt, Real, Scalar
from ..ops.convolution import convolved
from ..ops.define import composite, op
from ..ops.normalization import along
from ._dialect import MINT


@op(dialect=MINT)
def batch_norm_stats(input: Array, eps: Scalar()):
    """The mean of each channel (axis 1), and one over the root of its variance.

    Args:
        input (Tensor): shape ``(N, C, ...)``, a float dtype.
        eps (float): added to the variance.
    Returns:
        tuple of two Tensors of shape ``(C,)``, float32.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> [each.tolist() for each in mint.batch_norm_stats(Tensor([[1.0], [3.0]]), 0.0)]
        [[2.0], [1.0]]
    Source: mindspore.mint.batch_norm_stats
    """
    wide = check.at_least_rank(input, 2, "input", "batch_norm_stats").astype(jnp.float32)
    axes = tuple(axis for axis in range(wide.ndim) if axis != 1)
    return wide.mean(axes), 1 / jnp.sqrt(wide.var(axes) + eps)


@op(name="_gathered")
def _gathered(mean: Array, invstd: Array, counts: Array, eps: Scalar()):
    """Mean, variance and count of all batches."""
    shares = counts.astype(mean.dtype)[:, None]
    count = shares.sum()
    whole = (mean * shares).sum(0) / count
    return whole, ((1 / invstd**2 - eps + (mean - whole) ** 2) * shares).sum(0) / count, count


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
    """The statistics of several batches from those of each; running ones move towards them by ``momentum``, in place.

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
    whole, variance, count = _gathered(mean, invstd, counts, eps)
    unbiased = variance * (count / ops.maximum(count - 1, 1))
    for running, new in ((running_mean, whole), (running_var, unbiased)):
        if running is not None:
            running.write(((1 - momentum) * running + momentum * new).astype(running.dtype))
    return whole, ops.rsqrt(variance + eps)


@op(dialect=MINT)
def batch_norm_elemt(
    input: Array,
    weight: Array | None = None,
    bias: Array | None = None,
    mean: Array | None = None,
    invstd: Array | None = None,
    eps: Real = 1e-5,
):
    """``weight * (input - mean) * invstd + bias`` for each channel (axis 1).

    Args:
        input (Tensor): shape ``(N, C, ...)``, a float dtype.
        weight, bias, mean, invstd (Tensor | None): shape ``(C,)``. Default: ``None``, 1, 0, 0 and 1.
        eps (float): without effect, as ``invstd`` has it already. Default: ``1e-5``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> mint.batch_norm_elemt(Tensor([[3.0]]), mean=Tensor([1.0]), invstd=Tensor([0.5])).tolist()
        [[1.0]]
    Source: mindspore.mint.batch_norm_elemt
    """
    y = input if mean is None else input - along(mean, 1, input.ndim)
    for factor in (invstd, weight):
        y = y if factor is None else y * along(factor, 1, input.ndim)
    return (y if bias is None else y + along(bias, 1, input.ndim)).astype(input.dtype)


@op(dialect=MINT)
def conv_tbc(input: Array, weight: Array, bias: Array, pad: NonNegativeInt = 0):
    """The convolution over time of sequences whose first axis is time.

    Args:
        input (Tensor): shape ``(T, B, C)``.
        weight (Tensor): shape ``(K, C, O)``.
        bias (Tensor): shape ``(O,)``.
        pad (int): how many zeros at both ends. Default: ``0``.
    Returns:
        Tensor of shape ``(T + 2 * pad - K + 1, B, O)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> mint.conv_tbc(ops.ones((5, 1, 2)), ops.ones((3, 2, 4)), ops.ones(4), 1).shape
        (5, 1, 4)
    Source: mindspore.mint.conv_tbc
    """
    if input.ndim != 3 or weight.ndim != 3 or input.shape[2] != weight.shape[1]:
        check.refuse(ValueError, "conv_tbc", "weight", "of shape (K, C, O) for an input (T, B, C)", weight.shape)
    y = convolved(jnp.transpose(input, (1, 2, 0)), jnp.transpose(weight, (2, 1, 0)), (1,), [(pad, pad)], (1,), 1)
    return jnp.transpose(y, (2, 0, 1)) + bias
