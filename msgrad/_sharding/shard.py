"""Checks the arguments of `shard` and `Cell.shard`: strategies of Tensors, and a plan of Parameters."""

from typing import Any

from ..engine.refusal import refuse, require
from .layout import Layout
from .strategy import check_strategy


def checked_strategies(in_strategy: Any, out_strategy: Any, owner):
    """Raises TypeError unless strategies are tuples, each of tuples of ints alone or of Layouts alone."""
    for name, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
        if strategy is None and name == "out_strategy":
            continue
        check_strategy(strategy, name, owner)
        if len({isinstance(item, Layout) for item in strategy}) != 1:
            refuse(TypeError, owner, name, "of tuples only or of Layouts only", strategy)


def checked_plan(plan, cell, owner):
    """The layouts of Parameters by name, as a dict.

    Raises:
        TypeError: unless it is None, or a dict of tuples or Layouts by names, for a Cell.
    """
    if plan is None:
        return {}
    require(plan, dict, owner, "parameter_plan")
    if not hasattr(cell, "parameters_dict"):
        refuse(TypeError, owner, "fn", "a Cell, with a parameter_plan", cell)
    for name, layout in plan.items():
        require(name, str, owner, "key of the parameter_plan")
        require(layout, (tuple, Layout), owner, "item of the parameter_plan")
    return plan


def set_plan(plan, cell, owner):
    """Stores the layouts of a plan for the Parameters of a Cell; unknown names are ignored.

    Raises:
        ValueError: if a Parameter has another number of axes, or one that is not divisible.
    """
    for name, layout in plan.items():
        name = name.removeprefix("self.")
        member = next((each for each in cell.trainable_params() if each.name == name), None)
        if member is None or member.__dict__.get("_plan") is not None:
            continue
        if isinstance(layout, tuple):
            shape = member.aval[0]
            if len(layout) != len(shape) or any(length % cut for length, cut in zip(shape, layout, strict=True)):
                expected = f"a divisor for each length of the shape {shape} of '{name}'"
                refuse(ValueError, owner, "parameter_plan", expected, layout)
        member._plan = layout
