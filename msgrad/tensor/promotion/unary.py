"""Which dtype an operation of one Tensor computes in, and which a reduction gives.

Where MindSpore accepts a dtype and only its CPU kernel is missing, msgrad computes all the same: functions of floats
take ints and bools as float32, the others keep the dtype.
"""

import functools
from typing import NamedTuple

import numpy as np

from ...engine import dtypes
from .binary import ALL, INTEGERS, as_float

_BOOL, _INT32, _INT64 = np.dtype(bool), np.dtype("i4"), np.dtype("i8")
_BFLOAT16 = dtypes.bfloat16.numpy
_WIDE = frozenset(map(np.dtype, ("u2", "u4", "u8")))
_COMPLEX = frozenset(map(np.dtype, ("c8", "c16")))
_REAL_OF = {np.dtype("c8"): np.dtype("f4"), np.dtype("c16"): np.dtype("f8")}
_FLOATS = frozenset(map(np.dtype, ("f2", "f4", "f8")))

_MSG_TAKES = "For primitive[{name}], the input argument[{argument}] must be a type of {{{takes}}}, but got {got}."
_MSG_GELU = "For gelu, the input dtype must be bfloat16, float16, float32 or float64, but got {got}."
_MSG_SIGN = (
    "For Primitive Sign, the type of input must be in {{Bool, Int32, Int64, Float16, Float32, Float64, BFloat16, "
    "Complex64, Complex128}}, but got {got}."
)
_MSG_EXP2 = "Type implicit conversion between {got} and Float32 is not supported."
_MSG_FRAC = "Type implicit conversion between Tensor[Int64] and {got} is not supported."
_MSG_DIFF = "For 'diff', the data type of the elements in 'x' cannot be uint16, uint32, uint64, but got {got}"
_MSG_DEGREES = "The 'x' should be one of [mindspore.float16, mindspore.float32, mindspore.float64], but got '{got}'."
_MSG_NANMEAN = "For 'nanmean', input should be floating point dtype, but got {got}."
_MSG_NANSUM = "For nansum, input are not supported complex type, but got {got}."
_MSG_MEAN = "For 'ReduceMean', unsupported reduce operation for bool. Cast it first: x.astype(mindspore.float32)."
_MSG_COUNT = f"The 'input x' doesn't support '{{got}}' and expect to receive {dtypes.number_type}."


def _same(dtype):
    return dtype


def _real(dtype):
    return _REAL_OF.get(dtype, dtype)


def _angle(dtype):
    return _REAL_OF.get(dtype) or as_float(dtype)


def _float_but_bfloat16(dtype):
    return np.dtype("f4") if dtype == _BFLOAT16 else as_float(dtype)


def _int64_of_bool(dtype):
    return _INT64 if dtype == _BOOL else dtype


def _int32_of_small(dtype):
    return _INT32 if dtype == _BOOL or (dtype in INTEGERS and dtype.itemsize < 4 and dtype not in _WIDE) else dtype


def _int64(dtype):
    return _INT64 if dtype == _BOOL or (dtype in INTEGERS and dtype not in _WIDE) else dtype


def _int64_of_any_int(dtype):
    return _INT64 if dtype == _BOOL or dtype in INTEGERS else dtype


class Rule(NamedTuple):
    """How an operation treats the dtype of its operand."""

    computes: callable = _same
    takes: frozenset = ALL
    name: str = ""  # of MindSpore's Primitive and its parameter, for messages
    argument: str = "input"
    refusal: str = _MSG_TAKES
    refusal_type: type = TypeError
    shows: str = "{}"  # how the message writes a dtype


def _rules(rule, names):
    return dict.fromkeys(names.split(), rule)


_FLOAT = Rule(as_float)
_TENSOR = "Tensor[{}]"

# By the name of the function.
UNARY = {
    **_rules(
        Rule(),
        "abs neg negative positive square floor round rint trunc fix triu flip roll isnan isinf isneginf "
        "isposinf isreal signbit logical_not leaky_relu hardswish zeros_like ones_like",
    ),
    **_rules(
        _FLOAT,
        "expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh "
        "sinc erf erfc erfinv sigmoid silu logsigmoid tanhshrink elu log_softmax norm det std_mean var_mean",
    ),
    "real": Rule(_real),
    "imag": Rule(_real, ALL - {_BFLOAT16}, "Imag", shows=_TENSOR),
    "conj": Rule(_same, ALL - {_BOOL}, "Conj", shows=_TENSOR),
    "tril": Rule(_same, ALL - _COMPLEX, "Tril", "x", shows=_TENSOR),
    "diff": Rule(_same, ALL - _WIDE, refusal=_MSG_DIFF),
    "angle": Rule(_angle),
    "exp": Rule(as_float, ALL - INTEGERS | {_INT64}, "Exp"),
    "exp2": Rule(_float_but_bfloat16, ALL - _WIDE, refusal=_MSG_EXP2),
    "frac": Rule(_int64_of_bool, ALL - _WIDE, refusal=_MSG_FRAC),
    "ceil": Rule(_same, _FLOATS | {_BFLOAT16}, "Ceil", "input_x"),
    "sign": Rule(_same, ALL - INTEGERS | {_INT32, _INT64}, refusal=_MSG_SIGN),
    "sgn": Rule(_same, ALL - INTEGERS | {_INT32, _INT64}, refusal=_MSG_SIGN),
    "invert": Rule(_same, INTEGERS, "Invert", "x", shows=_TENSOR),
    "isfinite": Rule(_same, ALL - _COMPLEX, "IsFinite", "x"),
    "relu": Rule(_same, ALL - _COMPLEX, "ReLU", "input_x"),
    "relu6": Rule(_same, _FLOATS - {np.dtype("f8")}, "ReLU6", "input_x", shows=_TENSOR),
    "gelu": Rule(_same, _FLOATS | {_BFLOAT16}, refusal=_MSG_GELU),
    "mish": Rule(_same, _FLOATS, "Mish", "input_x", shows=_TENSOR),
    "softplus": Rule(_same, _FLOATS, "Softplus", "x", shows=_TENSOR),
    "softsign": Rule(_same, _FLOATS, "Softsign", "input_x", shows=_TENSOR),
    "celu": Rule(_same, _FLOATS, "CeLU", "input_x", shows=_TENSOR),
    "hardsigmoid": Rule(_same, _FLOATS | {_BFLOAT16, *map(np.dtype, ("i1", "i2", "i4", "i8"))}, "HSigmoid", "input_x"),
    "selu": Rule(_same, _FLOATS | {np.dtype("i1"), _INT32}, "SeLU", "input_x", shows=_TENSOR),
    "softshrink": Rule(_same, _FLOATS - {np.dtype("f8")} | {_BFLOAT16}, "SoftShrink", "input_x"),
    "hardshrink": Rule(_same, _FLOATS - {np.dtype("f8")} | {_BFLOAT16}, "HShrink", "input_x"),
    "softmax": Rule(_same, _FLOATS | {_BFLOAT16}, "Softmax", "x"),
    "lgamma": Rule(as_float, _FLOATS | {_INT32}, "Lgamma", "x", shows=_TENSOR),
    "digamma": Rule(_same, _FLOATS, "Digamma", shows=_TENSOR),
    "i0": Rule(_same, _FLOATS, "BesselI0", "x", shows=_TENSOR),
    **_rules(Rule(_same, _FLOATS, refusal=_MSG_DEGREES, shows="{!r}"), "deg2rad rad2deg"),
}
# By the name of the function or, where it differs, of the Primitive. Reductions that give indices or counts compute in
# the dtype of their operand, so their rows say what they give.
REDUCTIONS = {
    "sum": Rule(_int64),
    "prod": Rule(_int64),
    "nansum": Rule(_int64_of_bool, ALL - _COMPLEX, refusal=_MSG_NANSUM),
    "cumprod": Rule(_int64_of_any_int),
    "cumsum": Rule(_same, ALL - {_BOOL}, "CumSum", "x", shows=_TENSOR),
    "Tensor.cumsum": Rule(_int32_of_small),
    **_rules(Rule(), "ReduceSum ReduceProd max min amax amin ReduceMax ReduceMin ptp cummax cummin"),
    **_rules(Rule(_same, ALL - {_BOOL}, refusal=_MSG_MEAN, refusal_type=RuntimeError), "mean ReduceMean"),
    **_rules(Rule(as_float, ALL - {_BOOL}, refusal=_MSG_MEAN, refusal_type=RuntimeError), "Tensor.var Tensor.std"),
    **_rules(_FLOAT, "var std norm logsumexp"),
    "nanmean": Rule(_same, _FLOATS | {_BFLOAT16}, refusal=_MSG_NANMEAN),
    "all": Rule(lambda dtype: _BOOL),
    # A uint8 Tensor stays one, as in PyTorch.
    "any": Rule(lambda dtype: dtype if dtype == np.dtype("u1") else _BOOL),
    "argmax": Rule(lambda dtype: _INT64),
    "argmin": Rule(lambda dtype: _INT32),
    "Argmax": Rule(lambda dtype: _INT32),
    "count_nonzero": Rule(lambda dtype: _INT32, ALL - {_BOOL}, refusal=_MSG_COUNT),
    "trace": Rule(_same, ALL - {_BOOL, _BFLOAT16}, "Trace", "x", shows=_TENSOR),
    "Tensor.trace": Rule(lambda dtype: _INT64 if dtype in INTEGERS and dtype != np.dtype("u8") else dtype),
    "median": Rule(_same, frozenset(map(np.dtype, ("i2", "i4", "i8", "f4", "f8"))), "Median", "x", shows=_TENSOR),
    "sort": Rule(_same, ALL - _COMPLEX - _WIDE - {_BFLOAT16}, "Sort", "inputx", shows=_TENSOR),
    "topk": Rule(_same, ALL - _COMPLEX - {_BOOL}, "TopK", "input_x", shows=_TENSOR),
}


@functools.lru_cache(None)
def unary_dtype(name, dtype):
    """The dtype that an operation of one Tensor computes in: that of its result, but predicates give bool.

    Args:
        name (str): of the function, a key of ``UNARY``.
        dtype (numpy.dtype): of the operand.
    Returns:
        numpy.dtype.
    Raises:
        TypeError: if the operation refuses the dtype.
    Example:
        >>> unary_dtype("sqrt", np.dtype("int64"))
        dtype('float32')
    """
    return _applied(UNARY[name], dtype)


@functools.lru_cache(None)
def reduction_dtype(name, dtype, result=None):
    """The dtype that a reduction gives.

    Args:
        name (str): of the function or Primitive, a key of ``REDUCTIONS``.
        dtype (numpy.dtype): of the operand.
        result (numpy.dtype | None): the dtype asked for by the argument ``dtype``. Default: ``None``.
    Returns:
        numpy.dtype.
    Raises:
        TypeError: if the reduction refuses the dtype.  RuntimeError: the same, of the mean of bools.
    Example:
        >>> reduction_dtype("sum", np.dtype("bool"))
        dtype('int64')
    """
    return _applied(REDUCTIONS[name], dtype) if result is None else result


def _applied(rule, dtype):
    if dtype not in rule.takes:
        takes = ", ".join(sorted(rule.shows.format(dtypes.of(each)) for each in rule.takes))
        got = rule.shows.format(dtypes.of(dtype))
        raise rule.refusal_type(rule.refusal.format(name=rule.name, argument=rule.argument, takes=takes, got=got))
    return rule.computes(dtype)
