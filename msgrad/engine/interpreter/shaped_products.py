"""Calls of matrix products that are made for the shapes and dtypes of an equation, as in `shaped`."""

import functools
import math

import numpy as np

from .reductions import widened


def product(equation):
    """The call of a ``dot_general``; None where NumPy computes in another dtype than it gives."""
    x, y = [each.aval for each in equation.invars]
    sums, batches = equation.params["dimension_numbers"]
    dtype, shape = equation.outvars[0].aval.dtype, equation.outvars[0].aval.shape
    if {x.dtype, y.dtype, widened(dtype)} != {dtype}:
        return None
    (x_sum, y_sum), (x_batch, y_batch) = map(tuple, sums), map(tuple, batches)
    if not x_batch and len(y.shape) == 2 and x_sum == (len(x.shape) - 1,):
        return _by_matrix(x.shape, y_sum[0], shape)
    x_free = tuple([axis for axis in range(len(x.shape)) if axis not in (*x_sum, *x_batch)])
    y_free = tuple([axis for axis in range(len(y.shape)) if axis not in (*y_sum, *y_batch)])
    batch, inner = [x.shape[axis] for axis in x_batch], math.prod([x.shape[axis] for axis in x_sum])
    rows, columns = [math.prod([each.shape[axis] for axis in free]) for each, free in ((x, x_free), (y, y_free))]
    # Every product becomes a batch of matrices, for which NumPy calls BLAS, which takes four times as long where it
    # sums nothing.
    return functools.partial(
        _of_batches,
        np.multiply if inner == 1 else np.matmul,
        (*x_batch, *x_free, *x_sum),
        (*batch, rows, inner),
        (*y_batch, *y_sum, *y_free),
        (*batch, inner, columns),
        shape,
    )


def _of_batches(multiply, x_order, x_shape, y_order, y_shape, shape, x, y):
    return multiply(x.transpose(x_order).reshape(x_shape), y.transpose(y_order).reshape(y_shape)).reshape(shape)


def _by_matrix(x_shape, y_sum, shape):
    """Rows by a matrix, such as a layer's."""
    rows = math.prod(x_shape[:-1]), x_shape[-1]
    if x_shape[-1] == 1:
        return functools.partial(_outer, rows, shape)
    return functools.partial(_rows_by_matrix if y_sum == 0 else _rows_by_columns, rows, shape)


def _outer(rows, shape, x, y):
    return (x.reshape(rows) * y.reshape(1, -1)).reshape(shape)


# The method, not `np.matmul`: both call BLAS, and it takes 0.6 us for that one's 1.4.
def _rows_by_matrix(rows, shape, x, y):
    return x.reshape(rows).dot(y).reshape(shape)


def _rows_by_columns(rows, shape, x, y):
    return x.reshape(rows).dot(y.T).reshape(shape)
