"""RMSProp: gradients divided by the root of their running mean square."""

from ..._contracts.contracts import Bool, NonNegativeFloat, PositiveFloat
from ..._contracts.enforcement import checked
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ._formula_optimizer import FormulaOptimizer

__all__ = ["RMSProp"]

_CENTERED = Update(formulas.centered_rms_prop, mean="mg", squares="ms")


class RMSProp(FormulaOptimizer):
    """RMSProp: ``moment = momentum * moment + learning_rate * g / sqrt(ms + epsilon)``, ``parameter -= moment``.

    ``ms = decay * ms + (1 - decay) * g^2``; with ``centered`` the variance ``ms - mg^2`` is used instead.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`. Default: ``0.1``.
        decay (float): non-negative. Default: ``0.9``.
        momentum (float): non-negative. Default: ``0.0``.
        epsilon (float): above 0. Default: ``1e-10``.
        use_locking (bool): without effect: a step is one program. Default: ``False``.
        centered (bool): Default: ``False``.
        loss_scale (int | float): Default: ``1.0``.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.RMSProp(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.RMSProp
    """

    _update_ = Update(formulas.rms_prop, squares="ms")

    @checked
    def __init__(
        self,
        params,
        learning_rate=0.1,
        decay: NonNegativeFloat = 0.9,
        momentum: NonNegativeFloat = 0.0,
        epsilon: PositiveFloat = 1e-10,
        use_locking: Bool = False,
        centered: Bool = False,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.centered = centered
        if centered:
            self.mg = self.parameters.clone(prefix="mean_grad", init="zeros")
            self._update_ = _CENTERED
        self.momentum, self.epsilon, self.decay = momentum, epsilon, decay
        self.ms = self.parameters.clone(prefix="mean_square", init="ones")
        self.moment = self.parameters.clone(prefix="moment", init="zeros")
