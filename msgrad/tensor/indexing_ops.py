"""Reading and writing at an index, as pure operations on arrays. `indexing` defines which indices are accepted.

A *basic* index is a template with an entry per axis of the result or of the array: ``None``, a new axis; ``(start,
None, 1)``, one index, whose axis is removed; ``(start, count, step)``, ``count`` indices from ``start`` on. A start
that is `AT` is an operand, so that a loop over indices outside a recording compiles one program instead of one for
each.

An *advanced* index is a template of ints, slices (as triples), None and bools, with `AT` for each operand, an integer
array.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..engine.recording.program import Op
from .c_casts import convert

AT = "at"

_MSG_PLACE = "For 'setitem', the value must broadcast to the indexed part: its shape is {}, that of the part {}."


class IndexOp(Op):
    """An operation whose only static argument is the template of an index."""

    __slots__ = ("body",)

    def __init__(self, name, body):
        super().__init__(name)
        self.body = body

    def bind(self, static):
        return lambda *operands: self.body(static, *operands)


def _corner(template, operands):
    """Per axis of the array: the lowest index, the count, the stride; and the axes with negative steps."""
    operands = iter(operands)
    starts, counts, strides, backwards = [], [], [], []
    for start, count, step in (entry for entry in template if entry is not None):
        start = next(operands) if start is AT else start
        count = 1 if count is None else count
        if step < 0:
            backwards.append(len(starts))
            start = start + max(count - 1, 0) * step
        starts.append(start if count else 0)
        counts.append(count)
        strides.append(abs(step))
    return starts, counts, strides, backwards


def result_shape(template):
    """The shape selected by a basic index."""
    return tuple([1 if entry is None else entry[1] for entry in template if entry is None or entry[1] is not None])


def _is_static(starts):
    return all(isinstance(start, int) for start in starts)


def _read(template, x, *operands):
    starts, counts, strides, backwards = _corner(template, operands)
    spans = [max(count - 1, 0) * stride + bool(count) for count, stride in zip(counts, strides, strict=True)]
    if _is_static(starts):
        x = lax.slice(x, starts, [start + span for start, span in zip(starts, spans, strict=True)], strides)
    else:
        x = lax.slice(lax.dynamic_slice(x, starts, spans), [0] * x.ndim, spans, strides)
    return lax.reshape(lax.rev(x, backwards), result_shape(template))


def _write(template, x, value, *operands):
    starts, counts, strides, backwards = _corner(template, operands)
    value = lax.rev(fit(value, result_shape(template), x.dtype).reshape(counts), backwards)
    if any(stride > 1 for stride in strides):
        spans = [max(count - 1, 0) * stride + bool(count) for count, stride in zip(counts, strides, strict=True)]
        block = lax.dynamic_slice(x, starts, spans)
        value = block.at[tuple([slice(None, None, stride) for stride in strides])].set(value)
    return lax.dynamic_update_slice(x, value, starts)


def _place(template, operands):
    """The index for JAX, and the axes of length 1 to add first, from which a bool selects all or nothing."""
    operands = iter(operands)
    position, added, axis = [], [], 0
    for part in template:
        if isinstance(part, bool):
            added.append(axis)
            part = jnp.zeros(int(part), np.int64)
        elif part is AT:
            part = next(operands)
        elif type(part) is tuple:
            part = slice(*part)
        position.append(part)
        axis += part is not None
    return tuple(position), added


# A recorded index cannot be checked: out of range it reads NaN (ints: the smallest value) and writes nothing.
def _read_at(template, x, *operands):
    position, added = _place(template, operands)
    return jnp.expand_dims(x, added).at[position].get(mode="fill")


def _write_at(template, x, value, *operands):
    position, added = _place(template, operands)
    spread = jnp.expand_dims(x, added)
    shape = jax.eval_shape(lambda spread: spread[position], spread).shape
    return spread.at[position].set(fit(value, shape, x.dtype), mode="drop").reshape(x.shape)


def _write_where(_, x, value, mask):
    rest = x.shape[mask.ndim :]
    return jnp.where(mask.reshape(mask.shape + (1,) * len(rest)), fit(value, rest, x.dtype), x)


def fit(value, shape, dtype):
    """``value`` in ``dtype``, broadcast to ``shape``.

    Raises:
        ValueError: as MindSpore does, if it does not broadcast.
    """
    value = convert(value, dtype)
    if not _fits(value.shape, shape):
        raise ValueError(_MSG_PLACE.format(value.shape, shape))
    return jnp.broadcast_to(value, shape) if shape else value.reshape(())


def _fits(have, shape):
    """Whether a value of shape ``have`` broadcasts to ``shape``; to one element also a value of shape ``(1,)``."""
    if not shape:
        return have in ((), (1,))
    pairs = zip(reversed(have), reversed(shape), strict=False)
    return len(have) <= len(shape) and all(length in (1, want) for length, want in pairs)


class _Basic(IndexOp):
    """Reading or writing at a basic index, which NumPy knows as well.

    ``moving`` takes NumPy's index, the shape of the part, and the operands' ``(shape, dtype)``; it gives `by_numpy`.
    """

    __slots__ = ("moving",)

    def __init__(self, name, body, moving):
        super().__init__(name, body)
        self.moving = moving

    def by_numpy(self, static, avals):
        if AT in [entry[0] for entry in static if entry is not None]:
            return None
        index = []
        for entry in static:
            if entry is not None and entry[1] is not None:
                start, count, step = entry
                stop = start + count * step
                entry = slice(start, stop if stop >= 0 else None, step) if count else slice(0, 0)
            elif entry is not None:
                entry = entry[0]
            index.append(entry)
        return self.moving(tuple(index), result_shape(static), *avals)


class _Advanced(_Basic):
    """Reading or writing at an advanced index: `indexing` has checked the arrays that the host has."""

    __slots__ = ()

    def by_numpy(self, static, avals):
        if bool in map(type, static):
            return NotImplemented
        index = tuple([slice(*part) if type(part) is tuple else part for part in static])
        count = static.count(AT)
        first = [np.zeros(shape, np.intp) for shape, _ in avals[len(avals) - count :]]
        try:
            shape = np.broadcast_to(np.empty(()), avals[0][0])[_filled(index, first)].shape
        except IndexError:  # nothing along an axis
            return NotImplemented
        return self.moving(index, shape, *avals) or NotImplemented


def _filled(index, arrays):
    """``index`` with ``arrays`` in place of `AT`."""
    arrays = iter(arrays)
    return tuple([next(arrays) if part is AT else part for part in index])


def _reading(index, shape, x):
    return lambda values: values[0][index], (shape, x[1])


def _reading_at(index, shape, x, *arrays):
    axis, whole = index.index(AT), [slice(0, length, 1) for length in x[0]]
    if index == (*whole[:axis], AT, *whole[axis + 1 :]):
        return lambda values: values[0].take(values[1], axis), (shape, x[1])  # in a quarter of the time
    return lambda values: values[0][_filled(index, values[1:])], (shape, x[1])


def _writing(index, shape, x, value, *arrays):
    """None where `fit` casts the value, or refuses it."""
    if value[1] != x[1] or not _fits(value[0], shape):
        return None

    def write(values):
        result, value = values[0].copy(), values[1]
        result[_filled(index, values[2:]) if arrays else index] = value if shape else value.reshape(())
        return result

    return write, x


READ = _Basic("getitem", _read, _reading)
WRITE = _Basic("setitem", _write, _writing)
READ_AT = _Advanced("getitem_at", _read_at, _reading_at)
WRITE_AT = _Advanced("setitem_at", _write_at, _writing)
WRITE_WHERE = IndexOp("setitem_where", _write_where)
