"""Calls of gathers that are made for the shapes and dtypes of an equation, as in `shaped`."""

import functools
import math

import numpy as np
from jax.lax import GatherScatterMode

from .indexing import fill_value_of
from .reshaping import along


def gathered(equation):
    """The call of a ``gather`` of rows, or of elements along one axis; None of others."""
    x, indices = [each.aval for each in equation.invars]
    result, params, d = equation.outvars[0].aval, equation.params, equation.params["dimension_numbers"]
    if len(d.start_index_map) != 1 or d.collapsed_slice_dims != d.start_index_map:
        return None
    if not math.prod(x.shape) or not math.prod(result.shape):
        return None
    fill = None
    if params["mode"] == GatherScatterMode.FILL_OR_DROP:
        fill = np.asarray(fill_value_of(x.dtype, params["fill_value"])).astype(x.dtype)
    (axis,), batch = d.start_index_map, len(indices.shape) - 1
    if not d.operand_batching_dims:
        is_whole = tuple(params["slice_sizes"]) == (1, *x.shape[1:])
        is_of_rows = axis == 0 and is_whole and d.offset_dims == tuple(range(batch, len(result.shape)))
        return _of_rows(fill) if is_of_rows else None
    if d.offset_dims or len(d.operand_batching_dims) != len(x.shape) - 1:
        return None
    strides = [math.prod(x.shape[k + 1 :]) for k in range(len(x.shape))]
    start = np.zeros((), np.int64)
    for each, other in zip(d.operand_batching_dims, d.start_indices_batching_dims, strict=True):
        start = start + along(np.arange(x.shape[each]) * strides[each], other, batch)
    return functools.partial(_along, fill, x.shape[axis], strides[axis], start)


def _of_rows(fill):
    """Rows of a table, such as embeddings, by 5 us in place of 50."""
    return _rows if fill is None else functools.partial(_rows_inside, fill)


def _rows(x, indices):
    return x.take(indices[..., 0], 0, mode="clip")


def _rows_inside(fill, x, indices):
    positions, result = indices[..., 0], _rows(x, indices)
    outside = (positions < 0) | (positions >= len(x))
    if outside.any():
        result[outside] = fill
    return result


def _along(fill, size, stride, start, x, indices):
    """Elements at positions along an axis, by 5 us in place of 20.

    Args:
        fill (numpy.ndarray): for positions that are outside; None: the nearest element.
        size (int): the length of the axis.
        stride (int): the distance of elements along it in the flattened ``x``.
        start (numpy.ndarray): there the position of the first element along it, for each result.
        x (numpy.ndarray): any shape.
        indices (numpy.ndarray): the positions, shape ``(*results, 1)``.
    """
    positions = indices[..., 0]
    outside = (positions < 0) | (positions >= size)
    is_any_outside = outside.any()
    if is_any_outside:
        positions = np.minimum(np.maximum(positions, 0), size - 1)
    result = x.reshape(-1).take(start + (positions if stride == 1 else positions * np.int64(stride)))
    if is_any_outside and fill is not None:
        result[outside] = fill
    return result
