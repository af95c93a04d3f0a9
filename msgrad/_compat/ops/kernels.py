"""Implementations of user-defined Primitives that have the name of one of MindSpore's and no implementation."""

import inspect

from ...ops._core.faces import PRIMITIVES
from ...ops._core.primitive import set_kernel_finder


def _kernel_of(primitive):
    """The built-in Primitive of the same name with the attributes that it takes, or None."""
    kind = next((table[primitive.name] for table in _tables() if primitive.name in table), None)
    if kind is None:
        return None
    parameters = [each for each in inspect.signature(kind.__init__).parameters if each in primitive.attrs]
    return kind(**{each: primitive.attrs[each] for each in parameters})


def _tables():
    # Late, since they cost start-up time, and few programs need them.
    from ...ops.legacy import extended
    from . import gradients, inner_primitives

    return PRIMITIVES, extended.INNER, gradients.GRADIENTS, inner_primitives.INNER


set_kernel_finder(_kernel_of)
