"""What a Tensor can be made of, and the dtype it gets."""

import numpy as np

from ..engine import dtypes
from ..engine.dtypes import DType
from ..engine.handle import Handle

_NUMBERS = (bool, int, float, complex)

_MSG_TYPE = (
    "For 'Tensor', the type of 'input_data' should be one of '['Tensor', 'ndarray', 'list', 'tuple', 'float', 'int', "
    "'bool', 'complex', 'bytes']', but got type '{}'."
)
_MSG_BYTES = "For 'Tensor', bytes are not supported. Make an array of them: Tensor(np.frombuffer(data, np.uint8))."
_MSG_ELEMENT = "For Tensor, the input_data is {} that contain unsupported element."
_MSG_ARRAY = "initializing tensor by numpy array failed, because the element type '{}' of array is not supported."
_MSG_ORDER = "initializing tensor by numpy array failed, numpy array: {}, data type: {}."
_MSG_DTYPE = "For 'Tensor', the 'dtype' should be one of [{}], but got {}."
_TENSOR_DTYPES = [dtype for dtype in vars(dtypes).values() if isinstance(dtype, DType) and dtype.numpy is not None]


def check_dtype(dtype):
    """The numpy dtype of a MindSpore dtype, or None."""
    if dtype is None:
        return None
    if not isinstance(dtype, DType) or dtype.numpy is None:
        raise TypeError(_MSG_DTYPE.format(", ".join(map(repr, dict.fromkeys(_TENSOR_DTYPES))), dtype))
    return dtype.numpy


def as_array(data, dtype):
    """The numpy array of a Tensor made of ``data``.

    Args:
        data (ndarray | list | tuple | Number): Python floats become float32, ints int64, complex numbers complex128;
            numpy data keeps its dtype.
        dtype (numpy.dtype | None): of the result, where it is given.
    Returns:
        numpy.ndarray, which may be ``data`` itself.
    """
    if isinstance(data, np.ndarray | np.generic):
        array = _checked(np.asarray(data))
    elif isinstance(data, _NUMBERS):
        array = _of_numbers(data, dtype)
    elif isinstance(data, (list, tuple)):
        array = _of_numbers(_without_tensors(data), dtype)
    else:
        raise TypeError(_MSG_BYTES if isinstance(data, bytes) else _MSG_TYPE.format(type(data).__name__))
    return array if dtype is None else converted(array, dtype)


def converted(array, dtype):
    """``array`` in ``dtype``, as C converts: ints wrap, the imaginary part is dropped."""
    if array.dtype.kind == "c" and dtype.kind not in "cb":
        array = array.real
    with np.errstate(all="ignore"):
        return array.astype(dtype, copy=False)


def _checked(array):
    if not dtypes.is_known(array.dtype.newbyteorder("=")):
        item = array.flat[0] if array.size else array.dtype.type
        kind = type(next((x for x in array.flat if not isinstance(x, (int, float))), item)) if array.size else item
        raise TypeError(_MSG_ARRAY.format(kind))
    if not array.dtype.isnative:
        raise TypeError(_MSG_ORDER.format(array, array.dtype.str))
    return array


def _without_tensors(data):
    if isinstance(data, Handle):
        return data.values()
    if isinstance(data, (list, tuple)):
        return [_without_tensors(item) for item in data]
    if not isinstance(data, (*_NUMBERS, np.ndarray, np.generic)):
        raise TypeError(_MSG_ELEMENT.format(data))
    return data


def _of_numbers(data, dtype):
    try:
        array = np.asarray(data)
    except (ValueError, OverflowError) as error:
        raise TypeError(_MSG_ELEMENT.format(data)) from error
    if not dtypes.is_known(array.dtype):
        raise TypeError(_MSG_ELEMENT.format(data))
    if dtype is None and array.dtype in _IN_LISTS:
        return converted(array, _IN_LISTS[array.dtype])
    return array


# What numbers in lists become, NumPy's own int32 and float64 included.
_IN_LISTS = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.int32): np.dtype(np.int64)}
