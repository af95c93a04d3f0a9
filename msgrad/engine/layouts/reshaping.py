"""Axes that are moved, merged, split, added or left out, without a copy where the order allows it."""

import jax.numpy as jnp
from jax import lax

from .stored import Repeated, Stored, inserted, is_moved, size, without


def _transposed(equation, values):
    (value,), permutation = values, equation.params["permutation"]
    if type(value) is Repeated:
        axes = [permutation.index(axis) for axis in value.axes]
        return [Repeated(value.array, axes, [value.shape[axis] for axis in permutation])]
    return [Stored(value.to(value.order), tuple([permutation.index(axis) for axis in value.order]))]


def _repeated(equation, values):
    value, axes, shape = values[0], equation.params["broadcast_dimensions"], equation.params["shape"]
    if len(values) > 1:  # lengths that are known at run time
        return None
    array = jnp.asarray(value.to(value.order), equation.invars[0].aval.dtype)
    added = [axis for axis in range(len(shape)) if axis not in axes]
    axes = [axes[axis] for axis in value.order]
    if all([shape[axis] == 1 for axis in added]) and [shape[axis] for axis in axes] == list(array.shape):
        order = inserted(axes, added)
        return [Stored(lax.reshape(array, [shape[axis] for axis in order]), order)]
    return [Repeated(array, axes, shape)]


def _squeezed(equation, values):
    (value,), axes = values, equation.params["dimensions"]
    array = lax.squeeze(value.to(value.order), [value.order.index(axis) for axis in axes])
    return [Stored(array, without(value.order, axes))]


def _reshaped(equation, values):
    """A reshape merges and splits groups of axes; those of each group are brought together, in the group's order."""
    if len(values) > 1 or equation.params.get("dimensions") is not None:
        return None
    (value,), new = values, equation.params["new_sizes"]
    if not is_moved(value) or not size(value):
        return None
    old = value.shape
    groups = _groups(old, new)
    group_of = {axis: group for group in groups for axis in group[0]}
    long = [axis for axis in value.order if old[axis] > 1]
    ordered = dict.fromkeys([group_of[axis] for axis in long])
    together = [axis for before, _ in ordered for axis in before]
    if together == long:  # no axis moves, but for those of length 1
        array = value.to(value.order)
    else:
        array = value.to((*together, *[axis for axis in value.order if old[axis] == 1]))
    after = [axis for _, after in ordered for axis in after]
    order = inserted(after, [axis for axis, length in enumerate(new) if length == 1])
    return [Stored(lax.reshape(array, [new[axis] for axis in order]), order)]


def _groups(old, new):
    """The smallest groups of axes, before and after, that hold the same elements; axes of length 1 are in none."""
    before, after = ([axis for axis, length in enumerate(lengths) if length > 1] for lengths in (old, new))
    groups = []
    while before:
        olds, news = [before.pop(0)], [after.pop(0)]
        counts = [old[olds[0]], new[news[0]]]
        while counts[0] != counts[1]:
            is_short = counts[0] < counts[1]
            axes, rest, lengths = (olds, before, old) if is_short else (news, after, new)
            axes.append(rest.pop(0))
            counts[not is_short] *= lengths[axes[-1]]
        groups.append((tuple(olds), tuple(news)))
    return groups


RULES = {"transpose": _transposed, "broadcast_in_dim": _repeated, "squeeze": _squeezed, "reshape": _reshaped}
