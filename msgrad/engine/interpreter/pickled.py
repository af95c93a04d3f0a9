"""Serialization of plans, for the next process."""

import io
import pickle
import types

from jax import lax

from .._jax_private import Primitive
from . import table
from .plan import check_length, make_plan

_TABLES = {"PLAIN": table.PLAIN, "RULES": table.RULES}
_UNNAMED = {  # rules that pickle finds under no name, and where they are found
    rule: (name, primitive)
    for name, rules in _TABLES.items()
    for primitive, rule in rules.items()
    if isinstance(rule, types.FunctionType) and not rule.__qualname__.isidentifier()
}


def made(jaxpr):
    """The `NumpyPlan` of a jaxpr, or the `NotCovered` that says why NumPy cannot run it."""
    try:
        plan = make_plan(jaxpr)
        check_length(plan, jaxpr)
        return plan
    except table.NotCovered as reason:
        return table.NotCovered(*reason.args)  # without a traceback, whose frames would keep the caller's values alive


def dumped(plan):
    """Pickles the result of `made`; None if a parameter of a primitive means nothing to another process."""
    file = io.BytesIO()
    try:
        # A refusal as its text: the class would be imported by its name, a str needs nothing.
        _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(str(plan) if isinstance(plan, table.NotCovered) else plan)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
    return file.getvalue()


def loaded(data):
    """Unpickles what `dumped` returned, in this process or another."""
    plan = pickle.loads(data)
    return table.NotCovered(plan) if isinstance(plan, str) else plan


class _Pickler(pickle.Pickler):
    def reducer_override(self, value):
        if isinstance(value, types.FunctionType) and value in _UNNAMED:
            return _rule, _UNNAMED[value]
        if isinstance(value, Primitive):
            return _primitive, (value.name,)
        return NotImplemented


def _rule(name, primitive):
    return _TABLES[name][primitive]


def _primitive(name):
    return getattr(lax, f"{name}_p")
