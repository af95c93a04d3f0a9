"""SGD, ASGD, Rprop and RMSprop."""

from ..._contracts import check
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from .optimizer import GroupedFormulaOptimizer

_DESCENT = Update(formulas.descent)


class SGD(GroupedFormulaOptimizer):
    """``nn.SGD`` with parameter groups as dicts.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        lr (int | float | Tensor): non-negative.
        momentum, dampening (int | float): non-negative. Default: ``0``.
        weight_decay (float): non-negative. Default: ``0.0``.
        nesterov (bool): needs a momentum and no dampening. Default: ``False``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Inputs: the gradients, a tuple of Tensors of the Parameters' shapes. Output: True.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.SGD(net.trainable_params(), lr=0.1, momentum=0.9)
    Source: mindspore.experimental.optim.SGD
    """

    _update_ = Update(formulas.sgd)

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *, maximize=False):
        require(lr, (float, int, Tensor), self.cls_name, "lr")
        for name, value in (("momentum", momentum), ("dampening", dampening)):
            check.number(value, name, self.cls_name)
        for name, value in (("nesterov", nesterov), ("maximize", maximize)):
            check.boolean(value, name, self.cls_name)
        self._at_least_(0.0, lr=lr, momentum=momentum)
        if nesterov and (momentum == 0 or dampening != 0):
            refuse(ValueError, self.cls_name, "nesterov", "False without a momentum, or with a dampening", nesterov)
        defaults = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                    "nesterov": nesterov, "maximize": maximize}  # fmt: skip
        super().__init__(params, self._named_(defaults))
        self.accum, self.stat = self._slot_("accum"), self._slot_("stat", "ones")

    @staticmethod
    def _named_(defaults):
        """The options of a group as they are shown."""
        floats = {"momentum": float(defaults["momentum"]), "dampening": float(defaults["dampening"])}
        return defaults | floats | {"grad_centralization": False}

    def _chosen_update_(self, group):
        """The update with or without momentum."""
        return self._update_ if group["momentum"] else _DESCENT


class ASGD(GroupedFormulaOptimizer):
    """``nn.ASGD`` with parameter groups as dicts.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        lr (int | float | Tensor): above 0. Default: ``1e-2``.
        lambd (float): Default: ``1e-4``.
        alpha (float): Default: ``0.75``.
        t0 (float): the step after which averaging starts. Default: ``1e6``.
        weight_decay (float): non-negative. Default: ``0.0``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.ASGD(net.trainable_params(), lr=0.1)
    Source: mindspore.experimental.optim.ASGD
    """

    _update_ = Update(formulas.asgd, mean="ax", start="t0", step="step_t")
    _counter_ = "step_t"

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0, maximize=False):
        self._at_least_(0.0, is_open=True, lr=lr)
        self._at_least_(0.0, weight_decay=weight_decay)
        require(lambd, float, self.cls_name, "lambd")
        require(t0, float, self.cls_name, "t0")
        defaults = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
                    "maximize": maximize}  # fmt: skip
        super().__init__(params, defaults)
        self.mu, self.eta = self._scalars_("mu_", 1.0), self._scalars_("eta_", 0.0)
        self.ax = self._slot_("ax")
        self.step_t = Parameter(Tensor(0, dtypes.int32), name="step_t")


class Rprop(GroupedFormulaOptimizer):
    """``nn.Rprop`` with parameter groups as dicts.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        lr (int | float | Tensor): the first step, above 0. Default: ``1e-2``.
        etas (tuple): the factors of a step when the gradient's sign changes, in ``(0, 1)``, and when not, above 1.
            Default: ``(0.5, 1.2)``.
        step_sizes (tuple): the smallest and the largest step. Default: ``(1e-6, 50)``.
        maximize (bool): whether to go up the gradients. Default: ``False``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.Rprop(net.trainable_params())
    Source: mindspore.experimental.optim.Rprop
    """

    _update_ = Update(
        formulas.rprop,
        before="prev",
        size="step_size",
        minus="etas.0",
        plus="etas.1",
        minimum="step_sizes.0",
        maximum="step_sizes.1",
        step="step_t",
    )
    _counter_ = "step_t"

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, maximize=False):
        self._at_least_(0.0, is_open=True, lr=lr)
        check.float_within("(0, 1)", etas[0], "etas[0]", self.cls_name)
        check.float_within("(1, inf)", etas[1], "etas[1]", self.cls_name)
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})
        self.prev, self.step_size = self._slot_("prev"), self._slot_("step_size")
        self.step_t = Parameter(Tensor(0, dtypes.int32), name="step_t")


class RMSprop(GroupedFormulaOptimizer):
    """``mean_square = alpha * mean_square + (1 - alpha) * g^2``, ``parameter -= lr * g / (sqrt(mean_square) + eps)``.

    With momentum, the steps without ``lr`` are accumulated; if ``centered``, the variance replaces the mean square.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        lr (int | float | Tensor), eps (float): above 0. Default: ``1e-2``, ``1e-8``.
        alpha (float): non-negative. Default: ``0.99``.
        weight_decay, momentum (float): non-negative. Default: ``0.0``.
        centered, maximize (bool): Default: ``False``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = optim.RMSprop(net.trainable_params(), lr=0.01)
    Source: mindspore.experimental.optim.RMSprop
    """

    _update_ = Update(formulas.rms_step, squares="mean_square", mean="mean_grad", epsilon="eps")

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0.0,
        momentum=0.0,
        centered=False,
        maximize=False,
    ):
        self._at_least_(0.0, is_open=True, lr=lr, eps=eps)
        self._at_least_(0.0, alpha=alpha, momentum=momentum, weight_decay=weight_decay)
        defaults = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
                    "weight_decay": weight_decay, "maximize": maximize}  # fmt: skip
        super().__init__(params, defaults)
        self.mean_grad, self.mean_square = self._slot_("mean_grad"), self._slot_("mean_square")
        self.moment = self._slot_("moment")
