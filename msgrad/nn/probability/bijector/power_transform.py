"""The power transform; its limit for power 0 is the exponential function."""

from .... import ops
from ...._contracts.enforcement import checked
from .._parameters import NonNegative, parameter
from .bijector import Bijector, mapping


class PowerTransform(Bijector):
    """``(1 + value * power)^(1 / power)``; with a power of 0 ``exp(value)``.

    Args:
        power (float | list | ndarray | Tensor): non-negative. Default: ``0.0``.
        name (str): Default: ``'PowerTransform'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a power is negative.
    Example:
        >>> nn.probability.bijector.PowerTransform(1.0).forward(Tensor([2.0])).tolist()
        [3.0]
    Source: mindspore.nn.probability.bijector.PowerTransform
    """

    _shown_ = ("power",)
    power = parameter("power")

    @checked
    def __init__(self, power: NonNegative = 0.0, name="PowerTransform"):
        self._declare_(name, power=power)

    @mapping
    def _forward(self, value, power):
        is_exp, power, inside = _apart(power, value)
        return ops.where(is_exp, ops.exp(value), ops.exp(ops.log1p(inside * power) / power))

    @mapping
    def _inverse(self, value, power):
        is_exp, power, _ = _apart(power, value)
        log = ops.log(value)
        return ops.where(is_exp, log, ops.expm1(log * power) / power)

    @mapping
    def _forward_log_jacobian(self, value, power):
        is_exp, power, inside = _apart(power, value)
        return ops.where(is_exp, value, (1.0 / power - 1.0) * ops.log1p(inside * power))

    @mapping
    def _inverse_log_jacobian(self, value, power):
        return (power - 1.0) * ops.log(value)


def _apart(power, value):
    """The mask of zero powers, and the arguments with power 1 and value 0 there: no branch has a NaN derivative."""
    is_exp = power == 0
    return is_exp, ops.where(is_exp, 1.0, power), ops.where(is_exp, 0.0, value)
