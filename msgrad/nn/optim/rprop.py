"""Rprop: steps by the signs of gradients."""

from ..._contracts.choices import FloatWithin
from ..._contracts.contracts import Float
from ..._contracts.enforcement import checked
from ..._contracts.kinds import accepted
from ...engine.refusal import refuse
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ._formula_optimizer import FormulaOptimizer

__all__ = ["Rprop"]


class Rprop(FormulaOptimizer):
    """Rprop: each element steps against its gradient's sign; the step grows while the sign stays, else it shrinks.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): the first step. Default: ``0.1``.
        etas (tuple): the factors of the step if the sign changes, in ``(0, 1)``, and if it stays, above 1.
            Default: ``(0.5, 1.2)``.
        step_sizes (tuple): the smallest and the largest step. Default: ``(1e-6, 50.0)``.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Output: True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.Rprop(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.Rprop
    """

    _update_ = Update(
        formulas.rprop,
        before="prev",
        size="step_size",
        minus="etaminus",
        plus="etaplus",
        minimum="step_size_min",
        maximum="step_size_max",
        step="global_step",
    )

    @checked
    def __init__(self, params, learning_rate=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(value, tuple):
                refuse(TypeError, self.cls_name, name, "a tuple of two floats", value)
            if len(value) != 2:
                refuse(ValueError, self.cls_name, name, "a tuple of two floats", value)
        if step_sizes[0] > step_sizes[1]:
            refuse(ValueError, self.cls_name, "step_sizes", "the smallest step, then the largest", step_sizes)
        self.etaminus = FloatWithin("(0, 1)").take(etas[0], "etas[0]", self.cls_name)
        self.etaplus = FloatWithin("(1, inf)").take(etas[1], "etas[1]", self.cls_name)
        self.step_size_min = accepted(Float, step_sizes[0], "step_sizes[0]", self.cls_name)
        self.step_size_max = accepted(Float, step_sizes[1], "step_sizes[1]", self.cls_name)
        self.prev = self.parameters.clone(prefix="prev", init="zeros")
        self.step_size = self.parameters.clone(prefix="step_size", init="zeros")

    def construct(self, gradients):
        """Makes one step with the gradients."""
        return all(super().construct(gradients))
