"""Python numbers as operands."""

import functools
from typing import Any

import numpy as np

from ..engine.handle import scope
from ..engine.host import to_device
from ..engine.interpreter.quiet import quietly
from ..engine.recording.results import wrap

_KINDS: Any = (int, float, complex)


# 0.3 us for a cached number, 16 otherwise, most of it the transfer. The key is the number's repr, since 0.0, -0.0 and
# False are equal dict keys.
@functools.lru_cache(4096)
def _number_array(kind, text, dtype):
    value = complex(text) if kind is complex else float(text) if kind is float else int(text)
    return to_device(_cast_number(value, dtype))


def _cast_number(value, dtype):
    if np.issubdtype(dtype, np.integer) and isinstance(value, int):
        bits = 8 * dtype.itemsize
        return np.array(value % (1 << bits), np.uint64).astype(dtype)
    return quietly(np.asarray(value).astype, dtype)


def plain(value) -> Any:
    """``value`` as a plain Python number, converted from a subclass (`mutable`, NumPy's float64)."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (bool, int, float, complex):
        return value
    return next(kind(value) for kind in _KINDS if isinstance(value, kind))


def number(value, dtype):
    """A Tensor of the Python number ``value``, as an operand: in a recording always a separate leaf.

    So a number that changes from call to call (a learning rate) does not change the program.
    """
    return leaf(array_of(value, dtype))


def array_of(value, dtype):
    """The ``jax.Array`` of the Python number ``value``; one for equal numbers."""
    value = plain(value)
    kind: Any = type(value) if type(value) is not bool else int
    return _number_array(kind, repr(kind(value)), dtype)


def leaf(array):
    """A Tensor of a new ``jax.Array``; in a recording a separate constant leaf."""
    return wrap(array) if scope.trace is None else scope.trace.constant(array)


def constant(array):
    """A Tensor of a NumPy array that is not written to any more; in a recording a constant."""
    return leaf(to_device(array))
