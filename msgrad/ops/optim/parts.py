"""Operations on what all Parameters have, as one; on very many Parameters in parts.

XLA's time grows with the number of results, 7 ms for each Parameter. Each part weighs so much that a Program of several
runs in pieces, and those of equal shapes are compiled once.
"""

import functools

from ...engine.execution import execute
from .._core.define import op

PART = execute.LARGE_PIECE  # Parameters


def whole_and_part(name, body):
    """The operation ``body`` on all Parameters, and that on a part of very many."""
    part = op(name=f"{name}_in_part")(body)
    part.op.weight = PART
    return op(name=name)(body), part


def on_gradients(name):
    """Defines an operation on all gradients, in parts where these are very many."""

    def define(body):
        whole, part = whole_and_part(name, body)

        @functools.wraps(body)
        def apply(gradients, *others):
            count, results = len(gradients), []
            if count <= execute.LARGE:
                return whole(gradients, *others)
            for start in range(0, count, PART):
                each = [_slice(value, start, count) for value in (gradients, *others)]
                results += part(*each)
            return tuple(results)

        return apply

    return define


def _slice(value, start, count):
    """A part of ``value`` if that is a list or tuple with an item for each Parameter."""
    is_column = isinstance(value, (list, tuple)) and len(value) == count
    return value[start : start + PART] if is_column else value
