"""Gradient descent with momentum."""

from ..._contracts.contracts import Bool, NonNegativeFloat
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer

__all__ = ["Momentum"]


class Momentum(FormulaOptimizer):
    """Momentum: ``moment = momentum * moment + gradient``, then ``parameter -= learning_rate * moment``.

    With Nesterov's momentum the second is ``parameter -= learning_rate * (gradient + momentum * moment)``, which
    MindSpore 2.10 documents but does not compute on the CPU.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`.
        momentum (float): non-negative.
        weight_decay (int | float | Cell): Default: ``0.0``.
        loss_scale (int | float): Default: ``1.0``.
        use_nesterov (bool): Default: ``False``.
    Inputs: the gradients, a tuple of Tensors of the Parameters' shapes. Output: a tuple of True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
    Source: mindspore.nn.Momentum
    """

    _update_ = Update(formulas.momentum, accum="moments", nesterov="use_nesterov")

    @checked
    def __init__(
        self,
        params,
        learning_rate,
        momentum: NonNegativeFloat,
        weight_decay=0.0,
        loss_scale=1.0,
        use_nesterov: Bool = False,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum = Parameter(Tensor(momentum, dtypes.float32), name="momentum")
        self.params = self.parameters
        self.use_nesterov = use_nesterov
        self.moments = self.params.clone(prefix="moments", init="zeros")
