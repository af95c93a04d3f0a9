"""Adam and its variants."""

from ...engine import dtypes
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from .optimizer import GroupedFormulaOptimizer

_NAMES = {"m": "exp_avg", "v": "exp_avg_sq", "beta1": "betas.0", "beta2": "betas.1", "epsilon": "eps"}
_AMSGRAD = Update(formulas.amsgrad_at, vhat="max_exp_avg_sq", step="state_step", **_NAMES)


def _count(name):
    return Parameter(Tensor(0, dtypes.int32), name=name)


class _Adam(GroupedFormulaOptimizer):
    """Base of `Adam` and `AdamW`: hyperparameters, slots, the count of steps."""

    _counter_ = "state_step"

    def __init__(self, params, lr, betas, eps, weight_decay, amsgrad, maximize):
        self._at_least_(0.0, lr=lr, eps=eps, weight_decay=weight_decay)
        self._check_betas_(betas)
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
                    "maximize": maximize}  # fmt: skip
        super().__init__(params, defaults)
        self.exp_avg, self.exp_avg_sq = self._slot_("exp_avg"), self._slot_("exp_avg_sq")
        self.max_exp_avg_sq = self._slot_("max_exp_avg_sq")
        self.state_step = _count("state_step")


class Adam(_Adam):
    """``nn.Adam`` with parameter groups as dicts.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        lr (int | float | Tensor): non-negative. Default: ``1e-3``.
        betas (tuple): two floats in ``[0, 1)``. Default: ``(0.9, 0.999)``.
        eps (float): non-negative. Default: ``1e-8``.
        weight_decay (float): Default: ``0.0``.
        amsgrad (bool): whether to use the largest second moment so far; MindSpore 2.10 ignores it. Default: ``False``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Inputs: the gradients, a tuple of Tensors of the Parameters' shapes. Output: True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.Adam(net.trainable_params(), lr=0.01)
        >>> optimizer(ms.grad(net, None, optimizer.parameters)(x))
        True
    Source: mindspore.experimental.optim.Adam
    """

    _update_ = Update(formulas.adam_at, step="state_step", **_NAMES)

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def _chosen_update_(self, group):
        """The update with or without ``amsgrad``."""
        return _AMSGRAD if group["amsgrad"] else self._update_


class AdamW(_Adam):
    """`Adam` with decoupled weight decay: ``parameter *= 1 - lr * weight_decay`` before the step.

    Args: as for `Adam`; ``weight_decay`` is ``0.01`` by default.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.AdamW(net.trainable_params(), lr=0.01)
    Source: mindspore.experimental.optim.AdamW
    """

    _update_ = Update(
        formulas.adamw,
        vhat="max_exp_avg_sq",
        decay="weight_decay",
        step="state_step",
        has_vhat="amsgrad",
        **_NAMES,
    )
    _is_decoupled_ = True

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)


class Adamax(GroupedFormulaOptimizer):
    """Adam with the infinity norm: a decaying maximum of gradients instead of the root of the second moment.

    Args:
        params, betas, weight_decay, maximize: as for `Adam`.
        lr (int | float | Tensor), eps (float): above 0. Default: ``2e-3``, ``1e-8``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.Adamax(net.trainable_params(), lr=0.01)
    Source: mindspore.experimental.optim.Adamax
    """

    _update_ = Update(
        formulas.adamax_at,
        m="exp_avg",
        v="exp_inf",
        beta1="betas.0",
        beta2="betas.1",
        epsilon="eps",
        step="step_t",
    )
    _counter_ = "step_t"

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, *, maximize=False):
        self._at_least_(0.0, is_open=True, lr=lr, eps=eps)
        self._at_least_(0.0, weight_decay=weight_decay)
        self._check_betas_(betas)
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, defaults)
        self.step_t = _count("step_t")
        self.exp_avg, self.exp_inf = self._slot_("exp_avg"), self._slot_("exp_inf")


class NAdam(GroupedFormulaOptimizer):
    """Adam with Nesterov momentum, which grows with the steps.

    Args:
        params, betas, weight_decay: as for `Adam`.
        lr (int | float | Tensor), eps (float): above 0. Default: ``2e-3``, ``1e-8``.
        momentum_decay (float): non-negative. Default: ``4e-3``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.NAdam(net.trainable_params(), lr=0.01)
    Source: mindspore.experimental.optim.NAdam
    """

    _update_ = Update(formulas.nadam, product="mu_product", fade="momentum_decay", step="step_t", **_NAMES)
    _counter_ = "step_t"

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, momentum_decay=4e-3):
        self._at_least_(0.0, is_open=True, lr=lr, eps=eps)
        self._at_least_(0.0, weight_decay=weight_decay, momentum_decay=momentum_decay)
        self._check_betas_(betas)
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                    "momentum_decay": momentum_decay}  # fmt: skip
        super().__init__(params, defaults)
        self.step_t = _count("step_t")
        self.exp_avg, self.exp_avg_sq = self._slot_("exp_avg"), self._slot_("exp_avg_sq")
        self.mu_product = self._scalars_("mu_product_", 1.0)


class RAdam(GroupedFormulaOptimizer):
    """Rectified Adam: ignores the second moment until its variance is small enough, and then corrects for it.

    Args:
        params, betas, weight_decay: as for `Adam`.
        lr (int | float | Tensor), eps (float): above 0. Default: ``1e-3``, ``1e-8``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.RAdam(net.trainable_params(), lr=0.01)
    Source: mindspore.experimental.optim.RAdam
    """

    _update_ = Update(formulas.radam, step="step_t", **_NAMES)
    _counter_ = "step_t"

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self._at_least_(0.0, is_open=True, lr=lr, eps=eps)
        self._at_least_(0.0, weight_decay=weight_decay)
        self._check_betas_(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})
        self.step_t = _count("step_t")
        self.exp_avg, self.exp_avg_sq = self._slot_("exp_avg"), self._slot_("exp_avg_sq")
