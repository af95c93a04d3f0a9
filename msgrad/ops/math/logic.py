"""Comparison, logical and bitwise operations of two operands."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Float, Operand, Real
from ..._contracts.kinds import Scalar
from .._core.define import composite, op
from .._core.faces import method, primitive
from .._core.families import binary, promoted


def _ordered(function):
    def compare(x, y):
        return function(check.dtype(x, "biuf", "input", "Less"), y)

    return compare


def _row(name, primitive, function, summary, example, aliases=()):
    return binary(name, primitive, name, function, summary, example, aliases=aliases)


equal = _row("equal", "Equal", jnp.equal, "Whether both are equal.", (1.0, 1.0, True), ("eq",))
not_equal = _row("not_equal", "NotEqual", jnp.not_equal, "Whether both differ.", (1.0, 1.0, False), ("ne",))
less = _row("less", "Less", _ordered(jnp.less), "Whether the first is less.", (1.0, 2.0, True), ("lt",))
less_equal = _row(
    "less_equal", "LessEqual", _ordered(jnp.less_equal), "Whether the first is not greater.", (1.0, 2.0, True), ("le",)
)
greater = _row("greater", "Greater", _ordered(jnp.greater), "Whether the first is greater.", (1.0, 2.0, False), ("gt",))
greater_equal = _row(
    "greater_equal",
    "GreaterEqual",
    _ordered(jnp.greater_equal),
    "Whether the first is not less.",
    (1.0, 2.0, False),
    ("ge",),
)


def _logical(name, primitive, function, summary, example):
    definition = binary(name, primitive, name, lambda x, y: function(x != 0, y != 0), summary, example, method=False)
    method(name, (definition, "(other)"), (definition, "(y)", {"y": "other"}))
    return definition


logical_and = _logical("logical_and", "LogicalAnd", jnp.logical_and, "Logical AND; nonzero is True.", (1.0, 0.0, False))
logical_or = _logical("logical_or", "LogicalOr", jnp.logical_or, "Logical OR; nonzero is True.", (1.0, 0.0, True))
logical_xor = _logical("logical_xor", "LogicalXor", jnp.logical_xor, "Logical XOR; nonzero is True.", (1.0, 0.0, True))


def _bits(name, primitive, function, summary, example):
    return binary(name, primitive, name, function, summary, example)


bitwise_and = _bits("bitwise_and", "BitwiseAnd", jnp.bitwise_and, "Bitwise AND.", (12, 10, 8))
bitwise_or = _bits("bitwise_or", "BitwiseOr", jnp.bitwise_or, "Bitwise OR.", (12, 10, 14))
bitwise_xor = _bits("bitwise_xor", "BitwiseXor", jnp.bitwise_xor, "Bitwise XOR.", (12, 10, 6))
bitwise_left_shift = _bits("bitwise_left_shift", None, jnp.left_shift, "Bitwise left shift.", (1, 2, 4))
bitwise_right_shift = _bits("bitwise_right_shift", None, jnp.right_shift, "Bitwise right shift.", (4, 2, 1))
primitive(bitwise_left_shift, "LeftShift()(x1, x2)")
primitive(bitwise_right_shift, "RightShift()(input_x, input_y)")


@op("IsClose(rtol=1e-05, atol=1e-08, equal_nan=False)")
def isclose(input: Array, other: Array, rtol: Scalar() = 1e-05, atol: Scalar() = 1e-08, equal_nan: Bool = False):
    """Whether ``|input - other| <= atol + rtol * |other|``.

    Args:
        input, other (Tensor): shapes that broadcast.
        rtol, atol (float): the tolerances.
        equal_nan (bool): whether NaN is close to NaN. Default: ``False``.
    Returns:
        Tensor of bool, of the broadcast shape.
    Example:
        >>> ops.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 3.0])).tolist()
        [True, False]
    Source: mindspore.ops.isclose, mindspore.ops.IsClose, mindspore.Tensor.isclose
    """
    x, y = promoted("equal", input, other)
    return jnp.isclose(x, y, rtol, atol, equal_nan)


method(
    "isclose",
    (isclose, "(other, rtol=1e-05, atol=1e-08, equal_nan=False)"),
    (isclose, "(x2, rtol=1e-05, atol=1e-08, equal_nan=False)", {"x2": "other"}),
)


@composite(name="_allclose", method="allclose")
def _allclose(self: Array, other: Array, rtol: Real = 1e-05, atol: Real = 1e-08, equal_nan: Bool = False):
    """Whether every element is close to the other's: see `isclose`.

    Args:
        self, other (Tensor): shapes that broadcast.
        rtol, atol (float): the tolerances.
        equal_nan (bool): whether NaN is close to NaN. Default: ``False``.
    Returns:
        bool.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not broadcast.
    Example:
        >>> Tensor([1.0]).allclose(Tensor([1.0]))
        True
    Source: mindspore.Tensor.allclose
    """
    return bool(isclose(self, other, rtol, atol, equal_nan).all())


@op("ApproximateEqual(tolerance=1e-05)")
def approximate_equal(x: Operand, y: Operand, tolerance: Scalar(of=Float) = 1e-5):
    """Whether ``|x - y| < tolerance``.

    Args:
        x, y (Tensor): shapes that broadcast.
        tolerance (float): Default: ``1e-5``.
    Returns:
        Tensor of bool, of the broadcast shape.
    Example:
        >>> ops.approximate_equal(Tensor([1.0]), Tensor([1.000001])).tolist()
        [True]
    Source: mindspore.ops.approximate_equal, mindspore.ops.ApproximateEqual
    """
    x, y = promoted("sub", x, y)
    return jnp.abs(x - y) < tolerance


method("approximate_equal", (approximate_equal, "(other, tolerance=1e-05)"))
