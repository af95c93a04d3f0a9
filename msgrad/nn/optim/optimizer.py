"""The base class of optimizers: learning rate, weight decay, parameter groups."""

from collections.abc import Iterable
from typing import Any

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import PositiveReal
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...ops.control.composite import HyperMap, Map
from ...ops.index.row_gradient import through_rows
from ...ops.optim import optimization
from ...tensor.numbers import number
from ...tensor.parameter import Parameter, ParameterTuple
from ...tensor.tensor import Tensor
from ..cell import Cell
from ..containers import CellList
from ..learning_rate_schedule import LearningRateSchedule
from ._groups import parse

__all__ = ["Optimizer"]


class Optimizer(Cell):
    """The base class of optimizers; a subclass defines ``construct(gradients)``.

    Args:
        learning_rate (int | float | Tensor | Iterable | LearningRateSchedule): the rate; a 1-d Tensor or an iterable
            holds one for each step (the last one is used for further steps, where MindSpore 2.10 raises an error).
        parameters (Iterable[Parameter] | Iterable[dict]): the Parameters to update, or groups: dicts of ``params`` and
            optionally ``lr``, ``weight_decay``, ``grad_centralization``; a dict with only ``order_params`` sets the
            order.
        weight_decay (int | float | Cell): this times the Parameter is added to its gradient, unless its name contains
            ``beta`` or ``gamma``; a Cell gets the step. Default: ``0.0``.
        loss_scale (int | float): gradients are divided by it. Default: ``1.0``.
    Raises:
        TypeError, ValueError, KeyError, RuntimeError: for other arguments.
    Example:
        >>> class Plain(nn.Optimizer):
        ...     def construct(self, gradients):
        ...         for parameter, gradient in zip(self.parameters, gradients):
        ...             ops.assign_sub(parameter, self.get_lr() * gradient)
    Source: mindspore.nn.Optimizer
    """

    learning_rate: Any
    weight_decay: Any

    @checked
    def __init__(self, learning_rate, parameters: Any, weight_decay=0.0, loss_scale: PositiveReal = 1.0):
        super().__init__(auto_prefix=False)
        parameters = as_list(parameters, "parameters")
        are_groups = all(isinstance(item, dict) for item in parameters)
        if not are_groups and not all(isinstance(item, Parameter) for item in parameters):
            kinds = [type(item).__name__ for item in parameters]
            refuse(TypeError, "Optimizer", "parameters", "a list of Parameters, or of dicts", kinds)
        self.loss_scale = float(loss_scale)
        self.need_scale = self.loss_scale != 1.0
        self.dynamic_lr = False
        self.dynamic_weight_decay = False
        self.is_group = are_groups
        self.is_group_params_ordered = are_groups and any("order_params" in group for group in parameters)
        self.global_step = Parameter(Tensor([0], dtypes.int32), name="global_step")
        if are_groups:
            self._init_groups_(parameters, learning_rate, weight_decay)
        else:
            self.is_group_lr = False
            self.learning_rate = self._build_single_lr(self._preprocess_single_lr(learning_rate), "learning_rate")
            self.parameters = ParameterTuple(parameters)
            self.weight_decay = self._preprocess_weight_decay(weight_decay)
            self.decay_flags = tuple("beta" not in p.name and "gamma" not in p.name for p in self.parameters)
            self.exec_weight_decay = self.dynamic_weight_decay or weight_decay > 0
            self._centralized_ = ()
        if isinstance(self.weight_decay, float):
            self.weight_decay = Tensor(self.weight_decay, dtypes.float32)
        self.reciprocal_scale = Tensor(1.0 / self.loss_scale, dtypes.float32)
        self._parameters = self.parameters
        self._set_up_for_subclasses_()

    def _set_up_for_subclasses_(self):
        """Sets the attributes that the ``construct`` of user-defined optimizers reads."""
        self.dynamic_decay_flags = (
            tuple(isinstance(decay, Cell) for decay in self.weight_decay)
            if self.is_group
            else self.dynamic_weight_decay
        )
        self.param_length = len(self.parameters)
        self.grad_centralization, self.use_parallel = any(self._centralized_), False
        self.param_rank, self.optim_filter = None, (True,) * self.param_length
        self.map_, self.map_reverse = Map(), Map(None, True)
        self.hyper_map, self.hyper_map_reverse = HyperMap(), HyperMap(None, True)
        self.assignadd = ops.AssignAdd()
        self.global_step_increase_tensor = Tensor([1], dtypes.int32)
        self._unique, self._target, self._is_device_ = True, "CPU", True

    def _init_groups_(self, groups, learning_rate, weight_decay):
        settings = parse(groups, as_list)
        rates = [
            self._preprocess_single_lr(learning_rate),
            *[self._preprocess_single_lr(s.lr) for s in settings if s.lr is not None],
        ]
        lengths = {rate.shape[0] for rate in rates if isinstance(rate, Tensor) and rate.ndim == 1}
        if len(lengths) > 1:
            refuse(ValueError, "Optimizer", "lr", "as many rates as the 'learning_rate', if one for each step", lengths)
        self.is_group_lr = any(s.lr is not None for s in settings)
        default = self._build_single_lr(rates[0], "learning_rate")
        own = {}
        for setting in settings:
            if setting.lr is not None and setting.group not in own:
                rate = self._preprocess_single_lr(setting.lr)
                own[setting.group] = self._build_single_lr(rate, f"learning_rate_group_{setting.group}")
        per_parameter = [own.get(setting.group, default) for setting in settings]
        if not self.is_group_lr:
            self.learning_rate = default
        elif self.dynamic_lr:
            self.learning_rate = CellList(per_parameter, auto_prefix=False)
        else:
            self.learning_rate = ParameterTuple(per_parameter)
        self.parameters = ParameterTuple([setting.parameter for setting in settings])
        decays = [
            self._preprocess_weight_decay(weight_decay if setting.weight_decay is None else setting.weight_decay)
            for setting in settings
        ]
        self.decay_flags = tuple(isinstance(decay, Cell) or decay > 0 for decay in decays)
        self.exec_weight_decay = any(self.decay_flags)
        self.weight_decay = tuple(
            decay if isinstance(decay, Cell) else Tensor(decay, dtypes.float32) for decay in decays
        )
        self._decays_ = tuple(decays)
        self._centralized_ = tuple(setting.centralized for setting in settings)

    # -- arguments -------------------------------------------------------------------------------------------------

    def _preprocess_single_lr(self, rate):
        """A float, a float32 Tensor of at most one axis, or a LearningRateSchedule."""
        if isinstance(rate, (int, float)):
            return check.non_negative_number(float(rate), "learning_rate", self.cls_name)
        if isinstance(rate, LearningRateSchedule):
            self.dynamic_lr = True
            return rate
        if isinstance(rate, Tensor):
            if rate.ndim > 1:
                refuse(ValueError, "Optimizer", "learning_rate", "a Tensor of at most one axis", rate)
            self.dynamic_lr = self.dynamic_lr or rate.ndim == 1
            return Tensor(rate.asnumpy(), dtypes.float32)
        if isinstance(rate, Iterable):
            self.dynamic_lr = True
            rates = list(rate)
            if any(item is None for item in rates):
                refuse(TypeError, "Optimizer", "learning_rate", "made of numbers", rates)
            return Tensor([float(item) for item in rates], dtypes.float32)
        kinds = "a number, a Tensor, an iterable of rates or a LearningRateSchedule"
        refuse(TypeError, "Optimizer", "learning_rate", kinds, rate)

    def _build_single_lr(self, rate, name):
        if isinstance(rate, LearningRateSchedule):
            return rate
        rate = rate if isinstance(rate, Tensor) else Tensor(rate, dtypes.float32)
        if rate.ndim == 1:
            return _IteratorLearningRate(rate, name)
        parameter = Parameter(rate, name)
        return _ConvertToCell(parameter) if self.is_group_lr and self.dynamic_lr else parameter

    def _preprocess_weight_decay(self, decay):
        """The weight decay: a float times the loss scale (gradients are divided by that afterwards), or a Cell."""
        if isinstance(decay, (int, float)):
            return check.non_negative_number(float(decay), "weight_decay", self.cls_name) * self.loss_scale
        if isinstance(decay, Cell):
            self.dynamic_weight_decay = True
            return _WrappedWeightDecay(decay, self.loss_scale)
        refuse(TypeError, "Optimizer", "weight_decay", "a number or a Cell", decay)

    @property
    def unique(self):
        """Whether gradients of the same row are summed (bool) on a device other than a CPU. Default: ``True``.

        Source: mindspore.nn.Optimizer.unique
        """
        return self._unique

    @unique.setter
    def unique(self, value):
        self._unique = require(value, bool, "Optimizer", "unique")

    @property
    def target(self):
        """The device of the step in MindSpore, ``'CPU'``, ``'Ascend'`` or ``'GPU'``.

        Once it is set to ``'CPU'``, sparse gradients of the same row are summed first. Without that MindSpore lets each
        of them make a step of its own on a CPU.

        Source: mindspore.nn.Optimizer.target
        """
        return self._target

    @target.setter
    def target(self, value):
        self._set_base_target(value)

    def _set_base_target(self, value):
        require(value, str, "Optimizer", "target")
        self._target = check.one_of(value, ("CPU", "Ascend", "GPU"), "target", "Optimizer")
        self._is_device_ = value != "CPU"

    # -- steps -----------------------------------------------------------------------------------------------------

    def get_lr(self):
        """The learning rate of this step: a 0-d Tensor, or a tuple of them when groups have their own.

        Source: mindspore.nn.Optimizer.get_lr
        """
        if not self.dynamic_lr:
            return self.learning_rate
        if self.is_group_lr:
            return tuple(rate(self.global_step).reshape(()) for rate in self.learning_rate)
        return self.learning_rate(self.global_step).reshape(())

    def get_weight_decay(self):
        """The weight decay of this step: a Tensor, or a tuple of them with groups.

        Source: mindspore.nn.Optimizer.get_weight_decay
        """
        if self.is_group:
            return tuple(d(self.global_step) if isinstance(d, Cell) else d for d in self.weight_decay)
        return self.weight_decay(self.global_step) if self.dynamic_weight_decay else self.weight_decay

    def get_lr_parameter(self, param):
        """The learning rate of a Parameter, or of each in a list: a Parameter or a LearningRateSchedule.

        Args:
            param (Parameter | list[Parameter]): Parameters of this optimizer.
        Raises:
            TypeError: if it is not a Parameter or list.  ValueError: if this optimizer does not update it.
        Example:
            >>> nn.SGD(net.trainable_params(), 0.1).get_lr_parameter(net.weight).name
            'learning_rate'
        Source: mindspore.nn.Optimizer.get_lr_parameter
        """
        if not isinstance(param, (Parameter, list)):
            refuse(TypeError, "get_lr_parameter", "param", "a Parameter or a list of them", param)
        indices = {id(parameter): index for index, parameter in enumerate(self.parameters)}
        rates = []
        for each in param if isinstance(param, list) else [param]:
            require(each, Parameter, type(self).__name__, "parameter")
            if id(each) not in indices:
                refuse(ValueError, "get_lr_parameter", "param", "one that this optimizer updates", each)
            rate = self.learning_rate[indices[id(each)]] if self.is_group_lr else self.learning_rate
            rates.append(rate.learning_rate if isinstance(rate, (_ConvertToCell, _IteratorLearningRate)) else rate)
        return rates if isinstance(param, list) else rates[0]

    def decay_weight(self, gradients):
        """The gradients (tuple[Tensor]) with the weight decay added. Source: mindspore.nn.Optimizer.decay_weight"""
        if not self.exec_weight_decay:
            return gradients
        decay = self.get_weight_decay()
        decays = list(decay) if isinstance(decay, tuple) else [decay]
        decayed, flags = optimization.decayed, self.decay_flags
        return through_rows(lambda g, p: decayed(g, p, decays, flags), list(gradients), list(self.parameters))

    def gradients_centralization(self, gradients):
        """Gradient centralization: in groups that set it, subtracts the mean over all axes but the first.

        As in MindSpore, only if the length of the second axis is a multiple of 16.
        Source: mindspore.nn.Optimizer.gradients_centralization
        """
        if not any(self._centralized_):
            return gradients
        return through_rows(lambda values: optimization.centralized(values, self._centralized_), list(gradients))

    def scale_grad(self, gradients):
        """The gradients (tuple[Tensor]) divided by the loss scale. Source: mindspore.nn.Optimizer.scale_grad"""
        return optimization.scaled_rows(list(gradients), self.reciprocal_scale) if self.need_scale else gradients

    def flatten_gradients(self, gradients):
        """Returns the gradients unchanged. Source: mindspore.nn.Optimizer.flatten_gradients"""
        return gradients

    def broadcast_params(self, optim_result):
        """The result of a step, unchanged: each device has all Parameters.

        Source: mindspore.nn.Optimizer.broadcast_params
        """
        return optim_result

    def _grad_sparse_indices_deduplicate(self, gradients):
        return gradients  # the formulas for gradients by rows sum those of the same row

    def _is_dynamic_lr_or_weight_decay(self):
        return self.dynamic_lr or self.dynamic_weight_decay

    def _each_decay_(self):
        """The weight decay of each Parameter in this step, 0 for those without decay (list[Tensor])."""
        decays = self.get_weight_decay()
        decays = decays if isinstance(decays, tuple) else (decays,) * len(self.parameters)
        none = number(0.0, dtypes.float32.numpy)
        return [decay.reshape(()) if flag else none for decay, flag in zip(decays, self.decay_flags, strict=True)]

    def construct(self, *hyper_params):
        """One step, given the gradients (tuple[Tensor]); a subclass defines it."""
        raise NotImplementedError


class _IteratorLearningRate(LearningRateSchedule):
    """One rate for each step."""

    def __init__(self, learning_rate, name):
        super().__init__()
        self.learning_rate = Parameter(learning_rate, name)

    def construct(self, global_step):
        return optimization.rate_at(self.learning_rate, global_step)


class _ConvertToCell(LearningRateSchedule):
    """The same rate at every step."""

    def __init__(self, learning_rate):
        super().__init__()
        self.learning_rate = learning_rate

    def construct(self, global_step):
        return self.learning_rate


class _WrappedWeightDecay(Cell):
    """A weight decay that depends on the step, times the loss scale."""

    def __init__(self, weight_decay, loss_scale):
        super().__init__()
        self.weight_decay = weight_decay
        self.loss_scale = loss_scale

    def construct(self, global_step):
        return self.weight_decay(global_step) * self.loss_scale


def as_list(parameters, name):
    """``parameters`` as a non-empty list."""
    if parameters is None:
        refuse(ValueError, "Optimizer", name, "a list", parameters)
    require(parameters, Iterable, "Optimizer", name)
    if isinstance(parameters, Tensor):
        parameters = [None]  # its elements are not Parameters, and iterating over it would compute them
    parameters = list(parameters)
    if not parameters:
        refuse(ValueError, "Optimizer", name, "a list that is not empty", parameters)
    return parameters
