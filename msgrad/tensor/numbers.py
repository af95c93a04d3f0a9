"""Python numbers as operands beside Tensors."""

import functools

import numpy as np

from ..engine.handle import scope
from ..engine.host import to_device
from ..engine.recording.results import wrap


# 0.3 us where the number was met before, 16 where not, most of them for the transfer. By its text, since to a dict
# 0.0, -0.0 and False are one key.
@functools.lru_cache(4096)
def _number_array(kind, text, dtype):
    value = complex(text) if kind is complex else float(text) if kind is float else int(text)
    return to_device(_cast_number(value, dtype))


def _cast_number(value, dtype):
    if np.issubdtype(dtype, np.integer) and isinstance(value, int):
        bits = 8 * dtype.itemsize
        return np.array(value % (1 << bits), np.uint64).astype(dtype)
    with np.errstate(all="ignore"):  # NumPy warns of overflow, MindSpore does not
        return np.asarray(value).astype(dtype)


def plain(value):
    """``value`` without the class of its own that a Python number may have (`mutable`, NumPy's float64)."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (bool, int, float, complex):
        return value
    return next(kind(value) for kind in (int, float, complex) if isinstance(value, kind))


def number(value, dtype):
    """A Tensor of the Python number ``value``, as an operand: in a recording always a leaf of its own.

    So a number that changes from call to call (a learning rate) changes no program.
    """
    value = plain(value)
    kind = type(value) if type(value) is not bool else int
    return leaf(_number_array(kind, repr(kind(value)), dtype))


def leaf(array):
    """A Tensor of a ``jax.Array`` made here; in a recording a leaf of its own, a constant of it."""
    return wrap(array) if scope.trace is None else scope.trace.constant(array)


def constant(array):
    """A Tensor of a NumPy array to which nobody writes from now on; in a recording a constant of it."""
    return leaf(to_device(array))
