"""Argmax and argmin, and the largest and smallest elements along one axis with their indices.

Among equal elements the first one is used, and it gets the whole gradient. `_both` makes both versions of a definition.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Bool
from ...engine import dtypes
from ...engine.handle import Handle
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._core.faces import method
from .._core.families import body
from . import reduction


def _both(maximum, minimum, text) -> Any:
    """Defines an operation for the largest elements and again for the smallest.

    Args:
        maximum, minimum (tuple): what decorates the body, and its name, which errors show.
        text (str): the signature, with contracts. The decorated function takes ``is_max`` before its parameters; its
            docstring has ``{adjective}``, ``{name}`` and ``{value}``, the smallest of 1 and 5 or the largest.
    Returns:
        decorator, which gives the two functions.
    """

    def define(compute):
        definitions = []
        for (decorate, name), is_max in ((maximum, True), (minimum, False)):
            fields = (
                {"adjective": "largest", "value": 5.0, "index": 1}
                if is_max
                else {"adjective": "smallest", "value": 1.0, "index": 0}
            )
            definitions.append(decorate(body(name + text, _bound(compute, is_max), compute.__doc__, **fields)))
        return definitions

    return define


def _bound(compute, is_max):
    return lambda *args: compute(is_max, *args)


def with_indices(x, axis, keepdims, is_max, op_name):
    """The extreme elements along ``axis``, and their indices."""
    axis = check.axis(axis, check.dtype(x, "biuf", "input", op_name).ndim, "axis", op_name)
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    check.not_empty(x, (axis,), "input", op_name)
    return picked(x, (jnp.argmax if is_max else jnp.argmin)(x, axis=axis, keepdims=True), axis, keepdims)


def picked(x, indices, axis, keepdims):
    """The elements at ``indices`` along ``axis``, where these have length 1, and the indices, as int64."""
    values = jnp.take_along_axis(x, indices, axis)
    indices = indices.astype(jnp.int64)
    return (values, indices) if keepdims else (jnp.squeeze(values, axis), jnp.squeeze(indices, axis))


# -- elements and indices -------------------------------------------------------------------------------------------


@_both(
    (op(name="_max_along"), "max"),
    (op(name="_min_along"), "min"),
    "(input: Array, axis: Axis, keepdims: Bool = False)",
)
def _along(is_max, input, axis, keepdims):
    """The {adjective} elements along ``axis``, and their indices.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int): along which to look.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or no element along it.
    Example:
        >>> Tensor([[1.0, 5.0]]).{name}(1)[0].tolist()
        [{value}]
    Source: mindspore.Tensor.{name}
    """
    return with_indices(input, axis, keepdims, is_max, "max" if is_max else "min")


@_both(
    (op("ArgMaxWithValue(axis=0, keep_dims=False)", name="_argmax_with_value"), "ArgMaxWithValue"),
    (op("ArgMinWithValue(axis=0, keep_dims=False)", name="_argmin_with_value"), "ArgMinWithValue"),
    "(input: Array, axis: Axis = 0, keep_dims: Bool = False)",
)
def _index_and_extreme(is_max, input, axis, keep_dims):
    """The indices of the {adjective} elements along ``axis``, and the elements.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int): Default: ``0``.
        keep_dims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: indices (int64), and elements.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or no element along it.
    Example:
        >>> ops.{name}(1)(Tensor([[1.0, 5.0]]))[0].tolist()
        [{index}]
    Source: mindspore.ops.{name}
    """
    name = "ArgMaxWithValue" if is_max else "ArgMinWithValue"
    return with_indices(input, axis, keep_dims, is_max, name)[::-1]


@_both(
    (composite(), "max"),
    (composite(), "min"),
    "(input: Array, axis: Axis | None = None, keepdims: Bool = False, *, "
    "initial: Scalar() | None = None, where: Operand | None = None)",
)
def _with_index(is_max, input, axis, keepdims, initial, where):
    """The {adjective} elements along ``axis``, and their indices.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | None): Default: ``None``, all axes: the index is 0, and equal elements share the gradient.
        keepdims (bool): whether the axis stays, with length 1; without effect where ``axis`` is None. Default:
            ``False``.
        initial (Number): a bound that the elements do not fall behind. Default: ``None``.
        where (Tensor | bool): which elements count; needs ``initial``. The indices are those among all elements.
            Default: ``None``, all.
    Returns:
        tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.
        ValueError: if an axis is out of range, or ``where`` comes without ``initial``.
    Example:
        >>> ops.{name}(Tensor([[1.0, 5.0]]), 1)[0].tolist()
        [{value}]
    Source: mindspore.ops.{name}
    """
    if axis is not None:
        axis = axis if input.aval[0] else 0  # as in MindSpore, a 0-d Tensor accepts any axis
        values, indices = (_max_along if is_max else _min_along)(input, axis, keepdims)
        if initial is None and where is None:
            return values, indices
        return _reduced(is_max, input, axis, keepdims, initial, where), indices
    values = _reduced(is_max, input, None, False, initial, where)  # without an axis, MindSpore keeps none
    return values, Tensor(np.zeros(values.aval[0], np.int64))


def _reduced(is_max, input, axis, keepdims, initial, where):
    if where is not None and not isinstance(where, Handle):
        where = None if where is True else Tensor(where)
    reduce = reduction.amax if is_max else reduction.amin
    return reduce(input, axis, keepdims, initial=initial, where=where)


@_both(
    (composite(name="_max_over"), "max"),
    (composite(name="_min_over"), "min"),
    "(input: Array, axis: Axes = None, keepdims: Bool = False, *, "
    "initial: Scalar() | None = None, where: Operand | None = True, return_indices: Bool = False)",
)
def _over(is_max, input, axis, keepdims, initial, where, return_indices):
    """The {adjective} elements over ``axis``.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        initial (Number): a bound that the elements do not fall behind. Default: ``None``.
        where (Tensor | bool): which elements count; needs ``initial``. Default: ``True``, all.
        return_indices (bool): whether the indices along one axis come too. Default: ``False``.
    Returns:
        Tensor, or a tuple of two: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.
        ValueError: if an axis is out of range, or ``where`` comes without ``initial``.
    Example:
        >>> Tensor([[1.0, 5.0]]).{name}(axis=1).tolist()
        [{value}]
    Source: mindspore.Tensor.{name}
    """
    where = None if where is True else where
    if return_indices and not isinstance(axis, (tuple, list)):
        return (max if is_max else min)(input, axis, keepdims, initial=initial, where=where)
    if isinstance(axis, int) and initial is None and where is None:
        return (max if is_max else min)(input, axis, keepdims)[0]
    if isinstance(axis, (tuple, list)) and axis and not input.aval[0]:
        check.refuse(ValueError, "max" if is_max else "min", "axis", "() for a Tensor without axes", axis)
    return _reduced(is_max, input, axis, keepdims, initial, where)


@_both(
    (composite(method="argmax_with_value", name="_argmax_and_value"), "argmax_with_value"),
    (composite(method="argmin_with_value", name="_argmin_and_value"), "argmin_with_value"),
    "(self: Array, axis: Axis | None = 0, keep_dims: Bool = False)",
)
def _with_value(is_max, self, axis, keep_dims):
    """The {adjective} elements along ``axis``, and their indices.

    Args:
        self (Tensor): any shape, a real dtype.
        axis (int | None): None for all axes: the index is 0. Default: ``0``.
        keep_dims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or no element along it.
    Example:
        >>> Tensor([[1.0, 5.0]]).{name}(1)[0].tolist()
        [{value}]
    Source: mindspore.Tensor.{name}
    """
    return (max if is_max else min)(self, axis, keep_dims)


_max_along, _min_along = _along
max, min = _with_index
_max_over, _min_over = _over
_BY_AXIS = "(axis=None, keepdims=False, *, initial=None, where=True, return_indices=False)"
_IN_GRAPHS = {"is_last_in_graphs": True}  # where ``x.max(1)`` are the values alone
method("max", (_max_along, "(dim, keepdim=False)", _IN_GRAPHS), (_max_over, _BY_AXIS, {"alone": reduction.amax}))
method("min", (_min_along, "(dim, keepdim=False)", _IN_GRAPHS), (_min_over, _BY_AXIS, {"alone": reduction.amin}))


@composite()
def aminmax(input: Array, *, axis: Axis | None = 0, keepdims: Bool = False):
    """The smallest and the largest elements along ``axis``.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | None): None for all axes. Default: ``0``.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: the smallest elements, and the largest.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or no element along it.
    Example:
        >>> smallest, largest = ops.aminmax(Tensor([3.0, 1.0, 2.0]))
        >>> smallest.item(), largest.item()
        (1.0, 3.0)
    Source: mindspore.ops.aminmax, mindspore.Tensor.aminmax
    """
    if axis is None:
        return reduction.amin(input, None, keepdims), reduction.amax(input, None, keepdims)
    return min(input, axis, keepdims)[0], max(input, axis, keepdims)[0]


method("aminmax", (aminmax, "(*, axis=0, keepdims=False)"))


# -- indices alone --------------------------------------------------------------------------------------------------


def _indices(find, op_name, x, axis, keepdims, dtype):
    """The index that ``find`` returns along ``axis``, or in the flattened array if ``axis`` is None."""
    check.dtype(x, "biuf", "input", op_name)
    if axis is not None:
        axis = check.axis(axis, x.ndim, "axis", op_name)
    check.not_empty(x, range(x.ndim) if axis is None or not x.ndim else (axis,), "input", op_name, RuntimeError)
    indices = jnp.zeros((), dtype) if x.ndim == 0 else find(x, axis=axis, keepdims=keepdims and axis is not None)
    return indices.astype(dtype)


@op()
def argmax(input: Array, dim: Axis | None = None, keepdim: Bool = False):
    """The index of the largest element along ``dim``.

    Args:
        input (Tensor): any shape, a real dtype.
        dim (int | None): Default: ``None``, the index among all elements in a row.
        keepdim (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        Tensor of int64.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
        RuntimeError: if there are no elements along it.
    Example:
        >>> ops.argmax(Tensor([[1.0, 5.0], [7.0, 2.0]]), 1).tolist()
        [1, 0]
    Source: mindspore.ops.argmax, mindspore.Tensor.argmax
    """
    return _indices(jnp.argmax, "ArgMaxExt", input, dim, keepdim, jnp.int64)


@op()
def argmin(input: Array, axis: Axis | None = None, keepdims: Bool = False):
    """The index of the smallest element along ``axis``.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | None): Default: ``None``, the index among all elements in a row.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        Tensor of int32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
        RuntimeError: if there are no elements along it.
    Example:
        >>> ops.argmin(Tensor([[1.0, 5.0], [7.0, 2.0]]), 1).tolist()
        [0, 1]
    Source: mindspore.ops.argmin, mindspore.Tensor.argmin
    """
    return _indices(jnp.argmin, "Argmin", input, axis, keepdims, jnp.int32)


method("argmax", (argmax, "(dim=None, keepdim=False)"), (argmax, "(axis=None, keepdims=False)"))
method("argmin", (argmin, "(dim=None, keepdim=False)"), (argmin, "(axis=None, keepdims=False)"))


@_both(
    (op("Argmax(axis=-1, output_type=int32)", name="_argmax"), "Argmax"),
    (op("Argmin(axis=-1, output_type=int32)", name="_argmin"), "Argmin"),
    "(input_x: Array, axis: Axis = -1, output_type: Dtype = int32)",
)
def _index(is_max, input_x, axis, output_type):
    """The index of the {adjective} element along ``axis``.

    Args:
        input_x (Tensor): any shape, a real dtype.
        axis (int): Default: ``-1``.
        output_type (mindspore.dtype): int32 or int64. Default: ``int32``.
    Returns:
        Tensor of that dtype.
    Raises:
        TypeError: if an argument has a wrong type, or for another dtype.  ValueError: if an axis is out of range.
        RuntimeError: if there are no elements along it.
    Example:
        >>> ops.{name}()(Tensor([1.0, 5.0])).item()
        {index}
    Source: mindspore.ops.{name}
    """
    find, name = (jnp.argmax, "Argmax") if is_max else (jnp.argmin, "Argmin")
    if output_type not in (dtypes.int32, dtypes.int64):
        check.refuse(TypeError, name, "output_type", "mindspore.int32 or int64", output_type)
    return _indices(find, name, input_x, axis, False, output_type.numpy)
