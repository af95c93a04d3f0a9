"""Division, floor division and remainders, in the dtypes of MindSpore's promotion table."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..._contracts.choices import OneOf
from ..._contracts.contracts import Operand
from ...engine import dtypes
from ...engine.handle import Handle
from ...engine.transforms.lifting import is_inexact
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._core.faces import method
from .._core.families import alias, binary, promoted


def _floor_divide(x, y):
    if x.dtype == jnp.bool_:
        return jnp.broadcast_arrays(x, y)[0]  # for bools x, even divided by False, as in MindSpore
    if not is_inexact(x.dtype):
        return _bounded(jnp.floor_divide(x, y), x, y)
    return jnp.floor(jnp.real(x / y)).astype(x.dtype)  # of complex numbers the real part, as in MindSpore


def _bounded(quotient, x, y):
    """The quotient of ints; as in MindSpore, division by 0 gives the largest or smallest int, and 0 / 0 gives 0."""
    bounds = jnp.iinfo(x.dtype)
    return jnp.where(y == 0, jnp.where(x > 0, bounds.max, jnp.where(x < 0, bounds.min, 0)), quotient).astype(x.dtype)


true_divide = binary(
    "true_divide",
    "RealDiv()(x, y)",
    "div",
    jnp.true_divide,
    "The quotient, of ints in float32.",
    (3.0, 2.0, 1.5),
    method=False,
    arguments=("dividend", "divisor"),
)
method("true_divide", (true_divide, "(other)"))
floor_divide = binary(
    "floor_divide", "FloorDiv", "floor_divide", _floor_divide, "Floor division: rounds down.", (-3.0, 2.0, -2.0)
)
floor_div = binary(
    "floor_div",
    None,
    "floor_divide",
    _floor_divide,
    "Floor division: the quotient, rounded down.",
    (-3.0, 2.0, -2.0),
    False,
    ("x", "y"),
)


def _with_positive_zero(function):
    """``function`` with NumPy's negative zeros made positive; for bools ``x & ~y``."""

    def compute(x, y):
        if x.dtype == jnp.bool_:
            return x & ~y
        rest = function(x, y)
        return rest - lax.stop_gradient(jnp.where(rest == 0, rest, 0))  # -0 - (-0) is 0

    return compute


_floor_mod = _with_positive_zero(jnp.mod)
floor_mod = binary(
    "floor_mod", "FloorMod", "floor_mod", _floor_mod, "Remainder of `floor_div`.", (-3.0, 2.0, 1.0), False, ("x", "y")
)


def _remainder(x, y):
    return x - _floor_divide(x, y) * y if jnp.iscomplexobj(x) else _floor_mod(x, y)


remainder = binary("remainder", None, "remainder", _remainder, "Remainder of floor division.", (-3.0, 2.0, 1.0), False)


method("remainder", (remainder, "(other)"), (remainder, "(divisor)"))
_fmod = _with_positive_zero(jnp.fmod)


@op(name="_fmod_of")
def _fmod_of(input: Operand, other: Operand):
    x, y = promoted("fmod", input, other)
    if not jnp.issubdtype(x.dtype, jnp.integer):
        return _fmod(x, y)
    # With the values that were given: 100 fmod 300 is 100 in int8, too. What is divided by 0 stays as it is.
    wide = jnp.uint64 if x.dtype == jnp.uint64 else jnp.int64
    left, right = input.astype(wide), other.astype(wide)
    return jnp.where(right == 0, left, lax.rem(*jnp.broadcast_arrays(left, right))).astype(x.dtype)


_fmod_of.op.kind = "fmod"


def _is_outside(value, other):
    """Whether an int is outside the range of the dtype of the other operand, a Tensor of ints."""
    if not isinstance(value, int) or not isinstance(other, Handle) or other.aval[1].kind not in "iu":
        return False
    limits = np.iinfo(other.aval[1])
    return not limits.min <= value <= limits.max


@composite(method="fmod")
def fmod(input: Operand, other: Operand):
    """Remainder with the sign of the dividend.

    Args:
        input, other (Tensor | Number): shapes that broadcast.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.fmod(Tensor([-3.0]), Tensor([2.0])).tolist()
        [-1.0]
    Source: mindspore.ops.fmod, mindspore.Tensor.fmod
    """
    if _is_outside(other, input):
        return _fmod_of(input, Tensor(other, dtypes.int64))
    if _is_outside(input, other):
        return _fmod_of(Tensor(input, dtypes.int64), other).astype(other.dtype)
    return _fmod_of(input, other)


truncate_mod = binary(
    "truncate_mod",
    ("Mod", "TruncateMod"),
    "Mod",
    _fmod,
    "Remainder with the sign of the dividend.",
    (-3.0, 2.0, -1.0),
    False,
    ("x", "y"),
)


_div = binary("_div", "Div", "div", jnp.true_divide, "The quotient, of ints in float32.", (3.0, 2.0, 1.5))
_div.op.float_gradient = True


@op(name="_div_rounded")
def _div_rounded(input: Operand, other: Operand, rounding_mode: OneOf("floor", "trunc")):
    x, y = promoted("floor_divide", input, other)
    if rounding_mode == "floor":
        return _floor_divide(x, y)
    return jnp.trunc(x / y) if is_inexact(x.dtype) else _bounded(lax.div(*jnp.broadcast_arrays(x, y)), x, y)


@composite(method=("div", "divide"))
def div(input, other, *, rounding_mode: OneOf("floor", "trunc") | None = None):
    """The quotient, of ints in float32.

    Args:
        input, other (Tensor | Number): shapes that broadcast.
        rounding_mode (str): ``'floor'`` rounds down, ``'trunc'`` towards 0; ints then stay ints. Default: ``None``.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast,
            or for another ``rounding_mode``.
    Example:
        >>> ops.div(Tensor([-3.0]), Tensor([2.0]), rounding_mode="trunc").tolist()
        [-1.0]
    Source: mindspore.ops.div, mindspore.ops.divide, mindspore.Tensor.div, mindspore.Tensor.divide
    """
    return _div(input, other) if rounding_mode is None else _div_rounded(input, other, rounding_mode)


alias(div, "divide")


binary(
    "_div_no_nan",
    "DivNoNan",
    "DivNoNan",
    lambda x, y: jnp.where(y == 0, 0, x / jnp.where(y == 0, 1, y)),
    "The quotient, and 0 where the divisor is 0.",
    (3.0, 0.0, 0.0),
    arguments=("x", "y"),
)


@op("TruncateDiv")
def truncate_div(x: Operand, y: Operand):
    """The quotient, rounded towards 0.

    Args:
        x, y (Tensor | Number): shapes that broadcast.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if an operand is neither, or the dtypes do not go together.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.TruncateDiv()(Tensor([-3.0]), Tensor([2.0])).tolist()
        [-1.0]
    Source: mindspore.ops.truncate_div, mindspore.ops.TruncateDiv
    """
    return _div_rounded(x, y, "trunc")


xdivy = binary(
    "xdivy",
    "Xdivy",
    "Xdivy",
    lambda x, y: jnp.where(x == 0, 0, x / jnp.where(x == 0, 1, y)),
    "The quotient, and 0 where the first is 0.",
    (0.0, 0.0, 0.0),
    arguments=("x", "y"),
)
