"""MindSpore's numbers for dtypes, used in its checkpoints and messages."""

from ..._contracts import check
from ..._contracts.contracts import Text
from ...engine import dtypes
from .._core.define import composite

BY_NUMBER = {
    4: dtypes.type_type,
    7: dtypes.type_none,
    11: dtypes.number,
    12: dtypes.string,
    13: dtypes.list_,
    14: dtypes.tuple_,
    17: dtypes.tensor_type,
    23: dtypes.function,
    30: dtypes.bool_,
    31: dtypes.int_,
    32: dtypes.int8,
    33: dtypes.int16,
    34: dtypes.int32,
    35: dtypes.int64,
    36: dtypes.uint,
    37: dtypes.uint8,
    38: dtypes.uint16,
    39: dtypes.uint32,
    40: dtypes.uint64,
    41: dtypes.float_,
    42: dtypes.float16,
    43: dtypes.float32,
    44: dtypes.float64,
    45: dtypes.bfloat16,
    46: dtypes.float8_e4m3fn,
    47: dtypes.float8_e5m2,
    48: dtypes.hifloat8,
    51: dtypes.complex64,
    52: dtypes.complex128,
    53: dtypes.qint4x2,
}
NUMBERS = {dtype: number for number, dtype in BY_NUMBER.items()}


@composite("DtypeToEnum()", name="_dtype_to_enum")
def _dtype_to_enum(op_name: Text, arg_name: Text, dtype):
    """MindSpore's number of a dtype.

    Args:
        op_name, arg_name (str): what an error names.
        dtype (mindspore.dtype): a dtype.
    Returns:
        int.
    Raises:
        TypeError: if ``dtype`` is none.
    Example:
        >>> ops.DtypeToEnum()("Cast", "dtype", mindspore.float32)
        43
    Source: mindspore.ops.DtypeToEnum
    """
    if not isinstance(dtype, dtypes.DType) or dtype not in NUMBERS:
        check.refuse(TypeError, op_name, arg_name, "a mindspore dtype", dtype)
    return NUMBERS[dtype]
