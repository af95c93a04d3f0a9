"""``msgrad compare``: compares two runs of a program, on msgrad and on MindSpore, Cell by Cell."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from . import recorder, recordings, report
from .parsing import Parser
from .progress import Progress
from .wording import fault_of_file

_EAGER = "eager"
_ABOUT = """\
Runs a program on msgrad and on MindSpore, or on msgrad twice, compiled and operation by operation.
Compares the inputs, outputs and gradients of each Cell, and the Parameters, and names the first
value that differs."""
_EXAMPLES = """\
msgrad compare train.py                            compiled, and operation by operation
msgrad compare train.py --against ~/ms/bin/python  with MindSpore, of another environment
msgrad compare train.py --calls 1 -- --epochs 1    the first call, and the program's own options"""
_MSG_AGAINST = (
    "--against takes 'eager', an interpreter that has MindSpore, or a recording that --save made, but '{}' is "
    "none of them"
)
_MSG_SIDE = "the run {} wrote no recording:\n{}"


def main(arguments):
    """Compares two runs of a program.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int | str: 0 if all values agree, 1 if one differs; or an error text.
    """
    options = _parser().parse_intermixed_args(arguments)
    if fault := fault_of_file(options.script):
        return fault
    is_recording = options.against.endswith(".npz") and os.path.isfile(options.against)
    if options.against != _EAGER and not is_recording and not _is_program(options.against):
        return _MSG_AGAINST.format(options.against)
    with tempfile.TemporaryDirectory() as folder, Progress("compare") as progress:
        theirs = options.against if is_recording else options.save or os.path.join(folder, "theirs.npz")
        ours = os.path.join(folder, "ours.npz")
        if not is_recording:
            error = _record(options, folder, theirs, options.against, progress)
            if error:
                return error
        error = _record(options, folder, ours, None, progress, initial=theirs)
        if error:
            return error
        sides = recordings.Recording(ours), recordings.Recording(theirs)
    values = recordings.compared(*sides, options.rtol, options.atol)
    comparison = report.Report(options.script, *sides, values, options.calls)
    if options.html:
        pathlib.Path(options.html).write_text(comparison.html(), encoding="utf-8")
    print(json.dumps(comparison.as_json(), indent=1) if options.json else comparison.text(options.all))
    return 0 if comparison.is_same else 1


def _parser():
    parser = Parser("compare", _ABOUT, _EXAMPLES)
    add = parser.add_argument
    add(
        "script",
        metavar="SCRIPT",
        help="the program; both runs have the same seeds, initial Parameters and masks of nn.Dropout",
    )
    add("arguments", nargs="*", metavar="ARGUMENT", help="of the program; write `--` before the first with a dash")
    add("--against", default=_EAGER, metavar="PYTHON", help="an interpreter that has MindSpore; 'eager' (the default), "
        "which is msgrad operation by operation; or a recording that --save made")  # fmt: skip
    add("--mode", choices=("pynative", "graph"), help="the mode of both runs; in graph mode only the outermost calls "
        "of Cells and the Parameters are compared, and Dropout drops nothing. Default: what the "
        "program sets")  # fmt: skip
    add("--rtol", type=float, default=1e-3, help="tolerance of floats, relative to element and Tensor")
    add("--atol", type=float, default=1e-6, help="absolute tolerance")
    add("--calls", type=int, default=10, help="the number of outermost calls of Cells to compare. Default: 10")
    add("--seed", type=int, default=0, help="seed of mindspore, numpy and random. Default: 0")
    add("--no-gradients", action="store_true", help="do not compare gradients of outputs, which needs hooks")
    add("--all", action="store_true", help="print a table of all values")
    add("--json", action="store_true", help="print JSON")
    add("--html", metavar="FILE", help="write a report with a plot of the error along the network")
    add("--save", metavar="FILE.npz", help="keep the recording of the other side, for a later --against")
    return parser


def _is_program(name):
    return os.path.isfile(name) and os.access(name, os.X_OK)


def _record(options, folder, save, against, progress, initial=None):
    """Runs the program in a separate process; returns the error, or None.

    Args:
        folder (str): for temporary files.
        save (str): the file of the recording.
        against (str): a Python interpreter, ``"eager"``, or None for msgrad without changes.
        progress (Progress): told of the calls.
        initial (str): the recording whose random initial values it takes.
    """
    settings = {
        "save": save, "initial": initial, "mode": options.mode, "seed": options.seed, "calls": options.calls,
        "gradients": not options.no_gradients, "progress": os.path.join(folder, f"calls {initial is None}"),
    }  # fmt: skip
    is_ours = against in (None, _EAGER)
    command = [sys.executable, "-m", "msgrad", "run"] if is_ours else [against]
    environment = {**os.environ, "GLOG_v": os.environ.get("GLOG_v", "4")}
    environment["MSGRAD_EAGER"] = "1" if against == _EAGER else ""
    environment["MSGRAD_TIERS"] = "" if against == _EAGER else "off"  # always compile
    if is_ours:
        package = str(pathlib.Path(__file__).parents[2])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH")]))
    command += [recorder.__file__, json.dumps(settings), options.script, *options.arguments]
    name = "on msgrad" if against is None else "operation by operation" if against == _EAGER else f"by {against}"
    stderr = _ran(command, environment, settings["progress"], options, name, progress)
    with contextlib.suppress(OSError):
        if os.path.getsize(save):
            return None
    return _MSG_SIDE.format(name, stderr.strip()[-2000:])


def _ran(command, environment, told, options, name, progress):
    """Runs a command, and shows meanwhile how many calls it has told of; returns its standard error."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors) as process:
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.2)
                calls = min(os.path.getsize(told) if os.path.exists(told) else 0, options.calls)
                seconds = time.monotonic() - begun
                called = f", call {calls} of at most {options.calls}" if calls else ""
                progress.at(f"{options.script} {name} for {seconds:.0f} s{called}")
        errors.seek(0)
        return errors.read().decode(errors="replace")
