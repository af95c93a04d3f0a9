"""The Poisson distribution."""

import math

from .... import ops
from ....engine import dtypes
from .._parameters import NumberType, PositiveArray, parameter
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Poisson(Distribution):
    """Poisson distribution: ``rate^value * exp(-rate) / value!``, from 0 on.

    It has no `entropy` and no `kl_loss`.

    Args:
        rate (list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, an int or a float dtype. Default: ``float32``.
        name (str): Default: ``'Poisson'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Poisson([2.5]).mode().tolist()
        [2.0]
    Source: mindspore.nn.probability.distribution.Poisson
    """

    _family_ = "Poisson"
    _shown_ = ("rate",)
    rate = parameter("rate")

    __init__ = constructor(dtypes_taken=NumberType, rate=PositiveArray)

    @formula
    def _mean(self, rate):
        return rate

    @formula
    def _mode(self, rate):
        return ops.floor(rate)

    @formula
    def _var(self, rate):
        return rate

    @formula
    def _log_prob(self, value, rate):
        count = ops.where(value < 0, 0.0, value)  # not `relu`, whose derivative at 0 is 0
        return ops.where(value < 0, -math.inf, ops.log(rate) * count - ops.lgamma(count + 1.0)) - rate

    @formula
    def _cdf(self, value, rate):
        return ops.where(value < 0, 0.0, ops.igammac(ops.relu(value) + 1.0, rate))

    @formula
    def _sample(self, shape, rate):
        return ops.poisson(shape, rate.astype(dtypes.float32), self.seed)
