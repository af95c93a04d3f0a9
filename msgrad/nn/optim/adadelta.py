"""Adadelta."""

from ..._contracts.choices import FloatWithin
from ..._contracts.contracts import NonNegativeFloat
from ..._contracts.enforcement import checked
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ._formula_optimizer import FormulaOptimizer

__all__ = ["Adadelta"]


class Adadelta(FormulaOptimizer):
    """Adadelta: the step is the gradient times the ratio of the RMS of past steps and of past gradients.

    ``accum = rho * accum + (1 - rho) * g^2``, ``step = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * g``,
    ``accum_update = rho * accum_update + (1 - rho) * step^2``, ``parameter -= learning_rate * step``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`. Default: ``1.0``.
        rho (float): in ``[0, 1]``. Default: ``0.9``.
        epsilon (float): non-negative. Default: ``1e-6``.
        loss_scale (int | float): Default: ``1.0``.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.Adadelta(net.trainable_params())
    Source: mindspore.nn.Adadelta
    """

    _update_ = Update(formulas.adadelta, moved="accum_update")

    @checked
    def __init__(
        self,
        params,
        learning_rate=1.0,
        rho: FloatWithin("[0, 1]") = 0.9,
        epsilon: NonNegativeFloat = 1e-6,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.accum = self.parameters.clone(prefix="accum", init=0)
        self.accum_update = self.parameters.clone(prefix="accum_update", init=0)
        self.rho, self.epsilon = rho, epsilon
