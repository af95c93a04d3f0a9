"""The log-normal distribution."""

import math

from .... import ops
from ...._contracts.enforcement import checked
from ....engine import dtypes
from .._parameters import Anything, FloatType, Positive, parameter
from ..bijector.exp import Exp
from ._formula import formula
from .normal import Normal
from .transformed_distribution import TransformedDistribution


class LogNormal(TransformedDistribution):
    """Log-normal distribution: the distribution of ``exp(x)`` for a normal ``x``.

    Args:
        loc (int | float | list | ndarray | Tensor): the mean of ``x``. Default: ``None``, passed to calls.
        scale (int | float | list | ndarray | Tensor): the standard deviation of ``x``, above 0. Default: ``None``,
            calls give it.
        seed (int): selects the random stream. Default: ``0``.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'LogNormal'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.LogNormal(0.0, 1.0).cdf(Tensor([-1.0, 1.0])).tolist()
        [0.0, 0.5]
    Source: mindspore.nn.probability.distribution.LogNormal
    """

    _family_ = "LogNormal"
    _shown_ = ("loc", "scale")
    loc, scale = parameter("loc"), parameter("scale")

    @checked
    def __init__(
        self,
        loc: Anything | None = None,
        scale: Positive | None = None,
        seed=0,
        dtype: FloatType = dtypes.float32,
        name="LogNormal",
    ):
        super().__init__(Exp(), Normal(loc, scale, dtype=dtype), seed, name)
        self._reset_parameters()
        self._keep({"loc": loc, "scale": scale})

    @formula
    def _mean(self, loc, scale):
        return ops.exp(loc + 0.5 * ops.square(scale))

    @formula
    def _mode(self, loc, scale):
        return ops.exp(loc - ops.square(scale))

    @formula
    def _var(self, loc, scale):
        var = ops.square(scale)
        return ops.expm1(var) * ops.exp(2.0 * loc + var)

    @formula
    def _entropy(self, loc, scale):
        return loc + self.distribution.entropy(loc, scale)

    @formula
    def _kl_loss(self, loc_b, scale_b, loc_a, scale_a):
        return self.distribution.kl_loss("Normal", loc_b, scale_b, loc_a, scale_a)

    @formula
    def _log_prob(self, value, loc, scale):
        inside = ops.where(value > 0, value, 1.0)
        log = ops.log(inside)
        return ops.where(value > 0, self.distribution.log_prob(log, loc, scale) - log, -math.inf)

    @formula
    def _cdf(self, value, loc, scale):
        inside = ops.where(value > 0, value, 1.0)
        return ops.where(value > 0, self.distribution.cdf(ops.log(inside), loc, scale), 0.0)

    @formula
    def _sample(self, shape, loc, scale):
        return ops.exp(ops.normal(shape, loc, scale, self.distribution.seed))
