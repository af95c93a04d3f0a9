"""The softplus bijector."""

from .... import ops
from ...._contracts.enforcement import checked
from .._parameters import Anything, parameter
from .bijector import Bijector, mapping


class Softplus(Bijector):
    """``log(1 + exp(sharpness * value)) / sharpness``.

    Args:
        sharpness (float | list | ndarray | Tensor): Default: ``1.0``.
        name (str): Default: ``'Softplus'``.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> softplus = nn.probability.bijector.Softplus(2.0)
        >>> round(softplus.inverse(softplus.forward(Tensor([1.0]))).item(), 4)
        1.0
    Source: mindspore.nn.probability.bijector.Softplus
    """

    _shown_ = ("sharpness",)
    sharpness = parameter("sharpness")

    @checked
    def __init__(self, sharpness: Anything = 1.0, name="Softplus"):
        self._declare_(name, sharpness=sharpness)

    @mapping
    def _forward(self, value, sharpness):
        return -ops.logsigmoid(-sharpness * value) / sharpness

    @mapping
    def _inverse(self, value, sharpness):
        return value + _log_share(sharpness * value) / sharpness

    @mapping
    def _forward_log_jacobian(self, value, sharpness):
        return ops.logsigmoid(sharpness * value)

    @mapping
    def _inverse_log_jacobian(self, value, sharpness):
        return -_log_share(sharpness * value)


def _log_share(x):
    return ops.log(-ops.expm1(-x))
