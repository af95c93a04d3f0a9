"""``msgrad plan``: the command line, and one process for each combination of what is asked."""

import dataclasses
import difflib
import itertools
import json
import os
import subprocess
import sys
import tempfile

from ..parsing import Parser
from ..running import fault_of
from . import advice, report
from .changing import PRECISIONS
from .layouts import LAYOUTS
from .page import page
from .request import Request
from .targets import TARGETS, place_of
from .topology import environment

_ABOUT = """\
Tells what a MindSpore program would need on an accelerator, without one: memory, time, and what is
slow or refused there, by Cell and line. The script runs unmodified on this machine, but no large
program of it does: each is compiled for the target, and gives zeros of the right shape and dtype.
After --steps training steps, or --seconds, or at the script's end the report is printed. What the
script prints goes to standard error. Options may follow the script; after `--` all is the script's.
The exit status is 0 if everything compiles and fits, else 1."""
_EXAMPLES = """\
msgrad plan train.py --on h100                    does it fit, and how long is a step at least?
msgrad plan train.py --on h100 --on v5e --json    on two targets, as JSON
msgrad plan train.py --on h100 --epochs 2         an option of the script's own"""


_NEAR = 0.85  # the likeness from which on an option of the script's is taken for a mistake


def main(arguments):
    """Plans a program.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int | str: 0 if it fits everywhere, else 1; or an error in the command line.
    """
    parser = _parser()
    arguments, own = _split(arguments)
    options, rest = parser.parse_known_args(arguments)
    mistaken = _mistaken(parser, rest)
    if mistaken:
        return mistaken
    program, given = _program(options, [*rest, *own])
    fault = _fault(options, program)
    if fault:
        return fault
    places = [place_of(text) for text in options.on]
    plans = []
    for place, batch, layout in itertools.product(places, options.batch or [None], _layouts(options) or [None]):
        plan = _planned(options, program, given, place, batch, layout)
        plans.append(plan)
        if not options.json:
            print(report.text(plan), flush=True)
    if options.html:
        with open(options.html, "w") as file:
            file.write(page(plans))
    if options.json:
        print(json.dumps(plans if len(plans) > 1 else plans[0]))
    elif len(plans) > 1:
        print(report.comparison(plans))
        if options.layouts:
            print(report.choice(plans))
    return 0 if all(map(advice.is_good, plans)) else 1


def _parser():
    usage = "msgrad plan SCRIPT --on TARGET [option ...] [-- ARGUMENT ...]"
    parser = Parser("plan", _ABOUT, _EXAMPLES, usage=usage)
    add = parser.add_argument
    add("program", nargs="?", metavar="SCRIPT", help="the script")
    add("-m", dest="module", metavar="MODULE", help="a module in place of a script")
    targets = f"{', '.join(TARGETS)}; several chips: h100:8, v5e:4x4; may be repeated"
    add("--on", action="append", default=[], metavar="TARGET", help=targets)
    add("--batch", action="append", type=int, metavar="N", help="batch size of the script's datasets; may be repeated")
    add("--try", dest="layouts", metavar="LAYOUT,...", help=f"layouts over several chips: {', '.join(LAYOUTS)}")
    add("--precision", choices=PRECISIONS, help="operations cast as by amp_level='auto'")
    add("--steps", type=int, default=2, metavar="N", help="training steps that are followed (default: 2)")
    add("--seconds", type=float, default=600, metavar="S", help="the longest time that the script runs (default: 600)")
    add("--html", metavar="FILE", help="write a page with pictures, too")
    add("--json", action="store_true", help="print the plan as JSON")
    return parser


def _split(arguments):
    """The arguments before and after ``--``."""
    if "--" not in arguments:
        return arguments, []
    place = arguments.index("--")
    return arguments[:place], arguments[place + 1 :]


def _mistaken(parser, rest):
    """The error if an argument of the script's is nearly one of the command's options; None otherwise."""
    for word in rest:
        near = difflib.get_close_matches(word, parser.options(), 1, _NEAR)
        if near:
            return f"there is no option {word}; did you mean {near[0]}? (Arguments of the script's follow `--`.)"
    return None


def _program(options, rest):
    if options.module is None:
        return options.program, rest
    return options.module, ([options.program] if options.program else []) + rest


def _fault(options, program):
    """The error in the command line as a sentence, or None."""
    if program is None:
        return "it needs a script, or `-m` and a module (see `msgrad plan --help`)"
    fault = fault_of([program], options.module is not None)
    if fault:
        return fault
    if not options.on:
        return f"it needs a target, such as `--on h100`: {', '.join(TARGETS)}"
    for text in options.on:
        try:
            place_of(text)
        except ValueError as error:
            return str(error)
    unknown = [name for name in _layouts(options) if name not in LAYOUTS]
    if unknown:
        return f"there is no layout '{unknown[0]}'; there are {', '.join(LAYOUTS)}"
    if _layouts(options) and any(place_of(text).chips == 1 for text in options.on):
        return "--try needs targets of several chips, such as `--on h100:8` or `--on v5e:2x2`"
    if options.steps < 1 or options.seconds <= 0:
        return "--steps and --seconds must be positive"
    if min(options.batch or [1]) < 1:
        return "--batch must be positive"
    return None


def _layouts(options):
    return options.layouts.split(",") if options.layouts else []


def _planned(options, program, given, place, batch, layout):
    """The plan (dict) of one process."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "plan.json")
        request = Request(
            *(program, given, options.module is not None, str(place), options.steps, options.seconds, out),
            *(batch, options.precision, layout),
        )
        command = [sys.executable, "-m", "msgrad.tools.planning.session", json.dumps(dataclasses.asdict(request))]
        status = subprocess.run(command, env=environment(place), stdout=sys.stderr).returncode
        try:
            with open(out) as file:
                plan = json.load(file)
        except FileNotFoundError:
            return advice.without_plan(program, place, status)
    return advice.complete(plan, status)
