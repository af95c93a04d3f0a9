"""Defines internal Primitives by functions over Tensors: a row is the Primitive as text, and its function."""

import re

from ..._contracts import check, contracts
from ..._contracts.enforcement import enforced
from ..._contracts.kinds import Static, concrete
from ..._contracts.signature import function, parse, unchecked
from ...ops._core.faces import primitive
from ...tensor.tensor import Tensor

# A shape or other ints as a tuple, a list or a Tensor.
_SHAPE = Static(lambda value, name, owner: check.ints(concrete(value), name, owner), tuple, list, Tensor)
_KINDS = contracts.NAMES | {"Shape": _SHAPE}


def define(table, path, text, compute, summary):
    """Defines an internal Primitive.

    Args:
        table (dict): where it is registered.
        path (str): MindSpore's name of its module.
        text (str): ``"Name(attributes)(inputs)"``; an input without a contract is a Tensor.
        compute (callable): of a dict, the inputs and attributes by name.
        summary (str): what it computes.
    Returns:
        The class.
    """
    head, _, tail = text.partition(")(")
    name, attributes = head.split("(", 1)
    inputs = parse(f"{name}({tail}", _KINDS)[1].parameters.values()
    whole = [each if each.annotation is not each.empty else each.replace(annotation=_taken(each)) for each in inputs]
    parameters = parse(f"{name}({attributes})")[1].parameters.values()
    whole = unchecked([*whole, *[each.replace(kind=each.KEYWORD_ONLY) for each in parameters]])
    call = ", ".join(f"{each}={each}" for each in whole.parameters)
    composite_of = function(name, whole, f"_compute(dict({call}))", {"_compute": compute, "dict": dict})
    composite_of.__signature__ = whole
    composite_of.__doc__ = f"The inner Primitive `{name}`: {summary}.\n\nSource: {path}.{name}"
    return primitive(enforced(composite_of, name), re.sub(r": \w+", "", text), table=table, path=path)


def _taken(parameter):
    return contracts.Array | None if parameter.default is None else contracts.Array
