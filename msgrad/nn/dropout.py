"""Dropout."""

from ..engine import dtypes, random
from ..engine.staging import Draw
from ..ops.dropping import dropped
from .cell import Cell


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

    def __init__(self, keep_prob=0.5, p=None, dtype=dtypes.float32):
        super().__init__()
        if p is None:
            if not isinstance(keep_prob, float):
                raise TypeError(
                    "For 'Dropout', the type of 'keep_prob' should be 'float', "
                    f"but got type '{type(keep_prob).__name__}'."
                )
            if not 0 < keep_prob <= 1:
                raise ValueError(
                    f"For 'Dropout', the 'keep_prob' must be a number in range (0, 1], but got {keep_prob}."
                )
        else:
            if not isinstance(p, (float, int)) or isinstance(p, bool):
                raise TypeError(
                    "For 'Dropout', the type of 'p' should be one of '['float', 'int']', "
                    f"but got type '{type(p).__name__}'."
                )
            if not 0 <= p < 1:
                raise ValueError(f"For 'Dropout', the 'p' must be a number in range [0, 1), but got {p}.")
        self.p = p
        self.keep_prob = keep_prob if p is None else 1.0 - p

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        if not self.training or self.keep_prob == 1:
            return x
        if not x.is_floating_point():
            raise TypeError(f"For primitive[Dropout], the input argument[x] must be a float Tensor, but got {x.dtype}.")
        return dropped(x, Draw.of(random.default_generator), self.keep_prob)

    def extend_repr(self):
        """The probability that was given."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"
