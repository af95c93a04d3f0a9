"""Rotary position embeddings."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array
from .._core.define import op


@op()
def rotary_position_embedding(x: Array, cos: Array, sin: Array, mode: OneOf(0, 1) = 0):
    """Rotary position embedding: ``x * cos + rotated(x) * sin``, a rotation of pairs of elements of the last axis.

    Args:
        x (Tensor): of even length along the last axis, a float dtype.
        cos, sin (Tensor): of the angles, shapes that broadcast.
        mode (int): 0 for pairs half the axis apart, 1 for neighbours. Default: ``0``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``mode``, or the length is odd.
    Example:
        >>> ops.rotary_position_embedding(Tensor([1.0, 2.0]), Tensor([0.0, 0.0]), Tensor([1.0, 1.0])).tolist()
        [-2.0, 1.0]
    Source: mindspore.ops.rotary_position_embedding
    """
    if x.shape[-1] % 2:
        check.refuse(ValueError, "rotary_position_embedding", "x", "of even length along the last axis", x.shape)
    if mode:
        turned = jnp.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    else:
        first, second = jnp.split(x, 2, -1)
        turned = jnp.concatenate([-second, first], -1)
    return (x * cos + turned * sin).astype(x.dtype)
