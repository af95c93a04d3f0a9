"""Selection of elements by conditions and indices, set operations, and functions over slices."""

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.choices import OneOf
from .._contracts.contracts import Array, Axis, Bool, Callable, Ints, Text
from ..engine.dtypes import int32
from ..ops._core.families import body
from ._dialect import NAMES, Like, composite, face, op, promote, promoted, to_tensor
from ._shaping import stack

# -- by conditions --------------------------------------------------------------------------------------------------


@op()
def where(condition: Like, x: Like = None, y: Like = None):
    """Elements of ``x`` where the condition is not 0, of ``y`` elsewhere, in their common dtype.

    Args:
        condition, x, y (Tensor | Number | list | tuple): shapes that broadcast. Default: ``None``, which is refused.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if ``x`` or ``y`` is not given.  ValueError: if shapes do not broadcast.
    Example:
        >>> ms.numpy.where([True, False], [1, 2], [3, 4]).tolist()
        [1, 4]
    Source: mindspore.numpy.where
    """
    if x is None or y is None:
        check.refuse(TypeError, "where", "x" if x is None else "y", "given", None, "For positions: argwhere.")
    dtype = promote(x.dtype, y.dtype)
    check.broadcastable(x.shape, y.shape, "where")
    check.broadcastable(condition.shape, jnp.broadcast_shapes(x.shape, y.shape), "where")
    return jnp.where(condition.astype(bool), x.astype(dtype), y.astype(dtype))


@composite()
def select(condlist: Like, choicelist: Like, default: Like = 0):
    """Elements of the first choice whose condition holds.

    Args:
        condlist (Tensor | list | tuple): the conditions, along the first axis.
        choicelist (Tensor | list | tuple): the choices, along the first axis.
        default (Tensor | Number): where no condition holds. Default: ``0``.
    Returns:
        Tensor of the dtype of the choices.
    Raises:
        ValueError: if there are not as many choices as conditions.
    Example:
        >>> ms.numpy.select([[True, False, False], [True, True, False]], [[1, 2, 3], [4, 5, 6]], 9).tolist()
        [1, 5, 9]
    Source: mindspore.numpy.select
    """
    if not (condlist.ndim and choicelist.ndim) or condlist.shape[0] != choicelist.shape[0]:
        expected = f"of as many choices as there are conditions, {condlist.shape[:1]}"
        check.refuse(ValueError, "select", "choicelist", expected, choicelist.shape)
    result = ops.cast(default, choicelist.dtype)
    for k in range(condlist.shape[0])[::-1]:
        result = where(condlist[k], choicelist[k], result)
    return result


@composite()
def piecewise(x: Like, condlist, funclist, *args, **kw):
    """Values of several functions, each where its condition holds.

    Args:
        x (Tensor): what the functions are called with.
        condlist (Tensor | list | tuple): the conditions, along the first axis.
        funclist (list | tuple): functions or numbers, one for each condition; one more is for where none holds.
        args, kw: further arguments of the functions.
    Returns:
        Tensor of the shape of ``x``; 0 where no condition holds and there is no such function.
    Raises:
        ValueError: if there are not as many functions as conditions, or one more.
        IndexError: if there is no condition.
    Example:
        >>> ms.numpy.piecewise(Tensor([-1.0, 2.0]), [[True, False]], [lambda v: -v, lambda v: v * 3]).tolist()
        [1.0, 6.0]
    Source: mindspore.numpy.piecewise
    """
    conditions = to_tensor(condlist, "condlist", "piecewise")
    conditions = conditions.reshape((1,)) if conditions.ndim == 0 else conditions
    if not conditions.shape[0]:
        check.refuse(IndexError, "piecewise", "condlist", "one condition or more", condlist)
    choices = [
        each(x, *args, **kw) if callable(each) else to_tensor(each, "funclist", "piecewise") for each in funclist
    ]
    if len(choices) - conditions.shape[0] not in (0, 1):
        expected = f"one function for each of {conditions.shape[0]} conditions, or one more"
        check.refuse(ValueError, "piecewise", "funclist", expected, len(choices))
    choices = promoted([ops.broadcast_to(each, x.shape) for each in choices])
    default = choices.pop() if len(choices) > conditions.shape[0] else 0
    return select(conditions, ops.stack(choices), default)


# -- by indices ---------------------------------------------------------------------------------------------------


@composite()
def take(a: Array, indices: Array, axis: Axis | None = None, mode="clip"):
    """Gathers elements along an axis by index.

    Args:
        a (Tensor): any shape.
        indices (Tensor): of ints; negative ones count from the end.
        axis (int | None): Default: ``None``, all elements in order.
        mode (str): of positions out of range: ``'clip'``, the nearest, or ``'wrap'``. Default: ``'clip'``.
    Returns:
        Tensor with the axes of ``indices`` in place of the axis.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or for another ``mode``.
    Example:
        >>> ms.numpy.take(Tensor([4, 5, 6]), Tensor([2, 0])).tolist()
        [6, 4]
    Source: mindspore.numpy.take
    """
    return a.take(indices, axis, mode)


@op()
def take_along_axis(arr: Array, indices: Array, axis: Axis | None):
    """Gathers elements along an axis, with a separate index for each.

    Args:
        arr (Tensor): any shape.
        indices (Tensor): of ints and as many axes; the others broadcast. Negative ones count from the end.
        axis (int | None): None is for all elements in order.
    Returns:
        Tensor of the broadcast shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the counts of axes differ, or for a wrong axis.
    Example:
        >>> ms.numpy.take_along_axis(Tensor([[4, 5], [6, 7]]), Tensor([[1], [0]]), 1).tolist()
        [[5], [6]]
    Source: mindspore.numpy.take_along_axis
    """
    arr, axis = (arr.reshape(-1), 0) if axis is None else (arr, axis)
    if arr.ndim != indices.ndim:
        check.refuse(ValueError, "take_along_axis", "indices", f"of {arr.ndim} axes", indices.shape)
    axis = check.axis(axis, arr.ndim, "axis", "take_along_axis")
    return jnp.take_along_axis(arr, check.dtype(indices, "iu", "indices", "take_along_axis"), axis, mode="fill")


@composite()
def choose(a: Like, choices, mode="clip"):
    """Selects elements from several Tensors, by the number of the Tensor.

    Args:
        a (Tensor): the numbers, ints.
        choices (tuple | list | Tensor): the Tensors, of shapes that broadcast with ``a``; of one Tensor, its rows.
        mode (str): of numbers out of range: ``'clip'``, the nearest, or ``'wrap'``. Default: ``'clip'``.
    Returns:
        Tensor of the broadcast shape, of the common dtype.
    Raises:
        ValueError: if ``a`` is not made of ints, shapes do not broadcast, or for another ``mode``.
        NotImplementedError: for ``'raise'``.
    Example:
        >>> ms.numpy.choose(Tensor([1, 0]), [[1, 2], [8, 9]]).tolist()
        [8, 2]
    Source: mindspore.numpy.choose
    """
    if a.aval[1].kind not in "iu":
        check.refuse(ValueError, "choose", "a", "a Tensor of ints", a)
    _check_mode(mode, "choose")
    return a.choose(promoted([to_tensor(each, "choices", "choose") for each in choices]), mode)


def _check_mode(mode, name):
    if mode == "raise":
        check.refuse(NotImplementedError, name, "mode", "'clip' or 'wrap'", mode, "MindSpore does not have it either.")
    check.one_of(mode, ("clip", "wrap"), "mode", name)


@composite()
def unravel_index(indices: Like, shape: Ints, order="C"):
    """Converts flat indices to indices along each axis.

    Args:
        indices (Tensor): the numbers; those out of range mean the nearest.
        shape (int | tuple[int] | list[int]): of the array.
        order (str): ``'C'``, the last axis runs first, or ``'F'``. Default: ``'C'``.
    Returns:
        tuple of Tensors, one for each axis.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``order``.
    Example:
        >>> [each.tolist() for each in ms.numpy.unravel_index(Tensor([3, 5]), (2, 3))]
        [[1, 1], [0, 2]]
    Source: mindspore.numpy.unravel_index
    """
    check.one_of(order, ("C", "F"), "order", "unravel_index")
    indices_by_axis = _unraveled(indices, shape, order)
    return indices_by_axis[0].reshape(-1) if len(shape) == 1 and indices.ndim == 0 else indices_by_axis


@op(name="_unraveled")
def _unraveled(indices: Array, shape, order):
    total = int(np.prod(shape))
    flat = jnp.mod(jnp.clip(indices, -total, total - 1), total)
    unraveled = jnp.unravel_index(flat, shape if order == "C" else shape[::-1])
    return tuple([each.astype(indices.dtype) for each in (unraveled if order == "C" else unraveled[::-1])])


@op()
def ravel_multi_index(multi_index: Like, dims: Ints, mode: Text = "clip", order: OneOf("C", "F") = "C"):
    """Converts indices along each axis to flat indices.

    Args:
        multi_index (Tensor | tuple | list): the positions, along the first axis.
        dims (int | tuple[int] | list[int]): the shape of the array.
        mode (str): of positions out of range: ``'clip'``, the nearest, or ``'wrap'``. Default: ``'clip'``.
        order (str): ``'C'``, the last axis runs first, or ``'F'``. Default: ``'C'``.
    Returns:
        Tensor of float32.
    Raises:
        TypeError: if positions are no ints.  ValueError: if they are not as many as axes, or for another mode or order.
        NotImplementedError: for the mode ``'raise'``.
    Example:
        >>> ms.numpy.ravel_multi_index(Tensor([[1, 0], [2, 1]]), (2, 3)).tolist()
        [5.0, 1.0]
    Source: mindspore.numpy.ravel_multi_index
    """
    _check_mode(mode, "ravel_multi_index")
    if check.dtype(multi_index, "biu", "multi_index", "ravel_multi_index").shape[:1] != (len(dims),):
        check.refuse(ValueError, "ravel_multi_index", "multi_index", f"of {len(dims)} rows", multi_index.shape)
    return jnp.ravel_multi_index(tuple(multi_index), dims, mode, order).astype(np.float32)


face(ops.argwhere, "argwhere(a: Like)")

# -- sets -----------------------------------------------------------------------------------------------------------


@composite()
def unique(x: Array, return_inverse: Bool = False):
    """The distinct elements, in order of first appearance; reads values on the host.

    Args:
        x (Tensor): any shape, taken as a vector.
        return_inverse (bool): whether to return each element's index in the result too. Default: ``False``.
    Returns:
        Tensor; with ``return_inverse`` a tuple of it and the indices.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.unique(Tensor([3, 1, 3])).tolist()
        [3, 1]
    Source: mindspore.numpy.unique
    """
    values, inverse = ops.Unique()(x.reshape(-1))
    return (values, inverse) if return_inverse else values


_MEMBERS = """Whether each element is one of others.

    Args:
        {first} (Tensor): the elements, {shape}.
        {second} (Tensor): the others.
        invert (bool): whether to say the opposite. Default: ``False``.
    Returns:
        Tensor of bool.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.{name}(Tensor([[1, 2, 3]]), [2, 5]).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _members(text, compute, **fields):
    return op()(body(text, compute, _MEMBERS, NAMES, **fields))


_FEW = 32  # members up to which comparing with each is faster than searching: 1e6 elements in 1000 take 20 ms or 550


def _is_in(elements, members, invert):
    method = "compare_all" if members.size <= _FEW else "binary_search"
    return jnp.isin(*_alike(elements, members), invert=invert, method=method)


def _alike(x1, x2):
    dtype = promote(x1.dtype, x2.dtype)
    return x1.astype(dtype), x2.astype(dtype)


_members(
    "isin(element: Like, test_elements: Like, invert: Bool = False)",
    _is_in,
    first="element",
    second="test_elements",
    shape="any shape",
    value="[[False, True, False]]",
)
_members(
    "in1d(ar1: Like, ar2: Like, invert: Bool = False)",
    lambda ar1, ar2, invert: _is_in(ar1.reshape(-1), ar2, invert),
    first="ar1",
    second="ar2",
    shape="taken as a vector",
    value="[False, True, False]",
)


@composite()
def intersect1d(ar1: Like, ar2: Like, assume_unique: Bool = False, return_indices: Bool = False):
    """The elements that two Tensors have in common, sorted; reads values on the host.

    Args:
        ar1, ar2 (Tensor): taken as vectors.
        assume_unique (bool): whether neither has an element twice. Default: ``False``.
        return_indices (bool): whether to return the first indices in both too. Default: ``False``.
    Returns:
        Tensor; with ``return_indices`` a tuple of it and two Tensors of int32.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.intersect1d([3, 1, 2], [1, 3, 5]).tolist()
        [1, 3]
    Source: mindspore.numpy.intersect1d
    """
    x1, x2 = promoted([ar1.reshape(-1), ar2.reshape(-1)])
    _, first, second = np.intersect1d(x1._values_(), x2._values_(), assume_unique, return_indices=True)
    first, second = to_tensor(first.tolist(), "ar1", "intersect1d"), to_tensor(second.tolist(), "ar2", "intersect1d")
    common = ops.gather(x1, first.astype(int32), 0)
    return (common, first.astype(int32), second.astype(int32)) if return_indices else common


@composite()
def setdiff1d(ar1: Like, ar2: Like, assume_unique: Bool = False):
    """The elements of one Tensor that are not in another; reads values on the host.

    Args:
        ar1, ar2 (Tensor): taken as vectors.
        assume_unique (bool): whether neither has an element twice; then the order stays. Default: ``False``.
    Returns:
        Tensor, sorted.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.setdiff1d([3, 1, 2, 1], [1, 5]).tolist()
        [2, 3]
    Source: mindspore.numpy.setdiff1d
    """
    ar1 = ar1.reshape(-1)
    values, excluded = ar1._values_(), ar2.reshape(-1)._values_()
    firsts = np.arange(values.size) if assume_unique else np.unique(values, return_index=True)[1]
    positions = firsts[~np.isin(values[firsts], excluded)]
    return ops.gather(ar1, to_tensor(positions.tolist(), "ar1", "setdiff1d").astype(int32), 0)


# -- functions over slices ------------------------------------------------------------------------------------------


@composite()
def apply_along_axis(func1d: Callable, axis: Axis, arr: Array, *args, **kwargs):
    """The results of a function of each vector along an axis.

    Args:
        func1d (function): ``func1d(vector, *args, **kwargs)``, a Tensor.
        axis (int): the axis.
        arr (Tensor): any shape.
        args, kwargs: further arguments of the function.
    Returns:
        Tensor: the axes of the function's results replace the axis.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.  IndexError: if ``arr`` has
            no elements.
    Example:
        >>> ms.numpy.apply_along_axis(lambda vector: vector.sum(), 0, Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [4.0, 6.0]
    Source: mindspore.numpy.apply_along_axis
    """
    axis = check.axis(axis, arr.ndim, "axis", "apply_along_axis")
    if not arr.size:
        check.refuse(IndexError, "apply_along_axis", "arr", "a Tensor that has elements", arr.shape)
    moved = ops.moveaxis(arr, axis, -1)
    outer = moved.shape[:-1]
    results = stack([func1d(vector, *args, **kwargs) for vector in moved.reshape((-1, moved.shape[-1]))])
    inner = results.shape[1:]
    axes = tuple(range(axis, axis + len(inner)))
    return ops.moveaxis(results.reshape(outer + inner), tuple(range(len(outer), len(outer) + len(inner))), axes)


@composite()
def apply_over_axes(func: Callable, a: Like, axes: Ints):
    """The result of a function that is applied along one axis after another.

    Args:
        func (function): ``func(a, axis=axis)``, a Tensor with or without the axis.
        a (Tensor): any shape.
        axes (int | tuple[int] | list[int]): the axes.
    Returns:
        Tensor of as many axes as ``a``.
    Raises:
        ValueError: if the function returns another count of axes.
    Example:
        >>> ms.numpy.apply_over_axes(ms.numpy.sum, Tensor([[1.0, 2.0], [3.0, 4.0]]), (0, 1)).tolist()
        [[10.0]]
    Source: mindspore.numpy.apply_over_axes
    """
    result = a
    for axis in axes:
        result = func(result, axis=axis)
        result = result if result.ndim == a.ndim else ops.expand_dims(result, axis)
        if result.ndim != a.ndim:
            check.refuse(ValueError, "apply_over_axes", "func", f"a function whose results have {a.ndim} axes", result)
    return result
