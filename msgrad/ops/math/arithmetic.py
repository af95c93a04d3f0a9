"""Elementwise arithmetic of two and more operands, in the dtypes of MindSpore's promotion table.

At non-differentiable points the derivatives are MindSpore's; comments note where JAX's would differ.
"""

import functools
import math
import numbers

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..._contracts import check
from ..._contracts.contracts import Array, Arrays, Int, Operand
from ..._contracts.kinds import Static, concrete
from ...engine import dtypes
from ...engine.handle import Handle
from ...engine.transforms.lifting import is_inexact
from ...tensor import promotion
from ...tensor.c_casts import convert
from ...tensor.numbers import number, plain
from ...tensor.tensor import Tensor
from .._core.calls.half_precision import in_float32
from .._core.define import composite, op
from .._core.faces import face, method, primitive
from .._core.families import alias, binary, body, promoted, sources
from .divisors import greatest_divisor, least_multiple
from .elementwise import exp2


def _sub(x, y):
    return jnp.logical_xor(x, y) if x.dtype == jnp.bool_ else x - y


def _heaviside(x, values):
    # As in MindSpore, ints stay ints, and NaN gives 0.
    return jnp.where(x == 0, values, (x > 0).astype(x.dtype))


@jax.custom_jvp
def _hypot(x, y):
    return jnp.hypot(x, y)


@_hypot.defjvp
def _hypot_jvp(primals, tangents):
    # Not a number at the origin, as in MindSpore; JAX has 0.5 there.
    (x, y), (dx, dy) = primals, tangents
    length = _hypot(x, y)
    return length, x / length * dx + y / length * dy


@jax.custom_jvp
def _xlogy(x, y):
    return jnp.where(x == 0, 0, x * jnp.log(y)).astype(x.dtype)


@_xlogy.defjvp
def _xlogy_jvp(primals, tangents):
    # By x, the logarithm where x is not 0, else 0.
    (x, y), (dx, dy) = primals, tangents
    return _xlogy(x, y), _xlogy((x != 0).astype(x.dtype), y) * dx + x / y * dy


@jax.custom_jvp
def _power(x, y):
    return jnp.power(x, y)


@_power.defjvp
def _power_jvp(primals, tangents):
    # By the base, y x^(y - 1) even where y is 0: not a number at 0^0. By the exponent, 0 where the base is 0.
    (x, y), (dx, dy) = primals, tangents
    result = _power(x, y)
    logarithm = jnp.log(jnp.where(x == 0, 1, x))
    return result, y * _power(x, y - 1) * dx + result * logarithm * dy


# Below these powers of 2 a product is exact in C, in the int that the dtype is converted by; all others: 31.
_BITS_OF_POWERS = {np.dtype(np.uint64): 64, np.dtype(np.int64): 63, np.dtype(np.uint32): 63}


def _int_power(x, y):
    # A negative exponent gives the whole part of the true value. A power that overflows is what C converts it to.
    whole = jnp.power(x, jnp.maximum(y, 0))
    real = lax.stop_gradient(jnp.power(x.astype(jnp.float64), y))
    fits = (y >= 0) & (abs(real) < 2.0 ** _BITS_OF_POWERS.get(x.dtype, 31))
    return jnp.where(fits, whole, convert(real, x.dtype))


def _pow(x, y):
    return _power(x, y) if is_inexact(x.dtype) else _int_power(x, y)


add = binary("add", ("Add", "TensorAdd"), "add", jnp.add, "The sum.", (1.0, 2.0, 3.0), method=False)
sub = binary("sub", "Sub", "sub", _sub, "The difference.", (3.0, 2.0, 1.0), method=False)
mul = binary("mul", "Mul", "mul", jnp.multiply, "The product.", (3.0, 2.0, 6.0))
alias(mul, "multiply")
method("multiply", (mul, "(value)", {"value": "other"}))
atan2 = binary(
    "atan2",
    "Atan2",
    "atan2",
    jnp.arctan2,
    "The angle of the point (other, input).",
    (0.0, 1.0, 0.0),
    aliases=("arctan2",),
)


def _copysign(x, other):
    size = check.dtype(x, "biuf", "x", "copysign") * jax.lax.stop_gradient(jnp.sign(x))  # its gradient is 0 at 0
    return jnp.where(jnp.signbit(other), -size, size)


hypot = binary("hypot", "Hypot", "hypot", _hypot, "Hypotenuse: ``sqrt(input^2 + other^2)``.", (3.0, 4.0, 5.0))
xlogy = binary("xlogy", "Xlogy", "xlogy", _xlogy, "``input * log(other)``, and 0 where ``input`` is.", (0.0, 0.0, 0.0))
logaddexp = binary(
    "logaddexp",
    None,
    "logaddexp",
    in_float32(jnp.logaddexp),
    "``log(exp(input) + exp(other))``.",
    (0.0, float("-inf"), 0.0),
)
logaddexp2 = binary(
    "logaddexp2", None, "logaddexp", in_float32(jnp.logaddexp2), "``log2(2**input + 2**other)``.", (1.0, 1.0, 2.0)
)
copysign = binary(
    "copysign",
    None,
    "div",
    _copysign,
    "``x`` with the sign of ``other``.",
    (1.0, -2.0, -1.0),
    arguments=("x", "other"),
)
heaviside = binary(
    "heaviside",
    None,
    "add",
    _heaviside,
    "0 below 0, 1 above, ``values`` at 0.",
    (0.0, 0.5, 0.5),
    arguments=("input", "values"),
)
float_power = binary(
    "float_power",
    None,
    "float_power",
    _power,
    "``input`` to the power of ``exponent``, in float64 or complex128.",
    (3.0, 2.0, 9.0),
    method=False,
    arguments=("input", "exponent"),
)
face(float_power, "float_power_ext(input, exponent)")
method("float_power", (float_power, "(other)"))
primitive(heaviside, "Heaviside()(x, values)")
gcd = binary("gcd", "Gcd", "gcd", greatest_divisor, "The greatest common divisor.", (4, 6, 2))
lcm = binary("lcm", "Lcm", "gcd", least_multiple, "The least common multiple.", (4, 6, 12))


def _beside(x, other):
    """``other``; a list or tuple is converted to a Tensor of the dtype of ``x``, as ``+`` does."""
    return Tensor(list(other), x.dtype) if isinstance(other, (list, tuple)) and isinstance(x, Handle) else other


def _multiple(owner, input, other, alpha):
    """``alpha * other`` in the common dtype of ``input`` and ``other``, that of their sum."""
    if isinstance(other, (list, tuple)):
        check.refuse(TypeError, owner, "other", "a Tensor or a number beside an 'alpha'", other)
    if not isinstance(input, Handle) and not isinstance(other, Handle):
        return alpha * other
    dtype = promotion.result_dtype("add", *[x.aval[1] if isinstance(x, Handle) else plain(x) for x in (input, other)])
    if isinstance(alpha, bool) and dtype.kind != "b":
        check.refuse(TypeError, owner, "alpha", f"an int or a float beside {dtypes.of(dtype)}", alpha)
    if isinstance(alpha, float) and not is_inexact(dtype):
        check.refuse(TypeError, owner, "alpha", f"an int beside {dtypes.of(dtype)}", alpha)
    other = other.astype(dtypes.of(dtype)) if isinstance(other, Handle) else number(other, dtype)
    return mul(other, number(alpha, dtype))


def _factor(value, arg_name, owner):
    """``value``, a number or a Tensor without axes, as a Python number."""
    if isinstance(value, Handle) and value.aval[0] == ():
        value = concrete(value)
    if not isinstance(value, (numbers.Number, np.generic)):
        check.refuse(TypeError, owner, arg_name, "a number", value)
    return plain(value)


_Factor = Static(_factor, numbers.Number, np.generic, Handle)


def _is_one(alpha):
    return alpha == 1 and alpha is not True


@composite(method="add", name="_add_scaled")
def _add_scaled(input, other, *, alpha: _Factor = 1):
    """The sum ``input + alpha * other``.

    Args:
        input (Tensor): any shape.
        other (Tensor | Number | list | tuple): of a shape that broadcasts; a list gets the dtype of ``input``.
        alpha (Number): a float beside floats alone. Default: ``1``.
    Returns:
        Tensor of the broadcast shape, of the dtype that the operands come to.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> Tensor([3.0]).add(Tensor([1.0]), alpha=2).tolist()
        [5.0]
    Source: mindspore.Tensor.add
    """
    return add(input, _beside(input, other) if _is_one(alpha) else _multiple("AddExt", input, other, alpha))


@composite(method="subtract")
def subtract(input, other, *, alpha: _Factor = 1):
    """The difference ``input - alpha * other``.

    Args:
        input, other (Tensor | Number): shapes that broadcast.
        alpha (Number): a float beside floats alone. Default: ``1``.
    Returns:
        Tensor of the broadcast shape, of the dtype that the operands come to.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.subtract(Tensor([3.0]), Tensor([1.0]), alpha=2).tolist()
        [1.0]
    Source: mindspore.ops.subtract, mindspore.Tensor.subtract
    """
    return sub(input, other if _is_one(alpha) else _multiple("SubExt", input, other, alpha))


@composite(name="_sub_scaled")
def _sub_scaled(input, other, *, alpha: _Factor = 1):
    """The difference ``input - alpha * other``.

    Args:
        input (Tensor): any shape.
        other (Tensor | Number | list | tuple): of a shape that broadcasts; a list gets the dtype of ``input``.
        alpha (Number): a float beside floats alone. Default: ``1``.
    Returns:
        Tensor of the broadcast shape, of the dtype that the operands come to.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> Tensor([3.0]).sub([1.0]).tolist()
        [2.0]
    Source: mindspore.Tensor.sub
    """
    return sub(input, _beside(input, other) if _is_one(alpha) else _multiple("SubExt", input, other, alpha))


method("sub", (_sub_scaled, "(other, *, alpha=1)"), (_sub_scaled, "(y)", {"y": "other"}))


@op("AddN")
def addn(x: Arrays):
    """The sum of several Tensors.

    Args:
        x (tuple[Tensor] | list[Tensor]): of the same shape.
    Returns:
        Tensor of that shape.
    Raises:
        TypeError: if ``x`` is not a tuple or list of Tensors.  ValueError: if it is empty, or shapes differ.
    Example:
        >>> ops.addn((Tensor([1.0]), Tensor([2.0]), Tensor([3.0]))).tolist()
        [6.0]
    Source: mindspore.ops.addn, mindspore.ops.AddN
    """
    if not x or any(each.shape != x[0].shape for each in x):
        check.refuse(ValueError, "AddN", "x", "Tensors of the same shape", [each.shape for each in x])
    return functools.reduce(add, x)


@op("AccumulateNV2")
def accumulate_n(x: Arrays):
    """The sum of several Tensors: `addn` under another name.

    Args:
        x (tuple[Tensor] | list[Tensor]): of the same shape.
    Returns:
        Tensor of that shape.
    Raises:
        TypeError: if ``x`` is not a tuple or list of Tensors.  ValueError: if it is empty, or shapes differ.
    Example:
        >>> ops.accumulate_n((Tensor([1.0]), Tensor([2.0]))).tolist()
        [3.0]
    Source: mindspore.ops.accumulate_n, mindspore.ops.AccumulateNV2
    """
    return addn(x)


binary(
    "_squared_difference",
    "SquaredDifference",
    "squared_difference",
    lambda x, y: jnp.square(x - y) if not jnp.iscomplexobj(x) else (x - y) * jnp.conj(x - y),
    "The square of the difference, of complex numbers that of its length.",
    (3.0, 1.0, 4.0),
    arguments=("x", "y"),
)


@op(name="_pow")
def _pow_of_operands(input: Operand, exponent: Operand):
    return _pow(*promoted("pow", input, exponent))


_pow_of_operands.op.kind = "pow"


@op(name="_pow_int")
def _pow_of_int(input: Array, exponent: Int):
    return lax.integer_pow(input, exponent)


# A small whole exponent selects the mathematics: multiplications, which are faster and exact to any derivative.
_LARGEST_WHOLE = 16


@composite("Pow", method="pow")
def pow(input, exponent):
    """``input`` to the power of ``exponent``.

    Args:
        input, exponent (Tensor | Number): shapes that broadcast. Ints stay ints; a negative exponent then gives the
            whole part of the result.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.pow(Tensor([3.0]), 2).tolist()
        [9.0]
    Source: mindspore.ops.pow, mindspore.ops.Pow, mindspore.Tensor.pow
    """
    is_whole = type(exponent) is int and 0 < exponent <= _LARGEST_WHOLE
    if is_whole and isinstance(input, Handle) and is_inexact(input.aval[1]):
        return _pow_of_int(input, exponent)
    return _pow_of_operands(input, exponent)


@op(method="ldexp")
def ldexp(x: Operand, other: Operand):
    """``x * 2**other``.

    Args:
        x, other (Tensor): shapes that broadcast.
    Returns:
        Tensor of the broadcast shape; of ints in float32.
    Example:
        >>> ops.ldexp(Tensor([3.0]), Tensor([2])).tolist()
        [12.0]
    Source: mindspore.ops.ldexp, mindspore.Tensor.ldexp
    """
    return jnp.multiply(*promoted("mul", x, exp2(other)))


def _in_common(first, *rest):
    """Operands in their common dtype."""
    for other in rest:
        first, _ = promoted("add", first, other)
    return [first, *(other.astype(first.dtype) for other in rest)]


_SCALED = """``input + value * tensor1 {sign} tensor2``{more}.

    Args:
        input, tensor1, tensor2 (Tensor): shapes that broadcast.
        value (Tensor | Number): cast to the dtype of the others. Default: ``1``.
    Returns:
        Tensor of the broadcast shape.
    Example:
        >>> ops.{name}(Tensor([1.0]), Tensor([3.0]), Tensor([2.0]), 2.0).tolist()
        [{result}]
    Source: {sources}
    """


def _scaled(name, primitive, combine, method=(), **fields):
    """Defines ``input + value * tensor1`` combined with ``tensor2``."""

    def compute(input, tensor1, tensor2, value):
        x, y, z = _in_common(input, tensor1, tensor2)
        return x + combine(jnp.asarray(value).astype(x.dtype) * y, z)

    text = f"{name}(input: Array, tensor1: Array, tensor2: Array, value: Operand = 1)"
    fields["sources"] = sources(name, primitive, (name,))
    return op(primitive, method)(body(text, compute, _SCALED, **fields))


def _quotient(x, y):
    return x / y if is_inexact(y.dtype) else lax.div(*jnp.broadcast_arrays(x, y))


addcmul = _scaled("addcmul", "Addcmul", jnp.multiply, "addcmul", sign="*", more="", result=13.0)
addcdiv = _scaled(
    "addcdiv", "Addcdiv", _quotient, sign="/", more="; the quotient of ints is rounded towards 0", result=4.0
)
method("addcdiv", (addcdiv, "(tensor1, tensor2, *, value=1)"), (addcdiv, "(tensor1, tensor2, value)"))


@op(("Lerp", "LerpScalar"), method="lerp")
def lerp(input: Array, end: Array, weight: Operand):
    """``input + weight * (end - input)``.

    Args:
        input, end (Tensor): shapes that broadcast, a float dtype.
        weight (Tensor | float): of a shape that broadcasts.
    Returns:
        Tensor of the broadcast shape, dtype of ``input``.
    Raises:
        TypeError: if ``input`` and ``end`` differ in dtype, or are not floats.
    Example:
        >>> ops.lerp(Tensor([1.0]), Tensor([3.0]), 0.5).tolist()
        [2.0]
    Source: mindspore.ops.lerp, mindspore.ops.Lerp, mindspore.ops.LerpScalar, mindspore.Tensor.lerp
    """
    check.same_dtype(end, check.dtype(input, "f", "input", "Lerp"), "end", "input", "Lerp")
    check.broadcastable(input.shape, end.shape, "Lerp")
    return input + weight.astype(input.dtype) * (end - input)


binary(
    "_mul_no_nan",
    "MulNoNan",
    "MulNoNan",
    lambda x, y: jnp.where(y == 0, 0, jnp.where(y == 0, 0, x) * y).astype(x.dtype),
    "The product, and 0 where the second is 0, whatever the first is.",
    (math.inf, 0.0, 0.0),
    arguments=("x", "y"),
)
