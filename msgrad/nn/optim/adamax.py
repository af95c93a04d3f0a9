"""AdaMax: Adam with the infinity norm of gradients."""

from ..._contracts.contracts import PositiveFloat
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer
from .adam import Beta

__all__ = ["AdaMax"]


class AdaMax(FormulaOptimizer):
    """AdaMax: Adam with a decaying maximum of the gradients in place of their RMS.

    ``m = beta1 * m + (1 - beta1) * g``, ``v = max(beta2 * v, |g|)`` and, in step ``t``,
    ``parameter -= learning_rate / (1 - beta1^t) * m / (v + eps)``.

    Args:
        params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale: as for `Adam`.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.AdaMax(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.AdaMax
    """

    _update_ = Update(formulas.adamax, m="moment1", v="moment2", power1="beta1_power", epsilon="eps")
    _powers_ = (("beta1_power", "beta1"),)

    @checked
    def __init__(
        self,
        params,
        learning_rate=0.001,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-08,
        weight_decay=0.0,
        loss_scale=1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1, self.beta2 = Tensor(beta1, dtypes.float32), Tensor(beta2, dtypes.float32)
        self.beta1_power = Parameter(Tensor([1.0], dtypes.float32), name="beta1_power")
        self.eps = Tensor(eps, dtypes.float32)
        self.moment1 = self.parameters.clone(prefix="moment1", init="zeros")
        self.moment2 = self.parameters.clone(prefix="moment2", init="zeros")
