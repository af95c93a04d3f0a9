"""Concatenation: joining and stacking Tensors."""

import functools
import itertools

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import Word
from ..._contracts.contracts import Array, Arrays, Axis, Bool, Int, NonNegativeInt
from ..._contracts.kinds import accepted
from ...tensor import promotion
from ...tensor.c_casts import convert
from ...tensor.numbers import constant
from .._core.define import composite, op
from .._core.faces import face, primitive
from .axes import atleast_1d, atleast_2d, atleast_3d
from .reshaping import reshape


@op("Concat(axis=0)")
def concat(tensors: Arrays, axis: Axis = 0):
    """Concatenates Tensors along an existing axis.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of the same shape except along that axis; mixed dtypes are promoted.
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
    shapes = [tensor.shape for tensor in tensors]
    if not shapes or not shapes[0] or len({len(shape) for shape in shapes}) > 1:
        expected = "one or more Tensors of as many axes, at least one (ops.stack joins numbers)"
        check.refuse(ValueError, "Concat", "tensors", expected, shapes)
    axis = check.axis(axis, len(shapes[0]), "axis", "Concat")
    if len({shape[:axis] + shape[axis + 1 :] for shape in shapes}) > 1:
        check.refuse(ValueError, "Concat", "tensors", f"of the same shape except along axis {axis}", shapes)
    dtype = common_dtype([tensor.dtype for tensor in tensors])
    return jnp.concatenate([convert(tensor, dtype) for tensor in tensors], axis)


def common_dtype(dtypes):
    """The promoted dtype of Tensors of these numpy dtypes."""
    return functools.reduce(lambda a, b: a if a == b else promotion.result_dtype("add", a, b), dtypes)


face(concat, "cat(tensors, axis=0)")


primitive(concat, "ParallelConcat()(values)", values="tensors", fixed={"axis": 0})


@op(("Stack(axis=0)", "Pack(axis=0)"))
def stack(tensors: Arrays, axis: Int = 0):
    """Stacks Tensors along a new axis.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of the same shape and dtype.
        axis (int): the index of the new axis in the result. Default: ``0``.
    Returns:
        Tensor with one more axis.
    Raises:
        TypeError: if ``tensors`` are not Tensors, or dtypes differ.
        ValueError: if there are none, shapes differ, or ``axis`` is out of range.
    Example:
        >>> ops.stack((Tensor([1, 2]), Tensor([3, 4])), axis=1).tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.ops.stack, mindspore.ops.Stack
    """
    shapes, dtypes = [each.shape for each in tensors], [each.dtype.name for each in tensors]
    if len(set(shapes)) != 1:
        check.refuse(ValueError, "Stack", "tensors", "one or more Tensors of the same shape", shapes)
    if len(set(dtypes)) != 1:
        check.refuse(TypeError, "Stack", "tensors", "of the same dtype", dtypes)
    check.axis(axis, len(shapes[0]) + 1, "axis", "Stack")
    return jnp.stack(tensors, axis)


@composite()
def hstack(tensors: Arrays):
    """Concatenates along the second axis, vectors along their only axis.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of the same shape except along that axis.
    Returns:
        Tensor.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.hstack((Tensor([1]), Tensor([2, 3]))).tolist()
        [1, 2, 3]
    Source: mindspore.ops.hstack
    """
    rows = atleast_1d(tensors)
    return concat(rows, 0 if all(len(row.aval[0]) == 1 for row in rows) else 1)


def _not_empty(tensors, arg_name, owner):
    if not tensors:
        check.refuse(TypeError, owner, arg_name, "one Tensor at least", tensors)
    return tensors


@composite()
def vstack(inputs: Arrays):
    """Concatenates along the first axis; vectors become rows.

    Args:
        inputs (tuple[Tensor] | list[Tensor]): of the same shape except along that axis.
    Returns:
        Tensor of at least two axes.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.vstack((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        [[1, 2], [3, 4]]
    Source: mindspore.ops.vstack
    """
    return concat(atleast_2d(_not_empty(inputs, "inputs", "vstack")), 0)


@composite()
def dstack(tensors: Arrays):
    """Concatenates along the third axis; `atleast_3d` raises Tensors of fewer axes.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of the same shape except along that axis.
    Returns:
        Tensor of at least three axes.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.dstack((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        [[[1, 3], [2, 4]]]
    Source: mindspore.ops.dstack
    """
    return concat(atleast_3d(_not_empty(tensors, "tensors", "dstack")), 2)


@composite()
def column_stack(tensors: Arrays):
    """Concatenates along the second axis; vectors become columns.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): of equal length.
    Returns:
        Tensor, 2-d.
    Raises:
        TypeError, ValueError: as for `concat`.
    Example:
        >>> ops.column_stack((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        [[1, 3], [2, 4]]
    Source: mindspore.ops.column_stack
    """
    return concat([reshape(each, (-1, 1)) if len(each.aval[0]) < 2 else each for each in tensors], 1)


face(vstack, "row_stack(tensors)")


@op("Meshgrid(indexing='xy')", name="_meshgrid")
def _meshgrid(inputs: Arrays, indexing: Word("xy", "ij") = "xy"):
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
    for each in inputs:
        if each.ndim > 1:
            check.refuse(ValueError, "Meshgrid", "inputs", "vectors or single numbers", each)
    return tuple(jnp.meshgrid(*map(jnp.atleast_1d, inputs), indexing=indexing))


@composite()
def meshgrid(*inputs, indexing="xy"):
    """Coordinate matrices of coordinate vectors.

    Args:
        inputs (Tensor, ...): vectors.
        indexing (str): ``'xy'``, the first coordinate runs along the second axis, or ``'ij'``. Default: ``'xy'``.
    Returns:
        tuple[Tensor], as many, each with one axis for each vector.
    Raises:
        TypeError: if an input is not a Tensor.  ValueError: for another ``indexing``, or an input that is not a vector.
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
    """Block-diagonal matrix of the inputs.

    Args:
        inputs (Tensor, ...): matrices; vectors are rows.
    Returns:
        Tensor, 2-d.
    Raises:
        TypeError: if an input is not a Tensor.  ValueError: if one has more than two axes.
            RuntimeError: without inputs.
    Example:
        >>> ops.block_diag(Tensor([[1]]), Tensor([[2]])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.block_diag
    """
    if not inputs:
        check.refuse(RuntimeError, "block_diag", "inputs", "one Tensor at least", inputs)
    for each in accepted(Arrays, inputs, "inputs", "block_diag"):
        if len(each.aval[0]) > 2:
            check.refuse(ValueError, "block_diag", "inputs", "Tensors of at most two axes", each)
    return _block_diagonal(inputs)


@composite(name="combinations")
def combinations(input: Array, r: NonNegativeInt = 2, with_replacement: Bool = False):
    """All subsets of a vector of a given length.

    Args:
        input (Tensor): a vector.
        r (int): the number of elements of each. Default: ``2``.
        with_replacement (bool): whether elements may be repeated. Default: ``False``.
    Returns:
        Tensor of shape ``(X, r)``; ``(0,)`` if there is none.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``input`` is not a vector, or ``r`` negative.
    Example:
        >>> ops.combinations(Tensor([1, 2, 3])).tolist()
        [[1, 2], [1, 3], [2, 3]]
    Source: mindspore.ops.combinations
    """
    if len(input.aval[0]) != 1:
        check.refuse(ValueError, "combinations", "input", "a vector", input)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    indices = list(choose(range(input.aval[0][0]), r))
    if not indices:
        return input[:0]
    return input[constant(np.array(indices, np.int64).reshape(len(indices), r))]


@composite()
def cartesian_prod(*inputs):
    """All tuples with one element of each input.

    Args:
        inputs (Tensor, ...): vectors.
    Returns:
        Tensor of shape ``(X, n)`` for ``n`` inputs; the vector itself for one.
    Raises:
        TypeError: if an input is not a Tensor.  ValueError: if one is not a vector.
    Example:
        >>> ops.cartesian_prod(Tensor([1, 2]), Tensor([3])).tolist()
        [[1, 3], [2, 3]]
    Source: mindspore.ops.cartesian_prod
    """
    grids = _meshgrid(inputs, "ij")
    return grids[0] if len(grids) == 1 else stack([reshape(grid, (-1,)) for grid in grids], 1)
