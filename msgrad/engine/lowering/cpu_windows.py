"""Maxima of windows, and their gradient, on a CPU: JAX's lowerings of them are slow there.

Processor milliseconds of the maxima, and of these with their gradient (JAX 0.10.2, one core with AVX2, load 5 to 9;
PyTorch 2.13 with channels last):

| | XLA | here | PyTorch |
|---|---|---|---|
| 8 x 64 x 112 x 112, 3 x 3 by 2 | 10 / 192 | 3.9 / 18 | 3.9 / 9.0 |
| 4 x 32 x 224 x 224, 2 x 2 by 2 | 9.0 / 151 | 6.6 / 16 | 3.5 / 8.1 |
| 8 x 192 x 28 x 28, 3 x 3 by 1 | 7.1 / 73 | 1.6 / 8.2 | 3.1 / 5.8 |
| 8 x 256 x 14 x 14, 5 x 5 by 1 | 7.9 / 28 | 1.6 / 3.8 | 1.7 / 2.9 |

XLA has four arrays of positions, a reduction of all five and a scatter, and compiles for 0.3 to 0.6 s; these for 0.1 to
0.4. JAX 0.12 has 4.2 / 21, 6.9 / 16 and 1.9 / 8.2 in the first three rows. Not faster: separate steps for each axis (15
to 110 ms, as XLA's loops over two elements use no vectors), a loop over the rows of windows in place of parts (124).
"""

import functools
import itertools
import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from .replacing import replace

_MOST = 64  # elements of a window, and of a step; each is a term of the program
_MOST_PARTS = 8  # of an array, in which chosen elements are found
_NONE = 255  # the number of no element


def _axis_by_axis(primitive, x, **settings):
    """Reduces windows along one axis after the other: at first along the outer ones, whose elements are whole rows."""
    none = {name: ((0, 0) if name == "padding" else 1,) * x.ndim for name in settings}
    for axis in range(x.ndim):
        along = {name: (*none[name][:axis], each[axis], *none[name][axis + 1 :]) for name, each in settings.items()}
        x = x if along == none else primitive.bind(x, **along)
    return x


def _scattered(source, x, select_prim, window_dimensions, window_strides, padding):
    """The gradient of maxima or minima of windows over the last axes: ``source``, where they are in ``x``.

    The first of equal elements gets it, or the first NaN; no padding does.
    """
    first = _first_axis(window_dimensions, window_strides, padding)
    sizes, strides, pads = window_dimensions[first:], window_strides[first:], padding[first:]
    lengths, counts, dtype = x.shape[first:], source.shape[first:], source.dtype
    planes = x.reshape(-1, *lengths)
    source = source.reshape(-1, *counts).astype(np.promote_types(dtype, np.float32))  # a sum is rounded once
    offsets = [_offsets(*each) for each in zip(sizes, strides, [low for low, _ in pads], strict=True)]
    ends = [(n - 1) * step + size for n, step, size in zip(counts, strides, sizes, strict=True)]
    are_inside = all(end <= length for end, length in zip(ends, lengths, strict=True))
    is_max = select_prim is lax.ge_p
    if are_inside and all(set().union(*axis) == {0} for axis in offsets):
        best = lax.reduce_window_max_p if is_max else lax.reduce_window_min_p
        ones = (1,) * x.ndim
        settings = {"window_dimensions": window_dimensions, "window_strides": window_strides, "padding": padding}
        best = best.bind(x, **settings, base_dilation=ones, window_dilation=ones)  # XLA merges it with the forward pass
        numbers = _equal(planes, best.reshape(source.shape), sizes, strides)
        result = _spread(source, numbers, strides, lengths)
    else:
        # A loop, since XLA would otherwise find the numbers again wherever it uses one: for 64 x 112 x 112 and windows
        # of 3 x 3 by 2 in 49 ms in place of 18.
        parts = max(each for each in range(1, _MOST_PARTS + 1) if len(planes) % each == 0)
        find = functools.partial(_best, sizes=sizes, strides=strides, pads=pads, counts=counts, is_max=is_max)
        numbers = lax.map(find, planes.reshape(parts, -1, *lengths)).reshape(source.shape)
        result = _gathered(source, numbers, sizes, offsets, lengths)
    return result.reshape(x.shape).astype(dtype)


def _first_axis(sizes, strides, padding):
    """The first axis along which windows are longer than one element, or have strides or padding."""
    axes = zip(sizes, strides, padding, strict=True)
    return next((axis for axis, each in enumerate(axes) if each != (1, 1, (0, 0))), len(sizes))


def _equal(x, best, sizes, strides):
    """For each window of ``x`` the position of its first element that is ``best``, or of the first NaN.

    Positions are counted within one step of the strides.
    """
    number = jnp.full(best.shape, _NONE, np.uint8)
    for at, value in reversed(list(_elements(x, sizes, strides, best.shape[1:]))):
        is_chosen = (value == best) | (value != value)
        number = jnp.where(is_chosen, np.ravel_multi_index(at, strides).astype(np.uint8), number)
    return number


def _best(x, sizes, strides, pads, counts, is_max):
    """For each window of ``x`` the number of its first maximum or minimum, or of the first NaN."""
    axes = zip(x.shape[1:], sizes, strides, pads, counts, strict=True)
    edges = [(low, max(0, (n - 1) * step + size - length - low), 0) for length, size, step, (low, _), n in axes]
    is_kept, bounded, sign = (lax.ge, lax.max, -1) if is_max else (lax.le, lax.min, 1)
    if any(map(any, edges)):
        bound = jnp.full_like(x, sign * float(jnp.finfo(x.dtype).max))  # of infinity, which the padding has
        x = lax.pad(bounded(x, bound), jnp.array(sign * np.inf, x.dtype), [(0, 0, 0), *edges])
    # Of bytes where they are stored apart for each stride (18 ms in place of 41, as above), of words where they are
    # not (3.8 in place of 9.3 for 256 x 14 x 14 and windows of 5 x 5).
    dtype = np.uint8 if max(strides) > 1 else np.int32
    elements = _elements(x, sizes, strides, counts)
    _, best = next(elements)
    number = jnp.zeros(best.shape, dtype)
    for at, value in elements:
        is_best = is_kept(best, value) | (best != best)
        best = jnp.where(is_best, best, value)
        number = jnp.where(is_best, number, np.ravel_multi_index(at, sizes).astype(dtype))
    return number


def _elements(x, sizes, strides, counts):
    """The position of each element of windows, and what it is in all of them."""
    for at in np.ndindex(*sizes):
        ends = [start + (n - 1) * step + 1 for start, n, step in zip(at, counts, strides, strict=True)]
        yield at, lax.slice(x, (0, *at), (len(x), *ends), (1, *strides))


def _offsets(size, stride, low):
    """For each phase of the stride along an axis its elements of windows, by how many windows further these are."""
    phases = [{} for _ in range(stride)]
    for phase, element in itertools.product(range(stride), range(size)):
        further, rest = divmod(phase + low - element, stride)
        if rest == 0:
            phases[phase][further] = element
    return phases


def _spread(source, numbers, strides, lengths):
    """The gradient where windows share no element and the first one begins at the edge: each is written as a whole."""
    rank, counts = len(strides), source.shape[1:]
    between = range(2, 2 * rank + 1, 2)
    shape = [each for pair in zip(counts, strides, strict=True) for each in pair]
    own = jnp.zeros((), np.uint8)
    for axis, stride in enumerate(strides):  # by iota: with a constant XLA's loop takes 40 ms in place of 10
        own = own * np.uint8(stride) + lax.broadcasted_iota(np.uint8, (1, *shape), 2 * axis + 2)
    result = jnp.where(jnp.expand_dims(numbers, between) == own, jnp.expand_dims(source, between), 0)
    result = result.reshape(len(source), *map(math.prod, zip(counts, strides, strict=True)))
    edges = [(0, length - n, 0) for length, n in zip(lengths, result.shape[1:], strict=True)]
    return lax.pad(result, jnp.zeros((), result.dtype), [(0, 0, 0), *edges])


def _gathered(source, numbers, sizes, offsets, lengths):
    """The gradient where windows overlap: each element adds up what those have that chose it, one phase at a time."""
    strides, counts = [len(axis) for axis in offsets], source.shape[1:]
    totals = [-(-length // stride) for length, stride in zip(lengths, strides, strict=True)]  # of a phase
    reach = [sorted(set().union(*axis)) for axis in offsets]
    before = [max(0, -axis[0]) for axis in reach]
    after = [max(0, axis[-1] + total - n) for axis, total, n in zip(reach, totals, counts, strict=True)]
    edges = [(low, high, 0) for low, high in zip(before, after, strict=True)]
    source = lax.pad(source, jnp.zeros((), source.dtype), [(0, 0, 0), *edges])
    numbers = lax.pad(numbers, jnp.array(_NONE, numbers.dtype), [(0, 0, 0), *edges])
    windows = list(itertools.product(*reach))

    def number(phase, window):
        found = [axis[at].get(further) for axis, at, further in zip(offsets, phase, window, strict=True)]
        return _NONE - 1 if None in found else np.ravel_multi_index(found, sizes)

    def total(wanted):
        terms = []
        for each, window in zip(wanted, windows, strict=True):
            starts = [low + further for low, further in zip(before, window, strict=True)]
            place = (0, *starts), (len(source), *[start + n for start, n in zip(starts, totals, strict=True)])
            terms.append(jnp.where(lax.slice(numbers, *place) == each, lax.slice(source, *place), 0))
        return sum(terms[1:], terms[0])

    table = np.array([[number(phase, each) for each in windows] for phase in np.ndindex(*strides)], numbers.dtype)
    if len(table) == 1:
        return total(table[0])
    rank, phases = len(strides), lax.map(total, jnp.asarray(table))
    result = phases.reshape(*strides, len(source), *totals)
    result = result.transpose(rank, *itertools.chain(*[(rank + 1 + axis, axis) for axis in range(rank)]))
    result = result.reshape(len(source), *map(math.prod, zip(totals, strides, strict=True)))
    return lax.slice(result, [0] * result.ndim, (len(source), *lengths))


def _is_of_few(source, x, window_dimensions, window_strides, **_):
    """Whether the gradient is computed here: of floats, by few elements."""
    is_few = max(math.prod(window_dimensions), math.prod(window_strides)) <= _MOST
    return 0 not in source.shape and is_few and jnp.issubdtype(x.dtype, jnp.floating)


def _has_several_axes(x, **settings):
    """Whether windows are longer than one element along several axes."""
    return sum(size > 1 for size in settings["window_dimensions"]) > 1


def install():
    """Lowers these for CPUs."""
    for primitive in (lax.reduce_window_max_p, lax.reduce_window_min_p):
        replace(primitive, functools.partial(_axis_by_axis, primitive), _has_several_axes)
    replace(lax.select_and_scatter_add_p, _scattered, _is_of_few)
