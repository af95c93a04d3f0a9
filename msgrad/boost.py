"""What MindSpore's boost has that public programs use: gradients added up over several steps."""

import sys

from . import ops
from .engine import dtypes
from .nn.cell import Cell
from .nn.wrap.loss_scale import step_unless
from .ops import overflow
from .ops.contracts import PositiveInt, checked
from .ops.left_out import leave_out
from .tensor.parameter import Parameter
from .tensor.tensor import Tensor

__all__ = ["GradientAccumulation"]


class GradientAccumulation(Cell):
    """Adds up gradients, and makes a step of an optimizer by their mean every few calls; each call is one program.

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
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(Tensor(0, dtypes.int32), name="accumulation_step")

    def construct(self, loss, grads):
        """Takes the gradients; returns ``loss``."""
        count = self._max_accumulation_step
        sums = [total + gradient / count for total, gradient in zip(self._grad_accumulation, grads, strict=True)]
        step = self._accumulation_step + 1
        is_early = step < count
        step_unless(is_early, self.optimizer, tuple(sums))
        zeros = [ops.zeros_like(total) for total in sums]
        for target, value in zip(self._grad_accumulation, overflow.chosen(is_early, sums, zeros), strict=True):
            target.write(value)
        self._accumulation_step.write(step % count)
        return loss


_STEP = ("it trades exactness for speed on clusters", "Use nn.TrainOneStepCell or amp.build_train_network.")
_SUMS = ("it adds up gradients of several devices", "Use the optimizer itself: there is one device.")
_FROZEN = (
    "it leaves out gradients at some steps",
    "Set requires_grad of the Parameters, or make several optimizers.",
)

leave_out(
    sys.modules[__name__],
    "boost",
    [
        ("AdaSum(rank, device_number, group_number, parameter_tuple)", _SUMS),
        ("AutoBoost", _STEP),
        ("BoostTrainOneStepCell(network, optimizer, sens=None)", _STEP),
        ("BoostTrainOneStepWithLossScaleCell(network, optimizer, scale_sense)", _STEP),
        (
            "DimReduce(network, optimizer, weight, pca_mat_local, n_components, rho, gamma, alpha, sigma, rank, "
            "rank_size)",
            _STEP,
        ),
        ("FreezeOpt(opt, train_parameter_groups=None, train_strategy=None)", _FROZEN),
        ("GradientFreeze(param_groups, freeze_type, freeze_p, total_steps)", _FROZEN),
        (
            "GroupLossScaleManager(init_loss_scale, loss_scale_groups)",
            ("it scales groups of losses for Ascend's float16", "Use DynamicLossScaleManager, or bfloat16."),
        ),
        ("LessBN(network, fn_flag=False)", _STEP),
        ("OptimizerProcess(opt)", ("it centralises gradients for boost", "Use grad_centralization in the group.")),
        ("ParameterProcess()", ("it sorts Parameters for boost", "Use groups of Parameters.")),
        (
            "freeze_cell(reducer_flag, network, optimizer, sens, grad, use_grad_accumulation, mean=None, degree=None, "
            "max_accumulation_step=1)",
            _FROZEN,
        ),
    ],
)
