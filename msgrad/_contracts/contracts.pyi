"""Contracts to a type checker: what the body of an operation, or a constructor, gets for each. Written by hand."""

from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any

from ..engine.dtypes import DType as _DType
from ..tensor.sparse import COOTensor, CSRTensor, RowTensor
from .choices import FloatWithin as FloatWithin
from .choices import Instance as Instance

# An array in the body of an operation, a Tensor in a composite or a constructor.
Array = Any
Arrays = _Sequence[Any]
Operand = Any
Index = Any
Mask = Any
Int = int
PositiveInt = int
NonNegativeInt = int
Axis = int
Bool = bool
Real = float
PositiveReal = float
NonNegativeReal = float
Number = float
PositiveFloat = float
NonNegativeFloat = float
NonPositiveFloat = float
Float = float
Fraction = float
Text = str
PadMode = str
Callable = _Callable[..., Any]
Dtype = _DType
Axes = int | tuple[int, ...] | None
Ints = tuple[int, ...]
PositiveInts = tuple[int, ...]
IntOrInts = int | tuple[int, ...]
Sizes = tuple[int, ...]
Pairs = tuple[tuple[int, ...], ...]
AsTuple = Any
AsFloats = Any
Shape = tuple[int, ...]
Sequence = tuple[int, ...]
Coo = COOTensor
Csr = CSRTensor
Row = RowTensor
NAMES: dict[str, Any]
