"""The gamma distribution."""

import math

from .... import ops
from .._parameters import PositiveArray, parameter
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Gamma(Distribution):
    """Gamma distribution: ``value^(concentration - 1) * exp(-rate * value)`` above 0, normalized.

    Args:
        concentration (list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        rate (list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Gamma'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Gamma([3.0], [2.0]).mean().tolist()
        [1.5]
    Source: mindspore.nn.probability.distribution.Gamma
    """

    _family_ = "Gamma"
    _shown_ = ("concentration", "rate")
    concentration, rate = parameter("concentration"), parameter("rate")

    __init__ = constructor(concentration=PositiveArray, rate=PositiveArray)

    @formula
    def _mean(self, concentration, rate):
        return concentration / rate

    @formula
    def _var(self, concentration, rate):
        return concentration / ops.square(rate)

    @formula
    def _mode(self, concentration, rate):
        return ops.where(concentration > 1, (concentration - 1.0) / rate, math.nan)

    @formula
    def _entropy(self, concentration, rate):
        digamma = ops.digamma(concentration)
        return concentration - ops.log(rate) + ops.lgamma(concentration) + (1.0 - concentration) * digamma

    @formula
    def _kl_loss(self, concentration_b, rate_b, concentration_a, rate_a):
        return (
            (concentration_a - concentration_b) * ops.digamma(concentration_a)
            + ops.lgamma(concentration_b)
            - ops.lgamma(concentration_a)
            + concentration_b * (ops.log(rate_a) - ops.log(rate_b))
            + concentration_a * (rate_b / rate_a - 1.0)
        )

    @formula
    def _log_prob(self, value, concentration, rate):
        unscaled = (concentration - 1.0) * ops.log(value) - rate * value
        return unscaled - (ops.lgamma(concentration) - concentration * ops.log(rate))

    @formula
    def _cdf(self, value, concentration, rate):
        return ops.igamma(concentration, rate * value)

    @formula
    def _survival_function(self, value, concentration, rate):
        return ops.igammac(concentration, rate * value)

    @formula
    def _sample(self, shape, concentration, rate):
        return ops.gamma(shape, concentration, rate, self.seed)
