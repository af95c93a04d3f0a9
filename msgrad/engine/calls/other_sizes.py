"""Calls whose arguments have dynamic axes: recorded at further sizes of these at once, so that all share one program.

Without a declaration three sizes must come first (`families`). A further recording gets zeros for arguments; nothing
of it is launched. Its sizes are made up, so the user must see nothing of it: only a call is recorded again that had no
side effects, wrote no log and drew no random numbers on the host, and only as far as it runs the same lines of the
user's code. A program of such sizes serves a call only where that call's own recording agrees with it.
"""

import contextlib
import itertools

import numpy as np

from .. import host
from ..execution import padded
from ..execution.splitting import LARGEST_EXACT
from ..handle import scope
from ..lengths.sizes import MOST_SYMBOLS
from ..random import Generator
from ..recording.results import wrap
from .plan import has_identity
from .same_lines import Lines, Strayed

# From the size that came to one that is recorded in its place. Neighbours, so that no multiple is taken for the rule;
# then those of a call that takes even sizes, or multiples of 8.
_STEPS = (1, 2, 3, 4, 8, 16), range(17, 257)
_MOST_FAILED = 8  # recordings, at sizes that the call does not take


def recorded(axes, key, tensors, record):
    """Records a call, and once more at other sizes of its dynamic axes if these tell more about its program.

    Args:
        axes (list of tuple): the dynamic axes: each the Tensor, the axis, and whether it may have a length, a function.
        key (tuple): of the call; the signatures of its Tensors come last.
        tensors (list): its Tensors.
        record (function): of a key, Tensors and whether effects are published; gives what `staging.recorded` does.
    """
    lines = Lines()
    with lines.noted() if axes and padded.is_allowed() else contextlib.nullcontext():
        plan, result = record(key, tensors, True)
    if plan is not None and lines.are_known:
        _record_others(axes, key, tensors, plan, lambda *call: record(*call, False), lines)
    return plan, result


def _record_others(axes, key, tensors, plan, record, lines):
    member, groups = plan.member(), _groups(axes)
    if member is None or not 0 < len(groups) <= MOST_SYMBOLS or not _is_unknown(member):
        return
    positions = {id(tensor): k for k, tensor in enumerate(tensors)}
    failed, needed = 0, 2 ** len(groups)  # with the recording of the call: one for each monomial, and one as a proof
    member.relatives.is_declared = True
    keys, scope.keys = scope.keys, Generator()  # none is drawn from the user's
    try:
        for sizes in _sizes(groups, needed + _MOST_FAILED):
            shapes = [list(tensor.aval[0]) for tensor in tensors]
            for size, group in zip(sizes, groups, strict=True):
                for tensor, axis, _ in group:
                    shapes[positions[id(tensor)]][axis] = size
            others = list(map(_of_shape, tensors, shapes))
            signatures = key[len(key) - len(tensors) :]
            pairs = zip(others, tensors, signatures, strict=True)
            same = [signature if each is tensor else each.aval for each, tensor, signature in pairs]
            try:
                with lines.only():
                    other, _ = record((*key[: len(key) - len(tensors)], *same), others)
                if other is None:  # it has side effects there
                    return
                found = other.member()
                is_alike = found is not None and found.is_akin_to(member)
            except (Exception, Strayed):  # of the call, which does not take such sizes
                is_alike = False
            needed, failed = needed - is_alike, failed + (not is_alike)
            if not needed or failed > _MOST_FAILED:
                return
    finally:
        scope.keys = keys


def _is_unknown(member):
    """Whether nothing tells yet how its numbers follow from its sizes, and nothing tells that they do not."""
    return member.symbols() is None and member.relatives.refusal is None and not member.has_relatives()


def _groups(axes):
    """The axes that vary, those of one length together: lists of the items of ``axes``.

    Of a Tensor of any shape all axes are dynamic: the large ones alone, if there are any.
    """
    groups = {}
    for tensor, axis, allows in axes:
        if tensor.aval[0][axis] > 1 and not has_identity(tensor):
            groups.setdefault(tensor.aval[0][axis], []).append((tensor, axis, allows))
    large = [group for length, group in groups.items() if length > LARGEST_EXACT]
    return large or list(groups.values())


def _sizes(groups, most):
    """Other sizes for all groups: tuples, each of which tells something new."""
    columns = [[group[0][0].aval[0][group[0][1]], *itertools.islice(_others(group), most)] for group in groups]
    if len(columns) == 1:
        return [(size,) for size in columns[0][1:]]
    # Each by itself, both, and then both for the proof.
    least = min(map(len, columns))
    steps = [(1, 0), (0, 1), *[(k, k) for k in range(1, least)]]
    return [tuple([column[k] for column, k in zip(columns, each, strict=True)]) for each in steps if max(each) < least]


def _others(group):
    """Lengths that an axis may have instead, the likeliest first: smaller ones, but more than 1."""
    tensor, axis, _ = group[0]
    length = tensor.aval[0][axis]
    sizes = [length + sign * step for steps in _STEPS for sign in (-1, 1) for step in steps]
    for size in sizes:
        if size > 1 and all([allows(size) for *_, allows in group]):
            yield size


def _of_shape(tensor, shape):
    """The Tensor, or zeros of this shape and its dtype."""
    if tuple(shape) == tensor.aval[0]:
        return tensor
    return wrap(host.to_device(np.zeros(shape, tensor.aval[1])))


class Changed:
    """The dynamic axes of a function without a declaration: those that differ from the call before (``dynamic=1``)."""

    def __init__(self):
        self._latest = {}

    def dynamic_axes(self, args, kwargs, tensors):
        """The axes of the ``tensors`` in a call's arguments as `recorded` takes them."""
        ranks = tuple([len(tensor.aval[0]) for tensor in tensors])
        shapes = [tensor.aval[0] for tensor in tensors]
        latest, self._latest[ranks] = self._latest.get(ranks, shapes), shapes
        return [
            (tensor, axis, lambda length: True)
            for tensor, old in zip(tensors, latest, strict=True)
            for axis, length in enumerate(old)
            if tensor.aval[0][axis] != length
        ]
