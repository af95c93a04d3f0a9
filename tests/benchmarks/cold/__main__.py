"""``python -m tests.benchmarks.cold --markdown``: see the package's docstring."""

import argparse
import compileall
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import msgrad

from .. import tables

PROGRAMS = {
    "operations": "eight operations at 40 new shapes each",
    "generation": "transformer of plain classes (2 layers, 32 wide), 32 tokens",
    "lenet": "LeNet, one gradient and step of Momentum, batch 32",
    "small_tests": "100 small calls and gradients, each of its own",
    "bert": "BERT-tiny (2 layers, 64 wide), one training step",
    "transformer": "transformer (4 layers, 256 wide), one training step",
    "resnet18": "ResNet-18, forward, one image of 224 x 224",
    "gpt": "GPT-2-like model of plain classes (4 layers, 128 wide), forward, 64 tokens",
}
TITLE = "From process start to first results: seconds of the processor"
HERE = pathlib.Path(__file__).parent


def seconds(command, **environment):
    """The processor time of a process and its children."""
    environment = os.environ | environment
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, oracle, torch, repeat):
    """The row of a program: of all but first processes the median of ``repeat``."""
    script = str(HERE / f"{name}.py")
    ours = [sys.executable, "-m", "msgrad", "run", script]
    by_hand = [sys.executable, str(HERE / "by_hand" / f"{name}.py")]
    versions = {
        "msgrad": (ours, "MSGRAD_CACHE", {"MSGRAD_TIERS": "on"}),
        "compiled at once": (ours, "MSGRAD_CACHE", {"MSGRAD_TIERS": "off"}),
        "`jax.jit`": (by_hand, "JAX_COMPILATION_CACHE_DIR", {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}),
    }
    row = {}
    for title, (command, folder, settings) in versions.items():
        with tempfile.TemporaryDirectory() as cache:
            settings |= {folder: cache, "MSGRAD_QUIET": "1", "PYTHONWARNINGS": "ignore"}
            row[f"{title}, first process"] = seconds(command, **settings)
            row[f"{title}, later"] = statistics.median([seconds(command, **settings) for _ in range(repeat)])
    if oracle:
        row["MindSpore"] = statistics.median([seconds([oracle, script], GLOG_v="4") for _ in range(repeat)])
    by_torch = HERE / "by_torch" / f"{name}.py"
    if torch and by_torch.exists():
        row["PyTorch"] = statistics.median([seconds([torch, str(by_torch)]) for _ in range(repeat)])
    return row


def table(rows):
    """The rows as a table of Markdown."""
    heads = list(max(rows.values(), key=len))
    lines = [f"| | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    for name, row in rows.items():
        lines.append(
            f"| {PROGRAMS[name]} | {' | '.join(f'{row[head]:.2f}' if head in row else '' for head in heads)} |"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cold", description=TITLE)
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10")
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="later processes of each kind (3)")
    parser.add_argument("--markdown", action="store_true", help="write the table to docs/benchmarks/start.md")
    args = parser.parse_args()
    compileall.compile_dir(os.path.dirname(msgrad.__file__), quiet=2)  # to bytecode, as pip does for all libraries
    rows = {name: measure(name, args.oracle, args.torch, args.repeat) for name in args.only}
    print(f"{TITLE}\n\n{table(rows)}")
    if args.markdown:
        print("wrote", tables.write("start.md", [f"## {TITLE}\n\n{table(rows)}\n\n{tables.describe_machine()}\n"]))


if __name__ == "__main__":
    main()
