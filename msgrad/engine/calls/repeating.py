"""Repeated calls of msgrad's own code in PYNATIVE_MODE, which run by a Plan, as staged calls do, without their Python.

PYNATIVE_MODE records each call, since a user's Python may act otherwise each time. But an optimizer's step is msgrad's:
it reads arguments, Parameters and attributes. The first calls are recorded. The Plan then launches what they have
compiled, and keeps the list of the handles that get the results.
"""

import math
import operator
from typing import Any

from ... import _upcalls
from .. import foreign_tracing, observation
from ..execution.tiers import Tiers
from ..handle import scope
from ..precision import Chosen, current
from ..recording import sharding
from . import staging
from .plan import jax_aval_of

_LEAST_CALLS = 3  # that are recorded before one runs by a Plan
_MOST_PLANS, _LEAST_USES = 16, 4  # once so many Plans were made, they must have served so often each


class Repeats(staging.Memo):
    """The Plans of one function.

    Attributes:
        calls, made, used (int): how many calls were recorded, and how many Plans were made and run.
        state: what `call` was given last.
        latest (tuple): what `_alike` said of the last call that ran by a Plan, and this Plan; None before.
    """

    __slots__ = ("calls", "made", "used", "state", "latest")

    def __init__(self):
        super().__init__()
        self.calls = self.made = self.used = 0
        self.state = None
        self.latest: tuple[Any, Any] | None = None


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
        repeats.plans, repeats.state, repeats.latest = {}, state, None
    # Thousands of gradients take as long to find a Plan by their shapes as to be applied.
    alike = _alike(args, kwargs)
    if alike is not None and repeats.latest is not None:
        latest, plan = repeats.latest
        if alike == latest and plan.is_for(args[0]) and plan.fits():
            repeats.used += 1
            return plan(args[0])
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
    repeats.latest = alike, plan
    return plan(tensors)


_source_of, _NO_SOURCE = operator.attrgetter("_source"), {None}


def _alike(args, kwargs):
    """Equal for calls that the same Plan runs; None where their argument is more than a tuple of plain Tensors."""
    if len(args) != 1 or kwargs or type(args[0]) is not tuple:
        return None
    (gradients,) = args
    if set(map(type, gradients)) != {_upcalls.Result} or not _NO_SOURCE.issuperset(map(_source_of, gradients)):
        return None
    # Compared by identity first: an executable gives all results of an output the same aval of JAX's.
    return staging.Policy.epoch, Chosen.always or current(), [*map(jax_aval_of, gradients)]
