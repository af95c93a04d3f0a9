"""Loss functions."""

from .. import ops
from ..engine import dtypes
from ..ops import check
from ..ops.contracts import Real, checked
from ..ops.loss import Reduction
from ..tensor.tensor import Tensor
from .cell import Cell

__all__ = ["HuberLoss", "L1Loss", "LossBase", "MAELoss", "MSELoss", "RMSELoss", "SmoothL1Loss"]


class LossBase(Cell):
    """The base class of losses; a subclass gives ``construct(logits, labels)``.

    Args:
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``, for `get_loss`. Default: ``'mean'``.
    Raises:
        ValueError: for another reduction.
    Example:
        >>> class Quartic(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss((logits - labels) ** 4)
    Source: mindspore.nn.LossBase
    """

    @checked
    def __init__(self, reduction: Reduction = "mean"):
        super().__init__()
        self.reduction = reduction
        self.average = reduction == "mean"
        self.reduce = reduction != "none"

    def get_axis(self, x):
        """All axes of ``x`` (tuple[int]). Source: mindspore.nn.LossBase.get_axis"""
        return tuple(range(x.ndim))

    def get_loss(self, x, weights=1.0):
        """``weights * x``, reduced over all axes; computed in float32, in the dtype of ``x`` again.

        Args:
            x (Tensor): the losses of the elements.
            weights (float | Tensor): broadcast to ``x``. Default: ``1.0``.
        Returns:
            Tensor, 0-d unless the reduction is ``'none'``.
        Source: mindspore.nn.LossBase.get_loss
        """
        dtype = x.dtype
        x = x if dtype == dtypes.float32 else x.astype(dtypes.float32)
        if isinstance(weights, Tensor):
            x = weights.astype(dtypes.float32) * x
        elif weights != 1:
            x = weights * x
        if self.reduce:
            x = x.mean() if self.average else x.sum()
        return x if dtype == dtypes.float32 else x.astype(dtype)

    def construct(self, logits, labels):
        """The loss; a subclass defines it."""
        raise NotImplementedError


class MSELoss(LossBase):
    """The squares of ``logits - labels``, reduced.

    Args:
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Inputs: logits, labels (Tensor): of shapes that broadcast. Output: Tensor.
    Example:
        >>> nn.MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        2.0
    Source: mindspore.nn.MSELoss
    """

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("MSELoss", logits=logits, labels=labels)
        return self.get_loss(ops.square(logits - labels))


class MAELoss(LossBase):
    """The absolute values of ``logits - label``, reduced.

    Args:
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Inputs: logits, label (Tensor): of shapes that broadcast. Output: Tensor.
    Example:
        >>> nn.MAELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        1.0
    Source: mindspore.nn.MAELoss
    """

    def construct(self, logits, label):
        """The loss."""
        check_tensors("MAELoss", logits=logits, label=label)
        return self.get_loss(ops.abs(logits - label))


class L1Loss(LossBase):
    """The absolute values of ``logits - labels``, reduced.

    Args:
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Inputs: logits, labels (Tensor): of shapes that broadcast. Output: Tensor.
    Example:
        >>> nn.L1Loss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        1.0
    Source: mindspore.nn.L1Loss
    """

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("L1Loss", logits=logits, labels=labels)
        return self.get_loss(ops.abs(logits - labels))


class RMSELoss(LossBase):
    """The root of the mean of the squares of ``logits - label``.

    Inputs: logits, label (Tensor): of shapes that broadcast. Output: Tensor.
    Example:
        >>> nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 2.0])).item()
        0.0
    Source: mindspore.nn.RMSELoss
    """

    def __init__(self):
        super().__init__()
        self.MSELoss = MSELoss()

    def construct(self, logits, label):
        """The loss, 0-d."""
        return ops.sqrt(self.MSELoss(logits, label))


class SmoothL1Loss(LossBase):
    """``0.5 * d**2 / beta`` where ``|d| < beta``, ``|d| - beta / 2`` elsewhere, reduced; ``d = logits - labels``.

    Args:
        beta (float): positive, or 0 for the L1 loss. Default: ``1.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'none'``.
    Inputs: logits, labels (Tensor): of equal shape. Output: Tensor.
    Raises:
        TypeError: if ``beta`` is not a number.  ValueError: if the shapes differ.  RuntimeError: if ``beta`` is
            negative, when it is called.
    Example:
        >>> nn.SmoothL1Loss()(Tensor([1.0, 3.0]), Tensor([0.0, 0.0])).tolist()
        [0.5, 2.5]
    Source: mindspore.nn.SmoothL1Loss
    """

    @checked
    def __init__(self, beta: Real = 1.0, reduction="none"):
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("SmoothL1Loss", logits=logits, labels=labels)
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """``0.5 * d**2`` where ``|d| < delta``, ``delta * (|d| - delta / 2)`` elsewhere; ``d = logits - labels``.

    Args:
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
        delta (int | float): positive. Default: ``1.0``.
    Inputs: logits, labels (Tensor): of shapes that broadcast. Output: Tensor.
    Raises:
        TypeError, ValueError: if ``delta`` is not a number, or not positive, when it is called.
    Example:
        >>> nn.HuberLoss("none")(Tensor([1.0, 3.0]), Tensor([0.0, 0.0])).tolist()
        [0.5, 2.5]
    Source: mindspore.nn.HuberLoss
    """

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("HuberLoss", logits=logits, labels=labels)
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


def check_tensors(owner, **values):
    """Raises TypeError for what is no Tensor."""
    for argument, value in values.items():
        if not isinstance(value, Tensor):
            check.refuse(TypeError, owner, argument, "a Tensor", value)
