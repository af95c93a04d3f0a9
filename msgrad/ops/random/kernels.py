"""Kernels that draw random numbers from a key, and the contracts of random operations."""

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, NonNegativeInt
from ..._contracts.kinds import Static, concrete
from ..._random import philox
from ..._random.engines import as_doubles, as_floats
from ..._random.streams import op_seeds
from ...engine import dtypes, errors, random
from ...engine.calls.staging import current_graph
from ...engine.foreign_tracing import is_tracer
from ...engine.handle import Handle
from ...engine.random import Draw
from ...tensor.tensor import Tensor
from .._core.define import op
from .._shared import ordering
from . import rejection
from .parallel_minstd import states_of_shape

_LEAST = 1e-7  # replaces zero, which has no logarithm


def keyed(key, seed=None):
    """A JAX key of the stream selected by ``seed``."""
    key = jax.random.wrap_key_data(key)
    return key if seed is None else jax.random.fold_in(key, seed % (1 << 32))


def is_key(drawn):
    """Whether a random source is a JAX key rather than numbers drawn from a `Stream`."""
    return drawn.dtype == np.uint32 and drawn.shape == (2,)


@op(name="_normal_kernel")
def normal(key: Array, shape, dtype, seed=None):
    return jax.random.normal(keyed(key, seed), shape, dtype) if is_key(key) else key.astype(dtype)


@op(name="_uniform_kernel")
def uniform(key: Array, shape, dtype, seed=None):
    return jax.random.uniform(keyed(key, seed), shape, dtype) if is_key(key) else key.astype(dtype)


@op(name="_integers_kernel")
def integers(key: Array, low: Array, high: Array, shape, dtype, seed=None, is_narrow=False):
    if not is_key(key):
        return key.astype(dtype)
    if not is_narrow:
        return jax.random.randint(keyed(key, seed), shape, low, high, dtype)
    words = jax.random.bits(keyed(key, seed), shape, np.uint32).astype(np.uint64)
    width = (high - low).astype(np.uint64)
    return ((words * width >> 32).astype(np.int64) + low).astype(dtype)


def is_narrow_range(low, high):
    """Whether one word of 32 bits for each int in ``[low, high)`` is enough: of 1e6 in 3 ms, in place of JAX's 14."""
    return high - low <= 1 << 16


def uniform_of_state(state, shape):
    """Floats in [0, 1) that follow a state of ``minstd_rand0``, computed independently by powers of its factor."""
    return as_floats(states_of_shape(state.astype(np.uint64), shape), jnp)


def doubles_of_state(state, shape):
    """Doubles in [0, 1) that follow a state of ``minstd_rand0``."""
    return as_doubles(states_of_shape(state.astype(np.uint64), (*shape, 2)), jnp)


def _blocks_from(state, numbers):
    """The four words of the Philox blocks ``numbers`` (uint64), counted from the position in ``state``."""
    key_low, key_high, low, high, stream_low, stream_high = state.astype(np.uint64)
    counter = (high << 32 | low) + numbers
    stream = [jnp.broadcast_to(each, numbers.shape) for each in (stream_low, stream_high)]
    return philox.block((counter & 0xFFFFFFFF, counter >> 32, *stream), (key_low, key_high))


@op(name="_laplace_kernel")
def laplace(key: Array, shape, seed=None):
    if is_key(key):
        return jax.random.laplace(keyed(key, seed), shape, np.float32)
    point = uniform_of_state(key, shape) * np.float32(2) + np.nextafter(np.float32(-1), np.float32(0))
    return (-jnp.copysign(1.0, point) * jnp.log(1 - jnp.abs(point).astype(np.float64))).astype(np.float32)


@op(name="_gamma_kernel")
def gamma(key: Array, alpha: Array, shape, dtype, seed=None):
    if is_key(key):
        return rejection.gamma(keyed(key, seed), alpha, shape, dtype)
    return _gamma(jnp.broadcast_to(alpha.astype(np.float64), shape), key, alpha.size).astype(dtype)


def _uniform_pairs(state, blocks):
    """Two uniform numbers of each block."""
    first, second, third, fourth = _blocks_from(state, blocks)
    return philox.doubles(first, second), philox.doubles(third, fourth)


def _normal_pairs(state, blocks):
    """Two normal numbers of each block, by the method of Box and Muller."""
    first, second = _uniform_pairs(state, blocks)
    radius = jnp.sqrt(-2 * jnp.log(jnp.maximum(first, _LEAST)))
    angle = 2 * math.pi * second
    return jnp.sin(angle) * radius, jnp.cos(angle) * radius


def _next_of_pair(pairs, drawn, block, transform, is_wanted):
    """The second number of the last pair, or the first of a new pair, which ``transform`` makes of the next block."""
    is_new = is_wanted & (drawn == 0)
    new = transform(block)
    pairs = tuple(jnp.where(is_new, now, old) for now, old in zip(new, pairs, strict=True))
    selected = jnp.where(drawn == 1, pairs[0], pairs[1])
    return pairs, jnp.where(is_wanted, 1 - drawn, drawn), block + is_new, selected


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def _gamma(alpha, engine_state, count):
    """Gamma numbers by the method of Marsaglia and Tsang (2000), with up to 256 blocks of a Philox stream for each.

    ``count`` parameters vary fastest in ``alpha``; the stream goes on over all numbers of one of them before the next.
    """
    each, size = max(count, 1), alpha.size
    indices = jnp.arange(size, dtype=np.uint64)
    start = (indices % each * (size // each) + indices // each) * 256
    flat = alpha.reshape(-1)
    is_small = flat < 1
    shift = flat + jnp.where(is_small, 2 / 3, -1 / 3)
    cut = 1 / 3 / jnp.sqrt(jnp.maximum(shift, 1e-300))

    def normals(block):
        return _normal_pairs(engine_state, start + block)

    def uniforms(block):
        return _uniform_pairs(engine_state, start + block)

    def more(state):
        block, normal_pairs, normals_left, uniform_pairs, uniforms_left, is_done, samples = state
        normal_pairs, normals_left, block, x = _next_of_pair(normal_pairs, normals_left, block, normals, ~is_done)
        v = 1 + cut * x
        is_tried = ~is_done & (v > 0)
        v = jnp.where(is_tried, v * v * v, 1)
        uniform_pairs, uniforms_left, block, u = _next_of_pair(uniform_pairs, uniforms_left, block, uniforms, is_tried)
        is_inside = (u < 1 - 0.0331 * (x * x) * (x * x)) | (jnp.log(u) < 0.5 * x * x + shift * (1 - v + jnp.log(v)))
        is_found = is_tried & is_inside
        uniform_pairs, uniforms_left, block, b = _next_of_pair(
            uniform_pairs, uniforms_left, block, uniforms, is_found & is_small
        )
        value = shift * v * jnp.where(is_small, jnp.power(b, 1 / flat), 1)
        return (
            block,
            normal_pairs,
            normals_left,
            uniform_pairs,
            uniforms_left,
            is_done | is_found,
            jnp.where(is_found, value, samples),
        )

    none, zeros = jnp.zeros(size, np.int32), jnp.zeros(size)
    is_exponential = jnp.abs(flat - 1) <= 1e-14
    exponential = -jnp.log(1 - uniforms(none.astype(np.uint64))[1])
    is_done = is_exponential | ~(flat > 0)
    draws = jnp.where(is_exponential, exponential, jnp.where(flat > 0, 0, jnp.nan))
    state = none.astype(np.uint64), (zeros, zeros), none, (zeros, zeros), none, is_done, draws
    return jax.lax.while_loop(lambda state: ~state[-2].all(), more, state)[-1].reshape(alpha.shape)


@_gamma.defjvp
def _gamma_jvp(count, primals, tangents):
    samples = _gamma(*primals, count)
    return samples, rejection.gamma_change(primals[0], samples, tangents[0])


@op(name="_beta_kernel")
def beta(key: Array, a: Array, b: Array, shape, dtype, seed=None):
    return rejection.beta(keyed(key, seed), a, b, shape, dtype)


@op(name="_poisson_kernel")
def poisson(key: Array, rate: Array, shape, dtype, seed=None):
    drawn = rejection.poisson(keyed(key, seed), rate, shape) if is_key(key) else key.reshape(shape)
    return drawn.astype(dtype)


def permuted(drawn, x, seed=None):
    """The elements of a Tensor along its first axis in the order that is drawn, which may be a key's."""
    return _in_order(x, _order_or_words(drawn, x.shape[0], seed))


def permutation(drawn, count, dtype, seed=None):
    """The indices below ``count`` in the order that is drawn."""
    return _indices(_order_or_words(drawn, count, seed), dtype)


# An operation of its own, so that NumPy sorts the words: 1e6 in 5 ms, XLA in 60.
@op(name="_order_or_words")
def _order_or_words(key: Array, count, seed):
    """The indices that were drawn; of a key uint64 words to sort: random bits above those of an index.

    A million have 44 random bits: in one of 36 orders two are equal, which then keep their order.
    """
    if not is_key(key):
        return key
    width = np.uint64(_width(count))
    words = jax.random.bits(keyed(key, seed), (count,), np.uint64)
    return words >> width << width | jnp.arange(count, dtype=np.uint64)


def _width(count):
    """The number of bits of an index below ``count``."""
    return max(0, count - 1).bit_length()


@op(name="_permutation_kernel")
def _in_order(x: Array, order: Array):
    return x[_order_by(order)]


@op(name="_indices_kernel")
def _indices(order: Array, dtype):
    return _order_by(order).astype(dtype.numpy)


def _order_by(order):
    """The indices that were drawn, or those in sorted words."""
    if order.dtype != np.uint64:
        return order
    mask = np.uint64((1 << _width(order.size)) - 1)
    return (jax.lax.sort(order, is_stable=False) & mask).astype(np.int64)


@op(name="_choice_kernel")
def chosen(key: Array, weights: Array, count, replacement, seed=None):
    """Positions along the last axis by weight."""
    return (_choices_of_key if is_key(key) else _chosen)(key, weights, count, replacement, seed)


def _choices_of_key(key, weights, count, replacement, seed=None):
    key = keyed(key, seed)
    if replacement:
        return _with_replacement(key, weights, count)
    # The order of independent exponential arrival times is a draw without replacement.
    race = jnp.log(weights.astype(np.float32)) + jax.random.gumbel(key, weights.shape, np.float32)
    return jax.lax.top_k(race, count)[1].astype(np.int32)


def _with_replacement(key, weights, count):
    """``count`` independent indices along the last axis by weight: where uniform numbers lie among the sums, int32."""
    sums = jnp.cumsum(weights.astype(np.float64), -1)
    numbers = jax.random.uniform(key, (*weights.shape[:-1], count), np.float64) * sums[..., -1:]
    return placed(sums[..., :-1], numbers, "right").astype(np.int32)


def _chosen(drawn, weights, count, replacement, seed):
    """Indices drawn by numbers of `UniformStates` or `Uniforms`: the first whose cumulative weight exceeds it."""
    if not replacement:
        chances = jnp.log(drawn).reshape(weights.shape) / (weights + np.float32(1e-6))
        return jax.lax.top_k(chances, count)[1].astype(np.int32)
    sums = summed(weights)
    sums = jnp.where(sums[..., -1:] != 0, sums / sums[..., -1:], sums).astype(weights.dtype)
    numbers = uniform_of_state(drawn, (*weights.shape[:-1], count)).astype(weights.dtype)
    return placed(sums[..., :-1], numbers, "right").astype(np.int32)


@op(name="_weighted_choice_kernel")
def weighed(key: Array, weights: Array, count, replacement):
    """Draws indices by the numbers of `Fractions`, as MindSpore's MultinomialWithReplacement does."""
    if is_key(key):
        return _choices_of_key(key, weights, count, replacement).astype(np.int64)
    rows = weights.reshape(-1, weights.shape[-1]).astype(np.float64)
    fractions = key.reshape(rows.shape[0], count).astype(weights.dtype).astype(np.float64)

    def pick(weights, fraction):
        sums = jnp.where(weights != 0, jnp.cumsum(weights), 0)
        passed = jnp.min(jnp.where(sums >= fraction * weights.sum(), sums, jnp.inf))
        return weights.size - 1 - jnp.argmax((sums == passed)[::-1])

    def choices(weights, fractions):
        if replacement:
            return jax.vmap(pick, (None, 0))(weights, fractions)
        without = jnp.sum(weights != 0)  # elements of weight 0 come last, in order
        idle = ordering.order(weights != 0)

        def choose(weights, each):
            column, fraction = each
            choice = jnp.where(column < without, pick(weights, fraction), idle[column - without])
            return weights.at[choice].set(0), choice

        return jax.lax.scan(choose, weights, (jnp.arange(count), fractions))[1]

    indices = jax.vmap(choices)(rows, fractions)
    return indices.reshape(*weights.shape[:-1], count).astype(np.int64)


def summed(weights):
    """Cumulative sums along the last axis, rounded as in sequential addition."""

    def add(total, weight):
        total = total + weight
        return total, total

    start = jnp.zeros(weights.shape[:-1], weights.dtype)
    sums = jax.lax.scan(add, start, jnp.moveaxis(weights, -1, 0), unroll=min(weights.shape[-1], 64))[1]
    return jnp.moveaxis(sums, 0, -1)


def placed(sums, numbers, side):
    """The insertion index of each number in the cumulative sums of its row."""
    flat = sums.reshape(-1, sums.shape[-1]), numbers.reshape(-1, numbers.shape[-1])
    indices = jax.vmap(lambda sums, numbers: jnp.searchsorted(sums, numbers, side))(*flat)
    return indices.reshape(numbers.shape)


@op(name="_categorical_kernel")
def categorical(key: Array, logits: Array, count, seed=None):
    """Draws indices along the last axis from logits; rows share the random numbers, as in MindSpore."""
    if is_key(key):
        return _with_replacement(keyed(key, seed), jax.nn.softmax(logits.astype(np.float64), -1), count)
    wide = (logits - logits.max(-1, keepdims=True)).astype(np.float32)
    sums = summed(jnp.exp(wide).astype(logits.dtype))
    numbers = doubles_of_state(key, (count,)).astype(np.float32).astype(logits.dtype)
    return placed(sums, sums[..., -1:] * numbers, "left").astype(np.int32)


@op(name="_is_chosen_kernel")
def is_chosen(key: Array, p: Array, shape, dtype):
    if is_key(key):
        return (jax.random.uniform(keyed(key, None), shape) < p).astype(dtype)
    return (key <= p).astype(dtype)


def draw():
    """A key of the stream that follows ``mindspore.set_seed``."""
    return Draw.of(lambda: random.default_generator)


def draw_from(stream, seeds, shape, *more):
    """The draws of one call with given seeds; a key if both are 0."""
    return Draw.of(lambda: stream(seeds, shape, *more), stream, seeds, shape) if any(seeds) else draw()


def known(value) -> Any:
    """The values of a number or Tensor (NumPy), or None in a compiled recording."""
    if not isinstance(value, Handle):
        return np.asarray(value)
    if is_tracer(value._state_()):
        return None
    try:
        return value._values_()
    except RuntimeError:  # there is no single value, as inside ``vmap``
        return None


def draw_as(name, seed, stream, shape, *more):
    """The draws of one call of MindSpore's operation ``name`` with these seeds; a key if nothing is seeded.

    Args:
        name (str): by which calls are counted.
        seed (int | None): what the call was given.
        stream (type): the `Stream` class of the distribution.
        shape, more (tuple, object): its arguments.
    """

    def made():
        seeds = op_seeds(name, seed)
        return random.default_generator if seeds is None else stream(seeds, shape, *more)

    def generator():
        graph = current_graph()
        if graph is None or any([isinstance(each, np.ndarray) for each in more]):
            return made()
        return graph.kept((name, seed, stream, shape, *more), made)

    with errors.of_memory():
        return Draw.of(generator, name, seed, stream, shape)


def fixed(seed):
    """The key of operations that depend only on their seed, so each call draws the same."""
    return Tensor(random.Generator(seed).next_key())


def _dtype_of_kind(kind, expected):
    def rule(value, arg_name, owner):
        if not isinstance(value, dtypes.DType) or value.numpy is None or not jnp.issubdtype(value.numpy, kind):
            check.refuse(ValueError, owner, arg_name, expected, value)
        return value

    return Static(rule, dtypes.DType)


def _bound(value, arg_name, owner):
    value = concrete(value)
    return check.integer(value[0] if isinstance(value, list) and len(value) == 1 else value, arg_name, owner)


Bound = Static(_bound, int, np.integer, Handle)
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


@op(name="_choose_true_kernel")
def spots(key: Array, mask: Array, count):
    """``count`` indices where ``mask`` is True, in random order, and which of them exist."""
    if is_key(key):
        race = jnp.where(mask.reshape(-1), jax.random.uniform(keyed(key, None), (mask.size,)), -1.0)
        scores, flat = jax.lax.top_k(race, min(count, mask.size))
        is_true = scores >= 0
    else:
        flat = jnp.nonzero(mask.reshape(-1), size=key.size)[0][key[:count]]
        is_true = jnp.ones(flat.size, bool)
    padding = count - flat.size
    indices = jnp.stack(jnp.unravel_index(flat, mask.shape), axis=-1).astype(np.int32)
    indices = jnp.pad(jnp.where(is_true[:, None], indices, 0), ((0, padding), (0, 0)))
    return indices, jnp.pad(is_true, (0, padding))


@op(name="_sampled_kernel")
def sampled(key: Array, excluded: Array, count, unique, limit, is_log):
    """Classes below ``limit`` and the number of tries that they took.

    With ``is_log``, class ``c`` has the probability ``log((c + 2) / (c + 1)) / log(limit + 1)``; else all are equal.
    With ``unique``, a key does not draw those ``excluded`` where there are others enough.
    """

    def pick(key, shape=()):
        point = jax.random.uniform(key, shape)
        whole = jnp.exp(point * np.log(limit + 1)) - 1 if is_log else point * limit
        return jnp.minimum(whole.astype(np.int32), limit - 1)

    if not is_key(key):
        return key[1:], key[0]
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

    seen = jnp.zeros(limit, bool).at[excluded.reshape(-1)].set(True)
    seen &= seen.sum() + count <= limit
    start = key, seen, jnp.zeros(count, np.int32), jnp.int32(0), jnp.int32(0)
    _, _, chosen, _, tries = jax.lax.while_loop(lambda state: state[3] < count, more, start)
    return chosen, tries


@op(name="_padded_kernel")
def padded(x: Array, length, value):
    return jnp.pad(x, (0, length - x.shape[0]), constant_values=value)
