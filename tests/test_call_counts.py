"""The number of Python calls of an operation, a gradient and a training step, once compiled, in PYNATIVE_MODE.

And how often the calls go back to a file that they had left, which whoever reads along must do, too.
"""

import collections

import pytest

from msgrad.engine.execution.tiers import Tiers

from .benchmarks.calls import at_once, returns, walk, workloads

AT_ONCE = {  # calls, returns
    "x + x": (5, 0),
    "x * 2.0": (9, 1),
    "x > 0": (9, 1),
    "ops.relu(x)": (7, 0),
    "x.sum()": (5, 0),
    "x.reshape(16, 8)": (8, 0),
    "x[0]": (14, 3),
    "x[0, 1:3]": (16, 3),
    "ops.split(x, 4)": (37, 10),
    "x[0] = p": (23, 6),
    "x.asnumpy()": (5, 1),
    "float(x[0, 0])": (20, 5),
    "Tensor(1.0)": (12, 1),
}
MOST = {
    "x + x": (7, 0),
    "ops.softmax(x)": (7, 0),
    "ops.softmax(x, 0)": (9, 0),
    "nn.Conv2d(...)(image)": (38, 15),
    "grad of three layers": (87, 54),
    "training step of three layers": (121, 63),
    "step of Adam, recorded": (94, 36),
    "grad of three blocks, bf16": (587, 404),
}


@pytest.mark.parametrize("name, most_calls, most_returns", [(name, *most) for name, most in MOST.items()], ids=MOST)
def test_calls_stay_few(compiled, name, most_calls, most_returns):
    _check(workloads()[name], most_calls, most_returns)


@pytest.mark.parametrize(
    "name, most_calls, most_returns", [(name, *most) for name, most in AT_ONCE.items()], ids=AT_ONCE
)
def test_calls_of_what_numpy_computes_at_once_stay_few(monkeypatch, name, most_calls, most_returns):
    monkeypatch.setattr(Tiers, "allowed", True)
    _check(at_once()[name], most_calls, most_returns)


def _check(fn, most_calls, most_returns):
    files = walk(fn)
    assert len(files) <= most_calls, collections.Counter(files)
    assert returns(files) <= most_returns, files
