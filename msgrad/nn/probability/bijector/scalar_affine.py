"""Affine bijectors: a scale and a shift."""

from .... import ops
from ...._contracts.enforcement import checked
from .._parameters import Anything, parameter
from .bijector import Bijector, mapping


class ScalarAffine(Bijector):
    """``scale * value + shift``.

    Args:
        scale (float | list | ndarray | Tensor): Default: ``1.0``.
        shift (float | list | ndarray | Tensor): Default: ``0.0``.
        name (str): Default: ``'ScalarAffine'``.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> nn.probability.bijector.ScalarAffine(2.0, 1.0).forward(Tensor([3.0])).tolist()
        [7.0]
    Source: mindspore.nn.probability.bijector.ScalarAffine
    """

    _shown_ = ("scale", "shift")
    scale, shift = parameter("scale"), parameter("shift")

    @checked
    def __init__(self, scale: Anything = 1.0, shift: Anything = 0.0, name="ScalarAffine"):
        self._declare_(name, True, scale=scale, shift=shift)

    @mapping
    def _forward(self, value, scale, shift):
        return scale * value + shift

    @mapping
    def _inverse(self, value, scale, shift):
        return (value - shift) / scale

    @mapping
    def _forward_log_jacobian(self, value, scale):
        return ops.log(ops.abs(scale))

    @mapping
    def _inverse_log_jacobian(self, value, scale):
        return -ops.log(ops.abs(scale))
