"""Gradient accumulation over several steps, the supported part of MindSpore's boost."""

import sys

from ... import ops
from ..._contracts.contracts import PositiveInt
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...nn.cell import Cell
from ...nn.wrap.loss_scale import step_unless
from ...ops.legacy.left_out import leave_out
from ...ops.optim import overflow
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor

_FREEZING = (
    "it trains another part of the network at each step",
    "Set requires_grad of the Parameters that are to stay to False, and make the optimizer of trainable_params().",
)
_GROUPS = "it regroups Parameters for the other parts of boost", "Give the optimizer its groups, as dicts."
_STEP = "it is the training step of AutoBoost"
_LEFT_OUT = [
    (
        "AdaSum(rank, device_number, group_number, parameter_tuple)",
        ("it adds up what several servers have learnt", "In a program of one process use the optimizer itself."),
    ),
    (
        "AutoBoost(level='O0', boost_config_dict='')",
        ("it rewrites networks by recipes for Ascend", "Use amp.auto_mixed_precision and nn.TrainOneStepCell."),
    ),
    ("BoostTrainOneStepCell(network, optimizer, sens=None)", (_STEP, "Use nn.TrainOneStepCell.")),
    (
        "BoostTrainOneStepWithLossScaleCell(network, optimizer, scale_sense)",
        (_STEP, "Use nn.TrainOneStepWithLossScaleCell."),
    ),
    (
        "DimReduce(network, optimizer, weight, pca_mat_local, n_components, rho, gamma, alpha, sigma, rank, rank_size)",
        ("it searches along components of the checkpoints of former runs", "Use an optimizer of mindspore.nn."),
    ),
    ("FreezeOpt(opt, train_parameter_groups=None, train_strategy=None)", _FREEZING),
    ("GradientFreeze(param_groups, freeze_type, freeze_p, total_steps)", _FREEZING),
    (
        "GroupLossScaleManager(init_loss_scale, loss_scale_groups)",
        ("it scales each part of a network by an overflow that Ascend reports", "Use amp.DynamicLossScaleManager."),
    ),
    (
        "LessBN(network, fn_flag=False)",
        ("MindSpore's compiler drops layers by its mark", "Build the network without the layers."),
    ),
    ("OptimizerProcess(opt)", _GROUPS),
    ("ParameterProcess()", _GROUPS),
    (
        "freeze_cell(reducer_flag, network, optimizer, sens, grad, use_grad_accumulation, mean=None, degree=None, "
        "max_accumulation_step=1)",
        _FREEZING,
    ),
]

__all__ = ["GradientAccumulation", *leave_out(sys.modules[__name__], "boost", _LEFT_OUT)]
__name__ = "msgrad.boost"  # the public path, used in imports and pickles


# What a program's own way of adding gradients up maps over them.
gradient_accumulation_op = ops.MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = ops.MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def _accumulate(count, total, gradient):
    total._write_(total + gradient / count)
    return total


@gradient_clear_op.register("Tensor")
def _clear(total):
    total._write_(ops.zeros_like(total))
    return total


class GradientAccumulation(Cell):
    """Gradient accumulation: sums gradients, and makes an optimizer step with their mean every few calls.

    Args:
        max_accumulation_step (int): how many calls make a step.
        optimizer (Optimizer): makes it.
    Inputs: loss (Tensor), grads (tuple[Tensor]). Output: ``loss``.
    Raises:
        TypeError, ValueError: unless ``max_accumulation_step`` is a positive int.
    Example:
        >>> accumulate = boost.GradientAccumulation(2, nn.SGD(net.trainable_params(), 0.1))
    Source: mindspore.boost.GradientAccumulation
    """

    @checked
    def __init__(self, max_accumulation_step: PositiveInt, optimizer):
        super().__init__()
        self._max_accumulation_step = max_accumulation_step
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.hyper_map = ops.HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(Tensor(0, dtypes.int32), name="accumulation_step")

    def construct(self, loss, grads):
        """Accumulates the gradients; returns ``loss``."""
        count = self._max_accumulation_step
        sums = [total + gradient / count for total, gradient in zip(self._grad_accumulation, grads, strict=True)]
        step = self._accumulation_step + 1
        is_early = step < count
        step_unless(is_early, self.optimizer, tuple(sums))
        zeros = [ops.zeros_like(total) for total in sums]
        for target, value in zip(self._grad_accumulation, overflow.chosen(is_early, sums, zeros), strict=True):
            target._write_(value)
        self._accumulation_step._write_(step % count)
        return loss
