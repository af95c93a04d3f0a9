"""Band matrices: creating them from diagonals, and reading and replacing their diagonals.

A band from ``k[0]`` to ``k[1]`` has one row for each diagonal, the highest first, as long as the longest; ``align`` is
the alignment of the shorter ones in the upper and in the lower triangle.
"""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import Word
from ..._contracts.contracts import Array
from ..._contracts.kinds import concrete
from .._core.calls.operands import as_tensor
from .._core.define import composite, op
from .._core.faces import primitive

_ALIGN = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def _band(k, name):
    """The lowest and the highest diagonal of ``k``: an int, a pair, or a Tensor of these."""
    k = check.ints(concrete(k), "k", name)
    if len(k) not in (1, 2) or k[0] > k[-1]:
        check.refuse(ValueError, name, "k", "an int, or the lowest and the highest diagonal", k)
    return k[0], k[-1]


def _indices(rows, columns, low, high, align):
    """The row and column of the matrix for each row and index of a band, and whether that element exists."""
    diagonals = np.arange(high, low - 1, -1)[:, None]
    lengths = np.minimum(rows + np.minimum(diagonals, 0), columns - np.maximum(diagonals, 0))
    width = min(rows + min(high, 0), columns - max(low, 0))
    upper, lower = (side == "RIGHT" for side in align.split("_"))
    shift = np.where(np.where(diagonals >= 0, upper, lower), width - lengths, 0)
    step = np.arange(width)[None] - shift
    is_there = (step >= 0) & (step < lengths)
    step = np.where(is_there, step, 0)
    return step + np.maximum(-diagonals, 0), step + np.maximum(diagonals, 0), is_there


def _band_of(matrices, k, name):
    """`_band` of ``k``, after checks that ``matrices`` has such diagonals."""
    rows, columns = check.at_least_rank(matrices, 2, "x", name).shape[-2:]
    low, high = _band(k, name)
    _check_band(low, high, rows, columns, name)
    return low, high


def _check_band(low, high, rows, columns, name):
    if not (-rows < low and high < columns or rows == columns == 0):
        check.refuse(ValueError, name, "k", f"diagonals of a matrix of {rows} rows and {columns} columns", (low, high))


@op()
def _put_band(matrices: Array, band: Array, low, high, align):
    rows, columns = matrices.shape[-2:]
    y, x, is_there = _indices(rows, columns, low, high, align)
    band = band if high > low else jnp.expand_dims(band, -2)
    if band.shape[-2:] != y.shape or band.shape[:-2] != matrices.shape[:-2]:
        shape = (*matrices.shape[:-2], *y.shape[high == low :])
        check.refuse(ValueError, "MatrixSetDiagV3", "diagonal", f"of shape {shape}", band)
    return matrices.at[..., y[is_there], x[is_there]].set(band[..., is_there].astype(matrices.dtype))


@op()
def _read_band(matrices: Array, padding: Array, low, high, align):
    rows, columns = matrices.shape[-2:]
    y, x, is_there = _indices(rows, columns, low, high, align)
    band = jnp.where(is_there, matrices[..., y, x], padding.astype(matrices.dtype))
    return band if high > low else jnp.squeeze(band, -2)


@composite()
def matrix_diag_part(x: Array, k, padding_value: Array, align: Word(*_ALIGN) = "RIGHT_LEFT"):
    """The diagonals of matrices.

    Args:
        x (Tensor): shape ``(*B, M, N)``, any dtype.
        k (int | Tensor): which diagonal, or the lowest and the highest of a band; positive is above the main one.
        padding_value (Tensor): 0-d: pads the shorter diagonals of a band.
        align (str): the alignment of the shorter diagonals above and below the main one. Default: ``'RIGHT_LEFT'``.
    Returns:
        Tensor of shape ``(*B, L)``, or ``(*B, D, L)`` for a band of ``D`` diagonals.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there is no such diagonal, or for another ``align``.
    Example:
        >>> ops.matrix_diag_part(Tensor([[1, 2], [3, 4]]), Tensor([0, 1]), Tensor(9)).tolist()
        [[9, 2], [1, 4]]
    Source: mindspore.ops.matrix_diag_part, mindspore.ops.MatrixDiagPartV3
    """
    low, high = _band_of(x, k, "MatrixDiagPartV3")
    return _read_band(x, padding_value, low, high, align)


primitive(matrix_diag_part, "MatrixDiagPartV3(align='RIGHT_LEFT')")


@composite()
def matrix_set_diag(x: Array, diagonal: Array, k=0, align: Word(*_ALIGN) = "RIGHT_LEFT"):
    """Copies of matrices with diagonals replaced.

    Args:
        x (Tensor): shape ``(*B, M, N)``, any dtype.
        diagonal (Tensor): the shape of `matrix_diag_part` of ``x``.
        k (int | Tensor): which diagonal, or the lowest and the highest of a band. Default: ``0``.
        align (str): the sides of the shorter diagonals above and below the main one. Default: ``'RIGHT_LEFT'``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: for arguments of other types.
        ValueError: if there is no such diagonal, shapes do not fit, or for another ``align``.
    Example:
        >>> ops.matrix_set_diag(Tensor([[1, 2], [3, 4]]), Tensor([8, 9])).tolist()
        [[8, 2], [3, 9]]
    Source: mindspore.ops.matrix_set_diag, mindspore.ops.MatrixSetDiagV3
    """
    low, high = _band_of(x, k, "MatrixSetDiagV3")
    return _put_band(x, diagonal, low, high, align)


primitive(matrix_set_diag, "MatrixSetDiagV3(align='RIGHT_LEFT')(x, diagonal, k)")


@op()
def _of_band(band: Array, padding: Array, low, high, rows, columns, align):
    lead = band.shape[: -2 if high > low else -1]
    empty = jnp.broadcast_to(padding.astype(band.dtype), (*lead, rows, columns))
    return _put_band(empty, band, low, high, align)


@composite()
def matrix_diag(x: Array, k=0, num_rows=-1, num_cols=-1, padding_value=0, align: Word(*_ALIGN) = "RIGHT_LEFT"):
    """Matrices with given diagonals.

    Args:
        x (Tensor): shape ``(*B, L)``, or ``(*B, D, L)`` for a band of ``D`` diagonals; any dtype.
        k (int | Tensor): which diagonal, or the lowest and the highest of a band; positive is above the main one.
            Default: ``0``.
        num_rows, num_cols (int | Tensor): the shape of the matrices; -1 for the smallest that contains the diagonals.
            Default: ``-1``.
        padding_value (Number | Tensor): the other elements. Default: ``0``.
        align (str): the sides of the shorter diagonals above and below the main one. Default: ``'RIGHT_LEFT'``.
    Returns:
        Tensor of shape ``(*B, num_rows, num_cols)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not fit, or for another ``align``.
    Example:
        >>> ops.matrix_diag(Tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    Source: mindspore.ops.matrix_diag, mindspore.ops.MatrixDiagV3
    """
    low, high = _band(k, "MatrixDiagV3")
    length = check.at_least_rank(x, 1 + (high > low), "x", "MatrixDiagV3").shape[-1]
    minimum = length - min(high, 0), length + max(low, 0)
    sizes = [
        check.integer(concrete(n), name, "MatrixDiagV3") for n, name in ((num_rows, "num_rows"), (num_cols, "num_cols"))
    ]
    rows, columns = sizes
    if sizes == [-1, -1]:
        rows = columns = max(minimum)
    elif rows == -1:
        rows = minimum[0]
    elif columns == -1:
        columns = minimum[1]
    _check_band(low, high, rows, columns, "MatrixDiagV3")
    return _of_band(x, as_tensor(padding_value, "MatrixDiagV3"), low, high, rows, columns, align)


primitive(matrix_diag, "MatrixDiagV3(align='RIGHT_LEFT')(x, k, num_rows, num_cols, padding_value)")
