"""Rules of primitives that move elements: broadcasting, reshapes, slices, padding, concatenation."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from .layout import Padded, normal, varying
from .sizes import ONE, NotUniform, constant


def _broadcast_in_dim(site, value, *_):
    sizes, dimensions = site.operands[0], site.params["broadcast_dimensions"]
    axes = [None] * len(site.results[0])
    for axis, target in enumerate(dimensions):
        if sizes[axis] == site.results[0][target]:
            axes[target] = value.axes[axis]
    kept = {target for axis, target in enumerate(dimensions) if sizes[axis] == site.results[0][target]}
    is_zero = value.is_zero and all([size.is_constant or k in kept for k, size in enumerate(site.results[0])])
    shape = site.lengths.shape(site.results[0])
    return Padded(lax.broadcast_in_dim(value.array, shape, dimensions), tuple(axes), is_zero)


def _transpose(site, value):
    permutation = site.params["permutation"]
    return Padded(lax.transpose(value.array, permutation), tuple([value.axes[k] for k in permutation]), value.is_zero)


def _squeeze(site, value):
    rank = len(site.operands[0])
    gone = {axis % rank for axis in site.params["dimensions"]}
    axes = tuple([factors for axis, factors in enumerate(value.axes) if axis not in gone])
    return Padded(lax.squeeze(value.array, tuple(gone)), axes, value.is_zero)


def _expand_dims(site, value):
    rank = len(site.results[0])
    new = {axis % rank for axis in site.params["dimensions"]}
    old = iter(value.axes)
    axes = tuple([None if axis in new else next(old) for axis in range(rank)])
    return Padded(lax.expand_dims(value.array, tuple(new)), axes, value.is_zero)


# -- reshape -----------------------------------------------------------------------------------------------------------


def _reshape(site, value, *_):
    if site.params.get("dimensions") is not None:
        raise NotUniform("a reshape with a permutation")
    lengths, before, after = site.lengths, site.operands[0], site.results[0]
    factors = lengths.factors(value, before)
    array, axes, is_zero, first = value.array, [], value.is_zero, 0
    for olds, news in _groups(before, after, lengths):
        inside = normal([factor for axis in olds for factor in factors[axis]])
        wanted = [after[axis] for axis in news]
        parts = _parted(inside, wanted)
        if parts is None:
            # The group becomes one axis, in which the elements move to where the new axes want them.
            shape = array.shape[:first] + (-1,) + array.shape[first + len(olds) :]
            target = normal(wanted)
            array = lengths.moved(array.reshape(shape), first, inside, target)
            parts, is_zero = _parted(target, wanted), False
            new_shape = array.shape[:first] + lengths.shape(wanted) + array.shape[first + 1 :]
        else:
            new_shape = array.shape[:first] + lengths.shape(wanted) + array.shape[first + len(olds) :]
        array = array.reshape(new_shape)
        axes += parts
        first += len(news)
    return Padded(array, tuple(axes), is_zero)


def _groups(before, after, lengths):
    """Runs of axes with as many elements before a reshape as after it, as pairs of ranges."""
    groups, i, j = [], 0, 0
    while i < len(before) or j < len(after):
        start, end = i, j
        old = new = ONE
        while True:
            if old == new and (i > start or j > end):
                break
            if j == len(after) or (i < len(before) and lengths.padded(old) <= lengths.padded(new)):
                if i == len(before):
                    raise NotUniform("a reshape")
                old, i = old * before[i], i + 1
            else:
                new, j = new * after[j], j + 1
        # Axes of length 1 that follow belong to this group, or they would be groups of nothing.
        while i < len(before) and before[i] == ONE:
            i += 1
        while j < len(after) and after[j] == ONE:
            j += 1
        groups.append((range(start, i), range(end, j)))
    return groups


def _parted(factors, sizes) -> Any:
    """The factors of each of the axes ``sizes`` of which one axis with ``factors`` is made; None if they differ."""
    rest, parts = list(factors), []
    for size in sizes:
        part, have = [], ONE
        while have != size:
            if not rest:
                return None
            factor = rest.pop(0)
            if _product_divides(have * factor, size):
                part.append(factor)
                have = have * factor
                continue
            split = _split(have, factor, size)
            if split is None:
                return None
            part.append(split[0])
            have = have * split[0]
            rest.insert(0, split[1])
        parts.append(normal(part))
    return parts if not [factor for factor in rest if factor != ONE] else None


def _product_divides(have, size):
    """Whether factors with this product may be the first of an axis of this size."""
    if have == size:
        return True
    if have.is_constant:
        return size.divided_by(have.at(())) is not None
    return any(have * constant(number) == size for number in _ratios(have, size))


def _ratios(have, size):
    monomial = next(iter(size.terms))
    factor = have.terms.get(monomial)
    return [size.terms[monomial] // factor] if factor and size.terms[monomial] % factor == 0 else []


def _split(have, factor, size):
    """``factor`` as two, of which the first ends the axis of this ``size``; None if it cannot be split."""
    if not have.is_constant:
        return None
    wanted = size.divided_by(have.at(()))
    if wanted is None:
        return None
    if wanted.is_constant:
        number = wanted.at(())
        # 12 is (3, 4); and of 3n the first 3 parts are of n only if it is a merged axis, which it is not.
        if factor.is_constant and factor.at(()) % number == 0:
            return wanted, constant(factor.at(()) // number)
        return None
    # The first 3n elements are those of (n, 3).
    for number in _ratios(wanted, factor):
        if wanted * constant(number) == factor and have == ONE:
            return wanted, constant(number)
    return None


# -- slices, padding, concatenation ------------------------------------------------------------------------------------


def _slice(site, value):
    sizes = site.operands[0]
    starts, limits = site.params["start_indices"], site.params["limit_indices"]
    strides = site.params["strides"] or (1,) * len(sizes)
    array, axes = value.array, list(value.axes)
    for axis, size in enumerate(sizes):
        start, limit, stride = as_size(starts[axis]), as_size(limits[axis]), strides[axis]
        if start == constant(0) and limit == size and stride == 1:
            continue
        if size.is_constant and limit.is_constant and start.is_constant:
            array = lax.slice_in_dim(array, start.at(()), limit.at(()), stride, axis)
            axes[axis] = None if axes[axis] is None else (site.results[0][axis],)
            continue
        if not isinstance(stride, int):
            raise NotUniform("a slice with a stride that varies")
        moved = site.lengths.prefix(Padded(array, tuple(axes)), _moved_sizes(sizes, site.results[0], axis), axis)
        reach = (site.lengths.padded(site.results[0][axis]) - 1) * stride + 1
        array = lax.slice_in_dim(_from(site.lengths, moved.array, axis, start, reach), 0, reach, stride, axis)
        axes[axis] = (site.results[0][axis],)
    return Padded(array, tuple(axes), False)


def _moved_sizes(before, after, axis):
    """The shape when axes up to ``axis`` have been treated."""
    return (*after[:axis], *before[axis:])


def _from(lengths, array, axis, start, length):
    """``length`` elements along an axis from the true ``start`` on, a `Size`; what is beyond the array is 0."""
    missing = lengths.padded(start) + length - array.shape[axis]
    if missing > 0:
        array = extended(array, axis, missing)
    if start.is_constant:
        return lax.slice_in_dim(array, start.at(()), start.at(()) + length, axis=axis)
    return lax.dynamic_slice_in_dim(array, lengths.exact(start), length, axis)


def extended(array, axis, count):
    """``array`` with ``count`` zeros after it along an axis."""
    widths = [(0, count if k == axis else 0, 0) for k in range(array.ndim)]
    return lax.pad(array, jnp.zeros((), array.dtype), widths)


def _pad(site, value, fill):
    lengths, sizes = site.lengths, site.operands[0]
    value = lengths.canonical(value, sizes)
    array, mask = value.array, lengths.mask(value, sizes)
    if mask is not None:
        array = lax.select(mask, array, jnp.broadcast_to(fill.array, array.shape))
    config, starts = [], []
    for low, high, interior in site.params["padding_config"]:
        low, high = as_size(low), as_size(high)
        # Where the elements begin varies with the true size: they are written there.
        starts.append(None if low.is_constant else lengths.exact(low))
        config.append((low.at(()), lengths.padded(high), interior) if low.is_constant else (0, 0, interior))
    array = lax.pad(array, fill.array, config)
    is_moved = any([start is not None for start in starts])
    if is_moved:
        whole = jnp.broadcast_to(fill.array, lengths.shape(site.results[0]))
        array = lax.dynamic_update_slice(whole, array, [jnp.int32(0 if start is None else start) for start in starts])
    is_zero = isinstance(fill.array, np.ndarray) and not fill.array.any() and not is_moved
    return Padded(array, tuple([(size,) for size in site.results[0]]), is_zero)


def pad_conditions(equation):
    """The `Size`s that must not be negative for `_pad` to be right."""
    conditions = []
    for low, high, _ in equation.params["padding_config"]:
        if not as_size(low).is_constant:
            conditions.append(as_size(low))
        if not (as_size(low).is_constant and as_size(high).is_constant):
            conditions.append(as_size(high))
    return conditions


def as_size(number):
    """A parameter as a `Size`."""
    return constant(int(number)) if isinstance(number, (int, np.integer)) else number


def _concatenate(site, *values):
    axis, lengths = site.params["dimension"], site.lengths
    # Along the other axes in one layout; along this one the valid elements of each first.
    values = [lengths.prefix(value, sizes, axis) for value, sizes in zip(values, site.operands, strict=True)]
    arrays, axes = list(map(lambda value: value.array, values)), [None] * len(site.results[0])
    for other in range(len(axes)):
        if other == axis:
            continue
        layouts = [value.axes[other] for value in values]
        target = max([each for each in layouts if each is not None], key=len, default=None)
        axes[other] = target
        arrays = [lengths.moved(array, other, old, target) for array, old in zip(arrays, layouts, strict=True)]
    axes[axis] = (site.results[0][axis],)
    sizes = [each[axis] for each in site.operands]
    is_zero = all([value.is_zero or not varying(each) for value, each in zip(values, site.operands, strict=True)])
    is_zero = is_zero and all([value.array is array for value, array in zip(values, arrays, strict=True)])
    if all([size.is_constant for size in sizes[:-1]]):
        return Padded(lax.concatenate(arrays, axis), tuple(axes), is_zero)
    # Each is written after the valid elements of the one before it, over the padding of that.
    result = extended(arrays[0], axis, lengths.padded(site.results[0][axis]) - arrays[0].shape[axis])
    start = sizes[0]
    for array, size in zip(arrays[1:], sizes[1:], strict=True):
        result = lax.dynamic_update_slice_in_dim(result, array, lengths.exact(start), axis)
        start = start + size
    return Padded(result, tuple(axes), is_zero)


def _stack(site, *values):
    axis, sizes = site.params["axis"], site.operands[0]
    arrays, axes = site.lengths.aligned(values, sizes)
    arrays = [lax.expand_dims(array, (axis,)) for array in arrays]
    new = (site.results[0][axis],)
    return Padded(lax.concatenate(arrays, axis), (*axes[:axis], new, *axes[axis:]), False)


def _unstack(site, value):
    axis, sizes = site.params["axis"], site.operands[0]
    axes = tuple([each for k, each in enumerate(value.axes) if k != axis])
    count = value.array.shape[axis]
    if not sizes[axis].is_constant:
        raise NotUniform("an axis that varies taken apart")
    return [Padded(lax.index_in_dim(value.array, k, axis, keepdims=False), axes, False) for k in range(count)]


def _tile(site, value):
    axes, array = list(value.axes), value.array
    for axis, count in enumerate(map(as_size, site.params["reps"])):
        if count == ONE:
            continue
        array = _repeated(array, axis, site.lengths.padded(count), is_fixed=count.is_constant)
        if axes[axis] is not None:
            axes[axis] = normal((count, *axes[axis]))
    return Padded(array, tuple(axes), False)


def _repeated(array, axis, count, is_fixed):
    if is_fixed:
        return jnp.concatenate([array] * count, axis)
    if array.shape[axis] != 1:
        raise NotUniform("a number of copies that varies")
    return jnp.broadcast_to(array, (*array.shape[:axis], count, *array.shape[axis + 1 :]))


def _split_axis(site, value):
    axis, sizes = site.params["axis"], site.operands[0]
    value = site.lengths.prefix(value, sizes, axis)
    results, start = [], constant(0)
    for part in site.params["sizes"]:
        length = site.lengths.padded(as_size(part))
        array = _from(site.lengths, value.array, axis, start, length)
        axes = list(value.axes)
        axes[axis] = (as_size(part),)
        results.append(Padded(array, tuple(axes), False))
        start = start + as_size(part)
    return results


def _iota(site):
    axes = [None] * len(site.results[0])
    axis = site.params["dimension"]
    axes[axis] = (site.results[0][axis],)
    (result,) = site.bind()
    return Padded(result, tuple(axes), False)


def _rev(site, value):
    sizes = site.operands[0]
    for axis in site.params["dimensions"]:
        if sizes[axis].is_constant:
            value = Padded(lax.rev(value.array, (axis,)), value.axes, value.is_zero)
        else:
            value = site.lengths.prefix(value, sizes, axis)
            positions = site.lengths.exact(sizes[axis]) - 1 - np.arange(value.array.shape[axis], dtype=np.int32)
            array = jnp.take(value.array, jnp.maximum(positions, 0), axis=axis)
            value = Padded(array, value.axes, False)
    return value


RULES = {
    "broadcast_in_dim": _broadcast_in_dim,
    "transpose": _transpose,
    "squeeze": _squeeze,
    "expand_dims": _expand_dims,
    "reshape": _reshape,
    "slice": _slice,
    "pad": _pad,
    "concatenate": _concatenate,
    "split": _split_axis,
    "iota": _iota,
    "rev": _rev,
    "stack": _stack,
    "unstack": _unstack,
    "tile": _tile,
}
