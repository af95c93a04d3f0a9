"""Joining Tensors into one, and splitting one into several."""

import functools

import jax.numpy as jnp
import numpy as np

from ..engine.handle import Handle
from ..tensor import promotion
from . import check
from .array import atleast_1d, atleast_2d, atleast_3d, int_tuple, reshape
from .cast import convert
from .define import Array, Arrays, attach, composite, op

# -- joining --------------------------------------------------------------------------------------------------------


@op("Concat", attrs=("axis",))
def concat(tensors: Arrays, axis=0):
    """Joins Tensors along an axis that they have.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of one shape but for that axis; mixed dtypes are promoted.
        axis (int): the axis; negative counts from the end. Default: ``0``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``tensors`` are not Tensors.
        ValueError: if there are none, they have no axes, or shapes or ``axis`` do not fit.
    Example:
        >>> ops.concat((Tensor([1]), Tensor([2]))).tolist()
        [1, 2]
    Source: mindspore.ops.concat, mindspore.ops.cat, mindspore.ops.Concat
    """
    if not tensors:
        raise ValueError("For primitive[Concat], the elements size must be greater than 0, but got 0.")
    shapes = [tensor.shape for tensor in tensors]
    if len({len(shape) for shape in shapes}) > 1:
        raise ValueError(f"For primitive[Concat], element rank must be same(shapes are {shapes})!")
    if not shapes[0]:
        raise ValueError("For primitive[Concat], all elements should not be zero rank; use ops.stack to join numbers.")
    axis = check.axis(axis, len(shapes[0]), "axis", "Concat")
    for k in set(range(len(shapes[0]))) - {axis}:
        if len({shape[k] for shape in shapes}) > 1:
            raise ValueError(
                f"For primitive[Concat], shapes of tensors must match except in given concat axis {axis}, but got "
                f"mismatch in {k}(all input shapes are {shapes})!"
            )
    dtype = common_dtype([tensor.dtype for tensor in tensors])
    return jnp.concatenate([convert(tensor, dtype) for tensor in tensors], axis)


def common_dtype(dtypes):
    """The dtype that Tensors of these numpy dtypes have together."""
    return functools.reduce(lambda a, b: a if a == b else promotion.result_dtype("add", a, b), dtypes)


@composite()
def cat(tensors, axis=0):
    """Joins Tensors along an axis that they have.

    Args, Returns, Raises: as for `concat`.
    Example:
        >>> ops.cat((Tensor([[1, 2]]), Tensor([[3, 4]])), axis=1).tolist()
        [[1, 2, 3, 4]]
    Source: mindspore.ops.cat
    """
    return concat(tensors, axis)


@op("Stack", attrs=("axis",))
def stack(tensors: Arrays, axis=0):
    """Joins Tensors along a new axis.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of one shape and dtype.
        axis (int): the place of the new axis in the result. Default: ``0``.
    Returns:
        Tensor with one axis more.
    Raises:
        TypeError: if ``tensors`` are not Tensors, or dtypes differ.
        ValueError: if there are none, shapes differ, or ``axis`` is out of range.
    Example:
        >>> ops.stack((Tensor([1, 2]), Tensor([3, 4])), axis=1).tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.ops.stack, mindspore.ops.Stack
    """
    if not tensors:
        raise ValueError("For primitive[Stack], the stack element num must be greater than or equal to 1, but got 0.")
    for tensor in tensors[1:]:
        if tensor.shape != tensors[0].shape:
            raise ValueError(f"All input shape must be the same! {tensors[0].shape} And {tensor.shape}")
        if tensor.dtype != tensors[0].dtype:
            raise TypeError(f"All input must have the same data type! {tensors[0].dtype} And {tensor.dtype}")
    rank = tensors[0].ndim + 1
    check.axis(axis, rank, "axis", "Stack")
    return jnp.stack(tensors, axis)


@composite()
def hstack(tensors):
    """Joins along the second axis, vectors along their only one.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of one shape but for that axis.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.hstack((Tensor([1]), Tensor([2, 3]))).tolist()
        [1, 2, 3]
    Source: mindspore.ops.hstack
    """
    rows = atleast_1d(_sequence(tensors, "hstack"))
    return concat(rows, 0 if len(rows[0].aval[0]) == 1 else 1)


@composite()
def vstack(inputs):
    """Joins along the first axis; vectors are rows.

    Args:
        inputs (tuple[Tensor] | list[Tensor]): of one shape but for that axis.
    Returns:
        Tensor of at least two axes.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.vstack((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        [[1, 2], [3, 4]]
    Source: mindspore.ops.vstack
    """
    return concat(atleast_2d(_sequence(inputs, "vstack")), 0)


@composite()
def dstack(tensors):
    """Joins along the third axis; see `atleast_3d` for those with fewer.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of one shape but for that axis.
    Returns:
        Tensor of at least three axes.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.dstack((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        [[[1, 3], [2, 4]]]
    Source: mindspore.ops.dstack
    """
    return concat(atleast_3d(_sequence(tensors, "dstack")), 2)


@composite()
def column_stack(tensors):
    """Joins along the second axis; vectors are columns.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of one length.
    Returns:
        Tensor of two axes.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.column_stack((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.ops.column_stack
    """
    columns = [
        reshape(tensor, (-1, 1)) if len(tensor.aval[0]) < 2 else tensor
        for tensor in _sequence(tensors, "column_stack")
    ]
    return concat(columns, 1)


def _sequence(tensors, name):
    if not isinstance(tensors, (tuple, list)) or not all(isinstance(tensor, Handle) for tensor in tensors):
        kind = type(tensors).__name__
        raise TypeError(f"For '{name}', the input must be a list or tuple of Tensors, but got {kind}.")
    if not tensors:
        raise ValueError(f"For '{name}', there must be at least one Tensor, but got none.")
    return tensors


@op("Meshgrid", attrs=("indexing",), name="_meshgrid")
def _meshgrid(inputs: Arrays, indexing="xy"):
    """Coordinate matrices of coordinate vectors.

    Args:
        inputs (tuple[Tensor] | list[Tensor]): vectors.
        indexing (str): ``'xy'``, the first coordinate runs along the second axis, or ``'ij'``. Default: ``'xy'``.
    Returns:
        tuple[Tensor], as many, each with one axis for each vector.
    Raises:
        TypeError: if ``indexing`` is not a str.  ValueError: if it is another one, or an input is not a vector.
    Example:
        >>> ops.Meshgrid("ij")((Tensor([1, 2]), Tensor([3])))[0].tolist()
        [[1], [2]]
    Source: mindspore.ops.Meshgrid
    """
    if indexing not in ("xy", "ij"):
        kind = ValueError if isinstance(indexing, str) else TypeError
        raise kind(f"For 'Meshgrid', the 'indexing' must be 'xy' or 'ij', but got {indexing!r}.")
    for each in inputs:
        if each.ndim != 1:
            raise ValueError(f"For 'Meshgrid', every input must be a vector, but got one of shape {each.shape}.")
    return tuple(jnp.meshgrid(*inputs, indexing=indexing))


@composite()
def meshgrid(*inputs, indexing="xy"):
    """Coordinate matrices of coordinate vectors.

    Args:
        inputs (Tensor, ...): vectors.
        indexing (str): ``'xy'``, the first coordinate runs along the second axis, or ``'ij'``. Default: ``'xy'``.
    Returns:
        tuple[Tensor], as many, each with one axis for each vector.
    Raises:
        TypeError: if an input is no Tensor.  ValueError: for another ``indexing``, or an input that is not a vector.
    Example:
        >>> ops.meshgrid(Tensor([1, 2]), Tensor([3, 4]))[0].tolist()
        [[1, 2], [1, 2]]
    Source: mindspore.ops.meshgrid
    """
    return _meshgrid(inputs, indexing)


@op()
def _block_diagonal(blocks: Arrays):
    blocks = [jnp.atleast_2d(block) for block in blocks]
    width = sum(block.shape[1] for block in blocks)
    rows, left = [], 0
    for block in blocks:
        rows.append(jnp.pad(block, ((0, 0), (left, width - left - block.shape[1]))))
        left += block.shape[1]
    return jnp.concatenate(rows, 0)


@composite()
def block_diag(*inputs):
    """A matrix with the inputs as its diagonal blocks and zeros elsewhere.

    Args:
        inputs (Tensor, ...): matrices; vectors are rows.
    Returns:
        Tensor of two axes.
    Raises:
        TypeError: if an input is no Tensor.  ValueError: if one has more than two axes.
    Example:
        >>> ops.block_diag(Tensor([[1]]), Tensor([[2]])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.block_diag
    """
    for each in _sequence(inputs, "block_diag"):
        if len(each.aval[0]) > 2:
            raise ValueError(f"For 'block_diag', the inputs must have at most two axes, but got shape {each.aval[0]}.")
    return _block_diagonal(inputs)


@composite()
def cartesian_prod(*inputs):
    """All tuples with one element of each input.

    Args:
        inputs (Tensor, ...): vectors.
    Returns:
        Tensor of shape ``(X, n)`` for ``n`` inputs; the vector itself for one.
    Raises:
        TypeError: if an input is no Tensor.  ValueError: if one is not a vector.
    Example:
        >>> ops.cartesian_prod(Tensor([1, 2]), Tensor([3])).tolist()
        [[1, 3], [2, 3]]
    Source: mindspore.ops.cartesian_prod
    """
    grids = _meshgrid(inputs, "ij")
    return grids[0] if len(grids) == 1 else stack([reshape(grid, (-1,)) for grid in grids], 1)


# -- splitting ------------------------------------------------------------------------------------------------------


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


@composite("Split", attrs=("axis", "output_num"), name="_split_evenly")
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


@op("Unstack", attrs=("axis", "num"), name="_unstack", view=True)
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
            raise ValueError(
                f"For '{name}', the input must have at least {least} axes, but got shape {input.aval[0]}."
            )
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
