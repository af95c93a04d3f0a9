"""The command ``msgrad check``."""

import dataclasses
import json
import os
import pathlib
import sys

from ...alias import install
from ..parsing import Parser
from ..progress import Progress
from . import python_names
from .importing import imports
from .overview import overview
from .packages import not_installed
from .report import print_report
from .sources import files_under, read_all
from .standing import MISSING, standing
from .summary import summary
from .syntax import AT_IMPORT, IN_BRANCH, LATER

_ABOUT = """\
Reads every Python file and notebook under the paths, and runs nothing. Prints what stops imports,
the names of MindSpore that are missing most, names that Python, NumPy 2 and MindSpore 2 have
removed, and packages that are not installed. It cannot check methods of values (x.sum()), since it
does not see types. A name whose absence the program handles (try ... except ImportError) does not
count as missing. The exit status is 1 if a name is missing or a file cannot be read."""
_EXAMPLES = """\
msgrad check .                     the programs and packages of this folder
msgrad check --missing-only .      each missing name, with the lines that use it
msgrad check --all train.py        each name, with what differs
msgrad check --json . > all.json"""

_ROOTS = {"mindspore", "numpy"}
_LIBRARY = {name.partition(".")[0] for name in python_names.GONE}  # with removed names
_WHEN = {AT_IMPORT: "import", IN_BRANCH: "branch", LATER: "later"}

_MSG_NO_PATH = "there is nothing at '{}'"


def main(arguments):
    """Checks the files under paths, and prints what it finds.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int | str: 0; 1 if a name is missing or a file is not valid Python; or an error in the command line.
    """
    options = _parser().parse_args(arguments)
    for path in options.paths:
        if not os.path.exists(path):
            return _MSG_NO_PATH.format(path)
    install()
    files = files_under(options.paths)
    own = {part for file in files for part in pathlib.Path(file).with_suffix("").parts} - _ROOTS
    with Progress("check") as progress:
        sources = read_all(files, _ROOTS | _LIBRARY, progress)
        judged = [(source, _judged(source, own)) for source in sources]
    imported = imports(options.paths, judged)
    totals = summary(judged)
    packages = not_installed(sources, own)
    if options.json:
        json.dump(_as_data(imported, judged, totals, packages, options.missing_only), sys.stdout, indent=1)
        print()
    elif options.all or options.missing_only:
        print_report(imported, judged, options.missing_only)
        print(f"\n{totals.text()}")
    else:
        print(overview(imported, judged, totals, packages))
    return 1 if totals.is_missing_something() else 0


def _parser():
    parser = Parser("check", _ABOUT, _EXAMPLES)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    parser.add_argument(
        "--missing-only", action="store_true", help="list all missing names, with the lines that use them"
    )
    parser.add_argument("--all", action="store_true", help="list all names, with the lines that use them")
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object")
    return parser


def _judged(source, own):
    """``(use, standing)`` of each name a file uses, once per line; ``own`` are the modules of the checked programs."""
    judged = {}
    for use in source.uses:
        verdict = None if use.name.partition(".")[0] in own else standing(use.name)
        if verdict is not None:
            if verdict.kind == MISSING and use.instead and all(map(_exists, use.instead)):
                use = dataclasses.replace(use, is_guarded=True)
            judged.setdefault((use.cell, use.line, verdict.name), (use, verdict))
    return list(judged.values())


def _exists(name):
    verdict = standing(name) if name else None
    return verdict is None or verdict.kind != MISSING


def _is_shown(use, verdict, missing_only):
    return not missing_only or (verdict.kind == MISSING and not use.is_guarded)


def _as_data(imported, judged, totals, packages, missing_only):
    files = []
    for source, uses in judged:
        uses_data = [_use_as_data(use, verdict) for use, verdict in uses if _is_shown(use, verdict, missing_only)]
        if uses_data or source.error is not None or not missing_only:
            files.append({"path": source.path, "error": source.error, "uses": uses_data})
    stops = {name: [_stop_as_data(stop) for stop in stops] for name, stops in imported}
    return {"imports": stops, "files": files, "packages_not_installed": packages, "summary": totals.as_data()}


def _stop_as_data(stop):
    return {
        "path": stop.source.path,
        "line": stop.use and stop.use.line,
        "name": stop.known and stop.known.name,
        "error": stop.source.error,
        "certain": stop.is_certain,
    }


def _use_as_data(use, verdict):
    return {
        "line": use.line,
        "cell": use.cell,
        "name": verdict.name,
        "standing": verdict.kind,
        "note": verdict.note,
        "differences": [{"line": entry.line, "text": entry.text} for entry in verdict.differences],
        "gone_from": verdict.gone_from,
        "guarded": use.is_guarded,
        "when": _WHEN[use.when],
    }
