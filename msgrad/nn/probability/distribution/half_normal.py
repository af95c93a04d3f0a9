"""The half-normal distribution."""

import math

from .... import ops
from .._parameters import Anything, Positive
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution

_LOG_SCALE = 0.5 * math.log(2 / math.pi)


class HalfNormal(Distribution):
    """Half-normal distribution: ``exp(-z^2 / 2) * sqrt(2 / pi) / sd`` from 0 on, where ``z = (value - mean) / sd``.

    It has only `prob` and `log_prob`.

    Args:
        mean (int | float | list | ndarray | Tensor): Default: ``None``, passed to calls.
        sd (int | float | list | ndarray | Tensor): above 0. Default: ``None``, passed to calls.
        seed (int): without effect. Default: ``None``, 0.
        dtype (mindspore.dtype): a float dtype. Default: ``float32``.
        name (str): Default: ``'HalfNormal'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> nn.probability.distribution.HalfNormal(0.0, 1.0).prob(Tensor([-1.0])).tolist()
        [0.0]
    Source: mindspore.nn.probability.distribution.HalfNormal
    """

    __init__ = constructor(mean=Anything, sd=Positive)

    @formula
    def _log_prob(self, value, mean, sd):
        density = _LOG_SCALE - ops.log(sd) - 0.5 * ops.square((value - mean) / sd)
        return ops.where(value < 0, -math.inf, density)
