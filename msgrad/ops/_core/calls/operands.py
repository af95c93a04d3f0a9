"""Operands: arrays converted within bodies, and numbers made Tensors where an operation takes either."""

import numbers

import jax.numpy as jnp
import numpy as np

from ...._contracts import check
from ....engine.handle import Handle
from ....tensor.arrays import taken
from ....tensor.numbers import number, plain


def convert(array, dtype):
    """``array`` in the numpy dtype ``dtype`` as C casts it on x86: see `cast`. For use in bodies."""
    if array.dtype == dtype:
        return array
    if jnp.iscomplexobj(array) and not jnp.issubdtype(dtype, jnp.complexfloating):
        array = jnp.real(array)
    if jnp.issubdtype(array.dtype, jnp.floating) and jnp.issubdtype(dtype, jnp.integer):
        return _truncated(array, np.dtype(dtype))
    if array.dtype == bool and jnp.issubdtype(dtype, jnp.inexact):
        # Not at once: XLA makes a product with a mask a selection, in which False times infinity or NaN is 0, not NaN.
        array = array.astype(jnp.uint8)
    return array.astype(dtype)


def _truncated(array, dtype):
    # The processor truncates to 32 or 64 bits, giving the smallest number for what does not fit; the low bits remain.
    # XLA alone would saturate.
    if dtype == np.uint64:
        return jnp.where(array >= 2.0**63, array.astype(dtype), _truncated(array, np.dtype(np.int64)).astype(dtype))
    wide = jnp.int64 if dtype in (np.int64, np.uint32) else jnp.int32
    minimum = jnp.iinfo(wide).min
    bound = -float(minimum)
    array = array.astype(jnp.float64 if array.dtype == jnp.float64 else jnp.float32)
    fits = (array >= -bound) & (array < bound)
    return jnp.where(fits, array, 0).astype(wide).astype(dtype) + jnp.where(fits, 0, minimum).astype(dtype)


_OWN = {bool: np.dtype(np.bool_), int: np.dtype(np.int64), float: np.dtype(np.float32), complex: np.dtype(np.complex64)}
_EXACT = {**_OWN, float: np.dtype(np.float64), complex: np.dtype(np.complex128)}


def as_tensor(value, op_name):
    """``value``, a Tensor, or a Tensor of the number ``value``: bool, int64, float32 or complex64.

    Raises:
        TypeError: if it is neither.
    """
    return _tensor(value, op_name, _OWN)


def exact(value, op_name):
    """``value``, a Tensor, or a Tensor of the number ``value`` as Python has it, to be cast: float64, complex128.

    Raises:
        TypeError: if it is neither.  RuntimeError: for an int of more than 64 bits.
    """
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        check.refuse(RuntimeError, op_name, "input", "an int of at most 64 bits", value)
    return _tensor(value, op_name, _EXACT)


def _tensor(value, op_name, dtypes_of_numbers):
    value = taken(value)
    if isinstance(value, Handle):
        return value
    own = plain(value) if isinstance(value, (numbers.Number, np.generic)) else value
    for kind, dtype in dtypes_of_numbers.items():
        if isinstance(own, kind):
            return number(own, dtype)
    return check.refuse(TypeError, op_name, "input", "a Tensor or a number", value)
