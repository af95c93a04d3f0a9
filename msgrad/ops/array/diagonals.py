"""Diagonals, and triangles (``triu``, ``tril``) of matrices."""

import math

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Bool, Int, Operand
from ..._contracts.kinds import Scalar
from .._core.calls.operands import as_tensor
from .._core.define import composite, op
from .._core.faces import method


def _kept(array, bands, name):
    """``array`` with zeros where ``bands(columns - rows)``, a function of diagonal numbers, is False."""
    rows, columns = check.at_least_rank(array, 2, "input", name).shape[-2:]
    return jnp.where(bands(jnp.arange(columns) - jnp.arange(rows)[:, None]), array, jnp.zeros((), array.dtype))


@op("Tril(diagonal=0)", method="tril")
def tril(input: Array, diagonal: Int = 0):
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
    return _kept(input, lambda number: number <= diagonal, "Tril")


@op("Triu(diagonal=0)", method="triu")
def triu(input: Array, diagonal: Int = 0):
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
    return _kept(input, lambda number: number >= diagonal, "Triu")


@composite("MatrixBandPart")
def matrix_band_part(x: Array, lower: Operand, upper: Operand):
    """The central band of matrices, zeros elsewhere.

    Args:
        x (Tensor): shape ``(*, M, N)``, any dtype.
        lower, upper (int | Tensor): the number of diagonals to keep below and above the main one; negative keeps all.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        ValueError: if ``x`` has fewer than two axes, or a number some.  TypeError: for numbers that are no ints.
    Example:
        >>> ops.matrix_band_part(Tensor([[1, 2], [3, 4]]), 0, -1).tolist()
        [[1, 2], [0, 4]]
    Source: mindspore.ops.matrix_band_part, mindspore.ops.MatrixBandPart
    """
    return _band(x, as_tensor(lower, "MatrixBandPart"), as_tensor(upper, "MatrixBandPart"))


@op()
def _band(x: Array, lower: Array, upper: Array):
    for each, name in ((lower, "lower"), (upper, "upper")):
        if check.dtype(each, "i", name, "MatrixBandPart").ndim:
            check.refuse(ValueError, "MatrixBandPart", name, "an int or a Tensor without axes", each)
    return _kept(
        x, lambda number: ((number >= -lower) | (lower < 0)) & ((number <= upper) | (upper < 0)), "MatrixBandPart"
    )


def matrix_or_diagonal(x, k, argument):
    """NumPy's ``diag``: the matrix with the vector ``x`` on its diagonal ``k``, or that diagonal of a matrix."""
    if x.ndim not in (1, 2):
        check.refuse(ValueError, "diag", argument, "of one or two axes", x.shape)
    return jnp.diag(x, k)


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
def diagflat(input: Array, offset: Int = 0):
    """A matrix with the flattened elements on a diagonal and zeros elsewhere.

    Args:
        input (Tensor): any shape and dtype.
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
    Returns:
        Tensor, 2-d.
    Raises:
        TypeError: if ``offset`` is not an int.
    Example:
        >>> ops.diagflat(Tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.diagflat, mindspore.Tensor.diagflat
    """
    return jnp.diag(jnp.reshape(input, (-1,)), offset)


@op(view=True)
def diagonal(input: Array, offset: Int = 0, dim1: Axis = 0, dim2: Axis = 1):
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
    dims = check.two_axes(dim1, dim2, input.ndim, "dim1", "dim2", "Diagonal")
    return jnp.diagonal(input, offset, *dims)


method("diagonal", (diagonal, "(offset=0, axis1=0, axis2=1)"))


@op("DiagPart", name="_diag_part")
def _diag_part(input_x: Array):
    """The diagonal of a Tensor made by `diag`: its inverse.

    Args:
        input_x (Tensor): shape ``(d1, ..., dk, d1, ..., dk)``, any dtype.
    Returns:
        Tensor of shape ``(d1, ..., dk)``.
    Raises:
        ValueError: if the shape is not of this form.
    Example:
        >>> ops.DiagPart()(Tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]
    Source: mindspore.ops.DiagPart
    """
    half = input_x.shape[: input_x.ndim // 2]
    if not half or half * 2 != input_x.shape:
        check.refuse(ValueError, "DiagPart", "input_x", "of a shape that consists of one shape twice", input_x)
    return jnp.diagonal(input_x.reshape(math.prod(half), -1)).reshape(half)


@op()
def diag_embed(input: Array, offset: Int = 0, dim1: Axis = -2, dim2: Axis = -1):
    """Matrices with the last axis on a diagonal and zeros elsewhere.

    Args:
        input (Tensor): any shape of at least one axis, any dtype.
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
        dim1, dim2 (int): the indices of the matrices' axes in the result. Default: ``-2``, ``-1``.
    Returns:
        Tensor with one more axis.
    Raises:
        TypeError: for arguments of other types.  ValueError: if an axis is out of range, or both are the same.
    Example:
        >>> ops.diag_embed(Tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.diag_embed
    """
    check.at_least_rank(input, 1, "input", "diag_embed")
    dim1 = check.axis(dim1, input.ndim + 1, "dim1", "diag_embed")
    dim2 = check.axis(dim2, input.ndim + 1, "dim2", "diag_embed")
    if dim1 == dim2:
        check.refuse(ValueError, "diag_embed", "dim2", f"another axis than 'dim1', {dim1}", dim2)
    length = input.shape[-1]
    size = length + abs(offset)
    steps = jnp.arange(length)
    rows, columns = steps + max(-offset, 0), steps + max(offset, 0)
    matrices = jnp.zeros((*input.shape[:-1], size, size), input.dtype).at[..., rows, columns].set(input)
    return jnp.moveaxis(matrices, (-2, -1), (dim1, dim2))


@op(method="diagonal_scatter")
def diagonal_scatter(input: Array, src: Array, offset: Int = 0, dim1: Axis = 0, dim2: Axis = 1):
    """A copy with the diagonals of the planes of two axes replaced.

    Args:
        input (Tensor): any shape of at least two axes, any dtype.
        src (Tensor): the shape of `diagonal` of ``input``; cast to its dtype.
        offset (int): which diagonal; positive is above the main one. Default: ``0``.
        dim1, dim2 (int): the two axes. Default: ``0``, ``1``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: for arguments of other types.
        ValueError: if an axis is out of range, both are the same, or the shape of ``src`` does not fit.
    Example:
        >>> ops.diagonal_scatter(Tensor([[1, 2], [3, 4]]), Tensor([8, 9])).tolist()
        [[8, 2], [3, 9]]
    Source: mindspore.ops.diagonal_scatter, mindspore.Tensor.diagonal_scatter
    """
    indices = diagonal(jnp.arange(input.size).reshape(input.shape), offset, dim1, dim2)
    if src.shape != indices.shape:
        check.refuse(ValueError, "diagonal_scatter", "src", f"of shape {indices.shape}", src)
    return input.reshape(-1).at[indices].set(src.astype(input.dtype)).reshape(input.shape)


@op("FillDiagonal(fill_value: Float, wrap=False)", method="fill_diagonal", name="_fill_diagonal")
def _fill_diagonal(input_x: Array, fill_value: Scalar(), wrap: Bool = False):
    """A copy with the main diagonal replaced by one value.

    Args:
        input_x (Tensor): shape ``(M, N)``, or of more axes that are all of equal length.
        fill_value (float): the value.
        wrap (bool): whether the diagonal of a tall matrix restarts at the left after each block of ``N`` rows and one.
            Default: ``False``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are fewer than two axes, or lengths differ.
    Example:
        >>> Tensor([[1, 2], [3, 4]]).fill_diagonal(0.0).tolist()
        [[0, 2], [3, 0]]
    Source: mindspore.ops.FillDiagonal, mindspore.Tensor.fill_diagonal
    """
    shape = check.at_least_rank(input_x, 2, "input_x", "FillDiagonal").shape
    if len(shape) > 2 and len(set(shape)) > 1:
        check.refuse(ValueError, "FillDiagonal", "input_x", "a matrix, or of axes of equal length", input_x)
    step = sum(math.prod(shape[k + 1 :]) for k in range(len(shape)))
    stop = input_x.size if wrap or len(shape) > 2 else shape[1] * shape[1]
    indices = np.arange(0, min(stop, input_x.size), step)
    return input_x.reshape(-1).at[indices].set(jnp.asarray(fill_value).astype(input_x.dtype)).reshape(shape)
