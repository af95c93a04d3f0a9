"""Dropout."""

from .. import ops
from ..engine import dtypes
from ..ops import check
from ..ops.contracts import Real, checked
from .cell import Cell

__all__ = ["Dropout"]


class Dropout(Cell):
    """In training, sets elements to 0 with probability ``p`` and divides the others by ``1 - p``; else the identity.

    Args:
        keep_prob (float): the probability of staying, if ``p`` is not given; in ``(0, 1]``. Default: ``0.5``.
        p (int | float): the probability of being set to 0, in ``[0, 1)``. Default: ``None``.
        dtype (mindspore.dtype): without effect, as in MindSpore: the result has the input's. Default: ``float32``.
    Raises:
        TypeError, ValueError: for other values.  TypeError: for an input that is not of a float dtype.
    Example:
        >>> nn.Dropout(p=0.5)(Tensor([1.0])).asnumpy().tolist()
        [1.0]
    Source: mindspore.nn.Dropout
    """

    @checked
    def __init__(self, keep_prob=0.5, p: Real | None = None, dtype=dtypes.float32):
        super().__init__()
        if p is None and not isinstance(keep_prob, float):
            check.refuse(TypeError, "Dropout", "keep_prob", "a float", keep_prob)
        if p is None and not 0 < keep_prob <= 1:
            check.refuse(ValueError, "Dropout", "keep_prob", "in the range (0, 1]", keep_prob)
        if p is not None and not 0 <= p < 1:
            check.refuse(ValueError, "Dropout", "p", "in the range [0, 1)", p)
        self.p = p
        self.keep_prob = keep_prob

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        p = 1 - self.keep_prob if self.p is None else self.p
        return ops.dropout(x, p) if self.training and p else x

    def extend_repr(self):
        """The probability that was given."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"
