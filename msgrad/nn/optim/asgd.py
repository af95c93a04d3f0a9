"""ASGD: gradient descent with averaged Parameters."""

from ..._contracts.contracts import Float
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter, ParameterTuple
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer

__all__ = ["ASGD"]


class ASGD(FormulaOptimizer):
    """Averaged stochastic gradient descent: a decaying rate, and a running mean ``ax`` of the Parameters.

    ``parameter = parameter * (1 - lambd * eta) - eta * g``, ``ax += (parameter - ax) * mu``,
    ``eta = learning_rate / (1 + lambd * learning_rate * step)^alpha``, ``mu = 1 / max(1, step - t0)``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`. Default: ``0.1``.
        lambd (float): Default: ``1e-4``.
        alpha (float): Default: ``0.75``.
        t0 (float): the step after which the mean begins. Default: ``1e6``.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Output: True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.ASGD(net.trainable_params())
    Source: mindspore.nn.ASGD
    """

    _update_ = Update(formulas.asgd, mean="ax", start="t0", step="global_step")

    @checked
    def __init__(
        self,
        params,
        learning_rate=0.1,
        lambd: Float = 1e-4,
        alpha: Float = 0.75,
        t0: Float = 1e6,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        self.lambd, self.alpha, self.t0 = lambd, alpha, Tensor([t0], dtypes.float32)
        self.mu = self._scalars_("mu_", 1.0)
        self.eta = self._scalars_("eta_", 0.0)
        self.ax = self.parameters.clone(prefix="ax_", init="zeros")

    def _scalars_(self, prefix, value):
        parameters = self.parameters
        return ParameterTuple([Parameter(Tensor(value, dtypes.float32), name=f"{prefix}{p.name}") for p in parameters])

    def construct(self, gradients):
        """Makes one step with the gradients."""
        return all(super().construct(gradients))
