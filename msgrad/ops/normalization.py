"""Normalisation by statistics; what the layers of ``nn.norm`` compute."""

import jax
import jax.numpy as jnp

from .contracts import Array, Scalar
from .define import op


def _along(values, axis, rank):
    """``values``, one for each place along ``axis``, in the shape that broadcasts to an array of that rank."""
    return values.reshape([-1 if place == axis else 1 for place in range(rank)])


def _scaled(x, wide, mean, variance, gamma, beta, eps, axis):
    factor = gamma.astype(wide.dtype) * jax.lax.rsqrt(variance + eps)
    y = (wide - _along(mean, axis, x.ndim)) * _along(factor, axis, x.ndim)
    return (y + _along(beta.astype(wide.dtype), axis, x.ndim)).astype(x.dtype)


@op(name="_normalized")
def normalized(x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: Scalar(), axis):
    """Batch normalisation by given statistics."""
    wide = x.astype(jnp.promote_types(x.dtype, mean.dtype))
    return _scaled(x, wide, mean.astype(wide.dtype), variance.astype(wide.dtype), gamma, beta, eps, axis)


@op(name="_normalized_by_batch")
def normalized_by_batch(
    x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: Scalar(), momentum: Scalar(), axis
):
    """Batch normalisation by the statistics of ``x``, and the moving statistics moved towards them."""
    wide = x.astype(jnp.promote_types(x.dtype, mean.dtype))
    axes = tuple(place for place in range(x.ndim) if place != axis)
    batch_mean, batch_variance = wide.mean(axes), wide.var(axes)
    y = _scaled(x, wide, batch_mean, batch_variance, gamma, beta, eps, axis)
    count = x.size // x.shape[axis]
    unbiased = batch_variance * (count / max(count - 1, 1))
    moved = [
        momentum * old + (1 - momentum) * jax.lax.stop_gradient(new).astype(old.dtype)
        for old, new in ((mean, batch_mean), (variance, unbiased))
    ]
    return (y, *moved)


@op(name="_layer_normalized")
def layer_normalized(x: Array, gamma: Array, beta: Array, begin_norm_axis, epsilon: Scalar()):
    """Layer normalisation."""
    axes = tuple(range(begin_norm_axis % x.ndim, x.ndim))
    wide = x.astype(jnp.promote_types(x.dtype, gamma.dtype))
    y = (wide - wide.mean(axes, keepdims=True)) * jax.lax.rsqrt(wide.var(axes, keepdims=True) + epsilon)
    return (y * gamma + beta).astype(x.dtype)
