"""Implementations of user-defined Primitives that have the name of one of MindSpore's and no implementation."""

import importlib
import inspect

from ... import _upcalls
from ...engine.refusal import refuse
from ...ops._core.faces import PRIMITIVES

# Modules and their tables of Primitives by name, imported late: they cost start-up time, and few programs need them.
_TABLES = [
    ("ops.legacy.extended", "INNER"),
    ("_compat.ops.gradients", "GRADIENTS"),
    ("_compat.ops.inner_primitives", "INNER"),
    ("_compat.ops.view_functions", "VIEWS"),
    ("ops.control.sequence_primitives", "INNER"),
    ("ops.optim.sequential_row_updates", "INNER_STEPS"),
    ("scipy.ops", "PRIMITIVES"),
]


def _kernel_of(primitive):
    """The function that calls the built-in Primitive of the same name, or None.

    Its attributes are those of the ``primitive``, or arguments after its inputs, as MindSpore passes them itself.
    """
    kind = next((table[primitive.name] for table in _tables() if primitive.name in table), None)
    if kind is None:
        return None
    names = list(inspect.signature(kind).parameters)
    attributes = {name: primitive.attrs[name] for name in names if name in primitive.attrs}

    def run(*args):
        inputs, rest = _split(kind, args)
        given = attributes | dict(zip(names, rest, strict=False))
        required = {each.name for each in inspect.signature(kind).parameters.values() if each.default is each.empty}
        if len(rest) > len(names) or not given.keys() >= required:
            refuse(RuntimeError, kind.__name__, "inputs", f"Tensors, then the attributes {names}", args)
        return kind(**given)(*inputs)

    return run


def _split(kind, args):
    """The inputs among ``args``, which the call of a Primitive class takes, and those after them."""
    parameters = list(inspect.signature(kind.__call__).parameters.values())[1:]
    is_open = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    count = len(args) if is_open else len(parameters)
    return args[:count], args[count:]


def _tables():
    yield PRIMITIVES
    for module, name in _TABLES:
        yield getattr(importlib.import_module(f"msgrad.{module}"), name)


_upcalls.fill(kernel_of=_kernel_of)
