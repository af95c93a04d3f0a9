"""The dtypes of operations with one operand, and of reductions.

Where MindSpore accepts a dtype and only its CPU kernel is missing, msgrad still computes: float functions convert ints
and bools to float32, other functions keep the dtype.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...engine import dtypes
from ...engine.refusal import refuse
from .binary import ALL, INTEGERS, WIDE, as_float, listed

_BOOL, _INT32, _INT64 = np.dtype(bool), np.dtype("i4"), np.dtype("i8")
_BFLOAT16: Any = dtypes.bfloat16.numpy
_COMPLEX = frozenset(map(np.dtype, ("c8", "c16")))
_REAL_OF = {np.dtype("c8"): np.dtype("f4"), np.dtype("c16"): np.dtype("f8")}
_FLOATS = frozenset(map(np.dtype, ("f2", "f4", "f8")))


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
    return _INT32 if dtype == _BOOL or (dtype in INTEGERS and dtype.itemsize < 4 and dtype not in WIDE) else dtype


def _int64(dtype):
    return _INT64 if dtype == _BOOL or (dtype in INTEGERS and dtype not in WIDE) else dtype


def _int64_of_any_int(dtype):
    return _INT64 if dtype == _BOOL or dtype in INTEGERS else dtype


class Rule(NamedTuple):
    """The dtype rule of an operation with one operand."""

    computes: Callable = _same
    takes: frozenset = ALL
    name: str = ""  # of MindSpore's Primitive, or function, and its parameter, for messages
    argument: str = "input"
    refusal_type: type = TypeError


def _rules(rule, names):
    return dict.fromkeys(names.split(), rule)


_FLOAT = Rule(as_float)

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
    "imag": Rule(_real, ALL - {_BFLOAT16}, "Imag"),
    "conj": Rule(_same, ALL - {_BOOL}, "Conj"),
    "tril": Rule(_same, ALL - _COMPLEX, "Tril", "x"),
    "diff": Rule(_same, ALL - WIDE, "diff", "x"),
    "angle": Rule(_angle),
    "exp": Rule(as_float, ALL - INTEGERS | {_INT64}, "Exp"),
    "exp2": Rule(_float_but_bfloat16, ALL - WIDE, "exp2"),
    "frac": Rule(_int64_of_bool, ALL - WIDE, "frac"),
    "ceil": Rule(_same, _FLOATS | {_BFLOAT16}, "Ceil", "input_x"),
    "sign": Rule(_same, ALL - INTEGERS | {_INT32, _INT64}, "Sign"),
    "sgn": Rule(_same, ALL - INTEGERS | {_INT32, _INT64}, "Sign"),
    "invert": Rule(_same, INTEGERS, "Invert", "x"),
    "isfinite": Rule(_same, ALL - _COMPLEX, "IsFinite", "x"),
    "relu": Rule(_same, ALL - _COMPLEX, "ReLU", "input_x"),
    "relu6": Rule(_same, _FLOATS - {np.dtype("f8")}, "ReLU6", "input_x"),
    "gelu": Rule(_same, _FLOATS | {_BFLOAT16}, "gelu"),
    "mish": Rule(_same, _FLOATS, "Mish", "input_x"),
    "softplus": Rule(_same, _FLOATS, "Softplus", "x"),
    "softsign": Rule(_same, _FLOATS, "Softsign", "input_x"),
    "celu": Rule(_same, _FLOATS, "CeLU", "input_x"),
    "hardsigmoid": Rule(_same, _FLOATS | {_BFLOAT16, *map(np.dtype, ("i1", "i2", "i4", "i8"))}, "HSigmoid", "input_x"),
    "selu": Rule(_same, _FLOATS | {np.dtype("i1"), _INT32}, "SeLU", "input_x"),
    "softshrink": Rule(_same, _FLOATS - {np.dtype("f8")} | {_BFLOAT16}, "SoftShrink", "input_x"),
    "hardshrink": Rule(_same, _FLOATS - {np.dtype("f8")} | {_BFLOAT16}, "HShrink", "input_x"),
    "softmax": Rule(_same, _FLOATS | {_BFLOAT16}, "Softmax", "x"),
    "lgamma": Rule(as_float, _FLOATS | {_INT32}, "Lgamma", "x"),
    "digamma": Rule(_same, _FLOATS, "Digamma"),
    "i0": Rule(_same, _FLOATS, "BesselI0", "x"),
    "deg2rad": Rule(_same, _FLOATS, "deg2rad", "x"),
    "rad2deg": Rule(_same, _FLOATS, "rad2deg", "x"),
}
# By the name of the function or, where it differs, of the Primitive. Reductions that give indices or counts compute in
# the dtype of their operand, so their rows say what they give.
REDUCTIONS = {
    "sum": Rule(_int64),
    "prod": Rule(_int64),
    "nansum": Rule(_int64_of_bool, ALL - _COMPLEX, "nansum"),
    "cumprod": Rule(_int64_of_any_int),
    "cumsum": Rule(_same, ALL - {_BOOL}, "CumSum", "x"),
    "Tensor.cumsum": Rule(_int32_of_small),
    **_rules(Rule(), "ReduceSum ReduceProd max min amax amin ReduceMax ReduceMin ptp cummax cummin"),
    **_rules(Rule(_same, ALL - {_BOOL}, "ReduceMean", "x", refusal_type=RuntimeError), "mean ReduceMean"),
    **_rules(Rule(as_float, ALL - {_BOOL}, "ReduceMean", "x", refusal_type=RuntimeError), "Tensor.var Tensor.std"),
    **_rules(_FLOAT, "var std norm logsumexp"),
    "nanmean": Rule(_same, _FLOATS | {_BFLOAT16}, "nanmean"),
    "all": Rule(lambda dtype: _BOOL),
    # A uint8 Tensor stays one, as in PyTorch.
    "any": Rule(lambda dtype: dtype if dtype == np.dtype("u1") else _BOOL),
    "argmax": Rule(lambda dtype: _INT64),
    "argmin": Rule(lambda dtype: _INT32),
    "Argmax": Rule(lambda dtype: _INT32),
    "count_nonzero": Rule(lambda dtype: _INT32, ALL - {_BOOL}, "CountNonZero", "x"),
    "trace": Rule(_same, ALL - {_BOOL, _BFLOAT16}, "Trace", "x"),
    "Tensor.trace": Rule(lambda dtype: _INT64 if dtype in INTEGERS and dtype != np.dtype("u8") else dtype),
    "median": Rule(_same, frozenset(map(np.dtype, ("i2", "i4", "i8", "f4", "f8"))), "Median", "x"),
    "sort": Rule(_same, ALL - _COMPLEX - WIDE - {_BFLOAT16}, "Sort", "inputx"),
    "topk": Rule(_same, ALL - _COMPLEX - {_BOOL}, "TopK", "input_x"),
}


@functools.lru_cache(None)
def unary_dtype(name, dtype):
    """The dtype in which an operation of one Tensor computes, which is the result's except for predicates.

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
    """The result dtype of a reduction.

    Args:
        name (str): of the function or Primitive, a key of ``REDUCTIONS``.
        dtype (numpy.dtype): of the operand.
        result (numpy.dtype | None): the argument ``dtype``. Default: ``None``.
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
        expected = f"a Tensor of {listed(rule.takes)}"
        refuse(rule.refusal_type, rule.name, rule.argument, expected, dtypes.of(dtype))
    return rule.computes(dtype)
