"""The rule of JAX's random bits: those of an element follow from its position among the true ones."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .._jax_private import random_words
from ..jax_options import config
from .layout import Padded
from .sizes import NotUniform


def _random_bits(site, key):
    lengths, sizes, dtype = site.lengths, site.results[0], site.dtypes[0]
    if not config.jax_threefry_partitionable or site.operands[0] or key.array.dtype.name != "key<fry>":
        raise NotUniform("random bits that depend on how many there are")
    shape, position, stride = lengths.shape(sizes), jnp.zeros((), np.uint64), jnp.ones((), np.uint64)
    for axis in reversed(range(len(shape))):
        coordinates = lax.broadcasted_iota(np.uint64, shape, axis)
        position, stride = position + coordinates * stride, stride * jnp.asarray(lengths.exact(sizes[axis]), np.uint64)
    position = jnp.broadcast_to(position, shape)
    counters = jnp.stack([(position >> np.uint64(32)).astype(np.uint32), position.astype(np.uint32)])
    upper, lower = random_words(jax.random.key_data(key.array), counters)
    if dtype.itemsize == 8:
        bits = upper.astype(np.uint64) << np.uint64(32) | lower
    else:
        bits = (upper ^ lower).astype(dtype)
    return Padded(bits, tuple([(size,) for size in sizes]), False)


RULES = {"random_bits": _random_bits}
