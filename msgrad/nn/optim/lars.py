"""LARS: gradients scaled by the trust ratio of each layer, before another optimizer."""

from ..._contracts.choices import Instance
from ..._contracts.contracts import Bool, Callable, Float
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...engine.refusal import refuse
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.optimization import checked_gradients
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from .optimizer import Optimizer

__all__ = ["LARS"]


class LARS(Optimizer):
    """LARS: scales each gradient by ``coefficient * |parameter| / (|g| + weight_decay * |parameter| + epsilon)``.

    LARS adds the weight decay before scaling, and the wrapped optimizer no longer does. With ``use_clip`` the factor
    divided by the rate is at most 1.

    Args:
        optimizer (Optimizer): makes the step with the scaled gradients.
        epsilon (float): Default: ``1e-5``.
        coefficient (float): Default: ``0.001``.
        use_clip (bool): Default: ``False``.
        lars_filter (function): ``lars_filter(parameter)`` returns whether to scale its gradient. Default: if its name
            contains neither ``LayerNorm`` nor ``bias``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.LARS(nn.Momentum(net.trainable_params(), 0.1, 0.9), coefficient=0.02)
    Source: mindspore.nn.LARS
    """

    _update_ = Update(formulas.lars, clip="use_clip")

    @checked
    def __init__(
        self,
        optimizer: Instance(Optimizer),
        epsilon: Float = 1e-05,
        coefficient: Float = 0.001,
        use_clip: Bool = False,
        lars_filter: Callable = lambda x: "LayerNorm" not in x.name and "bias" not in x.name,
    ):
        super().__init__(0.0, [Parameter(Tensor(0.0, dtypes.float32), name="fake_param")])
        if use_clip and optimizer.is_group_lr and optimizer.dynamic_lr:
            refuse(ValueError, self.cls_name, "use_clip", "False for rates by step and by group", use_clip)
        self.opt = optimizer
        self.epsilon, self.coefficient, self.use_clip = epsilon, coefficient, use_clip
        self.parameters = optimizer.parameters
        self.lars_flag = tuple(bool(lars_filter(parameter)) for parameter in self.parameters)
        self.learning_rate = Parameter(Tensor(0.0, dtypes.float32), name="fake_lr")
        self.global_step = optimizer.global_step
        self.is_group = optimizer.is_group
        self.dynamic_weight_decay = optimizer.dynamic_weight_decay
        self.weight_decay = optimizer.weight_decay
        self.decay_flags = optimizer.decay_flags
        self.reciprocal_scale = optimizer.reciprocal_scale
        self.need_scale = optimizer.need_scale
        self.loss_scale = optimizer.loss_scale
        optimizer.decay_flags = (False,) * len(self.parameters)
        optimizer.exec_weight_decay = optimizer.dynamic_weight_decay = optimizer.need_scale = False

    def construct(self, gradients):
        """Makes one step with the gradients; returns the result of the wrapped optimizer."""
        gradients = checked_gradients(gradients, len(self.parameters), "LARS")
        gradients = list(self.scale_grad(gradients))
        chosen = [index for index, flag in enumerate(self.lars_flag) if flag]
        if chosen:
            rate = self.opt.get_lr()
            decays = [decay / self.loss_scale for decay in self._each_decay_()]
            columns = {"var": list(self.parameters), "grad": gradients, "decay": decays}
            columns |= {"rate": list(rate)} if isinstance(rate, tuple) else {}
            sources = {name: [column[index] for index in chosen] for name, column in columns.items()}
            scaled = self._update_.results(self._update_.values({"rate": rate} | sources, self))
            for index, gradient in zip(chosen, scaled, strict=True):
                gradients[index] = gradient
        return self.opt(tuple(gradients))
