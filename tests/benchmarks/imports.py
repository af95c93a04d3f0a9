"""What imports cost beside ``import jax``: ``python -m tests.benchmarks.imports [--oracle PYTHON] [--torch PYTHON]``.

Processor time of a process beyond that of one which imports nothing, with compiled bytecode; the processes of all rows
take turns, and the median of each counts.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

from .tables import describe_machine

ROUNDS = 10
NOTHING = "pass"
LENET = """
from mindspore import Tensor, nn, ops
nn.Conv2d, nn.Dense, nn.MaxPool2d, nn.ReLU, nn.Flatten, nn.SequentialCell, nn.CrossEntropyLoss, nn.Momentum
ops.softmax, ops.ReLU, ops.MatMul, Tensor.sum, Tensor.reshape, Tensor.__add__, Tensor.asnumpy
"""

EVERY_NAME = """
from mindspore import *
from mindspore.ops import *
from mindspore.nn import *
"""


def rows(folder, oracle, torch):
    """The command of each row, by its title."""
    scripts = {"import mindspore": "import mindspore", "the names of a LeNet": LENET, "every name": EVERY_NAME}
    commands = {"import jax": [sys.executable, "-c", "import jax"]}
    commands["import msgrad"] = [sys.executable, "-c", "import msgrad"]
    for number, (title, text) in enumerate(scripts.items()):
        script = pathlib.Path(folder, f"{number}.py")
        script.write_text(text)
        commands[f"{title}, `msgrad run`"] = [sys.executable, "-m", "msgrad", "run", str(script)]
    if torch:
        commands["import torch"] = [torch, "-c", "import torch"]
    if oracle:
        commands["import mindspore, MindSpore"] = [oracle, "-c", "import mindspore"]
    return commands


def seconds(command):
    """The processor time of a process and its children."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=environment | {"GLOG_v": "4"}, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(commands, rounds):
    """The median seconds of each row, beyond a process of the same interpreter that imports nothing."""
    empty = {python: [python, "-c", NOTHING] for python in {command[0] for command in commands.values()}}
    taken = {}
    for turn in range(rounds + 1):
        for key, command in [*empty.items(), *commands.items()]:
            if turn:  # the first one compiles the bytecode
                taken.setdefault(key, []).append(seconds(command))
            else:
                seconds(command)
    medians = {key: statistics.median(values) for key, values in taken.items()}
    return {title: medians[title] - medians[command[0]] for title, command in commands.items()}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.imports", description=__doc__.partition(":")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10")
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"processes of each row (default: {ROUNDS})")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        medians = measure(rows(folder, args.oracle, args.torch), args.rounds)
    print("| | ms | ratio |\n|---|---:|---:|")
    for title, median in medians.items():
        print(f"| {title} | {median * 1e3:.0f} | {median / medians['import jax']:.2f} |")
    print(f"\n{describe_machine()}")


if __name__ == "__main__":
    main()
