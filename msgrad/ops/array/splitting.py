"""Splitting a Tensor into several."""

import functools
import itertools

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, IntOrInts, PositiveInt, Sequence
from .._core import families
from .._core.define import composite, op
from .._core.faces import face, method, primitive


@op(view=True)
def _cut(tensor: Array, ends, axis):
    """The parts of ``tensor`` along ``axis`` between each of ``ends`` and the next."""
    lead = (np.s_[:],) * axis
    return tuple([tensor[(*lead, np.s_[first:last])] for first, last in itertools.pairwise(ends)])


def _parts(tensor, lengths, axis):
    return _cut(tensor, _ends(tuple(lengths)), axis)


@functools.lru_cache(512)
def _ends(lengths):
    """Where parts of these lengths begin and end: the same object each time, so that `_cut` need not check it again."""
    return tuple(np.cumsum([0, *lengths]).tolist())


def _axis(tensor, axis, name):
    if not tensor.aval[0]:
        check.refuse(ValueError, name, "axis", "one of a Tensor that has axes", axis)
    return check.axis(axis, len(tensor.aval[0]), "axis", name)


@composite()
def split(tensor: Array, split_size_or_sections: IntOrInts, axis: Axis = 0):
    """Splits along an axis into parts of given lengths.

    Args:
        tensor (Tensor): any shape and dtype.
        split_size_or_sections (int | tuple[int] | list[int]): the length of every part (the last may be shorter), or
            the length of each.
        axis (int): the axis. Default: ``0``.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError: for arguments of other types, or negative lengths in a list.
        ValueError: if ``axis`` is out of range, or the lengths are not positive or do not sum up.
    Example:
        >>> [part.tolist() for part in ops.split(Tensor([1, 2, 3]), 2)]
        [[1, 2], [3]]
    Source: mindspore.ops.split, mindspore.Tensor.split
    """
    axis = _axis(tensor, axis, "split")
    lengths, length = split_size_or_sections, tensor.aval[0][axis]
    if isinstance(lengths, int):
        size = check.positive_int(lengths, "split_size_or_sections", "split")
        lengths = [min(size, length - first) for first in range(0, length, size)] or [0]
    elif min(lengths, default=0) < 0:
        check.refuse(TypeError, "split", "split_size_or_sections", "lengths of 0 or more", lengths)
    elif sum(lengths) != length:
        check.refuse(ValueError, "split", "split_size_or_sections", f"lengths that sum up to {length}", lengths)
    return _parts(tensor, lengths, axis)


method(
    "split",
    (split, "(split_size, dim=0)", {"split_size": "split_size_or_sections"}),
    (split, "(split_size_or_sections, axis=0)"),
    (split, "(split_size, axis=0)", {"split_size": "split_size_or_sections"}),
)


@composite("Split(axis=0, output_num=1)", name="_split_evenly")
def _split_evenly(input_x: Array, axis: Axis = 0, output_num: PositiveInt = 1):
    """Splits along an axis into parts of equal length.

    Args:
        input_x (Tensor): any shape and dtype.
        axis (int): the axis. Default: ``0``.
        output_num (int): how many parts. Default: ``1``.
    Returns:
        tuple[Tensor].
    Raises:
        ValueError: if ``axis`` is out of range, or its length is not divisible by ``output_num``.
    Example:
        >>> [part.tolist() for part in ops.Split(0, 2)(Tensor([1, 2]))]
        [[1], [2]]
    Source: mindspore.ops.Split
    """
    axis = _axis(input_x, axis, "Split")
    length = input_x.aval[0][axis]
    if length % output_num:
        check.refuse(ValueError, "Split", "output_num", f"a divisor of the length {length} of the axis", output_num)
    return _parts(input_x, [length // output_num] * output_num, axis)


@composite("SplitV(size_splits, split_dim, num_split)", name="_split_by_lengths")
def _split_by_lengths(value: Array, size_splits: Sequence, split_dim: Axis, num_split: PositiveInt):
    """Splits along an axis into parts of given lengths.

    Args:
        value (Tensor): any shape and dtype.
        size_splits (tuple[int] | list[int]): the length of each part; one may be -1, for what remains.
        split_dim (int): the axis.
        num_split (int): how many parts.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError: for arguments of other types.
        ValueError: if ``split_dim`` is out of range, or the lengths do not sum up.
    Example:
        >>> [part.tolist() for part in ops.SplitV((1, -1), 0, 2)(Tensor([1, 2, 3]))]
        [[1], [2, 3]]
    Source: mindspore.ops.SplitV
    """
    axis = check.axis(split_dim, len(value.aval[0]), "split_dim", "SplitV")
    length = value.aval[0][axis]
    rest = length - sum(each for each in size_splits if each != -1)
    lengths = [rest if each == -1 else each for each in size_splits]
    if len(size_splits) != num_split:
        check.refuse(ValueError, "SplitV", "num_split", f"as many as 'size_splits', {len(size_splits)}", num_split)
    if size_splits.count(-1) > 1 or min(lengths, default=0) < 0 or sum(lengths) != length:
        check.refuse(ValueError, "SplitV", "size_splits", f"lengths that sum up to {length}", size_splits)
    return _parts(value, lengths, axis)


@composite()
def chunk(input: Array, chunks: PositiveInt, axis: Axis = 0):
    """Splits along an axis into at most ``chunks`` parts, of equal length except for the last.

    Args:
        input (Tensor): any shape and dtype.
        chunks (int): how many.
        axis (int): the axis. Default: ``0``.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``axis`` is out of range, or ``chunks`` not positive.
    Example:
        >>> [part.tolist() for part in ops.chunk(Tensor([1, 2, 3]), 2)]
        [[1, 2], [3]]
    Source: mindspore.ops.chunk, mindspore.Tensor.chunk
    """
    axis = _axis(input, axis, "chunk")
    return split(input, max(-(-input.aval[0][axis] // chunks), 1), axis)


method("chunk", (chunk, "(chunks, dim=0)"), (chunk, "(chunks, axis=0)"))


@op("Unstack(axis=0, num=None)", name="_unstack", view=True)
def _unstack(input_x: Array, axis: Axis = 0, num: PositiveInt | None = None):
    """The slices along an axis.

    Args:
        input_x (Tensor): any shape of at least one axis, any dtype.
        axis (int): the axis. Default: ``0``.
        num (int | None): its length, if given. Default: None.
    Returns:
        tuple[Tensor], without that axis.
    Raises:
        ValueError: if ``axis`` is out of range, or ``num`` is not its length.
    Example:
        >>> [row.tolist() for row in ops.Unstack()(Tensor([[1], [2]]))]
        [[1], [2]]
    Source: mindspore.ops.Unstack
    """
    check.at_least_rank(input_x, 1, "input_x", "Unstack")
    axis = check.axis(axis, input_x.ndim, "axis", "Unstack")
    if num not in (None, input_x.shape[axis]):
        check.refuse(ValueError, "Unstack", "num", f"the length of the axis, {input_x.shape[axis]}", num)
    return tuple(jnp.moveaxis(input_x, axis, 0))


primitive(_unstack, "Unpack(axis=0)")
face(_unstack, "unstack(input_x, axis=0)")
face(_unstack, "unbind(input, dim=0)")
method("unbind", (_unstack, "(dim=0)"))


@composite(method="tensor_split")
def tensor_split(input: Array, indices_or_sections: IntOrInts, axis: Axis = 0):
    """Splits along an axis into a number of parts, or at positions.

    Args:
        input (Tensor): any shape of at least one axis, any dtype.
        indices_or_sections (int | tuple[int] | list[int]): how many parts, the first ones longer by one if it does not
            divide; or the positions to split at.
        axis (int): the axis. Default: ``0``.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``axis`` is out of range, or the number not positive.
    Example:
        >>> [part.tolist() for part in ops.tensor_split(Tensor([1, 2, 3]), (1,))]
        [[1], [2, 3]]
    Source: mindspore.ops.tensor_split, mindspore.Tensor.tensor_split
    """
    axis = _axis(input, axis, "tensor_split")
    length = input.aval[0][axis]
    if isinstance(indices_or_sections, int):
        count = check.positive_int(indices_or_sections, "indices_or_sections", "tensor_split")
        return _parts(input, [length // count + (k < length % count) for k in range(count)], axis)
    return _cut(input, (0, *indices_or_sections, length), axis)


_SPLIT = """Splits along axis {axis} (a vector along its only one); see `tensor_split`.

    Args:
        input (Tensor): any shape of at least {minimum} axes, any dtype.
        indices_or_sections (int | tuple[int] | list[int]): how many parts, or the positions to split at.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError, ValueError: as for `tensor_split`; ValueError if there are fewer axes.
    Example:
        >>> len(ops.{name}(ops.ones((2, 2, 2)), 2))
        2
    Source: mindspore.ops.{name}, mindspore.Tensor.{name}
    """


def _split_along(name, axis, minimum):
    """Defines ``name``, which splits Tensors of at least ``minimum`` axes along ``axis``."""

    def parts(input, indices_or_sections):
        rank = len(check.at_least_rank(input, minimum, "input", name).aval[0])
        return tensor_split(input, indices_or_sections, axis if rank > 1 else 0)

    definition = families.body(f"{name}(input: Array, indices_or_sections)", parts, _SPLIT, axis=axis, minimum=minimum)
    composite(method=name)(definition)


_split_along("hsplit", 1, 1)
_split_along("vsplit", 0, 2)
_split_along("dsplit", 2, 3)
