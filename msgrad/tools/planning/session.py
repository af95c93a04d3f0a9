"""The process that plans: runs the script without its large programs, compiles these, and writes what it has learned.

``python -m msgrad.tools.planning.session`` takes one argument, a JSON object (`Request`), and writes the plan as JSON
to the file that the request names: first by estimates, then again with each program that is compiled. So a compiler
that ends its process leaves what was known before.
"""

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
from .request import Request
from .summing import Summary
from .targets import place_of

_MSG_NO_BATCH = "--batch changes what `Dataset.batch` makes, and the script calls it for no dataset"


def main(text):
    """Plans what a request, as JSON, asks."""
    request = Request(**json.loads(text))
    place = place_of(request.place)
    topology.pretend(place.target)
    ending, calls = Ending(request.steps, request.seconds), Calls()
    planner = Planner(place.target, calls, ending)
    error = None
    batches = Batches(request.batch)
    with planner, calls.followed(), batches.changed(), in_precision(request.precision), ending.limited():
        try:
            run_program(request.program, request.arguments, request.as_module)
        except PlanComplete:
            pass
        except SystemExit as exit_:
            error = _described(exit_) if exit_.code not in (None, 0) else None
        except BaseException as raised:
            error = _described(raised)
    if error is None and request.batch is not None and not batches.count:
        error = {"type": "ValueError", "message": _MSG_NO_BATCH, "line": None}
    summary = Summary(request, place, planner, ending.complete, error)
    summary.write(request.out)
    if place.target.has_compiler():
        for each in summary.to_compile():
            summary.begin(each)
            summary.write(request.out)
            try:
                summary.add(each, compiled(each, place))
            except Exception as refusal:
                summary.refuse(each, refusal)
            summary.write(request.out)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # nothing of the script's is left to do, and its placeholders are many


def _described(error):
    """The script's exception, which is printed as Python prints it, with the line of the user's code."""
    frames = shown_frames(error, __file__, run_program.__code__.co_filename)
    if not isinstance(error, SystemExit):
        sys.excepthook(type(error), error.with_traceback(frames), frames)
    lines = [f"{os.path.basename(f.filename)}:{f.lineno}" for f in traceback.extract_tb(frames) if is_users(f.filename)]
    return {"type": type(error).__name__, "message": str(error), "line": lines[-1] if lines else None}


if __name__ == "__main__":
    main(sys.argv[1])
