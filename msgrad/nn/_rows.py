"""Layers that are an operation with some of its arguments kept: each is one row."""

import inspect
import sys

from .._contracts import contracts
from .._contracts.contracts import ANY, kinds_of
from .._contracts.signature import bare, function, parse, signature
from ..ops._core.faces import SELF, Passing
from .cell import Cell


def layer(target, text, base=Cell, hints=(), fixed=None, path="mindspore.nn", **rename):
    """Defines a layer that calls a function.

    What its constructor takes is checked as the function itself checks it, kept as it is as attributes of the same
    names, and passed on at every call. The docstring is derived from the function's.

    Args:
        target (function): what it calls.
        text (str): the name, what the constructor takes and what the call takes: ``"ELU(alpha=1.0)(x)"``. A parameter
            may have a contract of its own, ``"GELU(approximate: Bool = True)(x)"``, by its name in ``ops.contracts``.
        base (type): the class that it extends; its constructor gets its own arguments. Default: `Cell`.
        hints (tuple[str]): parameters that are not passed on.
        fixed (dict): what the target's parameters, by name, always get.
        path (str): MindSpore's name of the module.
        rename (dict): the target's parameter for one of the row.
    Returns:
        The class; assign it to its own name, under which it is pickled.
    Example:
        >>> ELU = layer(ops.elu, "ELU(alpha=1.0)(x)")
        >>> ELU(0.5).alpha
        0.5
    """
    head, call = text.split(")(")
    name, constructor = parse(f"{head})", vars(contracts))
    inputs = list(signature(f"({call}").parameters.values())
    attributes = list(bare(constructor).parameters.values())
    passing = Passing(target, [*inputs, *attributes], hints, fixed, rename)
    own = {key: kind for key, kind in kinds_of(constructor).items() if kind is not ANY}
    construct = function(
        "construct",
        inspect.Signature([SELF, *inputs]),
        passing.call({each.name: f"self.{each.name}" for each in attributes}),
        passing.scope,
    )
    construct.__doc__ = f"What ``{target.__name__}`` gives."
    members = {
        "__init__": _constructor(base, attributes, passing.kinds | own),
        "construct": construct,
        "__doc__": passing.doc(f"{path}.{name}", [each.name for each in attributes]),
        "__module__": sys._getframe(1).f_globals["__name__"],
        "targets": (target,),
    }
    return type(name, (base,), members)


def _constructor(base, attributes, kinds):
    taken = [each.name for each in attributes if each.name in inspect.signature(base.__init__).parameters]
    shown = ", ".join(f"{each.name!r}: {each.name}" for each in attributes if each.name not in taken)
    call = f"_started(self, {{{shown}}}, {', '.join(f'{name}={name}' for name in taken)})"
    return function("__init__", inspect.Signature([SELF, *attributes]), call, {"_started": _start(base, kinds)})


def _start(base, kinds):
    """Makes the constructor of a row: it calls that of the base, then checks and keeps the attributes."""

    def started(cell, attributes, **taken):
        base.__init__(cell, **taken)
        for name, value in attributes.items():
            kinds[name].take(value, name, type(cell).__name__)
            setattr(cell, name, value)

    return started
