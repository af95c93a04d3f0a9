"""``jax.Array``s of the user's where a Tensor is expected: taken as Tensors of the same buffer, everywhere alike."""

import jax
import numpy as np

from ..engine.execution.donation import lend
from ..engine.handle import Handle
from ..engine.pytrees import items_of, like
from ..engine.recording.results import wrap

_are_arrays = {}  # by type, since `isinstance` asks a metaclass of JAX's, in 0.4 us


def is_array(value):
    """Whether a value is a ``jax.Array`` of numbers, also one that JAX traces."""
    kind = type(value)
    known = _are_arrays.get(kind)
    if known is None:
        known = _are_arrays[kind] = isinstance(value, jax.Array)
    return known and isinstance(value.dtype, np.dtype)  # others are random keys


def taken(value):
    """``value`` with the ``jax.Array``s in it, also in tuples, lists and dicts, as Tensors."""
    if is_array(value):
        return wrap(lend(value))
    return value if not _holds_array(value) else like(value, [taken(item) for item in items_of(value)])


def _holds_array(value):
    if isinstance(value, Handle) or not isinstance(value, (tuple, list, dict)):
        return False
    return any([is_array(item) or _holds_array(item) for item in items_of(value)])


def all_taken(values):
    """`taken` for each of the arguments of a call (tuple)."""
    for value in values:
        if not isinstance(value, Handle):
            return tuple(map(taken, values))
    return values
