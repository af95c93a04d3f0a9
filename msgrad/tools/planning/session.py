"""The process that plans: runs the script without its large programs, compiles these, and writes what it has learned.

``python -m msgrad.tools.planning.session`` takes one argument, a JSON object (`Request`), and writes the plan as JSON
to the file that the request names: first by estimates, then again with each program that is compiled. So a compiler
that ends its process leaves what was known before.
"""

import contextlib
import json
import os
import sys
import traceback

from ...engine.user_code import is_users
from ..running import run_program, shown_frames
from . import topology
from .calls import Calls
from .changing import Batches, in_precision
from .compiling import compiled
from .ending import Ending, PlanComplete
from .launching import Planner
from .layouts import Tried
from .processes import pretended
from .request import Request
from .summing import Summary
from .targets import place_of

_MSG_OWN_STRATEGY = "--try is for a program without a strategy for several devices, and this one sets its own"
_MSG_NO_BATCH = "--batch changes what `Dataset.batch` makes, and the script calls it for no dataset"


def main(text):
    """Plans what a request, as JSON, asks."""
    request = Request(**json.loads(text))
    place = place_of(request.place)
    topology.pretend(place.target)
    # A layout that is tried lays out the one process's program; otherwise the script may be one for several processes.
    with pretended(place.chips if request.layout is None else 1):
        summary = _followed(request, place)
        summary.write(request.out)
        if place.target.has_compiler():
            _compile(summary)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # nothing of the script's is left to do, and its placeholders are many


def _followed(request, place):
    """Runs the script; returns the `Summary` of what it would have launched."""
    ending, calls = Ending(request.steps, request.seconds), Calls()
    planner = Planner(place, calls, ending)
    error = None
    batches, tried = Batches(request.batch), Tried(request.layout, place.chips)
    with contextlib.ExitStack() as stack:
        for each in (planner, calls.followed(), batches.changed(), in_precision(request.precision), tried.active()):
            stack.enter_context(each)
        stack.enter_context(ending.limited())
        try:
            run_program(request.program, request.arguments, request.as_module)
        except PlanComplete:
            pass
        except SystemExit as exit_:
            error = _described(exit_) if exit_.code not in (None, 0) else None
        except BaseException as raised:
            error = _described(raised)
    if error is None and request.batch is not None and not batches.count:
        error = _unchanged(_MSG_NO_BATCH)
    if error is None and not tried.is_kept:
        error = _unchanged(_MSG_OWN_STRATEGY)
    return Summary(request, place, planner, ending.complete, error)


def _compile(summary):
    """Compiles the programs of a `Summary`, which is written before and after each."""
    for each in summary.to_compile():
        summary.begin(each)
        summary.write(summary.request.out)
        try:
            summary.add(each, compiled(each, summary.place))
        except Exception as refusal:
            summary.refuse(each, refusal)
        summary.write(summary.request.out)


def _unchanged(message):
    return {"type": "ValueError", "message": message, "line": None}


def _described(error):
    """The script's exception, which is printed as Python prints it, with the line of the user's code."""
    frames = shown_frames(error, __file__, run_program.__code__.co_filename)
    if not isinstance(error, SystemExit):
        sys.excepthook(type(error), error.with_traceback(frames), frames)
    lines = [f"{os.path.basename(f.filename)}:{f.lineno}" for f in traceback.extract_tb(frames) if is_users(f.filename)]
    return {"type": type(error).__name__, "message": str(error), "line": lines[-1] if lines else None}


if __name__ == "__main__":
    main(sys.argv[1])
