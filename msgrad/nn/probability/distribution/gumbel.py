"""The Gumbel distribution."""

import math

import numpy as np

from .... import ops
from ...._contracts.enforcement import checked
from ....engine import dtypes
from .._parameters import Anything, FloatType, Positive, parameter
from .._sampling import shares
from ..bijector.gumbel_cdf import GumbelCDF
from ..bijector.invert import Invert
from ._formula import formula
from .transformed_distribution import TransformedDistribution
from .uniform import Uniform


class Gumbel(TransformedDistribution):
    """Gumbel distribution: its `cdf` is ``exp(-exp(-z))``, where ``z = (value - loc) / scale``.

    Args:
        loc (float | list | ndarray | Tensor): the mode.
        scale (float | list | ndarray | Tensor): above 0.
        seed (int): selects the random stream. Default: ``0``.
        dtype (mindspore.dtype): of samples, a float dtype. Default: ``float32``.
        name (str): Default: ``'Gumbel'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Gumbel(0.0, 1.0).log_cdf(Tensor([0.0])).tolist()
        [-1.0]
    Source: mindspore.nn.probability.distribution.Gumbel
    """

    _family_ = "Gumbel"
    _shown_ = ("loc", "scale")
    loc, scale = parameter("loc"), parameter("scale")

    @checked
    def __init__(self, loc: Anything, scale: Positive, seed=0, dtype: FloatType = dtypes.float32, name="Gumbel"):
        super().__init__(Invert(GumbelCDF(loc, scale)), Uniform(0.0, 1.0, dtype=dtype), seed, name)
        self._reset_parameters()
        self._keep({"loc": loc, "scale": scale})

    @formula
    def _mean(self, loc, scale):
        return loc + scale * np.euler_gamma

    @formula
    def _mode(self, loc, scale):
        return loc

    @formula
    def _sd(self, loc, scale):
        return scale * (math.pi / math.sqrt(6))

    @formula
    def _entropy(self, loc, scale):
        return ops.log(scale) + (1 + np.euler_gamma)

    @formula
    def _kl_loss(self, loc_b, scale_b, loc, scale):
        ratio = scale / scale_b
        return (
            np.euler_gamma * (ratio - 1.0)
            - ops.log(ratio)
            + (loc - loc_b) / scale_b
            + ops.expm1((loc_b - loc) / scale_b + ops.lgamma(ratio + 1.0))
        )

    @formula
    def _log_prob(self, value, loc, scale):
        z = (value - loc) / scale
        return -(z + ops.exp(-z)) - ops.log(scale)

    @formula
    def _log_cdf(self, value, loc, scale):
        return -ops.exp((loc - value) / scale)

    @formula
    def _cdf(self, value, loc, scale):
        return ops.exp(-ops.exp((loc - value) / scale))

    @formula
    def _sample(self, shape, loc, scale):
        return loc - scale * ops.log(-ops.log(shares(shape, self.distribution.seed)))
