"""Gather and scatter: windows of an array that begin at given indices are read, or written.

Both are NumPy's indexing with one array of indices for each axis of the operand. Their first axes are those of the
batch (one window for each row of ``indices``), their last ones those of the window.
"""

import functools
import math

import numpy as np
from jax.lax import GatherScatterMode

from .reshaping import along


def _first_indices(shape, indices, *, mapped, dropped, batching, batching_of_indices):
    """Start indices of windows.

    Args:
        shape (tuple): of the operand.
        indices (numpy.ndarray): the first indices of windows, one row for each; shape (*batch, len(mapped)).
        mapped (tuple): the axes that the columns of ``indices`` are for.
        dropped (tuple): the axes that the window does not have, for their width is 1.
        batching (tuple): the axes that go along with those of ``indices``.
        batching_of_indices (tuple): the axes of ``indices`` that they go along with.
    Returns:
        list of numpy.ndarray: for each axis the first indices, which broadcast to the batch, before they are clipped.
        list of int: the axes that the window has.
    """
    batch = indices.shape[:-1]
    # 0 for axes that no column is for: there every window begins at the front.
    firsts = [np.zeros((), np.int64)] * len(shape)
    for column, axis in enumerate(mapped):
        firsts[axis] = indices[..., column].astype(np.int64)
    for axis, other in zip(batching, batching_of_indices, strict=True):
        firsts[axis] = along(np.arange(batch[other]), other, len(batch))
    window_axes = [axis for axis in range(len(shape)) if axis not in dropped and axis not in batching]
    return firsts, window_axes


def _positions(batch, firsts, window_axes, widths):
    positions = []
    for axis, first in enumerate(firsts):
        position = np.reshape(first, (*first.shape, *[1] * len(window_axes))) if first.ndim else first
        if axis in window_axes:
            position = position + along(
                np.arange(widths[axis]), len(batch) + window_axes.index(axis), len(batch) + len(window_axes)
            )
        positions.append(position)
    return tuple(positions)


def _clipped(shape, firsts, widths):
    # Not `np.clip`, which takes 10 us for a few numbers.
    rows = zip(shape, firsts, widths, strict=True)
    return [np.minimum(np.maximum(first, 0), size - width) for size, first, width in rows]


def _is_inside(shape, firsts, widths):
    inside = np.True_
    for size, first, width in zip(shape, firsts, widths, strict=True):
        inside = inside & (first >= 0) & (first <= size - width)
    return inside


def fill_value_of(dtype, value):
    if value is not None:
        return value
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max
    return True if dtype.kind == "b" else math.nan


def _gather(x, indices, *, dimension_numbers, slice_sizes, mode, fill_value, **_):
    d = dimension_numbers
    batch = indices.shape[:-1]
    firsts, window_axes = _first_indices(
        x.shape,
        indices,
        mapped=d.start_index_map,
        dropped=d.collapsed_slice_dims,
        batching=d.operand_batching_dims,
        batching_of_indices=d.start_indices_batching_dims,
    )
    shape = (*batch, *[slice_sizes[axis] for axis in window_axes])
    if not math.prod(shape):
        result = np.empty(shape, x.dtype)
    elif not x.size:  # every window is outside
        result = np.full(shape, fill_value_of(x.dtype, fill_value)).astype(x.dtype)
    else:
        positions = _positions(batch, _clipped(x.shape, firsts, slice_sizes), window_axes, slice_sizes)
        # Clamped first, as XLA does: elements outside are replaced afterwards, if the mode says so.
        result = np.broadcast_to(x[positions], shape)
        if mode == GatherScatterMode.FILL_OR_DROP:
            inside = np.broadcast_to(_is_inside(x.shape, firsts, slice_sizes), batch)
            if not inside.all():
                fill = np.asarray(fill_value_of(x.dtype, fill_value)).astype(x.dtype)
                result = np.where(inside.reshape(*batch, *[1] * len(window_axes)), result, fill)
    return np.moveaxis(result, range(len(batch), len(shape)), d.offset_dims)


def _scatter(write, x, indices, updates, *, dimension_numbers, mode, **_):
    d = dimension_numbers
    window_axes = d.update_window_dims
    batch_axes = [axis for axis in range(updates.ndim) if axis not in window_axes]
    # In C order, like XLA's loop: NumPy writes in the order of memory, so of two updates of one element a transposed
    # view's earlier one would win.
    updates = np.asarray(np.transpose(updates, (*batch_axes, *window_axes)), order="C")
    indices = np.asarray(indices, order="C")
    batch = updates.shape[: len(batch_axes)]
    dropped = (*d.inserted_window_dims, *d.operand_batching_dims)
    window = iter(updates.shape[len(batch_axes) :])
    widths = [1 if axis in dropped else next(window) for axis in range(x.ndim)]
    result = np.array(x)
    if not updates.size or any([width > size for size, width in zip(x.shape, widths, strict=True)]):
        return result
    firsts, axes_of_windows = _first_indices(
        x.shape,
        indices,
        mapped=d.scatter_dims_to_operand_dims,
        dropped=d.inserted_window_dims,
        batching=d.operand_batching_dims,
        batching_of_indices=d.scatter_indices_batching_dims,
    )
    inside = np.broadcast_to(_is_inside(x.shape, firsts, widths), batch)
    # A window that is partly outside is skipped as a whole, as in XLA.
    if mode != GatherScatterMode.CLIP and not inside.all():  # windows outside are not written
        firsts = [np.broadcast_to(first, batch)[inside] for first in firsts]
        updates, batch = updates[inside], (int(inside.sum()),)
    positions = _positions(batch, _clipped(x.shape, firsts, widths), axes_of_windows, widths)
    write(result, positions, updates)
    return result


def _set(array, positions, updates):
    array[positions] = updates


def _combines(equation):
    """Whether an update is combined with the old value by a function of its own, rather than replacing it."""
    # For `scatter` itself JAX has none, or one that returns the update; another is a function of the user's.
    jaxpr = equation.params["update_jaxpr"]
    return jaxpr is not None and (bool(jaxpr.eqns) or jaxpr.outvars != jaxpr.invars[1:])


RULES = {
    "gather": _gather,
    "scatter": functools.partial(_scatter, _set),
    "scatter-add": functools.partial(_scatter, np.add.at),
    "scatter-mul": functools.partial(_scatter, np.multiply.at),
    "scatter-max": functools.partial(_scatter, np.maximum.at),
    "scatter-min": functools.partial(_scatter, np.minimum.at),
    "scatter-sub": functools.partial(_scatter, np.subtract.at),
}


def _gather_seconds(equation):
    return 8e-9 * math.prod(equation.outvars[0].aval.shape) * (1 + len(equation.invars[0].aval.shape))


def _scatter_seconds(equation):
    operand, _, updates = [each.aval for each in equation.invars]
    return 1e-9 * math.prod(operand.shape) + 15e-9 * math.prod(updates.shape) * (1 + len(operand.shape))


SECONDS = {name: _scatter_seconds for name in RULES} | {"gather": _gather_seconds}
REFUSED = {"scatter": _combines}
SHARES = dict.fromkeys(SECONDS, 0.3)  # compiled code moves element by element as well
