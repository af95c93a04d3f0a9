"""Softmax, log-softmax and softmin; the axis of some forms may come as a tuple of one."""

import jax

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Dtype
from ..._contracts.kinds import Static
from ...engine.fusion import MODULES
from .._core.define import composite, op
from .._core.faces import completed, method, primitive


def _axis_or_axes(value, arg_name, owner):
    if isinstance(value, list):
        check.refuse(TypeError, owner, arg_name, "an int or a tuple of ints", value)
    return check.axes_given(value, arg_name, owner)


_AxisOrTuple = Static(_axis_or_axes, *Axis.types, tuple, list)


def _sole(axis):
    """The axis, which some forms take as a tuple of one."""
    if not isinstance(axis, tuple):
        return axis
    if not axis:
        raise ValueError("For primitive[Softmax], the length of axis must be greater than or equal to 1, but got 0.")
    if len(axis) > 1:
        check.refuse(RuntimeError, "Softmax", "axis", "a single axis, as MindSpore's CPU has it", axis)
    return axis[0]


def _along(function, x, axis, argument, owner, dtype=None):
    x = check.dtype(x if dtype is None else x.astype(dtype.numpy), "f", argument, owner)
    return function(x, check.axis_and_length(axis, x.shape, "axis", owner)[0])


@op(wide=True)
def softmax(input: Array, axis: Axis = -1, *, dtype: Dtype | None = None):
    """Softmax: ``exp(x) / sum(exp(x))`` along ``axis``.

    Args:
        input (Tensor): any shape, a float dtype, or any if ``dtype`` is given.
        axis (int): Default: ``-1``.
        dtype (mindspore.dtype): to which ``input`` is cast first. Default: ``None``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.softmax(Tensor([0.0, 0.0])).tolist()
        [0.5, 0.5]
    Source: mindspore.ops.softmax
    """
    return _along(jax.nn.softmax, input, axis, "input", "Softmax", dtype)


MODULES[softmax.op] = "msgrad.ops.attention.spellings"


@op("LogSoftmax(axis=-1)", wide=True)
def log_softmax(logits: Array, axis: Axis = -1):
    """Log-softmax: the logarithm of `softmax` along ``axis``.

    Args:
        logits (Tensor): any shape, a float dtype.
        axis (int): Default: ``-1``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.log_softmax(Tensor([3.0])).tolist()
        [0.0]
    Source: mindspore.ops.log_softmax, mindspore.ops.LogSoftmax
    """
    if logits.ndim == 0 and axis == 0:  # one logit alone, as in MindSpore
        return log_softmax.op.body(logits[None], 0)[0]
    return _along(jax.nn.log_softmax, logits, axis, "logits", "LogSoftmax")


@op(name="_log_softmax_ext", wide=True)
def log_softmax_ext(input: Array, dim: Axis | None = None, dtype: Dtype | None = None):
    """The logarithm of `softmax` along ``dim``.

    Args:
        input (Tensor): any shape, a float dtype, or any if ``dtype`` is given.
        dim (int | None): Default: ``None``, which is 0 for ranks 0, 1 and 3, else 1.
        dtype (mindspore.dtype): to which ``input`` is cast first. Default: ``None``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.LogSoftmaxExt()(Tensor([3.0])).tolist()
        [0.0]
    Source: mindspore.ops.LogSoftmaxExt
    """
    dim = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return _along(jax.nn.log_softmax, input, dim, "input", "LogSoftmaxExt", dtype)


@op(wide=True)
def softmin(x: Array, axis: _AxisOrTuple = -1, *, dtype: Dtype | None = None):
    """The `softmax` of ``-x`` along ``axis``.

    Args:
        x (Tensor): any shape, a float dtype.
        axis (int | tuple[int]): the axis, or a tuple of it. Default: ``-1``.
        dtype (mindspore.dtype): to which ``x`` is cast first. Default: ``None``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.softmin(Tensor([0.0, 0.0])).tolist()
        [0.5, 0.5]
    Source: mindspore.ops.softmin
    """
    return _along(jax.nn.softmax, -x, _sole(axis), "x", "Softmax", dtype)


@composite("Softmax(axis=-1)(input)", name="_softmax_along")
def _softmax_along(input: Array, axis: _AxisOrTuple = -1):
    """The `softmax` along an axis, or along that of a tuple of one.

    Args:
        input (Tensor): any shape, a float dtype.
        axis (int | tuple[int]): the axis, or a tuple of it. Default: ``-1``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or the tuple empty.
        RuntimeError: if the tuple has several axes.
    Example:
        >>> ops.Softmax((0,))(Tensor([0.0, 0.0])).tolist()
        [0.5, 0.5]
    Source: mindspore.ops.Softmax
    """
    return softmax(input, _sole(axis))


@completed("Softmax")
def _with_axes(primitive):
    """Keeps the axis as a tuple, as MindSpore does."""
    if isinstance(primitive.axis, int):
        primitive.add_prim_attr("axis", (primitive.axis,))


primitive(log_softmax_ext, "LogSoftmaxExt()(input, dim=None, dtype=None)")
method("softmax", (softmax, "(axis, dtype=None)"))
