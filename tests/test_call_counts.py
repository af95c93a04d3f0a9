"""The number of Python calls of an operation, a gradient and a training step, once compiled, in PYNATIVE_MODE."""

import pytest

from .benchmarks.calls import count, workloads

MOST = {
    "x + x": 8,
    "ops.softmax(x)": 7,
    "ops.softmax(x, 0)": 9,
    "nn.Conv2d(...)(image)": 38,
    "grad of three layers": 90,
    "training step of three layers": 142,
    "grad of three blocks, bf16": 600,
}


@pytest.mark.parametrize("name, most", MOST.items(), ids=MOST)
def test_calls_stay_few(compiled, name, most):
    calls = count(workloads()[name])
    assert calls.total() <= most, calls
