"""The Bernoulli distribution."""

from .... import ops
from ....engine import dtypes
from .._parameters import NumberType, Probability, parameter
from .._sampling import shares
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Bernoulli(Distribution):
    """Bernoulli distribution: 1 with the probability ``probs``, else 0.

    Args:
        probs (float | list | ndarray | Tensor): between 0 and 1, both excluded. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, an int or a float dtype. Default: ``int32``.
        name (str): Default: ``'Bernoulli'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Bernoulli([0.25]).prob(Tensor([0, 1])).tolist()
        [0.75, 0.25]
    Source: mindspore.nn.probability.distribution.Bernoulli
    """

    _family_ = "Bernoulli"
    _shown_ = ("probs",)
    _names_in_calls_ = {"probs": "probs1"}
    probs = parameter("probs")

    __init__ = constructor(dtypes.int32, NumberType, probs=Probability)

    @formula
    def _mean(self, probs1):
        return probs1

    @formula
    def _mode(self, probs1):
        return (probs1 > 0.5).astype(self.dtype)

    @formula
    def _var(self, probs1):
        return probs1 * (1.0 - probs1)

    @formula
    def _entropy(self, probs1):
        return -ops.xlogy(probs1, probs1) - ops.xlogy(1.0 - probs1, 1.0 - probs1)

    @formula
    def _kl_loss(self, probs1_b, probs1):
        zero, zero_b = 1.0 - probs1, 1.0 - probs1_b
        return ops.xlogy(probs1, probs1 / probs1_b) + ops.xlogy(zero, zero / zero_b)

    @formula
    def _log_prob(self, value, probs1):
        eps = ops.Eps()(probs1)
        probs1 = ops.clip_by_value(probs1, eps, 1.0 - eps)
        return ops.log(probs1) * value + ops.log(1.0 - probs1) * (1.0 - value)

    @formula
    def _cdf(self, value, probs1):
        return ops.where(value < 0, 0.0, ops.where(value < 1, 1.0 - probs1, 1.0))

    @formula
    def _sample(self, shape, probs1):
        return shares(shape, self.seed) < probs1
