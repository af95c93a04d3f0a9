"""Programs with collectives in the first tier: NumPy runs them, and each collective is a launch of its own.

The processes need not be in the same tier: such a launch sends what the compiled Program sends.
"""

import math

import numpy as np

from ..execution.tiers import TracedPlan
from ..host import to_device
from ..interpreter import NotCovered
from ..interpreter.table import ALWAYS, RULES, SECONDS
from ..processes.world import World
from .ordering import collective, mark_of
from .single import launch_of

_WORTH = 40  # primitives that XLA compiles in the time that it takes for the launch of one kind of collective
_PER_LAUNCH, _PER_BYTE = 5e-4, 2e-9  # seconds


def _exchanged(value, token, *, exchange, group, line):
    mark = mark_of(exchange, value.shape, value.dtype, line)
    launch = launch_of(exchange, group, mark.label, value.shape, value.dtype)
    return np.asarray(launch.exchanged(to_device(np.asarray(value)), mark)), token


def _seconds(equation):
    aval = equation.invars[0].aval
    return _PER_LAUNCH + _PER_BYTE * math.prod(aval.shape) * aval.dtype.itemsize


def register():
    """Lets NumPy's plans have collectives, if there are several processes."""
    if World.size > 1:
        RULES[collective.name], SECONDS[collective.name] = _exchanged, _seconds
        ALWAYS.add(collective.name)  # the others wait for it


def plan(executable, operands):
    """NumPy's plan of a `GroupExecutable` for ``operands``.

    Raises:
        NotCovered: if there is none, it has little else than collectives, or it might stop after one of them.
    """
    traced = TracedPlan(executable, operands)
    kinds = {mark.key for mark in executable.marks}
    if traced.plan.may_stop or traced.size < _WORTH * len(kinds):
        raise NotCovered("collectives")
    return traced
