"""Plans of functions in this process, by estimates or by a pretended compiler."""

import contextlib
import functools
import gc
import json
from types import SimpleNamespace

from msgrad.engine.recording.program import Step
from msgrad.tools.planning import advice, processes
from msgrad.tools.planning.calls import Calls
from msgrad.tools.planning.compiling import Compiled, Memory, compiled
from msgrad.tools.planning.ending import Ending, PlanComplete
from msgrad.tools.planning.hlo import Module
from msgrad.tools.planning.launching import Planner
from msgrad.tools.planning.layouts import Tried
from msgrad.tools.planning.request import Request
from msgrad.tools.planning.schedule import Schedule
from msgrad.tools.planning.summing import Summary
from msgrad.tools.planning.targets import place_of


def summary_of(script, on="h100", steps=2, seconds=60.0, layout=None):
    """The `Summary` of a function in place of a script."""
    _forget()
    place, calls, ending = place_of(on), Calls(), Ending(steps, seconds)
    planner = Planner(place, calls, ending)
    with planner, calls.followed(), Tried(layout, place.chips).active(), ending.limited():
        with contextlib.suppress(PlanComplete):
            script()
    _forget()
    request = Request("train.py", [], False, on, steps, seconds, "")
    return Summary(request, place, planner, ending.complete, None)


def _forget():
    """Forgets all programs, which a planner has made its own, and the Parameters of what ran before."""
    Step._roots, Step.grown = {}, 0
    gc.collect()


def plan_of(script, compiler=None, compiles=False, count=1, **options):
    """Its plan; ``compiler`` is a function that gives a `Compiled` for a planned program, or raises.

    ``compiles`` takes the real one. The script is the first of ``count`` processes.
    """
    with processes.pretended(count):
        summary = summary_of(script, **options)
        if compiles:
            compiler = functools.partial(compiled, place=summary.place)
        for each in summary.to_compile() if compiler else ():
            try:
                summary.add(each, compiler(each))
            except RuntimeError as refusal:
                summary.refuse(each, refusal)
    return advice.complete(json.loads(json.dumps(summary.plan(), default=float)), 0)


def pretended(temporaries):
    """A compiler of programs without instructions that need so much temporary memory."""

    def compiler(planned):
        arguments = sum([spec.dtype.itemsize * spec.size for spec in _leaves(planned.specs)])
        return Compiled(Memory(arguments, 0, 0, temporaries), Schedule(Module(""), 1), 1.0)

    return compiler


def _leaves(tree):
    if hasattr(tree, "dtype"):
        return [SimpleNamespace(dtype=tree.dtype, size=tree.size)]
    return [leaf for each in tree for leaf in _leaves(each)]
