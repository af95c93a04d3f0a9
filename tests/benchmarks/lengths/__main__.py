"""``python -m tests.benchmarks.lengths --markdown``: see the package's docstring."""

import argparse
import dataclasses
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading

from .. import tables
from ..driver import ROOT
from .rows import ROWS

TITLE = "Sizes that change at each step: seconds of the processor"
HEAD = ("", "turn", "msgrad", "PyTorch", "ratio", "asked", "programs", "peak MiB")


@dataclasses.dataclass
class Measured:
    """What a process said.

    Attributes:
        turns (list of dict): the facts of each finished turn.
        unfinished (dict): those of the turn that was not; None if all were.
        error (str): the last line of its errors, if it failed.
    """

    turns: list
    unfinished: dict | None = None
    error: str = ""


def measure(name, library, python, seconds, **settings):
    """Runs a row in a process, which is terminated after ``seconds``."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as errors:
        environment = os.environ | {"MSGRAD_CACHE": folder, "MSGRAD_QUIET": "1", "PYTHONPATH": str(ROOT)} | settings
        environment["OMP_NUM_THREADS"] = "1"  # PyTorch's threads spin while they wait for a busy processor
        command = [python, "-W", "ignore", "-m", "tests.benchmarks.lengths.worker", name, library]
        with subprocess.Popen(
            command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=errors
        ) as process:
            timer = threading.Timer(seconds, process.terminate)
            timer.start()
            said = [json.loads(line) for line in process.stdout if line.startswith("{")]
            is_late = not timer.is_alive()
            timer.cancel()
        errors.seek(0)
        error = "".join(errors.readlines()[-1:]).strip() if process.returncode and not is_late else ""
    turns = [facts for facts in said if "values" in facts]
    return Measured(turns, said[-1] if len(said) > len(turns) else None, error)


def agree(ours, theirs):
    """Whether both computed the same in their first turn: words exactly, losses within 1e-3."""
    if not (ours.turns and theirs.turns):
        return True
    pairs = list(zip(ours.turns[0]["values"], theirs.turns[0]["values"], strict=True))
    return all(a == b if isinstance(a, int) else abs(a - b) <= 1e-3 * abs(b) for a, b in pairs)


def lines_of(row, title, ours, theirs):
    """The lines of the table for one row, as tuples of text."""
    base = statistics.median([turn["seconds"] for turn in theirs.turns]) if theirs.turns else None
    title = title if agree(ours, theirs) else f"{title} (other numbers)"
    for place, number in enumerate(row.shown):
        asked = f"{row.asked[place]:g}" if place < len(row.asked) else ""
        is_finished = number <= len(ours.turns)
        turn = ours.turns[number - 1] if is_finished else ours.unfinished if number == len(ours.turns) + 1 else None
        reference = "" if base is None else f"{base:.2f}"
        if turn is None:
            yield title, str(number), ours.error or "not reached", reference, "", asked, "", ""
            continue
        # What took too long has taken at least this.
        at_least = "" if is_finished else "> "
        ratio = "" if base is None else f"{at_least}{turn['seconds'] / base:.1f}"
        programs = f"{at_least}{turn['programs']} + {turn['operations']}"
        programs += f" (asked: {row.programs})" if row.programs else ""
        seconds, memory = f"{at_least}{turn['seconds']:.2f}", f"{turn['memory']:.0f}"
        yield title, str(number), seconds, reference, ratio, asked, programs, memory
        if not is_finished:
            return
        title = ""


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.lengths", description=TITLE)
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--only", metavar="REGEX", default="", help=f"rows whose names match: {', '.join(ROWS)}")
    parser.add_argument("--seconds", type=float, default=300, help="after which a process is ended (default: 300)")
    parser.add_argument("--markdown", action="store_true", help="write the table to docs/benchmarks/lengths.md")
    args = parser.parse_args()
    found = []
    for name, row in ROWS.items():
        if not re.search(args.only, name):
            continue
        theirs = measure(name, "torch", args.torch, args.seconds) if args.torch else Measured([])
        for settings in ({}, {"MSGRAD_LENGTHS": "off"}) if row.is_repeated else ({},):
            ours = measure(name, "msgrad", sys.executable, args.seconds, **dict(row.settings), **settings)
            for line in lines_of(row, f"{row.title}, exact" if settings else row.title, ours, theirs):
                found.append(f"| {' | '.join(line)} |")
                print(found[-1], flush=True)
        if theirs.error:
            print(f"PyTorch: {theirs.error}")
    table = "\n".join([f"| {' | '.join(HEAD)} |", f"|---|{'---:|' * (len(HEAD) - 1)}", *found])
    if args.markdown:
        print("wrote", tables.write("lengths.md", [f"## {TITLE}\n\n{table}\n\n{tables.describe_machine()}\n"]))


if __name__ == "__main__":
    main()
