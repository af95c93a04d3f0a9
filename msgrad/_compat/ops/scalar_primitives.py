"""Primitives of Python's numbers (``ops.operations._scalar_ops``), which MindSpore's compiler makes of operators."""

import math
import operator

from ... import ops
from ...tensor.tensor import Tensor

_TWO = [
    ("Add", operator.add), ("Sub", operator.sub), ("Mul", operator.mul), ("Div", operator.truediv),
    ("FloorDiv", operator.floordiv), ("Mod", operator.mod), ("Pow", operator.pow), ("Eq", operator.eq),
    ("Ge", operator.ge), ("Gt", operator.gt), ("Le", operator.le), ("Lt", operator.lt), ("Max", max), ("Min", min),
]  # fmt: skip
_ONE = [("Uadd", operator.pos), ("Usub", operator.neg), ("Log", math.log), ("Bool", bool)]


def _number(value):
    return value.asnumpy().item() if isinstance(value, Tensor) else value


def _of_two(function):
    return lambda x, y: function(_number(x), _number(y))


def _of_one(function):
    return lambda x: function(_number(x))


# The Primitive, what it gives of its inputs, in words.
ROWS = [
    *[(f"Scalar{name}()(x: ANY, y: ANY)", _of_two(each), f"`{each.__name__}` of two numbers") for name, each in _TWO],
    *[(f"Scalar{name}()(x: ANY)", _of_one(each), f"`{each.__name__}` of a number") for name, each in _ONE],
    ("bit_and()(x: ANY, y: ANY)", _of_two(lambda x, y: Tensor(x & y)), "a Tensor of the bits that two ints share"),
    ("bit_or()(x: ANY, y: ANY)", _of_two(lambda x, y: Tensor(x | y)), "a Tensor of the bits of either of two ints"),
    ("BoolNot()(x: ANY)", lambda x: Tensor(not _number(x)), "a Tensor of the opposite of a bool"),
    ("EqScalar()(input, other: ANY)", lambda input, other: ops.equal(input, other), "where a number stands"),
    ("TensorToScalar()(x)", lambda x: _number(x), "the number of a Tensor"),
    ("TupleToTensor()(input_tuple: ANY, dtype: ANY = None)", lambda input_tuple, dtype: Tensor(input_tuple, dtype),
     "a Tensor of numbers"),
]  # fmt: skip
