"""The logistic distribution."""

import math

from .... import ops
from .._parameters import Anything, Positive, parameter
from .._sampling import shares
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Logistic(Distribution):
    """Logistic distribution: its `cdf` is ``sigmoid(z)``, where ``z = (value - loc) / scale``.

    It has no `kl_loss`.

    Args:
        loc (int | float | list | ndarray | Tensor): the mean. Default: ``None``, passed to calls.
        scale (int | float | list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Logistic'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Logistic(0.0, 1.0).prob(Tensor([0.0])).tolist()
        [0.25]
    Source: mindspore.nn.probability.distribution.Logistic
    """

    _family_ = "Logistic"
    _shown_ = ("location", "scale")
    loc, scale = parameter("loc"), parameter("scale")

    __init__ = constructor(loc=Anything, scale=Positive)

    @formula
    def _mean(self, loc, scale):
        return loc

    @formula
    def _mode(self, loc, scale):
        return loc

    @formula
    def _sd(self, loc, scale):
        return scale * (math.pi / math.sqrt(3))

    @formula
    def _entropy(self, loc, scale):
        return ops.log(scale) + 2.0

    @formula
    def _log_prob(self, value, loc, scale):
        z = (value - loc) / scale
        return 2.0 * ops.logsigmoid(z) - z - ops.log(scale)

    @formula
    def _cdf(self, value, loc, scale):
        return ops.sigmoid((value - loc) / scale)

    @formula
    def _log_cdf(self, value, loc, scale):
        return ops.logsigmoid((value - loc) / scale)

    @formula
    def _survival_function(self, value, loc, scale):
        return ops.sigmoid((loc - value) / scale)

    @formula
    def _log_survival(self, value, loc, scale):
        return ops.logsigmoid((loc - value) / scale)

    @formula
    def _sample(self, shape, loc, scale):
        share = shares(shape, self.seed)
        return (ops.log(share) - ops.log1p(-share)) * scale + loc
