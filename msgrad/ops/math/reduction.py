"""Reductions: sum, mean, product, minimum and maximum, any and all.

`axis` is an int, a tuple or list of ints, or None or ``()`` for all axes.
"""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Axes, Axis, Bool, Dtype, Sizes
from ..._contracts.kinds import Scalar
from ...tensor import promotion
from ...tensor.c_casts import convert
from .._core.define import composite, op
from .._core.faces import method
from .._core.families import body


def _total(function, name, x, axis, keepdims, dtype=None):
    """``function`` of ``x``, a sum or product, in the dtype of the promotion table's row ``name``."""
    dtype = promotion.reduction_dtype(name, x.dtype, dtype and dtype.numpy)
    return function(convert(x, dtype), axis=axis, keepdims=keepdims).astype(dtype)


@op(wide=True)
def sum(input: Array, dim: Axes = None, keepdim: Bool = False, *, dtype: Dtype | None = None):
    """The sum over ``dim``.

    Args:
        input (Tensor): any shape and dtype.
        dim (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``: int64 for bool, uint8 and signed ints, else
            that of the input.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
        RuntimeError: if an axis comes twice.
    Example:
        >>> ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0).tolist()
        [4.0, 6.0]
    Source: mindspore.ops.sum, mindspore.Tensor.sum
    """
    return _total(jnp.sum, "sum", input, check.axes(dim, input.ndim, "dim", "SumExt"), keepdim, dtype)


@op(name="_sum_to_size", wide=True)
def _sum_to_size(self: Array, size: Sizes):
    """The sum over axes to a shape that broadcasts to the Tensor's.

    Args:
        size (tuple[int] | int): the shape; 1 where the axis is summed, and missing axes are the first ones.
    Returns:
        Tensor of shape ``size``, of the dtype that `sum` gives.
    Raises:
        TypeError: if ``size`` is not made of ints.  ValueError: if it does not broadcast to the shape.
    Example:
        >>> Tensor([[1, 2, 3], [4, 5, 6]]).sum_to_size(2, 1).tolist()
        [[6], [15]]
    Source: mindspore.Tensor.sum_to_size
    """
    extra = self.ndim - len(size)
    if extra < 0 or False in [n in (1, m) for n, m in zip(size, self.shape[extra:], strict=True)]:
        check.refuse(ValueError, "sum_to_size", "size", f"a shape that broadcasts to {self.shape}", size)
    summed = [axis for axis in range(self.ndim) if axis < extra or size[axis - extra] != self.shape[axis]]
    return _total(jnp.sum, "sum", self, tuple(summed), True, None).reshape(size) if summed else self


method("sum_to_size", (_sum_to_size, "(*size)"))


@op("ReduceSum(keep_dims=False, skip_mode=False)", name="_reduce_sum", wide=True)
def _reduce_sum(x: Array, axis: Axes = (), keep_dims: Bool = False, skip_mode: Bool = False):
    """The sum over ``axis``, in the dtype of ``x``.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int]): Default: ``()``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
        skip_mode (bool): whether ``axis=()`` means no axis. Default: ``False``.
    Returns:
        Tensor.
    Example:
        >>> ops.ReduceSum(keep_dims=True)(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).tolist()
        [[3.0], [7.0]]
    Source: mindspore.ops.ReduceSum
    """
    if skip_mode and axis == ():
        return x
    return _total(jnp.sum, "ReduceSum", x, check.axes(axis, x.ndim, "axis", "ReduceSum"), keep_dims)


def _average(x, axis, keepdims, dtype=None):
    # The mean of ints is truncated to an int.
    dtype = promotion.reduction_dtype("mean", x.dtype, dtype)
    if jnp.issubdtype(dtype, jnp.integer):
        return convert(jnp.mean(x.astype(jnp.float64), axis=axis, keepdims=keepdims), dtype)
    return jnp.mean(x.astype(dtype), axis=axis, keepdims=keepdims)


@op("ReduceMean(keep_dims=False)(x, axis=())", wide=True)
def mean(x: Array, axis: Axes = None, keep_dims: Bool = False):
    """The mean over ``axis``.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``x``; that of ints is rounded towards 0.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).tolist()
        [1.5, 3.5]
    Source: mindspore.ops.mean, mindspore.ops.ReduceMean, mindspore.Tensor.mean
    """
    return _average(x, check.axes(axis, x.ndim, "axis", "ReduceMean"), keep_dims)


@op(name="_mean_as", wide=True)
def mean_in(x: Array, axis: Axes = None, keep_dims: Bool = False, *, dtype: Dtype | None = None):
    """The mean over ``axis``, in another dtype.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``, that of ``x``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> Tensor([1.0, 2.0]).mean(dtype=mindspore.float64).item()
        1.5
    Source: mindspore.Tensor.mean
    """
    return _average(x, check.axes(axis, x.ndim, "dim", "MeanExt"), keep_dims, dtype and dtype.numpy)


@op(wide=True)
def prod(input: Array, axis: Axes = None, keep_dims: Bool = False, dtype: Dtype | None = None):
    """The product over ``axis``.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``: int64 for bool, uint8 and signed ints, else
            that of the input.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
        RuntimeError: if an axis comes twice.
    Example:
        >>> ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0).tolist()
        [3.0, 8.0]
    Source: mindspore.ops.prod
    """
    return _total(jnp.prod, "prod", input, check.axes(axis, input.ndim, "axis", "ProdExt"), keep_dims, dtype)


@op("ReduceProd(keep_dims=False)", name="_reduce_prod", wide=True)
def _reduce_prod(x: Array, axis: Axes = (), keep_dims: Bool = False):
    """The product over ``axis``, in the dtype of ``x``.

    Args:
        x (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int]): Default: ``()``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor.
    Example:
        >>> ops.ReduceProd()(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).tolist()
        [2.0, 12.0]
    Source: mindspore.ops.ReduceProd
    """
    return _total(jnp.prod, "ReduceProd", x, check.axes(axis, x.ndim, "axis", "ReduceProd"), keep_dims)


def _extreme(x, sign, axis, keepdims, initial, where):
    """The largest (``sign`` 1) or smallest (-1) element; equal ones share the gradient."""
    if initial is not None and where is None:
        where = True
    if where is not None and initial is None:
        raise ValueError("For 'amax' and 'amin', 'initial' must be given with 'where', for an empty selection.")
    reduce, name = (jnp.max, "ReduceMax") if sign > 0 else (jnp.min, "ReduceMin")
    check.dtype(x, "biuf", "input", name)
    if initial is None:
        check.not_empty(x, axis, "input", name)
    return reduce(x, axis, keepdims=keepdims, initial=initial, where=where)


_OF_AXES = """The {phrase} element along ``axis``; equal ones share the gradient.

    Args:
        x (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int]): Default: ``()``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor, dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or no element.
    Example:
        >>> ops.{primitive}()(Tensor([[1.0, 5.0], [7.0, 2.0]]), 1).tolist()
        {values}
    Source: mindspore.ops.{primitive}
    """
_CHOSEN = """The {phrase} element along ``axis``; equal ones share the gradient.

    Args:
        input (Tensor): any shape, a real dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keepdims (bool): whether the axes stay, with length 1. Default: ``False``.
        initial (Number): the {bound} value that the result can have. Default: ``None``.
        where (Tensor): of bool: which elements count; needs ``initial``. Default: ``None``, all.
    Returns:
        Tensor, dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or no element.
    Example:
        >>> ops.{name}(Tensor([[1.0, 5.0], [7.0, 2.0]]), 1).tolist()
        {values}
    Source: mindspore.ops.{name}, mindspore.Tensor.{name}
    """


def _extremes(name, text, private, sign, phrase, bound, values):
    """Defines the function and method ``name``, and the Primitive ``text``, of the largest or smallest element."""
    primitive = text.partition("(")[0]

    def compute(x, axis, keepdims, initial=None, where=None):
        return _extreme(x, sign, check.axes(axis, x.ndim, "axis", primitive), keepdims, initial, where)

    fields = {"primitive": primitive, "phrase": phrase, "bound": bound, "values": values}
    shared = f"{name}(input: Array, axis: Axes = None, keepdims: Bool = False, *, "
    function_text = shared + "initial: Scalar() | None = None, where: Array | None = None)"
    definition = body(function_text, compute, _CHOSEN, **fields)
    op(text, name=private)(
        body(f"{private}(x: Array, axis: Axes = (), keep_dims: Bool = False)", compute, _OF_AXES, **fields)
    )
    return op(method=name)(definition)


amax = _extremes("amax", "ReduceMax(keep_dims=False)", "_reduce_max", 1, "largest", "smallest", [5.0, 7.0])
amin = _extremes("amin", "ReduceMin(keep_dims=False)", "_reduce_min", -1, "smallest", "largest", [1.0, 2.0])


@op("ReduceAny(keep_dims=False)")
def any(input: Array, axis: Axes = None, keep_dims: Bool = False):
    """Logical OR along ``axis``: whether an element is nonzero.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of bool, of uint8 for uint8.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.any(Tensor([[True, False], [False, False]]), 1).tolist()
        [True, False]
    Source: mindspore.ops.any, mindspore.ops.ReduceAny, mindspore.Tensor.any
    """
    result = jnp.any(input != 0, axis=check.axes(axis, input.ndim, "axis", "ReduceAny"), keepdims=keep_dims)
    return result.astype(promotion.reduction_dtype("any", input.dtype))


@op("ReduceAll(keep_dims=False)")
def all(input: Array, axis: Axes = None, keep_dims: Bool = False):
    """Logical AND along ``axis``: whether every element is nonzero.

    Args:
        input (Tensor): any shape and dtype.
        axis (int | tuple[int] | list[int] | None): Default: ``None``, all axes.
        keep_dims (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of bool.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ops.all(Tensor([[True, False], [True, True]]), 1).tolist()
        [False, True]
    Source: mindspore.ops.all, mindspore.ops.ReduceAll, mindspore.Tensor.all
    """
    return jnp.all(input != 0, axis=check.axes(axis, input.ndim, "axis", "ReduceAll"), keepdims=keep_dims)


@op("SquareSumAll", name="_square_sum_all", wide=True)
def _square_sum_all(x: Array, y: Array):
    """The sums of the squares of all elements of two Tensors.

    Args:
        x, y (Tensor): of the same shape and float dtype.
    Returns:
        tuple of two Tensors without axes, of that dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes differ.
    Example:
        >>> [each.item() for each in ops.SquareSumAll()(Tensor([3.0, 4.0]), Tensor([1.0, 0.0]))]
        [25.0, 1.0]
    Source: mindspore.ops.SquareSumAll
    """
    check.same_dtype(y, check.dtype(x, "f", "x", "SquareSumAll"), "y", "x", "SquareSumAll")
    check.same_shape(y, x, "y", "x", "SquareSumAll")
    return jnp.sum(jnp.square(x)), jnp.sum(jnp.square(y))


def _sum_from(input: Array, axis: Axes, dtype: Dtype | None, keepdims: Bool, initial: Scalar() | None):
    result = sum(input, axis, keepdims, dtype=dtype)
    return result if initial is None else result + initial


@composite(name="_prod_along")
def _prod_along(input: Array, dim: Axis | None = None, keepdim: Bool = False, dtype: Dtype | None = None):
    """The product along ``dim``.

    Args:
        input (Tensor): any shape and dtype.
        dim (int | None): Default: ``None``, all axes.
        keepdim (bool): whether the axis stays, with length 1. Default: ``False``.
        dtype (mindspore.dtype): of the result. Default: ``None``, as `prod` has it.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).prod(0).tolist()
        [3.0, 8.0]
    Source: mindspore.Tensor.prod
    """
    return prod(input, dim, keepdim, dtype)


method(
    "sum",
    (sum, "(dim=None, keepdim=False, *, dtype=None)"),
    (_sum_from, "(axis=None, dtype=None, keepdims=False, initial=None)"),
)
method("mean", (mean_in, "(dim=None, keepdim=False, *, dtype=None)"), (mean, "(axis=None, keep_dims=False)"))
method("prod", (_prod_along, "(dim=None, keepdim=False, dtype=None)"))
method("any", (any, "(axis=None, keep_dims=False)"), (any, "(dim=None, keepdim=False)"))
method("all", (all, "(axis=None, keep_dims=False)"), (all, "(dim=None, keepdim=False)"))
