"""``jax.Array``s of the user's where a Tensor is expected: taken as Tensors of the same buffer, everywhere alike."""

from typing import Any

import jax
import numpy as np

from ..engine.execution.donation import lend
from ..engine.handle import Handle
from ..engine.jax_options import is_own
from ..engine.pytrees import items_of, like
from ..engine.recording.results import wrap

# Types of arguments seen so far that are neither arrays nor containers. If it contains the types of all arguments of a
# call, none of them is converted. A set lookup is fast; `isinstance` calls a metaclass of JAX's, in 0.4 us.
FREE = set()


def is_array(value):
    """Whether a value is a ``jax.Array`` of numbers that the user gives, also one that JAX traces.

    Not within the body of an operation, which computes with arrays.
    """
    if type(value) in FREE or not isinstance(value, jax.Array) or is_own():
        return False
    return isinstance(value.dtype, np.dtype)  # others are random keys


def taken(value) -> Any:
    """``value`` with the ``jax.Array``s in it, also in tuples, lists and dicts, as Tensors."""
    kind = type(value)
    if kind in FREE:
        return value
    if isinstance(value, (tuple, list, dict)):
        items = items_of(value)
        if FREE.issuperset(map(type, items)):
            return value
        all_items = list(map(taken, items))
        is_same = all([new is old for new, old in zip(all_items, items, strict=True)])
        return value if is_same else like(value, all_items)
    if is_array(value):
        return wrap(lend(value))
    if isinstance(value, Handle) or not isinstance(value, jax.Array):
        FREE.add(kind)
    return value


def all_taken(values) -> Any:
    """`taken` for each of the arguments of a call (tuple)."""
    return values if FREE.issuperset(map(type, values)) else tuple(map(taken, values))
