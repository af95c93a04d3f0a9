"""Variance, norms, medians and counts."""

import jax
import jax.numpy as jnp
from jax.scipy import special

from ..engine import dtypes
from ..engine.dtypes import DType
from ..engine.lifting import is_inexact
from . import check, extreme, reduction
from .contracts import Array, Scalar
from .define import composite, op
from .overload import overload

Axes = int | tuple | list | None


def _deviation(x, axis, ddof, keepdims, op_name):
    """The standard deviation over ``axis``, with ``n - ddof`` for the count."""
    axes = check.axes(axis, check.dtype(x, "fc", "input", op_name).ndim, "axis", op_name)
    if isinstance(ddof, bool):
        ddof = int(ddof)
    ddof = check.integer(ddof, "ddof", op_name)
    return jnp.std(x, axis=axes, ddof=ddof, keepdims=check.boolean(keepdims, "keepdims", op_name)).astype(x.dtype)


@op()
def std(input: Array, axis=None, ddof=0, keepdims=False):
    """The standard deviation; its derivative is not a number where all elements are equal.

    Args:
        input (Tensor): any shape, a float dtype.
        axis (int | tuple[int] | None): Default: ``None``, all axes.
        ddof (int | bool): the sum of squares is divided by the count less this. Default: ``0``.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.std(Tensor([1.0, 3.0])).item()
        1.0
    Source: mindspore.ops.std, mindspore.Tensor.std
    """
    return _deviation(input, axis, ddof, keepdims, "std")


@op()
def var(input: Array, axis=None, ddof=0, keepdims=False):
    """The variance: the square of `std`, so its derivative too is not a number where all elements are equal.

    Args:
        input (Tensor): any shape, a float dtype.
        axis (int | tuple[int] | None): Default: ``None``, all axes.
        ddof (int | bool): the sum of squares is divided by the count less this. Default: ``0``.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.var(Tensor([1.0, 3.0])).item()
        1.0
    Source: mindspore.ops.var, mindspore.Tensor.var
    """
    return jnp.square(_deviation(input, axis, ddof, keepdims, "var"))


@op()
def std_mean(input: Array, axis=None, ddof=0, keepdims=False):
    """The standard deviation and the mean: see `std` and `mean`.

    Source: mindspore.ops.std_mean
    """
    return std(input, axis, ddof, keepdims), reduction.mean(input, axis, keepdims)


@op()
def var_mean(input: Array, axis=None, ddof=0, keepdims=False):
    """The variance and the mean: see `var` and `mean`.

    Source: mindspore.ops.var_mean
    """
    return var(input, axis, ddof, keepdims), reduction.mean(input, axis, keepdims)


def _method(name, face):
    def floats(self):
        return self if jnp.issubdtype(self.aval[1], jnp.inexact) else self.astype(dtypes.float32)

    def by_axis(self, axis: Axes = None, ddof: int = 0, keepdims: bool = False):
        return face(floats(self), axis, ddof, keepdims)

    def by_dim(self, dim: Axes = None, *, correction: int = 1, keepdim: bool = False):
        return face(floats(self), dim, correction, keepdim)

    overload(
        name,
        f"""``{name}(axis=None, ddof=0, keepdims=False)``, as `ops.{name}`, of ints in float32, or
    ``{name}(dim=None, *, correction=1, keepdim=False)``.

    Source: mindspore.Tensor.{name}
    """,
        by_axis,
        by_dim,
    )


_method("std", std)
_method("var", var)


@op("ReduceStd(axis=(), unbiased=True, keep_dims=False)", name="_reduce_std")
def _reduce_std(input_x: Array, axis=(), unbiased=True, keep_dims=False):
    """The standard deviation and the mean; ``unbiased`` divides by the count less one.

    Source: mindspore.ops.ReduceStd
    """
    return std(input_x, axis, int(unbiased), keep_dims), reduction.mean(input_x, axis, keep_dims)


def _vector_norm(x, order, axes, keepdim):
    size = jnp.abs(x) if jnp.iscomplexobj(x) else x * jax.lax.stop_gradient(jnp.sign(x))  # slope 0 at 0
    if order == jnp.inf or order == -jnp.inf:
        if len(axes) == 1:  # the first of equal elements has the gradient
            find = jnp.argmax if order > 0 else jnp.argmin
            return extreme.with_places(find, "norm", size, axes[0], keepdim)[0]
        return (jnp.max if order > 0 else jnp.min)(size, axes, keepdims=keepdim)
    if order == 2:
        return jnp.sqrt(jnp.sum(jnp.square(size), axes, keepdims=keepdim))
    if order == 0:
        return jnp.sum(x != 0, axes, keepdims=keepdim).astype(x.dtype)
    if order == 1:
        return jnp.sum(size, axes, keepdims=keepdim)
    return jnp.sum(size**order, axes, keepdims=keepdim) ** (1 / order)


@op(method="norm")
def norm(A: Array, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The norm of vectors or matrices.

    Args:
        A (Tensor): any shape.
        ord (int | float | str | None): of the norm; for matrices also ``'fro'`` and ``'nuc'``. Default: ``None``, the
            root of the sum of squares.
        dim (int | tuple[int] | None): one axis for vectors, two for matrices. Default: ``None``: all axes, of which
            there are one or two if ``ord`` is given.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): to which ``A`` is cast first. Default: ``None``.
    Returns:
        Tensor, of ints in float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis or norm.
    Example:
        >>> ops.norm(Tensor([3.0, 4.0])).item()
        5.0
    Source: mindspore.ops.norm, mindspore.Tensor.norm
    """
    x = A if dtype is None else A.astype(dtype.numpy)
    x = x if is_inexact(x.dtype) else x.astype(jnp.float32)
    axes = check.axes(dim, x.ndim, "dim", "norm")
    check.boolean(keepdim, "keepdim", "norm")
    if ord is None:
        return _vector_norm(x, 2, axes, keepdim)
    if len(axes) == 1 and not isinstance(ord, str):
        return _vector_norm(x, check.number(ord, "ord", "norm"), axes, keepdim)
    if len(axes) != 2:
        raise ValueError(
            f"For 'norm', with 'ord' given there must be one or two axes, but got {len(axes)}. Give 'dim'."
        )
    check.one_of(ord, ("fro", "nuc", jnp.inf, -jnp.inf, 1, -1, 2, -2), "ord", "norm")
    return jnp.linalg.norm(x, ord, axes, keepdim)


@op(method="logsumexp")
def logsumexp(input: Array, dim, keepdim=False):
    """The logarithm of the sum of exponentials, without overflow.

    Args:
        input (Tensor): any shape, a float dtype.
        dim (int | tuple[int] | list[int]): the axes; ``()`` for all of them.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.logsumexp(Tensor([[3.0]]), 1).tolist()
        [3.0]
    Source: mindspore.ops.logsumexp, mindspore.Tensor.logsumexp
    """
    check.boolean(keepdim, "keepdim", "logsumexp")
    x = check.dtype(input, "f", "input", "logsumexp")
    return special.logsumexp(x, axis=check.axes(dim, x.ndim, "dim", "logsumexp"), keepdims=keepdim)


@op()
def median(input: Array, axis=-1, keepdims=False):
    """The middle element along ``axis``, the lower one of two, and its place.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int): Default: ``-1``.
        keepdims (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        tuple of two Tensors: elements, and places (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.median(Tensor([3.0, 1.0, 2.0]))[0].item()
        2.0
    Source: mindspore.ops.median, mindspore.Tensor.median
    """
    check.dtype(input, "iuf", "input", "Median")
    check.boolean(keepdims, "keepdims", "Median")
    axis = check.axis(axis, input.ndim, "axis", "Median")
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    order = jnp.argsort(input, axis=axis, stable=True)
    places = jnp.take(order, jnp.array([(input.shape[axis] - 1) // 2]), axis=axis)
    values = jnp.take_along_axis(input, places, axis)
    places = places.astype(jnp.int64)
    return (values, places) if keepdims else (jnp.squeeze(values, axis), jnp.squeeze(places, axis))


def _median_dim(self, dim: int = -1, keepdim: bool = False):
    return median(self, dim, keepdim)


def _median_axis(self, axis: int = -1, keepdims: bool = False):
    return median(self, axis, keepdims)


overload(
    "median",
    """``median(dim=-1, keepdim=False)`` or ``median(axis=-1, keepdims=False)``, as `ops.median`.

    Source: mindspore.Tensor.median
    """,
    _median_dim,
    _median_axis,
)


@op()
def count_nonzero(x: Array, axis=(), keep_dims=False, dtype=dtypes.int32):
    """How many elements are not 0.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int]): Default: ``()``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``int32``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.count_nonzero(Tensor([0, 1, 2])).item()
        2
    Source: mindspore.ops.count_nonzero, mindspore.Tensor.count_nonzero
    """
    axes = check.axes(axis, x.ndim, "axis", "count_nonzero")
    check.boolean(keep_dims, "keep_dims", "count_nonzero")
    return jnp.sum(x != 0, axis=axes, keepdims=keep_dims, dtype=dtype.numpy)


def _count_dim(self, dim: Axes = None):
    return count_nonzero(self, dim, dtype=dtypes.int64)


def _count_axis(self, axis: int | tuple | list = (), keep_dims: bool = False, dtype: DType | None = None):
    return count_nonzero(self, axis, keep_dims, dtypes.int32 if dtype is None else dtype)


overload(
    "count_nonzero",
    """``count_nonzero(axis=(), keep_dims=False, dtype=None)``, as `ops.count_nonzero`, or ``count_nonzero(dim=None)``,
    which counts in int64.

    Source: mindspore.Tensor.count_nonzero
    """,
    _count_axis,
    _count_dim,
)


@op(method="nansum")
def nansum(input: Array, axis=None, keepdims=False, *, dtype=None):
    """The sum over ``axis`` of what is a number: see `ops.sum`.

    Example:
        >>> ops.nansum(Tensor([1.0, float("nan")])).item()
        1.0
    Source: mindspore.ops.nansum, mindspore.Tensor.nansum
    """
    return reduction.sum(jnp.where(jnp.isnan(input), 0, input), axis, keepdims, dtype=dtype)


@composite(method="ptp", name="_ptp")
def _ptp(self, axis=None, keepdims=False):
    """The greatest element less the least one along ``axis``.

    Args:
        axis (int | tuple[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Example:
        >>> Tensor([1.0, 5.0]).ptp().item()
        4.0
    Source: mindspore.Tensor.ptp
    """
    return reduction.amax(self, axis, keepdims) - reduction.amin(self, axis, keepdims)


@op("L2Normalize(axis=0, epsilon=0.0001)", name="_l2_normalize")
def _l2_normalize(input_x: Array, axis=0, epsilon: Scalar() = 1e-4):
    """``x / sqrt(max(sum(x^2), epsilon))``, with the sum over ``axis``.

    Args:
        input_x (Tensor): any shape, a float dtype.
        axis (int | tuple[int] | list[int]): Default: ``0``.
        epsilon (float): the least value under the root. Default: ``1e-4``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis.
    Example:
        >>> ops.L2Normalize()(Tensor([0.0, 2.0])).tolist()
        [0.0, 1.0]
    Source: mindspore.ops.L2Normalize
    """
    x = check.dtype(input_x, "f", "input_x", "L2Normalize")
    squares = jnp.sum(jnp.square(x), check.axes(axis, x.ndim, "axis", "L2Normalize"), keepdims=True)
    return x / jnp.sqrt(jnp.maximum(squares, epsilon))


@composite(method="bincount")
def bincount(input, weights=None, minlength=0):
    """How often each whole number from 0 on occurs. It looks at the values: their greatest one gives the length.

    Args:
        input (Tensor): shape ``(n,)``, an int dtype, no value below 0.
        weights (Tensor): shape ``(n,)``: what each occurrence counts. Default: ``None``, 1 for each.
        minlength (int): the least length of the result. Default: ``0``.
    Returns:
        Tensor of float32, shape ``(max(input) + 1,)`` or longer.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``input`` is not of rank 1, or has a value below 0.
    Example:
        >>> ops.bincount(Tensor([0, 1, 1])).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.bincount, mindspore.Tensor.bincount
    """
    minlength = check.non_negative_int(minlength, "minlength", "bincount")
    if input.ndim != 1:
        raise ValueError(f"For 'bincount', the 'input' must have rank 1, but got shape {input.shape}.")
    length = minlength
    if input.shape[0]:
        if int(reduction.amin(input)) < 0:
            raise ValueError("For 'bincount', the 'input' must have no value below 0.")
        length = max(minlength, int(reduction.amax(input)) + 1)
    return _counted(input, weights, length)


@op(name="_counted")
def _counted(input: Array, weights: Array | None, length):
    check.dtype(input, "biu", "input", "bincount")
    amounts = jnp.ones(input.shape, jnp.float32) if weights is None else weights.astype(jnp.float32)
    return jnp.zeros(length, jnp.float32).at[input.astype(jnp.int64)].add(amounts)
