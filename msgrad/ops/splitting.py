"""Splitting a Tensor into several."""

import jax.numpy as jnp
import numpy as np

from ..engine.handle import Handle
from . import check
from .array import int_tuple
from .contracts import Array
from .define import composite, op
from .faces import attach


@op(view=True)
def _cut(tensor: Array, places, axis):
    """The parts of ``tensor`` between ``places``, each a pair ``(first, last)``, along ``axis``."""
    lead = (np.s_[:],) * axis
    return tuple([tensor[(*lead, np.s_[first:last])] for first, last in places])


def _parts(tensor, lengths, axis):
    ends = np.cumsum([0, *lengths]).tolist()
    return _cut(tensor, tuple(zip(ends, ends[1:], strict=False)), axis)


def _axis(tensor, axis):
    if not isinstance(tensor, Handle):
        raise TypeError(f"expect `tensor` is a Tensor, but got {type(tensor)}")
    rank = len(tensor.aval[0])
    if not isinstance(axis, int) or isinstance(axis, bool):
        raise TypeError(f"Type of Argument `axis` should be integer but got {type(axis)}")
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    return axis % rank


@composite()
def split(tensor, split_size_or_sections, axis=0):
    """Splits along an axis into parts of given lengths.

    Args:
        tensor (Tensor): any shape and dtype.
        split_size_or_sections (int | tuple[int] | list[int]): the length of every part (the last may be shorter), or
            the length of each.
        axis (int): the axis. Default: ``0``.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError: for arguments of other types.
        ValueError: if ``axis`` is out of range, or the lengths are not positive or do not sum up.
    Example:
        >>> [part.tolist() for part in ops.split(Tensor([1, 2, 3]), 2)]
        [[1, 2], [3]]
    Source: mindspore.ops.split, mindspore.Tensor.split
    """
    axis = _axis(tensor, axis)
    size, length = split_size_or_sections, tensor.aval[0][axis]
    if isinstance(size, int) and not isinstance(size, bool):
        if size <= 0:
            raise ValueError(
                f"For split, the value of 'split_size_or_sections' must be more than zero, but got {size}."
            )
        lengths = [min(size, length - first) for first in range(0, length, size)] or [0]
    elif isinstance(size, (tuple, list)):
        lengths = int_tuple(size, "split_size_or_sections", "split")
        if min(lengths, default=0) < 0 or sum(lengths) != length:
            raise ValueError(
                f"The sum of 'split_size_or_sections' should be equal to {length}, but got {sum(lengths)}."
            )
    else:
        raise TypeError(
            "Type of Argument `split_size_or_sections` should be integer, tuple(int) or list(int), but got "
            f"{type(size)}"
        )
    return _parts(tensor, lengths, axis)


def split_method(self, *args, split_size=None, split_size_or_sections=None, dim=0, axis=0):
    """Splits along an axis into parts of given lengths.

    Args:
        args: the lengths and the axis, as for `ops.split`.
        split_size, split_size_or_sections (int | tuple[int] | list[int]): the lengths, by name.
        dim, axis (int): the axis, by name. Default: ``0``.
    Returns, Raises: as for `ops.split`.
    Example:
        >>> [part.tolist() for part in Tensor([1, 2, 3]).split([1, 2])]
        [[1], [2, 3]]
    Source: mindspore.Tensor.split
    """
    size = args[0] if args else split_size_or_sections if split_size is None else split_size
    return split(self, size, args[1] if len(args) > 1 else dim or axis)


@composite("Split(axis=0, output_num=1)", name="_split_evenly")
def _split_evenly(input_x, axis=0, output_num=1):
    """Splits along an axis into parts of one length.

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
    axis = _axis(input_x, axis)
    check.positive_int(output_num, "output_num", "Split")
    length = input_x.aval[0][axis]
    if length % output_num:
        raise ValueError(
            f"For 'Split', x_shape[{axis}] must be divisible by output_num = {output_num}, but got {length}"
        )
    return _parts(input_x, [length // output_num] * output_num, axis)


@composite()
def chunk(input, chunks, axis=0):
    """Splits along an axis into at most ``chunks`` parts, of one length but for the last.

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
    axis = _axis(input, axis)
    if not isinstance(chunks, int) or isinstance(chunks, bool):
        raise TypeError(f"For ops.chunk parameter 'chunks' must be an int, but got {type(chunks).__name__}")
    if chunks <= 0:
        raise ValueError(f"For ops.chunk parameter 'chunks' must be greater than 0, but got {chunks}")
    return split(input, max(-(-input.aval[0][axis] // chunks), 1), axis)


def chunk_method(self, chunks, dim=0, axis=0):
    """Splits along an axis into at most ``chunks`` parts; see `ops.chunk`. Source: mindspore.Tensor.chunk"""
    return chunk(self, chunks, dim or axis)


@op("Unstack(axis=0, num=None)", name="_unstack", view=True)
def _unstack(input_x: Array, axis=0, num=None):
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
    if not -input_x.ndim <= axis < input_x.ndim:
        raise ValueError(
            f"Dimension out of range (expected to be in range of [{-input_x.ndim}, {input_x.ndim}), but got {axis})"
        )
    if num not in (None, input_x.shape[axis]):
        raise ValueError(f"For 'Unstack', the 'num' must be {input_x.shape[axis]}, but got {num}.")
    return tuple(jnp.moveaxis(input_x, axis, 0))


@composite()
def unstack(input_x, axis=0):
    """The slices along an axis.

    Args:
        input_x (Tensor): any shape of at least one axis, any dtype.
        axis (int): the axis. Default: ``0``.
    Returns:
        tuple[Tensor], without that axis.
    Raises:
        ValueError: if ``axis`` is out of range.
    Example:
        >>> [row.tolist() for row in ops.unstack(Tensor([[1, 2], [3, 4]]))]
        [[1, 2], [3, 4]]
    Source: mindspore.ops.unstack
    """
    return _unstack(input_x, axis)


@composite(method="unbind")
def unbind(input, dim=0):
    """The slices along an axis.

    Args:
        input (Tensor): any shape of at least one axis, any dtype.
        dim (int): the axis. Default: ``0``.
    Returns:
        tuple[Tensor], without that axis.
    Raises:
        ValueError: if ``dim`` is out of range.
    Example:
        >>> [column.tolist() for column in ops.unbind(Tensor([[1, 2], [3, 4]]), 1)]
        [[1, 3], [2, 4]]
    Source: mindspore.ops.unbind, mindspore.Tensor.unbind
    """
    return _unstack(input, dim)


@composite(method="tensor_split")
def tensor_split(input, indices_or_sections, axis=0):
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
    axis = _axis(input, axis)
    length = input.aval[0][axis]
    if isinstance(indices_or_sections, int) and not isinstance(indices_or_sections, bool):
        count = check.positive_int(indices_or_sections, "indices_or_sections", "tensor_split")
        return _parts(input, [length // count + (k < length % count) for k in range(count)], axis)
    places = [0, *int_tuple(indices_or_sections, "indices_or_sections", "tensor_split"), length]
    return _cut(input, tuple(zip(places, places[1:], strict=False)), axis)


def _split_along(name, axis, least):
    def split_along(input, indices_or_sections):
        if len(input.aval[0]) < least:
            raise ValueError(f"For '{name}', the input must have at least {least} axes, but got shape {input.aval[0]}.")
        return tensor_split(input, indices_or_sections, axis if len(input.aval[0]) > 1 else 0)

    split_along.__name__ = name
    split_along.__doc__ = f"""Splits along axis {axis} (a vector along its only one); see `tensor_split`.

    Args:
        input (Tensor): any shape of at least {least} axes, any dtype.
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
    composite(method=name)(split_along)


_split_along("hsplit", 1, 1)
_split_along("vsplit", 0, 2)
_split_along("dsplit", 2, 3)

attach(split_method, "split")
attach(chunk_method, "chunk")
