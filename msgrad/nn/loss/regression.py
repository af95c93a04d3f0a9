"""Regression losses, and `LossBase`."""

import math

from ... import ops
from ..._contracts import check
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...ops.loss.regression_losses import Reduction
from ...tensor.tensor import Tensor
from .._half_precision import in_float32
from .._rows import layer, on_demand
from ..cell import Cell

_ROWS = {
    "L1Loss": lambda: layer(ops.l1_loss, "L1Loss(reduction='mean')(logits, labels)", LossBase),
    "L1LossExt": lambda: layer(ops.l1_loss, "L1LossExt(reduction='mean')(logits, labels)", LossBase),
    "SmoothL1Loss": lambda: layer(
        ops.smooth_l1_loss, "SmoothL1Loss(beta=1.0, reduction='none')(logits, labels)", LossBase
    ),
    "HuberLoss": lambda: layer(ops.huber_loss, "HuberLoss(reduction='mean', delta=1.0)(logits, labels)", LossBase),
    "GaussianNLLLoss": lambda: layer(
        ops.gaussian_nll_loss,
        "GaussianNLLLoss(*, full=False, eps: PositiveFloat = 1e-6, reduction='mean')(logits, labels, var)",
        LossBase,
    ),
}
__getattr__ = on_demand(__name__, _ROWS)
__all__ = [*_ROWS, "LossBase", "MAELoss", "MSELoss", "PoissonNLLLoss", "RMSELoss"]


class LossBase(Cell):
    """The base class of losses; a subclass defines ``construct(logits, labels)``.

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
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def get_axis(self, x):
        """All axes of ``x`` (tuple[int]). Source: mindspore.nn.LossBase.get_axis"""
        return tuple(range(x.ndim))

    def get_loss(self, x, weights=1.0):
        """``weights * x``, reduced over all axes; computed in float32 and cast back to the dtype of ``x``.

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
    """Mean squared error: the squares of ``logits - labels``, reduced.

    Args:
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Inputs: logits, labels (Tensor): of shapes that broadcast. Output: Tensor.
    Example:
        >>> nn.MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])).item()
        2.0
    Source: mindspore.nn.MSELoss
    """

    @in_float32
    def construct(self, logits, labels):
        """The loss."""
        check_tensors("MSELoss", logits=logits, labels=labels)
        return self.get_loss(ops.square(logits - labels))


class MAELoss(LossBase):
    """Mean absolute error: the absolute values of ``logits - label``, reduced.

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


class RMSELoss(LossBase):
    """Root mean squared error: the square root of the mean of ``(logits - label) ** 2``.

    Inputs: logits, label (Tensor): of shapes that broadcast. Output: Tensor.
    Example:
        >>> nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 2.0])).item()
        0.0
    Source: mindspore.nn.RMSELoss
    """

    def __init__(self):
        super().__init__()
        self.MSELoss = MSELoss()

    @in_float32
    def construct(self, logits, label):
        """The loss, 0-d."""
        return ops.sqrt(self.MSELoss(logits, label))


class PoissonNLLLoss(LossBase):
    """Poisson negative log-likelihood: ``exp(input) - target * input``, reduced; ``input`` is the log of the rate.

    Args:
        log_input (bool): whether the input is the logarithm of the rate, not the rate. Default: ``True``.
        full (bool): whether Stirling's approximation of ``log(target!)`` is added, for targets above 1.
            Default: ``False``.
        eps (float): added to the rate under the logarithm. Default: ``1e-8``.
        reduction (str): ``'mean'``, ``'sum'`` or ``'none'``. Default: ``'mean'``.
    Inputs: input, target (Tensor): of shapes that broadcast. Output: Tensor.
    Example:
        >>> nn.PoissonNLLLoss()(Tensor([0.0]), Tensor([1.0])).item()
        1.0
    Source: mindspore.nn.PoissonNLLLoss
    """

    def __init__(self, log_input=True, full=False, eps=1e-08, reduction="mean"):
        super().__init__(reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    @in_float32
    def construct(self, input, target):
        """The loss."""
        check_tensors("PoissonNLLLoss", input=input, target=target)
        target = target.astype(input.dtype)
        loss = ops.exp(input) - target * input if self.log_input else input - target * ops.log(input + self.eps)
        if self.full:
            large = ops.maximum(target, 1.0)
            stirling = (large + 0.5) * ops.log(large) - large + 0.5 * math.log(2 * math.pi)
            loss = loss + ops.where(target > 1, stirling, 0.0)
        return self.get_loss(loss)


def check_tensors(owner, **values):
    """Raises TypeError for a value that is not a Tensor."""
    for argument, value in values.items():
        if not isinstance(value, Tensor):
            check.refuse(TypeError, owner, argument, "a Tensor", value)
