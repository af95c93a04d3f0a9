"""Rules of gather, scatter, and slices at dynamic starts."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from .layout import Padded
from .reshaping import as_size, extended
from .sizes import NotUniform, constant


def _dynamic_slice(site, value, *starts):
    lengths, sizes = site.lengths, site.operands[0]
    value = lengths.canonical(value, sizes)
    wanted = [as_size(each) for each in site.params["slice_sizes"]]
    array, positions = value.array, []
    for axis, (size, want, start) in enumerate(zip(sizes, wanted, starts, strict=True)):
        # XLA moves a slice that would end outside back into the array: into the true one.
        limit = lengths.exact(size - want)
        positions.append(lax.clamp(jnp.int32(0), start.array.astype(jnp.int32), jnp.int32(limit)))
        missing = lengths.padded(want) - array.shape[axis]
        spare = 0 if want.is_constant else lengths.padded(want)
        if missing > 0 or spare:
            array = extended(array, axis, max(missing, spare))
    array = lax.dynamic_slice(array, positions, lengths.shape(wanted))
    return Padded(array, tuple([(size,) for size in site.results[0]]), False)


def _dynamic_update_slice(site, value, update, *starts):
    lengths, sizes, part = site.lengths, site.operands[0], site.operands[1]
    value, update = lengths.canonical(value, sizes), lengths.canonical(update, part)
    array, positions = value.array, []
    for axis, (size, want, start) in enumerate(zip(sizes, part, starts, strict=True)):
        limit = lengths.exact(size - want)
        positions.append(lax.clamp(jnp.int32(0), start.array.astype(jnp.int32), jnp.int32(limit)))
        if not want.is_constant:  # the padding of the update may reach beyond the array
            array = extended(array, axis, lengths.padded(want))
    mask = lengths.mask(update, part)
    new = update.array
    if mask is not None:
        new = lax.select(mask, new, lax.dynamic_slice(array, positions, new.shape))
    array = lax.dynamic_update_slice(array, new, positions)
    array = lax.slice(array, (0,) * array.ndim, lengths.shape(sizes))
    return Padded(array, tuple([(size,) for size in sizes]), False)


def _gather(site, value, indices):
    lengths, (sizes, index_sizes) = site.lengths, site.operands
    numbers, mode = site.params["dimension_numbers"], site.params["mode"]
    wanted = [as_size(each) for each in site.params["slice_sizes"]]
    for axis in numbers.start_index_map:
        value = _prefix_where_merged(lengths, value, sizes, axis)
    # Along pairs of axes that go together, any layout does that both have.
    for a, b in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        value, indices = lengths.paired((value, sizes, a), (indices, index_sizes, b))
    positions = _inside(lengths, indices.array, sizes, wanted, numbers.start_index_map, mode)
    # Each axis of the result is one of the indices, or one of the slices.
    batch = [k for k in range(len(site.results[0])) if k not in numbers.offset_dims]
    axes: list[Any] = [None] * len(site.results[0])
    index_axes = lengths.factors(indices, index_sizes)
    for target, source in zip(batch, range(len(index_sizes) - 1), strict=True):
        axes[target] = index_axes[source]
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    slices = [k for k in range(len(sizes)) if k not in gone]
    for target, source in zip(numbers.offset_dims, slices, strict=True):
        if wanted[source] == sizes[source]:
            axes[target] = value.axes[source]
        elif wanted[source].is_constant:
            axes[target] = None if value.axes[source] is None else (wanted[source],)
        else:
            raise NotUniform("a gather of slices whose length varies")
    return [Padded(result, tuple(axes), False) for result in site.bind(value.array, positions)]


def _prefix_where_merged(lengths, value, sizes, axis):
    factors = value.axes[axis]
    return lengths.prefix(value, sizes, axis) if factors is not None and len(factors) > 1 else value


def _inside(lengths, positions, sizes, wanted, axes, mode):
    """Positions moved for the padded array: those beyond the true end are clipped or dropped as there."""
    if all([sizes[axis].is_constant for axis in axes]) or mode == lax.GatherScatterMode.PROMISE_IN_BOUNDS:
        return positions
    move = _clipped if mode == lax.GatherScatterMode.CLIP else _dropped
    limits = [lengths.exact(sizes[axis] - wanted[axis]) for axis in axes]
    return _by_column(move, positions, limits)


def _by_column(move, positions, limits):
    """``move(column, limit)`` of each column of positions, those along one axis."""
    columns = []
    for k, limit in enumerate(limits):
        column = lax.index_in_dim(positions, k, positions.ndim - 1)
        columns.append(move(column, jnp.asarray(limit).astype(positions.dtype)))
    return lax.concatenate(columns, positions.ndim - 1)


def _clipped(positions, limit):
    return lax.clamp(jnp.zeros((), positions.dtype), positions, limit)


def _dropped(positions, limit):
    return jnp.where(positions > limit, _outside(positions.dtype), positions)


def _outside(dtype):
    """A position beyond the end of every array."""
    return jnp.asarray(np.iinfo(dtype).max, dtype)


def _largest(dtype):
    return np.inf if jnp.issubdtype(dtype, np.floating) else np.iinfo(dtype).max


def _least(dtype):
    return -np.inf if jnp.issubdtype(dtype, np.floating) else np.iinfo(dtype).min


# The update that changes nothing, for scatters that combine it with what is there.
_NEUTRAL = {
    **dict.fromkeys(["scatter-add", "scatter-sub"], lambda dtype: 0),
    "scatter-mul": lambda dtype: 1,
    "scatter-min": _largest,
    "scatter-max": _least,
}


def _scatter(site, value, indices, updates):
    lengths, (sizes, index_sizes, update_sizes) = site.lengths, site.operands
    numbers, mode = site.params["dimension_numbers"], site.params["mode"]
    value = lengths.canonical(value, sizes, numbers.operand_batching_dims)
    updates = lengths.canonical(updates, update_sizes, _scattered(site))
    partners = dict(zip(numbers.scatter_indices_batching_dims, numbers.operand_batching_dims, strict=True))
    for axis, target in enumerate(_scattered(site)):
        parts = (updates, update_sizes, target), (indices, index_sizes, axis)
        if axis in partners:
            updates, indices, value = lengths.paired(*parts, (value, sizes, partners[axis]))
        else:
            updates, indices = lengths.paired(*parts)
    gone = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
    wanted = [constant(1)] * len(sizes)
    for axis, source in zip([k for k in range(len(sizes)) if k not in gone], numbers.update_window_dims, strict=True):
        wanted[axis] = update_sizes[source]
        if not wanted[axis].is_constant and wanted[axis] != sizes[axis]:
            raise NotUniform("a scatter of slices whose length varies")
    axes = numbers.scatter_dims_to_operand_dims
    positions, changed = _inside(lengths, indices.array, sizes, wanted, axes, mode), {}
    neutral = _NEUTRAL.get(site.name.replace("_", "-"))
    mask = lengths.mask(indices, index_sizes)
    if neutral is not None:
        updates = lengths.masked(updates, update_sizes, neutral(updates.array.dtype))
    elif mask is not None:  # updates that are padding must not be written: their positions are outside
        if mode == lax.GatherScatterMode.CLIP:
            limits = [lengths.exact(sizes[axis] - wanted[axis]) for axis in axes]
            positions = _by_column(_clipped, positions, limits)
        positions = lax.select(mask, positions, jnp.full(positions.shape, _outside(positions.dtype)))
        changed["mode"] = lax.GatherScatterMode.FILL_OR_DROP
    if mask is not None:
        changed["unique_indices"] = changed["indices_are_sorted"] = False
    results = site.bind(value.array, positions, updates.array, **changed)
    return [Padded(each, tuple(lengths.factors(value, sizes))) for each in results]


def _scattered(site):
    """The axes of a scatter's updates that are those of its indices, in order."""
    window = site.params["dimension_numbers"].update_window_dims
    return [axis for axis in range(len(site.operands[2])) if axis not in window]


RULES = {
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    **dict.fromkeys(["scatter", "scatter_mul", "scatter_sub", *_NEUTRAL], _scatter),
}
