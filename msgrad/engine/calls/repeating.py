"""Repeated calls of msgrad's own code in PYNATIVE_MODE, which run by a Plan, as staged calls do, without their Python.

PYNATIVE_MODE records each call, since a user's Python may act otherwise each time. But an optimizer's step is msgrad's:
it reads arguments, Parameters and attributes. The first calls are recorded. The Plan then launches what they have
compiled, and keeps the list of the handles that get the results.
"""

import math

from .. import foreign_tracing, observation
from ..execution.tiers import Tiers
from ..handle import scope
from ..recording import sharding
from . import staging

_LEAST_CALLS = 3  # that are recorded before one runs by a Plan
_MOST_PLANS, _LEAST_USES = 16, 4  # once so many Plans were made, they must have served so often each


class Repeats(staging.Memo):
    """The Plans of one function.

    Attributes:
        calls, made, used (int): how many calls were recorded, and how many Plans were made and run.
        state: what `call` was given last.
    """

    __slots__ = ("calls", "made", "used", "state")

    def __init__(self):
        super().__init__()
        self.calls = self.made = self.used = 0
        self.state = None


def is_possible():
    """Whether a call made now may run by a Plan: it is an outermost one in PYNATIVE_MODE, with nothing around it."""
    is_bare = scope.trace is None and scope.casting is None and scope.lowering is None
    is_pynative = not staging.Policy.staged and Tiers.compiles
    is_whole = sharding.Active.partition is None and not sharding.waiting
    # A tool observes each operation, and the user's own transforms trace values.
    return is_bare and is_pynative and is_whole and observation.observer is None and not foreign_tracing.is_under_way()


def call(fn, args, kwargs, site, repeats, state):
    """Calls ``fn`` as `staging.call` does in PYNATIVE_MODE; one that was made a few times runs by a Plan.

    Args:
        fn, args, kwargs, site: as there; ``fn`` writes to none of its arguments.
        repeats (Repeats): where its Plans are kept.
        state (hashable): equal as long as nothing else that ``fn`` reads has changed, besides values of Parameters.
    """
    if repeats.calls < _LEAST_CALLS:
        repeats.calls += 1
        return staging.call(fn, args, kwargs, site, repeats)
    if repeats.state != state:
        repeats.plans, repeats.state = {}, state
    key, tensors, plan = staging.looked_up(args, kwargs, repeats)
    if plan is None or not plan.fits():
        plan, result = staging.recorded(fn, key, tensors, site, repeats, is_repeated=True)
        repeats.made += 1
        # It reads values of Tensors each time, or something of ``state`` changes nearly each time.
        if plan is None or repeats.made > max(_MOST_PLANS, repeats.used / _LEAST_USES):
            repeats.calls = -math.inf
        if plan is None:
            return result
        staging.keep(repeats, key, plan)
    repeats.used += 1
    return plan(tensors)
