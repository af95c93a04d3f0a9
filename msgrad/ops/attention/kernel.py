"""Attention: the formulation that is fastest where it runs, without the weights of all pairs where that pays."""

import jax
import jax.numpy as jnp

from ...engine.fusion import takes_kernels
from ..random import positions
from . import kernels
from .formulations import in_blocks, whole
from .steps import Dropped

_LONG = 1024  # queries and keys: from the square of it on blocks are as fast on a CPU, and take far less memory


def pays(q, k, v, dtypes, is_dropped):
    """Whether `attention` is better than to hold all weights, by the shapes and dtypes of its operands."""
    return _is_long(q, k) or (not is_dropped and bool(kernels.platforms()) and kernels.may_fit(q, k, v, dtypes))


def _is_long(q, k):
    return q[-2] * k[-2] >= _LONG**2


def attention(q, k, v, steps=(), drop=None):
    """Scaled dot-product attention: ``dropped(softmax(steps(q @ k.T))) @ v`` for each head.

    Args:
        q (Array): shape ``(B, N, T, D)``.
        k, v (Array): shapes ``(B, K, S, D)`` and ``(B, K, S, E)``, where ``K`` divides ``N``.
        steps (sequence of Step): from products to scores.
        drop (Step): from weights to those that stay. Default: ``None``.
    Returns:
        Array of shape ``(B, N, T, E)`` and the dtype of ``v``.
    """
    if not k.shape[2]:
        return jnp.zeros((*q.shape[:3], v.shape[3]), v.dtype)  # a sum over no keys
    can_split = positions.are_known() or not isinstance(drop, Dropped)
    plain = in_blocks if (_is_long(q.shape, k.shape) or kernels.platforms()) and can_split else whole
    fast = kernels.kernels_for(q, k, v, steps, drop) if takes_kernels() else {}
    if not fast:
        return plain(q, k, v, steps, drop)
    return jax.lax.platform_dependent(**fast, default=lambda: plain(q, k, v, steps, drop))
