"""Synchronized batch norm over several processes, and its steps."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Int
from ..._contracts.kinds import Scalar
from .._core.define import op
from ..collective import exchanges
from ..collective.collective import exchanged
from .normalization import along, normalized


@op(name="_batch_norm_stats", wide=True)
def batch_norm_stats(input: Array, eps: Scalar()):
    """The mean of each channel (axis 1), and the reciprocal of its standard deviation.

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


@op(name="_combined_statistics", wide=True)
def gathered_stats(mean: Array, invstd: Array, counts: Array, eps: Scalar()):
    """Mean, variance and count of all batches."""
    shares = counts.astype(mean.dtype)[:, None]
    count = shares.sum()
    whole = (mean * shares).sum(0) / count
    return whole, ((1 / invstd**2 - eps + (mean - whole) ** 2) * shares).sum(0) / count, count


@op(name="_batch_norm_elemt", wide=True)
def batch_norm_elemt(
    input: Array,
    weight: Array | None = None,
    bias: Array | None = None,
    mean: Array | None = None,
    invstd: Array | None = None,
    eps: Scalar() = 1e-5,
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


@op(name="_local_statistics", wide=True)
def _local_statistics(x: Array, axis: Int):
    """Mean and variance of each channel, and the number of values: ``(1, 2 * C + 1)``, at least float32."""
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    axes = tuple([each for each in range(x.ndim) if each != axis])
    count = jnp.full((1,), x.size // max(x.shape[axis], 1), wide.dtype)
    return jnp.concatenate([wide.mean(axes), wide.var(axes), count])[None]


@op(name="_global_statistics", wide=True)
def _global_statistics(each: Array, mean: Array, variance: Array, momentum: Scalar()):
    """Mean and variance over the batches of all processes, and the updated moving ``mean`` and ``variance``."""
    channels = each.shape[1] // 2
    means, variances, counts = each[:, :channels], each[:, channels:-1], each[:, -1:]
    count = counts.sum()
    whole_mean = (means * counts).sum(0) / count
    whole_variance = ((variances + (means - whole_mean) ** 2) * counts).sum(0) / count
    unbiased = whole_variance * count / jnp.maximum(count - 1, 1)
    moved = [
        ((1 - momentum) * old + momentum * jax.lax.stop_gradient(new)).astype(old.dtype)
        for old, new in ((mean, whole_mean), (variance, unbiased))
    ]
    return (whole_mean, whole_variance, *moved)


def normalize_together(x, gamma, beta, mean, variance, eps, momentum, axis, group):
    """Batch norm in training with the statistics of all processes of a group (`groups.Group`), in one collective.

    ``mean`` and ``variance`` move towards them by ``momentum``. Gradients are those of the sum of all losses.

    Returns:
        Tensor of the shape and dtype of ``x``.
    """
    own = _local_statistics(x, axis)
    whole = _global_statistics(exchanged(exchanges.all_gather(), group, own), mean, variance, momentum)
    mean._write_(whole[2])
    variance._write_(whole[3])
    return normalized(x, gamma, beta, whole[0], whole[1], eps, axis)
