"""Internal Primitives over sets and ragged Tensors: shapes depend on values, so indices are computed on the host."""

import numpy as np

from ... import ops
from ..._contracts import check
from ...tensor.tensor import Tensor

_SETS = {
    "a-b": np.setdiff1d,
    "b-a": lambda a, b: np.setdiff1d(b, a),
    "intersection": np.intersect1d,
    "union": np.union1d,
}


def _check_order(indices, owner):
    """Raises unless the rows of ``indices`` ascend."""
    for row, (before, after) in enumerate(zip(indices[:-1].tolist(), indices[1:].tolist(), strict=True)):
        if before > after:
            raise ValueError(f"For '{owner}', indices is out of order, index={row + 1}.")


def _set_sizes(set_indices, set_values, set_shape, validate_indices):
    """The number of different values in each set; the last axis of the indices counts within a set."""
    indices, values = set_indices.asnumpy(), set_values.asnumpy()
    if validate_indices:
        _check_order(indices, "SetSize")
    sizes = np.zeros(tuple(set_shape.asnumpy()[:-1].tolist()), np.int32)
    members = {(*index[:-1], value) for index, value in zip(indices.tolist(), values.tolist(), strict=True)}
    for *index, _ in members:
        sizes[tuple(index)] += 1
    return Tensor(sizes)


def _sparse(sets, axes):
    """Sets, one for each index of ``axes``, as a sparse Tensor: its indices, values and shape."""
    indices = [
        (*index, column) for index, each in zip(np.ndindex(*axes), sets, strict=True) for column in range(len(each))
    ]
    shape = [*axes, max(map(len, sets), default=0)]
    indices = np.array(indices, np.int64).reshape(-1, len(shape))
    return Tensor(indices), Tensor(np.concatenate(sets)), Tensor(np.array(shape, np.int64))


def _of_dense(x1, x2, set_operation):
    """A set operation on the rows of two dense Tensors, as a sparse one."""
    rows, other_rows = (each.asnumpy().reshape(-1, each.shape[-1]) for each in (x1, x2))
    return _sparse([_SETS[set_operation](*pair) for pair in zip(rows, other_rows, strict=True)], x1.shape[:-1])


def _of_dense_and_sparse(x1, x2_indices, x2_values, x2_shape, set_operation, validate_indices):
    """A set operation on the rows of a dense Tensor and of a sparse one, as a sparse one."""
    check.one_of(set_operation, tuple(_SETS), "set_operation", "DenseToSparseSetOperation")
    dense, indices, values = x1.asnumpy(), x2_indices.asnumpy(), x2_values.asnumpy()
    if validate_indices:
        _check_order(indices, "DenseToSparseSetOperation")
    sets = []
    for row in np.ndindex(dense.shape[:-1]):
        members = values[(indices[:, :-1] == np.array(row, indices.dtype)).all(1)]
        sets.append(_SETS[set_operation](dense[row], members).astype(dense.dtype))
    return _sparse(sets, dense.shape[:-1])


def _parents(kind, partition):
    """The row of each value of a partition."""
    partition = partition.asnumpy()
    return partition if kind == "VALUE_ROWIDS" else np.repeat(np.arange(len(partition) - 1), np.diff(partition))


def _ragged_to_dense(shape, values, default_value, row_partition_tensors, row_partition_types):
    """Ragged rows as a dense Tensor, padded with the default value and truncated to the shape."""
    partitions = list(zip(row_partition_types, row_partition_tensors, strict=True))
    if partitions[0][0] == "FIRST_DIM_SIZE":
        rows = int(partitions.pop(0)[1].asnumpy().reshape(()))
    else:
        rows = len(partitions[0][1].asnumpy()) - 1
    index, lengths = np.arange(rows)[:, None], [rows]
    for kind, partition in partitions:
        parents = _parents(kind, partition)
        starts = np.searchsorted(parents, parents)  # where the row of each value begins
        within = np.arange(len(parents)) - starts
        index = np.concatenate([index[parents], within[:, None]], 1)
        lengths.append(int(within.max(initial=-1)) + 1)
    wanted = shape.asnumpy().tolist()
    lengths = [own if length < 0 else length for length, own in zip(wanted, lengths, strict=False)]
    rows_inside = np.flatnonzero((index < np.array(lengths)).all(1))
    dense = ops.broadcast_to(default_value.astype(values.dtype), (*lengths, *values.shape[1:])).copy()
    return ops.tensor_scatter_update(dense, Tensor(index[rows_inside].astype(np.int64)), values[Tensor(rows_inside)])


ROWS = [
    ("DenseToDenseSetOperation(set_operation='a-b', validate_indices=True)(x1, x2)", _of_dense,
     "an operation on sets along the last axis"),
    ("DenseToSparseSetOperation(set_operation='', validate_indices=True)(x1, x2_indices, x2_values, x2_shape)",
     _of_dense_and_sparse, "a set operation on each row of a dense and of a sparse Tensor"),
    ("RaggedTensorToTensor(row_partition_types)(shape, values, default_value, row_partition_tensors: Arrays)",
     _ragged_to_dense, "ragged rows as a dense Tensor"),
    ("SetSize(validate_indices=True)(set_indices, set_values, set_shape)", _set_sizes, "the sizes of sets"),
]  # fmt: skip
