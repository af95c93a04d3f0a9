"""Dice losses."""

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import Array, Int, PositiveFloat
from ..._contracts.enforcement import checked
from ...engine import dtypes
from .._half_precision import in_float32
from ..basic.activation import get_activation
from ..cell import Cell
from .regression import LossBase, check_tensors

__all__ = ["DiceLoss", "MultiClassDiceLoss"]

_ACTIVATIONS = ("softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid")


def _check_inputs(owner, logits, label):
    check_tensors(owner, logits=logits, label=label)
    if logits.shape != label.shape:
        check.refuse(ValueError, owner, "label", f"of the shape of 'logits', {logits.shape}", label)


class DiceLoss(LossBase):
    """Dice loss: ``1 - 2 sum(x * y) / (sum(x * x) + sum(y * y) + smooth)``, over all elements.

    Args:
        smooth (float): keeps the divisor above 0. Default: ``1e-5``.
    Inputs: logits, label (Tensor): of the same shape. Output: Tensor, 0-d.
    Raises:
        TypeError: if an argument has a wrong type, or an input is of uint8.  ValueError: if ``smooth`` is not above 0,
            or the shapes differ.
    Example:
        >>> round(nn.DiceLoss()(Tensor([0.0, 1.0]), Tensor([0.0, 1.0])).item(), 3)
        0.0
    Source: mindspore.nn.DiceLoss
    """

    @checked
    def __init__(self, smooth: PositiveFloat = 1e-05):
        super().__init__()
        self.smooth = smooth

    @in_float32
    def construct(self, logits, label):
        """The loss."""
        _check_inputs("DiceLoss", logits, label)
        for name, value in (("logits", logits), ("label", label)):
            if value.dtype == dtypes.uint8:
                check.refuse(TypeError, "DiceLoss", name, "of another dtype than uint8", value)
        sizes = ops.sum(logits * logits) + ops.sum(label * label)
        return 1 - 2 * ops.sum(logits * label) / (sizes + self.smooth)


class MultiClassDiceLoss(LossBase):
    """The mean of `DiceLoss` over the classes, axis 1.

    Args:
        weights (Tensor): 2-d, a row for each class. Default: ``None``, ones.
        ignore_indiex (int): a class to ignore. Default: ``None``.
        activation (str | Cell | None): of the logits: 'softmax', 'logsoftmax', 'relu', 'relu6', 'tanh' or 'sigmoid'.
            Default: ``'softmax'``.
    Inputs: logits, label (Tensor): of the same shape, ``(N, C, ...)``.
    Output: Tensor, 0-d, or of the shape of a class's weight.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another activation, or if the shapes do not fit.
    Example:
        >>> x = Tensor([[0.0, 1.0]])
        >>> round(nn.MultiClassDiceLoss(activation=None)(x, x).item(), 3)
        0.5
    Source: mindspore.nn.MultiClassDiceLoss
    """

    @checked
    def __init__(self, weights: Array | None = None, ignore_indiex: Int | None = None, activation="softmax"):
        super().__init__()
        if weights is not None and weights.ndim != 2:
            check.refuse(ValueError, "MultiClassDiceLoss", "weights", "of two axes", weights)
        self.binarydiceloss = DiceLoss()
        self.weights = weights
        self.ignore_indiex = ignore_indiex
        if isinstance(activation, str):
            check.one_of(activation, _ACTIVATIONS, "activation", "MultiClassDiceLoss")
            activation = get_activation(activation)
        if activation is not None and not isinstance(activation, Cell):
            check.refuse(TypeError, "MultiClassDiceLoss", "activation", "a str or a Cell", activation)
        self.activation = activation

    def construct(self, logits, label):
        """The loss."""
        _check_inputs("MultiClassDiceLoss", logits, label)
        if logits.ndim < 2:
            check.refuse(ValueError, "MultiClassDiceLoss", "logits", "of at least two axes", logits)
        classes = label.shape[1]
        if self.weights is not None and self.weights.shape[0] != classes:
            check.refuse(ValueError, "MultiClassDiceLoss", "weights", f"of {classes} rows, one a class", self.weights)
        logits = logits if self.activation is None else self.activation(logits)
        total = 0
        for k in range(classes):
            if k != self.ignore_indiex:
                loss = self.binarydiceloss(logits[:, k], label[:, k])
                total += loss if self.weights is None else loss * self.weights[k]
        return total / classes
