"""Internal sparse Primitives: indices of results are computed on the host, values by operations."""

import numpy as np

from ... import ops
from ...tensor.tensor import Tensor
from .gradient_operations import segment_sums


def _at_either(first, second, choose):
    """An elementwise binary operation on two sparse Tensors, at the union of their indices; missing values are 0."""
    (indices1, values1), (indices2, values2) = first, second
    rows, places = np.unique(np.concatenate([indices1.asnumpy(), indices2.asnumpy()]), axis=0, return_inverse=True)
    places = places.reshape(-1)
    whole = [
        ops.tensor_scatter_update(ops.zeros(len(rows), values.dtype), Tensor(each[:, None]), values)
        for values, each in ((values1, places[: len(values1)]), (values2, places[len(values1) :]))
    ]
    return Tensor(rows.astype(indices1.asnumpy().dtype)), choose(*whole)


def _of_two(choose):
    return lambda x1_indices, x1_values, x2_indices, x2_values: _at_either(
        (x1_indices, x1_values), (x2_indices, x2_values), choose
    )


def _counts(indices, values, dense_shape, weights, binary_output, minlength, maxlength):
    """The count of each value in each row, or the sum of its weights."""
    values, shape = values.asnumpy(), dense_shape.asnumpy()
    kept = np.flatnonzero((values >= 0) & ((maxlength < 0) | (values < maxlength)))
    width = max(maxlength if maxlength > 0 else int(values.max(initial=-1)) + 1, minlength)
    pairs = np.stack([indices.asnumpy()[kept, 0], values[kept]], 1).astype(np.int64)
    found, places = np.unique(pairs, axis=0, return_inverse=True)
    ones = weights[Tensor(kept)] if weights.size else ops.ones(len(kept), weights.dtype)
    sums = ops.unsorted_segment_sum(ones, Tensor(places.reshape(-1)), len(found))
    sums = ops.ones_like(sums) if binary_output else sums
    return Tensor(found), sums, Tensor(np.array([shape[0], width], np.int64))


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
    found = ops.matmul(*sides)
    found = found.swapaxes(-1, -2) if attributes["transpose_output"] else found
    return found.conj() if attributes["conjugate_output"] and found.is_complex() else found


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


_TWO = "(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape)"
_TURNS = "transpose_x1=False, transpose_x2=False, adjoint_x1=False, adjoint_x2=False, transpose_output=False, "
# The Primitive, its result as a function of inputs and attributes, a description.
ROWS = [
    (f"SparseSparseMinimum(){_TWO}", _of_two(ops.minimum), "the elementwise minimum of two sparse Tensors"),
    (f"SparseSparseMaximum(){_TWO}", _of_two(ops.maximum), "the elementwise maximum of two sparse Tensors"),
    ("SparseCountSparseOutput(binary_output=False, minlength=-1, maxlength=-1)"
     "(indices, values, dense_shape, weights)", _counts, "how often each value stands in each row"),
    (f"SparseMatrixMatMul({_TURNS}conjugate_output=False)(x1_dense_shape, x1_batch_pointers, x1_row_pointers, "
     "x1_col_indices, x1_values, x2_dense)", _product, "the product of CSR matrices and dense ones"),
    ("SparseTensorToCSRSparseMatrix()(x_indices, x_values, x_dense_shape)", _compressed,
     "the CSR form of a sparse Tensor"),
    *[
        (f"SparseSegment{kind}{tail}", _by_segment(power), "sums of the rows of a segment, over a power of its length")
        for kind, power in (("Sum", 0), ("Mean", 1), ("SqrtN", 0.5))
        for tail in ("()(x, indices, segment_ids)", "WithNumSegments()(x, indices, segment_ids, num_segments: ANY)")
    ],
]  # fmt: skip
