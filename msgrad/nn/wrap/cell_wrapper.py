"""Cells that wrap a network: with its loss, its gradients, or a training step."""

import types

from ... import ops
from ..._contracts.contracts import Bool
from ..._contracts.enforcement import checked
from ...autodiff.gradients import GradOperation, value_and_weight_gradients
from ...context import get_auto_parallel_context
from ...engine import dtypes
from ...engine.processes.world import World
from ...engine.refusal import refuse, require
from ...tensor.parameter import Parameter, ParameterTuple
from ..basic.reshaping import Identity
from ..cell import Cell
from .grad_reducer import DistributedGradReducer
from .parameter_broadcast import is_data_parallel, share_parameters

__all__ = ["ForwardValueAndGrad", "ParameterUpdate", "TrainOneStepCell", "WithEvalCell", "WithGradCell", "WithLossCell"]


class WithLossCell(Cell):
    """A network with its loss: ``loss_fn(backbone(data), label)``.

    Args:
        backbone (Cell): the network.
        loss_fn (Cell | function): takes its output and the label.
    Inputs: data, label (Tensor). Output: the loss (Tensor).
    Example:
        >>> nn.WithLossCell(net, nn.MSELoss())(x, y).shape
        ()
    Source: mindspore.nn.WithLossCell
    """

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data, label):
        """The loss."""
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        """The network without the loss (Cell)."""
        return self._backbone


class WithEvalCell(Cell):
    """The results that an evaluation needs: ``(loss, output of the network, label)``.

    Args:
        network (Cell): the network.
        loss_fn (Cell | function): takes its output and the label.
        add_cast_fp32 (bool): whether to cast the output, and a label of floats, to float32 first. Default: ``False``.
    Inputs: data, label (Tensor).
    Example:
        >>> loss, output, label = nn.WithEvalCell(net, nn.MSELoss())(x, y)
        >>> output.shape
        (1, 1)
    Source: mindspore.nn.WithEvalCell
    """

    @checked
    def __init__(self, network, loss_fn, add_cast_fp32: Bool = False):
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data, label):
        """Loss, output and label."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs, label = outputs.float(), ops.mixed_precision_cast(dtypes.float32, label)
        return self._loss_fn(outputs, label), outputs, label


class WithGradCell(Cell):
    """The gradients of a loss by the network's trainable Parameters, as a tuple.

    Args:
        network (Cell): the network.
        loss_fn (Cell | function | None): takes its output and the label; None: the network's output is the loss.
        sens (Tensor | number | None): the loss's cotangent. Default: ``None``, which is 1.
    Inputs: those of the network, and the label if there is a ``loss_fn``.
    Example:
        >>> weight_grad, bias_grad = nn.WithGradCell(net, nn.MSELoss())(x, y)
    Source: mindspore.nn.WithGradCell
    """

    def __init__(self, network, loss_fn=None, sens=None):
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.sens = sens
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()

    def construct(self, *inputs):
        """The gradients."""
        gradient = self.grad(self.network_with_loss, self.weights)
        return gradient(*inputs) if self.sens is None else gradient(*inputs, self.sens)


class ForwardValueAndGrad(Cell):
    """The value of a network and its gradients, chosen as `GradOperation` does: ``(value, gradients)``.

    Args:
        network (Cell | function): what to differentiate.
        weights (list[Parameter] | ParameterTuple | None): what to differentiate by, with ``get_by_list``.
        get_all (bool): by all inputs, not only the first. Default: ``False``.
        get_by_list (bool): by ``weights``. Default: ``False``.
        sens_param (bool): whether the last input is the output's cotangent. Default: ``False``.
    Raises:
        TypeError: if an argument has the wrong type.
    Example:
        >>> value, gradient = nn.ForwardValueAndGrad(net)(x)
    Source: mindspore.nn.ForwardValueAndGrad
    """

    @checked
    def __init__(self, network, weights=None, get_all: Bool = False, get_by_list: Bool = False, sens_param=False):
        super().__init__(auto_prefix=False)
        if not isinstance(network, (Cell, types.FunctionType, types.MethodType)):
            refuse(TypeError, "ForwardValueAndGrad", "network", "a Cell, a function or a method", network)
        if get_by_list and not isinstance(weights, (tuple, list)):
            refuse(TypeError, "ForwardValueAndGrad", "weights", "a list of Parameters, for 'get_by_list'", weights)
        self.network = network
        if isinstance(network, Cell):
            network.set_grad()
        self.weights = weights
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param
        self.grad = GradOperation(get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)

    def construct(self, *inputs):
        """The value and the gradients."""
        values = []

        def observed(*args):  # so that the network runs once, and its state changes once
            values.append(self.network(*args))
            return values[0]

        gradients = self.grad(observed, self.weights if self.get_by_list else None)(*inputs)
        return values[0], gradients


class TrainOneStepCell(Cell):
    """A training step: the loss, and the network's Parameters updated by its gradients.

    Args:
        network (Cell): its output is the loss.
        optimizer (Optimizer): takes the gradients with respect to its ``parameters``.
        sens (number | None): a factor of the gradients. Default: ``None``, which is 1.
        return_grad (bool): whether to return ``(loss, {name: gradient})``. Default: ``False``.
    Inputs: those of the network. Output: the loss before the update (Tensor); in data parallel training the loss
        of the process's own batch; gradients are summed over processes, or averaged with ``gradients_mean``.
    Raises:
        ValueError: if ``sens`` is 0.
    Example:
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
        >>> loss = step(x, y)
    Source: mindspore.nn.TrainOneStepCell
    """

    def __init__(self, network, optimizer, sens=None, return_grad=False):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        if sens == 0:
            refuse(ValueError, "TrainOneStepCell", "sens", "a number other than 0", sens)
        self.sens = 1.0 if sens is None else sens
        self.sense_flag = sens is not None
        self.return_grad = return_grad
        self.use_graceful_exit = False  # read by libraries' subclasses; `OnRequestExit` needs nothing of the step
        # For the construct of a subclass, under MindSpore's names.
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.grad_reducer = Identity()
        self.parallel_mode = get_auto_parallel_context("parallel_mode")
        self.reducer_flag = is_data_parallel()
        if self.reducer_flag:
            self.mean, self.degree = get_auto_parallel_context("gradients_mean"), World.size
            self.grad_reducer = DistributedGradReducer(self.weights, self.mean, self.degree)

    def construct(self, *inputs):
        """Updates the Parameters; returns the loss."""
        share_parameters(self)
        scale = self.sens if self.sense_flag else None
        loss, gradients = value_and_weight_gradients(self.network, self.weights, inputs, scale)
        gradients = self.grad_reducer(gradients)
        self.optimizer(gradients)
        if self.return_grad:
            return loss, {weight.name: g for weight, g in zip(self.weights, gradients, strict=True)}
        return loss


class ParameterUpdate(Cell):
    """Sets a Parameter to its input, and returns it.

    Args:
        param (Parameter): the Parameter to set.
    Inputs: x (Tensor): of the Parameter's shape.
    Example:
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> nn.ParameterUpdate(weight)(Tensor([2.0])).tolist(), weight.asnumpy().tolist()
        ([2.0], [2.0])
    Source: mindspore.nn.ParameterUpdate
    """

    def __init__(self, param):
        super().__init__(auto_prefix=False)
        self._param = require(param, Parameter, "ParameterUpdate", "param")

    def construct(self, x):
        """Sets the Parameter."""
        ops.assign(self._param, x)
        return x
