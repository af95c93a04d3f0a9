"""Activation functions.

At non-differentiable points the derivatives are MindSpore's: formulas are chosen so that JAX gives these, as noted.
"""

import math

import jax
import jax.numpy as jnp
from jax.scipy import special

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Axis, Bool, Float
from ..._contracts.kinds import Scalar
from ...engine.transforms.lifting import is_inexact
from ...tensor.c_casts import convert
from .._core.define import op
from .._core.faces import face, method, primitive
from .._core.families import unary

_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def _floats(x, op_name, arg_name="input"):
    return check.dtype(x, "f", arg_name, op_name)


def _relu(x):
    return jnp.where(x > 0, x, jnp.zeros((), x.dtype))  # gradient 0 at 0


def _row(name, primitive, function, summary, example, argument="input", accepts="f"):
    """Defines an activation of one argument, for dtypes of the kinds ``accepts``; for ints rounded towards 0."""

    def checked(x):
        return function(check.dtype(x, accepts, argument, primitive or name)).astype(x.dtype)

    return unary(name, primitive, checked, summary, example, method=False, argument=argument, dtypes="any")


def _relu6(x):
    below = jnp.where(x <= 0, jnp.zeros((), x.dtype), x)  # the gradient is 1 at 6, as below it; NaN passes
    return jnp.where(x > 6, jnp.full((), 6, x.dtype), below)


def _hardswish(x):
    # The unused product would have an infinite gradient; that of NaN is NaN.
    inside = jnp.where(jnp.abs(x) <= 3, x, jnp.where(jnp.isnan(x), x, 0))
    return jnp.where(x < -3, 0, jnp.where(x > 3, x, inside * (inside + 3) / 6))


def _selu(x):
    if jnp.issubdtype(x.dtype, jnp.integer):
        return _relu(x)  # MindSpore rounds scale and alpha to ints too
    # The derivative at 0 is SCALE.
    below = jnp.expm1(jnp.where(x >= 0, 0, x)) * _SELU_ALPHA
    return _SELU_SCALE * jnp.where(x >= 0, x, below)


def _mish(x):
    return x * jnp.tanh(jax.nn.softplus(x))


def _log_sigmoid(x):
    if not jnp.iscomplexobj(x):
        return jax.nn.log_sigmoid(x)
    right = jnp.real(x) >= 0  # exp of the other sign cannot overflow
    return jnp.where(right, 0, x) - jnp.log1p(jnp.exp(jnp.where(right, -x, x)))


def _fast_gelu(x):
    return x * jax.nn.sigmoid(1.702 * x)


@op("ReLU")
def relu(input: Array, inplace: Bool = False):
    """ReLU: ``max(x, 0)``; its derivative is 0 at 0.

    Args:
        input (Tensor): any shape, a real dtype.
        inplace (bool): whether ``input`` becomes the result too; must be False. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of real numbers.  ValueError: if ``inplace`` is True.
    Example:
        >>> ops.relu(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    Source: mindspore.ops.relu, mindspore.ops.ReLU
    """
    if inplace:
        check.refuse(ValueError, "ReLU", "inplace", "False", inplace, "Write x = ops.relu(x) instead.")
    x = check.dtype(input, "biuf", "input", "ReLU")
    return x if x.dtype == jnp.bool_ else _relu(x)


relu6 = _row("relu6", "ReLU6", _relu6, "ReLU6: ``min(max(x, 0), 6)``; gradient 0 at 0, 1 at 6.", (7.0, 6.0), "x")
selu = _row(
    "selu", "SeLU", _selu, "SELU: ``scale * (x if x >= 0 else alpha * (exp(x) - 1))``.", (0.0, 0.0), "input_x", "if"
)
logsigmoid = _row(
    "logsigmoid",
    None,
    _log_sigmoid,
    "Log-sigmoid: the logarithm of `sigmoid`.",
    (-math.inf, -math.inf),
    "x",
    accepts="fc",
)
mish = _row("mish", "Mish", _mish, "Mish: ``x * tanh(softplus(x))``.", (0.0, 0.0), "x")
softsign = _row("softsign", "Softsign", lambda x: x / (1 + jnp.abs(x)), "``x / (1 + |x|)``.", (1.0, 0.5), "x")
fast_gelu = _row("fast_gelu", "FastGeLU", _fast_gelu, "Fast GELU: ``x * sigmoid(1.702 x)``.", (0.0, 0.0), "x")
hardsigmoid = _row(
    "hardsigmoid",
    "HSigmoid",
    lambda x: jnp.where(x >= 3, 1, jnp.where(x <= -3, 0, x / 6 + 0.5)),
    "Hard sigmoid: ``x / 6 + 1 / 2`` between -3 and 3, 0 below, 1 above; gradient 0 at both ends.",
    (0.0, 0.5),
    accepts="if",
)
hardswish = _row(
    "hardswish",
    "HSwish",
    _hardswish,
    "Hard swish: ``x * (x + 3) / 6`` between -3 and 3, 0 below, x above; the gradient is -0.5 at -3, 1.5 at 3.",
    (3.0, 3.0),
    accepts="if",
)
silu = unary("silu", None, jax.nn.silu, "SiLU, or swish: ``x * sigmoid(x)``.", (0.0, 0.0), method=False)
tanhshrink = unary(
    "tanhshrink", None, lambda x: x - jnp.tanh(x), "Tanh shrink: ``x - tanh(x)``.", (0.0, 0.0), method=False
)


@op()
def leaky_relu(input: Array, alpha: Scalar() = 0.2):
    """Leaky ReLU: ``max(x, alpha x)``, or the minimum if ``alpha > 1``; gradient ``(1 + alpha) / 2`` at 0.

    Args:
        input (Tensor): any shape, a real dtype.
        alpha (int | float): the slope below 0. Default: ``0.2``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of real numbers, or ``alpha`` not a number.
    Example:
        >>> ops.leaky_relu(Tensor([-1.0, 2.0]), 0.5).tolist()
        [-0.5, 2.0]
    Source: mindspore.ops.leaky_relu
    """
    x = check.dtype(input, "biuf", "input", "leaky_relu")
    # An int times a fraction is rounded towards 0 again: alpha is cast to the dtype of the input.
    scaled = x * jnp.asarray(alpha, x.dtype)
    return jnp.where(alpha <= 1, jnp.maximum(x, scaled), jnp.minimum(x, scaled))


@op("Elu(alpha=1.0)")
def elu(input_x: Array, alpha: Float = 1.0):
    """ELU: ``x`` above 0, ``alpha (exp(x) - 1)`` below; gradient 1 at 0.

    Args:
        input_x (Tensor): any shape, a float dtype.
        alpha (float): Default: ``1.0``, all that MindSpore supports.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input_x`` is not a Tensor of floats, or ``alpha`` no float.  ValueError: if it is not 1.
    Example:
        >>> ops.elu(Tensor([0.0, 2.0])).tolist()
        [0.0, 2.0]
    Source: mindspore.ops.elu, mindspore.ops.Elu
    """
    if alpha != 1:
        check.refuse(ValueError, "Elu", "alpha", "1.0", alpha, "Use ops.celu for another one.")
    return jax.nn.elu(_floats(input_x, "Elu", "input_x"))


@op(name="_elu")
def _elu(input: Array, alpha: Scalar() = 1.0):
    """``x`` above 0, ``alpha * (exp(x) - 1)`` below; of any ``alpha``, unlike `ops.elu`.

    Args:
        input (Tensor): any shape, a float dtype.
        alpha (float): Default: ``1.0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> mint.nn.functional.elu(Tensor([2.0]), 0.5).tolist()
        [2.0]
    Source: mindspore.mint.nn.functional.elu
    """
    return jax.nn.elu(_floats(input, "elu"), alpha)


def _check_celu(alpha):
    if alpha == 0:
        check.refuse(ValueError, "CeLU", "alpha", "a number other than 0", alpha)


@op("CeLU(alpha=1.0)")
def celu(x: Array, alpha: Scalar(_check_celu) = 1.0):
    """CELU: ``max(x, 0) + min(alpha (exp(x / alpha) - 1), 0)``; gradient 1 at 0.

    Args:
        x (Tensor): any shape, a float dtype.
        alpha (float): not 0. Default: ``1.0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``x`` is not a Tensor of floats.  ValueError: if ``alpha`` is 0.
    Example:
        >>> ops.celu(Tensor([0.0, 2.0])).tolist()
        [0.0, 2.0]
    Source: mindspore.ops.celu, mindspore.ops.CeLU
    """
    return jax.nn.celu(_floats(x, "CeLU", "x"), alpha)


@op()
def gelu(input: Array, approximate: OneOf("none", "tanh") = "none"):
    """GELU: ``x * Phi(x)``, with Phi the distribution function of the standard normal distribution.

    Args:
        input (Tensor): any shape, a float dtype.
        approximate (str): ``'none'`` for the exact form, by ``erf``, or ``'tanh'``. Default: ``'none'``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of floats.  ValueError: for another ``approximate``.
    Example:
        >>> ops.gelu(Tensor([0.0])).tolist()
        [0.0]
    Source: mindspore.ops.gelu
    """
    x = _floats(input, "gelu")
    if approximate == "tanh":
        return jax.nn.gelu(x, approximate=True)
    return 0.5 * x * (1 + special.erf(x / math.sqrt(2)))


@op("GeLU", name="_gelu_tanh")
def gelu_tanh(input: Array):
    """GELU in its approximation with ``tanh``.

    Args:
        input (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of floats.
    Example:
        >>> ops.GeLU()(Tensor([0.0])).tolist()
        [0.0]
    Source: mindspore.ops.GeLU
    """
    return jax.nn.gelu(_floats(input, "GeLU"), approximate=True)


@op("Softplus", name="_softplus")
def _softplus(x: Array):
    """Softplus: ``log(1 + exp(x))``.

    Args:
        x (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``x`` is not a Tensor of floats.
    Example:
        >>> ops.Softplus()(Tensor([30.0])).tolist()
        [30.0]
    Source: mindspore.ops.Softplus
    """
    return jax.nn.softplus(_floats(x, "Softplus", "x"))


@op()
def softplus(input: Array, beta: Scalar() = 1, threshold: Scalar() = 20):
    """Softplus: ``log(1 + exp(beta x)) / beta``, and ``x`` itself where ``beta x`` is above ``threshold``.

    Args:
        input (Tensor): any shape, a float dtype.
        beta (int | float): Default: ``1``.
        threshold (int | float): Default: ``20``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of floats.
    Example:
        >>> ops.softplus(Tensor([30.0])).tolist()
        [30.0]
    Source: mindspore.ops.softplus
    """
    x = _floats(input, "softplus")
    scaled = x * beta
    return jnp.where(scaled > threshold, x, jax.nn.softplus(scaled) / beta)


@op("SoftShrink(lambd=0.5)")
def softshrink(input: Array, lambd: Scalar() = 0.5):
    """Soft shrink: ``x - lambd`` above ``lambd``, ``x + lambd`` below ``-lambd``, 0 between; gradient 0 there.

    Args:
        input (Tensor): any shape, a float dtype.
        lambd (float): non-negative. Default: ``0.5``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of floats.
    Example:
        >>> ops.softshrink(Tensor([-1.0, 0.0])).tolist()
        [-0.5, 0.0]
    Source: mindspore.ops.softshrink, mindspore.ops.SoftShrink
    """
    x = _floats(input, "SoftShrink")
    return jnp.where(jnp.abs(x) <= lambd, 0, jnp.where(x < 0, x + lambd, x - lambd)).astype(x.dtype)


@op("HShrink(lambd=0.5)", method="hardshrink")
def hardshrink(input: Array, lambd: Scalar() = 0.5):
    """Hard shrink: ``x``, and 0 between ``-lambd`` and ``lambd``; gradient 0 there.

    Args:
        input (Tensor): any shape, a float dtype.
        lambd (float): Default: ``0.5``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of floats.
    Example:
        >>> ops.hardshrink(Tensor([-1.0, 0.25])).tolist()
        [-1.0, 0.0]
    Source: mindspore.ops.hardshrink, mindspore.ops.HShrink, mindspore.Tensor.hardshrink
    """
    x = _floats(input, "HShrink")
    return jnp.where(jnp.abs(x) <= lambd, jnp.zeros((), x.dtype), x)


def _beside(function, x, number):
    """``function(x, number)`` in the dtype that a Tensor and a number come to: float32 for ints and a float."""
    number = jnp.asarray(number)
    dtype = jnp.float32 if is_inexact(number.dtype) and not is_inexact(x.dtype) else x.dtype
    return function(x.astype(dtype), number.astype(dtype))


@op()
def hardtanh(input: Array, min_val: Scalar() = -1.0, max_val: Scalar() = 1.0):
    """Hard tanh: clips to ``[min_val, max_val]``; gradient 0.5 at both ends.

    Args:
        input (Tensor): any shape, a real dtype.
        min_val, max_val (int | float): Default: ``-1.0`` and ``1.0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``input`` is not a Tensor of real numbers.
    Example:
        >>> ops.hardtanh(Tensor([-2.0, 0.5])).tolist()
        [-1.0, 0.5]
    Source: mindspore.ops.hardtanh
    """
    x = check.dtype(input, "iuf", "input", "hardtanh")
    return convert(_beside(jnp.minimum, _beside(jnp.maximum, x, min_val), max_val), x.dtype)


@op()
def threshold(input: Array, thr: Scalar(), value: Scalar()):
    """``x`` where it is above ``thr``, else ``value``; gradient 0 at ``thr``.

    Args:
        input (Tensor): any shape, a real dtype.
        thr, value (int | float): the threshold, and the value below it.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.threshold(Tensor([-1.0, 2.0]), 0.0, 5.0).tolist()
        [5.0, 2.0]
    Source: mindspore.ops.threshold
    """
    return jnp.where(input > thr, input, jnp.asarray(value, input.dtype))


@op("PReLU")
def prelu(input: Array, weight: Array):
    """PReLU: ``x`` above 0, ``weight * x`` from 0 down, with one weight for all or one for each channel (axis 1).

    Args:
        input (Tensor): shape ``(N, C, ...)``, a float dtype.
        weight (Tensor): shape ``(1,)`` or ``(C,)``, or of rank 0.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if an argument is not a Tensor of floats.  ValueError: if the weights do not fit the channels.
    Example:
        >>> ops.prelu(Tensor([[-2.0, 2.0]]), Tensor([0.25])).tolist()
        [[-0.5, 2.0]]
    Source: mindspore.ops.prelu, mindspore.ops.PReLU
    """
    x, weight = _floats(input, "PReLU"), _floats(weight, "PReLU", "weight")
    channels = x.shape[1] if x.ndim > 1 else 1
    if weight.ndim > 1 or weight.size not in (1, channels):
        expected = f"of shape (1,) or ({channels},), one for each channel (axis 1)"
        check.refuse(ValueError, "PReLU", "weight", expected, weight.shape)
    if weight.size > 1:
        weight = weight.reshape((-1, *(1,) * (x.ndim - 2)))
    elif weight.ndim:
        weight = weight.reshape(())
    return jnp.where(x > 0, x, (weight * x).astype(x.dtype))


@op("GLU(axis=-1)")
def glu(x: Array, axis: Axis = -1):
    """Gated linear unit: the first half along ``axis`` times the `sigmoid` of the second.

    Args:
        x (Tensor): of even length along ``axis``, a float dtype.
        axis (int): Default: ``-1``.
    Returns:
        Tensor, half as long along ``axis``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or its length is odd.
    Example:
        >>> ops.glu(Tensor([2.0, 0.0])).tolist()
        [1.0]
    Source: mindspore.ops.glu
    """
    first, second = _halves(_floats(x, "glu", "x"), axis, "x", "glu")
    return first * jax.nn.sigmoid(second)


def _halves(x, axis, arg_name, op_name):
    axis = check.axis(axis, check.at_least_rank(x, 1, arg_name, op_name).ndim, "axis", op_name)
    if x.shape[axis] % 2:
        check.refuse(ValueError, op_name, arg_name, f"of even length along axis {axis}", x.shape)
    return jnp.split(x, 2, axis)


@op()
def swiglu(input: Array, dim: Axis = -1):
    """SwiGLU: the `silu` of the first half along ``dim`` times the second.

    Args:
        input (Tensor): of even length along ``dim``, a float dtype.
        dim (int): Default: ``-1``.
    Returns:
        Tensor, half as long along ``dim``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or its length is odd.
    Example:
        >>> ops.swiglu(Tensor([0.0, 2.0])).tolist()
        [0.0]
    Source: mindspore.ops.swiglu
    """
    first, second = _halves(_floats(input, "swiglu"), dim, "input", "swiglu")
    return jax.nn.silu(first) * second


primitive(gelu, "Gelu()", fixed={"approximate": "tanh"})
primitive(fast_gelu, "FastGelu()")
face(softshrink, "soft_shrink(input, lambd=0.5)")
method("soft_shrink", (softshrink, "(lambd=0.5)"))
