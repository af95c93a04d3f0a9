"""Layers that call one operation with some of its arguments fixed by the constructor: one table row each."""

import inspect
import sys
import threading

from .._contracts import contracts
from .._contracts.kinds import ANY, kinds_of
from .._contracts.signature import bare, function, parse, signature
from ..ops._core.generation.passing import SELF, Passing
from .cell import Cell

_lock = threading.RLock()


def layer(target, text, base=Cell, hints=(), fixed=None, path="mindspore.nn", **rename):
    """Defines a layer that calls a function.

    The constructor's arguments are checked as the function checks them, stored as attributes of the same names, and
    passed to the function at every call. The docstring is derived from the function's.

    Args:
        target (function): the function to call.
        text (str): the name, the constructor's and the call's parameters: ``"ELU(alpha=1.0)(x)"``. A parameter may
            have its own contract, ``"GELU(approximate: Bool = True)(x)"``, by its name in ``ops.contracts``.
        base (type): the base class; its constructor gets its own arguments. Default: `Cell`.
        hints (tuple[str]): parameters that are not passed to the function.
        fixed (dict): constant arguments of the function, by name.
        path (str): MindSpore's name of the module.
        rename (dict): the function's parameter for a parameter of the row.
    Returns:
        The class; assign it to its own name, under which it is pickled.
    Example:
        >>> ELU = layer(ops.elu, "ELU(alpha=1.0)(x)")
        >>> ELU(0.5).alpha
        0.5
    """
    head, has_call, call = text.partition(")(")
    if not has_call:
        raise SyntaxError(f"{text!r} must have the parameters of the constructor and those of the call: 'Name()(x)'.")
    name, constructor = parse(f"{head})", contracts.NAMES)
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
    init = _constructor(base, attributes, passing.kinds | own)
    init.kinds = construct.kinds = passing.kinds | own
    members = {
        "__init__": init,
        "construct": construct,
        "__doc__": passing.doc(f"{path}.{name}", [each.name for each in attributes]),
        "__module__": sys._getframe(1).f_globals["__name__"],
        "_targets_": (target,),
    }
    return type(name, (base,), members)


def on_demand(module, rows):
    """The ``__getattr__`` of a file (PEP 562) whose layers are made when their names are first used.

    So a layer does not import the operations of all layers in its file.

    Args:
        module (str): the file's ``__name__``.
        rows (dict of function): what makes each layer, by its name.
    """

    def get(name):
        if name not in rows:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        members = vars(sys.modules[module])
        with _lock:  # two threads must not have two classes
            if name not in members:
                members[name] = rows[name]()
        return members[name]

    return get


def _constructor(base, attributes, kinds):
    parameters = [each.name for each in attributes if each.name in inspect.signature(base.__init__).parameters]
    attribute_items = ", ".join(f"{each.name!r}: {each.name}" for each in attributes if each.name not in parameters)
    call = f"_started(self, {{{attribute_items}}}, {', '.join(f'{name}={name}' for name in parameters)})"
    return function("__init__", inspect.Signature([SELF, *attributes]), call, {"_started": _start(base, kinds)})


def _start(base, kinds):
    """Makes the constructor of a row: it calls the base's, then checks and stores the attributes."""

    def started(cell, attributes, **arguments):
        base.__init__(cell, **arguments)
        for name, value in attributes.items():
            kinds[name].take(value, name, type(cell).__name__)
            setattr(cell, name, value)

    return started
