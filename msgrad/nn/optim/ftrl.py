"""FTRL: follow the regularized leader."""

from ..._contracts import check
from ..._contracts.choices import FloatWithin
from ..._contracts.contracts import Bool, NonNegativeFloat
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim import row_formulas
from ...ops.optim.update import Update
from ._formula_optimizer import FormulaOptimizer

__all__ = ["FTRL"]


class FTRL(FormulaOptimizer):
    """Follow the regularized leader: a Parameter is 0 while its accumulated gradient is less than ``l1``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`; weight decay applies to every Parameter.
        initial_accum (float): the initial sum of squares, non-negative. Default: ``0.1``.
        learning_rate (float): the same for all steps and groups, above 0. Default: ``0.001``.
        lr_power (float): the exponent of the sum of squares, at most 0. Default: ``-0.5``.
        l1, l2 (float): non-negative. Default: ``0.0``.
        use_locking (bool): without effect: a step is one program. Default: ``False``.
        loss_scale (int | float): Default: ``1.0``.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Raises:
        TypeError, ValueError: for other values, and for rates by step or by group.
    Example:
        >>> optimizer = nn.FTRL(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.FTRL
    """

    _update_ = Update(formulas.ftrl, accum="moments", power="lr_power")
    _by_rows_ = row_formulas.FTRL

    @checked
    def __init__(
        self,
        params,
        initial_accum: NonNegativeFloat = 0.1,
        learning_rate=0.001,
        lr_power: FloatWithin("[-inf, 0]") = -0.5,
        l1: NonNegativeFloat = 0.0,
        l2: NonNegativeFloat = 0.0,
        use_locking: Bool = False,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            refuse(ValueError, self.cls_name, "learning_rate", "one for all steps and groups", learning_rate)
        self.lr = check.positive_float(learning_rate, "learning_rate", self.cls_name)
        self.moments = self.parameters.clone(prefix="moments", init=initial_accum)
        self.linear = self.parameters.clone(prefix="linear", init="zeros")
        self.l1, self.l2, self.lr_power, self.use_locking = l1, l2, lr_power, use_locking
        if not self.is_group:
            self.decay_flags = (True,) * len(self.parameters)
