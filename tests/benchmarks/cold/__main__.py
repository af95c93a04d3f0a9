"""``python -m tests.benchmarks.cold [--oracle PYTHON] [--markdown]``: see the package's docstring."""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from .. import tables

PROGRAMS = {
    "operations": "eight operations at 40 new shapes each",
    "generation": "transformer of plain classes (2 layers, 32 wide), 32 tokens",
    "lenet": "LeNet, one gradient and step of Momentum, batch 32",
    "small_tests": "100 small calls and gradients, each of its own",
    "bert": "BERT-tiny (2 layers, 64 wide), one training step",
}
TITLE = "From process start to first results: seconds of the processor"
HERE = pathlib.Path(__file__).parent


def seconds(command, **environment):
    """The processor time of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, oracle):
    """The row of a program."""
    script = str(HERE / f"{name}.py")
    run = [sys.executable, "-m", "msgrad", "run", script]
    row = {}
    for title, tiers in (("msgrad", "on"), ("compiled at once", "off")):
        with tempfile.TemporaryDirectory() as cache:
            for process in ("first process", "second"):
                row[f"{title}, {process}"] = seconds(run, MSGRAD_CACHE=cache, MSGRAD_TIERS=tiers, MSGRAD_QUIET="1")
    if oracle:
        row["MindSpore"] = seconds([oracle, script], GLOG_v="4")
    return row


def table(rows):
    """The rows as a table of Markdown."""
    heads = list(next(iter(rows.values())))
    lines = [f"| | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    for name, row in rows.items():
        lines.append(f"| {PROGRAMS[name]} | {' | '.join(f'{row[head]:.1f}' for head in heads)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cold", description=TITLE)
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10")
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--markdown", action="store_true", help="write the table to docs/benchmarks.md")
    args = parser.parse_args()
    rows = {name: measure(name, args.oracle) for name in args.only}
    print(f"{TITLE}\n\n{table(rows)}")
    if args.markdown:
        print("wrote", tables.write([f"## {TITLE}\n\n{table(rows)}\n\n{tables.describe_machine()}\n"]))


if __name__ == "__main__":
    main()
