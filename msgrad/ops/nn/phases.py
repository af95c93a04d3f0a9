"""Which elements of a kernel reach which phase of its input, where it has strides."""

import itertools

import jax.numpy as jnp
from jax import lax


def reach(shape, counts, sizes, strides, pads, dilation):
    """What a gradient by the input needs to know of its phases: the elements with one remainder of the strides.

    Args:
        shape (tuple): of the input, with channels in axis 1.
        counts, sizes (sequence): lengths of the result and of a kernel.
        strides, pads, dilation (sequence): of the convolution.
    Returns:
        list: the lengths of a phase.
        list: for each axis and phase of it the elements of a kernel that reach it, each with the position in the
            result, once padded, of the first element of the phase.
        list: for each axis the zeros before and after the result that slices of it meet.
    """
    lengths = shape[2:]
    totals = [-(-length // stride) for length, stride in zip(lengths, strides, strict=True)]
    shifts = [_shifts(*axis) for axis in zip(sizes, strides, pads, dilation, strict=True)]
    reached = [[shift for phase in axis for _, shift in phase] for axis in shifts]
    before = [max(0, -min(axis)) for axis in reached]
    after = [max(0, max(axis) + n - count) for axis, n, count in zip(reached, totals, counts, strict=True)]
    axes = zip(shifts, before, strict=True)
    starts = [[[(tap, low + shift) for tap, shift in phase] for phase in axis] for axis, low in axes]
    return totals, starts, list(zip(before, after, strict=True))


def _shifts(size, stride, pad, step):
    """For each phase of an axis the elements of the kernel that reach it, and at which distance in the result."""
    reached = [[(tap, divmod(phase + pad[0] - tap * step, stride)) for tap in range(size)] for phase in range(stride)]
    return [[(tap, shift) for tap, (shift, rest) in phase if rest == 0] for phase in reached]


def taps_of(axes):
    """For each phase of all axes the elements of a kernel that reach it, each with where its slice begins."""
    for phases in itertools.product(*axes):
        yield [tuple(zip(*pairs, strict=True)) for pairs in itertools.product(*phases)]


def joined(phases, strides, shape):
    """The array of ``shape``, with channels in axis 1, that has these phases."""
    if len(phases) == 1:
        return phases[0]
    rank = len(strides)
    x = jnp.stack(phases).reshape(*strides, *phases[0].shape)
    x = x.transpose(rank, rank + 1, *[each for axis in range(rank) for each in (rank + 2 + axis, axis)])
    x = x.reshape(*shape[:2], *[n * stride for n, stride in zip(phases[0].shape[2:], strides, strict=True)])
    return lax.slice(x, [0] * x.ndim, shape)
