"""MindSpore's internal gradient Primitives of elementwise functions, of selections by index, and of slices."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Ints, NonNegativeInt
from .._core.define import op
from .._core.families import body
from ..array.rearrange import strided_slice

# Derivatives of operations that need only the result ``y`` and its gradient ``g``, not the input.
BY_RESULT = {
    "Exp": lambda y, g: g * y,
    "Tanh": lambda y, g: g * (1 - y * y),
    "Sigmoid": lambda y, g: g * y * (1 - y),
    "Sqrt": lambda y, g: g / (2 * y),
    "Rsqrt": lambda y, g: g * y**3 / -2,
    "Reciprocal": lambda y, g: -g * y * y,
    "ReLU": lambda y, g: jnp.where(y > 0, g, 0),
}

_DOC = """The derivative of `{of}`.

    Args:
        {value} (Tensor): {phrase}; a float dtype.
        {gradient} (Tensor): the gradient with respect to the values, of the same shape.
    Returns:
        Tensor, the gradient with respect to the inputs.
    Raises:
        TypeError: if an argument is not a Tensor.
    Example:
        >>> ops.{primitive}()({example}).tolist()
        [{result}]
    Source: mindspore.ops.operations._grad_ops.{primitive}
    """


def _row(primitive, of, text, formula, example, result):
    """Defines the Primitive of a derivative.

    Args:
        primitive (str): its name.
        of (str): the function that it is the derivative of.
        text (str): its inputs in order, ``*`` before that which is the gradient, ``=`` before one that is a value.
        formula (callable): of both inputs, in order.
        example, result (str): inputs as text, and the number that they give.
    """
    first, second = text.split(", ")
    gradient, value = (first, second) if first.startswith("*") else (second, first)
    fields = {"of": of, "value": value.lstrip("="), "gradient": gradient.lstrip("*"), "primitive": primitive}
    fields |= {"phrase": "the values" if value.startswith("=") else "the inputs", "example": example, "result": result}
    inputs = ", ".join(f"{each.lstrip('*=')}: Array" for each in (first, second))
    op(primitive)(body(f"_{of}_grad({inputs})", formula, _DOC, **fields))


def _by_input(function):
    """The derivative of a function, from the gradient and the inputs."""
    return lambda gradient, x: jax.vjp(function, x)[1](gradient.astype(x.dtype))[0]


# The names are MindSpore's; those of SqrtGrad and RsqrtGrad are misleading.
_row("TanhGrad", "tanh", "=y, *dy", BY_RESULT["Tanh"], "Tensor([0.5]), Tensor([1.0])", "0.75")
_row("SigmoidGrad", "sigmoid", "=y, *dy", BY_RESULT["Sigmoid"], "Tensor([0.5]), Tensor([1.0])", "0.25")
_row("SqrtGrad", "sqrt", "=dy, *y", BY_RESULT["Sqrt"], "Tensor([2.0]), Tensor([1.0])", "0.25")
_row("RsqrtGrad", "rsqrt", "=y_backprop, *x", BY_RESULT["Rsqrt"], "Tensor([2.0]), Tensor([1.0])", "-4.0")
_row("ReciprocalGrad", "reciprocal", "=y, *dy", BY_RESULT["Reciprocal"], "Tensor([2.0]), Tensor([1.0])", "-4.0")
_row("AsinhGrad", "asinh", "=out, *dout", lambda y, dy: dy / jnp.cosh(y), "Tensor([0.0]), Tensor([1.0])", "1.0")
_row("AcoshGrad", "acosh", "=out, *dout", lambda y, dy: dy / jnp.sinh(y), "Tensor([1.0]), Tensor([0.0])", "0.0")
_row("AbsGrad", "abs", "x, *dout", lambda x, dy: dy * jnp.sign(x), "Tensor([-2.0]), Tensor([3.0])", "-3.0")
_row("AsinGrad", "asin", "x, *dout", lambda x, dy: dy / jnp.sqrt(1 - x * x), "Tensor([0.0]), Tensor([2.0])", "2.0")
_row("ACosGrad", "acos", "x, *dout", lambda x, dy: -dy / jnp.sqrt(1 - x * x), "Tensor([0.0]), Tensor([2.0])", "-2.0")
_row("AtanGrad", "atan", "x, *dout", lambda x, dy: dy / (1 + x * x), "Tensor([1.0]), Tensor([1.0])", "0.5")
_row(
    "ReluGrad",
    "relu",
    "*y_backprop, x",
    lambda dy, x: BY_RESULT["ReLU"](x, dy),
    "Tensor([3.0]), Tensor([2.0])",
    "3.0",
)
_row(
    "ReLU6Grad",
    "relu6",
    "*y_backprop, x",
    lambda dy, x: jnp.where((x > 0) & (x < 6), dy, 0),
    "Tensor([3.0]), Tensor([7.0])",
    "0.0",
)
_row(
    "SoftplusGrad",
    "softplus",
    "*gradients, features",
    _by_input(jax.nn.softplus),
    "Tensor([2.0]), Tensor([0.0])",
    "1.0",
)
_row("SiLUGrad", "silu", "*dout, x", _by_input(jax.nn.silu), "Tensor([2.0]), Tensor([0.0])", "1.0")
_row("HSwishGrad", "hswish", "*y_grad, x", _by_input(jax.nn.hard_swish), "Tensor([2.0]), Tensor([0.0])", "1.0")
_row(
    "HSigmoidGrad", "hsigmoid", "*grads, input_x", _by_input(jax.nn.hard_sigmoid), "Tensor([3.0]), Tensor([0.0])", "0.5"
)


@op(
    "StridedSliceGrad(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)"
    "(dy, shapex, begin, end, strides)"
)
def _strided_slice_grad(
    dy: Array,
    shapex: Ints,
    begin: Ints,
    end: Ints,
    strides: Ints,
    begin_mask: NonNegativeInt = 0,
    end_mask: NonNegativeInt = 0,
    ellipsis_mask: NonNegativeInt = 0,
    new_axis_mask: NonNegativeInt = 0,
    shrink_axis_mask: NonNegativeInt = 0,
):
    """The derivative of `StridedSlice`: the gradient in the slice, and 0 elsewhere.

    Args:
        dy (Tensor): the gradient with respect to what was cut out.
        shapex (tuple[int]): the shape that it was cut out of.
        begin, end, strides (tuple[int]): as for `StridedSlice`.
        begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask (int): as for `StridedSlice`.
            Default: ``0``.
    Returns:
        Tensor of shape ``shapex``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> ops.StridedSliceGrad()(Tensor([5.0, 6.0]), (4,), (0,), (4,), (2,)).tolist()
        [5.0, 0.0, 6.0, 0.0]
    Source: mindspore.ops.operations._grad_ops.StridedSliceGrad
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    whole = jax.ShapeDtypeStruct(shapex, dy.dtype)

    def cut(x):
        return strided_slice(x, begin, end, strides, *masks)

    shape = jax.eval_shape(cut, whole).shape
    if shape != dy.shape:
        check.refuse(ValueError, "StridedSliceGrad", "dy", f"of shape {shape}", dy.shape)
    return jax.linear_transpose(cut, whole)(dy)[0]
