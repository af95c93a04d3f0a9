"""Clamp, maximum and minimum."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Operand
from ...engine.transforms.lifting import is_inexact
from .._core.define import composite, op
from .._core.families import alias, binary, promoted


@jax.custom_jvp
def _larger(x, y):
    """The larger of two floats; equal ones share the gradient. As in MindSpore, a NaN on the left gives way."""
    return jnp.where(x > y, x, y)


@_larger.defjvp
def _larger_jvp(primals, tangents):
    x, y = primals
    return _larger(x, y), _tangent(x > y, y > x, x, y, *tangents)


@jax.custom_jvp
def _smaller(x, y):
    """The smaller of two floats; equal ones share the gradient. As in MindSpore, a NaN on the left gives way."""
    return jnp.where(x < y, x, y)


@_smaller.defjvp
def _smaller_jvp(primals, tangents):
    x, y = primals
    return _smaller(x, y), _tangent(x < y, y < x, x, y, *tangents)


def _tangent(is_left, is_right, x, y, dx, dy):
    # MindSpore gives both operands the whole gradient where one is not a number.
    either = jnp.isnan(x) | jnp.isnan(y)
    left, right = (jnp.where(either, 1, jnp.where(x == y, 0.5, side)).astype(x.dtype) for side in (is_left, is_right))
    return left * dx + right * dy


def _maximum(x, y):
    return _larger(x, y) if is_inexact(x.dtype) else jnp.maximum(x, y)


def _minimum(x, y):
    return _smaller(x, y) if is_inexact(x.dtype) else jnp.minimum(x, y)


def _fmax(x, y):
    # For equal operands, the first one gets the gradient.
    return jnp.where((x >= y) | jnp.isnan(y), x, y)


def _fmin(x, y):
    return jnp.where((x <= y) | jnp.isnan(y), x, y)


maximum = binary(
    "maximum",
    "Maximum",
    "maximum",
    _maximum,
    "The elementwise maximum; equal elements share the gradient.",
    (1.0, 2.0, 2.0),
)
minimum = binary(
    "minimum",
    "Minimum",
    "minimum",
    _minimum,
    "The elementwise minimum; equal elements share the gradient.",
    (1.0, 2.0, 1.0),
)
fmax = binary("fmax", "Fmax", "maximum", _fmax, "The elementwise maximum; NaN is ignored.", (1.0, 2.0, 2.0))
fmin = binary("fmin", "Fmin", "minimum", _fmin, "The elementwise minimum; NaN is ignored.", (1.0, 2.0, 1.0))


@op(method=("clamp", "clip"))
def clamp(input: Array, min: Operand | None = None, max: Operand | None = None):
    """Clamps to ``[min, max]``: first to at least ``min``, then to at most ``max``.

    Where a number equals a bound, its own gradient is 1 and the bound's 0. NaN becomes the first bound given.

    Args:
        input (Tensor): any shape.
        min, max (Tensor | Number): the bounds, of shapes that broadcast. Default: ``None``, which is no bound.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        ValueError: if both bounds are None.
    Example:
        >>> ops.clamp(Tensor([-1.0, 0.5, 2.0]), 0.0, 1.0).tolist()
        [0.0, 0.5, 1.0]
    Source: mindspore.ops.clamp, mindspore.ops.clip, mindspore.Tensor.clamp, mindspore.Tensor.clip
    """
    if min is None and max is None:
        check.refuse(ValueError, "Clamp", "min", "given where 'max' is None", None)
    if min is not None:
        x, low = promoted("clamp", input, min)
        input = jnp.where(x >= low, x, low)
    if max is not None:
        x, high = promoted("clamp", input, max)
        input = jnp.where(x <= high, x, high)
    return input


clamp.op.kind = "clamp"
alias(clamp, "clip")


@op(name="_clip_by_value")
def _clip_by_value(x: Array, clip_value_min: Operand | None = None, clip_value_max: Operand | None = None):
    """`clip_by_value` of one Tensor."""
    if clip_value_min is not None:
        x = _maximum(*promoted("maximum", x, clip_value_min.astype(x.dtype)))
    if clip_value_max is not None:
        x = _minimum(*promoted("minimum", x, clip_value_max.astype(x.dtype)))
    return x


_clip_by_value.op.kind = "clamp"


@composite()
def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """Like `clamp`, but a number that equals a bound shares its gradient with it, and bounds take the dtype of ``x``.

    Args:
        x (Tensor | list[Tensor] | tuple[Tensor]): any shapes.
        clip_value_min, clip_value_max (Tensor | Number): the bounds. Default: ``None``, which is no bound.
    Returns:
        Tensor of the dtype of ``x``, its shape broadcast with those of the bounds; of several Tensors, a tuple.
    Raises:
        ValueError: if both bounds are None.
    Example:
        >>> ops.clip_by_value(Tensor([-1.0, 0.5, 2.0]), 0.0, 1.0).tolist()
        [0.0, 0.5, 1.0]
    Source: mindspore.ops.clip_by_value
    """
    if clip_value_min is None and clip_value_max is None:
        check.refuse(ValueError, "clip_by_value", "clip_value_min", "given where 'clip_value_max' is None", None)
    if isinstance(x, (list, tuple)):
        return tuple(clip_by_value(each, clip_value_min, clip_value_max) for each in x)
    return _clip_by_value(x, clip_value_min, clip_value_max)
