"""The normal distribution."""

import math

from .... import ops
from .._parameters import Anything, Positive
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution

_LOG_ROOT = 0.5 * math.log(2 * math.pi)


class Normal(Distribution):
    """Normal distribution: ``exp(-z^2 / 2) / (sd * sqrt(2 * pi))``, where ``z = (value - mean) / sd``.

    Args:
        mean (int | float | list | ndarray | Tensor): the mean. Default: ``None``, passed to calls.
        sd (int | float | list | ndarray | Tensor): the standard deviation, above 0. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Normal'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> normal = nn.probability.distribution.Normal(0.0, [1.0, 2.0])
        >>> normal.cdf(Tensor([0.0])).tolist()
        [0.5, 0.5]
    Source: mindspore.nn.probability.distribution.Normal
    """

    _family_ = "Normal"
    _shown_ = ("mean", "standard deviation")

    __init__ = constructor(mean=Anything, sd=Positive)

    @formula
    def _mean(self, mean, sd):
        return mean

    @formula
    def _mode(self, mean, sd):
        return mean

    @formula
    def _sd(self, mean, sd):
        return sd

    @formula
    def _entropy(self, mean, sd):
        return ops.log(sd) + (0.5 + _LOG_ROOT)

    @formula
    def _kl_loss(self, mean_b, sd_b, mean, sd):
        ratio = ops.log(sd) - ops.log(sd_b)
        return 0.5 * ops.square((mean - mean_b) / sd_b) + 0.5 * ops.expm1(2 * ratio) - ratio

    @formula
    def _log_prob(self, value, mean, sd):
        return -0.5 * ops.square((value - mean) / sd) - (ops.log(sd) + _LOG_ROOT)

    @formula
    def _cdf(self, value, mean, sd):
        return 0.5 * ops.erfc((mean - value) / (sd * math.sqrt(2)))

    @formula
    def _survival_function(self, value, mean, sd):
        return 0.5 * ops.erfc((value - mean) / (sd * math.sqrt(2)))

    @formula
    def _sample(self, shape, mean, sd):
        return ops.normal(shape, mean, sd, self.seed)
