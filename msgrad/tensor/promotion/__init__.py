"""MindSpore's result dtypes, as tables: of operations of two operands, of one, and of reductions."""

from .binary import FAMILIES, WIDE, beside_number, promote, result_dtype
from .unary import reduction_dtype, unary_dtype

__all__ = ["FAMILIES", "WIDE", "beside_number", "promote", "reduction_dtype", "result_dtype", "unary_dtype"]
