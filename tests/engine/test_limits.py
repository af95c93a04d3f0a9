"""Bounded caches (compiled operations, Plans, Programs), and limits of the machine."""

import contextlib
import gc
import os
import subprocess
import sys
import textwrap
import weakref

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.calls import staging
from msgrad.engine.execution import disk_cache, executables, execute, families
from msgrad.engine.recording import program


def test_compiled_operations_are_bounded(monkeypatch):
    monkeypatch.setattr(execute, "_jitted", {})
    monkeypatch.setattr(execute, "_MOST_OPERATIONS", 8)
    x = Tensor(np.arange(40.0, dtype=np.float32))
    for k in range(30):
        assert ops.roll(x, k, 0)[k].item() == 0
        assert len(execute._jitted) <= 8
    assert ops.roll(x, 1, 0)[1].item() == 0


def test_programs_are_bounded_and_given_back(monkeypatch):
    monkeypatch.setattr(program.Step, "_roots", {})
    monkeypatch.setattr(program.Step, "limit", 40)
    monkeypatch.setattr(execute, "_sites", {})
    made = weakref.WeakSet()

    class Watched(program.Program):
        def __init__(self, step):
            made.add(self)
            super().__init__(step)

    monkeypatch.setattr(program, "Program", Watched)
    for k in range(64):
        step = eval(f"lambda x: x.sum() * {'x.sum() * ' * k} 2")  # each a site and a program of its own
        ms.grad(step)(Tensor([1.0, 2.0]))
    execute._sites.clear()  # a site holds its last program
    gc.collect()
    assert 0 < len(made) <= 22


@pytest.fixture
def few_executables(monkeypatch):
    """Eight executables may be alive; those of other tests are dropped, or not counted."""
    executables.drop(0)
    monkeypatch.setattr(executables, "_alive", weakref.WeakSet())
    monkeypatch.setattr(executables, "LIMIT", 8 * (executables._SMALL + executables._BY_JAX))
    monkeypatch.setattr(executables, "_RECENT", 4)
    monkeypatch.setattr(families, "ALLOWED", False)  # each length compiles a program of its own
    monkeypatch.setattr(executables._Count, "until_look", 0)
    yield
    monkeypatch.undo()
    executables._Count.until_look = 0


@pytest.mark.parametrize("setting, limit", [("", 1 << 28), ("1000", 1_500_000_000), ("0", 1 << 28), ("many", 1 << 28)])
def test_the_memory_of_executables_is_settable(monkeypatch, setting, limit):
    monkeypatch.setenv("MSGRAD_EXECUTABLES", setting)
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 1 << 12}.get)
    refused = setting in ("0", "many")
    with pytest.warns(RuntimeWarning, match="must be a positive int") if refused else contextlib.nullcontext():
        assert executables._limit() == limit


def alive():
    return len(executables._alive)


def test_executables_of_an_operation_are_bounded(few_executables):
    for length in range(1, 50):
        x = Tensor(np.arange(length, dtype=np.float32))
        assert (x + 1).asnumpy().tolist() == list(range(1, length + 1))
        assert alive() <= 10


def test_executables_of_programs_are_bounded_but_for_those_in_use(few_executables):
    step = ms.value_and_grad(lambda x: (x * x).sum())
    first, used = Tensor([3.0]), Tensor([1.0, 2.0])
    step(first)
    compiled = executables._Count.compiled
    for length in range(3, 20):
        step(Tensor(np.ones(length, np.float32)))
        assert step(used)[1].asnumpy().tolist() == [2.0, 4.0]
        assert alive() <= 10
    assert executables._Count.compiled == compiled + 18  # one for each length: that of `used` has stayed
    assert step(first)[0].item() == 9
    assert executables._Count.compiled == compiled + 19


def test_a_generation_keeps_its_executables(few_executables, monkeypatch):
    monkeypatch.setattr(executables._Count, "compiled", 10_000)  # so that none is recent
    kept = [executables.Executable(len, (len,), operations=100) for _ in range(48)]  # four layers, 48 lengths
    for each in kept:
        each.compiled = len
        executables._alive.add(each)
    before, after = executables.drop(executables._MOST)
    assert before == after == sum(each.size() for each in kept)
    executables.drop(executables._MOST // 2)
    assert 0 < alive() < 48


def test_many_large_programs_are_looked_at_before_many_are_compiled(few_executables, monkeypatch):
    looks = []
    monkeypatch.setattr(executables, "LIMIT", 1 << 30)
    monkeypatch.setattr(executables._Count, "until_look", 1 << 30)
    monkeypatch.setattr(executables, "drop", lambda limit: looks.append(limit) or (0, 0))
    for number in range(1, 40):
        executables.Executable(len, (len,), operations=300)._launched_by(len)
        executables._note(executables.COMPILED, 0.0)
        assert len(looks) == number // 23  # 47 MB each


def test_what_was_dropped_is_found_on_disk(few_executables, tmp_path, monkeypatch):
    monkeypatch.setattr(disk_cache.Private, "folder", str(tmp_path))
    monkeypatch.setattr(disk_cache.Code, "folder", str(tmp_path))
    monkeypatch.setattr(executables, "_RECENT", 0)
    net = nn.Dense(3, 2)
    step = ms.value_and_grad(lambda x: ops.tanh(net(x)).sum(), None, net.trainable_params())
    calls = (lambda x: step(x)[0], net, ops.exp)
    results = []
    for _ in range(2):
        before = dict(executables.counts)
        results.append([call(Tensor(np.full((5, 3), 0.25, np.float32))).asnumpy() for call in calls])
        executables.drop(0)
        assert not alive()
    np.testing.assert_equal(*results)
    found, *compiled = (
        executables.counts[name] - before[name]
        for name in ("found on disk", "programs compiled", "operations compiled")
    )
    assert found == sum(compiled) >= 3


def test_plans_are_bounded(monkeypatch):
    monkeypatch.setattr(staging, "_MOST_PLANS", 8)

    class Scaled(nn.Cell):
        def construct(self, x, factor):
            return x * factor

    net = Scaled()
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        for k in range(30):
            assert net(Tensor([2.0]), k + 0.5).item() == 2 * k + 1
        assert len(net._plans_.plans) == 8
        assert net(Tensor([2.0]), 0.5).item() == 1
    finally:
        ms.set_context(mode=before)


HUGE = 1 << 45


class Huge(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor([0.0]), name="count")

    def construct(self, x):
        ops.assign_add(self.count, ops.ones((1,), ms.float32))
        return (ops.zeros((HUGE,), ms.float32) + x, self.count)


@pytest.mark.skipif(jax.default_backend() != "cpu", reason="how much is too much is known of a CPU")
def test_memory_that_runs_out_is_an_error_that_changes_nothing(mode):
    net = Huge()
    for call in (lambda: ops.zeros((HUGE,), ms.float32), lambda: net(Tensor([1.0]))):
        with pytest.raises(RuntimeError, match="Allocate memory failed: .* do not fit") as caught:
            result = call()
            (result[0] if isinstance(result, tuple) else result).asnumpy()
        assert "RESOURCE_EXHAUSTED" not in str(caught.value)
        assert not isinstance(caught.value, jax.errors.JaxRuntimeError)
    assert net.count.asnumpy().tolist() == [0.0]


def test_what_a_device_says_is_restated():
    def failing(x):
        raise jax.errors.JaxRuntimeError("INTERNAL: the fan is broken\nmore")

    with pytest.raises(RuntimeError, match="The device failed to compute it: INTERNAL: the fan is broken$"):
        executables.Executable(failing, (failing,))(1)


HOMELESS = """
    import os, pwd
    os.environ.pop("HOME", None)
    def nobody(uid):
        raise KeyError(uid)
    pwd.getpwuid = nobody
    import msgrad as ms
    assert (ms.Tensor([1.0]) + 1).tolist() == [2.0]
"""


@pytest.mark.parametrize("setting", ["off", "", None])
def test_no_home_folder_is_needed(setting):
    environment = {**os.environ, "MSGRAD_CACHE": setting}
    if setting is None:
        del environment["MSGRAD_CACHE"]
    subprocess.run([sys.executable, "-c", textwrap.dedent(HOMELESS)], env=environment, check=True)
