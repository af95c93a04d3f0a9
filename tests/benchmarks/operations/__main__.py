"""``python -m tests.benchmarks.operations --torch PYTHON``: see the package's docstring."""

import argparse
import os
import re
import statistics
import sys

from .. import tables
from ..turns import Process
from .rows import TABLES

PAGE = "operations.md"
HEAD = "| operation | inputs | msgrad | PyTorch | ratio |\n|---|---|---:|---:|---:|"
SETTINGS = {"OMP_WAIT_POLICY": "passive", "MSGRAD_CACHE": "off", "MSGRAD_QUIET": "1"}
TURNS = 3


def measure(row, workers):
    """For each library the median of its turns in seconds; or its error (str)."""
    turns = {library: [] for library in workers}
    for _ in range(TURNS):
        for library, worker in workers.items():
            turns[library].append(worker.ask(row.name))
    return {library: _median(times) for library, times in turns.items()}


def _median(times):
    errors = [each for each in times if not isinstance(each, float)]
    return (errors[0] or "the process has ended") if errors else statistics.median(times)


def cells(row, figures):
    """One line of a table."""
    times = [figures.get(library) for library in ("msgrad", "torch")]
    ratio = f"{times[0] / times[1]:.2f}" if all(isinstance(each, float) for each in times) else ""
    return [f"`{row.program}`", row.shapes, *map(_time, times), ratio]


def _time(seconds):
    if not isinstance(seconds, float):
        return seconds or ""
    if seconds >= 1e-4:
        return f"{seconds * 1e3:.3g} ms" if seconds < 0.1 else f"{seconds * 1e3:.0f} ms"
    return f"{seconds * 1e6:.3g} µs"


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.operations", description=__doc__)
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose program and inputs match")
    parser.add_argument("--markdown", action="store_true", help=f"write the tables to {tables.PAGES / PAGE}")
    args = parser.parse_args()
    worker = "-m", "tests.benchmarks.operations.worker"
    workers = {"msgrad": Process([sys.executable, "-m", "msgrad", "run", *worker, "msgrad"], SETTINGS)}
    if args.torch:
        workers["torch"] = Process([os.path.abspath(args.torch), *worker, "torch"], SETTINGS)
    written = []
    try:
        for title, rows in TABLES.items():
            lines = []
            for row in rows:
                if re.search(args.only, row.name):
                    line = cells(row, measure(row, workers))
                    lines.append(f"| {' | '.join(line)} |")
                    print(f"{line[2]:>10} {line[3]:>10} {line[4]:>6}  {row.name}", flush=True)
            if lines:
                body = "\n".join(lines)
                written.append(f"## {title}\n\n{HEAD}\n{body}\n\n{tables.describe_machine()}\n")
    finally:
        for worker in workers.values():
            worker.end()
    if args.markdown:
        print(f"Written to {tables.write(PAGE, written)}.")


if __name__ == "__main__":
    main()
