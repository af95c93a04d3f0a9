"""Rearranging along axes: tiling, repeating, flipping, rolling, slicing."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Index, Int, Ints, NonNegativeInt, PositiveInt, Sequence, Sizes
from ..._contracts.kinds import concrete
from .._core.define import composite, op
from .._core.faces import face, method, primitive
from ..index.gathering import LENGTHS, check_within
from ..index.selection import where


@op("Tile")
def tile(input: Array, dims: Sequence):
    """Tiles: repeats the whole Tensor along its axes.

    Args:
        input (Tensor): any shape and dtype.
        dims (tuple[int]): the repetitions of each axis; additional ones add leading axes.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if ``dims`` is not a tuple of ints.  ValueError: if one is negative.
    Example:
        >>> ops.tile(Tensor([1, 2]), (2, 2)).tolist()
        [[1, 2, 1, 2], [1, 2, 1, 2]]
    Source: mindspore.ops.tile, mindspore.ops.Tile, mindspore.Tensor.tile
    """
    if min(dims, default=0) < 0:
        check.refuse(ValueError, "Tile", "dims", "made of non-negative counts", dims)
    return jnp.tile(input, dims)


method("tile", (tile, "(dims)"), (tile, "(reps)", {"reps": "dims"}), (tile, "(*dims)", {"min_args": 1}))


@op(name="_repeated")
def _repeated(self: Array, repeats: Sizes):
    """Tiles: repeats the whole Tensor along its axes; at least one count for each axis.

    Args:
        repeats (int, ... | tuple[int]): the repetitions of each axis; additional ones add leading axes.
    Returns:
        Tensor of the same dtype.
    Raises:
        RuntimeError: if there are fewer counts than axes.  ValueError: if one is negative.
    Example:
        >>> Tensor([1, 2]).repeat(2).tolist()
        [1, 2, 1, 2]
    Source: mindspore.Tensor.repeat
    """
    if len(repeats) < self.ndim:
        check.refuse(RuntimeError, "repeat", "repeats", f"at least {self.ndim} counts, one for each axis", repeats)
    return tile(self, repeats)


@op()
def repeat_interleave(input: Array, repeats: Ints, axis: Axis | None = None):
    """Repeats each element consecutively.

    Args:
        input (Tensor): any shape and dtype.
        repeats (int | tuple[int] | list[int] | Tensor): the repetitions; one count for all, or one for each element.
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
    axis, length = check.axis_and_length(axis, input.shape, "axis", "repeat_interleave")
    if min(repeats, default=0) < 0 or len(repeats) not in (1, length):
        expected = f"one non-negative count, or {length} of them"
        check.refuse(ValueError, "repeat_interleave", "repeats", expected, repeats)
    if len(repeats) == 1:  # no table, whose gradient would be a scatter
        return jnp.repeat(input, repeats[0], axis)
    indices = np.repeat(np.arange(length), repeats)
    return jnp.take(input, indices, axis=axis, mode="clip")


# MindSpore 2.2 to 2.4 have ``repeat(repeats, axis)``, which is `repeat_interleave`.
method(
    "repeat",
    (_repeated, "(*repeats)", {"min_args": 1}),
    (_repeated, "(repeats)"),
    (repeat_interleave, "(repeats, axis)"),
)


method(  # the length of the result follows from the counts
    "repeat_interleave",
    (repeat_interleave, "(repeats, dim=None, *, output_size=None)", {"hints": ("output_size",)}),
)
face(repeat_interleave, "repeat_elements(x, rep, axis=0)", rep="repeats")


# -- flipping, rolling ----------------------------------------------------------------------------------------------


@op(method="flip")
def flip(input: Array, dims: Sequence):
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
    Source: mindspore.ops.flip, mindspore.ops.ReverseV2, mindspore.Tensor.flip
    """
    return jnp.flip(input, check.distinct_axes(dims, input.ndim, "axis", "ReverseV2"))


primitive(flip, "ReverseV2(axis)(input)")
face(flip, "reverse(x, axis)")
method("reverse", (flip, "(axis)"))


@composite(method="flipud")
def flipud(input: Array):
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
    return flip(input, (0,))


@composite(method="fliplr")
def fliplr(input: Array):
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
    return flip(input, (1,))


@op("Roll(shifts, dims=None)")
def roll(input: Array, shifts: Ints, dims: Ints | None = None):
    """Rolls elements along axes, wrapping around.

    Args:
        input (Tensor): any shape and dtype.
        shifts (int | tuple[int] | list[int]): the shifts.
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
    if dims is None:
        return jnp.roll(input, sum(shifts))
    if len(shifts) != len(dims):
        check.refuse(ValueError, "Roll", "dims", f"as long as 'shifts', {len(shifts)}", dims)
    return jnp.roll(input, shifts, [check.axis(each, input.ndim, "dims", "Roll") for each in dims])


method("roll", (roll, "(shifts, dims)"), (roll, "(shifts, dims=None)"))


@op(method="rot90")
def rot90(input: Array, k: Int, dims: Ints):
    """Rotates the plane of two axes by 90 degrees, ``k`` times.

    Args:
        input (Tensor): any shape of at least two axes, any dtype.
        k (int): the number of rotations; negative ones rotate in the other direction.
        dims (tuple[int] | list[int]): the two axes; the rotation is from the first to the second.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``dims`` are not two.
            RuntimeError: if they are not two different axes.
        RuntimeError: if they are the same.
    Example:
        >>> ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)).tolist()
        [[2, 4], [1, 3]]
    Source: mindspore.ops.rot90, mindspore.Tensor.rot90
    """
    if len(dims) != 2:
        check.refuse(ValueError, "rot90", "dims", "two axes", dims)
    if any(not -input.ndim <= axis < input.ndim for axis in dims) or (dims[0] - dims[1]) % input.ndim == 0:
        check.refuse(RuntimeError, "rot90", "dims", f"two different axes of {input.ndim}", dims)
    return jnp.rot90(input, k, tuple(dims))


@op()
def _reverse_sequence(x: Array, seq_lengths: Array, seq_dim, batch_dim):
    lengths = jnp.expand_dims(seq_lengths, [k for k in range(x.ndim) if k != batch_dim])
    indices = jnp.arange(x.shape[seq_dim]).reshape([-1 if k == seq_dim else 1 for k in range(x.ndim)])
    indices = jnp.where(indices < lengths, lengths - 1 - indices, indices)
    return jnp.take_along_axis(x, indices, axis=seq_dim)


@composite("ReverseSequence(seq_dim, batch_dim=0)")
def reverse_sequence(x: Array, seq_lengths: Index, seq_dim: Axis, batch_dim: Axis = 0):
    """Reverses the first ``seq_lengths[i]`` elements of each row ``i``.

    Args:
        x (Tensor): any shape of at least two axes, any dtype.
        seq_lengths (Tensor): shape ``(x.shape[batch_dim],)``, an int dtype.
        seq_dim (int): the axis to reverse along.
        batch_dim (int): the axis that counts the rows. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        ValueError: if an axis is out of range, or both are the same, or there are not as many lengths as rows.
        RuntimeError: if a length is known to be below 0 or above that of ``seq_dim``.
    Example:
        >>> ops.reverse_sequence(Tensor([[1, 2, 3]]), Tensor([2]), 1).tolist()
        [[2, 1, 3]]
    Source: mindspore.ops.reverse_sequence, mindspore.ops.ReverseSequence, mindspore.Tensor.reverse_sequence
    """
    shape = x.aval[0]
    seq_dim, batch_dim = check.two_axes(seq_dim, batch_dim, len(shape), "seq_dim", "batch_dim", "ReverseSequence")
    if seq_lengths.aval[0] != (shape[batch_dim],):
        expected = f"one length for each of {shape[batch_dim]} rows"
        check.refuse(ValueError, "ReverseSequence", "seq_lengths", expected, seq_lengths)
    check_within(seq_lengths, 0, shape[seq_dim] + 1, "seq_lengths", "ReverseSequence", expected=LENGTHS)
    return _reverse_sequence(x, seq_lengths, seq_dim, batch_dim)


method("reverse_sequence", (reverse_sequence, "(seq_lengths, seq_dim=0, batch_dim=0)"))


# -- slicing ----------------------------------------------------------------------------------------------------


@op("Slice()(input, begin, size)", view=True)
def slice(input_x: Array, begin: Ints, size: Ints):
    """Slices a block.

    Args:
        input_x (Tensor): any shape and dtype.
        begin (tuple[int] | list[int]): the start along each axis.
        size (tuple[int] | list[int]): its shape; -1 means up to the end.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if the arguments are not made of ints.  ValueError: if the block leaves the Tensor.
    Example:
        >>> ops.slice(Tensor([1, 2, 3]), (1,), (2,)).tolist()
        [2, 3]
    Source: mindspore.ops.slice, mindspore.ops.Slice
    """
    if not len(begin) == len(size) == input_x.ndim:
        check.refuse(ValueError, "Slice", "size", f"as long as 'begin' and the shape {input_x.shape}", size)
    ends = [
        length if count == -1 else first + count
        for first, count, length in zip(begin, size, input_x.shape, strict=True)
    ]
    if not all(0 <= a <= b <= n for a, b, n in zip(begin, ends, input_x.shape, strict=True)):
        check.refuse(ValueError, "Slice", "size", f"that of a block from {begin} inside {input_x.shape}", size)
    return input_x[tuple([np.s_[first:last] for first, last in zip(begin, ends, strict=True)])]


@op("StridedSlice(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)", view=True)
def strided_slice(
    input_x: Array,
    begin: Ints,
    end: Ints,
    strides: Ints,
    begin_mask: NonNegativeInt = 0,
    end_mask: NonNegativeInt = 0,
    ellipsis_mask: NonNegativeInt = 0,
    new_axis_mask: NonNegativeInt = 0,
    shrink_axis_mask: NonNegativeInt = 0,
):
    """Slices with strides, as ``input_x[b:e:s, ...]``.

    Args:
        input_x (Tensor): any shape and dtype.
        begin, end, strides (tuple[int]): of the first axes, all of equal length.
        begin_mask, end_mask (int): bit ``i`` set: ``begin[i]``, ``end[i]`` is ignored. Default: ``0``.
        ellipsis_mask (int): bit ``i`` set: entry ``i`` stands for ``...``. Default: ``0``.
        new_axis_mask (int): bit ``i`` set: entry ``i`` adds an axis of length 1. Default: ``0``.
        shrink_axis_mask (int): bit ``i`` set: entry ``i`` selects index ``begin[i]`` and removes the axis. Default: 0.
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
    if not len(begin) == len(end) == len(strides):
        check.refuse(ValueError, "StridedSlice", "strides", "as long as 'begin' and 'end'", strides)
    if 0 in strides:
        check.refuse(ValueError, "StridedSlice", "strides", "without 0", strides)
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


@composite(name="_narrow_kernel")
def narrow_along(input: Array, dim: Axis, start, length: NonNegativeInt):
    """Cuts out ``length`` positions from ``start`` on along an axis.

    Args:
        input (Tensor): any shape and dtype.
        dim (int): the axis.
        start (int | Tensor): the first position; negative counts from the end.
        length (int): how many; 0 gives an empty Tensor.
    Returns:
        Tensor of the same dtype.
    Raises:
        ValueError: if ``dim`` or the range is out of range.
    Example:
        >>> mint.narrow(Tensor([1, 2, 3]), 0, -2, 2).tolist()
        [2, 3]
    Source: mindspore.mint.narrow
    """
    shape = input.aval[0]
    axis = check.axis(dim, len(shape), "dim", "Narrow")
    size = shape[axis]
    start = check.in_range(concrete(start), -size, size, "start", "Narrow")
    start += size if start < 0 else 0
    check.in_range(length, 0, size - start, "length", "Narrow")
    return input._cut((np.s_[:],) * axis + (np.s_[start : start + length],))


@composite()
def narrow(input: Array, axis: Axis, start, length: PositiveInt):
    """Cuts out ``length`` positions from ``start`` on along an axis.

    Args:
        input (Tensor): any shape and dtype.
        axis (int): the axis.
        start (int | Tensor): the first position, from 0 on.
        length (int): how many, from 1 on.
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
    start = check.in_range(concrete(start), 0, shape[axis] - 1, "start", "narrow")
    return narrow_along(input, axis, start, check.in_range(length, 1, shape[axis] - start, "length", "narrow"))


method("narrow", (narrow, "(dim, start, length)"), (narrow, "(axis, start, length)"))


@composite(name="_slice_along")
def slice_along(input: Array, axis: Axis, start: Int, end: Int, step: PositiveInt):
    """``input[..., start:end:step, ...]`` along ``axis``."""
    axis = check.axis(axis, len(input.aval[0]), "axis", "SliceExt")
    return input._cut((np.s_[:],) * axis + (np.s_[start:end:step],))


@op(method="select_scatter")
def select_scatter(input: Array, src: Array, axis: Axis, index: Int):
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
        check.refuse(ValueError, "select_scatter", "src", f"of shape {rest}", src)
    return input.at[(np.s_[:],) * axis + (index,)].set(src.astype(input.dtype))


@composite(name="_select_position")
def _select_position(self: Array, dim: Axis, index):
    """Picks position ``index`` along axis ``dim``; or, of a condition and a value, chooses elements.

    Args:
        dim (int): the axis.
        index (int): the position; negative counts from the end.
    Returns:
        Tensor of the same dtype: without that axis, or of the shape broadcast.
    Raises:
        ValueError: if one of them is out of range.
    Example:
        >>> Tensor([[1, 2], [3, 4]]).select(0, 1).tolist()
        [3, 4]
    Source: mindspore.Tensor.select
    """
    axis = check.axis(dim, len(self.aval[0]), "dim", "select")
    if isinstance(index, int):
        check.in_range(index, -self.aval[0][axis], self.aval[0][axis] - 1, "index", "select")
        # Not an indexing expression: writes by [...] leave its base alone.
        return self._cut((np.s_[:],) * axis + (index,))
    return self[(np.s_[:],) * axis + (index,)]


primitive(_select_position, "SelectView()(input, index, dim)", input="self")
method("select", (where, "(condition, y)", {"self": "input"}), (_select_position, "(dim, index)"))
