"""Operations on COOTensors: sparse Tensors in coordinate format.

Operations that only change values are recorded and have gradients; those that combine indices read them on the host.
"""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Coo, Int, Operand
from ...engine.handle import Handle
from ...tensor.numbers import constant
from ...tensor.sparse import COOTensor, CSRTensor
from .._core.define import composite, op
from .._core.faces import COO_METHODS, Dialect, register
from ..array.concatenation import concat
from ..index.gathering import gather_nd
from ..index.scattering import scatter_nd
from .csr import coo2csr


@op()
def _summed(values: Array, segments: Array, count):
    return jnp.zeros((count, *values.shape[1:]), values.dtype).at[segments].add(values)


def _gathered(indices, values, shape):
    """A COOTensor with sorted indices (a NumPy array), equal ones summed."""
    distinct, segments = np.unique(indices, axis=0, return_inverse=True)
    return COOTensor(constant(distinct), _summed(values, constant(segments.reshape(-1)), len(distinct)), shape)


@composite(method="to_coo")
def dense_to_sparse_coo(tensor: Array):
    """The COOTensor of a Tensor's nonzero elements; reads values on the host.

    Args:
        tensor (Tensor): two axes.
    Returns:
        COOTensor with int32 positions.
    Raises:
        TypeError: if ``tensor`` is not a Tensor.  ValueError: if it has not two axes.
    Example:
        >>> ops.dense_to_sparse_coo(Tensor([[0.0, 3.0]])).indices.tolist()
        [[0, 1]]
    Source: mindspore.ops.dense_to_sparse_coo, mindspore.Tensor.to_coo
    """
    if tensor.ndim != 2:
        check.refuse(ValueError, "dense_to_sparse_coo", "tensor", "a Tensor with two axes", tensor)
    indices = constant(np.argwhere(tensor._values_() != 0).astype(np.int32))
    return COOTensor(indices, gather_nd(tensor, indices), tensor.aval[0])


def _coo_to_dense(x):
    """Converts a COOTensor to a dense Tensor; values of equal indices are summed.

    Returns:
        Tensor of the dense shape.
    Example:
        >>> mindspore.COOTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3)).to_dense().tolist()
        [[0.0, 2.0, 0.0]]
    Source: mindspore.COOTensor.to_dense
    """
    return scatter_nd(x.indices, x.values, x.shape)


def _coo_to_csr(x):
    """Converts a 2-d COOTensor to a CSRTensor; reads the indices on the host.

    Returns:
        CSRTensor of the same shape and values, in the order of the rows.
    Raises:
        ValueError: if it has not two axes.
    Example:
        >>> mindspore.COOTensor(Tensor([[1, 0], [0, 2]]), Tensor([1.0, 2.0]), (2, 3)).to_csr().indptr.tolist()
        [0, 1, 2]
    Source: mindspore.COOTensor.to_csr
    """
    if x.ndim != 2:
        check.refuse(ValueError, "to_csr", "self", "a COOTensor of two axes", x.shape)
    indices = x.indices._values_()
    order = np.argsort(indices[:, 0], kind="stable")
    rows, columns = constant(indices[order, 0]), constant(indices[order, 1])
    return CSRTensor(coo2csr(rows, x.shape[0]), columns, gather_nd(x.values, constant(order[:, None])), x.shape)


def _coo_coalesce(x):
    """A COOTensor with sorted indices, equal ones summed; reads the indices on the host.

    Returns:
        COOTensor of the same shape.
    Example:
        >>> x = mindspore.COOTensor(Tensor([[1, 0], [0, 1], [1, 0]]), Tensor([1.0, 2.0, 3.0]), (2, 2))
        >>> x.coalesce().values.tolist()
        [2.0, 4.0]
    Source: mindspore.COOTensor.coalesce
    """
    return _gathered(x.indices._values_(), x.values, x.shape)


@composite()
def coo_add(x1: Coo, x2: Coo, thresh: Operand):
    """The sum of two COOTensors; reads the indices on the host.

    Args:
        x1, x2 (COOTensor): of the same shape.
        thresh (Tensor | Number): sums below it in absolute value are left out.
    Returns:
        COOTensor, its positions in order.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes differ.
    Example:
        >>> x = mindspore.COOTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3))
        >>> ops.coo_add(x, x, Tensor(0.0)).values.tolist()
        [4.0]
    Source: mindspore.ops.coo_add, mindspore.COOTensor.add
    """
    _check_shape("coo_add", "x2", x2, x1.shape)
    total = _gathered(
        np.concatenate([x1.indices._values_(), x2.indices._values_()]), concat((x1.values, x2.values)), x1.shape
    )
    minimum = thresh._values_() if isinstance(thresh, Handle) else thresh
    if minimum <= 0:
        return total
    is_large = np.abs(total.values._values_()) >= minimum
    rows = constant(np.flatnonzero(is_large)[:, None])
    return COOTensor(gather_nd(total.indices, rows), gather_nd(total.values, rows), total.shape)


@composite()
def coo_concat(sp_input, concat_dim: Int = 0):
    """Concatenates COOTensors along an axis; reads the indices on the host.

    Args:
        sp_input (tuple[COOTensor] | list[COOTensor]): of the same shape except along the axis.
        concat_dim (int): the axis. Default: ``0``.
    Returns:
        COOTensor, its positions in order.
    Raises:
        TypeError: if ``sp_input`` is not a list of COOTensors. ValueError: if an axis is out of range, or shapes
            differ.
    Example:
        >>> x = mindspore.COOTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3))
        >>> ops.coo_concat((x, x), 1).indices.tolist()
        [[0, 1], [0, 4]]
    Source: mindspore.ops.coo_concat
    """
    if not isinstance(sp_input, (tuple, list)) or not all(isinstance(each, COOTensor) for each in sp_input):
        check.refuse(TypeError, "coo_concat", "sp_input", "a tuple or list of COOTensors", sp_input)
    if len(sp_input) < 2:
        check.refuse(ValueError, "coo_concat", "sp_input", "two COOTensors or more", sp_input)
    axis = check.axis(concat_dim, sp_input[0].ndim, "concat_dim", "coo_concat")
    moved, total = [], 0
    for each in sp_input:
        _check_shape("coo_concat", "sp_input", each, sp_input[0].shape, axis)
        shift = np.zeros(each.ndim, np.int64)
        shift[axis] = total
        moved.append(each.indices._values_() + shift)
        total += each.shape[axis]
    shape = (*sp_input[0].shape[:axis], total, *sp_input[0].shape[axis + 1 :])
    return _gathered(np.concatenate(moved), concat([each.values for each in sp_input]), shape)


def _check_shape(owner, name, tensor, shape, free_axis=None):
    for axis, (length, expected_length) in enumerate(zip(tensor.shape, shape, strict=True)):
        if length != expected_length and axis != free_axis:
            check.refuse(ValueError, owner, name, f"of shape {tuple(shape)}", tensor.shape)


# -- Python's operators ---------------------------------------------------------------------------------------------


def _at_positions(symbol, x, other):
    """The elements of ``other``, a Tensor of the dense shape, at the indices of ``x``."""
    if not isinstance(other, Handle):
        check.refuse(TypeError, symbol, "other", "a Tensor", other)
    _check_dense(symbol, x, other)
    return gather_nd(other, x.indices)


def _check_dense(symbol, x, other):
    if other.shape != x.shape:
        check.refuse(ValueError, symbol, "other", f"of shape {x.shape}", other)


def _add(self, other):
    if isinstance(other, COOTensor):
        return coo_add(self, other, 0)
    _check_dense("+", self, other)
    return other + _coo_to_dense(self)


def _sub(self, other):
    if isinstance(other, COOTensor):
        return coo_add(self, -other, 0)
    _check_dense("-", self, other)
    return _coo_to_dense(self) - other


def _added_to(self, other):
    _check_dense("+", self, other)
    return other + _coo_to_dense(self)


def _subtracted_from(self, other):
    _check_dense("-", self, other)
    return other - _coo_to_dense(self)


def _scaled(self, other):
    return self.with_values(self.values * _at_positions("*", self, other))


for _name, _method in {
    "__neg__": lambda self: self.with_values(-self.values),
    "__add__": _add,
    "__radd__": _added_to,
    "__sub__": _sub,
    "__rsub__": _subtracted_from,
    "__mul__": _scaled,
    "__rmul__": _scaled,
    "__truediv__": lambda self, other: self.with_values(self.values / _at_positions("/", self, other)),
    "add": Dialect("mindspore.COOTensor").face(coo_add, "add(self, other, thresh)"),
    "coalesce": _coo_coalesce,
    "to_csr": _coo_to_csr,
    "to_dense": _coo_to_dense,
}.items():
    register(COO_METHODS, _name, _method)
