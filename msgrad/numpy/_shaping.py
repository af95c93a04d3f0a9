"""Shapes: axes, concatenation and splitting, flipping, rotation and repetition, as faces of ``mindspore.ops``."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import Array, Arrays, Axes, Axis, Int, IntOrInts, Ints
from .._contracts.kinds import accepted
from ..engine.handle import Handle
from ..ops._core.families import body
from ._dialect import Like, composite, face, op, promoted, to_tensor

# -- axes -----------------------------------------------------------------------------------------------------------


@op(view=True)
def expand_dims(a: Like, axis: IntOrInts):
    """New axes of length 1.

    Args:
        a (Tensor): any shape.
        axis (int | tuple[int] | list[int]): their indices in the result.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such position.
    Example:
        >>> ms.numpy.expand_dims(Tensor([1, 2]), (0, 2)).shape
        (1, 2, 1)
    Source: mindspore.numpy.expand_dims
    """
    count = 1 if isinstance(axis, int) else len(axis)
    return jnp.expand_dims(a, check.axes(axis, a.ndim + count, "axis", "expand_dims"))


@op(view=True)
def transpose(a: Like, axes: IntOrInts | None = None):
    """Permutes the axes.

    Args:
        a (Tensor): any shape.
        axes (tuple[int] | list[int] | None): the order. Default: ``None``, the reverse.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if it is no order of the axes.
    Example:
        >>> ms.numpy.transpose(Tensor([[1, 2]])).shape
        (2, 1)
    Source: mindspore.numpy.transpose
    """
    order: Any = range(a.ndim)[::-1] if axes is None else (axes,) if isinstance(axes, int) else axes
    if sorted(axis % a.ndim if a.ndim else axis for axis in order) != list(range(a.ndim)):
        check.refuse(ValueError, "transpose", "axes", f"a permutation of the {a.ndim} axes", tuple(order))
    return jnp.transpose(a, order)


@op(view=True)
def rollaxis(x: Like, axis: Int, start: Int = 0):
    """Moves an axis before another.

    Args:
        x (Tensor): any shape.
        axis (int): the axis.
        start (int): the index that it is moved before; the count of axes is the end. Default: ``0``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there is no such axis or position.
    Example:
        >>> ms.numpy.rollaxis(Tensor([[[1, 2]]]), 2).shape
        (2, 1, 1)
    Source: mindspore.numpy.rollaxis
    """
    axis = check.axis(axis, x.ndim, "axis", "rollaxis")
    check.in_range(start, -x.ndim, x.ndim + 1, "start", "rollaxis")
    return jnp.rollaxis(x, axis, start)


face(ops.reshape, "reshape(x: Like, new_shape: NewShape)", new_shape="shape")
face(ops.squeeze, "squeeze(a: Like, axis=None)")
face(ops.swapaxes, "swapaxes(x: Like, axis1, axis2)", axis1="axis0", axis2="axis1")
face(ops.moveaxis, "moveaxis(a: Like, source, destination)")
face(ops.ravel, "ravel(x: Like)")
face(ops.broadcast_to, "broadcast_to(array: Like, shape)")


@composite()
def broadcast_arrays(*args):
    """Several Tensors, broadcast to one shape.

    Args:
        args (Tensor): shapes that broadcast.
    Returns:
        list of Tensors.
    Raises:
        ValueError: if the shapes do not broadcast.
    Example:
        >>> [each.shape for each in ms.numpy.broadcast_arrays(Tensor([1, 2]), Tensor([[3]]))]
        [(1, 2), (1, 2)]
    Source: mindspore.numpy.broadcast_arrays
    """
    args = [to_tensor(each, "args", "broadcast_arrays") for each in args]
    try:
        shape = np.broadcast_shapes(*[each.shape for each in args])
    except ValueError:
        shapes = [each.shape for each in args]
        return check.refuse(ValueError, "broadcast_arrays", "args", "of shapes that broadcast", shapes)
    return [ops.broadcast_to(each, shape) for each in args]


_AT_LEAST = """Tensors of {count} or more axes: each that has fewer gets axes of length 1{where}.

    Args:
        arys (Tensor): any shapes.
    Returns:
        Tensor; a list of them for several.
    Raises:
        TypeError: if one is not a Tensor.
    Example:
        >>> ms.numpy.{name}(Tensor(1)).shape
        {shape}
    Source: mindspore.numpy.{name}
    """


def _at_least(name, expand, **fields):
    def compute(arys):
        results = [expand(accepted(Array, each, "arys", name)) for each in arys]
        return results[0] if len(results) == 1 else results

    composite()(body(f"{name}(*arys)", compute, _AT_LEAST, **fields))


def _leading(ndim):
    return lambda array: array.reshape((1,) * (ndim - array.ndim) + array.shape)


def _cubed(array):
    return array.reshape({0: (1, 1, 1), 1: (1, *array.shape, 1), 2: (*array.shape, 1)}.get(array.ndim, array.shape))


_at_least("atleast_1d", _leading(1), count="one", where="", shape="(1,)")
_at_least("atleast_2d", _leading(2), count="two", where=" before its own", shape="(1, 1)")
_at_least("atleast_3d", _cubed, count="three", where=", a vector's own being the second", shape="(1, 1, 1)")

# -- joining --------------------------------------------------------------------------------------------------------


def _tensors(arrays, owner):
    arrays = accepted(Arrays, list(arrays) if isinstance(arrays, Handle) else arrays, "arrays", owner)
    if not arrays:
        check.refuse(IndexError, owner, "arrays", "one Tensor or more", arrays)
    return arrays


@composite()
def concatenate(arrays, axis: Axis | None = 0):
    """Joins Tensors along an axis, in their common dtype.

    Args:
        arrays (tuple | list | Tensor): Tensors that differ in the length of that axis alone; of one Tensor, its rows.
        axis (int | None): None joins all elements. Default: ``0``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit, or there is no such axis.
    Example:
        >>> ms.numpy.concatenate((Tensor([1]), Tensor([2.5]))).tolist()
        [1.0, 2.5]
    Source: mindspore.numpy.concatenate
    """
    arrays = _tensors(arrays, "concatenate")
    if axis is None or axis >= 32:  # MindSpore's own count of axes that an array can have
        arrays, axis = [each.reshape(-1) for each in arrays], 0
    return ops.concat(promoted(arrays), axis)


@composite()
def append(arr: Array, values: Array, axis: Axis | None = None):
    """Joins two Tensors along an axis, in their common dtype.

    Args:
        arr, values (Tensor): of as many axes, that differ in the length of that axis alone.
        axis (int | None): Default: ``None``, which joins all elements.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit, or there is no such axis.
    Example:
        >>> ms.numpy.append(Tensor([1]), Tensor([[2]])).tolist()
        [1, 2]
    Source: mindspore.numpy.append
    """
    if axis is not None and arr.ndim != values.ndim:
        check.refuse(ValueError, "append", "values", f"of {arr.ndim} axes", values.shape)
    return concatenate((arr, values), axis)


@composite()
def stack(arrays, axis: Axis = 0):
    """Joins Tensors of the same shape along a new axis, in their common dtype.

    Args:
        arrays (tuple | list | Tensor): the Tensors; of one Tensor, its rows.
        axis (int): the index of the new axis. Default: ``0``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes differ, or there is no such position.
    Example:
        >>> ms.numpy.stack([Tensor([1, 2]), Tensor([3, 4])], -1).tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.numpy.stack
    """
    return ops.stack(promoted(_tensors(arrays, "stack")), axis)


_STACKED = """Joins Tensors {how}, in their common dtype.

    Args:
        tup (tuple | list | Tensor): the Tensors; one Tensor is returned itself.
    Returns:
        Tensor.
    Raises:
        TypeError: for another ``tup``.  ValueError: if it is empty, or shapes do not fit.
    Example:
        >>> ms.numpy.{name}((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _stacked(name, join, how, value):
    def compute(tup):
        if isinstance(tup, Handle):
            return tup
        if not accepted(Arrays, tup, "tup", name):
            check.refuse(ValueError, name, "tup", "one Tensor or more", tup)
        return join(promoted(tup))

    composite()(body(f"{name}(tup)", compute, _STACKED, how=how, value=value))


_stacked("hstack", ops.hstack, "side by side, along the second axis; vectors along their only one", "[1, 2, 3, 4]")
_stacked("vstack", ops.vstack, "one below the other, vectors being rows", "[[1, 2], [3, 4]]")
_stacked("dstack", ops.dstack, "along the third axis", "[[[1, 3], [2, 4]]]")
_stacked("column_stack", ops.column_stack, "side by side, vectors being columns", "[[1, 3], [2, 4]]")

# -- splitting ------------------------------------------------------------------------------------------------------

_SPLIT = """Cuts a Tensor into several, along {where}.

    Args:
        x (Tensor): the Tensor.
        indices_or_sections (int | tuple[int] | list[int]): how many parts{uneven}, or the indices of the cuts.{axis}
    Returns:
        tuple of Tensors, a list of them for indices.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a part would be empty, {equal}or for a wrong axis.
    Example:
        >>> [each.shape for each in ms.numpy.{name}(ops.ones((2, 2, 2)), 2)]
        {shapes}
    Source: mindspore.numpy.{name}
    """
_AXIS = "\n        axis (int): the axis. Default: ``0``."


def _cut(x, indices, axis, name):
    axis, length = check.axis_and_length(axis, x.shape, "axis", name)
    ends = [index + length if index < 0 else index for index in indices] + [length]
    starts = [0, *ends[:-1]]
    if any(end <= start for start, end in zip(starts, ends, strict=True)):
        check.refuse(ValueError, name, "indices_or_sections", "such that no part is empty", indices)
    return ops.split(x, [min(end, length) - start for start, end in zip(starts, ends, strict=True)], axis)


def _split(name, x, indices_or_sections, axis, is_even):
    if not isinstance(indices_or_sections, int):
        return list(_cut(x, list(indices_or_sections), axis, name))
    (_, length), count = check.axis_and_length(axis, x.shape, "axis", name), indices_or_sections
    if not 0 < count <= length or (is_even and length % count):
        expected = f"a divisor of {length}" if is_even else f"from 1 to {length}"
        check.refuse(ValueError, name, "indices_or_sections", expected, count)
    short, longer = divmod(length, count)
    return tuple(_cut(x, [k * short + min(k, longer) for k in range(1, count)], axis, name))


def _splitting(name, shapes, axis=None, is_even=True):
    def along_any(x, indices_or_sections, axis):
        return _split(name, x, indices_or_sections, axis, is_even)

    def along_one(x, indices_or_sections):
        return _split(name, x, indices_or_sections, axis, is_even)

    fields = {"shapes": shapes, "uneven": "" if is_even else ", of which the first may be longer by one"}
    fields["equal"] = "if the parts are not equal, " if is_even else ""
    text = f"{name}(x: Array, indices_or_sections: IntOrInts"
    if axis is None:
        return composite()(body(f"{text}, axis: Axis = 0)", along_any, _SPLIT, where="an axis", axis=_AXIS, **fields))
    where = ("the first axis", "the second axis", "the third axis")[axis]
    return composite()(body(f"{text})", along_one, _SPLIT, where=where, axis="", **fields))


_splitting("split", "[(1, 2, 2), (1, 2, 2)]")
_splitting("array_split", "[(1, 2, 2), (1, 2, 2)]", is_even=False)
_splitting("vsplit", "[(1, 2, 2), (1, 2, 2)]", axis=0)
_splitting("hsplit", "[(2, 1, 2), (2, 1, 2)]", axis=1)
_splitting("dsplit", "[(2, 2, 1), (2, 2, 1)]", axis=2)

# -- flipping and repeating ------------------------------------------------------------------------------------------


@op()
def flip(m: Like, axis: Axes = None):
    """Reverses the order of elements.

    Args:
        m (Tensor): any shape.
        axis (int | tuple[int] | list[int] | None): along which axes. Default: ``None``, all.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.flip(Tensor([1, 2])).tolist()
        [2, 1]
    Source: mindspore.numpy.flip
    """
    return jnp.flip(m, check.axes(axis, m.ndim, "axis", "flip"))


face(flip, "flipud(m: Like)", fixed={"axis": 0})
face(flip, "fliplr(m: Like)", fixed={"axis": 1})


@op()
def rot90(a: Like, k: Int = 1, axes: Ints = (0, 1)):
    """Rotates the plane of two axes by multiples of 90 degrees.

    Args:
        a (Tensor): two axes or more.
        k (int): how many quarters, from the first axis to the second. Default: ``1``.
        axes (tuple[int] | list[int]): the axes. Default: ``(0, 1)``.
    Returns:
        Tensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are no two such axes.
    Example:
        >>> ms.numpy.rot90(Tensor([[1, 2], [3, 4]])).tolist()
        [[2, 4], [1, 3]]
    Source: mindspore.numpy.rot90
    """
    if len({check.axis(axis, a.ndim, "axes", "rot90") for axis in axes}) != 2 or len(axes) != 2:
        check.refuse(ValueError, "rot90", "axes", "two different axes", axes)
    return jnp.rot90(a, k, axes)


@op()
def roll(a: Like, shift: Ints, axis: IntOrInts | None = None):
    """Rolls elements along axes, wrapping around.

    Args:
        a (Tensor): any shape.
        shift (int | tuple[int] | list[int]): by how many elements.
        axis (int | tuple[int] | list[int] | None): along which axes. Default: ``None``, all elements in order.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range, or lengths differ.
    Example:
        >>> ms.numpy.roll(Tensor([1, 2, 3]), 1).tolist()
        [3, 1, 2]
    Source: mindspore.numpy.roll
    """
    if axis is None:
        return jnp.roll(a, sum(shift))
    given = (axis,) if isinstance(axis, int) else axis
    if len(shift) != len(given) and 1 not in (len(shift), len(given)):
        check.refuse(ValueError, "roll", "axis", f"of as many axes as 'shift' has, {len(shift)}", given)
    count = max(len(shift), len(given))
    axes = [check.axis(each, a.ndim, "axis", "roll") for each in given * (count if len(given) == 1 else 1)]
    return jnp.roll(a, shift * (count if len(shift) == 1 else 1), axes)


face(ops.tile, "tile(a: Like, reps: Ints)", reps="dims")


face(ops.repeat_interleave, "repeat(a: Like, repeats, axis=None)")


@composite()
def size(a: Like, axis: Axis | None = None):
    """The number of elements.

    Args:
        a (Tensor): any shape.
        axis (int | None): along which axis. Default: ``None``, all.
    Returns:
        int.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> ms.numpy.size(Tensor([[1, 2]]), 0)
        1
    Source: mindspore.numpy.size
    """
    return a.size if axis is None else check.axis_and_length(axis, a.shape, "axis", "size")[1]


@composite()
def array_str(a: Array):
    """The Tensor as a text.

    Args:
        a (Tensor): any shape.
    Returns:
        str.
    Raises:
        TypeError: if ``a`` is not a Tensor.
    Example:
        >>> ms.numpy.array_str(Tensor([1, 2]))
        '[1 2]'
    Source: mindspore.numpy.array_str
    """
    return str(a)
