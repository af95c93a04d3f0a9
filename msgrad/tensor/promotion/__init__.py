"""MindSpore's result dtypes, as tables: of operations of two operands, of one, and of reductions."""

from .binary import FAMILIES, promote, result_dtype
from .unary import reduction_dtype, unary_dtype

__all__ = ["FAMILIES", "promote", "reduction_dtype", "result_dtype", "unary_dtype"]
