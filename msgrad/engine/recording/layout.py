"""Strided layouts: offset, shape and strides of a view in the storage that it shares.

A view of a view has a layout in the same storage, so no chain of views is ever kept. What an operation that only moves
elements does to strides is read from its jaxpr. Where strides cannot say it, MindSpore copies, and so do we.
"""

import functools
from typing import Any, NamedTuple

import jax
import numpy as np

from ..execution import stored
from ..execution.op_traces import trace_of
from ..jax_options import Tracing
from ..precision import current


class StridedLayout(NamedTuple):
    """Element ``(i, j, ...)`` lies at ``offset + i * strides[0] + j * strides[1] + ...``; no stride is negative."""

    shape: tuple
    strides: tuple
    offset: int

    @property
    def end(self):
        """One more than the largest offset of an element; ``offset`` is the smallest."""
        if 0 in self.shape:
            return self.offset
        return self.offset + 1 + sum([(n - 1) * stride for n, stride in zip(self.shape, self.strides, strict=True)])

    def repeats(self):
        """Whether two elements may have the same offset, as those of ``broadcast_to`` do."""
        reach = 0
        for stride, n in sorted(zip(self.strides, self.shape, strict=True)):
            if n > 1:
                # Axes from the smallest stride up: each must step beyond all that the ones before it reach.
                if stride <= reach:
                    return True
                reach += (n - 1) * stride
        return False

    def order(self):
        """The order of the axes in which the elements lie in sequence, or None if there is no such order."""
        order = tuple(sorted(range(len(self.shape)), key=lambda axis: -self.strides[axis]))
        shape, strides = [self.shape[axis] for axis in order], [self.strides[axis] for axis in order]
        return order if _are_dense(shape, strides) else None

    def is_compact(self):
        """Whether the elements lie in sequence in the order of the axes."""
        return _are_dense(self.shape, self.strides)


def _are_dense(shape, strides):
    step = 1
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1 and stride != step:
            return False
        step *= n
    return True


@functools.lru_cache(4096)
def whole(shape):
    """The layout of a Tensor of this shape in a storage of its own."""
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= n
    return StridedLayout(shape, tuple(reversed(strides)), 0)


@functools.lru_cache(8192)
def cut(layout, template):
    """The layout of a slice, from the template of a basic index (`tensor.indexing_ops`); None for negative steps."""
    shape, strides, offset, axis = [], [], layout.offset, 0
    for entry in template:
        if entry is None:
            shape.append(1)
            strides.append(0)
            continue
        start, count, step = entry
        if step < 0:
            return None
        offset += start * layout.strides[axis]
        if count is not None:
            shape.append(count)
            strides.append(step * layout.strides[axis])
        axis += 1
    return StridedLayout(tuple(shape), tuple(strides), offset)


_MOST_PARTS = 4096  # that are remembered
_parts = {}  # by the ids of a layout and of a template, with these, so that ids stay unique


def part_of(layout, template):
    """As `cut`, by identity: to hash its arguments takes 0.4 us, and both are the same objects each time."""
    entry = _parts.get((id(layout), id(template)))
    if entry is None:
        if len(_parts) >= _MOST_PARTS:
            _parts.clear()
        entry = _parts[id(layout), id(template)] = cut(layout, template), layout, template
    return entry[0]


@functools.lru_cache(8192)
def recast(layout, size, other):
    """The layout when elements of ``size`` bytes are reinterpreted as elements of ``other`` bytes; None for a copy."""
    shape, strides, offset = layout
    if size == other:
        return layout
    if not shape or strides[-1] != 1:
        return None
    if size > other:
        k = size // other
        return StridedLayout((*shape[:-1], shape[-1] * k), (*[stride * k for stride in strides[:-1]], 1), offset * k)
    k = other // size
    # Every element must begin where one of the wider elements does.
    if any(n % k for n in (shape[-1], *strides[:-1], offset)):
        return None
    return StridedLayout((*shape[:-1], shape[-1] // k), (*[stride // k for stride in strides[:-1]], 1), offset // k)


@functools.lru_cache(8192)
def moved(layout, op, static, dtype, output):
    """The layout of the result of a shape operation on a view; None if the result is a copy.

    It is kept in memory and on disk, since a trace takes 1 ms; not on disk where traces at other sizes tell it.

    Args:
        layout (StridedLayout): of the operand.
        op (Op): an operation of one operand that only moves elements.
        static (hashable): its static part.
        dtype (np.dtype): of the operand; the layout does not depend on it, but it finds the trace of the launch.
        output (int): the position of the result that is meant; None if the operation has only one.
    """
    trace = trace_of(op, static, ((layout.shape, dtype),), current())
    name = None if trace.resized is not None else stored.name_of("layout", op, static, tuple(layout), output)
    entry = stored.load(name)
    if entry is None:
        entry = (_moved(layout, trace, op.bind(static), output),)
        if name is not None:
            stored.save(name, entry)
    return entry[0]


def _moved(layout, trace, body, output):
    try:
        return _run(trace.trace()[0].jaxpr, [layout])[output or 0]
    except _NoStridesError:
        return None
    except _UnknownError:
        return _probed(layout, lambda array: body(array) if output is None else body(array)[output])


class _NoStridesError(Exception):
    """Raised when the result has no strided layout."""


class _UnknownError(Exception):
    """Raised when the result's layout depends on values."""


def _run(jaxpr, layouts):
    env = dict(zip(jaxpr.invars, layouts, strict=True))
    for equation in jaxpr.eqns:
        inner = equation.params.get("jaxpr")
        rule: Any = _RULES.get(equation.primitive.name)
        # A literal in a primitive that only moves elements is a fill value, or an index: no layout says what it does.
        if inner is None and rule is None or any(hasattr(atom, "val") for atom in equation.invars):
            raise _UnknownError
        operands = [env[variable] for variable in equation.invars]
        results = rule(*operands, equation.params) if inner is None else _run(inner.jaxpr, operands)
        env.update(zip(equation.outvars, results, strict=True))
    return [env[variable] for variable in jaxpr.outvars]


def _transpose(layout, params):
    order = params["permutation"]
    return [
        StridedLayout(tuple([layout.shape[k] for k in order]), tuple([layout.strides[k] for k in order]), layout.offset)
    ]


def _squeeze(layout, params):
    axes = [k for k in range(len(layout.shape)) if k not in params["dimensions"]]
    return [
        StridedLayout(tuple([layout.shape[k] for k in axes]), tuple([layout.strides[k] for k in axes]), layout.offset)
    ]


def _broadcast(layout, params):
    shape = params["shape"]
    strides = [0] * len(shape)
    for k, axis in enumerate(params["broadcast_dimensions"]):
        strides[axis] = layout.strides[k] if layout.shape[k] == shape[axis] else 0
    return [StridedLayout(shape, tuple(strides), layout.offset)]


def _slice(layout, params):
    starts, stops = params["start_indices"], params["limit_indices"]
    steps = params["strides"] or (1,) * len(starts)
    template = [(a, max(0, -(-(b - a) // step)), step) for a, b, step in zip(starts, stops, steps, strict=True)]
    return [cut(layout, tuple(template))]


def _reshape(layout, params):
    """Merges adjacent axes that are contiguous with each other, and splits each merged axis into new ones."""
    shape = params["new_sizes"]
    if 0 in shape:
        return [whole(shape)]
    axes = [(n, stride) for n, stride in zip(layout.shape, layout.strides, strict=True) if n != 1]
    strides, open_axes = [0] * len(shape), len(shape)
    step = length = 1
    for k, (n, stride) in reversed(list(enumerate(axes))):
        step, length = (stride, n) if length == 1 else (step, length * n)
        if k and axes[k - 1][1] == step * length:
            continue  # the axis before belongs to the stretch
        cut_off = 1
        while open_axes and cut_off < length:
            open_axes -= 1
            strides[open_axes] = step * cut_off
            cut_off *= shape[open_axes]
        if cut_off != length:
            raise _NoStridesError
        length = 1
    return [StridedLayout(shape, tuple(strides), layout.offset)]


_RULES = {
    "transpose": _transpose,
    "squeeze": _squeeze,
    "broadcast_in_dim": _broadcast,
    "slice": _slice,
    "reshape": _reshape,
}


def _probed(layout, body):
    """The layout of ``body``'s result, found by running it on an array in which each element is its own offset."""
    offsets = np.full(layout.shape, layout.offset)
    for axis, stride in enumerate(layout.strides):
        offsets += (stride * np.arange(layout.shape[axis])).reshape((-1,) + (1,) * (len(layout.shape) - axis - 1))
    # With values also where the user's `jax.jit` is tracing, under which it would give tracers.
    with Tracing(), jax.ensure_compile_time_eval():
        offsets = np.asarray(body(offsets))
    if not offsets.size:
        return whole(offsets.shape)
    # The strides are read off the first steps along each axis; then all elements must agree with them.
    strides = [int(np.diff(offsets, axis=axis).flat[0]) if n > 1 else 0 for axis, n in enumerate(offsets.shape)]
    expected = offsets.flat[0]
    for stride, grid in zip(strides, np.indices(offsets.shape, sparse=True), strict=True):
        expected = expected + stride * grid
    if min(strides, default=0) < 0 or not np.array_equal(np.broadcast_to(expected, offsets.shape), offsets):
        return None
    return StridedLayout(offsets.shape, tuple(strides), int(offsets.flat[0]))
