"""Elementwise functions of one and two operands, as faces of those of ``mindspore.ops``.

Each accepts anything convertible to a Tensor (a number, lists of numbers), and most a ``dtype`` for the result.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import Dtype, NonNegativeInt
from ..ops._core.families import body
from ..ops.math.divisors import greatest_divisor, least_multiple
from ._dialect import AnyDtype, Like, as_dtype, composite, face, op, promote, typed


def _trigonometric(dtype):
    """Small ints and bools count as float16, other ints as float32."""
    if dtype.kind in "fcV":
        return dtype
    return np.dtype(np.float16 if dtype.itemsize == 1 else np.float32)


def _float(dtype):
    return dtype if dtype.kind in "fcV" else np.dtype(np.float32)


def _float_of_numbers(dtype):
    if dtype.kind == "b":
        check.refuse(TypeError, "sign", "x", "a Tensor of numbers", dtype.name)
    return _float(dtype)


def _wide(dtype):
    return dtype if dtype == np.float64 else np.dtype(np.float32)


def _single(dtype):
    return np.dtype(np.float32)


def _half_or_single(dtype):
    return dtype if dtype in (np.float16, np.float32) or dtype.kind == "c" else np.dtype(np.float32)


_UNARY = """{summary}

    Args:
        x (Tensor): {dtypes}.
    Returns:
        Tensor of the same shape{result}.
    Raises:
        TypeError: if ``x`` has another dtype.
    Example:
        >>> ms.numpy.{shown}({at}).tolist()
        {value}
    Source: mindspore.numpy.{shown}
    """
_BINARY = """{summary}

    Args:
        x1, x2 (Tensor): shapes that broadcast, {dtypes}.
    Returns:
        Tensor of the broadcast shape, {result}.
    Raises:
        TypeError: if the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> ms.numpy.{shown}({at}).tolist()
        {value}
    Source: mindspore.numpy.{shown}
    """


def _unary(name, compute, summary, at, value, dtypes="any dtype of numbers", result=" and dtype"):
    return _defined(name, "x: Array", compute, _UNARY, summary, at, value, dtypes, result)


def _binary(name, compute, summary, at, value, dtypes="any dtypes", result="of the common dtype"):
    return _defined(name, "x1: Array, x2: Array", compute, _BINARY, summary, at, value, dtypes, result)


def _defined(name, parameters, compute, doc, summary, at, value, dtypes, result):
    fields = {"summary": summary, "at": at, "value": value, "dtypes": dtypes, "result": result, "shown": name}
    return op(name=f"_{name}")(body(f"_{name}({parameters})", compute, doc, **fields))


# -- of one number --------------------------------------------------------------------------------------------------


def _one_over(x):
    return (1 / x).astype(jnp.int64 if x.dtype == bool else x.dtype)


def _power_of_two(x):
    return jnp.power(2, x).astype(jnp.int64 if x.dtype == bool else x.dtype)


def _sign(x):
    return jnp.where(jnp.isnan(x), x, ops.sign(x))  # `ops.sign` of NaN is 0


_reciprocal = _unary("reciprocal", _one_over, "One over the number; of ints the whole part.", "0.5", "2.0")
_exp2 = _unary("exp2", _power_of_two, "Two to the power of the number.", "3.0", "8.0")
_cbrt = _unary("cbrt", jnp.cbrt, "The cube root.", "8.0", "2.0", "a float dtype")
_fix = _unary("fix", jnp.trunc, "Truncation: the integer part, rounded towards 0.", "-1.5", "-1.0", "a float dtype")
_rint = _unary(
    "rint", jnp.rint, "Rounds to the nearest integer, halves to the even one.", "1.5", "2.0", "a float dtype"
)
_sign_of = _unary("sign", _sign, "The sign: -1, 0 or 1.", "-2.0", "-1.0", "a float or complex dtype")

face(typed(ops.abs), "absolute(x, dtype=None)")
face(typed(ops.abs), "abs(x, dtype=None)")
face(typed(ops.abs), "fabs(x, dtype=None)")
face(typed(ops.square), "square(x, dtype=None)")
face(typed(ops.sqrt), "sqrt(x, dtype=None)")
face(typed(_reciprocal), "reciprocal(x, dtype=None)")
face(typed(ops.log), "log(x, dtype=None)")
face(typed(ops.log1p), "log1p(x, dtype=None)")
face(typed(ops.log2), "log2(x, dtype=None)")
face(typed(ops.log10), "log10(x, dtype=None)")
face(typed(ops.exp), "exp(x, dtype=None)")
face(typed(ops.expm1), "expm1(x, dtype=None)")
face(typed(_exp2), "exp2(x, dtype=None)")
face(typed(_cbrt, _wide), "cbrt(x, dtype=None)")
face(typed(ops.sin, _trigonometric), "sin(x, dtype=None)")
face(typed(ops.cos, _trigonometric), "cos(x, dtype=None)")
face(typed(ops.tan, _trigonometric), "tan(x, dtype=None)")
face(typed(ops.asin, _trigonometric), "arcsin(x, dtype=None)")
face(typed(ops.acos, _trigonometric), "arccos(input, dtype=None)")
face(typed(ops.atan, _trigonometric), "arctan(x, dtype=None)")
face(typed(ops.sinh, _trigonometric), "sinh(x, dtype=None)")
face(typed(ops.cosh, _trigonometric), "cosh(x, dtype=None)")
face(typed(ops.tanh, _trigonometric), "tanh(x, dtype=None)")
face(typed(ops.asinh, _trigonometric), "arcsinh(x, dtype=None)")
face(typed(ops.acosh, _trigonometric), "arccosh(x, dtype=None)")
face(typed(ops.atanh, _trigonometric), "arctanh(x, dtype=None)")
face(typed(ops.deg2rad), "deg2rad(x, dtype=None)")
face(typed(ops.deg2rad), "radians(x, dtype=None)")
face(typed(ops.rad2deg), "rad2deg(x, dtype=None)")
face(typed(ops.floor), "floor(x, dtype=None)")
face(typed(ops.ceil, _single), "ceil(x, dtype=None)")
face(typed(_fix, _half_or_single), "trunc(x, dtype=None)")
face(typed(_fix, _half_or_single), "fix(x)")
face(typed(_rint), "rint(x, dtype=None)")
face(typed(ops.positive), "positive(a, dtype=None)")
face(typed(ops.neg), "negative(a, dtype=None)")
face(typed(_sign_of, _float_of_numbers), "sign(x, dtype=None)")
face(typed(ops.invert), "invert(x, dtype=None)")
face(typed(ops.invert), "bitwise_not(x, dtype=None)")


# -- of two numbers -------------------------------------------------------------------------------------------------


def _common(x1, x2):
    check.broadcastable(x1.shape, x2.shape, "BroadcastTo")
    dtype = promote(x1.dtype, x2.dtype)
    return x1.astype(dtype), x2.astype(dtype)


def _broadcast(x1, x2) -> Any:
    # So that a 0-d Tensor takes part in promotion as any other.
    check.broadcastable(x1.shape, x2.shape, "BroadcastTo")
    return jnp.broadcast_arrays(x1, x2)


def _quotient(x1, x2):
    single = [dtype in (np.float16, np.float32) or dtype.kind == "c" for dtype in (x1.dtype, x2.dtype)]
    if not any(single):  # float64 too: MindSpore divides it in float32
        x1, x2 = x1.astype(np.float32), x2.astype(np.float32)
    return ops.div(*_broadcast(x1, x2))


def _extreme(choose):
    def compute(x1, x2):
        dtype = None
        if (x1.ndim == 0) != (x2.ndim == 0):
            dtype = x1.dtype if x1.ndim else x2.dtype
        result = choose(x1, x2)
        return result if dtype is None else result.astype(dtype)

    return compute


def _step(x1, x2):
    x1, x2 = _common(x1, x2)
    return jnp.where(x1 < 0, 0, jnp.where(x1 > 0, 1, x2)).astype(x2.dtype)


def _left_over(round):
    def compute(x1, x2):
        x1, x2 = _common(x1, x2)
        dtype, is_float = x1.dtype, jnp.issubdtype(x1.dtype, jnp.floating)
        x1, x2 = (x1, x2) if is_float else (x1.astype(np.float64), x2.astype(np.float64))
        rest = x1 - x2 * round(x1 / x2)
        return rest if is_float else jnp.where(x2 == 0, 0, rest).astype(dtype)

    return compute


def _hypotenuse(x1, x2):
    x1, x2 = _common(x1, x2)
    return jnp.hypot(*((x1, x2) if x1.dtype.kind == "f" else (x1.astype(np.float32), x2.astype(np.float32))))


def _with_sign(x1, x2):
    check.dtype(x1, "iufc", "x1", "copysign")
    size = jnp.abs(x1).astype(x1.dtype)
    return jnp.where(check.dtype(x2, "iuf", "x2", "copysign") < 0, -size, size)


def _divisor(name, function):
    def compute(x1, x2):
        check.dtype(x1, "biu", "x1", name)
        check.dtype(x2, "biu", "x2", name)
        x1, x2 = _common(x1, x2)
        return function(x1.astype(np.int64), x2.astype(np.int64)).astype(x1.dtype)

    return compute


_INTS = "an int dtype or bool"
_multiply = _binary("multiply", lambda x1, x2: ops.mul(*_broadcast(x1, x2)), "The product.", "2, 3", "6")
_divide = _binary("divide", _quotient, "The quotient.", "1, 2", "0.5", result="float32 where neither is a float")
_minimum = _binary("minimum", _extreme(jnp.minimum), "The lesser number; NaN if one is none.", "1, 2", "1")
_maximum = _binary("maximum", _extreme(jnp.maximum), "The greater number; NaN if one is none.", "1, 2", "2")
_heaviside = _binary("heaviside", _step, "0 below 0, 1 above, ``x2`` at it.", "Tensor([-1.0, 2.0]), 0.5", "[0.0, 1.0]")
_hypot = _binary("hypot", _hypotenuse, "The hypotenuse, ``sqrt(x1**2 + x2**2)``.", "3.0, 4.0", "5.0")
_remainder = _binary(
    "remainder", _left_over(jnp.floor), "The rest of division, of the sign of ``x2``.", "-7.0, 4.0", "1.0"
)
_fmod = _binary("fmod", _left_over(jnp.trunc), "The rest of division, of the sign of ``x1``.", "-7.0, 4.0", "-3.0")
_copysign = _binary("copysign", _with_sign, "``x1`` with the sign of ``x2``.", "3.0, -1.0", "-3.0", result="of ``x1``")
_logaddexp2 = _binary(
    "logaddexp2",
    lambda x1, x2: ops.logaddexp2(*_common(x1, x2)),
    "``log2(2**x1 + 2**x2)``.",
    "1.0, 1.0",
    "2.0",
    "a float dtype among them",
)
_gcd = _binary("gcd", _divisor("gcd", greatest_divisor), "The greatest common divisor.", "12, 18", "6", _INTS)
_lcm = _binary("lcm", _divisor("lcm", least_multiple), "The least common multiple.", "4, 6", "12", _INTS)

face(typed(ops.add), "add(x1, x2, dtype=None)")
face(typed(ops.sub), "subtract(x1, x2, dtype=None)")
face(typed(_multiply), "multiply(x1, x2, dtype=None)")
face(typed(_divide), "divide(x1, x2, dtype=None)")
face(typed(_divide), "true_divide(x1, x2, dtype=None)")
face(typed(ops.pow), "power(x1, x2, dtype=None)")
face(typed(ops.pow, _single), "float_power(x1, x2, dtype=None)")
face(typed(_minimum), "minimum(x1, x2, dtype=None)")
face(typed(_maximum), "maximum(x1, x2, dtype=None)")
face(typed(_heaviside), "heaviside(x1, x2, dtype=None)")
face(typed(_hypot), "hypot(x1, x2, dtype=None)")
face(typed(ops.floor_div), "floor_divide(x1, x2, dtype=None)")
face(typed(_remainder), "remainder(x1, x2, dtype=None)")
face(typed(_remainder), "mod(x1, x2, dtype=None)")
face(typed(_fmod), "fmod(x1, x2, dtype=None)")
face(typed(_gcd), "gcd(x1, x2, dtype=None)")
face(typed(_lcm), "lcm(x1, x2, dtype=None)")
face(typed(ops.logaddexp), "logaddexp(x1, x2, dtype=None)")
face(typed(_logaddexp2), "logaddexp2(x1, x2, dtype=None)")
face(typed(ops.atan2, _trigonometric), "arctan2(x1, x2, dtype=None)")
face(typed(_copysign), "copysign(x1, x2, dtype=None)")
face(typed(ops.bitwise_and), "bitwise_and(x1, x2, dtype=None)")
face(typed(ops.bitwise_or), "bitwise_or(x1, x2, dtype=None)")
face(typed(ops.bitwise_xor), "bitwise_xor(x1, x2, dtype=None)")


@composite()
def divmod(x1: Like, x2: Like, dtype: AnyDtype | None = None):
    """Quotient, rounded down, and remainder.

    Args:
        x1, x2 (Tensor): shapes that broadcast.
        dtype (mindspore.dtype | str | type): that both results are cast to. Default: ``None``, their own.
    Returns:
        tuple of two Tensors.
    Raises:
        TypeError: if the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> [each.item() for each in ms.numpy.divmod(7, 4)]
        [1, 3]
    Source: mindspore.numpy.divmod
    """
    return as_dtype(ops.floor_div(x1, x2), dtype), as_dtype(_remainder(x1, x2), dtype)


@composite()
def clip(x: Like, xmin: Like | None, xmax: Like | None, dtype: Dtype | None = None):
    """Clips to bounds.

    Args:
        x (Tensor): any shape.
        xmin, xmax (Tensor | Number | None): the bounds, of shapes that broadcast; None is no bound.
        dtype (mindspore.dtype): that the result is cast to. Default: ``None``, its own.
    Returns:
        Tensor.
    Raises:
        ValueError: if both bounds are None.
    Example:
        >>> ms.numpy.clip([0, 5, 9], 1, 7).tolist()
        [1, 5, 7]
    Source: mindspore.numpy.clip
    """
    if xmin is None and xmax is None:
        check.refuse(ValueError, "clip", "xmin", "given where 'xmax' is not", None)
    if xmin is not None:
        x = _maximum(x, xmin)
    return as_dtype(x if xmax is None else _minimum(x, xmax), dtype)


@composite()
def around(a: Like, decimals: NonNegativeInt = 0):
    """Rounds to a number of decimals, halves to even.

    Args:
        a (Tensor): any shape, a float or int dtype.
        decimals (int): from 0 on. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``decimals`` is not an int.  ValueError: if it is negative.
    Example:
        >>> ms.numpy.around([1.25, 0.5], 1).tolist()
        [1.2000000476837158, 0.5]
    Source: mindspore.numpy.around
    """
    if a.aval[1].kind in "biu":
        return a
    return ops.round(a) if decimals == 0 else ops.round(a * 10**decimals) / 10**decimals


face(around, "round(a, decimals=0)")
