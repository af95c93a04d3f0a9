"""Repeated calls of msgrad's own code in PYNATIVE_MODE, which run by a Plan, as staged calls do, without their Python.

PYNATIVE_MODE records each call, since a user's Python may act otherwise each time. But an optimizer's step is msgrad's:
it reads arguments, Parameters and attributes. The first calls are recorded. The Plan then launches what they have
compiled, and keeps the list of the handles that get the results.
"""

import math

from .. import foreign_tracing, observation
from ..execution.tiers import Tiers
from ..handle import scope
from ..recording.sharding import Active
from . import staging

_LEAST_CALLS = 3  # that are recorded before one runs by a Plan: most have run by NumPy until then, or are compiled


class Repeats(staging.Memo):
    """The Plans of one function; ``calls`` are those that were recorded so far."""

    __slots__ = ("calls",)

    def __init__(self):
        super().__init__()
        self.calls = 0

    def __deepcopy__(self, memo):
        return Repeats()

    def __reduce__(self):
        return Repeats, ()


def is_possible():
    """Whether a call made now may run by a Plan: it is an outermost one in PYNATIVE_MODE, with nothing around it."""
    is_bare = scope.trace is None and scope.casting is None and scope.lowering is None and Active.partition is None
    is_pynative = not staging.Policy.staged and Tiers.compiles
    # What a tool observes is each operation; the user's own transforms need a recording, whose values they trace.
    return is_bare and is_pynative and observation.observer is None and not foreign_tracing.is_under_way()


def call(fn, args, kwargs, site, repeats):
    """Calls ``fn`` as `staging.call` does in PYNATIVE_MODE; one that was made a few times runs by a Plan.

    Args:
        fn, args, kwargs, site: as there; ``fn`` reads nothing that `reads` does not follow, and writes to none of its
            arguments.
        repeats (Repeats): where its Plans are kept.
    """
    if repeats.calls < _LEAST_CALLS:
        repeats.calls += 1
        return staging.call(fn, args, kwargs, site, repeats)
    key, tensors, plan = staging.looked_up(args, kwargs, repeats)
    if plan is None:
        plan, result = staging.recorded(fn, key, tensors, site, repeats, is_repeated=True)
        if plan is None:  # it reads values of Tensors, and does so each time
            repeats.calls = -math.inf
            return result
        staging.keep(repeats, key, plan)
    return plan(tensors)
