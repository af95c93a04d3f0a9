"""Layers over matrices: products, triangles, diagonals, inverse and determinant."""

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import Bool
from ..._contracts.enforcement import checked
from ...tensor.tensor import Tensor
from .._rows import layer
from ..cell import Cell

__all__ = ["MatDet", "MatInverse", "MatMul", "MatrixDiag", "MatrixDiagPart", "MatrixSetDiag", "Tril", "Triu"]

MatDet = layer(ops.det, "MatDet()(a)")
MatInverse = layer(ops.inverse, "MatInverse()(a)")
MatrixDiag = layer(ops.matrix_diag, "MatrixDiag()(input_x)")
MatrixDiagPart = layer(ops.diagonal, "MatrixDiagPart()(input_x)", fixed={"offset": 0, "dim1": -2, "dim2": -1})
MatrixSetDiag = layer(ops.matrix_set_diag, "MatrixSetDiag()(input_x, diagonal)")
Tril = layer(ops.tril, "Tril()(x, k=0)", k="diagonal")
Triu = layer(ops.triu, "Triu()(x, k=0)", k="diagonal")


class MatMul(Cell):
    """The matrix product, with optionally transposed operands.

    Args:
        transpose_x1, transpose_x2 (bool): whether to swap the last two axes of an operand with at least two.
            Default: ``False``.
    Inputs: x1, x2 (Tensor): as for `ops.matmul`. Output: Tensor.
    Raises:
        TypeError: if an argument is not a bool.  ValueError: if the shapes do not fit.
    Example:
        >>> nn.MatMul(transpose_x2=True)(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])).tolist()
        [[11.0]]
    Source: mindspore.nn.MatMul
    """

    @checked
    def __init__(self, transpose_x1: Bool = False, transpose_x2: Bool = False):
        super().__init__()
        self.transpose_x1 = transpose_x1
        self.transpose_x2 = transpose_x2

    def construct(self, x1, x2):
        """The product."""
        x1 = x1.swapaxes(-1, -2) if self.transpose_x1 and x1.ndim > 1 else x1
        x2 = x2.swapaxes(-1, -2) if self.transpose_x2 and x2.ndim > 1 else x2
        if isinstance(x1, Tensor) and isinstance(x2, Tensor) and x1.ndim and x2.ndim:
            rows = x2.shape[-2] if x2.ndim > 1 else x2.shape[0]
            if x1.shape[-1] != rows:
                check.refuse(ValueError, "MatMul", "x2", f"of {x1.shape[-1]} rows, the columns of 'x1'", x2.shape)
            check.broadcastable(x1.shape[:-2], x2.shape[:-2], "MatMul")  # here, since `ops.matmul` raises RuntimeError
        return ops.matmul(x1, x2)
