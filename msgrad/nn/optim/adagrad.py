"""Adagrad and proximal Adagrad."""

from ..._contracts.contracts import Bool, NonNegativeFloat
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim import row_formulas
from ...ops.optim.update import Update
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer

__all__ = ["Adagrad", "ProximalAdagrad"]


class Adagrad(FormulaOptimizer):
    """Adagrad: ``accum += g^2``, ``parameter -= learning_rate * g / sqrt(accum)``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        accum (float): the initial ``accum``, non-negative. Default: ``0.1``.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`. Default: ``0.001``.
        update_slots (bool): whether ``accum`` changes. Default: ``True``.
        loss_scale (int | float): Default: ``1.0``.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.Adagrad(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.Adagrad
    """

    _update_ = Update(formulas.adagrad, update_slots="_update_slots_")

    @checked
    def __init__(
        self,
        params,
        accum: NonNegativeFloat = 0.1,
        learning_rate=0.001,
        update_slots: Bool = True,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.accum = self.parameters.clone(prefix="accum", init=accum)
        self._update_slots_ = update_slots


class ProximalAdagrad(FormulaOptimizer):
    """Proximal Adagrad: `Adagrad` followed by the proximal step of the ``l1`` and ``l2`` penalties.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        accum (float): the initial ``accum``, non-negative. Default: ``0.1``.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`. Default: ``0.001``.
        l1, l2 (float): non-negative. Default: ``0.0``.
        use_locking (bool): without effect: a step is one program. Default: ``False``.
        loss_scale (int | float): Default: ``1.0``.
        weight_decay (int | float | Cell): Default: ``0.0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.ProximalAdagrad(net.trainable_params(), l1=0.001)
    Source: mindspore.nn.ProximalAdagrad
    """

    _update_ = Update(formulas.proximal_adagrad)
    _by_rows_ = row_formulas.PROXIMAL_ADAGRAD

    @checked
    def __init__(
        self,
        params,
        accum: NonNegativeFloat = 0.1,
        learning_rate=0.001,
        l1: NonNegativeFloat = 0.0,
        l2: NonNegativeFloat = 0.0,
        use_locking: Bool = False,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.accum = self.parameters.clone(prefix="accum", init=accum)
        self.l1, self.l2 = Tensor(l1, dtypes.float32), Tensor(l2, dtypes.float32)
        self.use_locking = use_locking
