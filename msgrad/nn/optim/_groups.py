"""Parameter groups: what each Parameter of an optimizer is updated with."""

import dataclasses
from collections.abc import Iterable

from ...tensor.parameter import Parameter

_KEYS = ["params", "lr", "weight_decay", "order_params", "grad_centralization"]


@dataclasses.dataclass
class Setting:
    """A Parameter with the settings of its group; None where the group has none of its own."""

    parameter: Parameter
    group: int
    lr: object
    weight_decay: object
    centralized: bool


def parse(groups, as_list):
    """The Settings of the Parameters in ``groups``, in the order of ``order_params`` if that is given.

    Args:
        groups (list[dict]): as the user gave them.
        as_list (callable): makes a checked list of ``params``.
    """
    settings, order = [], None
    for number, group in enumerate(groups):
        _check_keys(group)
        if "order_params" in group:
            order = list(group["order_params"])
            continue
        for place, parameter in enumerate(as_list(group["params"], "group `params`")):
            if not isinstance(parameter, Parameter):
                raise TypeError(
                    "For 'Optimizer', the element in group parameters must be Parameter type, "
                    f"but got {type(parameter)} at index {place}."
                )
            if any(parameter.name == other.parameter.name for other in settings):
                raise RuntimeError(
                    f"For 'Optimizer', the {parameter.name} parameter already exists, it does not support repeated "
                    "setting. Please check whether the optimizer parameter has been set multiple times."
                )
            centralized = group.get("grad_centralization", False)
            if not isinstance(centralized, bool):
                raise TypeError(
                    f"For 'Optimizer', the 'gradients_centralization' must be bool type, but got {type(centralized)}."
                )
            settings.append(Setting(parameter, number, group.get("lr"), group.get("weight_decay"), centralized))
    return settings if not order else _ordered(settings, order)


def _check_keys(group):
    unknown = [key for key in group if key not in _KEYS]
    if unknown:
        raise KeyError(f"For 'Optimizer', the key in group params must be one of in {_KEYS}, but got {unknown}.")
    if "order_params" in group:
        if len(group) > 1:
            raise ValueError(
                "For 'Optimizer', the order params dict in group parameters should only include the 'order_params' "
                f"key, but got {group.keys()}."
            )
        if not isinstance(group["order_params"], Iterable):
            raise TypeError(
                "For 'Optimizer', the value of 'order_params' in group parameters should be Iterable type, "
                f"but got {type(group['order_params'])}."
            )


def _ordered(settings, order):
    if len(order) != len(settings):
        raise ValueError(
            "For 'Optimizer',the length of order parameters must be the same as the length of group parameters, "
            f"but got order parameters' length {len(order)}, group parameters' length {len(settings)}."
        )
    by_name = {setting.parameter.name: setting for setting in settings}
    return [by_name[parameter.name] for parameter in order]
