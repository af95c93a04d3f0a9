"""Construction of Tensors: accepted data, and the resulting dtype."""

import functools

import numpy as np

from ..engine import dtypes
from ..engine.dtypes import DType
from ..engine.handle import Handle
from ..engine.interpreter.quiet import quietly
from ..engine.refusal import refuse
from .dlpack import is_foreign, values_of

_NUMBERS = (bool, int, float, complex)

_SOURCES = "a Tensor, an array, a number, or a list or tuple of numbers"
_MSG_BYTES = "Make an array of bytes first: Tensor(np.frombuffer(data, np.uint8))."
_MSG_ORDER = "Make it native first: array.astype(array.dtype.newbyteorder('='))."


def check_dtype(dtype):
    """The numpy dtype of a MindSpore dtype, or None."""
    if dtype is None:
        return None
    if not isinstance(dtype, DType) or dtype.numpy is None:
        refuse(TypeError, "Tensor", "dtype", "a mindspore dtype of numbers, such as mindspore.float32", dtype)
    return dtype.numpy


def as_array(data, dtype):
    """Converts ``data`` to the numpy array of a Tensor.

    Args:
        data (ndarray | list | tuple | Number | array): Python floats become float32, ints int64, complex numbers
            complex128; numpy data, and another library's array (`is_foreign`), keeps its dtype.
        dtype (numpy.dtype | None): of the result, if given.
    Returns:
        numpy.ndarray, which may be ``data`` itself.
    """
    if isinstance(data, np.ndarray | np.generic):
        array = _checked(np.asarray(data))
    elif isinstance(data, _NUMBERS):
        array = _of_numbers(data, dtype)
    elif isinstance(data, (list, tuple)):
        array = _of_numbers(_without_tensors(data), dtype)
    elif is_foreign(data):
        array = _checked(values_of(data))
    else:
        refuse(TypeError, "Tensor", "input_data", _SOURCES, data, _MSG_BYTES if isinstance(data, bytes) else "")
    return array if dtype is None else converted(array, dtype)


def converted(array, dtype):
    """``array`` in ``dtype``, as C converts: ints wrap, the imaginary part is dropped."""
    if array.dtype.kind == "c" and dtype.kind not in "cb":
        array = array.real
    return quietly(functools.partial(array.astype, dtype, copy=False))


def _checked(array):
    if not dtypes.is_known(array.dtype.newbyteorder("=")):
        refuse(TypeError, "Tensor", "input_data", "an array of a dtype of numbers that mindspore has", array.dtype.type)
    if not array.dtype.isnative:
        refuse(TypeError, "Tensor", "input_data", "an array in the machine's byte order", array.dtype, _MSG_ORDER)
    return array


def _without_tensors(data):
    if isinstance(data, Handle):
        return data._values_()
    if isinstance(data, (list, tuple)):
        return [_without_tensors(item) for item in data]
    if not isinstance(data, (*_NUMBERS, np.ndarray, np.generic)):
        refuse(TypeError, "Tensor", "input_data", _SOURCES, data)
    return data


def _of_numbers(data, dtype):
    if isinstance(data, int) and not -(2**63) <= data < 2**64:
        refuse(RuntimeError, "Tensor", "input_data", "an int of at most 64 bits", data)
    try:
        array = np.asarray(data)
    except (ValueError, OverflowError):
        array = None
    if array is None or not dtypes.is_known(array.dtype):
        refuse(TypeError, "Tensor", "input_data", "made of numbers, in lists of equal length", data)
    if dtype is None and array.dtype in _IN_LISTS:
        return converted(array, _IN_LISTS[array.dtype])
    return array


# The dtypes for numbers in lists, NumPy's int32 and float64 scalars included.
_IN_LISTS = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.int32): np.dtype(np.int64)}
