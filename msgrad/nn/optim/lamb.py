"""LAMB: Adam with the trust ratio of each layer."""

from ..._contracts.contracts import PositiveFloat
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer
from .adam import Beta

__all__ = ["Lamb"]


class Lamb(FormulaOptimizer):
    """LAMB: Adam's step with weight decay, scaled to the norm of the Parameter times the rate.

    ``u = m' / (sqrt(v') + eps) + weight_decay * parameter``, with Adam's bias-corrected moments, and
    ``parameter -= learning_rate * |parameter| / |u| * u``, with norms over the whole Parameter.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`.
        beta1, beta2, eps (float): as for `AdamWeightDecay`.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.Lamb(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.Lamb
    """

    _update_ = Update(formulas.lamb, m="moments1", v="moments2", epsilon="eps", step="global_step")
    _is_decoupled_ = True

    @checked
    def __init__(
        self,
        params,
        learning_rate,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-6,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2 = Tensor([beta1], dtypes.float32), Tensor([beta2], dtypes.float32)
        self.eps = Tensor([eps], dtypes.float32)
        self.params = self.parameters
        self.moments1 = self.params.clone(prefix="lamb_m", init="zeros")
        self.moments2 = self.params.clone(prefix="lamb_v", init="zeros")
