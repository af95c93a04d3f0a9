"""Operations on CSRTensors: sparse Tensors in compressed row format; the last axes of their values are dense."""

import operator

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Csr, Dtype, Int, Operand
from ...engine.handle import Handle
from ...tensor.numbers import constant
from ...tensor.sparse import COOTensor, CSRTensor
from .._core.define import composite, op
from .._core.faces import CSR_METHODS, Dialect, register
from .._core.families import body
from ..index.gathering import gather_nd


@op()
def csr2coo(indptr: Array, count: Int):
    """The row of each value of a CSRTensor.

    Args:
        indptr (Tensor): shape ``(rows + 1,)``, an int dtype.
        count (int): how many values there are.
    Returns:
        Tensor of shape ``(count,)``, dtype of ``indptr``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.csr2coo(Tensor([0, 2, 3]), 3).tolist()
        [0, 0, 1]
    Source: mindspore.ops.csr2coo
    """
    rows = jnp.arange(len(indptr) - 1, dtype=indptr.dtype)
    return jnp.repeat(rows, jnp.diff(indptr), total_repeat_length=count)


@op()
def coo2csr(row_indices: Array, height: Int):
    """The start of each row among sorted row indices: a CSRTensor's ``indptr``.

    Args:
        row_indices (Tensor): shape ``(N,)``, an int dtype, in order.
        height (int): the number of rows.
    Returns:
        Tensor of shape ``(height + 1,)``, dtype of ``row_indices``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.coo2csr(Tensor([0, 0, 1]), 2).tolist()
        [0, 2, 3]
    Source: mindspore.ops.coo2csr
    """
    ends = jnp.arange(height + 1, dtype=row_indices.dtype)
    return jnp.searchsorted(row_indices, ends, side="left").astype(row_indices.dtype)


@op()
def _dense(indptr: Array, indices: Array, values: Array, shape):
    return jnp.zeros(shape, values.dtype).at[_rows(indptr, indices), indices].add(values)


@op()
def _gathered(indptr: Array, indices: Array, dense: Array):
    return dense[_rows(indptr, indices), indices]


@op()
def _product(indptr: Array, indices: Array, values: Array, dense: Array):
    summands = values.reshape(-1, 1) * dense[indices]
    return jax.ops.segment_sum(summands, _rows(indptr, indices), len(indptr) - 1)


@op()
def _row_sums(indptr: Array, indices: Array, values: Array):
    return jax.ops.segment_sum(values, _rows(indptr, indices), len(indptr) - 1)[:, None]


@op()
def _row_softmax(indptr: Array, indices: Array, values: Array):
    rows, count = _rows(indptr, indices), len(indptr) - 1
    # Subtracting the maximum only avoids overflow; it cancels, and so does its gradient.
    maximum = jax.ops.segment_max(jax.lax.stop_gradient(values), rows, count)
    powers = jnp.exp(values - maximum[rows])
    return powers / jax.ops.segment_sum(powers, rows, count)[rows]


def _rows(indptr, indices):
    return csr2coo(indptr, len(indices))


@composite()
def csr_gather(indptr: Array, indices: Array, dense: Array, sparse_shape):
    """The elements of a Tensor at the indices of a CSRTensor.

    Args:
        indptr (Tensor): shape ``(rows + 1,)``, an int dtype.
        indices (Tensor): shape ``(N,)``, the columns.
        dense (Tensor): shape ``(rows, columns, ...)``.
        sparse_shape (tuple[int]): the shape of the CSRTensor.
    Returns:
        Tensor of shape ``(N, ...)``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.csr_gather(Tensor([0, 1]), Tensor([1]), Tensor([[5.0, 6.0]]), (1, 2)).tolist()
        [6.0]
    Source: mindspore.ops.csr_gather
    """
    return _gathered(indptr, indices, dense)


@composite(method="to_csr")
def dense_to_sparse_csr(tensor: Array):
    """The CSRTensor of a Tensor's nonzero elements; reads values on the host.

    Args:
        tensor (Tensor): two axes.
    Returns:
        CSRTensor with int32 positions.
    Raises:
        TypeError: if ``tensor`` is not a Tensor.  ValueError: if it has not two axes.
    Example:
        >>> ops.dense_to_sparse_csr(Tensor([[0.0, 3.0]])).indptr.tolist()
        [0, 1]
    Source: mindspore.ops.dense_to_sparse_csr, mindspore.Tensor.to_csr
    """
    if tensor.ndim != 2:
        check.refuse(ValueError, "dense_to_sparse_csr", "tensor", "a Tensor with two axes", tensor)
    indices = np.argwhere(tensor._values_() != 0).astype(np.int32)
    indptr = np.searchsorted(indices[:, 0], np.arange(tensor.aval[0][0] + 1)).astype(np.int32)
    values = gather_nd(tensor, constant(indices))
    return CSRTensor(constant(indptr), constant(np.ascontiguousarray(indices[:, 1])), values, tensor.aval[0])


@composite()
def csr_to_dense(csr_tensor: Csr):
    """The dense Tensor of a CSRTensor.

    Args:
        csr_tensor (CSRTensor): any.
    Returns:
        Tensor of the dense shape.
    Raises:
        TypeError: if ``csr_tensor`` is not a CSRTensor.
    Example:
        >>> ops.csr_to_dense(mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3))).tolist()
        [[0.0, 2.0, 0.0]]
    Source: mindspore.ops.csr_to_dense, mindspore.CSRTensor.to_dense
    """
    return _dense(*csr_tensor.items(), csr_tensor.shape)


@composite()
def csr_to_coo(tensor: Csr):
    """Converts a 2-d CSRTensor to a COOTensor.

    Args:
        tensor (CSRTensor): two axes.
    Returns:
        COOTensor of the same shape and values.
    Raises:
        TypeError: if ``tensor`` is not a CSRTensor.  ValueError: if it has not two axes.
    Example:
        >>> ops.csr_to_coo(mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3))).indices.tolist()
        [[0, 1]]
    Source: mindspore.ops.csr_to_coo, mindspore.CSRTensor.to_coo
    """
    if tensor.ndim != 2:
        check.refuse(ValueError, "csr_to_coo", "tensor", "a CSRTensor of two axes", tensor.shape)
    rows = csr2coo(tensor.indptr, tensor.indices.aval[0][0])
    return COOTensor(_pairs(rows, tensor.indices), tensor.values, tensor.shape)


@op()
def _pairs(rows: Array, columns: Array):
    return jnp.stack([rows, columns], axis=1)


@composite()
def csr_add(a: Csr, b: Csr, alpha: Operand, beta: Operand):
    """``alpha * a + beta * b``; reads the indices on the host.

    Args:
        a, b (CSRTensor): of the same shape, two axes.
        alpha, beta (Tensor | Number): the factors.
    Returns:
        CSRTensor.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes differ.
    Example:
        >>> x = mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3))
        >>> ops.csr_add(x, x, Tensor(1.0), Tensor(2.0)).values.tolist()
        [6.0]
    Source: mindspore.ops.csr_add, mindspore.CSRTensor.add
    """
    check.same_shape(b, a, "b", "a", "csr_add")
    flat = [_flat_indices(each) for each in (a, b)]
    flat_indices, segments = np.unique(np.concatenate(flat), return_inverse=True)
    first, second = np.split(segments.reshape(-1), [len(flat[0])])
    values = _weighted(a.values * alpha, b.values * beta, constant(first), constant(second), len(flat_indices))
    dtype = a.indices.aval[1]
    rows, columns = (part.astype(dtype) for part in np.divmod(flat_indices, a.shape[1]))
    return CSRTensor(coo2csr(constant(rows), a.shape[0]), constant(columns), values, a.shape)


def _flat_indices(x):
    rows = np.repeat(np.arange(x.shape[0]), np.diff(x.indptr._values_()))
    return rows * x.shape[1] + x.indices._values_()


@op()
def _weighted(first: Array, second: Array, first_indices: Array, second_indices: Array, count):
    return jnp.zeros(count, first.dtype).at[first_indices].add(first).at[second_indices].add(second)


def _combined(owner, x, y, combine):
    if not isinstance(y, Handle) or y.size == 1:
        return combine(x.values, y).reshape(x.values.shape)
    try:
        fits = np.broadcast_shapes(y.aval[0], x.shape) == x.shape
    except ValueError:
        fits = False
    if not fits:
        check.refuse(ValueError, owner, "y", f"of a shape that broadcasts to {x.shape}", y)
    return x.with_values(combine(x.values, _gathered(x.indptr, x.indices, y.broadcast_to(x.shape))))


_AT_INDICES = """A CSRTensor {done} a Tensor, at the indices of the first.

    Args:
        x (CSRTensor): any.
        y (Tensor | Number): a shape that broadcasts to that of ``x``.
    Returns:
        CSRTensor; for one number the Tensor of its values, as in MindSpore.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not broadcast.
    Example:
        >>> x = mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3))
        >>> ops.{name}(x, Tensor([[1.0, 4.0, 1.0]])).values.tolist()
        [{value}]
    Source: mindspore.ops.{name}
    """


def _at_indices(name, combine, done, value):
    """Defines an operation of a CSRTensor and a Tensor that keeps the indices of the CSRTensor."""
    text = f"{name}(x: Csr, y: Operand)"
    return composite()(body(text, lambda x, y: _combined(name, x, y, combine), _AT_INDICES, done=done, value=value))


csr_mul = _at_indices("csr_mul", operator.mul, "times", 8.0)
csr_div = _at_indices("csr_div", operator.truediv, "divided by", 0.5)


@composite()
def csr_mv(csr_tensor: Csr, dense: Array):
    """The product of a CSRTensor and a vector.

    Args:
        csr_tensor (CSRTensor): shape ``(M, N)``.
        dense (Tensor): shape ``(N, 1)``.
    Returns:
        Tensor of shape ``(M, 1)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not go together.
    Example:
        >>> x = mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3))
        >>> ops.csr_mv(x, Tensor([[1.0], [3.0], [5.0]])).tolist()
        [[6.0]]
    Source: mindspore.ops.csr_mv, mindspore.CSRTensor.mv
    """
    return _times("csr_mv", csr_tensor, dense)


def _times(owner, x, dense):
    if len(dense.aval[0]) != 2 or dense.aval[0][0] != x.shape[1]:
        check.refuse(ValueError, owner, "dense", f"of shape ({x.shape[1]}, ...), as 'csr_tensor' is {x.shape}", dense)
    return _product(*x.items(), dense)


@composite()
def csr_mm(
    a: Csr, b: Csr, trans_a: Bool = False, trans_b: Bool = False, adjoint_a: Bool = False, adjoint_b: Bool = False
):
    """The product of two CSRTensors; reads values on the host.

    Args:
        a, b (CSRTensor): two axes.
        trans_a, trans_b (bool): whether to exchange the axes first. Default: ``False``.
        adjoint_a, adjoint_b (bool): whether to exchange the axes and conjugate first. Default: ``False``.
    Returns:
        CSRTensor of the nonzero elements.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> x = mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3))
        >>> ops.csr_mm(x, x, trans_b=True).to_dense().tolist()
        [[4.0]]
    Source: mindspore.ops.csr_mm
    """
    left, right = (_turned(*each) for each in ((a, trans_a, adjoint_a), (b, trans_b, adjoint_b)))
    return dense_to_sparse_csr(left @ right)


def _turned(x, transposed, adjoint):
    dense = csr_to_dense(x)
    if adjoint:
        dense = dense.conj()
    return dense.T if transposed or adjoint else dense


def _mm(self, matrix):
    """The product with a Tensor, a Tensor, or with a CSRTensor, a CSRTensor. Source: mindspore.CSRTensor.mm"""
    if isinstance(matrix, CSRTensor):
        return csr_mm(self, matrix)
    if not isinstance(matrix, Handle):
        check.refuse(TypeError, "CSRTensor.mm", "matrix", "a Tensor or a CSRTensor", matrix)
    return _times("CSRTensor.mm", self, matrix)


@composite()
def csr_reduce_sum(csr_tensor: Csr, axis: Int):
    """The sum of each row of a CSRTensor.

    Args:
        csr_tensor (CSRTensor): two axes.
        axis (int): must be 1, the columns (or -1).
    Returns:
        Tensor of shape ``(rows, 1)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another axis.
    Example:
        >>> x = mindspore.CSRTensor(Tensor([0, 2]), Tensor([0, 1]), Tensor([2.0, 3.0]), (1, 3))
        >>> ops.csr_reduce_sum(x, 1).tolist()
        [[5.0]]
    Source: mindspore.ops.csr_reduce_sum, mindspore.CSRTensor.sum
    """
    if axis not in (1, -1):
        check.refuse(ValueError, "csr_reduce_sum", "axis", "1, the columns", axis, "Sum the others over to_dense().")
    return _row_sums(*csr_tensor.items())


@composite()
def csr_softmax(logits: Csr, dtype: Dtype):
    """The softmax of each row of a CSRTensor, over its stored values.

    Args:
        logits (CSRTensor): two axes.
        dtype (mindspore.dtype): of the result.
    Returns:
        CSRTensor.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> x = mindspore.CSRTensor(Tensor([0, 2]), Tensor([0, 1]), Tensor([2.0, 2.0]), (1, 3))
        >>> ops.csr_softmax(x, mindspore.float32).values.tolist()
        [0.5, 0.5]
    Source: mindspore.ops.csr_softmax
    """
    return logits.with_values(_row_softmax(*logits.items()).astype(dtype))


for _name, _method in {
    "__neg__": lambda self: self.with_values(-self.values),
    "__add__": lambda self, other: csr_add(self, other, 1, 1),
    "__sub__": lambda self, other: csr_add(self, other, 1, -1),
    "__mul__": csr_mul,
    "__truediv__": csr_div,
    "add": csr_add,
    "mm": _mm,
    "mv": Dialect("mindspore.CSRTensor").face(csr_mv, "mv(self, dense_vector)", dense_vector="dense"),
    "sum": csr_reduce_sum,
    "to_coo": csr_to_coo,
    "to_dense": csr_to_dense,
}.items():
    register(CSR_METHODS, _name, _method)
