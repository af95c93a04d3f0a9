"""Data from the host is concrete whatever JAX traces, no cache keeps it as a tracer; also in a forked child."""

import functools
import gc
import os
import signal
import subprocess
import sys
import textwrap
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine import host, waiting
from msgrad.engine.execution import execute, op_traces
from msgrad.engine.recording import program
from tests.op_cases import CASES, NAMES

X = jnp.asarray([1.0, 2.0], jnp.float32)


def forget_everything(monkeypatch):
    """Empties every cache of the package."""
    gc.unfreeze()  # `gc.get_objects` leaves out what msgrad and tests/conftest.py have frozen
    caches = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    gc.freeze()
    for each in caches:
        if each.__module__.startswith("msgrad."):
            each.cache_clear()
    monkeypatch.setattr(execute, "_jitted", {})
    monkeypatch.setattr(op_traces, "_traces", {})
    monkeypatch.setattr(program.Step, "_roots", {})


def tracers():
    """JAX's tracers that something still holds."""
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, jax.core.Tracer)]


PROGRAMS = {
    **{case.name: (case, case.expression) for case in CASES if case.inputs() and not case.parameters},
    **{f"{case.name}'": (case, face) for case in CASES if case.inputs() and not case.parameters for face in case.faces},
}


def failing_trace(run, *arrays):
    """Traces a function as ``jax.jit`` does; if it fails, as one does that looks at a value: JAX's trace."""
    traces = []

    def called(*xs):
        traces.append(xs[0]._trace)
        return jax.tree.map(jnp.asarray, run(*map(Tensor, xs)))

    try:
        jax.eval_shape(called, *arrays)
    except Exception:
        return traces[0]
    return None


def test_no_operation_leaves_a_tracer_in_a_cache(monkeypatch):
    known = set(map(id, tracers()))
    forget_everything(monkeypatch)
    names = {"ms": ms, "mint": ms.mint, "mnp": ms.numpy, "ops": ops, "nn": nn, "Tensor": Tensor}
    failing = []
    for case, expression in PROGRAMS.values():
        function = eval(f"lambda {', '.join(NAMES[: len(case.inputs())])}: {expression}", names)
        trace = failing_trace(function, *case.inputs())
        if trace is not None:
            failing.append(trace)
    assert len(failing) < len(PROGRAMS) / 20
    # JAX itself keeps the tracers of a trace that fails, if it had met a constant.
    assert not [each for each in tracers() if each._trace not in failing and id(each) not in known]


def test_no_recording_leaves_a_tracer_in_a_cache(monkeypatch, mode):
    known = set(map(id, tracers()))
    forget_everything(monkeypatch)
    layers = [nn.Dense(2, 2), nn.LayerNorm([2]), nn.BatchNorm1d(2), nn.Dropout(p=0.5).set_train(), nn.PReLU()]
    unused, shared = ms.Parameter(Tensor([1.0])), Tensor(np.ones(2, np.float32))
    shared.asnumpy()  # a host buffer, whose array is kept
    for program_ in (
        *layers,
        ms.grad(lambda x: (x[[1, 0]] * x[1] * 2.5 + shared).sum()),
        ms.grad(lambda x: x.sum(), weights=[unused]),
        lambda x: ms.jvp(lambda t: t * 3, x, x)[1],
        ms.vmap(lambda x: x * 1.25),
        ms.jit(lambda x: x * 1.75 + shared),
        lambda x: x.__setitem__(slice(0, 1), 7.0),
    ):
        assert failing_trace(program_, np.ones((3, 2), np.float32)) is None
    assert not [each for each in tracers() if id(each) not in known]


def test_what_is_first_met_under_jit_serves_afterwards(monkeypatch):
    forget_everything(monkeypatch)
    f, g = jax.jit(lambda a: jnp.asarray(Tensor(a) * 2.0)), jax.jit(lambda a: jnp.asarray(Tensor(a) * 2.0 + Tensor(a)))
    for _ in range(2):
        np.testing.assert_array_equal(f(X), X * 2)
        np.testing.assert_array_equal(g(X), X * 3)
    jax.jit(lambda a: jnp.asarray(Tensor(a)[[1, 0]]))(X)
    assert Tensor(X)[[1, 0]].tolist() == [2.0, 1.0]
    assert (Tensor(X) * 2.0).tolist() == [2.0, 4.0]


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, lambda f: jax.grad(lambda x: f(x).sum())])
def test_a_tensor_of_host_data_has_values_while_jax_traces(transform):
    seen = []

    def look(x):
        seen.append((Tensor([1, 2]).tolist(), int(Tensor(3)), Tensor(np.eye(2)).asnumpy().sum(), ops.eye(2).sum))
        return x

    transform(look)(X)
    assert seen[0][:3] == ([1, 2], 3, 2.0)


ARRAYS = [
    np.arange(12).reshape(3, 4).T,
    np.arange(12)[::-2],
    np.broadcast_to(np.arange(3.0), (4, 3)),
    np.asarray(3.0),
    np.zeros((0, 3)),
    np.ones((300, 301)).T,
    np.ones(3, bool),
    np.full(3, 1 + 2j),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test_arrays_of_any_layout(array):
    actual = host.to_device(array)
    assert (actual.shape, actual.dtype) == (array.shape, array.dtype)
    np.testing.assert_array_equal(np.asarray(actual), array)


def test_a_tensor_does_not_follow_its_data():
    for size in (3, 100_000):
        array = np.ones(size, np.float32)
        tensor = Tensor(array)
        array[:] = 7
        assert tensor.sum() == size


def test_another_shape_compiles_nothing():
    before = execute.report()
    for size in range(1, 20):
        Tensor(np.ones(size))
    assert execute.report() == before


CHILD = """
    import os, sys, warnings
    warnings.simplefilter("ignore")
    import numpy as np, msgrad as ms
    (ms.Tensor([1.0]) + 1).asnumpy()
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    for size in (3, 100_000, 3_000_001):
        assert ms.Tensor(np.full(size, 0.5)).asnumpy()[-1] == 0.5
        assert ms.Tensor(np.full(size, 0.5), ms.float32).asnumpy()[-1] == 0.5
        assert ms.Tensor.from_numpy(np.full(size, 0.5)).asnumpy()[-1] == 0.5
    assert ms.Tensor([[1, 2]]).tolist() == [[1, 2]]
    assert ms.Parameter(np.ones(3), name="p").asnumpy().sum() == 3
    os._exit(0)
"""


def test_a_forked_child_makes_tensors():
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(CHILD)], start_new_session=True)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    hangs = process.poll() is None
    if hangs:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert not hangs
    assert process.returncode == 0


class Late:
    """An array that is ready when it was asked ``turns`` times."""

    def __init__(self, turns):
        self.turns, self.asked = turns, 0

    def is_ready(self):
        self.asked += 1
        return self.asked > self.turns

    def block_until_ready(self):
        self.turns = 0


def asked_for(turns):
    array = Late(turns)
    waiting.wait(array)
    assert array.turns == 0  # awaited
    return array.asked


def test_a_wait_polls_where_that_pays(monkeypatch):
    monkeypatch.setattr(waiting, "Polling", type("Polling", (), {"left": 0, "skipped": 0}))
    interruptions = iter([])
    monkeypatch.setattr(waiting, "_interruptions", lambda: next(interruptions, 0))
    assert [asked_for(turns) for turns in (0, 100, 100)] == [1, 101, 101]
    # In vain, so 1, 3 and 7 waits do not ask; a value that is there already tells nothing.
    long = 10**6
    assert [asked_for(long) for _ in range(14)] == [2001, 1, 2001, 1, 1, 1, 2001, *[1] * 7]
    assert asked_for(0) == 1 and asked_for(100) == 101  # it pays again, at once
    assert [asked_for(100), asked_for(long), asked_for(100), asked_for(100)] == [101, 2001, 1, 101]
    interruptions = iter([4, 5])  # another thread needed the processor
    assert [asked_for(100), asked_for(100), asked_for(100)] == [101, 1, 101]
