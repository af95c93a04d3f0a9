"""The exponential distribution."""

import math

from .... import ops
from .._parameters import Positive, parameter
from .._sampling import shares
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Exponential(Distribution):
    """Exponential distribution: ``rate * exp(-rate * value)`` from 0 on.

    Args:
        rate (int | float | list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Exponential'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Exponential(0.5).mean().item()
        2.0
    Source: mindspore.nn.probability.distribution.Exponential
    """

    _family_ = "Exponential"
    _shown_ = ("rate",)
    rate = parameter("rate")

    __init__ = constructor(rate=Positive)

    @formula
    def _mean(self, rate):
        return 1.0 / rate

    @formula
    def _mode(self, rate):
        return ops.zeros(rate.shape, self.dtype)

    @formula
    def _sd(self, rate):
        return 1.0 / rate

    @formula
    def _entropy(self, rate):
        return 1.0 - ops.log(rate)

    @formula
    def _kl_loss(self, rate_b, rate):
        return ops.log(rate) - ops.log(rate_b) + rate_b / rate - 1.0

    @formula
    def _log_prob(self, value, rate):
        return ops.where(value < 0, -math.inf, ops.log(rate) - rate * value)

    @formula
    def _cdf(self, value, rate):
        return ops.where(value < 0, 0.0, -ops.expm1(-rate * value))

    @formula
    def _log_survival(self, value, rate):
        return ops.where(value < 0, 0.0, -rate * value)

    @formula
    def _sample(self, shape, rate):
        return -ops.log(shares(shape, self.seed)) / rate
