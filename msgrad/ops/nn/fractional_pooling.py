"""Fractional pooling: windows split each axis into pieces of two lengths, in random order."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Bool
from .._core.define import composite, op
from .._core.families import body
from ..random.kernels import draw, fixed, keyed


def _edges(key, length, count, pseudo_random):
    """The starts of ``count`` pieces of an axis, and its end."""
    ratio = length / count
    if pseudo_random:
        maximum = min((length // count + 2) / ratio - 1, (length + 1 - length // count) / ratio - (count - 1))
        start = jax.random.uniform(key) * maximum
        inner = jnp.floor(ratio * (jnp.arange(1, count) + start)).astype(jnp.int64)
        return jnp.concatenate([jnp.zeros(1, jnp.int64), inner, jnp.full(1, length)])
    short = length // count
    lengths = jax.random.permutation(key, jnp.full(count, short).at[: length - count * short].add(1))
    return jnp.concatenate([jnp.zeros(1, jnp.int64), jnp.cumsum(lengths)])


def _pooled(x, axis, edges, overlapping, is_max):
    """``x`` reduced over the pieces of an axis: their maxima, or their sums and counts."""
    indices = jnp.arange(x.shape[axis])
    ends = edges[1:] + 1 if overlapping else edges[1:]
    held = (indices >= edges[:-1, None]) & (indices < ends[:, None])
    x = jnp.moveaxis(x, axis, -1)[..., None, :]
    if is_max:
        low = -jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min
        return jnp.moveaxis(jnp.max(jnp.where(held, x, low), -1), -1, axis)
    return jnp.moveaxis(jnp.sum(jnp.where(held, x, 0), -1), -1, axis), held.sum(1)


@op(name="_fractional_pool")
def _fractional_pool(key: Array, x: Array, counts, pseudo_random: Bool, overlapping: Bool, is_max: Bool):
    keys = jax.random.split(keyed(key))
    rows, columns = (_edges(keys[k], x.shape[1 + k], counts[k], pseudo_random) for k in (0, 1))
    if is_max:
        pooled = _pooled(_pooled(x, 1, rows, overlapping, True), 2, columns, overlapping, True)
        return pooled, rows, columns
    sums, heights = _pooled(x, 1, rows, overlapping, False)
    sums, widths = _pooled(sums, 2, columns, overlapping, False)
    areas = (heights[:, None] * widths)[..., None]
    return (sums / areas).astype(x.dtype), rows, columns


_DOC = """Pooling by {phrase} of windows that part height and width into pieces of two lengths in random order.

    Args:
        x (Tensor): shape ``(N, H, W, C)``, float32, float64, int32 or int64.
        pooling_ratio (list[float]): four: by how much lengths shrink, 1.0 for ``N`` and ``C``, at least 1.0 else.
        pseudo_random (bool): whether one number is drawn for each axis, which all edges depend on. Default: ``False``.
        overlapping (bool): whether a piece holds the first element of the next one too. Default: ``False``.
        deterministic (bool): whether all calls draw the same windows, by the seeds. Default: ``False``.
        seed, seed2 (int): must be 0 unless ``deterministic``. Default: ``0``.
    Returns:
        tuple of three Tensors: {phrase} of the windows, the edges of their rows and of their columns (int64).
    Raises:
        TypeError: for arguments of other types.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> ops.{primitive}([1.0, 2.0, 2.0, 1.0])(ops.ones((1, 4, 6, 1)))[0].shape
        (1, 2, 3, 1)
    Source: mindspore.ops.{primitive}
    """


def _pool(owner, is_max):
    def run(x, ratios, pseudo_random, overlapping, deterministic, seed, seed2):
        if x.ndim != 4 or 0 in x.shape:
            check.refuse(ValueError, owner, "x", "of shape (N, H, W, C), with elements", x)
        if ratios[0] != 1 or ratios[3] != 1 or min(ratios) < 1:
            check.refuse(ValueError, owner, "pooling_ratio", "1.0 at both ends, and at least 1.0 between", ratios)
        counts = tuple([int(x.shape[axis] / ratios[axis]) for axis in (1, 2)])
        if (seed or seed2) and not deterministic:
            check.refuse(ValueError, owner, "seed", "0 where 'deterministic' is False, as 'seed2'", (seed, seed2))
        key = fixed(seed + (seed2 << 32)) if deterministic else draw()
        return _fractional_pool(key, x, counts, pseudo_random, overlapping, is_max)

    return run


def _row(name, primitive, phrase, is_max):
    """``primitive`` is its text, ``Name(constructor)(x)``."""
    owner = primitive.partition("(")[0]
    text = (
        f"{name}(x: Array, pooling_ratio: Reals(4), pseudo_random: Bool = False, overlapping: Bool = False, "
        "deterministic: Bool = False, seed: NonNegativeInt = 0, seed2: NonNegativeInt = 0)"
    )
    composite(primitive)(body(text, _pool(owner, is_max), _DOC, phrase=phrase, primitive=owner))


_row(
    "_fractional_max",
    "FractionalMaxPool(pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0)(x)",
    "the largest element",
    True,
)
_row(
    "_fractional_mean",
    "FractionalAvgPool(pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0)(x)",
    "the mean",
    False,
)
