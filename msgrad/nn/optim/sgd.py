"""Stochastic gradient descent."""

from ..._contracts.check import refuse
from ..._contracts.contracts import Bool, NonNegativeReal
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer

__all__ = ["SGD"]

_DESCENT = Update(formulas.descent)


class SGD(FormulaOptimizer):
    """Stochastic gradient descent, optionally with momentum.

    ``accum = momentum * accum + (1 - dampening) * gradient`` (the gradient itself in the first step), then
    ``parameter -= learning_rate * accum``; with Nesterov's momentum it is ``gradient + momentum * accum`` instead of
    ``accum``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): Default: ``0.1``.
        momentum (int | float): non-negative; with 0 there is no ``accum``. Default: ``0.0``.
        dampening (int | float): non-negative. Default: ``0.0``.
        weight_decay (int | float): Default: ``0.0``.
        nesterov (bool): needs a momentum and no dampening. Default: ``False``.
        loss_scale (int | float): Default: ``1.0``.
    Inputs: the gradients, a tuple of Tensors of the Parameters' shapes. Output: a tuple of True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1, momentum=0.9)
        >>> optimizer(ms.grad(net, None, optimizer.parameters)(x))
        (True, True)
    Source: mindspore.nn.SGD
    """

    _update_ = Update(formulas.sgd)

    @checked
    def __init__(
        self,
        params,
        learning_rate=0.1,
        momentum: NonNegativeReal = 0.0,
        dampening: NonNegativeReal = 0.0,
        weight_decay=0.0,
        nesterov: Bool = False,
        loss_scale=1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if nesterov and momentum == 0:
            refuse(ValueError, self.cls_name, "momentum", "above 0, since 'nesterov' is True", momentum)
        if nesterov and dampening != 0:
            refuse(ValueError, self.cls_name, "dampening", "0, since 'nesterov' is True", dampening)
        self.dampening = float(dampening)
        self.nesterov = nesterov
        if self.dynamic_weight_decay:
            refuse(TypeError, self.cls_name, "weight_decay", "a number, in every group", weight_decay)
        self.momentum = Parameter(Tensor(float(momentum), dtypes.float32), name="momentum")
        self.accum = self.parameters.clone(prefix="accum", init="zeros")
        if momentum == 0:
            self._update_ = _DESCENT
        self.stat = self.parameters.clone(prefix="stat", init="ones")  # ones before the first step
