"""Optimizers of `mint`: those of ``experimental.optim``, with other defaults and checks."""

from .._contracts import check
from ..engine.refusal import require
from ..experimental import optim
from ..tensor.tensor import Tensor

__all__ = ["Adam", "AdamW", "FusedAdamW", "SGD"]


def _check(owner, lr, betas, eps, weight_decay):
    require(betas, tuple, owner, "betas")
    if len(betas) != 2:
        check.refuse(ValueError, owner, "betas", "of two floats", betas)
    named = {"betas[0]": betas[0], "betas[1]": betas[1], "eps": eps, "weight_decay": weight_decay, "lr": lr}
    for name, value in named.items():
        require(value, float, owner, name)


class Adam(optim.Adam):
    """Adam: steps by the running mean of gradients divided by the root of the running mean of their squares.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): what to update, or groups of it with arguments of their own.
        lr (float): non-negative. Default: ``1e-3``.
        betas (tuple[float]): how slowly the means fade, in ``[0, 1)``. Default: ``(0.9, 0.999)``.
        eps (float): non-negative. Default: ``1e-8``.
        weight_decay (float): non-negative; added to the gradients, times the Parameters. Default: ``0.0``.
        amsgrad (bool): whether the largest mean square so far counts. Default: ``False``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Inputs: the gradients, a tuple of Tensors of the Parameters' shapes. Output: True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = mint.optim.Adam([Parameter(Tensor([1.0]), name="w")], lr=0.1)
        >>> optimizer((Tensor([2.0]),))
        True
    Source: mindspore.mint.optim.Adam
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False
    ):
        _check("Adam", lr, betas, eps, weight_decay)
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


class AdamW(optim.AdamW):
    """`Adam` with decoupled weight decay: ``parameter *= 1 - lr * weight_decay`` before the step.

    Args: as for `Adam`; ``weight_decay`` is ``0.01`` by default.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = mint.optim.AdamW([Parameter(Tensor([1.0]), name="w")], lr=0.1)
        >>> optimizer((Tensor([2.0]),))
        True
    Source: mindspore.mint.optim.AdamW
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False
    ):
        _check(self.cls_name, lr, betas, eps, weight_decay)
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


class FusedAdamW(AdamW):
    """`AdamW`; XLA compiles the steps of all Parameters into one program in any case.

    Args: as for `AdamW`.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = mint.optim.FusedAdamW([Parameter(Tensor([1.0]), name="w")], lr=0.1)
        >>> optimizer((Tensor([2.0]),))
        True
    Source: mindspore.mint.optim.FusedAdamW
    """


class SGD(optim.SGD):
    """Stochastic gradient descent, optionally with momentum.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): what to update, or groups of it with arguments of their own.
        lr (int | float | Tensor): non-negative.
        momentum (int | float): non-negative. Default: ``0``.
        dampening (int | float): fraction subtracted from all gradients but the first. Default: ``0``.
        weight_decay (int | float): non-negative; added to the gradients, times the Parameters. Default: ``0``.
        nesterov (bool): needs a momentum and no dampening. Default: ``False``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Inputs: the gradients, a tuple of Tensors of the Parameters' shapes. Output: True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = mint.optim.SGD([Parameter(Tensor([1.0]), name="w")], lr=0.1, momentum=0.9)
        >>> optimizer((Tensor([2.0]),))
        True
    Source: mindspore.mint.optim.SGD
    """

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False):
        check.number(weight_decay, "weight_decay", "SGD")
        super().__init__(params, lr, momentum, dampening, float(weight_decay), nesterov, maximize=maximize)

    @staticmethod
    def _named_(defaults):
        return defaults

    def add_param_group(self, param_group):
        """Adds a group, whose ``lr_float`` is its first rate, without effect: see `Optimizer.add_param_group`."""
        rate = param_group.get("lr", self.defaults["lr"])
        param_group.setdefault("lr_float", rate.item() if isinstance(rate, Tensor) else rate)
        super().add_param_group(param_group)
