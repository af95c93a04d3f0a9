"""The beta distribution."""

import math

from .... import ops
from ....ops.math.special import log_beta
from ....ops.random import kernels
from ....ops.random.kernels import draw
from .._parameters import PositiveNotFloat, parameter
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Beta(Distribution):
    """Beta distribution: ``value^(concentration1 - 1) * (1 - value)^(concentration0 - 1)``, normalized.

    Args:
        concentration1 (int | list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        concentration0 (int | list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        seed (int): selects the random stream. Default: ``None``, 0.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Beta'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Beta([1.0], [3.0]).mean().tolist()
        [0.25]
    Source: mindspore.nn.probability.distribution.Beta
    """

    _family_ = "Beta"
    _shown_ = ("concentration1", "concentration0")
    concentration1, concentration0 = parameter("concentration1"), parameter("concentration0")

    __init__ = constructor(concentration1=PositiveNotFloat, concentration0=PositiveNotFloat)

    @formula
    def _mean(self, concentration1, concentration0):
        return concentration1 / (concentration1 + concentration0)

    @formula
    def _var(self, concentration1, concentration0):
        total = concentration1 + concentration0
        return concentration1 * concentration0 / (ops.square(total) * (total + 1.0))

    @formula
    def _mode(self, concentration1, concentration0):
        is_inside = ops.logical_and(concentration1 > 1, concentration0 > 1)
        return ops.where(is_inside, (concentration1 - 1.0) / (concentration1 + concentration0 - 2.0), math.nan)

    @formula
    def _entropy(self, concentration1, concentration0):
        return (
            log_beta(concentration1, concentration0)
            - (concentration1 - 1.0) * ops.digamma(concentration1)
            - (concentration0 - 1.0) * ops.digamma(concentration0)
            + (concentration1 + concentration0 - 2.0) * ops.digamma(concentration1 + concentration0)
        )

    @formula
    def _kl_loss(self, concentration1_b, concentration0_b, concentration1_a, concentration0_a):
        more1, more0 = concentration1_b - concentration1_a, concentration0_b - concentration0_a
        return (
            log_beta(concentration1_b, concentration0_b)
            - log_beta(concentration1_a, concentration0_a)
            - ops.digamma(concentration1_a) * more1
            - ops.digamma(concentration0_a) * more0
            + ops.digamma(concentration1_a + concentration0_a) * (more1 + more0)
        )

    @formula
    def _log_prob(self, value, concentration1, concentration0):
        unscaled = (concentration1 - 1.0) * ops.log(value) + (concentration0 - 1.0) * ops.log1p(-value)
        return unscaled - log_beta(concentration1, concentration0)

    @formula
    def _sample(self, shape, concentration1, concentration0):
        return kernels.beta(draw(), concentration1, concentration0, shape, self.parameter_type.numpy, self.seed)
