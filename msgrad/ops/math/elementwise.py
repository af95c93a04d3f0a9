"""Elementwise functions of one operand.

At non-differentiable points the derivatives are MindSpore's: functions are written so that JAX gives these, and
comments note where.
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from ..._contracts import check
from ..._contracts.contracts import Array, Int
from ..._contracts.kinds import Scalar
from .._core.define import op
from .._core.faces import face, method
from .._core.families import unary


def _abs(x):
    # The derivative is the sign, so 0 at 0. MindSpore keeps complex numbers complex.
    if jnp.iscomplexobj(x):
        return jnp.abs(x).astype(x.dtype)
    if x.dtype == jnp.bool_:
        return x
    return x * lax.stop_gradient(jnp.sign(x))


@jax.custom_jvp
def _acosh(x):
    return jnp.arccosh(x)


@_acosh.defjvp
def _acosh_jvp(primals, tangents):
    # Outside of the domain the derivative is not a number either: it is 1 / sinh(acosh(x)).
    (x,), (dx,) = primals, tangents
    y = _acosh(x)
    return y, dx / jnp.sinh(y)


def _neg(x):
    if x.dtype == jnp.bool_:
        check.refuse(TypeError, "Neg", "input", "a Tensor of numbers", x.dtype.name, "Use ops.logical_not.")
    return -x


def _sign_of_real(x):
    # 0 for -0 too, and as in MindSpore for NaN.
    return jnp.where((x == 0) | jnp.isnan(x), 0, jnp.sign(x)).astype(x.dtype)


def _sign(x):
    return jnp.sign(x) if jnp.iscomplexobj(x) else _sign_of_real(x)


def _exp2(x):
    # XLA multiplies by the logarithm of 2 and rounds: in float16, 2**10 would be 1026.
    wide = jnp.promote_types(x.dtype, jnp.float32)
    return jnp.exp2(x.astype(wide)).astype(x.dtype)


def _floor(x):
    return x if jnp.issubdtype(x.dtype, jnp.integer) else jnp.floor(x)


def _round(x):
    return x if jnp.issubdtype(x.dtype, jnp.integer) else jnp.round(x)


def _frac(x):
    return x - lax.stop_gradient(jnp.trunc(x))


def _sigmoid(x):
    return 1 / (1 + jnp.exp(-x)) if jnp.iscomplexobj(x) else jax.nn.sigmoid(x)


def _digamma(x):
    return jnp.where(x == 0, jnp.copysign(jnp.inf, -x), special.digamma(x)).astype(x.dtype)  # NaN in JAX at the pole 0


def _trunc(x):
    return jnp.trunc(x) if jnp.issubdtype(x.dtype, jnp.floating) else x


def _infinite(x, sign):
    return x == sign * jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.zeros(x.shape, bool)


def _is_real(x):
    return jnp.imag(x) == 0 if jnp.iscomplexobj(x) else jnp.ones(x.shape, bool)


neg = unary("neg", "Neg", _neg, "The number with the other sign.", (1.0, -1.0), aliases=("negative",))
positive = unary("positive", None, lambda x: x, "Unary plus: the number itself.", (-2.0, -2.0))
abs = unary("abs", "Abs", _abs, "The absolute value; its derivative is the sign.", (-2.0, 2.0), aliases=("absolute",))
sign = unary("sign", "Sign", _sign, "The sign: -1, 0 or 1.", (-2.0, -1.0))
sgn = unary("sgn", None, _sign, "The sign; of a complex number, the number of length 1.", (-2.0, -1.0))
square = unary("square", "Square", jnp.square, "The square.", (3.0, 9.0))
sqrt = unary("sqrt", "Sqrt", jnp.sqrt, "The square root; of an int in float32.", (4.0, 2.0), argument="x")
sqrt.op.float_gradient = True
rsqrt = unary("rsqrt", "Rsqrt", lax.rsqrt, "Reciprocal square root.", (4.0, 0.5))
reciprocal = unary("reciprocal", "Reciprocal", lambda x: 1 / x, "Reciprocal; of an int in float32.", (4.0, 0.25))

exp = unary("exp", "Exp", jnp.exp, "The exponential function.", (0.0, 1.0))
exp2 = unary("exp2", None, _exp2, "Two to the power of the number.", (3.0, 8.0), method=False)
expm1 = unary("expm1", "Expm1", jnp.expm1, "The exponential function minus one, exact near 0.", (0.0, 0.0))
log = unary("log", "Log", jnp.log, "The natural logarithm.", (1.0, 0.0))
log1p = unary("log1p", "Log1p", jnp.log1p, "The natural logarithm of one plus the number.", (0.0, 0.0))
log2 = unary("log2", None, lambda x: jnp.log(x) / jnp.log(2.0).astype(x.dtype), "The binary logarithm.", (1.0, 0.0))
log10 = unary("log10", None, lambda x: jnp.log(x) / jnp.log(10.0).astype(x.dtype), "The decimal logarithm.", (1.0, 0.0))

sin = unary("sin", "Sin", jnp.sin, "Sine, in radians.", (0.0, 0.0))
cos = unary("cos", "Cos", jnp.cos, "Cosine, in radians.", (0.0, 1.0))
tan = unary("tan", "Tan", jnp.tan, "Tangent, in radians.", (0.0, 0.0))
asin = unary("asin", "Asin", jnp.arcsin, "Arc sine, in radians.", (0.0, 0.0))
arcsin = unary("arcsin", None, jnp.arcsin, "Arc sine, in radians.", (0.0, 0.0), argument="x", dtypes="asin")
acos = unary("acos", "ACos", jnp.arccos, "Arc cosine, in radians.", (1.0, 0.0), aliases=("arccos",))
atan = unary("atan", "Atan", jnp.arctan, "Arc tangent, in radians.", (0.0, 0.0), aliases=("arctan",))
sinh = unary("sinh", "Sinh", jnp.sinh, "Hyperbolic sine.", (0.0, 0.0))
cosh = unary("cosh", "Cosh", jnp.cosh, "Hyperbolic cosine.", (0.0, 1.0))
tanh = unary("tanh", "Tanh", jnp.tanh, "Hyperbolic tangent.", (0.0, 0.0))
asinh = unary("asinh", "Asinh", jnp.arcsinh, "Inverse hyperbolic sine.", (0.0, 0.0), aliases=("arcsinh",))
acosh = unary("acosh", "Acosh", _acosh, "Inverse hyperbolic cosine.", (1.0, 0.0), aliases=("arccosh",))
atanh = unary("atanh", "Atanh", jnp.arctanh, "Inverse hyperbolic tangent.", (0.0, 0.0), aliases=("arctanh",))
sinc = unary("sinc", "Sinc", jnp.sinc, "``sin(pi x) / (pi x)``, and 1 at 0.", (0.0, 1.0))
deg2rad = unary("deg2rad", None, jnp.deg2rad, "Converts degrees to radians.", (0.0, 0.0), argument="x", dtypes="sqrt")
rad2deg = unary("rad2deg", None, jnp.rad2deg, "Converts radians to degrees.", (0.0, 0.0), argument="x", dtypes="sqrt")

erf = unary("erf", "Erf", special.erf, "The error function.", (0.0, 0.0))
erfc = unary("erfc", "Erfc", special.erfc, "One minus the error function.", (0.0, 1.0))
erfinv = unary("erfinv", "Erfinv", special.erfinv, "The inverse of the error function.", (0.0, 0.0))
lgamma = unary(
    "lgamma",
    "Lgamma",
    special.gammaln,
    "The logarithm of the gamma function.",
    (float("inf"), float("inf")),
    dtypes="erf",
)
digamma = unary(
    "digamma", "Digamma", _digamma, "The derivative of ``lgamma``.", (float("inf"), float("inf")), dtypes="erf"
)
sigmoid = unary("sigmoid", "Sigmoid", _sigmoid, "Sigmoid: ``1 / (1 + exp(-x))``.", (0.0, 0.5))

floor = unary("floor", "Floor", _floor, "Floor: the largest integer that is not above the number.", (1.5, 1.0))
ceil = unary("ceil", "Ceil", jnp.ceil, "Ceiling: the smallest integer that is not below the number.", (1.5, 2.0))
trunc = unary("trunc", "Trunc", _trunc, "Truncation: the integer part, rounded towards 0.", (-1.5, -1.0))
frac = unary("frac", None, _frac, "The fractional part; its derivative is 1.", (-1.5, -0.5), argument="x")


logical_not = unary(
    "logical_not", "LogicalNot", lambda x: x == 0, "Logical NOT: whether the number is 0.", (1.0, False), dtypes="any"
)
isnan = unary("isnan", "IsNan", jnp.isnan, "Whether it is NaN.", (float("nan"), True), dtypes="any")
isinf = unary("isinf", "IsInf", jnp.isinf, "Whether it is infinite.", (float("inf"), True), dtypes="any")
isfinite = unary("isfinite", "IsFinite", jnp.isfinite, "Whether it is finite.", (float("inf"), False), dtypes="any")
isneginf = unary(
    "isneginf", None, lambda x: _infinite(x, -1), "Whether it is minus infinity.", (float("-inf"), True), dtypes="any"
)
isposinf = unary(
    "isposinf", None, lambda x: _infinite(x, 1), "Whether it is plus infinity.", (float("inf"), True), dtypes="any"
)
isreal = unary("isreal", None, _is_real, "Whether the imaginary part is 0.", (1.0, True), dtypes="any")
signbit = unary("signbit", None, lambda x: x < 0, "Sign bit: whether it is below 0.", (-1.0, True), dtypes="any")

real = unary("real", "Real", jnp.real, "The real part.", (1.5, 1.5), dtypes="any")
imag = unary("imag", "Imag", jnp.imag, "The imaginary part.", (1.5, 0.0), dtypes="any")
conj = unary("conj", "Conj", jnp.conj, "The complex conjugate.", (1.5, 1.5), dtypes="any")
angle = unary("angle", "Angle", jnp.angle, "The angle of a complex number, in radians.", (1.5, 0.0), dtypes="sqrt")


@op("Invert", method="invert")
def invert(x: Array):
    """Bitwise NOT.

    Args:
        x (Tensor): any shape, an int dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``x`` is not a Tensor of ints.
    Example:
        >>> ops.invert(Tensor([0, 1])).tolist()
        [-1, -2]
    Source: mindspore.ops.invert, mindspore.ops.Invert, mindspore.Tensor.invert
    """
    return jnp.invert(check.dtype(x, "iu", "x", "Invert"))


@op(name="_bitwise_not", method="bitwise_not")
def _bitwise_not(input: Array):
    """Bitwise NOT; of bools, logical NOT.

    Args:
        input (Tensor): any shape, bool or an int dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of ints or bools.
    Example:
        >>> Tensor([0, 1]).bitwise_not().tolist()
        [-1, -2]
    Source: mindspore.Tensor.bitwise_not
    """
    return jnp.invert(check.dtype(input, "biu", "input", "BitwiseNot"))


@op("Inv", name="_inv")
def _inv(x: Array):
    """Reciprocal; of an int it is rounded towards 0.

    Args:
        x (Tensor): any shape, a dtype of numbers.
    Returns:
        Tensor of the same shape and dtype.
    Example:
        >>> ops.Inv()(Tensor([4.0])).tolist()
        [0.25]
    Source: mindspore.ops.Inv
    """
    return (1 / x).astype(x.dtype)


face(_inv, "inv(x)")
method("inv", (_inv, "()"))


@op("Round", name="_round_to")
def _round_to(input: Array, decimals: Int = 0):
    """Rounds to the nearest integer, halves to the even one.

    Args:
        input (Tensor): any shape, a float or int dtype.
        decimals (int): must be 0, as for MindSpore on CPU. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        RuntimeError: if ``decimals`` is not 0.
    Example:
        >>> ops.Round()(Tensor([0.5, 1.5])).tolist()
        [0.0, 2.0]
    Source: mindspore.ops.Round, mindspore.Tensor.round
    """
    if decimals != 0:
        hint = f"Scale instead: ops.round(x * {10**decimals}) / {10**decimals}."
        check.refuse(RuntimeError, "Round", "decimals", "0", decimals, hint)
    return _round(input)


@op()
def round(input: Array, *, decimals: Int = 0):
    """Rounds to the nearest integer, halves to the even one.

    Args:
        input (Tensor): any shape, a float or int dtype.
        decimals (int): must be 0, as for MindSpore on CPU. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        RuntimeError: if ``decimals`` is not 0.
    Example:
        >>> ops.round(Tensor([0.5, 1.5])).tolist()
        [0.0, 2.0]
    Source: mindspore.ops.round
    """
    return _round_to(input, decimals)


method("round", (_round_to, "(decimals=0)"))


@op(method="logit")
def logit(input: Array, eps: Scalar() | None = None):
    """``log(x / (1 - x))``.

    Args:
        input (Tensor): any shape, a float dtype.
        eps (float): if given, ``x`` is first clamped to ``[eps, 1 - eps]``. Default: ``None``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of floats.
    Example:
        >>> ops.logit(Tensor([0.5])).tolist()
        [0.0]
    Source: mindspore.ops.logit, mindspore.Tensor.logit
    """
    x = check.dtype(input, "f", "input", "Logit")
    if eps is not None:
        x = jnp.clip(x, eps, 1 - eps)
    x = x * jnp.where((x < 0) | (x > 1), jnp.nan, 1).astype(x.dtype)  # so that the gradient is NaN, too
    return jnp.log(x) - jnp.log1p(-x)


@op("Logit(eps=-1.0)", name="_logit_primitive")
def logit_primitive(x: Array, eps: Scalar() = -1.0):
    """``log(x / (1 - x))``.

    Args:
        x (Tensor): any shape, a float dtype.
        eps (float): if not below 0, ``x`` is first clamped to ``[eps, 1 - eps]``. Default: ``-1.0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``x`` is not a Tensor of floats.
    Example:
        >>> ops.Logit()(Tensor([0.5])).tolist()
        [0.0]
    Source: mindspore.ops.Logit
    """
    check.dtype(x, "f", "x", "Logit")
    return logit(jnp.where(eps < 0, x, jnp.clip(x, eps, 1 - eps)))


@op("NanToNum(nan=None, posinf=None, neginf=None)", method="nan_to_num")
def nan_to_num(
    input: Array, nan: Scalar() | None = None, posinf: Scalar() | None = None, neginf: Scalar() | None = None
):
    """Replaces NaN and infinities.

    Args:
        input (Tensor): any shape, a float dtype.
        nan (float): instead of NaN. Default: ``None``, which means 0.
        posinf, neginf (float): instead of the infinities. Default: ``None``, the largest and smallest finite number.
    Returns:
        Tensor of the same shape and dtype.
    Example:
        >>> ops.nan_to_num(Tensor([float("nan"), 1.0])).tolist()
        [0.0, 1.0]
    Source: mindspore.ops.nan_to_num, mindspore.ops.NanToNum, mindspore.Tensor.nan_to_num
    """
    return jnp.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@op("Rint", name="_rint")
def _rint(input_x: Array):
    """Rounds to the nearest integer, halves to the even one.

    Args:
        input_x (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input_x`` is not a Tensor of floats.
    Example:
        >>> ops.Rint()(Tensor([0.5, 1.5])).tolist()
        [0.0, 2.0]
    Source: mindspore.ops.Rint
    """
    return jnp.rint(check.dtype(input_x, "f", "input_x", "Rint"))


@op("FloatStatus", name="_float_status")
def _float_status(x: Array):
    """Whether any element is not finite.

    Args:
        x (Tensor): any shape, a float dtype.
    Returns:
        Tensor of shape ``(1,)``, float32: 1 if there is one, else 0.
    Raises:
        TypeError: if ``x`` is not a Tensor of floats.
    Example:
        >>> ops.FloatStatus()(Tensor([1.0, float("inf")])).tolist()
        [1.0]
    Source: mindspore.ops.FloatStatus
    """
    return jnp.any(~jnp.isfinite(check.dtype(x, "f", "x", "FloatStatus"))).astype(jnp.float32)[None]
