"""Parameter groups: the settings of each Parameter of an optimizer."""

import dataclasses
from collections.abc import Iterable

from ...engine.refusal import refuse, require
from ...tensor.parameter import Parameter

_MSG_TWICE = "For 'Optimizer', the Parameter '{}' is in two groups or twice in one: list it once."
_KEYS = ["params", "lr", "weight_decay", "order_params", "grad_centralization"]


@dataclasses.dataclass
class Setting:
    """A Parameter with the settings of its group; None for settings that the group does not have."""

    parameter: Parameter
    group: int
    lr: object
    weight_decay: object
    centralized: bool


def parse(groups, as_list):
    """The Settings of the Parameters in ``groups``, in the order of ``order_params`` if that is given.

    Args:
        groups (list[dict]): the user's groups.
        as_list (callable): checks ``params`` and makes a list of it.
    """
    settings, order = [], None
    for number, group in enumerate(groups):
        _check_keys(group)
        if "order_params" in group:
            order = list(group["order_params"])
            continue
        for index, parameter in enumerate(as_list(group["params"], "params")):
            if not isinstance(parameter, Parameter):
                refuse(TypeError, "Optimizer", f"params[{index}]", "a Parameter", parameter)
            if any(parameter.name == other.parameter.name for other in settings):
                raise RuntimeError(_MSG_TWICE.format(parameter.name))
            centralized = group.get("grad_centralization", False)
            require(centralized, bool, "Optimizer", "grad_centralization")
            settings.append(Setting(parameter, number, group.get("lr"), group.get("weight_decay"), centralized))
    return settings if not order else _ordered(settings, order)


def _check_keys(group):
    unknown = [key for key in group if key not in _KEYS]
    if unknown:
        refuse(KeyError, "Optimizer", "params", f"dicts with keys out of {_KEYS}", unknown)
    for key in ("lr", "weight_decay"):
        if group.get(key, 0.0) is None:
            refuse(TypeError, "Optimizer", key, "a number or a schedule, if a group has that key", None)
    if "order_params" in group:
        if len(group) > 1:
            refuse(ValueError, "Optimizer", "order_params", "the only key of its dict", list(group))
        require(group["order_params"], Iterable, "Optimizer", "order_params")


def _ordered(settings, order):
    if len(order) != len(settings):
        every = f"a list of each of the {len(settings)} Parameters in the groups"
        refuse(ValueError, "Optimizer", "order_params", every, order)
    by_name = {setting.parameter.name: setting for setting in settings}
    return [by_name[parameter.name] for parameter in order]
