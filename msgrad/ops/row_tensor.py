"""Operations on RowTensors, which hold some rows of a Tensor."""

from ..tensor.sparse import RowTensor
from .contracts import Array, Row
from .define import composite
from .faces import face


@composite()
def make_row_tensor(indices: Array, values: Array, dense_shape):
    """A RowTensor of its parts.

    Args:
        indices (Tensor): shape ``(N,)``, an int dtype.
        values (Tensor): shape ``(N, ...)``.
        dense_shape (tuple[int]): the dense shape.
    Returns:
        RowTensor.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.make_row_tensor(Tensor([1]), Tensor([[2.0]]), (3, 1)).dense_shape
        (3, 1)
    Source: mindspore.ops.make_row_tensor
    """
    return RowTensor(indices, values, dense_shape)


make_row_tensor_inner = face(make_row_tensor, "make_row_tensor_inner(indices, values, dense_shape)")


@composite()
def row_tensor_get_indices(x: Row):
    """The numbers of the rows that a RowTensor holds.

    Args:
        x (RowTensor): any.
    Returns:
        Tensor of shape ``(N,)``.
    Raises:
        TypeError: if ``x`` is no RowTensor.
    Example:
        >>> ops.row_tensor_get_indices(mindspore.RowTensor(Tensor([1]), Tensor([[2.0]]), (3, 1))).tolist()
        [1]
    Source: mindspore.ops.row_tensor_get_indices
    """
    return x.indices


@composite()
def row_tensor_get_values(x: Row):
    """The rows that a RowTensor holds.

    Args:
        x (RowTensor): any.
    Returns:
        Tensor of shape ``(N, ...)``.
    Raises:
        TypeError: if ``x`` is no RowTensor.
    Example:
        >>> ops.row_tensor_get_values(mindspore.RowTensor(Tensor([1]), Tensor([[2.0]]), (3, 1))).tolist()
        [[2.0]]
    Source: mindspore.ops.row_tensor_get_values
    """
    return x.values


@composite()
def row_tensor_get_dense_shape(x: Row):
    """The dense shape of a RowTensor.

    Args:
        x (RowTensor): any.
    Returns:
        tuple[int].
    Raises:
        TypeError: if ``x`` is no RowTensor.
    Example:
        >>> ops.row_tensor_get_dense_shape(mindspore.RowTensor(Tensor([1]), Tensor([[2.0]]), (3, 1)))
        (3, 1)
    Source: mindspore.ops.row_tensor_get_dense_shape
    """
    return x.dense_shape


@composite()
def row_tensor_add(x: Row, y: Array):
    """A RowTensor plus a Tensor.

    Args:
        x (RowTensor): any.
        y (Tensor): of its dense shape.
    Returns:
        Tensor of that shape.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> x = mindspore.RowTensor(Tensor([1]), Tensor([[2.0]]), (2, 1))
        >>> ops.row_tensor_add(x, Tensor([[1.0], [1.0]])).tolist()
        [[1.0], [3.0]]
    Source: mindspore.ops.row_tensor_add
    """
    return y.tensor_scatter_add(x.indices.reshape((-1, 1)), x.values)
