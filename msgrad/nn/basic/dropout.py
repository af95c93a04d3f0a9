"""Dropout of elements and of channels."""

from typing import Any

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import NonNegativeFloat, NonNegativeReal, Real
from ..._contracts.enforcement import checked
from ..._random.streams import op_seeds
from ...engine import dtypes
from ..cell import Cell

__all__ = ["Dropout", "Dropout1d", "Dropout2d", "Dropout2dExt", "Dropout3d", "DropoutExt"]


class Dropout(Cell):
    """In training, sets elements to 0 with probability ``p`` and divides the others by ``1 - p``; else the identity.

    Args:
        keep_prob (float): the probability to keep an element, if ``p`` is not given; in ``(0, 1]``. Default: ``0.5``.
        p (int | float): the probability to set an element to 0, in ``[0, 1)``. Default: ``None``.
        dtype (mindspore.dtype): without effect, as in MindSpore: the result has the input's. Default: ``float32``.
    Inputs: x (Tensor): a float dtype. Output: Tensor of the same shape and dtype.
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
        self.dropout = ops.Dropout(keep_prob if p is None else 1.0 - p, *(op_seeds("dropout") or (0, 0)))

    def construct(self, x):
        """The input; in training with dropped elements."""
        if not self.training or self.p == 0 or (self.p is None and self.keep_prob == 1):
            return x
        return self.dropout(x)[0]

    def extend_repr(self):
        """The probability passed to the constructor."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class _OfChannels(Cell):
    """Dropout of whole channels; subclasses set the function ``drop``."""

    _drop_: Any = None

    @checked
    def __init__(self, p: NonNegativeFloat = 0.5):
        super().__init__()
        if p > 1:
            check.refuse(ValueError, self.cls_name, "p", "in the range [0, 1]", p)
        self._keep(p)

    def _keep(self, p):
        self.prob = p

    def construct(self, x):
        """The input; in training with dropped channels."""
        return self._drop_(x, self.prob) if self.training and self.prob else x


class _OfPlanes(_OfChannels):
    """Channel dropout layers whose ``repr`` shows the probability to keep."""

    def _keep(self, p):
        super()._keep(p)
        self.keep_prob = 1.0 - p

    def extend_repr(self):
        """The probability to keep, under MindSpore's name."""
        return f"p={self.keep_prob}"


class Dropout1d(_OfChannels):
    """In training, sets channels of ``(N, C, L)`` or ``(C, L)`` to 0 with probability ``p``, scales the others.

    Args:
        p (float): in ``[0, 1]``. Default: ``0.5``.
    Inputs: x (Tensor): a float dtype. Output: Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``p`` is not a float.  ValueError: if it is out of range, or ``x`` of another rank.
    Example:
        >>> nn.Dropout1d(0.5)(Tensor([[1.0]])).tolist()
        [[1.0]]
    Source: mindspore.nn.Dropout1d
    """

    _drop_ = staticmethod(ops.dropout1d)


class Dropout2d(_OfPlanes):
    """In training, sets channels of ``(N, C, H, W)`` to 0 with probability ``p``; arguments as for `Dropout1d`.

    Example:
        >>> nn.Dropout2d(1.0).set_train()(ops.ones((1, 1, 1, 2))).tolist()
        [[[[0.0, 0.0]]]]
    Source: mindspore.nn.Dropout2d
    """

    _drop_ = staticmethod(ops.dropout2d)


class Dropout3d(_OfPlanes):
    """In training, sets channels of ``(N, C, D, H, W)`` to 0 with probability ``p``; arguments as for `Dropout1d`.

    Example:
        >>> nn.Dropout3d(1.0).set_train()(ops.ones((1, 1, 1, 1, 2))).tolist()
        [[[[[0.0, 0.0]]]]]
    Source: mindspore.nn.Dropout3d
    """

    _drop_ = staticmethod(ops.dropout3d)


class _DropoutExt(Cell):
    _drop_: Any = None

    @checked
    def __init__(self, p: NonNegativeReal = 0.5, inplace=False):
        super().__init__()
        if p > 1:
            check.refuse(ValueError, self.cls_name, "p", "in the range [0, 1]", p)
        self.p = p
        self.inplace = inplace

    def construct(self, input):
        """The input; in training with dropped elements."""
        if not self.training or self.p == 0:
            return input
        y = self._drop_(input, self.p)
        return input.copy_(y) if self.inplace else y


class DropoutExt(_DropoutExt):
    """In training, sets elements to 0 with probability ``p`` and divides the others by ``1 - p``; else the identity.

    Args:
        p (int | float): in ``[0, 1]``. Default: ``0.5``.
        inplace (bool): whether to write the result to the input. Default: ``False``.
    Inputs: input (Tensor): a float dtype. Output: Tensor of the same shape and dtype.
    Raises:
        TypeError, ValueError: if ``p`` is not a number or out of range.
    Example:
        >>> nn.DropoutExt(1.0).set_train()(Tensor([1.0, 2.0])).tolist()
        [0.0, 0.0]
    Source: mindspore.nn.DropoutExt
    """

    @staticmethod
    def _drop_(x, p):
        """The input with dropped elements; a probability of 1, which ``ops.dropout`` refuses, gives zeros."""
        return x * 0 if p == 1 else ops.dropout(x, p)


class Dropout2dExt(_DropoutExt):
    """In training, sets channels of ``(N, C, H, W)`` to 0 with probability ``p``; arguments as for `DropoutExt`.

    Example:
        >>> nn.Dropout2dExt(1.0).set_train()(ops.ones((1, 1, 1, 2))).tolist()
        [[[[0.0, 0.0]]]]
    Source: mindspore.nn.Dropout2dExt
    """

    _drop_ = staticmethod(ops.dropout2d)
