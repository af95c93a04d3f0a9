"""Formulations of attention in plain JAX, which differentiates and maps them in any way.

`whole` holds the weights of all pairs. `in_blocks` holds those of some rows at a time, forward and backward: a block is
recomputed for its gradient (`jax.checkpoint`), so that memory grows with the length and not with its square.
"""

import jax
import jax.numpy as jnp
import numpy as np

_ROWS = 256  # of a block
_BYTES = 1 << 28  # of the scores of a block, which has fewer rows then, but at least `_FEWEST`
_FEWEST = 16


def whole(q, k, v, steps=(), drop=None):
    """Attention by one softmax over all scores.

    Args:
        q (Array): shape ``(B, N, T, D)``.
        k, v (Array): shapes ``(B, K, S, D)`` and ``(B, K, S, E)``, where ``K`` divides ``N``.
        steps (sequence of Step): from products to scores.
        drop (Step): from weights to those that stay. Default: ``None``.
    Returns:
        Array of shape ``(B, N, T, E)`` and the dtype of ``v``.
    """
    k, v = _for_each_head(q, k, v)
    return _attended(_scores(q, k, [(step, step.operands) for step in steps]), v, drop and (drop, drop.operands))


def in_blocks(q, k, v, steps=(), drop=None):
    """Attention by a softmax over the scores of a block of rows at a time; arguments and results as of `whole`."""
    k, v = _for_each_head(q, k, v)
    every = [*steps] if drop is None else [*steps, drop]

    def of_rows(q, k, v, pairs):
        return _attended(_scores(q, k, pairs[: len(steps)]), v, pairs[-1] if drop is not None else None)

    return _by_rows(of_rows, q, k, v, every)


def statistics(q, k, steps=()):
    """The largest score of each row, which `softmax` subtracts, and the sum of the powers then: ``(B, N, T, 2)``."""

    def of_rows(q, k, v, pairs):
        scores = _scores(q, k, pairs)
        largest = scores.max(-1, keepdims=True)
        return jnp.concatenate([largest, jnp.exp(scores - largest).sum(-1, keepdims=True)], -1)

    (k,) = _for_each_head(q, k)
    return _by_rows(of_rows, q, k, k, list(steps))


def _by_rows(function, q, k, v, steps):
    """``function`` of blocks of queries, and of pairs of each step with its operands for these; joined again."""
    batch, heads, length, _ = q.shape
    rows = min(_ROWS, max(_FEWEST, _BYTES // max(1, 4 * batch * heads * k.shape[2])), length)
    if rows == length:
        return function(q, k, v, [(step, step.operands) for step in steps])
    # Their gradients are sums over blocks: in float32, as one product would add them up.
    wide = [x.astype(jnp.promote_types(x.dtype, np.float32)) for x in (k, v)]
    operands = [list(step.operands) for step in steps]
    cut = [(i, j) for i, own in enumerate(operands) for j, each in enumerate(own) if np.shape(each)[2:3] == (length,)]
    along = [q, *[jnp.asarray(operands[i][j]) for i, j in cut]]

    @jax.checkpoint
    def block(pieces):
        piece, *others = pieces
        own = [[*each] for each in operands]
        for (i, j), each in zip(cut, others, strict=True):
            own[i][j] = each
        pairs = list(zip(steps, own, strict=True))
        return function(piece, wide[0].astype(k.dtype), wide[1].astype(v.dtype), pairs)

    count = length // rows
    pieces = [_split(each[:, :, : count * rows], count) for each in along]
    result = jnp.moveaxis(jax.lax.map(block, pieces), 0, 2)
    result = result.reshape(batch, heads, count * rows, result.shape[-1])
    if count * rows == length:
        return result
    return jnp.concatenate([result, block([each[:, :, count * rows :] for each in along])], 2)


def _scores(q, k, steps):
    """The scores of some rows, by pairs of each step and its operands for these."""
    wide = jnp.promote_types(q.dtype, np.float32)
    scores = jnp.einsum("bntd,bnsd->bnts", q, k, preferred_element_type=wide)
    for step, operands in steps:
        scores = step.on(scores, *operands)
    return scores


def _attended(scores, v, drop):
    weights = jax.nn.softmax(scores, -1).astype(v.dtype)
    if drop is not None:
        weights = drop[0].on(weights, *drop[1])
    return jnp.einsum("bnts,bnse->bnte", weights, v, preferred_element_type=v.dtype)


def _for_each_head(q, *others):
    """Keys and values repeated to the heads of the queries."""
    return [x if x.shape[1] == q.shape[1] else jnp.repeat(x, q.shape[1] // x.shape[1], 1) for x in others]


def _split(x, count):
    """``x`` as ``count`` blocks of its third axis, the first axis of the result."""
    return jnp.moveaxis(x.reshape(*x.shape[:2], count, -1, x.shape[3]), 2, 0)
