"""Shape primitives: broadcasting, transposition, slices, padding, concatenation."""

import math
from typing import Any

import numpy as np


def along(vector, axis, rank):
    """Reshapes a vector to ``rank`` axes: its elements along ``axis``, length 1 along the others."""
    return np.reshape(vector, [-1 if each == axis else 1 for each in range(rank)])


def windows(x, sizes, strides, dilations):
    """Sliding-window view along the last axes of ``x``: shape (*leading axes, *numbers of windows, *sizes).

    There are none along an axis that is shorter than a window.
    """
    first = x.ndim - len(sizes)
    spans = [(size - 1) * dilation + 1 for size, dilation in zip(sizes, dilations, strict=True)]
    if any([length < span for length, span in zip(x.shape[first:], spans, strict=True)]):
        counts = [
            max((length - span) // stride + 1, 0)
            for length, span, stride in zip(x.shape[first:], spans, strides, strict=True)
        ]
        return np.empty((*x.shape[:first], *counts, *sizes), x.dtype)
    # A view: windows share their elements, and nothing is copied until they are reduced.
    axes: Any = tuple(range(first, x.ndim))
    view = np.lib.stride_tricks.sliding_window_view(x, spans, axes)
    steps = [slice(None, None, stride) for stride in strides]
    within = [slice(None, None, dilation) for dilation in dilations]
    return view[(*[slice(None)] * first, *steps, *within)]


def _broadcast(x, *_, shape, broadcast_dimensions, **__):
    sizes = [1] * len(shape)
    for axis, size in zip(broadcast_dimensions, np.shape(x), strict=True):
        sizes[axis] = size
    return np.broadcast_to(np.reshape(x, sizes), shape)


def _reshape(x, *_, new_sizes, dimensions, **__):
    return np.reshape(x if dimensions is None else np.transpose(x, dimensions), new_sizes)


def pad(x, value, *, padding_config):
    """``lax.pad``: pads ``x`` with ``value`` by ``(low, high, interior)`` along each axis; negative widths crop."""
    sizes = [
        max(low + high + size + max(size - 1, 0) * interior, 0)
        for size, (low, high, interior) in zip(x.shape, padding_config, strict=True)
    ]
    result = np.full(sizes, value, x.dtype)
    targets, sources = [], []
    for old, new, (low, _, interior) in zip(x.shape, sizes, padding_config, strict=True):
        step = interior + 1
        # A negative border cuts off, also between dilated elements: only every ``step``-th place has one.
        first = max(-(low // step), 0) if low < 0 else 0  # the first value that is not cut off
        last = min(old, (new - 1 - low) // step + 1) if new else 0
        if last <= first:
            return result
        targets.append(slice(low + first * step, low + (last - 1) * step + 1, step))
        sources.append(slice(first, last))
    result[tuple(targets)] = x[tuple(sources)]
    return result


def _iota(*, dtype, shape, dimension, **_):
    return np.broadcast_to(along(np.arange(shape[dimension]).astype(dtype), dimension, len(shape)), shape)


def _concatenate(*operands, dimension):
    return np.concatenate(operands, dimension)


def _split(x, *, sizes, axis):
    return np.split(x, np.cumsum(sizes)[:-1], axis)


def _window(shape, starts, widths):
    """Slices of a window of ``widths`` at ``starts``, clamped to lie inside."""
    # XLA moves a window that would lie outside; NumPy would cut it short.
    firsts = [min(max(int(start), 0), size - width) for size, start, width in zip(shape, starts, widths, strict=True)]
    return tuple([slice(first, first + width) for first, width in zip(firsts, widths, strict=True)])


def _dynamic_slice(x, *starts, slice_sizes):
    return x[_window(x.shape, starts, slice_sizes)]


def _dynamic_update_slice(x, update, *starts):
    result = np.array(x)
    result[_window(x.shape, starts, update.shape)] = update
    return result


PLAIN = {"dynamic_update_slice": _dynamic_update_slice}
RULES = {
    "broadcast_in_dim": _broadcast,
    "concatenate": _concatenate,
    "dynamic_slice": _dynamic_slice,
    "iota": _iota,
    "pad": pad,
    "reshape": _reshape,
    "split": _split,
    "stack": lambda *operands, axis: np.stack(operands, axis),
    "tile": lambda x, *, reps: np.tile(x, reps),
    "unstack": lambda x, *, axis: [np.take(x, index, axis) for index in range(x.shape[axis])],
}


def _has_dynamic_sizes(count):
    return lambda equation: len(equation.invars) > count


REFUSED = {"broadcast_in_dim": _has_dynamic_sizes(1), "iota": _has_dynamic_sizes(0), "reshape": _has_dynamic_sizes(1)}
# Views, which copy nothing: the transpose of a vocabulary's embeddings is not a large operation.
_VIEWS = ("broadcast_in_dim", "expand_dims", "reshape", "rev", "slice", "squeeze", "transpose")
_LARGE = 1 << 16  # elements of a view that is repeated or reversed, from which on its copy counts, which follows mostly


def _copying_seconds(equation):
    before, after = [math.prod(each.aval.shape) for each in (equation.invars[0], equation.outvars[0])]
    is_view = after < _LARGE or before == after and equation.primitive.name != "rev"
    return 0.0 if is_view else 0.5e-9 * after


SECONDS = dict.fromkeys(_VIEWS, lambda equation: 0.0) | dict.fromkeys(("broadcast_in_dim", "rev"), _copying_seconds)
