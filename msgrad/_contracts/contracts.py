"""Contracts by name: annotations that say which values a parameter accepts; enforced alike for operations and layers.

Operands: `Array` a Tensor, `Arrays` a list or tuple of Tensors, `Operand` a Tensor or a Python number, `Index`, `Mask`.
All others are static: their values select the computation. A parameter without annotation accepts any value. Rows may
name these, the classes in `kinds` (`Scalar`) and what `choices` makes (``OneOf("mean", "sum")``): `NAMES`.
"""

import numbers

import numpy as np

from ..engine.dtypes import DType
from ..engine.handle import Handle
from ..engine.static import freeze
from ..tensor.arrays import taken
from ..tensor.sparse import COOTensor, CSRTensor, RowTensor
from . import check, choices, kinds
from .choices import FloatWithin, Instance
from .kinds import ArrayKind, Kind, Static, TensorOf, concrete

_NUMBERS = (bool, int, float, complex, np.generic)


class _Operand(ArrayKind):
    types = (Handle, *_NUMBERS)

    def take(self, value, arg_name, owner):
        value = value if isinstance(value, Handle) else taken(value)
        if not isinstance(value, self.types):
            check.refuse(TypeError, owner, arg_name, "a Tensor or a number", value)
        return value


class _Arrays(Kind):
    types = (tuple, list)

    def take(self, value, arg_name, owner):
        value = taken(value)
        if not isinstance(value, (tuple, list)) or not all(isinstance(item, Handle) for item in value):
            check.refuse(TypeError, owner, arg_name, "a list or tuple of Tensors", value)
        return value

    def freeze(self, value, arg_name, owner, operands):
        return tuple([freeze(item, operands) for item in self.take(value, arg_name, owner)])


class _Sizes(Static):
    """The ``*shape`` of a method: ints, or one tuple of them. A Tensor without axes is a shape of one length."""

    def __init__(self):
        super().__init__(check.sizes, *_INTS, tuple, list)

    def freeze(self, value, arg_name, owner, operands):
        is_length = isinstance(value, Handle) and value.aval[0] == ()
        return super().freeze([value] if is_length else value, arg_name, owner, operands)


def _shape(value, arg_name, owner):
    shape = check.ints(concrete(value), arg_name, owner)
    if any(length < 0 for length in shape):
        check.refuse(ValueError, owner, arg_name, "without negative lengths", shape)
    return shape


def _pairs(value, arg_name, owner):
    if not isinstance(value, (tuple, list)):
        check.refuse(TypeError, owner, arg_name, "a tuple or list of pairs of ints", value)
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in value):
        check.refuse(ValueError, owner, arg_name, "made of pairs of ints", value)
    return tuple([check.ints(pair, arg_name, owner) for pair in value])


def _as_tuple(value, arg_name, owner):
    return tuple(value) if isinstance(value, list) else value


def _as_floats(value, arg_name, owner):
    if isinstance(value, (tuple, list)):
        return tuple([_as_floats(each, arg_name, owner) for each in value])
    return float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else value


def _pad_mode(value, arg_name, owner):
    return check.one_of(check.text(value, arg_name, owner).lower(), ("valid", "same", "pad"), arg_name, owner)


Array = ArrayKind()
Arrays = _Arrays()
Operand = _Operand()
Index = TensorOf("int32", "int64")
Mask = TensorOf("bool")
_INTS = (int, np.integer, Handle)
Int = Static(check.integer, *_INTS, test="_type({0}) is int")
PositiveInt = Static(check.positive_int, *_INTS)
NonNegativeInt = Static(check.non_negative_int, *_INTS)
Bool = Static(check.boolean, bool, np.bool_, test="{0} is True or {0} is False")
Real = Static(check.number, numbers.Real, Handle)
PositiveReal = Static(check.positive_number, numbers.Real, Handle)
NonNegativeReal = Static(check.non_negative_number, numbers.Real, Handle)
Number = Static(check.python_number, bool, int, float)
PositiveFloat = Static(check.positive_float, float)
NonNegativeFloat = Static(check.non_negative_float, float)
Float = FloatWithin("(-inf, inf)")
Fraction = FloatWithin("[0, 1]")
NonPositiveFloat = FloatWithin("(-inf, 0]")
Text = Static(check.text, str, test="_type({0}) is str")
PadMode = Static(_pad_mode, str)
Callable = Static(check.function, object)
Dtype = Static(check.mindspore_dtype, DType)
# The body checks whether the axes exist, since it knows the operand.
Axis = Int
Axes = Static(check.axes_given, *_INTS, tuple, list) | None
Ints = Static(check.ints, *_INTS, tuple, list)
PositiveInts = Static(check.positive_ints, *_INTS, tuple, list)
IntOrInts = Static(check.axes_given, *_INTS, tuple, list)  # an int stays an int
Sizes = _Sizes()
Pairs = Static(_pairs, tuple, list)
AsTuple = Static(_as_tuple, object)  # the target checks the items, as of the next one
AsFloats = Static(_as_floats, object)
Shape = Static(_shape, int, tuple, list, Handle)
Sequence = Static(check.sequence, tuple, list, Handle)  # of ints; a single int is not accepted


Coo, Csr, Row = Instance(COOTensor), Instance(CSRTensor), Instance(RowTensor)
NAMES = {**vars(kinds), **vars(choices), **globals()}
