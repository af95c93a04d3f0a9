"""``python -m tests.benchmarks.distributed [--oracle PYTHON] [--processes 2 4] [--markdown]``: see the package."""

import argparse
import os
import tempfile

from .. import tables
from .driver import JAX, MODES, measure

TITLE = "{} processes: AllReduce, data-parallel steps, start"
NUMBERS = {2: "Two", 4: "Four"}
CASES = {
    "all_reduce_1024": "AllReduce, 1 KB",
    "all_reduce_1048576": "AllReduce, 1 MB",
    "all_reduce_67108864": "AllReduce, 64 MB",
    "lenet": "step, LeNet-5, batch 32 in each",
    "bert_tiny": "step, BERT-tiny (2 layers, 128 wide), batch 8 in each",
    "start": "launch to the end of the first step of LeNet-5",
    "later": "the same, with the cache on disk of an earlier launch",
}
LIBRARIES = {"jax": "JAX by hand", "msgrad": "msgrad", "mindspore": "MindSpore"}


def table(timings):
    """The figures as a table of Markdown: milliseconds, and how many times JAX's."""
    columns = list(timings["lenet"])
    heads = [LIBRARIES[library] + (f" {mode}" if len(MODES[library]) > 1 else "") for library, mode in columns]
    lines = [f"| ms | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    for case, title in CASES.items():
        cells = [_cell(timings[case].get(key), timings[case][JAX]) for key in columns]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(entry, base):
    if entry is None:
        return ""
    seconds, value = entry
    if isinstance(seconds, str):
        return f"failed: {seconds[:40]}"
    other = "" if abs(value - base[1]) <= 1e-3 * abs(base[1]) else " (other numbers)"
    ratio = "" if entry is base else f" ({seconds / base[0]:.2f})"
    return f"{seconds * 1e3:.{2 if seconds < 0.01 else 1 if seconds < 0.1 else 0}f}{ratio}{other}"


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.distributed", description=TITLE.format("Several"))
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10, with msrun beside")
    parser.add_argument("--processes", type=int, nargs="+", choices=NUMBERS, default=[2, 4], help="how many (2 4)")
    parser.add_argument("--rounds", type=int, default=4, help="turns of each version (4)")
    parser.add_argument("--starts", type=int, default=3, help="starts of each library (3)")
    parser.add_argument("--markdown", action="store_true", help="write the tables to docs/benchmarks/processes.md")
    args = parser.parse_args()
    libraries = ["jax", "msgrad", *(["mindspore"] if args.oracle else [])]
    oracle = args.oracle and os.path.abspath(args.oracle)
    written = []
    for size in args.processes:
        with tempfile.TemporaryDirectory() as folder:
            timings = measure(libraries, size, args.rounds, args.starts, oracle, folder)
        title = TITLE.format(NUMBERS[size])
        print(f"{title}\n\n{table(timings)}\n\n{tables.describe_machine()}\n", flush=True)
        written.append(f"## {title}\n\n{table(timings)}\n\n{tables.describe_machine()}\n")
    if args.markdown:
        print("wrote", tables.write("processes.md", written))


if __name__ == "__main__":
    main()
