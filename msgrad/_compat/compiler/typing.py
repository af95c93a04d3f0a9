"""``mindspore._c_expression.typing``: the classes of dtypes, the dtypes, and their numbers."""

from ...dtype import type_size_in_bytes  # noqa: F401
from ...engine import dtypes
from ...engine.dtypes import (  # noqa: F401
    BFloat,
    Bool,
    Complex,
    Float,
    Function,
    Int,
    List,
    Number,
    String,
    TensorType,
    Tuple,
    TypeNone,
    TypeNull,
    TypeType,
    UInt,
)
from ...engine.dtypes import DType as Type
from ...ops.array.dtype_numbers import BY_NUMBER, NUMBERS

kTypeType, kTypeNone, kTypeNull = dtypes.type_type, dtypes.type_none, dtypes._null
kNumber, kString, kList, kTuple = dtypes.number, dtypes.string, dtypes.list_, dtypes.tuple_
kTensorType, kBool = dtypes.tensor_type, dtypes.bool_
kInt, kInt8, kInt16, kInt32, kInt64 = dtypes.int_, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64
kUInt, kUInt8, kUInt16, kUInt32, kUInt64 = dtypes.uint, dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64
kFloat, kFloat16, kFloat32, kFloat64 = dtypes.float_, dtypes.float16, dtypes.float32, dtypes.float64
kBFloat16, kComplex64, kComplex128 = dtypes.bfloat16, dtypes.complex64, dtypes.complex128
kFloat8E4M3FN, kFloat8E5M2, kHiFloat8, kInt4 = (
    dtypes.float8_e4m3fn,
    dtypes.float8_e5m2,
    dtypes.hifloat8,
    dtypes.qint4x2,
)


def type_to_type_id(dtype):
    """MindSpore's number of a dtype (int).

    Raises:
        TypeError: if it is not a dtype that has one here.
    """
    if not isinstance(dtype, Type) or dtype not in NUMBERS:
        raise TypeError(f"For 'type_to_type_id', the argument must be a mindspore dtype, but got {dtype!r}.")
    return NUMBERS[dtype]


def type_id_to_type(number):
    """The dtype of a number of MindSpore's.

    Raises:
        RuntimeError: if there is none.
    """
    if number not in BY_NUMBER:
        raise RuntimeError(f"For 'type_id_to_type', the argument must be the number of a dtype, but got {number!r}.")
    return BY_NUMBER[number]


def str_to_type(name):
    """The dtype of a name, as it is written (``float32``) or printed (``Float32``).

    Raises:
        RuntimeError: if there is none.
    """
    for dtype in NUMBERS:
        if name in (str(dtype), repr(dtype).removeprefix("mindspore.")):
            return dtype
    raise RuntimeError(f"For 'str_to_type', the argument must be the name of a dtype, but got {name!r}.")


def is_subclass(dtype, kind):
    """Whether a dtype is ``kind`` or one that ``kind`` stands for."""
    return dtypes.is_kind_of(dtype, kind)
