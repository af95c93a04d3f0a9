"""Dropping elements at random; what the layer ``nn.Dropout`` computes."""

import jax
import jax.numpy as jnp

from .contracts import Array, Scalar
from .define import op


@op(name="_dropped")
def dropped(x: Array, key: Array, keep_prob: Scalar()):
    """``x / keep_prob`` with that probability, else 0."""
    stays = jax.random.bernoulli(jax.random.wrap_key_data(key), keep_prob, x.shape)
    return jnp.where(stays, x / keep_prob, jnp.zeros_like(x))
