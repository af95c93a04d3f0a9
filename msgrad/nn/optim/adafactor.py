"""AdaFactor: Adam with a factored second moment, which needs less memory."""

from ... import ops
from ..._contracts import check
from ..._contracts.choices import FloatWithin
from ..._contracts.contracts import Bool, NonNegativeFloat, NonNegativeReal
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...engine.refusal import refuse
from ...ops.optim import optimizer_formulas as formulas
from ...ops.optim.update import Update
from ...tensor.parameter import Parameter, ParameterTuple
from ...tensor.tensor import Tensor
from ._formula_optimizer import FormulaOptimizer

__all__ = ["AdaFactor"]

_MSG_RATE = "For 'AdaFactor', the 'learning_rate' must be None with 'relative_step', and must be given without it."
_MSG_WARMUP = "For 'AdaFactor', the 'warmup_init' needs 'relative_step'."


class AdaFactor(FormulaOptimizer):
    """AdaFactor: `Adam` with a factored ``v`` (row times column) and a decaying learning rate.

    For a gradient with two or more axes, only the means over its last and its second last axis are stored; the step's
    RMS is clipped to ``clip_threshold``. With ``relative_step`` the rate is ``min(0.01, 1 / sqrt(step))``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): as for `Optimizer`.
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule | None): Default: ``None``.
        eps (tuple | list): added to squares; minimum scale of a Parameter. Default: ``(1e-30, 0.001)``.
        clip_threshold (float): non-negative. Default: ``1.0``.
        decay_rate (float): in ``(0, 1)``; the second beta is ``1 - step ** -decay_rate``. Default: ``0.8``.
        beta1 (float | None): decay of the running mean of the steps; 0 or None: no running mean. Default: ``0.9``.
        weight_decay (float): in ``[0, 1)``. Default: ``0.0``.
        scale_parameter (bool): whether to multiply the rate by the RMS of each Parameter. Default: ``True``.
        relative_step (bool): whether the rate depends on the step. Default: ``True``.
        warmup_init (bool): whether that rate is at most ``1e-6 * step``. Default: ``False``.
        compression (bool): whether slots of 1-d Parameters are float16. Default: ``False``.
        loss_scale (int | float): without effect on the step, as in MindSpore. Default: ``1.0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> optimizer = nn.AdaFactor(net.trainable_params())
    Source: mindspore.nn.AdaFactor
    """

    _update_ = Update(
        formulas.adafactor,
        m="exp_avg",
        row="exp_avg_sq_row",
        column="exp_avg_sq_col",
        v="exp_avg_sq",
        least_square="eps.0",
        min_scale="eps.1",
        threshold="clip_threshold",
        decay="weight_decay",
        scaled="scale_parameter",
        has_m="use_first_moment",
    )

    @checked
    def __init__(
        self,
        params,
        learning_rate=None,
        eps=(1e-30, 1e-3),
        clip_threshold: NonNegativeFloat = 1.0,
        decay_rate: FloatWithin("(0, 1)") = 0.8,
        beta1: NonNegativeReal | None = 0.9,
        weight_decay: FloatWithin("[0, 1)") = 0.0,
        scale_parameter: Bool = True,
        relative_step: Bool = True,
        warmup_init: Bool = False,
        compression: Bool = False,
        loss_scale=1.0,
    ):
        if (learning_rate is None) != relative_step:
            raise ValueError(_MSG_RATE)
        if warmup_init and not relative_step:
            raise ValueError(_MSG_WARMUP)
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        if not isinstance(eps, (tuple, list)):
            refuse(TypeError, self.cls_name, "eps", "a tuple or list of two floats", eps)
        if len(eps) != 2:
            refuse(ValueError, self.cls_name, "eps", "a tuple or list of two floats", eps)
        eps = [check.non_negative_float(each, f"eps[{index}]", self.cls_name) for index, each in enumerate(eps)]
        beta1 = 0.0 if beta1 is None else beta1
        self.scale_lr = learning_rate is None or isinstance(learning_rate, (int, float))
        self.eps = tuple(Tensor(each, dtypes.float32) for each in eps)
        self.clip_threshold, self.decay_rate = Tensor(clip_threshold, dtypes.float32), Tensor(-decay_rate)
        self.beta1, self.weight_decay = Tensor(beta1, dtypes.float32), Tensor(weight_decay, dtypes.float32)
        self.weight_decay_flag, self.use_first_moment = weight_decay > 0, beta1 > 0
        self.scale_parameter = scale_parameter and self.scale_lr
        self.relative_step, self.warmup_init, self.compression = relative_step, warmup_init, compression
        self._init_slots()
        self.step = Parameter(Tensor([0.0], dtypes.float32), name="afactor_step")

    def _init_slots(self):
        parameters = self.parameters
        none = ParameterTuple([Parameter(Tensor(0.0, dtypes.float32))] * len(parameters))
        self.exp_avg = parameters.clone(prefix="exp_avg", init="zeros") if self.use_first_moment else none
        rows, columns, squares = [], [], []
        for parameter in parameters:
            shape, dtype, name = parameter.shape, parameter.dtype, parameter.name
            is_matrix = len(shape) > 1
            half = dtypes.float16 if self.compression and not is_matrix else dtype
            rows.append(_zeros(shape[:-1] if is_matrix else (1,), dtype, f"exp_avg_sq_row_{name}"))
            columns.append(_zeros(shape[:-2] + shape[-1:] if is_matrix else (1,), dtype, f"exp_avg_sq_col_{name}"))
            squares.append(_zeros((1,) if is_matrix else shape, half, f"exp_avg_sq_{name}"))
        self.exp_avg_sq_row = ParameterTuple(rows)
        self.exp_avg_sq_col = ParameterTuple(columns)
        self.exp_avg_sq = ParameterTuple(squares)

    def _prepared_(self, gradients):
        """The gradients unchanged."""
        return gradients

    def _advance_(self, sources):
        """Updates the step, the rate that depends on it, and the second beta."""
        self.step._write_(self.step + 1)
        if self.scale_lr and self.relative_step:
            minimum = self.step * 1e-6 if self.warmup_init else 1e-2
            sources["rate"] = ops.minimum(ops.rsqrt(self.step), minimum)
        sources["beta2"] = 1 - ops.pow(self.step, self.decay_rate)


def _zeros(shape, dtype, name):
    return Parameter(ops.zeros(shape, dtype), name=name)
