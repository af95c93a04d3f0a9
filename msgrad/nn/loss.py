"""Loss functions."""

from .. import ops
from ..engine import dtypes
from ..tensor.tensor import Tensor
from .cell import Cell

_REDUCTIONS = ("mean", "sum", "none")


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

    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in _REDUCTIONS:
            raise ValueError(
                f"For '{self.cls_name}', the 'reduction' must be in {list(_REDUCTIONS)}, but got {reduction}."
            )
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
    Source: mindspore.nn.L1Loss
    """

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("L1Loss", logits=logits, labels=labels)
        return self.get_loss(ops.abs(logits - labels))


class RMSELoss(LossBase):
    """The root of the mean of the squares of ``logits - label``. Source: mindspore.nn.RMSELoss"""

    def __init__(self):
        super().__init__()
        self.MSELoss = MSELoss()

    def construct(self, logits, label):
        """The loss, 0-d."""
        return ops.sqrt(self.MSELoss(logits, label))


class _Rounded(LossBase):
    """A loss that is quadratic near 0: ``d**2 / 2`` where ``|d| < bound``, ``bound * (|d| - bound / 2)`` elsewhere."""

    def _rounded(self, difference, bound):
        size = ops.abs(difference)
        return ops.where(size < bound, 0.5 * size * size, bound * (size - 0.5 * bound))


class SmoothL1Loss(_Rounded):
    """``0.5 * d**2 / beta`` where ``|d| < beta``, ``|d| - beta / 2`` elsewhere, reduced; ``d = logits - labels``.

    Args:
        beta (float): positive, or 0 for the L1 loss. Default: ``1.0``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'none'``.
    Inputs: logits, labels (Tensor): of equal shape. Output: Tensor.
    Raises:
        ValueError: if the shapes differ or ``beta`` is negative.
    Source: mindspore.nn.SmoothL1Loss
    """

    def __init__(self, beta=1.0, reduction="none"):
        super().__init__(reduction)
        if beta < 0:
            raise ValueError(f"For 'SmoothL1Loss', the 'beta' must not be negative, but got {beta}.")
        self.beta = beta

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("SmoothL1Loss", logits=logits, labels=labels)
        _check_same_shape("SmoothL1Loss", logits, labels)
        if self.beta == 0:
            return self.get_loss(ops.abs(logits - labels))
        return self.get_loss(self._rounded(logits - labels, self.beta) / self.beta)


class HuberLoss(_Rounded):
    """``0.5 * d**2`` where ``|d| < delta``, ``delta * (|d| - delta / 2)`` elsewhere; ``d = logits - labels``.

    Args:
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
        delta (int | float): positive. Default: ``1.0``.
    Inputs: logits, labels (Tensor): of shapes that broadcast. Output: Tensor.
    Raises:
        ValueError: if ``delta`` is not positive.
    Source: mindspore.nn.HuberLoss
    """

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        if delta <= 0:
            raise ValueError(f"For 'HuberLoss', the 'delta' must be positive, but got {delta}.")
        self.delta = delta

    def construct(self, logits, labels):
        """The loss."""
        check_tensors("HuberLoss", logits=logits, labels=labels)
        return self.get_loss(self._rounded(logits - labels, self.delta))


def check_tensors(name, **values):
    for argument, value in values.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{name}', the '{argument}' must be a Tensor, but got '{type(value).__name__}'.")


def _check_same_shape(name, logits, labels):
    if logits.shape != labels.shape:
        raise ValueError(
            f"For '{name}', the shape of 'logits' must be equal to that of 'labels', "
            f"but got {logits.shape} and {labels.shape}."
        )
