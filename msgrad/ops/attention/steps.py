"""Steps from the products of queries and keys to attention weights: scales, biases, masks, dropout.

Each is a function of a block of rows of the scores ``(B, N, rows, S)`` and of its operands: arrays of four axes that
broadcast to the scores, so that an operand with an axis of all rows is cut into the same blocks.
"""

import math
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from ..random.positions import kept_at

FORBIDDING = -1e4  # a score of a hidden pair that is lower leaves no weight: that of a kernel's own mask is as good


class Affine(NamedTuple):
    """Scores as a kernel takes them: ``products * factor + bias``, exact if all ``hidden`` are below `FORBIDDING`."""

    factor: object = 1.0
    bias: object = None
    hidden: tuple = ()
    is_causal: bool = False

    def times(self, x):
        bias = None if self.bias is None else self.bias * x
        return self._replace(factor=self.factor * x, bias=bias, hidden=tuple([each * x for each in self.hidden]))

    def plus(self, x):
        return self._replace(bias=x if self.bias is None else self.bias + x)

    def filled(self, hidden, value):
        """``value`` where ``hidden``; None says the lowest number."""
        known = () if value is None else (value,)
        bias = jnp.float32(0) if self.bias is None else self.bias
        bias = jnp.where(hidden, np.finfo(np.float32).min if value is None else value, bias)
        return self._replace(bias=bias, hidden=self.hidden + known)


class Step:
    """Base of the steps, with their ``operands``."""

    def __init__(self, *operands):
        self.operands = operands

    def on(self, scores, *operands):
        """The next scores from a block of them and the blocks of the operands."""
        raise NotImplementedError

    def affine(self, before):
        """The `Affine` form after this step."""
        raise NotImplementedError


class Times(Step):
    """Multiplies scores by a number."""

    def on(self, scores, x):
        return scores * x.astype(scores.dtype)

    def affine(self, before):
        return before.times(_wide(self.operands[0]))


class Over(Step):
    """Divides scores by a number."""

    def on(self, scores, x):
        return scores / x.astype(scores.dtype)

    def affine(self, before):
        return before.times(1 / _wide(self.operands[0]))


class Plus(Step):
    """Adds a bias."""

    def on(self, scores, bias):
        return scores + bias.astype(scores.dtype)

    def affine(self, before):
        return before.plus(_wide(self.operands[0]))


class Minus(Step):
    """Subtracts a bias."""

    def on(self, scores, bias):
        return scores - bias.astype(scores.dtype)

    def affine(self, before):
        return before.plus(-_wide(self.operands[0]))


class Filled(Step):
    """Replaces scores of hidden pairs by a number: operands are the mask and the number."""

    def on(self, scores, hidden, value):
        return jnp.where(hidden, value.astype(scores.dtype), scores)

    def affine(self, before):
        hidden, value = self.operands
        return before.filled(hidden, _wide(value))


class FilledElsewhere(Filled):
    """Replaces scores by a number, except where the mask is True."""

    def __init__(self, shown, value):
        super().__init__(jnp.logical_not(shown), value)


class Hidden(Step):
    """Gives pairs the lowest score where ``predicate`` of the operands is True."""

    value: Any

    def __init__(self, predicate, *operands):
        super().__init__(*operands)
        self.predicate = predicate

    def on(self, scores, *operands):
        return jnp.where(self.predicate(*operands), jnp.finfo(scores.dtype).min, scores)

    def affine(self, before):
        return before.filled(self.predicate(*self.operands), None)


class Causal(Hidden):
    """Hides the keys that come later than the query, counted from the beginning."""

    def __init__(self, rows, columns):
        super().__init__(lambda row, column: column > row, *positions(rows, columns))
        self.is_square = rows == columns

    def affine(self, before):
        if self.is_square and before.bias is None:
            return before._replace(is_causal=True)
        return super().affine(before)


class Shifted(Step):
    """Adds a bias that depends on the distance of key and query alone, from the line of the last query.

    Operands are that line ``(1 or B, 1 or N, 1, S)``, and positions of queries and of keys.
    """

    def on(self, scores, line, rows, columns):
        at = line.shape[3] - 1 - (rows - columns)[0, 0]
        return scores + jnp.take(line[:, :, 0].astype(scores.dtype), at, axis=2, mode="clip")

    def affine(self, before):
        line, rows, columns = self.operands
        return before.plus(self.on(jnp.float32(0), line.astype(jnp.float32), rows, columns))


class Dropped(Step):
    """Dropout of weights by a key, as `dropout` of all of them draws it; operands are positions of rows and the key."""

    def __init__(self, shape, key, keep_prob, seed):
        super().__init__(positions(shape[2], shape[3])[0], key, keep_prob)
        self.shape, self.seed = shape, seed

    def on(self, weights, rows, key, keep_prob):
        _, heads, length, columns = self.shape
        batch, head, column = [jnp.arange(size, dtype=np.uint64) for size in (*self.shape[:2], columns)]
        at = (batch[:, None] * heads + head)[:, :, None, None] * length + rows.astype(np.uint64)
        stays = kept_at(key, self.seed, keep_prob, at * columns + column, math.prod(self.shape))
        return _kept(weights, stays, keep_prob)


class Kept(Step):
    """Dropout of weights by a mask of those that stay; operands are the mask and the probability of staying."""

    def on(self, weights, stays, keep_prob):
        return _kept(weights, stays, keep_prob)


def _kept(weights, stays, keep_prob):
    factor = 1 / jnp.where(keep_prob > 0, keep_prob, 1).astype(jnp.promote_types(weights.dtype, np.float32))
    return jnp.where(stays, (weights * factor).astype(weights.dtype), 0)


def positions(rows, columns):
    """The positions of queries and of keys, of four axes."""
    return np.arange(rows, dtype=np.int32)[:, None][None, None], np.arange(columns, dtype=np.int32)[None, None, None]


def _wide(x):
    return x.astype(jnp.float32)
