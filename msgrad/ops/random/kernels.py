"""Kernels that draw random numbers from a key, and the contracts of random operations."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, NonNegativeInt, Static, concrete
from ..._random.engines import as_floats, states_after
from ..._random.streams import op_seeds
from ...engine import dtypes, errors, random
from ...engine.handle import Handle
from ...engine.staging import Draw
from ...tensor.tensor import Tensor
from .._core.define import op


def keyed(key, seed=None):
    """A key of JAX's, of the stream that ``seed`` picks."""
    key = jax.random.wrap_key_data(key)
    return key if seed is None else jax.random.fold_in(key, seed % (1 << 32))


def is_key(drawn):
    """Whether what an operation was given to draw from is a key of JAX's, not what a `Stream` draws."""
    return drawn.dtype == np.uint32 and drawn.ndim == 1


@op(name="_normal_kernel")
def normal(key: Array, shape, dtype, seed=None):
    return jax.random.normal(keyed(key, seed), shape, dtype) if is_key(key) else key.astype(dtype)


@op(name="_uniform_kernel")
def uniform(key: Array, shape, dtype, seed=None):
    return jax.random.uniform(keyed(key, seed), shape, dtype) if is_key(key) else key.astype(dtype)


@op(name="_integers_kernel")
def integers(key: Array, low: Array, high: Array, shape, dtype, seed=None):
    return jax.random.randint(keyed(key, seed), shape, low, high, dtype) if is_key(key) else key.astype(dtype)


def uniform_of_state(state, shape):
    """Floats in [0, 1) that follow a state of ``minstd_rand0``, by its powers: each is made on its own."""
    states = states_after(state.astype(np.uint64), math.prod(shape), jnp)
    return as_floats(states, jnp).reshape(shape)


@op(name="_laplace_kernel")
def laplace(key: Array, shape, seed=None):
    return jax.random.laplace(keyed(key, seed), shape, np.float32)


@op(name="_gamma_kernel")
def gamma(key: Array, alpha: Array, shape, dtype, seed=None):
    return jax.random.gamma(keyed(key, seed), alpha.astype(dtype), shape, dtype)


@op(name="_beta_kernel")
def beta(key: Array, a: Array, b: Array, shape, dtype, seed=None):
    return jax.random.beta(keyed(key, seed), a, b, shape, dtype)


@op(name="_poisson_kernel")
def poisson(key: Array, rate: Array, shape, dtype, seed=None):
    return jax.random.poisson(keyed(key, seed), rate, shape).astype(dtype)


@op(name="_permuted_kernel")
def permuted(key: Array, x: Array, seed=None):
    return jax.random.permutation(keyed(key, seed), x)


@op(name="_chosen_kernel")
def chosen(key: Array, weights: Array, count, replacement, seed=None):
    key, logits = keyed(key, seed), jnp.log(weights.astype(np.float32))
    if replacement:
        picks = jax.random.categorical(key, logits, shape=(count, *weights.shape[:-1]))
        return jnp.moveaxis(picks, 0, -1).astype(np.int32)
    # The order of independent exponential arrival times is a draw without replacement.
    race = logits + jax.random.gumbel(key, weights.shape, np.float32)
    return jax.lax.top_k(race, count)[1].astype(np.int32)


@op(name="_is_chosen_kernel")
def is_chosen(key: Array, p: Array, shape, dtype):
    return (jax.random.uniform(keyed(key, None), shape) < p).astype(dtype)


def draw():
    """A key of the stream that follows ``mindspore.set_seed``."""
    return Draw.of(random.default_generator)


def draw_as(name, seed, stream, shape, *more):
    """What one call of the operation ``name`` draws in MindSpore with these seeds; a key where nothing is seeded.

    Args:
        name (str): by which calls are counted.
        seed (int | None): what the call was given.
        stream (type): the `Stream` class of the distribution.
        shape, more (tuple, object): its arguments.
    """
    seeds = op_seeds(name, seed)
    if seeds is None:
        return draw()
    with errors.of_memory():
        return Draw.of(stream(seeds, shape, *more, call=(name, seed)))


def fixed(seed):
    """The key of operations whose seed alone decides, at each call again."""
    return Tensor(random.Generator(seed).next_key())


def lengths(value, arg_name, owner):
    shape = check.ints(concrete(value), arg_name, owner)
    if any(length < 0 for length in shape):
        check.refuse(ValueError, owner, arg_name, "without negative lengths", shape)
    return shape


def _dtype_of_kind(kind, what):
    def rule(value, arg_name, owner):
        if not isinstance(value, dtypes.DType) or value.numpy is None or not jnp.issubdtype(value.numpy, kind):
            check.refuse(ValueError, owner, arg_name, what, value)
        return value

    return Static(rule, dtypes.DType)


def _bound(value, arg_name, owner):
    value = concrete(value)
    return check.integer(value[0] if isinstance(value, list) and len(value) == 1 else value, arg_name, owner)


Bound = Static(_bound, int, np.integer, Handle)
Shape = Static(lengths, int, tuple, list, Handle)
Seed = NonNegativeInt | None
FloatDtype = _dtype_of_kind(jnp.floating, "a float dtype")
IntDtype = _dtype_of_kind(jnp.integer, "an int dtype")


@op(name="_truncated_kernel")
def truncated(key: Array, low: Array, high: Array, shape, dtype):
    return jax.random.truncated_normal(keyed(key, None), low.astype(dtype), high.astype(dtype), shape, dtype)


@op(name="_cauchy_kernel")
def cauchy(key: Array, shape):
    return jax.random.cauchy(keyed(key, None), shape, np.float32)


@op(name="_exponential_kernel")
def exponential(key: Array, shape, dtype):
    return jax.random.exponential(keyed(key, None), shape, dtype)


@op(name="_spots_kernel")
def spots(key: Array, mask: Array, count):
    """``count`` indices where ``mask`` is True, in random order, and which of them there are."""
    race = jnp.where(mask.reshape(-1), jax.random.uniform(keyed(key, None), (mask.size,)), -1.0)
    taken = min(count, mask.size)
    scores, flat = jax.lax.top_k(race, taken)
    indices = jnp.stack(jnp.unravel_index(flat, mask.shape), axis=-1).astype(np.int32)
    is_true = scores >= 0
    indices = jnp.pad(jnp.where(is_true[:, None], indices, 0), ((0, count - taken), (0, 0)))
    return indices, jnp.pad(is_true, (0, count - taken))


@op(name="_sampled_kernel")
def sampled(key: Array, count, unique, limit, is_log):
    """Classes below ``limit`` and the number of tries that they took.

    With ``is_log``, class ``c`` has the probability ``log((c + 2) / (c + 1)) / log(limit + 1)``; else all are equal.
    """

    def pick(key, shape=()):
        place = jax.random.uniform(key, shape)
        whole = jnp.exp(place * np.log(limit + 1)) - 1 if is_log else place * limit
        return jnp.minimum(whole.astype(np.int32), limit - 1)

    key = keyed(key, None)
    if not unique:
        return pick(key, (count,)), jnp.asarray(count, np.int32)

    def more(state):
        key, seen, chosen, size, tries = state
        key, own = jax.random.split(key)
        choice = pick(own)
        is_new = ~seen[choice]
        chosen = jnp.where(is_new, chosen.at[size].set(choice), chosen)
        return key, seen.at[choice].set(True), chosen, size + is_new, tries + 1

    start = key, jnp.zeros(limit, bool), jnp.zeros(count, np.int32), jnp.int32(0), jnp.int32(0)
    _, _, chosen, _, tries = jax.lax.while_loop(lambda state: state[3] < count, more, start)
    return chosen, tries


@op(name="_padded_kernel")
def padded(x: Array, length, value):
    return jnp.pad(x, (0, length - x.shape[0]), constant_values=value)
