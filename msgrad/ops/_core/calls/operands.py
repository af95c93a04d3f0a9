"""Operands: arrays converted within bodies, and numbers made Tensors where an operation takes either."""

import numbers

import numpy as np

from ...._contracts import check
from ....engine.handle import Handle
from ....tensor.arrays import taken
from ....tensor.numbers import number, plain

_OWN = {bool: np.dtype(np.bool_), int: np.dtype(np.int64), float: np.dtype(np.float32), complex: np.dtype(np.complex64)}
_EXACT = {**_OWN, float: np.dtype(np.float64), complex: np.dtype(np.complex128)}
_EXACT_UNSIGNED = {int: np.dtype(np.uint64)}


def as_tensor(value, op_name):
    """``value``, a Tensor, or a Tensor of the number ``value``: bool, int64, float32 or complex64.

    Raises:
        TypeError: if it is neither.
    """
    return _tensor(value, op_name, _OWN)


def exact(value, op_name):
    """``value``, a Tensor, or a Tensor of the number ``value`` as Python has it, to be cast: float64, complex128.

    An int is int64, or uint64 from ``2**63`` on.

    Raises:
        TypeError: if it is neither.  RuntimeError: for an int of more than 64 bits.
    """
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        check.refuse(RuntimeError, op_name, "input", "an int of at most 64 bits", value)
    is_unsigned = isinstance(value, (int, np.integer)) and value >= 2**63
    return _tensor(value, op_name, _EXACT_UNSIGNED if is_unsigned else _EXACT)


def _tensor(value, op_name, dtypes_of_numbers):
    value = taken(value)
    if isinstance(value, Handle):
        return value
    own = plain(value) if isinstance(value, (numbers.Number, np.generic)) else value
    for kind, dtype in dtypes_of_numbers.items():
        if isinstance(own, kind):
            return number(own, dtype)
    return check.refuse(TypeError, op_name, "input", "a Tensor or a number", value)
