"""The base classes of the optimizers whose parameter groups are dicts."""

import collections
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..._contracts import check
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...nn.cell import Cell
from ...ops.optim import optimization
from ...tensor.numbers import number
from ...tensor.parameter import Parameter, ParameterTuple
from ...tensor.tensor import Tensor

_FLOAT = np.dtype(np.float32)


class Optimizer(Cell):
    """Updates Parameters by their gradients; a subclass defines ``construct(gradients)``.

    Args:
        params (Iterable[Parameter] | Iterable[dict]): the Parameters to update, or groups: dicts of ``params`` and
            of options that replace ``defaults``.
        defaults (dict): the options of a group by name, including ``lr``.

    Attributes:
        param_groups (list[dict]): the groups; ``lr`` is a Parameter, which `ops.assign` changes.
        parameters (ParameterTuple): the Parameters of all groups.
        lrs (list[Parameter]): the rates of the groups.
    Raises:
        TypeError, ValueError: for other arguments.
    Example:
        >>> class Plain(optim.Optimizer):
        ...     def construct(self, gradients):
        ...         for parameter, gradient in zip(self.parameters, gradients):
        ...             ops.assign_sub(parameter, self.lrs[0] * gradient)
        >>> Plain([Parameter(Tensor([1.0]), name="w")], {"lr": 0.5}).param_groups[0]["lr"].item()
        0.5
    Source: mindspore.experimental.optim.Optimizer
    """

    parameters: Any

    _update_: Any
    _counter_: Any

    def __init__(self, params, defaults):
        super().__init__(auto_prefix=False)
        groups = _listed(params)
        self.defaults = defaults
        self.state = collections.defaultdict(dict)
        self.param_groups, self.lrs, self.group_start_id = [], [], [0]
        self.parameters = ()
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)
        self.parameters = ParameterTuple(self.parameters)

    def add_param_group(self, param_group):
        """Adds a group.

        Args:
            param_group (dict): ``params``, a Parameter or a list of them, and options that replace the defaults.
        Raises:
            TypeError: for anything else.  ValueError: if another group has one of the Parameters.
        Source: mindspore.experimental.optim.Optimizer.add_param_group
        """
        require(param_group, dict, "Optimizer", "param_group")
        params = param_group["params"]
        if isinstance(params, set):
            refuse(TypeError, "Optimizer", "params", "ordered, such as a list", params)
        parameters = [params] if isinstance(params, Parameter) else list(params)
        for index, parameter in enumerate(parameters):
            require(parameter, Parameter, "Optimizer", f"params[{index}]")
        present = {id(parameter) for parameter in self.parameters}
        if any(id(parameter) in present for parameter in parameters):
            refuse(ValueError, "Optimizer", "params", "in one group only", [each.name for each in parameters])
        param_group["params"] = parameters
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        param_group["lr"] = self._rate_(param_group.get("lr"), f"learning_rate_group_{len(self.param_groups)}")
        decay = param_group.get("weight_decay", 0.0)
        require(decay, (float, int, bool), "Optimizer", "weight_decay")
        param_group["weight_decay"] = check.non_negative_number(float(decay), "weight_decay", self.cls_name)
        self.lrs.append(param_group["lr"])
        self.parameters = (*self.parameters, *parameters)
        self.param_groups.append(param_group)
        self.group_start_id.append(self.group_start_id[-1] + len(parameters))

    def _rate_(self, rate, name):
        if isinstance(rate, (float, int)):
            check.non_negative_number(float(rate), "lr", self.cls_name)
            return Parameter(Tensor(float(rate), dtypes.float32), name=name)
        require(rate, (float, int, Tensor), "Optimizer", "lr")
        if rate.ndim:
            refuse(ValueError, "Optimizer", "lr", "a number or a Tensor without axes", rate)
        return Parameter(rate.astype(dtypes.float32), name=name)

    def construct(self, *hyper_params):
        """Makes one step with the gradients (tuple[Tensor]); a subclass defines it."""
        raise NotImplementedError

    def __repr__(self):
        lines = [f"{self.cls_name} ("]
        for index, group in enumerate(self.param_groups):
            lines += [""] * (index > 0) + [f"Parameter Group {index}"]
            for name in sorted(set(group) - {"params"}):
                value = group[name]
                lines.append(f"    {name}: {value.value() if isinstance(value, Parameter) else value}")
        return "\n".join([*lines, ")"])


class GroupedFormulaOptimizer(Optimizer):
    """An optimizer defined by a formula, the `_update_` of a subclass.

    Attributes:
        _update_ (Update): the formula of a step. The step provides ``var``, ``grad``, ``rate`` and a group's options;
            its other arguments are attributes.
        _is_decoupled_ (bool): whether the formula includes the weight decay, so that it is not added to gradients.
        _counter_ (str): the attribute that counts steps, incremented at the start of a step; None for none.
    """

    _update_: Any = None
    _is_decoupled_ = False
    _counter_ = None

    def construct(self, gradients):
        """Makes one step with the gradients, a tuple of Tensors of the Parameters' shapes; returns True."""
        gradients = optimization.checked_gradients(gradients, len(self.parameters), self.cls_name)
        if self._counter_ is not None:
            counter = getattr(self, self._counter_)
            counter._write_(counter + 1)
        for group, start in zip(self.param_groups, self.group_start_id, strict=False):
            self._step_(group, start, list(gradients))
        return True

    def _step_(self, group, start, gradients):
        end = start + len(group["params"])
        decay = 0.0 if self._is_decoupled_ else group["weight_decay"]
        gradients, parameters = gradients[start:end], list(group["params"])
        if decay or group.get("maximize"):
            weight = number(decay, _FLOAT)
            gradients = optimization.directed(gradients, parameters, weight, bool(group.get("maximize")), bool(decay))
        options = {name: _as_floats(value) for name, value in group.items() if name != "params"}
        sources = options | {"var": parameters, "grad": list(gradients), "rate": group["lr"]}
        update = self._chosen_update_(group)
        update.write(update.values(sources, self, slice(start, end)))

    def _chosen_update_(self, group):
        """The `Update` of a group (dict)."""
        return self._update_

    def _slot_(self, prefix, init: Any = "zeros"):
        """A Parameter for each Parameter, of the same shape (ParameterTuple)."""
        return self.parameters.clone(prefix=prefix, init=init)

    def _scalars_(self, prefix, value):
        """A Parameter without axes for each Parameter (list)."""
        return [Parameter(Tensor(value, dtypes.float32), name=f"{prefix}{each.name}") for each in self.parameters]

    def _at_least_(self, low, is_open=False, **values):
        """Raises ValueError for a value below ``low``, and with ``is_open`` for ``low`` itself."""
        for name, value in values.items():
            if value < low or (is_open and value == low):
                refuse(ValueError, self.cls_name, name, f"{'above' if is_open else 'at least'} {low}", value)

    def _check_betas_(self, betas):
        """Raises ValueError for betas that are not in ``[0, 1)``."""
        for index, beta in enumerate(betas):
            check.float_within("[0, 1)", float(beta), f"betas[{index}]", self.cls_name)


def _as_floats(value):
    """Converts a number, or each of a tuple, to a float, so that a new value is not compiled again; bools are kept."""
    if isinstance(value, tuple):
        return tuple(_as_floats(each) for each in value)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _listed(params):
    if params is None:
        refuse(ValueError, "Optimizer", "params", "a list", params)
    params = list(require(params, Iterable, "Optimizer", "params"))
    if not params:
        refuse(ValueError, "Optimizer", "params", "a list that is not empty", params)
    return params
