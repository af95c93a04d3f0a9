"""Training steps with loss scaling; a step with an overflow is skipped."""

from ... import ops
from ..._common.device import get_current_device
from ...autodiff.gradients import value_and_weight_gradients
from ...engine import dtypes
from ...engine.refusal import refuse
from ...ops.control.composite import HyperMap
from ...ops.optim import optimization
from ...ops.optim.overflow import are_finite, chosen, scaled_since, values_of
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..cell import Cell
from .cell_wrapper import TrainOneStepCell
from .parameter_broadcast import share_parameters

__all__ = ["DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "TrainOneStepWithLossScaleCell"]


def step_unless(condition, optimizer, gradients):
    """Makes a step of ``optimizer`` unless ``condition`` is true, without a host read.

    Args:
        condition (Tensor): a bool; if true, all writes are undone.
        optimizer (Cell): the optimizer.
        gradients (tuple[Tensor]): its arguments.
    """
    parameters = list(optimizer.get_parameters())
    before = values_of(parameters)
    optimizer(gradients)
    for parameter, value in zip(parameters, chosen(condition, list(before), parameters), strict=True):
        parameter._write_(value)


class DynamicLossScaleUpdateCell(Cell):
    """A dynamic loss scale: it is lowered after an overflow, and raised after a number of steps without one.

    Args:
        loss_scale_value (float): the initial scale.
        scale_factor (int): the factor by which it is lowered and raised.
        scale_window (int): the number of steps without an overflow after which it is raised.
    Inputs: loss_scale (Parameter), which is written to; overflow (Tensor), a bool. Output: ``overflow``.
    Example:
        >>> scale = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**12, scale_factor=2, scale_window=1000)
        >>> step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), optimizer, scale_sense=scale)
    Source: mindspore.nn.DynamicLossScaleUpdateCell
    """

    def __init__(self, loss_scale_value, scale_factor, scale_window):
        super().__init__()
        self.scale_window = Tensor(scale_window, dtypes.int32)
        self.scale_factor = Tensor(scale_factor, dtypes.float32)
        self.loss_scale_value = loss_scale_value
        self.cur_iter = Parameter(Tensor(1, dtypes.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, dtypes.int32), name="last_overflow_iterator_step")

    def get_loss_scale(self):
        """The initial scale. Source: mindspore.nn.DynamicLossScaleUpdateCell.get_loss_scale"""
        return self.loss_scale_value

    def construct(self, loss_scale, overflow):
        """Writes the scale of the next step; returns ``overflow``."""
        scale, last = scaled_since(
            loss_scale, self.cur_iter, self.last_overflow_iter, overflow, self.scale_factor, self.scale_window
        )
        loss_scale._write_(scale)
        self.last_overflow_iter._write_(last)
        self.cur_iter._write_(self.cur_iter + 1)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """A constant loss scale.

    Args:
        loss_scale_value (float): the scale.
    Inputs: loss_scale (Parameter), overflow (Tensor). Output: ``overflow``.
    Example:
        >>> nn.FixedLossScaleUpdateCell(1024.0).get_loss_scale()
        1024.0
    Source: mindspore.nn.FixedLossScaleUpdateCell
    """

    def __init__(self, loss_scale_value):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self):
        """The scale. Source: mindspore.nn.FixedLossScaleUpdateCell.get_loss_scale"""
        return self.loss_scale_value

    def construct(self, _, overflow):
        """Returns ``overflow``."""
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """A training step with loss scaling, skipped if a gradient is not finite.

    The whole step is one program, whether it is skipped or not. MindSpore 2.10 has this only on Ascend and GPU.

    Args:
        network (Cell): its output is the loss.
        optimizer (Optimizer): takes the gradients with respect to its ``parameters``.
        scale_sense (Tensor | Cell): the scale, of shape ``()`` or ``(1,)``; or a Cell that updates it, such as
            `DynamicLossScaleUpdateCell`.
    Inputs: those of the network.
    Output: the loss (Tensor), whether there was an overflow (Tensor, bool), the scale that was used (Tensor).
    Raises:
        TypeError: if ``scale_sense`` is neither.  ValueError: if it has another shape.
    Example:
        >>> step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), optimizer, Tensor(1024.0))
        >>> loss, overflow, scale = step(x, y)
    Source: mindspore.nn.TrainOneStepWithLossScaleCell
    """

    def __init__(self, network, optimizer, scale_sense):
        super().__init__(network, optimizer, sens=None)
        self.hyper_map = HyperMap()
        self.loss_scaling_manager = None
        self.is_distributed = self.reducer_flag
        # For the construct of a subclass, under MindSpore's names.
        self.base, self.base0 = Tensor(1, dtypes.float32), Tensor(0, dtypes.int32)
        self.reduce_sum, self.reduce_all, self.allreduce = ops.ReduceSum(), ops.ReduceAll(), ops.AllReduce()
        self.less_equal, self.equal, self.logic_not = ops.LessEqual(), ops.Equal(), ops.LogicalNot()
        self.gpu_target = get_current_device().device_target == "GPU"
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            scale_sense = Tensor(scale_sense.get_loss_scale(), dtypes.float32)
        elif not isinstance(scale_sense, Tensor):
            refuse(TypeError, self.cls_name, "scale_sense", "a Cell or a Tensor", scale_sense)
        elif scale_sense.shape not in ((), (1,)):
            refuse(ValueError, self.cls_name, "scale_sense", "of shape () or (1,)", scale_sense)
        self.scale_sense = Parameter(scale_sense, name="scale_sense")

    def construct(self, *inputs):
        """Updates the Parameters; returns the loss, the overflow and the scale."""
        share_parameters(self)
        scale = self.scale_sense.value()
        loss, gradients = value_and_weight_gradients(self.network, self.weights, inputs, scale)
        gradients = self.grad_reducer(optimization.scaled_rows(list(gradients), 1 / scale))
        overflow = self.get_overflow_status(None, gradients)
        step_unless(self.process_loss_scale(overflow), self.optimizer, tuple(gradients))
        return loss, overflow, scale

    def set_sense_scale(self, sens):
        """Sets the scale (Tensor); TypeError for anything else.

        Source: mindspore.nn.TrainOneStepWithLossScaleCell.set_sense_scale
        """
        if not isinstance(sens, Tensor):
            refuse(TypeError, self.cls_name, "sens", "a Tensor", sens)
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond, compute_input):
        """A status, without meaning here, and ``compute_input``, for the construct of a subclass.

        Source: mindspore.nn.TrainOneStepWithLossScaleCell.start_overflow_check
        """
        return ops.zeros(8, dtypes.int32), compute_input

    def get_overflow_status(self, status, compute_output):
        """Whether a gradient is not finite (Tensor, bool).

        Args:
            status (object): of `start_overflow_check`, without effect.
            compute_output (Tensor | tuple): the gradients.
        Source: mindspore.nn.TrainOneStepWithLossScaleCell.get_overflow_status
        """
        values = [compute_output] if isinstance(compute_output, Tensor) else list(compute_output)
        return ops.logical_not(are_finite(values))

    def process_loss_scale(self, overflow):
        """Updates the scale with the overflow; returns the overflow.

        Source: mindspore.nn.TrainOneStepWithLossScaleCell.process_loss_scale
        """
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow
