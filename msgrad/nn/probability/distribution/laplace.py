"""The Laplace distribution."""

from .... import ops
from .._parameters import Anything, Positive
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class Laplace(Distribution):
    """Laplace distribution: ``exp(-abs(value - mean) / sd) / (2 * sd)``.

    It has only `prob` and `log_prob`.

    Args:
        mean (int | float | list | ndarray | Tensor): Default: ``None``, passed to calls.
        sd (int | float | list | ndarray | Tensor): the scale, above 0. Default: ``None``, passed to calls.
        seed (int): without effect. Default: ``None``, 0.
        dtype (mindspore.dtype): a float dtype. Default: ``float32``.
        name (str): Default: ``'Laplace'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.Laplace(0.0, 0.5).prob(Tensor([0.0])).tolist()
        [1.0]
    Source: mindspore.nn.probability.distribution.Laplace
    """

    __init__ = constructor(mean=Anything, sd=Positive)

    @formula
    def _log_prob(self, value, mean, sd):
        return -ops.abs((value - mean) / sd) - ops.log(2.0 * sd)
