"""Layers over sparse matrices in COO format."""

from ... import ops
from ..._contracts.contracts import Bool
from ..._contracts.enforcement import checked
from ..cell import Cell

__all__ = ["SparseTensorDenseMatmul", "SparseToDense"]


class SparseToDense(Cell):
    """Converts a sparse Tensor to a dense one.

    Inputs: sparse_tensor (COOTensor). Output: Tensor of its shape.
    Raises:
        AttributeError: if it is not a COOTensor.
    Example:
        >>> nn.SparseToDense()(ms.COOTensor(Tensor([[0, 1]]), Tensor([3.0]), (1, 2))).tolist()
        [[0.0, 3.0]]
    Source: mindspore.nn.SparseToDense
    """

    def __init__(self):
        super().__init__()

    def construct(self, sparse_tensor):
        """The Tensor."""
        return ops.SparseToDense()(sparse_tensor.indices, sparse_tensor.values, sparse_tensor.shape)


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse matrix and a Tensor, with optionally transposed operands.

    Args:
        adjoint_st, adjoint_dt (bool): whether to transpose the sparse and the dense operand. Default: ``False``.
    Inputs: indices (Tensor): int, shape ``(n, 2)``; values (Tensor): shape ``(n,)``; sparse_shape (tuple[int]): the
        shape of the sparse matrix; dense (Tensor): two axes. Output: Tensor.
    Raises:
        TypeError: if an argument is not a bool.  ValueError: if shapes do not fit.
    Example:
        >>> nn.SparseTensorDenseMatmul()(Tensor([[0, 1]]), Tensor([3.0]), (1, 2), Tensor([[1.0], [2.0]])).tolist()
        [[6.0]]
    Source: mindspore.nn.SparseTensorDenseMatmul
    """

    @checked
    def __init__(self, adjoint_st: Bool = False, adjoint_dt: Bool = False):
        super().__init__()
        self.adj_st = adjoint_st
        self.adj_dt = adjoint_dt

    def construct(self, indices, values, sparse_shape, dense):
        """The product."""
        return ops.SparseTensorDenseMatmul(self.adj_st, self.adj_dt)(indices, values, sparse_shape, dense)
