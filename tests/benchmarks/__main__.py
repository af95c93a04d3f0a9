"""Times msgrad beside jax.jit, eager JAX and, given its interpreter, MindSpore: ``python -m tests.benchmarks``."""

import argparse
import os
import sys

from . import tables
from .driver import measure
from .workloads import NAMES, load


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__.partition(": `")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10")
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--processes", type=int, default=3, help="of each version, in sequence (default: 3)")
    parser.add_argument("--rounds", type=int, default=6, help="turns of each process (default: 6)")
    parser.add_argument(
        "--markdown", action="store_true", help="write the tables to docs/benchmarks/programs.md; the others stay"
    )
    args = parser.parse_args()
    oracle, torch = (python and os.path.abspath(python) for python in (args.oracle, args.torch))
    written = []
    for name in args.only:
        title = load(name).TITLE
        measured = measure(name, args.rounds, args.processes, oracle, torch)
        sys.stdout.write(tables.text(title, measured) + "\n")
        sys.stdout.flush()
        written.append(tables.markdown(title, measured))
    if args.markdown:
        print("wrote", tables.write("programs.md", written))


if __name__ == "__main__":
    main()
