"""Attention: the formulation that is fastest where it runs, without the weights of all pairs where that pays."""

import jax
import jax.numpy as jnp

from ...engine.fusion import takes_kernels
from ..random import positions
from . import kernels
from .formulations import in_blocks, whole
from .steps import Dropped

# Queries and keys: from the square of it on blocks take far less memory than all weights, and are as fast on a CPU. On
# an H200, GPT-2's step in float32 took 51 ms with all weights at 1 024, and 62 with blocks. Dropout holds those that
# stay and the mask besides: GPT-2's step in bfloat16, compiled for an H100, needs 9 928 MiB of temporaries with all
# weights, and 5 171 with blocks.
_LONG, _LONG_ON_ACCELERATORS = 1024, 2048


def pays(q, k, v, dtypes, is_dropped):
    """Whether `attention` is better than to hold all weights, by the shapes and dtypes of its operands."""
    if not _are_known(q, k, v):
        return False
    return _is_long(q, k, is_dropped) or (
        not is_dropped and bool(kernels.platforms()) and kernels.may_fit(q, k, v, dtypes)
    )


def _are_known(*shapes):
    """Whether all lengths are numbers, as they are but in a program that is exported for any length."""
    return all([isinstance(length, int) for shape in shapes for length in shape])


def _is_long(q, k, is_dropped):
    holds_weights = kernels.platforms() and not is_dropped
    return q[-2] * k[-2] >= (_LONG_ON_ACCELERATORS if holds_weights else _LONG) ** 2


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
    if not _are_known(q.shape, k.shape, v.shape):
        return whole(q, k, v, steps, drop)
    if not k.shape[2]:
        return jnp.zeros((*q.shape[:3], v.shape[3]), v.dtype)  # a sum over no keys
    can_split = positions.are_known() or not isinstance(drop, Dropped)
    fast = kernels.kernels_for(q, k, v, steps, drop) if takes_kernels() else {}
    plain = in_blocks if (_is_long(q.shape, k.shape, drop is not None) or fast) and can_split else whole
    if not fast:
        return plain(q, k, v, steps, drop)
    return jax.lax.platform_dependent(**fast, default=lambda: plain(q, k, v, steps, drop))
