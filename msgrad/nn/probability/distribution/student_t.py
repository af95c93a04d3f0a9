"""Student's t distribution."""

import math

from .... import ops
from .._parameters import Anything, Positive
from ._constructor import constructor
from ._formula import formula
from .distribution import Distribution


class StudentT(Distribution):
    """Student's t distribution: ``(1 + z^2 / df)^(-(df + 1) / 2)`` normalized, ``z = (value - mean) / sd``.

    It has only `prob` and `log_prob`.

    Args:
        df (int | float | list | ndarray | Tensor): degrees of freedom, above 0. Default: ``None``, passed to calls.
        mean (int | float | list | ndarray | Tensor): Default: ``None``, passed to calls.
        sd (int | float | list | ndarray | Tensor): the scale, above 0. Default: ``None``, passed to calls.
        seed (int): without effect. Default: ``None``, 0.
        dtype (mindspore.dtype): a float dtype. Default: ``float32``.
        name (str): Default: ``'StudentT'``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for values out of range.
    Example:
        >>> round(nn.probability.distribution.StudentT(1.0, 0.0, 1.0).prob(Tensor([0.0])).item(), 4)
        0.3183
    Source: mindspore.nn.probability.distribution.StudentT
    """

    __init__ = constructor(df=Positive, mean=Anything, sd=Positive)

    @formula
    def _log_prob(self, value, df, mean, sd):
        unscaled = -0.5 * (df + 1.0) * ops.log1p(ops.square((value - mean) / sd) / df)
        scale = ops.log(sd) + 0.5 * ops.log(math.pi * df) + ops.lgamma(0.5 * df) - ops.lgamma(0.5 * (df + 1.0))
        return unscaled - scale
