"""Diagonals and triangles of matrices."""

import jax.numpy as jnp

from . import check
from .contracts import Array
from .define import op
from .faces import attach


def _triangle(array, keep, name):
    if array.ndim < 2:
        raise ValueError(
            f"For primitive[{name}], the x's rank must be greater than or equal to 2, but got {array.ndim}."
        )
    return jnp.where(keep, array, jnp.zeros((), array.dtype))


@op("Tril(diagonal=0)", method="tril")
def tril(input: Array, diagonal=0):
    """The lower triangles of matrices, zeros above.

    Args:
        input (Tensor): shape ``(*, M, N)``, any dtype.
        diagonal (int): the highest diagonal to keep. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``diagonal`` is not an int.  ValueError: if there are fewer than two axes.
    Example:
        >>> ops.tril(Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 0], [3, 4]]
    Source: mindspore.ops.tril, mindspore.ops.Tril, mindspore.Tensor.tril
    """
    check.integer(diagonal, "diagonal", "Tril")
    return _triangle(input, jnp.tri(*input.shape[-2:], k=diagonal, dtype=bool) if input.ndim > 1 else None, "Tril")


@op("Triu(diagonal=0)", method="triu")
def triu(input: Array, diagonal=0):
    """The upper triangles of matrices, zeros below.

    Args:
        input (Tensor): shape ``(*, M, N)``, any dtype.
        diagonal (int): the lowest diagonal to keep. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if ``diagonal`` is not an int.  ValueError: if there are fewer than two axes.
    Example:
        >>> ops.triu(Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 2], [0, 4]]
    Source: mindspore.ops.triu, mindspore.ops.Triu, mindspore.Tensor.triu
    """
    check.integer(diagonal, "diagonal", "Triu")
    return _triangle(input, ~jnp.tri(*input.shape[-2:], k=diagonal - 1, dtype=bool) if input.ndim > 1 else None, "Triu")


@op()
def matrix_band_part(x: Array, lower, upper):
    """The central band of matrices, zeros elsewhere.

    Args:
        x (Tensor): shape ``(*, M, N)``, any dtype.
        lower, upper (int | Tensor): how many diagonals to keep below and above the main one; negative keeps all.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        ValueError: if there are fewer than two axes.
    Example:
        >>> ops.matrix_band_part(Tensor([[1, 2], [3, 4]]), 0, -1).tolist()
        [[1, 2], [0, 4]]
    Source: mindspore.ops.matrix_band_part
    """
    check.at_least_rank(x, 2, "x", "MatrixBandPart")
    rows, columns = x.shape[-2:]
    keep = jnp.tri(rows, columns, k=columns if upper < 0 else upper, dtype=bool)
    keep &= ~jnp.tri(rows, columns, k=-rows if lower < 0 else -lower - 1, dtype=bool)
    return _triangle(x, keep, "MatrixBandPart")


@op("Diag", method="diag")
def diag(input: Array):
    """A Tensor with the elements on its diagonal and zeros elsewhere.

    Args:
        input (Tensor): shape ``(d1, ..., dk)``, any dtype.
    Returns:
        Tensor of shape ``(d1, ..., dk, d1, ..., dk)``.
    Raises:
        ValueError: if there is no axis.
    Example:
        >>> ops.diag(Tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.diag, mindspore.ops.Diag, mindspore.Tensor.diag
    """
    check.at_least_rank(input, 1, "input", "Diag")
    return jnp.diag(jnp.reshape(input, (-1,))).reshape(input.shape * 2)


@op(method="diagflat")
def diagflat(input: Array, offset=0):
    """A matrix with the flattened elements on a diagonal and zeros elsewhere.

    Args:
        input (Tensor): any shape and dtype.
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
    Returns:
        Tensor of two axes.
    Raises:
        TypeError: if ``offset`` is not an int.
    Example:
        >>> ops.diagflat(Tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.diagflat, mindspore.Tensor.diagflat
    """
    check.integer(offset, "offset", "diagflat")
    return jnp.diag(jnp.reshape(input, (-1,)), offset)


@op(view=True)
def diagonal(input: Array, offset=0, dim1=0, dim2=1):
    """The diagonals of the planes of two axes.

    Args:
        input (Tensor): any shape of at least two axes, any dtype.
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
        dim1, dim2 (int): the two axes. Default: ``0``, ``1``.
    Returns:
        Tensor without these axes and with one more, the last.
    Raises:
        TypeError: for arguments of other types.
        ValueError: if there are fewer than two axes, an axis is out of range, or both are the same.
    Example:
        >>> ops.diagonal(Tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]
    Source: mindspore.ops.diagonal, mindspore.Tensor.diagonal
    """
    check.at_least_rank(input, 2, "input", "Diagonal")
    check.integer(offset, "offset", "Diagonal")
    dim1 = check.axis(dim1, input.ndim, "dim1", "Diagonal")
    dim2 = check.axis(dim2, input.ndim, "dim2", "Diagonal")
    if dim1 == dim2:
        raise ValueError(f"For 'Diagonal', dim1 and dim2 cannot be identical, but got : dim1 ={dim1}, dim2 = {dim2}.")
    return jnp.diagonal(input, offset, dim1, dim2)


def diagonal_method(self, offset=0, axis1=0, axis2=1):
    """The diagonals of the planes of two axes; see `ops.diagonal`. Source: mindspore.Tensor.diagonal"""
    return diagonal(self, offset, axis1, axis2)


attach(diagonal_method, "diagonal")


@op()
def diag_embed(input: Array, offset=0, dim1=-2, dim2=-1):
    """Matrices with the last axis on a diagonal and zeros elsewhere.

    Args:
        input (Tensor): any shape of at least one axis, any dtype.
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
        dim1, dim2 (int): the places of the matrices' axes in the result. Default: ``-2``, ``-1``.
    Returns:
        Tensor with one axis more.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an axis is out of range, or both are the same.
    Example:
        >>> ops.diag_embed(Tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.diag_embed
    """
    check.at_least_rank(input, 1, "input", "diag_embed")
    check.integer(offset, "offset", "diag_embed")
    dim1 = check.axis(dim1, input.ndim + 1, "dim1", "diag_embed")
    dim2 = check.axis(dim2, input.ndim + 1, "dim2", "diag_embed")
    if dim1 == dim2:
        raise ValueError(f"For 'diag_embed', 'dim1' must not be identical to 'dim2', but got {dim1}.")
    length = input.shape[-1]
    size = length + abs(offset)
    places = jnp.arange(length)
    rows, columns = places + max(-offset, 0), places + max(offset, 0)
    matrices = jnp.zeros((*input.shape[:-1], size, size), input.dtype).at[..., rows, columns].set(input)
    return jnp.moveaxis(matrices, (-2, -1), (dim1, dim2))
