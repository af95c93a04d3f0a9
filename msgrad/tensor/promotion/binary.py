"""Dtype promotion of operations with two operands.

Almost every rule is `promote`, MindSpore's promotion lattice; a `Family` defines how operations deviate from it. Python
numbers are weak: they take the dtype of the other operand, unless it cannot represent them.

Where MindSpore accepts a pair of dtypes and only its CPU kernel is missing, msgrad uses the dtype implied by the rest
of the table: the lattice's, and float32 for ints in float functions. Pairs that MindSpore's rules refuse raise
MindSpore's exception. Differing tables of ``mindspore.numpy`` and ``mint`` are in these modules.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from ...engine import dtypes
from ...engine.refusal import any_of, refuse

_BOOL = frozenset([np.dtype(bool)])
_INT = frozenset(np.dtype(f"i{n}") for n in (1, 2, 4, 8))
_BYTE = frozenset([np.dtype("u1")])
WIDE = frozenset(np.dtype(f"u{n}") for n in (2, 4, 8))  # the unsigned ints that combine with nothing but bool
_BFLOAT16: Any = dtypes.bfloat16.numpy
_FLOAT = frozenset([np.dtype("f2"), _BFLOAT16, np.dtype("f4"), np.dtype("f8")])
_COMPLEX = frozenset([np.dtype("c8"), np.dtype("c16")])
ALL = _BOOL | _INT | _BYTE | WIDE | _FLOAT | _COMPLEX
INTEGERS = _INT | _BYTE | WIDE
INEXACT = _FLOAT | _COMPLEX

_INT8, _INT16, _INT64, _FLOAT32, _FLOAT64 = map(np.dtype, ("i1", "i2", "i8", "f4", "f8"))

_MSG_NO_COMMON = "For '{}', no dtype holds both {} and {}. Cast one of them to the dtype of the other first."
_MSG_LARGE = "An int combined with a Tensor must fit in int64. Write it as a float, or as a Tensor of dtype uint64."
_MSG_NARROW = "For '{}', a value of {} is not implicitly cast to {}, the dtype of the target. Cast it first."


def promote(left, right):
    """The common dtype of Tensors of two dtypes, or None if MindSpore has none."""
    if left == right or right in _BOOL:
        return left
    if left in _BOOL:
        return right
    if left in WIDE or right in WIDE:
        return None
    if left in INEXACT and right in INEXACT:
        if {left, right} == {np.dtype("f2"), _BFLOAT16}:
            return _FLOAT32
        if left in _COMPLEX or right in _COMPLEX:
            return np.dtype("c16") if {left, right} & {_FLOAT64, np.dtype("c16")} else np.dtype("c8")
    elif left in INEXACT or right in INEXACT:
        return left if left in INEXACT else right
    elif {left, right} == {_INT8, np.dtype("u1")}:
        return _INT16
    return max(left, right, key=lambda dtype: dtype.itemsize)


def beside_number(number, dtype):
    """The common dtype of a Tensor of ``dtype`` and a Python number of type ``number``."""
    if number is bool or dtype in INEXACT:
        return dtype
    if number is float:
        return _FLOAT32
    return _INT64 if dtype in _BOOL else dtype


def as_float(dtype):
    """The dtype in which float functions compute: float32 for ints and bools."""
    return dtype if dtype in INEXACT else _FLOAT32


def listed(names):
    """Dtypes as messages list them."""
    return ", ".join(sorted(dtype.name for dtype in names))


class Family(NamedTuple):
    """The dtype rule shared by a family of operations with two operands."""

    name: str  # of MindSpore's Primitive, for messages
    common: str = "implicit"  # the promotion rule of operands: a key of _COMMON
    takes: frozenset = ALL  # the dtypes that the operation computes in
    computes: str = "same"  # the dtype of the computation, from the operands' common dtype: a key of _COMPUTES
    takes_each: bool = False  # whether ``takes`` is checked for each operand, before promotion
    refusal_type: type = TypeError
    arguments: tuple = ("input", "other")
    numbers: tuple = (bool, int, float)  # the accepted Python number types
    zero_d_yields: tuple = ()  # the sides on which a 0-d Tensor is weak against a higher-rank one of the same kind


def _implicit(family, left, right, number):
    if number is not None:
        dtype = right if isinstance(left, type) else left
        if dtype in WIDE and number is not bool:
            raise TypeError(_MSG_NO_COMMON.format(family.name, dtypes.of(dtype), f"the {number.__name__}"))
        return beside_number(number, dtype)
    common = promote(left, right)
    if common is None:
        raise TypeError(_MSG_NO_COMMON.format(family.name, dtypes.of(left), dtypes.of(right)))
    return common


def _by_op(family, left, right, number):
    """The rule of newer operations: any number is accepted, but not bool and wide unsigned ints."""
    if number is not None:
        return beside_number(number, right if isinstance(left, type) else left)
    common = promote(left, right)
    if common is None or (common in WIDE and left != right):
        raise TypeError(_MSG_NO_COMMON.format(family.name, dtypes.of(left), dtypes.of(right)))
    return common


def _remainder(family, left, right, number):
    if number is None and left in WIDE and right in _BOOL:
        raise TypeError(_MSG_NO_COMMON.format(family.name, dtypes.of(left), dtypes.of(right)))
    return _implicit(family, left, right, number)


def _any_pair(family, left, right, number):
    if number is not None:
        return beside_number(number, right if isinstance(left, type) else left)
    # In MindSpore only wide unsigned ints have no common dtype with others; numpy has one, but lacks bfloat16.
    return promote(left, right) or np.promote_types(*[_FLOAT32 if d == _BFLOAT16 else d for d in (left, right)])


def _any_pair_exactly(family, left, right, number):
    if number is None or number is bool:
        return _any_pair(family, left, right, number)
    # The number counts as a Tensor of its own: ``x < 300`` of uint8 is True, and of float16 it is told in float32.
    return _any_pair(family, right if isinstance(left, type) else left, _FLOAT32 if number is float else _INT64, None)


def _same(family, left, right, number):
    if number is not None:
        return right if isinstance(left, type) else left
    if left != right:
        first, second = family.arguments
        expected = f"of the dtype of '{first}', {dtypes.of(left)}"
        refuse(TypeError, family.name, second, expected, dtypes.of(right), f"Cast one: {second}.astype({first}.dtype).")
    return left


def _left(family, left, right, number):
    return left


def _into_left(family, left, right, number):
    if _implicit(family, left, right, number) != left:
        raise TypeError(_MSG_NARROW.format(family.name, dtypes.of(right), dtypes.of(left)))
    return left


_COMMON = {
    "implicit": _implicit,
    "by op": _by_op,
    "remainder": _remainder,
    "any": _any_pair,
    "any exactly": _any_pair_exactly,
    "same": _same,
    "left": _left,
    "into left": _into_left,
}

_COMPUTES = {
    "same": lambda dtype: dtype,
    "float": as_float,
    "double": lambda dtype: np.dtype("c16") if dtype in _COMPLEX else _FLOAT64,
}

_NOT_BOOL = ALL - _BOOL
_BITS = _BOOL | INTEGERS


def _dtypes(*names):
    return frozenset(getattr(dtypes, name).numpy for name in names)


# By the name of the function. A Primitive is listed when it is stricter than the function or operator of its name.
FAMILIES = {
    "add": Family("Add"),
    "Add": Family("Add", takes=_NOT_BOOL, arguments=("x", "y")),
    "sub": Family("Sub"),
    "Sub": Family("Sub", takes=_NOT_BOOL, arguments=("x", "y")),
    "mul": Family("Mul", "by op", zero_d_yields=("left", "right")),
    "div": Family("Div", "by op", computes="float", zero_d_yields=("left", "right")),
    "RealDiv": Family("RealDiv", takes=_NOT_BOOL, arguments=("x", "y")),
    "DivNoNan": Family("DivNoNan", computes="float", arguments=("x", "y")),
    "Xdivy": Family("Xdivy", computes="float", arguments=("x", "y")),
    "MulNoNan": Family("MulNoNan", arguments=("x", "y")),
    "floor_divide": Family("FloorDiv"),
    "floor_mod": Family("FloorMod", takes=ALL - WIDE - _COMPLEX),
    "fmod": Family("DivMod", "by op", takes=ALL - _COMPLEX, zero_d_yields=("right",)),
    "remainder": Family("FloorDiv", "remainder"),
    "Mod": Family("Mod", takes=_NOT_BOOL, arguments=("x", "y")),
    "pow": Family("Pow"),
    "float_power": Family("Pow", "any", computes="double", numbers=(bool, int, float, complex)),
    "maximum": Family("Maximum"),
    "minimum": Family("Minimum", takes=ALL - _COMPLEX, arguments=("x", "y")),
    "equal": Family("Equal", "any"),
    "less": Family("Less", "any exactly"),
    "not_equal": Family("NotEqual"),
    "less_equal": Family("LessEqual"),
    "greater": Family("Greater"),
    "greater_equal": Family("GreaterEqual"),
    "logical_and": Family("LogicalAnd", numbers=(bool,), arguments=("x", "y")),
    "logical_or": Family("LogicalOr", numbers=(bool,), arguments=("x", "y")),
    "logical_xor": Family("LogicalXor", numbers=(bool,), arguments=("x", "y")),
    "bitwise_and": Family("BitwiseAnd", takes=_BITS, arguments=("x", "y")),
    "bitwise_or": Family("BitwiseOr", takes=_BITS, arguments=("x", "y")),
    "bitwise_xor": Family("BitwiseXor", takes=_BITS, arguments=("x", "y")),
    "bitwise_left_shift": Family("LeftShift", "same", takes=INTEGERS, numbers=(bool, int)),
    "bitwise_right_shift": Family(
        "RightShift", "same", takes=INTEGERS, arguments=("x", "y"), numbers=(bool, int),
    ),
    "atan2": Family("Atan2", computes="float"),
    "xlogy": Family("Xlogy", computes="float"),
    "hypot": Family("Hypot", takes=_dtypes("float32", "float64"), arguments=("x1", "x2")),
    "squared_difference": Family(
        "SquaredDifference", arguments=("x", "y"),
        takes=_dtypes("int32", "int64", "float16", "float32", "float64", "complex64", "complex128"),
    ),
    "logaddexp": Family("LogAddExp", takes=_FLOAT, takes_each=True),
    "gcd": Family("Gcd", takes=_dtypes("int16", "int32", "int64")),
    "matmul": Family("MatMulExt", "same", arguments=("input", "mat2")),
    "MatMul": Family("MatMul", "same", arguments=("a", "b")),
    "BatchMatMul": Family("BatchMatMul", "same", arguments=("x", "y")),
    "dot": Family(
        "Dot", "same", takes=_dtypes("float16", "float32"), takes_each=True, arguments=("x1", "x2"),
    ),
    "outer": Family("Mul", "by op", zero_d_yields=("left", "right")),
    "where": Family("Select"),
    "masked_fill": Family("MaskedFill", "left"),
    "concat": Family("Concat", "by op"),
    "stack": Family("Stack", "same", arguments=("tensors[0]", "tensors[1]")),
    "lerp": Family(
        "Lerp", "same", takes=_dtypes("float16", "float32", "bfloat16"), arguments=("input", "end"), numbers=(),
    ),
    "addcmul": Family(
        "Addcmul", "same", takes_each=True, arguments=("input", "tensor1"),
        takes=_dtypes("int8", "int32", "int64", "uint8", "float16", "float32", "float64", "bfloat16"),
    ),
    "clamp": Family("ClampTensor", "by op", takes=_NOT_BOOL, takes_each=True, refusal_type=ValueError),
    "assign": Family("Assign", "into left"),
}  # fmt: skip


def result_dtype(kind, left, right, zero_d=None):
    """The dtype in which an operation with two operands computes, which is the result's except for bool results.

    Args:
        kind (str): the family of the operation, a key of ``FAMILIES``.
        left, right (numpy.dtype | type | Number): the dtype of a Tensor, or a Python number or its type.
        zero_d (str | None): the only 0-d operand, ``"left"`` or ``"right"``. Default: ``None``.
    Returns:
        numpy.dtype.
    Raises:
        TypeError: if the operation refuses the dtypes.  ValueError: the same, of ``clamp``.
        RuntimeError: if an int does not fit int64.
    Example:
        >>> result_dtype("add", np.dtype("int8"), 2.5)
        dtype('float32')
    """
    if not isinstance(left, np.dtype):
        left = _type_of_number(kind, left)
    if not isinstance(right, np.dtype):
        right = _type_of_number(kind, right)
    return _computed_in(kind, left, right, zero_d)


def _type_of_number(kind, value):
    number_type = type(value)
    if number_type is float or number_type is bool:
        return number_type
    if number_type is type:
        return value
    if isinstance(value, np.generic):
        return type(value.item())
    if number_type is int and not -(2**63) <= value < 2**63:
        family = FAMILIES[kind]
        if int in family.numbers and family.computes != "double":
            raise RuntimeError(_MSG_LARGE)
    return number_type


# Called for every operation. There are at most as many keys as dtype pairs in each family.
@functools.lru_cache(None)
def _computed_in(kind, left, right, zero_d):
    family = FAMILIES[kind]
    number = next((side for side in (left, right) if isinstance(side, type)), None)
    if number is not None and number not in family.numbers:
        argument = family.arguments[0 if number is left else 1]
        expected = " or ".join(["a Tensor", *[any_of([each]) for each in family.numbers]])
        refuse(TypeError, family.name, argument, expected, number)
    if number is complex:
        return np.dtype("c16")
    if zero_d in family.zero_d_yields and _kind(left) == _kind(right):
        left = right = right if zero_d == "left" else left
    if family.takes_each:
        for side in (left, right):
            _check_takes(family, np.dtype(side))
    common = _COMMON[family.common](family, left, right, number)
    _check_takes(family, common)
    return _COMPUTES[family.computes](common)


def _kind(dtype):
    return next(kind for kind in (_BOOL, INTEGERS, _FLOAT, _COMPLEX) if dtype in kind)


def _check_takes(family, dtype):
    if dtype in family.takes:
        return
    expected = f"a Tensor of {listed(family.takes)}"
    refuse(family.refusal_type, family.name, family.arguments[0], expected, dtypes.of(dtype))
