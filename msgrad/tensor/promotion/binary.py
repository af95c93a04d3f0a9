"""Which dtype an operation of two operands computes in.

Almost every rule is `promote`, MindSpore's one lattice; a `Family` says how an operation departs from it. Python
numbers are weak: they take the dtype of the Tensor beside them, unless that has no place for them.

Where MindSpore accepts a pair of dtypes and only its CPU kernel is missing, msgrad gives the dtype that the rest of
the table implies: that of the lattice, and float32 for ints under functions of floats. What MindSpore's rules refuse,
msgrad refuses, with MindSpore's words. The tables of ``mindspore.numpy`` and ``mint`` that differ belong to them.
"""

import functools
from typing import NamedTuple

import numpy as np

from ...engine import dtypes

_BOOL = frozenset([np.dtype(bool)])
_INT = frozenset(np.dtype(f"i{n}") for n in (1, 2, 4, 8))
_BYTE = frozenset([np.dtype("u1")])
_WIDE = frozenset(np.dtype(f"u{n}") for n in (2, 4, 8))  # the unsigned ints that combine with nothing but bool
_BFLOAT16 = dtypes.bfloat16.numpy
_FLOAT = frozenset([np.dtype("f2"), _BFLOAT16, np.dtype("f4"), np.dtype("f8")])
_COMPLEX = frozenset([np.dtype("c8"), np.dtype("c16")])
ALL = _BOOL | _INT | _BYTE | _WIDE | _FLOAT | _COMPLEX
INTEGERS = _INT | _BYTE | _WIDE
INEXACT = _FLOAT | _COMPLEX

_INT8, _INT16, _INT64, _FLOAT32, _FLOAT64 = map(np.dtype, ("i1", "i2", "i8", "f4", "f8"))

_MSG_IMPLICIT = "Type implicit conversion between {} and {} is not supported."
_MSG_OP = "For Op[{}], the promote output type is invalid: no dtype holds {} and {}. Cast one to the other's first."
_MSG_TAKES = (
    "For primitive[{name}], the input argument[{argument}] must be a type of {{{takes}}}, but got Tensor[{got}]."
)
_MSG_NUMBER = 'Failed calling {0} with "{0}()({1}=Tensor, {2}={3})".'
_MSG_LARGE = (
    "Unable to cast Python instance of type <class 'int'> to C++ type 'long': a number beside a Tensor must fit int64. "
    "Write it as a float, or make a Tensor of dtype uint64."
)
_MSG_NARROW = (
    "Data type conversion is not supported for a 'Parameter', nor for the input tensor of an in-place operator, so "
    "data type {}, which cannot be converted to data type {} automatically. Cast the value first."
)
_MSG_SHIFT_PAIR = (
    "For '{name}', the dtype of two args should be same, but the first arg dtype {left} are not consistent with "
    "second arg dtype {right}"
)
_MSG_RIGHT_SHIFT_PAIR = _MSG_SHIFT_PAIR.replace("{left}", "Tensor[{left}]").replace("{right}", "Tensor[{right}]")
_MSG_MATMUL_PAIR = (
    "For '{name}', the type of 'x2' should be same as 'x1', but got 'x1' with type Tensor[{left}] and 'x2' with type "
    "Tensor[{right}]. Cast one of them: x2.astype(x1.dtype)."
)
_MSG_STACK_PAIR = (
    "All input must have the same data type!input[1] data type = Tensor[{right}]infer_type0= Tensor[{left}]"
)
_MSG_LERP_PAIR = "For primitive[Lerp], the input[tensors] elements should have same type, but got: {left}, {right}."
_MSG_ADDCMUL_PAIR = "For primitive[Addcmul], the input type must be same."
_MSG_DOT_PAIR = "For 'dot', the inputs must be the same type, but got x1_type: {left} and x2_type: {right}."


def promote(left, right):
    """The dtype that Tensors of two dtypes come to, or None where MindSpore has none."""
    if left == right or right in _BOOL:
        return left
    if left in _BOOL:
        return right
    if left in _WIDE or right in _WIDE:
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
    """The dtype that a Tensor of ``dtype`` and a Python number of type ``number`` come to."""
    if number is bool or dtype in INEXACT:
        return dtype
    if number is float:
        return _FLOAT32
    return _INT64 if dtype in _BOOL else dtype


def as_float(dtype):
    """What functions of floats compute in: ints and bools count as float32."""
    return dtype if dtype in INEXACT else _FLOAT32


def show(names):
    """Dtypes as MindSpore lists them in messages."""
    return ", ".join(sorted(f"Tensor[{dtypes.of(dtype)}]" for dtype in names))


class Family(NamedTuple):
    """How operations that share a rule treat the dtypes of their two operands."""

    name: str  # of MindSpore's Primitive, for messages
    common: str = "implicit"  # how operands come to one dtype: a key of _COMMON
    takes: frozenset = ALL  # the dtypes that the operation computes in
    computes: str = "same"  # what it computes in, given the operands' common dtype: a key of _COMPUTES
    takes_each: bool = False  # whether ``takes`` is asked of each operand, before they come to one dtype
    refusal: str = _MSG_TAKES
    refusal_type: type = TypeError
    same: str = ""  # the message of common="same"
    arguments: tuple = ("input", "other")
    numbers: tuple = (bool, int, float)  # the Python numbers that may stand for an operand
    zero_d_yields: tuple = ()  # the sides on which a 0-d Tensor is weak beside one of the same kind with dimensions


def _implicit(family, left, right, number):
    if number is not None:
        dtype = right if isinstance(left, type) else left
        if dtype in _WIDE and number is not bool:
            weak = _INT64 if number is int else _FLOAT32
            left, right = (weak, right) if isinstance(left, type) else (left, weak)
            raise TypeError(_MSG_IMPLICIT.format(f"Tensor[{dtypes.of(right)}]", dtypes.of(left)))
        return beside_number(number, dtype)
    common = promote(left, right)
    if common is None:
        raise TypeError(_MSG_IMPLICIT.format(dtypes.of(right), dtypes.of(left)))
    return common


def _by_op(family, left, right, number):
    """As the newer operations do: any number is welcome, but bool and a wide unsigned int are not."""
    if number is not None:
        return beside_number(number, right if isinstance(left, type) else left)
    common = promote(left, right)
    if common is None or (common in _WIDE and left != right):
        raise TypeError(_MSG_OP.format(family.name, dtypes.of(left), dtypes.of(right)))
    return common


def _remainder(family, left, right, number):
    if number is None and left in _WIDE and right in _BOOL:
        raise TypeError(_MSG_IMPLICIT.format(dtypes.of(right), dtypes.of(left)))
    return _implicit(family, left, right, number)


def _any_pair(family, left, right, number):
    if number is not None:
        return beside_number(number, right if isinstance(left, type) else left)
    # Only a wide unsigned int has no dtype with the others in MindSpore; numpy has, but knows no bfloat16.
    return promote(left, right) or np.promote_types(*[_FLOAT32 if d == _BFLOAT16 else d for d in (left, right)])


def _same(family, left, right, number):
    if number is not None:
        return right if isinstance(left, type) else left
    if left != right:
        raise TypeError(family.same.format(name=family.name, left=dtypes.of(left), right=dtypes.of(right)))
    return left


def _left(family, left, right, number):
    return left


def _into_left(family, left, right, number):
    if _implicit(family, left, right, number) != left:
        raise TypeError(_MSG_NARROW.format(dtypes.of(left), dtypes.of(right)))
    return left


_COMMON = {
    "implicit": _implicit,
    "by op": _by_op,
    "remainder": _remainder,
    "any": _any_pair,
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
_MSG_CLAMP = "For Clamp, the dtype of 'input', 'min' and 'max' must not be bool."
_MSG_DOT = "The 'x1' doesn't support '{got}' and expect to receive [mindspore.float16, mindspore.float32]."
_MSG_FLOOR_MOD = "For 'FloorMod', the input type Tensor[{got}] is invalid."
_MSG_GCD = "For Primitive[Gcd], the type of the input tensor must be [Int16, Int32, Int64], but got {got}!"
_MSG_LERP = "For primitive[Lerp], the input[start] supports types: Float16, Float32, BFloat16. But got {got}."
_MSG_LOGADDEXP = "For logaddexp, the dtype of 'input' and 'other' must be float,but got {left} and {right}."
_MSG_TRUNC = "Unsupported input data type for operator [Trunc]: {got}"
_MSG_SHIFT = (
    "For '{name}', the dtype of input should be one of [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64], "
    "but got {got}."
)


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
    "floor_divide": Family("FloorDiv"),
    "floor_mod": Family("FloorMod", takes=ALL - _WIDE, refusal=_MSG_FLOOR_MOD),
    "fmod": Family(
        "DivMod", "by op", takes=ALL - _COMPLEX, zero_d_yields=("right",), refusal=_MSG_TRUNC,
    ),
    "remainder": Family("FloorDiv", "remainder"),
    "Mod": Family("Mod", takes=_NOT_BOOL, arguments=("x", "y")),
    "pow": Family("Pow"),
    "float_power": Family("Pow", "any", computes="double", numbers=(bool, int, float, complex)),
    "maximum": Family("Maximum"),
    "minimum": Family("Minimum", takes=ALL - _COMPLEX, arguments=("x", "y")),
    "equal": Family("Equal", "any"),
    "less": Family("Less", "any"),
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
    "bitwise_left_shift": Family(
        "LeftShift", "same", takes=INTEGERS, same=_MSG_SHIFT_PAIR, refusal=_MSG_SHIFT, numbers=(bool, int),
    ),
    "bitwise_right_shift": Family(
        "RightShift", "same", takes=INTEGERS, same=_MSG_RIGHT_SHIFT_PAIR, arguments=("x", "y"),
        numbers=(bool, int),
    ),
    "atan2": Family("Atan2", computes="float"),
    "xlogy": Family("Xlogy", computes="float"),
    "hypot": Family("Hypot", takes=_dtypes("float32", "float64"), arguments=("x1", "x2")),
    "squared_difference": Family(
        "SquaredDifference", arguments=("x", "y"),
        takes=_dtypes("int32", "int64", "float16", "float32", "float64", "complex64", "complex128"),
    ),
    "logaddexp": Family("LogAddExp", takes=_FLOAT, takes_each=True, refusal=_MSG_LOGADDEXP),
    "gcd": Family("Gcd", takes=_dtypes("int16", "int32", "int64"), refusal=_MSG_GCD),
    "matmul": Family("MatMulExt", "same", same=_MSG_MATMUL_PAIR),
    "MatMul": Family("MatMul", "same", same=_MSG_MATMUL_PAIR),
    "BatchMatMul": Family("BatchMatMul", "same", same=_MSG_MATMUL_PAIR),
    "dot": Family(
        "Dot", "same", takes=_dtypes("float16", "float32"), takes_each=True, same=_MSG_DOT_PAIR, refusal=_MSG_DOT,
    ),
    "outer": Family("Mul", "by op", zero_d_yields=("left", "right")),
    "where": Family("Select"),
    "masked_fill": Family("MaskedFill", "left"),
    "concat": Family("Concat", "by op"),
    "stack": Family("Stack", "same", same=_MSG_STACK_PAIR),
    "lerp": Family(
        "Lerp", "same", takes=_dtypes("float16", "float32", "bfloat16"), same=_MSG_LERP_PAIR, refusal=_MSG_LERP,
        numbers=(),
    ),
    "addcmul": Family(
        "Addcmul", "same", takes_each=True, same=_MSG_ADDCMUL_PAIR,
        takes=_dtypes("int8", "int32", "int64", "uint8", "float16", "float32", "float64", "bfloat16"),
    ),
    "clamp": Family(
        "ClampTensor", "by op", takes=_NOT_BOOL, takes_each=True, refusal=_MSG_CLAMP, refusal_type=ValueError,
    ),
    "assign": Family("Assign", "into left"),
}  # fmt: skip


def result_dtype(kind, left, right, zero_d=None):
    """The dtype that an operation of two operands computes in: that of its result, but comparisons and logic give bool.

    Args:
        kind (str): the family of the operation, a key of ``FAMILIES``.
        left, right (numpy.dtype | type | Number): the dtype of a Tensor, or a Python number or its type.
        zero_d (str | None): which operand alone is a 0-d Tensor, ``"left"`` or ``"right"``. Default: ``None``.
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
    found = type(value)
    if found is float or found is bool:
        return found
    if found is type:
        return value
    if isinstance(value, np.generic):
        return type(value.item())
    if found is int and not -(2**63) <= value < 2**63:
        family = FAMILIES[kind]
        if int in family.numbers and family.computes != "double":
            raise RuntimeError(_MSG_LARGE)
    return found


@functools.lru_cache(None)
def _computed_in(kind, left, right, zero_d):
    family = FAMILIES[kind]
    number = next((side for side in (left, right) if isinstance(side, type)), None)
    if number is not None and number not in family.numbers:
        shown = number if number is complex else number.__name__
        raise TypeError(_MSG_NUMBER.format(family.name, *family.arguments, shown))
    if number is complex:
        return np.dtype("c16")
    if zero_d in family.zero_d_yields and _kind(left) == _kind(right):
        left = right = right if zero_d == "left" else left
    if family.takes_each:
        for side in (left, right):
            _check_takes(family, np.dtype(side), left, right)
    common = _COMMON[family.common](family, left, right, number)
    _check_takes(family, common, left, right)
    return _COMPUTES[family.computes](common)


def _kind(dtype):
    return next(kind for kind in (_BOOL, INTEGERS, _FLOAT, _COMPLEX) if dtype in kind)


def _check_takes(family, dtype, left, right):
    if dtype in family.takes:
        return
    left, right = (dtypes.of(np.dtype(side)) for side in (left, right))
    texts = {"name": family.name, "argument": family.arguments[0], "takes": show(family.takes)}
    raise family.refusal_type(family.refusal.format(**texts, got=dtypes.of(dtype), left=left, right=right))
