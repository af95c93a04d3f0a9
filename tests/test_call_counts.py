"""The number of Python calls of an operation, a gradient and a training step, once compiled, in PYNATIVE_MODE.

And how often the calls go back to a file that they had left, which whoever reads along must do, too.
"""

import collections

import pytest

from .benchmarks.calls import returns, walk, workloads

MOST = {  # calls, returns
    "x + x": (8, 0),
    "ops.softmax(x)": (7, 0),
    "ops.softmax(x, 0)": (9, 0),
    "nn.Conv2d(...)(image)": (38, 15),
    "grad of three layers": (90, 55),
    "training step of three layers": (142, 69),
    "step of Adam, recorded": (94, 36),
    "grad of three blocks, bf16": (600, 413),
}


@pytest.mark.parametrize("name, most_calls, most_returns", [(name, *most) for name, most in MOST.items()], ids=MOST)
def test_calls_stay_few(compiled, name, most_calls, most_returns):
    files = walk(workloads()[name])
    assert len(files) <= most_calls, collections.Counter(files)
    assert returns(files) <= most_returns, files
