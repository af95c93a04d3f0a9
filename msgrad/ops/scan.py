"""Running sums, products and extremes."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

from ..engine import dtypes
from ..engine.dtypes import DType
from . import check
from .cast import convert
from .contracts import Array
from .define import op
from .overload import overload


def _to(x, dtype):
    return x if dtype is None else convert(x, dtype.numpy)


@op("CumSum(exclusive=False, reverse=False)", name="_cumsum")
def _cumsum(input: Array, axis, exclusive=False, reverse=False):
    """The running sum along ``axis``.

    Args:
        input (Tensor): any shape, a dtype of numbers.
        axis (int): along which to add.
        exclusive (bool): whether an element is left out of its own sum. Default: ``False``.
        reverse (bool): whether to add from the end. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Example:
        >>> ops.CumSum(exclusive=True)(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [0.0, 1.0, 3.0]
    Source: mindspore.ops.CumSum
    """
    axis = check.axis(axis, check.dtype(input, "iufc", "input", "CumSum").ndim, "axis", "CumSum")
    total = lax.cumsum(input, axis, check.boolean(reverse, "reverse", "CumSum"))
    return total - input if check.boolean(exclusive, "exclusive", "CumSum") else total


@op()
def cumsum(x: Array, axis, dtype=None):
    """The running sum along ``axis``.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        axis (int): along which to add.
        dtype (mindspore.dtype): to which ``x`` is cast first. Default: ``None``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [1.0, 3.0, 6.0]
    Source: mindspore.ops.cumsum, mindspore.Tensor.cumsum
    """
    return _cumsum(_to(x, dtype), axis)


_SHORT = {dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.uint8}  # the method adds these up in int32


def _cumsum_dim(self, dim: int, *, dtype: DType | None = None):
    return _cumsum_axis(self, dim, dtype)


def _cumsum_axis(self, axis: int | None = None, dtype: DType | None = None):
    if dtype is None and dtypes.of(self.aval[1]) in _SHORT:
        dtype = dtypes.int32
    return cumsum(self.reshape(-1), 0, dtype) if axis is None else cumsum(self, axis, dtype)


overload(
    "cumsum",
    """The running sum: ``cumsum(dim, *, dtype=None)`` or ``cumsum(axis=None, dtype=None)``, None being all in a row.

    Source: mindspore.Tensor.cumsum
    """,
    _cumsum_dim,
    _cumsum_axis,
)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _running_product(x, axis):
    return lax.cumprod(x, axis)


@_running_product.defjvp
def _running_product_jvp(axis, primals, tangents):
    # Through the logarithm, as in MindSpore: not a number at 0.
    (x,), (dx,) = primals, tangents
    result = _running_product(x, axis)
    return result, result * lax.cumsum(dx / x, axis)


@op("CumProd(exclusive=False, reverse=False)", name="_cumprod")
def _cumprod(x: Array, axis, exclusive=False, reverse=False):
    """The running product along ``axis``.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        axis (int): along which to multiply.
        exclusive (bool): whether an element is left out of its own product. Default: ``False``.
        reverse (bool): whether to multiply from the end. Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Example:
        >>> ops.CumProd()(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [1.0, 2.0, 6.0]
    Source: mindspore.ops.CumProd
    """
    axis = check.axis(axis, check.dtype(x, "iufc", "x", "CumProd").ndim, "axis", "CumProd")
    if check.boolean(reverse, "reverse", "CumProd"):
        return jnp.flip(_cumprod(jnp.flip(x, axis), axis, exclusive), axis)
    result = _running_product(x, axis)
    if check.boolean(exclusive, "exclusive", "CumProd"):
        one = jnp.ones_like(lax.slice_in_dim(x, 0, 1, axis=axis))
        result = jnp.concatenate([one, lax.slice_in_dim(result, 0, -1, axis=axis)], axis)
    return result


@op(method="cumprod")
def cumprod(input: Array, dim, dtype=None):
    """The running product along ``dim``; its derivative is not a number at 0.

    Args:
        input (Tensor): any shape and dtype.
        dim (int): along which to multiply.
        dtype (mindspore.dtype): to which ``input`` is cast first. Default: ``None``: int64 for ints and bools.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0).tolist()
        [1.0, 2.0, 6.0]
    Source: mindspore.ops.cumprod, mindspore.Tensor.cumprod
    """
    if dtype is None and input.dtype.kind in "bi":
        dtype = dtypes.int64
    return _cumprod(_to(input, dtype), dim)


def _running_extreme(scan, name, dtype, x, axis):
    """The running extremes, each the last of equal elements, and their places."""
    axis = check.axis(axis, check.dtype(x, "iuf", "input", name).ndim, "axis", name)
    is_extreme = x == lax.stop_gradient(scan(x, axis))
    count = lax.broadcasted_iota(dtype, x.shape, axis)
    places = lax.cummax(jnp.where(is_extreme, count, 0), axis)
    return jnp.take_along_axis(x, places, axis), places


def _define_running(name, scan, adjective, dtype):
    primitive = name.capitalize()

    def running(input: Array, axis):
        return _running_extreme(scan, primitive, dtype, input, axis)

    running.__name__ = name
    running.__doc__ = f"""The {adjective} element so far along ``axis``, and its place, the last one of several.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int): along which to go.
    Returns:
        tuple of two Tensors of the shape of ``input``: elements, and places ({dtype}).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.{name}(Tensor([2.0, 2.0]), 0)[0].tolist()
        [2.0, 2.0]
    Source: mindspore.ops.{name}, mindspore.ops.{primitive}, mindspore.Tensor.{name}
    """
    return op(f"{primitive}(axis)", method=name)(running)


cummax = _define_running("cummax", lax.cummax, "greatest", "int64")
cummin = _define_running("cummin", lax.cummin, "least", "int32")
