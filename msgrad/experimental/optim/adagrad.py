"""Adagrad and Adadelta."""

from ..._contracts import check
from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from .optimizer import GroupedFormulaOptimizer


class Adagrad(GroupedFormulaOptimizer):
    """``accum += g^2``, ``parameter -= lr / (1 + step * lr_decay) * g / (sqrt(accum) + eps)``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        lr (int | float | Tensor): above 0. Default: ``1e-2``.
        lr_decay, weight_decay, initial_accumulator_value (float): non-negative. Default: ``0.0``.
        eps (float): above 0. Default: ``1e-10``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.Adagrad(net.trainable_params(), lr=0.01)
    Source: mindspore.experimental.optim.Adagrad
    """

    _update_ = Update(formulas.adagrad_at, epsilon="eps", fade="lr_decay", step="step_t")

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0.0,
        weight_decay=0.0,
        initial_accumulator_value=0.0,
        eps=1e-10,
        *,
        maximize=False,
    ):
        self._at_least_(0.0, is_open=True, lr=lr, eps=eps)
        self._at_least_(
            0.0, lr_decay=lr_decay, weight_decay=weight_decay, initial_accumulator_value=initial_accumulator_value
        )
        defaults = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                    "initial_accumulator_value": initial_accumulator_value, "maximize": maximize}  # fmt: skip
        super().__init__(params, defaults)
        self.accum = self._slot_("accum", initial_accumulator_value)
        self.step_t = Parameter(Tensor(0, dtypes.int32), name="step_t")

    def construct(self, gradients):
        """Makes one step with the gradients; the first is step 0."""
        done = super().construct(gradients)
        self.step_t._write_(self.step_t + 1)
        return done


class Adadelta(GroupedFormulaOptimizer):
    """``nn.Adadelta`` with parameter groups as dicts.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        lr (int | float | Tensor): above 0. Default: ``1.0``.
        rho (float): in ``[0, 1]``. Default: ``0.9``.
        eps (float): above 0. Default: ``1e-6``.
        weight_decay (float): non-negative. Default: ``0.0``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.Adadelta(net.trainable_params())
    Source: mindspore.experimental.optim.Adadelta
    """

    _update_ = Update(formulas.adadelta, moved="accum_update", epsilon="eps")

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, *, maximize=False):
        self._at_least_(0.0, is_open=True, lr=lr, eps=eps)
        self._at_least_(0.0, weight_decay=weight_decay)
        check.float_within("[0, 1]", rho, "rho", self.cls_name)
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})
        self.accum, self.accum_update = self._slot_("accum"), self._slot_("accum_update")
