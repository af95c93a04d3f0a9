"""The bijector of the Gumbel distribution's cumulative distribution function."""

from .... import ops
from ...._contracts.enforcement import checked
from .._parameters import Anything, Positive, parameter
from .bijector import Bijector, mapping


class GumbelCDF(Bijector):
    """``exp(-exp(-z))``, where ``z = (value - loc) / scale``.

    Args:
        loc (float | list | ndarray | Tensor): Default: ``0.0``.
        scale (float | list | ndarray | Tensor): above 0. Default: ``1.0``.
        name (str): Default: ``'GumbelCDF'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a scale is not above 0.
    Example:
        >>> round(nn.probability.bijector.GumbelCDF().forward(Tensor([0.0])).item(), 4)
        0.3679
    Source: mindspore.nn.probability.bijector.GumbelCDF
    """

    _shown_ = ("loc", "scale")
    loc, scale = parameter("loc"), parameter("scale")

    @checked
    def __init__(self, loc: Anything = 0.0, scale: Positive = 1.0, name="GumbelCDF"):
        self._declare_(name, loc=loc, scale=scale)

    @mapping
    def _forward(self, value, loc, scale):
        return ops.exp(-ops.exp((loc - value) / scale))

    @mapping
    def _inverse(self, value, loc, scale):
        return loc - scale * ops.log(-ops.log(value))

    @mapping
    def _forward_log_jacobian(self, value, loc, scale):
        z = (value - loc) / scale
        return -z - ops.exp(-z) - ops.log(scale)

    @mapping
    def _inverse_log_jacobian(self, value, scale):
        return ops.log(scale / (-value * ops.log(value)))
