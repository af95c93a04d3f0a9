"""Checks of values: on a CPU always, on an accelerator of values that the host has, or of all by ``MSGRAD_CHECKS``."""

import pytest

from msgrad import Tensor, ops
from msgrad.engine import host
from msgrad.tensor import host_values


@pytest.fixture
def accelerator(monkeypatch):
    """Lets the CPU play a device whose arrays the host must fetch."""
    for module in (host, host_values):
        monkeypatch.setattr(module, "is_cpu", lambda device: False)


def test_values_that_the_host_has_are_checked(accelerator):
    with pytest.raises(RuntimeError, match=r"For 'Gather', the 'input_indices' must be made of positions in"):
        ops.gather(ops.ones(3), Tensor([5]), 0)


def test_computed_values_are_checked_where_checks_may_fetch(accelerator, compiled, monkeypatch):
    positions = Tensor([4]) + 1
    assert ops.gather(ops.ones(3), positions, 0).shape == (1,)
    monkeypatch.setattr(host_values.Checks, "fetch", True)
    with pytest.raises(RuntimeError, match=r"For 'Gather'.* 5 "):
        ops.gather(ops.ones(3), positions, 0)
