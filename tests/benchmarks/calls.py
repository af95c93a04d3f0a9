"""Python calls of an operation, a gradient and a training step once compiled: ``python -m tests.benchmarks.calls``.

What PYNATIVE_MODE costs beside `jax.jit` is Python, and calls of Python functions are a measure of it that does not
depend on the machine.
"""

import collections
import sys

import numpy as np

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution.tiers import Tiers

WARM = 6  # calls before the one that is counted: by then an optimizer's step runs by its Plan


def walk(fn):
    """The files of the Python functions that a call of ``fn`` calls, itself included, in their order (list of str)."""
    for _ in range(WARM):
        fn()
    files = []

    def note(frame, event, argument):
        if event == "call":
            files.append(frame.f_code.co_filename.rpartition("msgrad/")[2])

    sys.setprofile(note)
    try:
        fn()
    finally:
        sys.setprofile(None)
    return files


def returns(files):
    """How often a `walk` goes back to a file that it had left."""
    turns = [file for file, before in zip(files, [None, *files], strict=False) if file != before]
    return len(turns) - len(set(turns))


def workloads():
    """Functions to count, by name."""
    x, image = Tensor(np.ones((8, 16), np.float32)), Tensor(np.ones((2, 3, 8, 8), np.float32))
    conv = nn.Conv2d(3, 4, 3)
    net = nn.SequentialCell(nn.Dense(16, 16), nn.ReLU(), nn.Dense(16, 16), nn.ReLU(), nn.Dense(16, 4))
    gradient = ms.grad(lambda x: net(x).sum())
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)

    def train():
        optimizer(step(x)[1])

    class Users(nn.Adam):
        """A subclass of a program's own, each step of which is recorded."""

    adam, gradients = Users(net.trainable_params(), 0.1), step(x)[1]

    blocks = [each for _ in range(3) for each in (nn.Conv2d(3, 3, 3), nn.BatchNorm2d(3), nn.ReLU())]
    lowered = ms.amp.auto_mixed_precision(nn.SequentialCell(blocks).set_train(), "O2", dtype=ms.bfloat16)
    gradient_in_bf16 = ms.grad(lambda x: lowered(x).sum(), None, lowered.trainable_params())
    return {
        "x + x": lambda: x + x,
        "ops.softmax(x)": lambda: ops.softmax(x),
        "ops.softmax(x, 0)": lambda: ops.softmax(x, 0),
        "nn.Conv2d(...)(image)": lambda: conv(image),
        "grad of three layers": lambda: gradient(x),
        "training step of three layers": train,
        "step of Adam, recorded": lambda: adam(gradients),
        "grad of three blocks, bf16": lambda: gradient_in_bf16(image),
    }


def at_once():
    """Functions to count that NumPy computes at once (`execution.at_once`), by name."""
    x, p = Tensor(np.ones((8, 16), np.float32)), Tensor(np.ones(16, np.float32))
    return {
        "x + x": lambda: x + x,
        "x * 2.0": lambda: x * 2.0,
        "x > 0": lambda: x > 0,
        "ops.relu(x)": lambda: ops.relu(x),
        "x.sum()": lambda: x.sum(),
        "x.reshape(16, 8)": lambda: x.reshape(16, 8),
        "x[0]": lambda: x[0],
        "x[0, 1:3]": lambda: x[0, 1:3],
        "ops.split(x, 4)": lambda: ops.split(x, 4),
        "x[0] = p": lambda: x.__setitem__(0, p),
        "x.asnumpy()": lambda: x.asnumpy(),
        "float(x[0, 0])": lambda: float(x[0, 0]),
        "Tensor(1.0)": lambda: Tensor(1.0),
    }


def main():
    for make, Tiers.allowed in ((at_once, True), (workloads, False)):  # the latter compiled at the first call
        for name, fn in make().items():
            files = walk(fn)
            busiest = ", ".join(f"{file} {number}" for file, number in collections.Counter(files).most_common(4))
            print(f"{name:32}{len(files):5} calls, {len(set(files)):3} files, {returns(files):3} returns  {busiest}")


if __name__ == "__main__":
    main()
