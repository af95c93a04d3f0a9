"""Random numbers at some positions of an array, without the others: those of dropout, block by block."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._random.engines import as_floats, multiplied, powers
from ...engine._jax_private import random_words
from ...engine.jax_options import config
from .kernels import is_key, keyed


def are_known():
    """Whether JAX's numbers depend on their position alone, and not on how many are drawn."""
    return config.jax_threefry_partitionable


def kept_at(key, seed, keep_prob, positions, count):
    """Which elements dropout keeps, at these positions of ``count`` in row-major order (bool).

    Args:
        key (Array): a JAX key, or a state of ``minstd_rand0``.
        seed (int): as of `keyed`.
        keep_prob (Array): the probability, of no axes.
        positions (Array): uint64.
        count (int): the number of elements.
    """
    if is_key(key):
        return _uniform_at(keyed(key, seed), keep_prob.dtype, positions) < keep_prob
    rows, columns = map(jnp.asarray, powers(count))
    width = np.uint64(len(columns))
    states = multiplied(multiplied(key.astype(np.uint64), rows[positions // width]), columns[positions % width])
    return as_floats(states, jnp) < keep_prob.astype(np.float32)


def _uniform_at(key, dtype, positions):
    """The elements of ``jax.random.uniform(key, ..., dtype)`` at these positions; ``dtype`` is not bfloat16."""
    counters = jnp.stack([(positions >> np.uint64(32)).astype(np.uint32), positions.astype(np.uint32)])
    upper, lower = random_words(jax.random.key_data(key), counters)
    dtype = np.dtype(dtype)
    info, bits = jnp.finfo(dtype), np.dtype(f"uint{8 * dtype.itemsize}").type
    drawn = upper.astype(np.uint64) << np.uint64(32) | lower if info.bits == 64 else (upper ^ lower).astype(bits)
    # The bits of the mantissa of a number in [1, 2).
    in_range = drawn >> bits(info.bits - info.nmant) | np.ones((), dtype).view(bits)
    return jax.lax.bitcast_convert_type(in_range, dtype) - np.ones((), dtype)
