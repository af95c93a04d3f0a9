"""Internal sparse Primitives: indices of results are computed on the host, values by operations."""

import numpy as np

from ... import ops
from ...tensor.tensor import Tensor
from .gradient_operations import segment_sums


def _at_either(first, second, choose):
    """An elementwise binary operation on two sparse Tensors, at the union of their indices; missing values are 0."""
    (indices1, values1), (indices2, values2) = first, second
    rows, positions = np.unique(np.concatenate([indices1.asnumpy(), indices2.asnumpy()]), axis=0, return_inverse=True)
    positions = positions.reshape(-1)
    whole = [
        ops.tensor_scatter_update(ops.zeros(len(rows), values.dtype), Tensor(each[:, None]), values)
        for values, each in ((values1, positions[: len(values1)]), (values2, positions[len(values1) :]))
    ]
    return Tensor(rows.astype(indices1.asnumpy().dtype)), choose(*whole)


def _of_two(choose):
    return lambda x1_indices, x1_values, x2_indices, x2_values: _at_either(
        (x1_indices, x1_values), (x2_indices, x2_values), choose
    )


def _counts(indices, values, dense_shape, weights, binary_output, minlength, maxlength):
    """The count of each value in each row, or the sum of its weights."""
    values, shape = values.asnumpy(), dense_shape.asnumpy()
    valid = np.flatnonzero((values >= 0) & ((maxlength < 0) | (values < maxlength)))
    width = max(maxlength if maxlength > 0 else int(values.max(initial=-1)) + 1, minlength)
    pairs = np.stack([indices.asnumpy()[valid, 0], values[valid]], 1).astype(np.int64)
    indices, segments = np.unique(pairs, axis=0, return_inverse=True)
    ones = weights[Tensor(valid)] if weights.size else ops.ones(len(valid), weights.dtype)
    sums = ops.unsorted_segment_sum(ones, Tensor(segments.reshape(-1)), len(indices))
    sums = ops.ones_like(sums) if binary_output else sums
    return Tensor(indices), sums, Tensor(np.array([shape[0], width], np.int64))


def _rows_of(batch_pointers, row_pointers):
    """The batch and the row of each value of a CSR matrix."""
    batches, rows = len(batch_pointers) - 1, row_pointers.reshape(len(batch_pointers) - 1, -1)
    lengths = np.diff(rows, axis=1)
    batch = np.repeat(np.arange(batches), lengths.sum(1))
    return batch, np.concatenate([np.repeat(np.arange(len(each)), each) for each in lengths])


def _dense(shape, batch_pointers, row_pointers, col_indices, values):
    """The dense matrices of a batch of CSR ones."""
    batch, rows = _rows_of(batch_pointers.asnumpy(), row_pointers.asnumpy())
    shape = shape.asnumpy().tolist()
    index = np.stack([batch, rows, col_indices.asnumpy()], 1)
    whole = ops.zeros((len(batch_pointers) - 1, *shape[-2:]), values.dtype)
    whole = ops.tensor_scatter_elements(
        whole.reshape(-1), Tensor(np.ravel_multi_index(index.T, whole.shape)), values
    ).reshape(whole.shape)
    return whole if len(shape) == 3 else whole[0]


def _product(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense, **attributes):
    left = _dense(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values)
    sides = []
    for name, each in (("x1", left), ("x2", x2_dense)):
        each = each.conj() if attributes[f"adjoint_{name}"] and each.is_complex() else each
        is_turned = attributes[f"transpose_{name}"] or attributes[f"adjoint_{name}"]
        sides.append(each.swapaxes(-1, -2) if is_turned else each)
    product = ops.matmul(*sides)
    product = product.swapaxes(-1, -2) if attributes["transpose_output"] else product
    return product.conj() if attributes["conjugate_output"] and product.is_complex() else product


def _compressed(x_indices, x_values, x_dense_shape):
    """The CSR form of a sparse Tensor with sorted indices."""
    indices, shape = x_indices.asnumpy(), x_dense_shape.asnumpy()
    batches = int(shape[0]) if len(shape) == 3 else 1
    batch = indices[:, 0] if len(shape) == 3 else np.zeros(len(indices), indices.dtype)
    counts = np.zeros((batches, int(shape[-2]) + 1), indices.dtype)
    np.add.at(counts, (batch, indices[:, -2] + 1), 1)
    ends = np.concatenate([[0], np.cumsum(counts.sum(1))]).astype(indices.dtype)
    rows = np.cumsum(counts, 1).astype(indices.dtype).reshape(-1)
    return x_dense_shape, Tensor(ends), Tensor(rows), Tensor(indices[:, -1].copy()), x_values


def _by_segment(power):
    def run(x, indices, segment_ids, num_segments=None):
        count = segment_ids[-1] + 1 if num_segments is None else num_segments
        count = count.asnumpy().item() if isinstance(count, Tensor) else count
        return segment_sums(x, indices, segment_ids, count, power)

    return run


def _to_coo(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    """The indices, values and shape of a batch of CSR matrices."""
    batch, rows = _rows_of(x_batch_pointers.asnumpy(), x_row_pointers.asnumpy())
    columns = x_col_indices.asnumpy()
    parts = [batch, rows, columns] if x_dense_shape.size == 3 else [rows, columns]
    return Tensor(np.stack(parts, 1).astype(columns.dtype)), x_values, x_dense_shape


def _from_dense(dense_input, indices):
    """The CSR form of the elements of dense matrices at indices."""
    shape = Tensor(np.array(dense_input.shape, indices.asnumpy().dtype))
    return _compressed(indices, ops.gather_nd(dense_input, indices), shape)


def _combined(first, second, alpha, beta):
    """``alpha * first + beta * second`` of CSR matrices, at every index that one of them has."""
    (indices1, values1, shape), (indices2, values2, _) = (_to_coo(*each) for each in (first, second))
    indices, values = _at_either((indices1, values1), (indices2, values2), lambda x, y: alpha * x + beta * y)
    return _compressed(indices, values, shape)


def _sorted(indices, values):
    """Indices (numpy.ndarray) in lexicographic order, as a Tensor, and the values in that order."""
    order = np.lexsort(indices.T[::-1])
    return Tensor(indices[order]), values[Tensor(order)]


def _transposed(conjugate, **matrix):
    indices, values, shape = _to_coo(**matrix)
    swapped = np.concatenate([indices.asnumpy()[:, :-2], indices.asnumpy()[:, :-3:-1]], 1)
    indices, values = _sorted(swapped, values)
    sides = shape.asnumpy().copy()
    sides[-2:] = sides[:-3:-1].copy()
    return _compressed(indices, values.conj() if conjugate and values.is_complex() else values, Tensor(sides))


def _softmax_of_rows(indices, values):
    """The softmax of the values in each row of a sparse Tensor."""
    _, rows = np.unique(indices.asnumpy()[:, :-1], axis=0, return_inverse=True)
    rows = rows.reshape(-1)
    segments, count = Tensor(rows), int(rows.max(initial=-1)) + 1
    powers = ops.exp(values - ops.unsorted_segment_max(values, segments, count)[segments])
    return powers / ops.unsorted_segment_sum(powers, segments, count)[segments]


def _softmax_of_matrices(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    indices, values, _ = _to_coo(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values)
    return x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, _softmax_of_rows(indices, values)


def _counts_of_values(x_batch_pointers):
    pointers = x_batch_pointers.asnumpy()
    return Tensor(np.diff(pointers))


def _of_ragged(rt_nested_splits, rt_dense_values, Tsplits):  # noqa: N803
    """The sparse Tensor of a ragged one."""
    shape = [len(rt_nested_splits[0]) - 1]
    indices = np.arange(shape[0]).reshape(-1, 1)
    for each in rt_nested_splits:
        lengths = np.diff(each.asnumpy())
        inner = np.concatenate([np.arange(length) for length in lengths])
        indices = np.concatenate([np.repeat(indices, lengths, 0), inner[:, None]], 1)
        shape.append(int(lengths.max(initial=0)))
    return Tensor(indices.astype(np.int64)), rt_dense_values, Tensor(np.array(shape, np.int64))


def _sum(x1_indices, x1_values, x1_shape, x2_indices, x2_values, thresh):
    """The sum of sparse Tensors, without those sums of two values that are smaller than a threshold."""
    indices, values = _at_either((x1_indices, x1_values), (x2_indices, x2_values), lambda x, y: x + y)
    every = np.concatenate([x1_indices.asnumpy(), x2_indices.asnumpy()])
    counts = np.unique(every, axis=0, return_counts=True)[1]
    rows_kept = Tensor(np.flatnonzero((counts < 2) | (np.abs(values.asnumpy()) >= thresh.asnumpy())))
    return indices[rows_kept], values[rows_kept], x1_shape


def _scattered(indices, values, shape):
    """The dense Tensor of a sparse one, whose values at one index add up."""
    return ops.scatter_nd(indices.astype(np.int64), values, shape)


def _weighted_product(indices, values, sparse_shape, x2_dense, x3_dense, alpha, beta):
    matrix = _scattered(indices, values, tuple(sparse_shape.asnumpy().tolist()))
    return alpha * ops.matmul(matrix, x2_dense) + beta * x3_dense


def _terms_of_product(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x3_dense, alpha, beta):
    """``beta * x1 + alpha * x2 @ x3`` as a sparse matrix, a value for each term; indices are columns."""
    rows, columns = x2_indices
    width = x3_dense.shape[1]
    terms = (alpha * x2_values).expand_dims(1) * x3_dense[columns]
    indices = np.stack([np.repeat(rows.asnumpy(), width), np.tile(np.arange(width), len(rows))])
    indices = Tensor(indices.astype(x1_indices.asnumpy().dtype))
    return ops.cat((x1_indices, indices), 1), ops.cat((beta * x1_values, terms.reshape(-1))), x1_shape


def _joined(sp_input_indices, sp_input_values, sp_input_shapes, concat_dim):
    """Sparse Tensors behind each other, their indices in order."""
    moved, start = [], 0
    for indices, shape in zip(sp_input_indices, sp_input_shapes, strict=True):
        indices = indices.asnumpy().copy()
        indices[:, concat_dim] += start
        start += int(shape.asnumpy()[concat_dim])
        moved.append(indices)
    shape = sp_input_shapes[0].asnumpy().copy()
    shape[concat_dim] = start
    return *_sorted(np.concatenate(moved), ops.cat(tuple(sp_input_values))), Tensor(shape)


def _with_dense(choose):
    def run(x1_indices, x1_values, x1_shape, x2):
        whole = ops.broadcast_to(x2, tuple(x1_shape.asnumpy().tolist()))
        return choose(x1_values, ops.gather_nd(whole, x1_indices))

    return run


def _without_empty_rows(indices, values, dense_shape, default_value):
    """A sparse matrix with a value in each empty row, a mask of these rows, and the new position of each value."""
    rows, count = indices.asnumpy(), int(dense_shape.asnumpy()[0])
    is_empty = np.bincount(rows[:, 0], minlength=count) == 0
    added = np.zeros((int(is_empty.sum()), rows.shape[1]), rows.dtype)
    added[:, 0] = np.flatnonzero(is_empty)
    whole = np.concatenate([rows, added])
    order = np.argsort(whole[:, 0], kind="stable")
    fills = ops.broadcast_to(default_value.reshape(1), (len(added),)).astype(values.dtype)
    positions = np.argsort(order, kind="stable")[: len(rows)]
    filled_values = ops.cat((values, fills)) if len(added) else values
    return Tensor(whole[order]), filled_values[Tensor(order)], Tensor(is_empty), Tensor(positions.astype(np.int64))


def _reshaped(indices, shape, new_shape):
    """The indices of a sparse Tensor's values once it has another shape, of which one length may be -1."""
    old, new = tuple(shape.asnumpy().tolist()), new_shape.asnumpy().copy()
    new[new == -1] = np.prod(old) // np.prod(new[new != -1])
    flat = np.ravel_multi_index(tuple(indices.asnumpy().T), old)
    return Tensor(np.stack(np.unravel_index(flat, tuple(new.tolist())), 1).astype(np.int64)), Tensor(new)


def _filled(indices, output_shape, values, default_value):
    whole = ops.broadcast_to(default_value.astype(values.dtype), tuple(output_shape.asnumpy().tolist())).copy()
    return ops.tensor_scatter_update(whole, indices, values)


_MATRIX = "x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values"
_MATRICES = f"{_MATRIX}, {_MATRIX}".replace("x_", "x1_", 5).replace(" x_", " x2_")
_TWO = "(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape)"
_TURNS = "transpose_x1=False, transpose_x2=False, adjoint_x1=False, adjoint_x2=False, transpose_output=False, "
# The Primitive, its result as a function of inputs and attributes, a description.
ROWS = [
    (f"SparseSparseMinimum(){_TWO}", _of_two(ops.minimum), "the elementwise minimum of two sparse Tensors"),
    (f"SparseSparseMaximum(){_TWO}", _of_two(ops.maximum), "the elementwise maximum of two sparse Tensors"),
    ("SparseCountSparseOutput(binary_output=False, minlength=-1, maxlength=-1)"
     "(indices, values, dense_shape, weights)", _counts, "how often each value occurs in each row"),
    (f"SparseMatrixMatMul({_TURNS}conjugate_output=False)(x1_dense_shape, x1_batch_pointers, x1_row_pointers, "
     "x1_col_indices, x1_values, x2_dense)", _product, "the product of CSR matrices and dense ones"),
    ("SparseTensorToCSRSparseMatrix()(x_indices, x_values, x_dense_shape)", _compressed,
     "the CSR form of a sparse Tensor"),
    (f"CSRSparseMatrixToDense()({_MATRIX})", lambda **matrix: _dense(*matrix.values()), "the dense matrices"),
    (f"CSRSparseMatrixToSparseTensor()({_MATRIX})", _to_coo, "indices, values and shape of CSR matrices"),
    ("DenseToCSRSparseMatrix()(dense_input, indices)", _from_dense, "the CSR form of the elements at indices"),
    ("RaggedTensorToSparse(Tsplits)(rt_nested_splits: Arrays, rt_dense_values)", _of_ragged,
     "the sparse Tensor of a ragged one"),
    (f"SparseAdd(){_TWO[:-1]}, thresh)", _sum, "the sum of sparse Tensors"),
    ("SparseAddmm()(indices, values, sparse_shape, x2_dense, x3_dense, alpha, beta)", _weighted_product,
     "``alpha * x1 @ x2 + beta * x3``"),
    ("SparseConcat(concat_dim=0)(sp_input_indices: Arrays, sp_input_values: Arrays, sp_input_shapes: Arrays)", _joined,
     "sparse Tensors behind each other"),
    *[
        (f"SparseDenseCwise{name}()(x1_indices, x1_values, x1_shape, x2)", _with_dense(choose),
         f"`{name}` of the values of a sparse Tensor and those of a dense one there")
        for name, choose in (("Add", ops.add), ("Mul", ops.mul), ("Div", ops.div))
    ],
    ("SparseFillEmptyRows()(indices, values, dense_shape, default_value)", _without_empty_rows,
     "a sparse matrix in which each row has a value"),
    (f"SparseMatrixAdd()({_MATRICES}, alpha, beta)",
     lambda alpha, beta, **parts: _combined(list(parts.values())[:5], list(parts.values())[5:10], alpha, beta),
     "the sum of CSR matrices"),
    (f"SparseMatrixNNZ()({_MATRIX})", _counts_of_values, "the number of values"),
    (f"SparseMatrixSoftmax(dtype)({_MATRIX})", _softmax_of_matrices, "the softmax of the values in each row"),
    (f"SparseMatrixTranspose(conjugate=False)({_MATRIX})", _transposed, "the transposed CSR matrices"),
    ("SparseReorder()(indices, values, shape)", lambda indices, values: _sorted(indices.asnumpy(), values),
     "a sparse Tensor whose indices are in order"),
    ("SparseReshape()(indices, shape, new_shape)", _reshaped, "the indices of a sparse Tensor of another shape"),
    ("SparseSoftmax()(indices, values, shape)", _softmax_of_rows, "the softmax of the values in each row"),
    ("SparseToDenseV2(validate_indices=True)(indices, output_shape, values, default_value)", _filled,
     "the dense Tensor of a sparse one"),
    (f"Sspaddmm(){_TWO[:-1]}, x3_dense, alpha, beta)", _terms_of_product, "``beta * x1 + alpha * x2 @ x3``, sparse"),
    *[
        (f"SparseSegment{kind}{tail}", _by_segment(power), "sums of the rows of a segment, over a power of its length")
        for kind, power in (("Sum", 0), ("Mean", 1), ("SqrtN", 0.5))
        for tail in ("()(x, indices, segment_ids)", "WithNumSegments()(x, indices, segment_ids, num_segments: ANY)")
    ],
]  # fmt: skip
