"""The command ``msgrad check``."""

import argparse
import json
import os
import pathlib
import sys

from ...alias import install
from . import python_names
from .differences import PAGE
from .sources import files_under, read_all
from .standing import MISSING, standing
from .summary import summary

USAGE = {"check PATH ...": "list what of the programs under the paths runs here; nothing is imported or run"}

_ABOUT = """\
Reads every Python file and notebook under the paths and lists the MindSpore names that they use: here, here with a
difference, not here. Names that are gone from Python, NumPy 2 or MindSpore's 1.x are listed too. What the methods of
values are (x.sum()) cannot be told from a text, so nothing is said of them. A name that its program provides for not
being there (try ... except ImportError) does not count as missing."""

_MSG_NO_PATH = "there is nothing at '{}'"


def main(arguments):
    """Checks the files under paths, and prints what it finds.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int | str: 0; 1 if a name is missing or a file is no Python; or what is wrong with the command.
    """
    options = _parser().parse_args(arguments)
    for path in options.paths:
        if not os.path.exists(path):
            return _MSG_NO_PATH.format(path)
    install()
    files = files_under(options.paths)
    judged = [(source, _judged(source)) for source in read_all(files, {"mindspore", "numpy"} | _library(files))]
    totals = summary(judged)
    if options.json:
        json.dump(_as_data(judged, totals, options.missing_only), sys.stdout, indent=1)
        print()
    else:
        _print_uses(judged, options.missing_only)
        _print_differences(judged, options.missing_only)
        print(totals.text())
    return 1 if totals.is_missing_something() else 0


def _parser():
    parser = argparse.ArgumentParser("msgrad check", description=_ABOUT, allow_abbrev=False)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    parser.add_argument("--missing-only", action="store_true", help="list only what is not here")
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object")
    return parser


def _library(files):
    """The modules of Python's library that have lost names, but for those that the programs have of their own."""
    own = {part for file in files for part in pathlib.Path(file).with_suffix("").parts}
    return {name.partition(".")[0] for name in python_names.GONE} - own


def _judged(source):
    """``(use, standing)`` of what a file uses, each name once a line."""
    judged = {}
    for use in source.uses:
        known = standing(use.name)
        if known is not None:
            judged.setdefault((use.cell, use.line, known.name), (use, known))
    return list(judged.values())


def _is_shown(use, known, missing_only):
    return not missing_only or (known.kind == MISSING and not use.is_guarded)


def _place(source, use):
    return f"{source.path}:{use.line}" if use.cell is None else f"{source.path}: cell {use.cell}, line {use.line}"


def _print_uses(judged, missing_only):
    for source, uses in judged:
        if source.error is not None:
            print(f"{source.path}: cannot be read: {source.error}")
        for use, known in uses:
            if _is_shown(use, known, missing_only):
                print(f"{_place(source, use)}: {known.name}: {_verdict(use, known)}")


def _verdict(use, known):
    lines = ", ".join(str(entry.line) for entry in known.differences)
    text = f"{known.kind} ({PAGE}, line {lines})" if known.differences else known.kind
    if use.is_guarded and known.kind == MISSING:
        text += ", which the program provides for"
    return f"{text}: {known.note}" if known.note else text


def _print_differences(judged, missing_only):
    """Each entry of the page that was referred to, once."""
    entries = {entry.line: entry for _, uses in judged for _, known in uses for entry in known.differences}
    if entries and not missing_only:
        print(f"\nDifferences, by their line in {PAGE}:")
        for line in sorted(entries):
            print(f"{line:4}  {entries[line].text}")


def _as_data(judged, totals, missing_only):
    files = []
    for source, uses in judged:
        shown = [_use_as_data(use, known) for use, known in uses if _is_shown(use, known, missing_only)]
        if shown or source.error is not None or not missing_only:
            files.append({"path": source.path, "error": source.error, "uses": shown})
    return {"files": files, "summary": totals.as_data()}


def _use_as_data(use, known):
    return {
        "line": use.line,
        "cell": use.cell,
        "name": known.name,
        "standing": known.kind,
        "note": known.note,
        "differences": [{"line": entry.line, "text": entry.text} for entry in known.differences],
        "gone_from": known.gone_from,
        "guarded": use.is_guarded,
    }
