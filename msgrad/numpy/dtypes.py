"""The dtypes and constants of ``mindspore.numpy``, and dtype promotion."""

import numpy as np

from .._contracts import check
from ..engine import dtypes
from ..engine.dtypes import (
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ..ops.array.casting import named_dtype
from ._dialect import AnyDtype, composite, promote, to_tensor

inf = PINF = float("inf")
NINF = float("-inf")
nan = float("nan")
pi = 3.141592653589793

int_ = int32
uint = uint32
float_ = float32

__all__ = [
    "NINF", "PINF", "bool_", "float16", "float32", "float64", "float_", "inf", "int16", "int32", "int64", "int8",
    "int_", "nan", "numeric_types", "pi", "promote_types", "result_type", "uint", "uint16", "uint32", "uint64", "uint8",
]  # fmt: skip

numeric_types = [
    "int_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float_", "float16", "float32",
    "float64", "bool_",
]  # fmt: skip


@composite()
def promote_types(type1: AnyDtype, type2: AnyDtype):
    """The common dtype of operands of two dtypes.

    Args:
        type1, type2 (mindspore.dtype | str | type): dtypes, names of them, or types of numbers.
    Returns:
        mindspore.dtype.
    Raises:
        TypeError: if an argument names no dtype.
    Example:
        >>> ms.numpy.promote_types(ms.int64, ms.float16)
        mindspore.float16
    Source: mindspore.numpy.promote_types
    """
    return dtypes.of(promote(type1.numpy, type2.numpy))


@composite()
def result_type(*arrays_and_dtypes):
    """The common dtype of several operands.

    Args:
        arrays_and_dtypes (Tensor | Number | mindspore.dtype | str): the operands, or their dtypes.
    Returns:
        mindspore.dtype.
    Raises:
        TypeError: for an argument of another type.  IndexError: without arguments.
    Example:
        >>> ms.numpy.result_type("int32", 1.5)
        mindspore.float32
    Source: mindspore.numpy.result_type
    """
    if not arrays_and_dtypes:
        check.refuse(IndexError, "result_type", "arrays_and_dtypes", "one operand or more", arrays_and_dtypes)
    return dtypes.of(promote(*map(_dtype_of, arrays_and_dtypes)))


def _dtype_of(operand):
    if isinstance(operand, str) and named_dtype(operand) is None:
        operand = np.dtype(operand).name  # NumPy's short names, "i2"
    if isinstance(operand, (str, dtypes.DType)):
        return AnyDtype.take(operand, "arrays_and_dtypes", "result_type").numpy
    return to_tensor(operand, "arrays_and_dtypes", "result_type").aval[1]
