"""Reuse of forward passes: MindSpore runs the forward pass of ``net(x)`` and of a following ``grad(net)(x)`` once.

It does so in PYNATIVE_MODE where ``net.set_grad()`` keeps what a gradient needs, and in GRAPH_MODE always; so the
statistics of a BatchNorm move once in a training step that computes the loss before the gradient. Here the gradient
records the forward pass again, which XLA merges with the first; before, what the first wrote to handles is taken back.
"""

import collections
import weakref
from typing import Any

from ..handle import scope
from ..static import freeze


class _Pass:
    """A recorded call of ``owner``, and its effects.

    ``written`` holds handles with `Handle._recorded_` before and after the call; ``draws`` its random numbers.
    """

    written: Any
    draws: Any

    __slots__ = ("owner", "key", "tensors", "written", "draws")

    def __init__(self, owner, args, kwargs):
        tensors = []
        self.owner = owner
        self.key = freeze((args, kwargs), tensors)
        # Weakly, for the log lives as long as the recording: the arguments of calls that are over must not.
        self.tensors = [weakref.ref(tensor) for tensor in tensors]
        self.written = self.draws = ()

    def is_of(self, args, kwargs):
        """Whether the call had the very Tensors of these arguments, and equal other values."""
        tensors = []
        if freeze((args, kwargs), tensors) != self.key:
            return False
        return all([reference() is tensor for reference, tensor in zip(self.tensors, tensors, strict=True)])


def logged(owner, call, args, kwargs):
    """Calls ``call``, and logs its writes for `take_over` if the open recording is not being differentiated."""
    trace = scope.trace
    if trace.is_transformed:
        return call(*args, **kwargs)
    trace.is_asked = True  # unrecorded, the next call could not tell its passes, if it has a gradient
    recorded, before, drawn = _Pass(owner, args, kwargs), {}, len(trace.draws)
    # A call inside of this one adds its own, so that an inner Cell can be taken over without the outer.
    trace.undo_logs.append(before)
    try:
        result = call(*args, **kwargs)
    finally:
        trace.undo_logs.pop()
    recorded.written = [(handle, state, handle._recorded_()) for handle, state in before.values()]
    recorded.draws = trace.draws[drawn:]
    trace.passes.append(recorded)
    return result


def take_over(trace, owner, args, kwargs):
    """Undoes the writes of an equal call of ``owner``, so that the gradient being recorded makes them once.

    It has the random numbers of that call, too, so a Dropout of the loss has the mask of its gradient.
    In a recording that is kept for many calls they stay where ``owner`` was called twice, as in MindSpore's graphs.

    Returns:
        bool: whether there was such a call.
    """
    outer = trace.outer
    if outer is None or not outer.passes:
        return False
    calls = [each for each in outer.passes if each.owner is owner]
    matching = [each for each in calls if each.is_of(args, kwargs)]
    if not matching or outer.logs_calls and len(calls) > 1:
        return False
    # The latest of equal calls, once: a second gradient finds the one before it.
    outer.passes.remove(matching[-1])
    for handle, before, after in matching[-1].written:
        # Unless something else has been written since, which stays.
        if handle._recorded_() is after:
            handle._set_recorded_(before)
    trace.repeated = collections.deque(matching[-1].draws)
    return True
