"""Adam and its variants."""

from ..._contracts import check
from ..._contracts.choices import FloatWithin
from ..._contracts.contracts import Bool, NonNegativeFloat, PositiveFloat
from ..._contracts.enforcement import checked, checked_like
from ...engine import dtypes
from ...engine.refusal import refuse
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim import row_formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer

__all__ = ["Adam", "AdamOffload", "AdamWeightDecay", "LazyAdam"]

Beta = FloatWithin("(0, 1)")

_NAMES = {"m": "moment1", "v": "moment2", "power1": "beta1_power", "power2": "beta2_power", "epsilon": "eps"}
_AMSGRAD = Update(formulas.amsgrad, **_NAMES)
_MSG_KEYS = "For 'Adam', the other keyword arguments can be 'use_lazy' and 'use_offload', but got {}."


class _Adam(FormulaOptimizer):
    """The base of Adam and its variants: two moments, and the powers of the betas."""

    _update_ = Update(formulas.adam, nesterov="use_nesterov", **_NAMES)
    _powers_ = (("beta1_power", "beta1"), ("beta2_power", "beta2"))
    _power_shape_ = [1]

    def __init__(
        self,
        params,
        learning_rate=1e-3,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-8,
        use_locking: Bool = False,
        use_nesterov: Bool = False,
        weight_decay=0.0,
        loss_scale=1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1, self.beta2 = Tensor(beta1, dtypes.float32), Tensor(beta2, dtypes.float32)
        self.beta1_power = Parameter(Tensor(1.0, dtypes.float32).reshape(self._power_shape_), name="beta1_power")
        self.beta2_power = Parameter(Tensor(1.0, dtypes.float32).reshape(self._power_shape_), name="beta2_power")
        self.eps = Tensor(eps, dtypes.float32)
        self.use_nesterov, self.use_locking = use_nesterov, use_locking
        self.moment1 = self.parameters.clone(prefix="moment1", init="zeros")
        self.moment2 = self.parameters.clone(prefix="moment2", init="zeros")


class Adam(_Adam):
    """Adam: steps ``m / (sqrt(v) + eps)``, with running means ``m`` of the gradient and ``v`` of its square.

    ``m = beta1 * m + (1 - beta1) * g``, ``v = beta2 * v + (1 - beta2) * g^2`` and, in step ``t``,
    ``parameter -= learning_rate * sqrt(1 - beta2^t) / (1 - beta1^t) * m / (sqrt(v) + eps)``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): as for `Optimizer`. Default: ``1e-3``.
        beta1, beta2 (float): in ``(0, 1)``. Default: ``0.9``, ``0.999``.
        eps (float): above 0. Default: ``1e-8``.
        use_locking (bool): without effect: a step is one program. Default: ``False``.
        use_nesterov (bool): whether the step uses ``beta1 * m + (1 - beta1) * g`` instead of ``m``. Default: ``False``.
        weight_decay (int | float | Cell): Default: ``0.0``.
        loss_scale (int | float): Default: ``1.0``.
        use_amsgrad (bool): whether to use the largest ``v`` so far. Default: ``False``.
        use_lazy (bool): whether a sparse gradient, which only sparse lookups (`EmbeddingLookup`) give, updates the rows
            that it has and no others. Default: ``False``.
        use_offload (bool): MindSpore's steps on the host; without effect, except that gradients are not centralized.
            Default: ``False``.
    Inputs: the gradients, a tuple of Tensors of the Parameters' shapes. Output: a tuple of True.
    Raises:
        TypeError, ValueError: for other values.  KeyError: for another keyword.
    Example:
        >>> optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)
        >>> optimizer(ms.grad(net, None, optimizer.parameters)(x))
        (True, True)
    Source: mindspore.nn.Adam
    """

    _power_shape_ = []
    _by_rows_ = row_formulas.ADAM

    @checked
    def __init__(
        self,
        params,
        learning_rate=1e-3,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-8,
        use_locking: Bool = False,
        use_nesterov: Bool = False,
        weight_decay=0.0,
        loss_scale=1.0,
        use_amsgrad: Bool = False,
        **kwargs,
    ):
        if set(kwargs) - {"use_lazy", "use_offload"}:
            raise KeyError(_MSG_KEYS.format(sorted(kwargs)))
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)
        self.use_lazy = check.boolean(kwargs.get("use_lazy", False), "use_lazy", self.cls_name)
        self.use_offload = check.boolean(kwargs.get("use_offload", False), "use_offload", self.cls_name)
        if self.use_lazy and self.use_offload:
            refuse(ValueError, self.cls_name, "use_lazy", "False where 'use_offload' is True", True)
        if use_amsgrad and (self.use_lazy or self.use_offload):
            refuse(ValueError, self.cls_name, "use_amsgrad", "False for a lazy or offloaded step", True)
        self.use_amsgrad = use_amsgrad
        if self.use_lazy:
            self._by_rows_ = row_formulas.LAZY_ADAM
        if use_amsgrad:
            self._by_rows_ = None
            self.vhat = self.parameters.clone(prefix="vhat", init="zeros")
            self._update_ = _AMSGRAD

    def gradients_centralization(self, gradients):
        """As `Optimizer.gradients_centralization`; an offloaded step returns the gradients unchanged."""
        return gradients if self.use_offload else super().gradients_centralization(gradients)


class AdamOffload(_Adam):
    """`Adam` whose step MindSpore computes on the host; here it runs on the current device.

    Gradients are not centralized, as in MindSpore.

    Args: those of `Adam` up to ``loss_scale``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.AdamOffload(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.AdamOffload
    """

    __init__ = checked_like(_Adam.__init__)

    def gradients_centralization(self, gradients):
        """The gradients unchanged."""
        return gradients


class LazyAdam(_Adam):
    """`Adam`; a sparse gradient, which only sparse lookups (`EmbeddingLookup`) give, updates its rows and no others.

    Args: those of `Adam` up to ``loss_scale``; the ``weight_decay`` is a float.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.LazyAdam(net.trainable_params(), learning_rate=0.01)
    Source: mindspore.nn.LazyAdam
    """

    _by_rows_ = row_formulas.LAZY_ADAM

    __init__ = checked_like(_Adam.__init__, weight_decay=NonNegativeFloat)


class AdamWeightDecay(FormulaOptimizer):
    """AdamW without bias correction: the moments of `Adam`, and a decoupled weight decay.

    ``parameter -= learning_rate * (m / (sqrt(v) + eps) + weight_decay * parameter)``.

    Args:
        params, learning_rate, beta1, beta2: as for `Adam`.
        eps (float): above 0. Default: ``1e-6``.
        weight_decay (int | float | Cell): not applied to Parameters whose name contains ``beta`` or ``gamma``. Default:
            ``0.0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.AdamWeightDecay(net.trainable_params(), learning_rate=0.01, weight_decay=0.1)
    Source: mindspore.nn.AdamWeightDecay
    """

    _update_ = Update(formulas.adam_weight_decay, m="moments1", v="moments2", epsilon="eps")
    _is_decoupled_ = True

    @checked
    def __init__(
        self,
        params,
        learning_rate=1e-3,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-6,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2 = Tensor([beta1], dtypes.float32), Tensor([beta2], dtypes.float32)
        self.eps = Tensor([eps], dtypes.float32)
        self.moments1 = self.parameters.clone(prefix="adam_m", init="zeros")
        self.moments2 = self.parameters.clone(prefix="adam_v", init="zeros")

    def gradients_centralization(self, gradients):
        """The gradients unchanged."""
        return gradients
