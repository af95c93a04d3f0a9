"""The categorical distribution."""

import math

import numpy as np

from .... import ops
from ....engine import dtypes
from .._parameters import NumberType, Probabilities, parameter
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Categorical(Distribution):
    """Categorical distribution: class ``k`` has probability ``probs[..., k]``.

    Args:
        probs (list | ndarray | Tensor): above 0; the last axis sums to 1. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, an int or a float dtype. Default: ``int32``.
        name (str): Default: ``'Categorical'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Categorical([0.25, 0.75]).prob(Tensor([1, 0])).tolist()
        [0.75, 0.25]
    Source: mindspore.nn.probability.distribution.Categorical
    """

    _family_ = "Categorical"
    _shown_ = ("probs",)
    _event_axes_ = 1
    probs = parameter("probs")

    __init__ = constructor(dtypes.int32, NumberType, probs=Probabilities)

    def _declare_(self, seed, dtype, name, probs):
        super()._declare_(seed, dtype, name, probs=probs)
        if probs is not None:
            self._broadcast_shape = self.probs.shape[:-1]
            self._is_scalar_batch = self._broadcast_shape == ()

    @formula
    def _mean(self, probs):
        return (_classes(probs) * probs).sum(-1, keepdims=True)

    @formula
    def _mode(self, probs):
        return probs.argmax(-1).astype(self.dtype)

    @formula
    def _var(self, probs):
        classes = _classes(probs)
        mean = (classes * probs).sum(-1, keepdims=True)
        return (ops.square(classes) * probs).sum(-1, keepdims=True) - ops.square(mean)

    @formula
    def _entropy(self, probs):
        return -ops.xlogy(probs, probs).sum(-1).squeeze()

    @formula
    def _kl_loss(self, probs_b, probs):
        probs, probs_b = probs / probs.sum(-1, keepdims=True), probs_b / probs_b.sum(-1, keepdims=True)
        return ops.xlogy(probs, probs / probs_b).sum(-1).squeeze()

    @formula
    def _log_prob(self, value, probs):
        value = ops.trunc(value)
        is_class = ops.logical_and(value >= 0, value <= probs.shape[-1] - 1)
        return ops.where(is_class, _picked(ops.log(probs), value), math.nan)

    @formula
    def _cdf(self, value, probs):
        value = ops.trunc(value)
        return ops.where(value < 0, 0.0, _picked(probs.cumsum(-1), value))

    @formula
    def _sample(self, shape, probs):
        rows = math.prod(probs.shape[:-1])
        picks = ops.multinomial(probs.reshape(rows, probs.shape[-1]), math.prod(shape) // rows, seed=self.seed)
        return picks.T.reshape(shape)


def _classes(probs):
    return ops.arange(probs.shape[-1], dtype=probs.dtype)


def _picked(table, value):
    """The elements of the last axis of ``table`` at the indices ``value``, clipped to the valid range."""
    count = table.shape[-1]
    shape = np.broadcast_shapes(value.shape, table.shape[:-1])
    indices = ops.clip(value, 0, count - 1).astype(dtypes.int32).broadcast_to(shape).expand_dims(-1)
    return table.broadcast_to((*shape, count)).gather_elements(-1, indices).squeeze(-1)
