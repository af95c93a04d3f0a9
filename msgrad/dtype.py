"""The module ``mindspore.dtype``: the dtypes and the functions about them."""

import enum

import numpy as np

from .engine import dtypes
from .engine.dtypes import *  # noqa: F403  every dtype is a name of this module
from .engine.dtypes import DType, _null  # noqa: F401  which the line above leaves out
from .engine.handle import Handle
from .engine.refusal import refuse, require

Type = DType
FunctionType = dtypes.Function
NoneType = dtypes.TypeNone
_NullType = dtypes.TypeNull

_PYTHON_TYPES = {
    list: dtypes.list_,
    tuple: dtypes.tuple_,
    type(None): dtypes.type_none,
    bool: dtypes.bool_,
    int: dtypes.int64,
    float: dtypes.float64,
    complex: dtypes.complex128,
    str: dtypes.string,
    np.str_: dtypes.string,
}


class _QuantDtype(enum.Enum):
    def __str__(self):
        return self.name

    def value(self):
        """The number of the dtype."""
        return self._value_


QuantDtype = _QuantDtype(
    "QuantDtype",
    {f"INT{bits}": bits - 1 for bits in range(1, 17)} | {f"UINT{bits}": bits + 99 for bits in range(1, 17)},
    module=__name__,
)
QuantDtype.__doc__ = """Names of quantised dtypes. No Tensor of msgrad has one.

Source: mindspore.QuantDtype
"""


def dtype_to_nptype(type_):
    """The numpy scalar type of a dtype.

    Args:
        type_ (mindspore.dtype): a dtype of Tensors.
    Returns:
        type: numpy's, or for ``bfloat16`` and the 8-bit floats that of ``ml_dtypes``.
    Raises:
        KeyError: if there is none.
    Example:
        >>> dtype_to_nptype(mindspore.float32)
        <class 'numpy.float32'>
    Source: mindspore.dtype_to_nptype
    """
    if not isinstance(type_, DType) or type_.numpy is None:
        raise KeyError(type_)
    return type_.numpy.type


def dtype_to_pytype(type_):
    """The Python type of the elements of a dtype.

    Args:
        type_ (mindspore.dtype): a dtype of numbers, ``string``, ``list_``, ``tuple_`` or ``type_none``.
    Returns:
        type: ``bool``, ``int``, ``float``, ``complex``, ``str``, ``list``, ``tuple`` or ``type(None)``.
    Raises:
        KeyError: if there is none.
    Example:
        >>> dtype_to_pytype(mindspore.bfloat16)
        <class 'float'>
    Source: mindspore.dtype_to_pytype
    """
    for python_type, classes in (
        (bool, dtypes.Bool),
        (int, (dtypes.Int, dtypes.UInt)),
        (float, (dtypes.Float, dtypes.BFloat)),
        (complex, dtypes.Complex),
        (str, dtypes.String),
        (list, dtypes.List),
        (tuple, dtypes.Tuple),
        (type(None), dtypes.TypeNone),
    ):
        if isinstance(type_, classes):
            return python_type
    raise KeyError(type_)


def pytype_to_dtype(obj):
    """The dtype of a Python or numpy type.

    Args:
        obj (type | numpy.dtype | mindspore.dtype): ``int``, ``float``, ``numpy.float32``, ... A dtype gives itself.
    Returns:
        mindspore.dtype: ``int64`` for int and ``float64`` for float.
    Raises:
        TypeError: if ``obj`` is not a type.  NotImplementedError: if it has no dtype.
    Example:
        >>> pytype_to_dtype(float)
        mindspore.float64
    Source: mindspore.pytype_to_dtype
    """
    if isinstance(obj, DType):
        return obj
    if not isinstance(obj, (type, np.dtype)):
        refuse(TypeError, "pytype_to_dtype", "obj", "a type such as int, float or numpy.float32", obj)
    if obj in _PYTHON_TYPES:
        return _PYTHON_TYPES[obj]
    try:
        dtype = dtypes.of(obj if isinstance(obj, np.dtype) or not issubclass(obj, np.generic) else np.dtype(obj))
    except KeyError:
        dtype = None
    if dtype is None:
        refuse(NotImplementedError, "pytype_to_dtype", "obj", "a type of numbers, str, list, tuple or NoneType", obj)
    return dtype


def get_py_obj_dtype(obj):
    """The type of a Python value.

    Args:
        obj (object): a number, string, list, tuple, None, Tensor, function, Cell, type or dtype.
    Returns:
        mindspore.dtype: of a Tensor ``TensorType`` of its dtype, of a function or Cell ``function``, of a dtype
        ``type_type``; otherwise what `pytype_to_dtype` gives for its type, or for a type itself.
    Raises:
        NotImplementedError: if there is none.
    Example:
        >>> get_py_obj_dtype(1.0)
        mindspore.float64
    Source: mindspore.get_py_obj_dtype
    """
    if isinstance(obj, Handle):
        return dtypes.TensorType(obj.dtype)
    if hasattr(obj, "construct") or type(obj).__name__ == "function":
        return dtypes.function
    if isinstance(obj, DType):
        return dtypes.type_type
    return pytype_to_dtype(obj if isinstance(obj, type) else type(obj))


def _issubclass_(type_, dtype):
    """Whether ``type_`` is ``dtype`` or one of the dtypes that ``dtype`` stands for (``number``, ``int_``, ...)."""
    if not isinstance(type_, DType):
        return False
    return dtypes.is_kind_of(type_, require(dtype, DType, "_issubclass_", "dtype"))


def type_size_in_bytes(dtype):
    """Bytes per element of a dtype; 0 for a dtype that is not numeric.

    Args:
        dtype (mindspore.dtype): any dtype.
    Returns:
        int.
    Raises:
        TypeError: if ``dtype`` is not a dtype.
    Example:
        >>> type_size_in_bytes(mindspore.float16)
        2
    Source: mindspore.dtype.type_size_in_bytes
    """
    require(dtype, DType, "type_size_in_bytes", "dtype")
    return dtype.itemsize if isinstance(dtype, dtypes.Number) else 0


def __getattr__(name):
    # ``mindspore.int`` is int32 and ``mindspore.float`` float32; as globals these names would hide Python's above.
    dtype = {"bool": dtypes.bool_, "int": dtypes.int32, "float": dtypes.float32}.get(name)
    if dtype is None:
        raise AttributeError(f"module 'mindspore.common.dtype' has no attribute '{name}'")
    return dtype


__all__ = [
    *[name for name, value in globals().items() if isinstance(value, (DType, tuple)) and not name.startswith("__")],
    *("Type", "TensorType", "Int", "QuantDtype", "dtype_to_nptype", "dtype_to_pytype", "get_py_obj_dtype"),
    "pytype_to_dtype",
]
