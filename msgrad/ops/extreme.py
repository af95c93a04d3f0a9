"""Greatest and least elements along one axis with their places, and the places alone.

Of equal elements the first one counts, and it alone has the gradient.
"""

import jax.numpy as jnp

from ..engine import dtypes
from ..engine.handle import Handle
from . import check, reduction
from .contracts import Array
from .define import composite, op
from .overload import overload


def with_places(find, op_name, x, axis, keepdims):
    """The extreme elements that ``find`` (argmax or argmin) finds along ``axis``, and their places."""
    check.dtype(x, "biuf", "input", op_name)
    check.boolean(keepdims, "keepdims", op_name)
    axis = check.axis(axis, x.ndim, "axis", op_name)
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    places = find(x, axis=axis, keepdims=True)
    values = jnp.take_along_axis(x, places, axis)
    places = places.astype(jnp.int64)
    return (values, places) if keepdims else (jnp.squeeze(values, axis), jnp.squeeze(places, axis))


def _places(find, op_name, x, axis, keepdims, dtype):
    """Where ``find`` finds the extreme element along ``axis``, or of all elements in a row if that is None."""
    check.dtype(x, "biuf", "input", op_name)
    check.boolean(keepdims, "keepdims", op_name)
    if axis is not None:
        axis = check.axis(axis, x.ndim, "axis", op_name)
    places = jnp.zeros((), dtype) if x.ndim == 0 else find(x, axis=axis, keepdims=keepdims)
    return places.astype(dtype)


def _define_with_places(name, find, reduce, adjective):
    """Defines ``ops.max`` or ``ops.min``, and what goes with it."""
    primitive = f"Arg{name.capitalize()}WithValue"

    @op(f"{primitive}(axis=0, keep_dims=False)", name=f"_arg{name}_with_value")
    def places_and_values(input: Array, axis=0, keep_dims=False):
        values, places = with_places(find, primitive, input, axis, keep_dims)
        return places, values

    places_and_values.__doc__ = f"""The places of the {adjective} elements along ``axis``, and the elements.

    Source: mindspore.ops.{primitive}
    """

    @op(name=f"_{name}_along")
    def along(input: Array, axis, keepdims):
        return with_places(find, primitive, input, axis, keepdims)

    @op(name=f"_{name}_of_all")
    def of_all(input: Array, keepdims):
        values = reduce(input, None, keepdims)
        return values, jnp.zeros(values.shape, jnp.int64)

    def extreme(input, axis=None, keepdims=False, *, initial=None, where=None):
        if axis is None and initial is None and where is None:
            return of_all(input, keepdims)
        if axis is None:
            return reduce(input, None, keepdims, initial=initial, where=where), of_all(input, keepdims)[1]
        values, places = along(input, axis, keepdims)
        if initial is not None or where is not None:
            values = reduce(input, axis, keepdims, initial=initial, where=where)
        return values, places

    extreme.__name__ = name
    extreme.__doc__ = f"""The {adjective} elements along ``axis`` and their places.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | None): Default: ``None``, all axes: the place is 0, and equal elements share the gradient.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
        initial (Number): a bound that the elements do not fall behind. Default: ``None``.
        where (Tensor): of bool: which elements count; needs ``initial``. Default: ``None``, all.
    Returns:
        tuple of two Tensors: elements, and places (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.{name}(Tensor([[1.0, 5.0]]), 1)[0].tolist()
        [{5.0 if name == "max" else 1.0}]
    Source: mindspore.ops.{name}
    """
    composite()(extreme)

    def with_value(self, axis=0, keep_dims=False):
        return of_all(self, keep_dims) if axis is None else along(self, axis, keep_dims)

    with_value.__doc__ = f"""The {adjective} elements along ``axis`` (None: all axes) and their places (int64).

    Source: mindspore.Tensor.arg{name}_with_value
    """
    composite(method=f"arg{name}_with_value", name=f"_arg{name}_with_value_method")(with_value)

    def by_dim(self, dim: int, keepdim: bool = False):
        return along(self, dim, keepdim)

    def by_axis(
        self,
        axis: int | tuple | list | None = None,
        keepdims: bool = False,
        *,
        initial: int | float | None = None,
        where: Handle | bool | None = None,
        return_indices: bool = False,
    ):
        if return_indices:
            return extreme(self, axis, keepdims, initial=initial, where=where if isinstance(where, Handle) else None)
        if isinstance(axis, int) and initial is None:
            return along(self, axis, keepdims)[0]
        return reduce(self, axis, keepdims, initial=initial, where=where if isinstance(where, Handle) else None)

    overload(
        name,
        f"""The {adjective} elements: ``{name}(dim, keepdim=False)`` with their places, as `ops.{name}`, or
    ``{name}(axis=None, keepdims=False, *, initial=None, where=None, return_indices=False)``.

    Source: mindspore.Tensor.{name}
    """,
        by_dim,
        by_axis,
    )
    return extreme


max = _define_with_places("max", jnp.argmax, reduction.amax, "greatest")
min = _define_with_places("min", jnp.argmin, reduction.amin, "least")


@op()
def argmax(input: Array, dim=None, keepdim=False):
    """The place of the greatest element along ``dim``.

    Args:
        input (Tensor): any shape, a real dtype.
        dim (int | None): Default: ``None``, the place among all elements in a row.
        keepdim (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        Tensor of int64.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.argmax(Tensor([[1.0, 5.0], [7.0, 2.0]]), 1).tolist()
        [1, 0]
    Source: mindspore.ops.argmax, mindspore.Tensor.argmax
    """
    return _places(jnp.argmax, "ArgMaxExt", input, dim, keepdim and dim is not None, jnp.int64)


@op()
def argmin(input: Array, axis=None, keepdims=False):
    """The place of the least element along ``axis``.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | None): Default: ``None``, the place among all elements in a row.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        Tensor of int32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.argmin(Tensor([[1.0, 5.0], [7.0, 2.0]]), 1).tolist()
        [0, 1]
    Source: mindspore.ops.argmin, mindspore.Tensor.argmin
    """
    return _places(jnp.argmin, "Argmin", input, axis, keepdims and axis is not None, jnp.int32)


def _define_places(primitive, find, adjective):
    @op(f"{primitive}(axis=-1, output_type=int32)", name=f"_{primitive}")
    def places(input_x: Array, axis=-1, output_type=dtypes.int32):
        if output_type not in (dtypes.int32, dtypes.int64):
            raise TypeError(
                f"For '{primitive}', the 'output_type' must be mindspore.int32 or int64, but got {output_type}."
            )
        return _places(find, primitive, input_x, axis, False, output_type.numpy)

    places.__doc__ = f"""The place of the {adjective} element along ``axis``, in the dtype ``output_type``.

    Source: mindspore.ops.{primitive}
    """


_define_places("Argmax", jnp.argmax, "greatest")
_define_places("Argmin", jnp.argmin, "least")


def _argmax_axis(self, axis: int, keepdims: bool = False):
    return argmax(self, axis, keepdims)


def _argmax_dim(self, dim: int | None = None, keepdim: bool = False):
    return argmax(self, dim, keepdim)


def _argmin_dim(self, dim: int | None = None, keepdim: bool = False):
    return argmin(self, dim, keepdim)


def _argmin_axis(self, axis: int | None = None, keepdims: bool = False):
    return argmin(self, axis, keepdims)


overload(
    "argmax",
    """The place of the greatest element: ``argmax(axis, keepdims=False)`` or ``argmax(dim=None, keepdim=False)``.

    Source: mindspore.Tensor.argmax
    """,
    _argmax_axis,
    _argmax_dim,
)
overload(
    "argmin",
    """The place of the least element: ``argmin(dim=None, keepdim=False)`` or ``argmin(axis=None, keepdims=False)``.

    Source: mindspore.Tensor.argmin
    """,
    _argmin_dim,
    _argmin_axis,
)
