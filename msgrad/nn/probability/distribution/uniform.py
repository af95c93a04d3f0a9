"""The uniform distribution."""

import math

import numpy as np

from .... import ops
from ....engine.refusal import refuse
from .._parameters import Anything, known_values, parameter
from .._sampling import shares
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Uniform(Distribution):
    """Uniform distribution: ``1 / (high - low)`` from ``low`` to ``high``.

    It has no `mode`.

    Args:
        low (int | float | list | ndarray | Tensor): the smallest outcome. Default: ``None``, passed to calls.
        high (int | float | list | ndarray | Tensor): the largest, above ``low``. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Uniform'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: unless ``low`` is below ``high``.
    Example:
        >>> nn.probability.distribution.Uniform(0.0, 4.0).cdf(Tensor([1.0])).tolist()
        [0.25]
    Source: mindspore.nn.probability.distribution.Uniform
    """

    _family_ = "Uniform"
    _shown_ = ("low", "high")
    low, high = parameter("low"), parameter("high")

    __init__ = constructor(low=Anything, high=Anything)

    def _declare_(self, seed, dtype, name, low, high):
        super()._declare_(seed, dtype, name, low=low, high=high)
        if low is not None and high is not None:
            minimum, maximum = known_values(low), known_values(high)
            if minimum is not None and maximum is not None and not np.all(minimum < maximum):
                refuse(ValueError, "Uniform", "low", f"less than 'high', {high}", low)

    @formula
    def _mean(self, low, high):
        return (low + high) / 2.0

    @formula
    def _var(self, low, high):
        return ops.square(high - low) / 12.0

    @formula
    def _entropy(self, low, high):
        return ops.log(high - low)

    @formula
    def _kl_loss(self, low_b, high_b, low, high):
        is_inside = ops.logical_and(low_b <= low, high <= high_b)
        return ops.where(is_inside, ops.log(high_b - low_b) - ops.log(high - low), math.inf)

    @formula
    def _log_prob(self, value, low, high):
        is_inside = ops.logical_and(low <= value, value <= high)
        return ops.where(is_inside, -ops.log(high - low), -math.inf)

    @formula
    def _cdf(self, value, low, high):
        return ops.clip((value - low) / (high - low), 0.0, 1.0)

    @formula
    def _sample(self, shape, low, high):
        return shares(shape, self.seed) * (high - low) + low
