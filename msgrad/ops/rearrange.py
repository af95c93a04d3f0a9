"""Rearranging along axes: tiling, repeating, flipping, rolling, cutting out."""

import jax.numpy as jnp
import numpy as np

from ..engine.handle import Handle
from . import check
from .array import int_tuple, spread
from .contracts import Array, concrete
from .define import composite, op
from .faces import attach
from .overload import overload
from .selection import select


def _sequence(value, name, op_name):
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"For '{op_name}', the '{name}' must be a tuple or list of ints, but got {value!r}.")
    return value


@op("Tile")
def tile(input: Array, dims):
    """Repeats the whole along its axes.

    Args:
        input (Tensor): any shape and dtype.
        dims (tuple[int]): how often along each axis; more of them than axes add axes in front.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``dims`` is not a tuple of ints.  ValueError: if one is negative.
    Example:
        >>> ops.tile(Tensor([1, 2]), (2, 2)).tolist()
        [[1, 2, 1, 2], [1, 2, 1, 2]]
    Source: mindspore.ops.tile, mindspore.ops.Tile, mindspore.Tensor.tile
    """
    dims = int_tuple(_sequence(dims, "dims", "Tile"), "dims", "Tile")
    for place, count in enumerate(dims):
        if count < 0:
            raise ValueError(
                f"For 'Tile', 'dims' cannot contain negative integer numbers, but got {count} in {place}th."
            )
    return jnp.tile(input, dims)


def tile_method(self, *dims, reps=None):
    """Repeats the whole along its axes.

    Args:
        dims, reps (int, ... | tuple[int]): how often along each axis.
    Returns, Raises: as for `ops.tile`.
    Example:
        >>> Tensor([1, 2]).tile((2,)).tolist()
        [1, 2, 1, 2]
    Source: mindspore.Tensor.tile
    """
    return tile(self, spread(dims if reps is None else (reps,)))


def repeat_method(self, *repeats):
    """Repeats the whole along its axes; at least one count for each axis.

    Args:
        repeats (int, ... | tuple[int]): how often along each axis; more of them than axes add axes in front.
    Returns:
        Tensor of the same dtype.
    Raises:
        RuntimeError: if there are fewer counts than axes.  ValueError: if one is negative.
    Example:
        >>> Tensor([1, 2]).repeat(2).tolist()
        [1, 2, 1, 2]
    Source: mindspore.Tensor.repeat
    """
    counts = spread(concrete(repeats))
    if len(counts) < len(self.aval[0]):
        raise RuntimeError(
            "For 'repeat', number of dimensions of 'repeats' can not be smaller than number of dimensions of tensor, "
            f"but got {counts} for shape {self.aval[0]}."
        )
    return tile(self, counts)


@op()
def repeat_interleave(input: Array, repeats, axis=None):
    """Repeats each element, next to itself.

    Args:
        input (Tensor): any shape and dtype.
        repeats (int | tuple[int] | list[int] | Tensor): how often; one count for all, or one for each element.
        axis (int | None): along which axis; None flattens first. Default: None.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.
        ValueError: if ``axis`` is out of range, a count is negative, or their number does not fit.
    Example:
        >>> ops.repeat_interleave(Tensor([1, 2]), 2, 0).tolist()
        [1, 1, 2, 2]
    Source: mindspore.ops.repeat_interleave, mindspore.Tensor.repeat_interleave
    """
    if axis is None:
        input, axis = jnp.reshape(input, (-1,)), 0
    axis = check.axis(axis, input.ndim, "axis", "repeat_interleave")
    counts = int_tuple(repeats, "repeats", "repeat_interleave")
    if min(counts, default=0) < 0 or len(counts) not in (1, input.shape[axis]):
        raise ValueError(
            f"For 'repeat_interleave', the 'repeats' must be one count, or {input.shape[axis]} counts, that are not "
            f"negative, but got {repeats}."
        )
    places = np.repeat(np.arange(input.shape[axis]), counts)
    return jnp.take(input, places, axis=axis, mode="clip")


def repeat_interleave_method(self, repeats, dim=None, *, output_size=None):
    """Repeats each element, next to itself.

    Args:
        repeats (int | tuple[int] | list[int] | Tensor): how often.
        dim (int | None): along which axis; None flattens first. Default: None.
        output_size (int | None): the length of the result, a hint without effect. Default: None.
    Returns, Raises: as for `ops.repeat_interleave`.
    Example:
        >>> Tensor([1, 2]).repeat_interleave(2).tolist()
        [1, 1, 2, 2]
    Source: mindspore.Tensor.repeat_interleave
    """
    return repeat_interleave(self, repeats, dim)


@composite()
def repeat_elements(x, rep, axis=0):
    """Repeats each element along an axis, next to itself.

    Args:
        x (Tensor): any shape and dtype.
        rep (int): how often.
        axis (int): along which axis. Default: ``0``.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError, ValueError: as for `repeat_interleave`.
    Example:
        >>> ops.repeat_elements(Tensor([[1, 2]]), 2, 1).tolist()
        [[1, 1, 2, 2]]
    Source: mindspore.ops.repeat_elements
    """
    return repeat_interleave(x, rep, axis)


# -- flipping, rolling ----------------------------------------------------------------------------------------------


@op("ReverseV2(axis)", name="_reverse")
def _reverse(input: Array, axis):
    """Reverses the order along axes.

    Args:
        input (Tensor): any shape and dtype.
        axis (tuple[int] | list[int]): the axes.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``axis`` is not a tuple of ints.  ValueError: if one is out of range or named twice.
    Example:
        >>> ops.ReverseV2([0])(Tensor([1, 2])).tolist()
        [2, 1]
    Source: mindspore.ops.ReverseV2
    """
    axis = int_tuple(_sequence(axis, "axis", "ReverseV2"), "axis", "ReverseV2")
    axes = [check.axis(each, input.ndim, "axis", "ReverseV2") for each in axis]
    if len(set(axes)) < len(axes):
        raise ValueError(f"For 'ReverseV2', the 'axis' cannot contain duplicates, but got {axis}.")
    return jnp.flip(input, axes)


@composite(method="flip")
def flip(input, dims):
    """Reverses the order along axes.

    Args:
        input (Tensor): any shape and dtype.
        dims (tuple[int] | list[int]): the axes.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``dims`` is not a tuple of ints.  ValueError: if one is out of range or named twice.
    Example:
        >>> ops.flip(Tensor([[1, 2], [3, 4]]), (0,)).tolist()
        [[3, 4], [1, 2]]
    Source: mindspore.ops.flip, mindspore.Tensor.flip
    """
    return _reverse(input, dims)


@composite(method="reverse")
def reverse(x, axis):
    """Reverses the order along axes.

    Args:
        x (Tensor): any shape and dtype.
        axis (tuple[int] | list[int]): the axes.
    Returns, Raises: as for `flip`.
    Example:
        >>> ops.reverse(Tensor([1, 2]), (0,)).tolist()
        [2, 1]
    Source: mindspore.ops.reverse, mindspore.Tensor.reverse
    """
    return _reverse(x, axis)


@composite(method="flipud")
def flipud(input):
    """Reverses the order along the first axis.

    Args:
        input (Tensor): any shape of at least one axis, any dtype.
    Returns:
        Tensor of the same shape and dtype.
    Example:
        >>> ops.flipud(Tensor([[1, 2], [3, 4]])).tolist()
        [[3, 4], [1, 2]]
    Source: mindspore.ops.flipud, mindspore.Tensor.flipud
    """
    return _reverse(input, (0,))


@composite(method="fliplr")
def fliplr(input):
    """Reverses the order along the second axis.

    Args:
        input (Tensor): any shape of at least two axes, any dtype.
    Returns:
        Tensor of the same shape and dtype.
    Example:
        >>> ops.fliplr(Tensor([[1, 2], [3, 4]])).tolist()
        [[2, 1], [4, 3]]
    Source: mindspore.ops.fliplr, mindspore.Tensor.fliplr
    """
    return _reverse(input, (1,))


@op(method="roll")
def roll(input: Array, shifts, dims=None):
    """Moves the elements along axes; those that leave at one end come in at the other.

    Args:
        input (Tensor): any shape and dtype.
        shifts (int | tuple[int] | list[int]): how far.
        dims (int | tuple[int] | list[int] | None): along which axes; None: the flattened order. Default: None.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if their numbers differ, or an axis is out of range.
    Example:
        >>> ops.roll(Tensor([1, 2, 3]), 1, 0).tolist()
        [3, 1, 2]
    Source: mindspore.ops.roll, mindspore.Tensor.roll
    """
    shifts = int_tuple(shifts, "shifts", "Roll")
    if dims is None:
        return jnp.roll(input, sum(shifts))
    axes = [check.axis(axis, input.ndim, "dims", "Roll") for axis in int_tuple(dims, "dims", "Roll")]
    if len(shifts) != len(axes):
        raise ValueError(f"For 'Roll', there must be as many 'shifts' as 'dims', but got {shifts} and {dims}.")
    return jnp.roll(input, shifts, axes)


@op(method="rot90")
def rot90(input: Array, k, dims):
    """Turns the plane of two axes by 90 degrees, ``k`` times.

    Args:
        input (Tensor): any shape of at least two axes, any dtype.
        k (int): how often; negative turns the other way.
        dims (tuple[int] | list[int]): the two axes; it turns from the first to the second.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``dims`` are not two axes.
        RuntimeError: if they are the same.
    Example:
        >>> ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)).tolist()
        [[2, 4], [1, 3]]
    Source: mindspore.ops.rot90, mindspore.Tensor.rot90
    """
    if not isinstance(k, int) or isinstance(k, bool):
        raise TypeError(f"For 'rot90', the 'k' must be an int, but got {type(k).__name__}.")
    axes = [check.axis(axis, input.ndim, "dims", "rot90") for axis in int_tuple(dims, "dims", "rot90")]
    if len(axes) != 2:
        raise ValueError(f"For 'rot90', the 'dims' must be two axes, but got {dims}.")
    if axes[0] == axes[1]:
        raise RuntimeError(f"For `rot90`, rotation dims must be different, but get dim0={dims[0]}, dim1={dims[1]}.")
    return jnp.rot90(input, k, tuple(axes))


@op("ReverseSequence(seq_dim, batch_dim=0)", method="reverse_sequence")
def reverse_sequence(x: Array, seq_lengths: Array, seq_dim, batch_dim=0):
    """Reverses the first ``seq_lengths[i]`` elements of each row ``i``.

    Args:
        x (Tensor): any shape of at least two axes, any dtype.
        seq_lengths (Tensor): shape ``(x.shape[batch_dim],)``, an int dtype.
        seq_dim (int): the axis to reverse along.
        batch_dim (int): the axis that counts the rows. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        ValueError: if an axis is out of range, or both are the same.
    Example:
        >>> ops.reverse_sequence(Tensor([[1, 2, 3]]), Tensor([2]), 1).tolist()
        [[2, 1, 3]]
    Source: mindspore.ops.reverse_sequence, mindspore.ops.ReverseSequence, mindspore.Tensor.reverse_sequence
    """
    seq_dim = check.axis(seq_dim, x.ndim, "seq_dim", "ReverseSequence")
    batch_dim = check.axis(batch_dim, x.ndim, "batch_dim", "ReverseSequence")
    if seq_dim == batch_dim:
        raise ValueError(f"For 'ReverseSequence', the 'batch_dim' cannot be equal to the 'seq_dim', but got {seq_dim}.")
    lengths = jnp.expand_dims(seq_lengths, [k for k in range(x.ndim) if k != batch_dim])
    places = jnp.arange(x.shape[seq_dim]).reshape([-1 if k == seq_dim else 1 for k in range(x.ndim)])
    places = jnp.where(places < lengths, lengths - 1 - places, places)
    return jnp.take_along_axis(x, places, axis=seq_dim)


# -- cutting out ----------------------------------------------------------------------------------------------------


@op("Slice", view=True)
def slice(input_x: Array, begin, size):
    """Cuts out a block.

    Args:
        input_x (Tensor): any shape and dtype.
        begin (tuple[int] | list[int]): its first corner.
        size (tuple[int] | list[int]): its shape; -1 for up to the end.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if the arguments are not made of ints.  ValueError: if the block leaves the Tensor.
    Example:
        >>> ops.slice(Tensor([1, 2, 3]), (1,), (2,)).tolist()
        [2, 3]
    Source: mindspore.ops.slice, mindspore.ops.Slice
    """
    begin, size = int_tuple(begin, "begin", "Slice"), int_tuple(size, "size", "Slice")
    if not len(begin) == len(size) == input_x.ndim:
        raise ValueError(
            f"For 'Slice', the shapes of 'begin', 'size' and 'input_x' must have one length, but got {begin}, {size}, "
            f"{input_x.shape}."
        )
    rest = [length - first for length, first in zip(input_x.shape, begin, strict=True)]
    size = [left if count == -1 else count for count, left in zip(size, rest, strict=True)]
    for first, count, length in zip(begin, size, input_x.shape, strict=True):
        if first < 0 or count < 0 or first + count > length:
            raise ValueError(
                f"For 'Slice', the block of {tuple(size)} from {begin} on must lie in the shape {input_x.shape}."
            )
    return input_x[tuple([np.s_[first : first + count] for first, count in zip(begin, size, strict=True)])]


@op("StridedSlice(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)", view=True)
def strided_slice(
    input_x: Array,
    begin,
    end,
    strides,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
):
    """Cuts out with strides, as ``input_x[b:e:s, ...]`` does.

    Args:
        input_x (Tensor): any shape and dtype.
        begin, end, strides (tuple[int]): of the first axes, all of one length.
        begin_mask, end_mask (int): bit ``i`` set: ``begin[i]``, ``end[i]`` counts as not given. Default: ``0``.
        ellipsis_mask (int): bit ``i`` set: entry ``i`` stands for ``...``. Default: ``0``.
        new_axis_mask (int): bit ``i`` set: entry ``i`` adds an axis of length 1. Default: ``0``.
        shrink_axis_mask (int): bit ``i`` set: entry ``i`` picks position ``begin[i]`` and drops the axis. Default: 0.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if the arguments are not made of ints.
        ValueError: if their lengths differ or a stride is 0.  IndexError: if a picked position is out of range.
    Example:
        >>> ops.strided_slice(Tensor([1, 2, 3, 4]), (0,), (4,), (2,)).tolist()
        [1, 3]
    Source: mindspore.ops.strided_slice, mindspore.ops.StridedSlice
    """
    begin, end = int_tuple(begin, "begin", "StridedSlice"), int_tuple(end, "end", "StridedSlice")
    strides = int_tuple(strides, "strides", "StridedSlice")
    if not len(begin) == len(end) == len(strides):
        raise ValueError(
            f"For 'StridedSlice', 'begin', 'end' and 'strides' must have one length, but got {begin}, {end}, {strides}."
        )
    if 0 in strides:
        raise ValueError("For 'StridedSlice', 'strides' cannot contain 0")
    index = []
    for k, (first, last, stride) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << k
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(first)
        else:
            index.append(np.s_[None if begin_mask & bit else first : None if end_mask & bit else last : stride])
    return input_x[tuple(index)]


@composite()
def narrow(input, axis, start, length):
    """Cuts out ``length`` positions from ``start`` on along an axis.

    Args:
        input (Tensor): any shape and dtype.
        axis (int): the axis.
        start (int | Tensor): the first position; negative counts from the end.
        length (int): how many.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if ``axis`` or the range is out of range.
    Example:
        >>> ops.narrow(Tensor([1, 2, 3]), 0, 1, 2).tolist()
        [2, 3]
    Source: mindspore.ops.narrow, mindspore.Tensor.narrow
    """
    shape = input.aval[0]
    axis = check.axis(axis, len(shape), "axis", "narrow")
    start, size = concrete(start), shape[axis]
    if not -size <= start <= size:
        raise ValueError(f"For 'narrow', the 'start' must be in [{-size}, {size}], but got {start}.")
    start += size if start < 0 else 0
    if not 0 <= length <= size - start:
        raise ValueError(f"For 'narrow', the 'length' must be in [0, {size - start}], but got {length}.")
    return input._cut((np.s_[:],) * axis + (np.s_[start : start + length],))


def narrow_method(self, dim, start, length):
    """Cuts out positions along axis ``dim``; see `ops.narrow`. Source: mindspore.Tensor.narrow"""
    return narrow(self, dim, start, length)


@op(method="select_scatter")
def select_scatter(input: Array, src: Array, axis, index):
    """Puts ``src`` at position ``index`` of an axis.

    Args:
        input (Tensor): any shape and dtype.
        src (Tensor): the shape of ``input`` without that axis; cast to its dtype.
        axis, index (int): the axis and the position; negative ones count from the end.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        ValueError: if ``axis`` or ``index`` is out of range, or the shape of ``src`` does not fit.
    Example:
        >>> ops.select_scatter(Tensor([[1, 2], [3, 4]]), Tensor([8, 9]), 0, 1).tolist()
        [[1, 2], [8, 9]]
    Source: mindspore.ops.select_scatter, mindspore.Tensor.select_scatter
    """
    axis = check.axis(axis, input.ndim, "axis", "select_scatter")
    index = check.axis(index, input.shape[axis], "index", "select_scatter")
    rest = input.shape[:axis] + input.shape[axis + 1 :]
    if src.shape != rest:
        raise ValueError(f"For 'select_scatter', the shape of 'src' must be {rest}, but got {src.shape}.")
    return input.at[(np.s_[:],) * axis + (index,)].set(src.astype(input.dtype))


def _select_position(self, dim: int, index):
    axis = check.axis(dim, len(self.aval[0]), "dim", "select")
    return self[(np.s_[:],) * axis + (index,)]


def _select_elements(self, condition: Handle, y):
    return select(condition, self, y)


overload(
    "select",
    """Picks position ``index`` along axis ``dim``; or, of a condition and a value, chooses elements.

    Args:
        dim, index (int): the axis and the position.
        condition (Tensor), y (Tensor | Number): as for `ops.select`: ``y`` where the condition is False.
    Returns:
        Tensor of the same dtype: without that axis, or of the shape broadcast.
    Raises:
        ValueError: if ``dim`` is out of range.  IndexError: if ``index`` is.
    Example:
        >>> Tensor([[1, 2], [3, 4]]).select(0, 1).tolist()
        [3, 4]
    Source: mindspore.Tensor.select
    """,
    _select_position,
    _select_elements,
)

for _name, _method in [
    ("tile", tile_method),
    ("repeat", repeat_method),
    ("repeat_interleave", repeat_interleave_method),
    ("narrow", narrow_method),
]:
    attach(_method, _name)
