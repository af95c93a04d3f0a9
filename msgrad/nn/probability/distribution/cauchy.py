"""The Cauchy distribution."""

import math

from .... import ops
from .._parameters import Anything, Positive, parameter
from .._sampling import shares
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Cauchy(Distribution):
    """Cauchy distribution: ``1 / (pi * scale * (1 + z^2))``, where ``z = (value - loc) / scale``.

    It has no mean and no standard deviation: `mean`, `sd` and `var` raise ValueError.

    Args:
        loc (int | float | list | ndarray | Tensor): the median. Default: ``None``, passed to calls.
        scale (int | float | list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Cauchy'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Cauchy(0.0, 1.0).cdf(Tensor([0.0])).tolist()
        [0.5]
    Source: mindspore.nn.probability.distribution.Cauchy
    """

    _family_ = "Cauchy"
    _shown_ = ("location", "scale")
    loc, scale = parameter("loc"), parameter("scale")

    __init__ = constructor(loc=Anything, scale=Positive)

    def _mean(self, *args, **kwargs):
        raise ValueError("For 'Cauchy', the mean is not defined: its integral diverges. Use mode(), the center.")

    def _sd(self, *args, **kwargs):
        raise ValueError("For 'Cauchy', the standard deviation is not defined: its integral diverges.")

    def _var(self, *args, **kwargs):
        raise ValueError("For 'Cauchy', the variance is not defined: its integral diverges.")

    @formula
    def _mode(self, loc, scale):
        return loc

    @formula
    def _entropy(self, loc, scale):
        return ops.log(scale) + math.log(4 * math.pi)

    @formula
    def _kl_loss(self, loc_b, scale_b, loc_a, scale_a):
        distance = ops.square(scale_a + scale_b) + ops.square(loc_a - loc_b)
        return ops.log(distance) - math.log(4) - ops.log(scale_a) - ops.log(scale_b)

    @formula
    def _log_prob(self, value, loc, scale):
        return -ops.log1p(ops.square((value - loc) / scale)) - ops.log(math.pi * scale)

    @formula
    def _cdf(self, value, loc, scale):
        return ops.atan((value - loc) / scale) / math.pi + 0.5

    @formula
    def _log_cdf(self, value, loc, scale):
        return ops.log1p(ops.atan((value - loc) / scale) * (2 / math.pi)) - math.log(2)

    @formula
    def _sample(self, shape, loc, scale):
        return loc + scale * ops.tan(math.pi * (shares(shape, self.seed) - 0.5))
