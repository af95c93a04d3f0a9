"""The geometric distribution."""

import math

from .... import ops
from ....engine import dtypes
from .._parameters import NumberType, Probability, parameter
from .._sampling import shares
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Geometric(Distribution):
    """Geometric distribution: ``(1 - probs)^value * probs``, the number of failures before the first success.

    Args:
        probs (float | list | ndarray | Tensor): the probability of success, between 0 and 1, both excluded. Default:
            ``None``, calls give it.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, an int or a float dtype. Default: ``int32``.
        name (str): Default: ``'Geometric'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Geometric(0.5).prob(Tensor([0, 1])).tolist()
        [0.5, 0.25]
    Source: mindspore.nn.probability.distribution.Geometric
    """

    _family_ = "Geometric"
    _shown_ = ("probs",)
    _names_in_calls_ = {"probs": "probs1"}
    probs = parameter("probs")

    __init__ = constructor(dtypes.int32, NumberType, probs=Probability)

    @formula
    def _mean(self, probs1):
        return (1.0 - probs1) / probs1

    @formula
    def _mode(self, probs1):
        return ops.zeros(probs1.shape, self.dtype)

    @formula
    def _var(self, probs1):
        return (1.0 - probs1) / ops.square(probs1)

    @formula
    def _entropy(self, probs1):
        return -(ops.xlogy(1.0 - probs1, 1.0 - probs1) + ops.xlogy(probs1, probs1)) / probs1

    @formula
    def _kl_loss(self, probs1_b, probs1):
        zero, zero_b = 1.0 - probs1, 1.0 - probs1_b
        return ops.log(probs1 / probs1_b) + zero / probs1 * ops.log(zero / zero_b)

    @formula
    def _log_prob(self, value, probs1):
        return ops.where(value < 0, -math.inf, ops.log1p(-probs1) * ops.floor(value) + ops.log(probs1))

    @formula
    def _cdf(self, value, probs1):
        return ops.where(value < 0, 0.0, 1.0 - ops.pow(1.0 - probs1, ops.floor(value) + 1.0))

    @formula
    def _sample(self, shape, probs1):
        return ops.floor(ops.log(shares(shape, self.seed)) / ops.log(1.0 - probs1))
