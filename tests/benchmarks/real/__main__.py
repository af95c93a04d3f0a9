"""``python -m tests.benchmarks.real --torch PYTHON``: see the package's docstring."""

import argparse
import os
import statistics
import sys

from .. import tables
from ..turns import Process
from .rows import ROWS, VERSIONS

TITLE = "Networks of real sizes"
HEAD = "| version | processor | ratio | wall | first, processor | first, wall | memory |\n|---|" + 6 * "---:|"
WARM = 2  # steps after the first that are not counted
SETTINGS = {"OMP_WAIT_POLICY": "passive", "MSGRAD_CACHE": "off", "MSGRAD_QUIET": "1"}


def measure(name, torch, steps, versions):
    """For each version the facts of its first step and of ``steps`` more (lists of dict); or its error (str)."""
    processes, facts = {}, {}
    for version in filter(versions.__contains__, ROWS[name].versions()):
        python = torch if version == "torch" else sys.executable
        if python:
            runner = ["-m", "msgrad", "run"] if version in ("graph", "pynative") else []  # it asks for huge pages
            command = [python, *runner, "-m", "tests.benchmarks.real.worker", name, version]
            processes[version] = Process(command, SETTINGS)
            facts[version] = [processes[version].answer()]
    try:
        for _ in range(WARM + steps):
            for version, process in processes.items():
                if facts[version][-1] is not None:
                    facts[version].append(process.ask("step"))
    finally:
        for process in processes.values():
            process.end()
    return facts


def lines(facts):
    """The rows of Markdown of one network; ratios are to its first version."""
    base = None
    for version, steps in facts.items():
        title = version if version in ("torch", "jax") else f"msgrad {version.upper()}"
        if None in steps:
            yield f"| {title} | failed | | | | | |"
            continue
        first, steady = steps[0], steps[1 + WARM :]
        processor, wall = [statistics.median([step[kind] for step in steady]) for kind in ("processor", "wall")]
        base = base or processor
        cells = [f"{1e3 * processor:.0f} ms", f"{processor / base:.2f}", f"{1e3 * wall:.0f} ms"]
        cells += [f"{first['processor']:.1f} s", f"{first['wall']:.1f} s", f"{steps[-1]['memory']:.0f} MiB"]
        yield f"| {title} | {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.real", description=TITLE)
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--only", nargs="+", choices=ROWS, default=list(ROWS))
    parser.add_argument("--versions", nargs="+", choices=VERSIONS, default=VERSIONS)
    parser.add_argument("--steps", type=int, default=5, metavar="N", help="of each version, in turns (default: 5)")
    args = parser.parse_args()
    torch = args.torch and os.path.abspath(args.torch)
    for name in args.only:
        body = "\n".join(lines(measure(name, torch, args.steps, args.versions)))
        print(f"## {ROWS[name].title}\n\n{HEAD}\n{body}\n\n{tables.describe_machine()}\n", flush=True)


if __name__ == "__main__":
    main()
