"""Buffer donation: old values are overwritten exactly when nothing can read them any more.

A value below `LEAST_BYTES` is never overwritten. So whoever still wants an old value finds what the small one finds:
most tests compare a program on small arrays with the same program on large ones.
"""

import contextlib
import copy
import pathlib
import sys
import threading
import types
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import donation, speculation
from msgrad.engine.execution.executables import _Count

SMALL, LARGE = 4, 256
PACKAGE = str(pathlib.Path(ms.__file__).parent)


@pytest.fixture(autouse=True)
def _donates(monkeypatch):
    """Donates in PYNATIVE_MODE too, where small programs are launched speculatively and keep their old values."""
    monkeypatch.setattr(speculation, "MOST_BYTES", 0)


class Adding(nn.Cell):
    """Adds its input to its Parameter, and returns the sum of what the Parameter was."""

    def __init__(self, size):
        super().__init__()
        self.p = Parameter(Tensor(np.ones((size, size), np.float32)), name="p")

    def construct(self, x):
        before = self.p.sum()
        ops.assign_add(self.p, x)
        return before


def full(size, value):
    return Tensor(np.full((size, size), value, np.float32))


def large():
    """A Cell, and the input of its steps; the first step has been."""
    cell, x = Adding(LARGE), full(LARGE, 1)
    cell(x)
    return cell, x


def place(parameter):
    """Where a value lies in memory; whoever asks for it has no reference left afterwards."""
    return parameter._state_().unsafe_buffer_pointer()


def values(*arrays):
    """The value of each array that has one value only."""
    actual = []
    for array in arrays:
        array = array.asnumpy() if isinstance(array, Tensor) else np.asarray(array)
        assert (array == array.flat[0]).all()
        actual.append(float(array.flat[0]))
    return actual


# -- it happens ------------------------------------------------------------------------------------------------------


def test_a_parameter_is_written_over_its_old_value(mode):
    cell, x = Adding(LARGE), full(LARGE, 1)
    before = place(cell.p)
    for _ in range(3):
        cell(x)
        assert place(cell.p) == before
    assert values(cell.p) == [4.0]


def test_a_training_step_overwrites_parameters_and_moments(mode):
    net = nn.SequentialCell(nn.Dense(LARGE, LARGE), nn.ReLU(), nn.Dense(LARGE, LARGE))
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    x = Tensor(np.ones((2, LARGE), np.float32))
    replaced = [net[0].weight, net[2].weight, optimizer.moments[0], optimizer.moments[2]]
    before = [place(each) for each in replaced]
    for _ in range(3):
        step(x, x)
        assert sorted(map(place, replaced)) == sorted(before)


def test_an_optimizer_overwrites_what_it_updates(mode):
    weight = Parameter(full(LARGE, 1), name="weight")
    optimizer = nn.Momentum([weight], 0.5, 0.5)
    gradient = full(LARGE, 1)
    before = sorted([place(weight), place(optimizer.moments[0])])
    for _ in range(2):
        optimizer((gradient,))
    assert sorted([place(weight), place(optimizer.moments[0])]) == before
    assert values(weight, gradient) == [-0.25, 1.0]


def test_the_old_array_is_deleted(mode):
    cell, x = large()
    old = donation._Launch.expendable
    seen = []

    def expendable(launch, position, held, handles):
        array = old(launch, position, held + 1, handles)  # for this function's own
        seen.append(array)
        return array

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(donation._Launch, "expendable", expendable)
        cell(x)
    assert [array.is_deleted() for array in seen] == [True]


def test_small_values_are_left_alone(mode):
    cell, x = Adding(SMALL), full(SMALL, 1)
    before = cell.p._state_()
    cell(x)
    assert not before.is_deleted()


def test_who_holds_a_value_compiles_nothing(mode):
    cell, x = large()
    count = _Count.compiled
    for turn in range(3):
        kept = cell.p.value()
        cell(x)
        assert values(kept, cell.p) == [2.0 + 2 * turn, 3.0 + 2 * turn]
        del kept
        cell(x)
    assert _Count.compiled == count


# -- who may still want an old value ---------------------------------------------------------------------------------


def through_jax(take):
    """What ``take`` makes of the array, where nothing else refers to that array then."""
    return lambda p: take(jnp.asarray(p))


def pulled_back(p):
    """A function that differentiates later, at the value that ``p`` has now."""
    tangent_of = ops.linearize(lambda x: x * p, Tensor(np.ones(p.shape, np.float32)))[1]
    return lambda: tangent_of(Tensor(np.ones(p.shape, np.float32)))


HOLDERS = {
    "value": lambda p: p.value(),
    "copy": lambda p: p.copy(),
    "deepcopy": copy.deepcopy,
    "Parameter of it": lambda p: Parameter(p, name="q"),
    "clone": lambda p: p.clone(),
    "set_data": lambda p: Parameter(Tensor(np.zeros(p.shape, np.float32)), name="q").set_data(p),
    "assign": lambda p: ops.assign(Parameter(Tensor(np.zeros(p.shape, np.float32)), name="q"), p),
    "Tensor of it": lambda p: Tensor(p),
    "data": lambda p: p.data,
    "row": lambda p: p[0],
    "rows": lambda p: p[:],
    "reshape": lambda p: p.reshape(-1),
    "transpose": lambda p: p.T,
    "asnumpy": lambda p: p.asnumpy(),
    "part of asnumpy": lambda p: p.asnumpy()[1:],
    "numpy.asarray": np.asarray,
    "asarray": jnp.asarray,
    "device_put": through_jax(lambda array: jax.device_put(array, jax.devices()[0])),
    "device_put of the Parameter": lambda p: jax.device_put(p, jax.devices()[0]),
    "reshape in JAX": through_jax(lambda array: array.reshape(-1)),
    "numpy of JAX": through_jax(np.asarray),
    "shard": through_jax(lambda array: array.addressable_shards[0].data),
    "dlpack": np.from_dlpack,
    "dlpack of JAX": through_jax(np.from_dlpack),
    "leaves": lambda p: jax.tree.leaves(p)[0],
    "closure": lambda p: (lambda value: lambda: value)(p.value()),
    "linearize": pulled_back,
    "pending read": lambda p: (p @ p @ p).mean() / p.shape[0] ** 2,
    "pending read in JAX": lambda p: jax.jit(lambda array: (array @ array @ array).mean() / len(array) ** 2)(
        jnp.asarray(p)
    ),
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_an_old_value_that_is_held_stays_as_it_was(hold, mode):
    def program(size):
        cell, x = Adding(size), full(size, 1)
        cell(x)
        kept = hold(cell.p)
        results = []
        for _ in range(2):
            cell(x)
            results += values(kept() if callable(kept) else kept, cell.p)
        return results

    assert program(LARGE) == program(SMALL)


def test_parameters_that_share_a_value(mode):
    def program(size):
        first, second = Parameter(full(size, 1), name="first"), Parameter(full(size, 2), name="second")
        second.set_data(first)
        gradients = (full(size, 1), full(size, 2))
        optimizer = nn.SGD([first, second], 0.5)
        results = []
        for _ in range(2):
            optimizer(gradients)
            results += values(first, second)
        return results

    # One Parameter after the other is updated, and both are the same storage, as in MindSpore.
    assert program(LARGE) == program(SMALL) == [-0.5, -0.5, -2.0, -2.0]


def test_memory_of_numpy(mode):
    def program(size):
        array = np.ones((size, size), np.float32)
        cell = Adding(size)
        cell.p = Parameter(Tensor.from_numpy(array), name="p")
        tensor = Tensor.from_numpy(array)
        cell.p.set_data(tensor)
        results = []
        for _ in range(2):
            cell(full(size, 1))
            results += values(array, tensor, cell.p)
        return results

    assert program(LARGE) == program(SMALL)


def test_arrays_from_jax_stay_as_they_were(mode):
    array = jnp.ones((LARGE, LARGE)) * 3
    other = jax.device_put(array, jax.devices()[0])  # shares its memory
    cell = Adding(LARGE)
    cell.p.set_data(Tensor(array))
    del array
    cell(full(LARGE, 1))
    assert values(other, cell.p) == [3.0, 4.0]


def test_a_parameter_that_is_returned(mode):
    class Returning(Adding):
        def construct(self, x):
            super().construct(x)
            return self.p

    def program(size):
        cell, x = Returning(size), full(size, 1)
        results = [cell(x) for _ in range(3)]
        if mode == "PYNATIVE_MODE":
            assert results[0] is cell.p
        return values(*results, cell.p)

    assert program(LARGE) == program(SMALL)


def test_parameters_that_change_places(mode):
    class Swapping(nn.Cell):
        def __init__(self, size):
            super().__init__()
            self.a, self.b = Parameter(full(size, 1), name="a"), Parameter(full(size, 2), name="b")

        def construct(self):
            old = self.a.value()
            ops.assign(self.a, self.b)
            ops.assign(self.b, old * 1)
            return self.a + 0

    def program(size):
        cell, result = Swapping(size), []
        for _ in range(3):
            result += values(cell(), cell.a, cell.b)
        return result

    assert program(LARGE) == program(SMALL) == [2.0, 2.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0]


def test_a_look_in_the_middle_overwrites_nothing():
    class Looking(Adding):
        def construct(self, x):
            ops.assign_add(self.p, x)
            if self.p.sum() > 0:
                ops.assign_add(self.p, x)
            raise ValueError("after a look")

    cell, x = Looking(LARGE), full(LARGE, 1)
    with pytest.raises(ValueError, match="after a look"):
        cell(x)
    assert values(cell.p) == [1.0]


def test_a_cell_rebuilt_by_jax_has_its_own_values(mode):
    cell, x = large()
    other = jax.device_put(cell, jax.devices()[0])
    cell(x)
    assert values(other.p, cell.p) == [2.0, 3.0]
    other(x)
    other(x)
    assert values(other.p, cell.p) == [4.0, 3.0]


def test_under_jit_of_the_user_nothing_is_overwritten(mode):
    cell, x = large()
    old = cell.p._state_()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = jax.jit(lambda cell, array: jnp.asarray(cell(Tensor(array))))(cell, jnp.asarray(x))
    assert values(result / LARGE**2, old) == [2.0, 2.0]


# -- launches that fail, or that are interrupted ---------------------------------------------------------------------


def failing(monkeypatch, act):
    """Lets ``act(fn, given, kept)`` stand in for the next launch that overwrites."""
    original = donation.Overwriting.__call__

    def call(self, *args, **kwargs):
        fn = self.fn
        self.fn = types.SimpleNamespace(ready=lambda: lambda inputs, kept: act(fn.ready(), inputs, kept))
        try:
            return original(self, *args, **kwargs)
        finally:
            self.fn = fn

    monkeypatch.setattr(donation.Overwriting, "__call__", call)


def test_a_launch_that_fails_changes_nothing(mode, monkeypatch):
    cell, x = large()
    kept = cell.p.value()

    def act(fn, inputs, kept):
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 1234 bytes.")

    with monkeypatch.context() as patch:
        failing(patch, act)
        with pytest.raises(RuntimeError, match="^Allocate memory failed: 1,234 bytes"):
            cell(x)
    assert values(cell.p, kept) == [2.0, 2.0]
    del kept
    cell(x)
    assert values(cell.p) == [3.0]


def test_a_launch_that_fails_too_late_says_what_is_lost(mode, monkeypatch):
    cell, x = large()

    def act(fn, inputs, kept):
        fn(inputs, kept)
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        failing(patch, act)
        with pytest.raises(RuntimeError, match="old values of p had been overwritten"):
            cell(x)
    cell.p.set_data(full(LARGE, 7))
    cell(x)
    assert values(cell.p) == [8.0]


def test_a_call_interrupted_after_its_launch_has_happened(mode, monkeypatch):
    cell, x = large()
    view = cell.p[0]
    finish = donation._Launch.finish
    calls = []

    def interrupted(self, *args):
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        finish(self, *args)

    with monkeypatch.context() as patch:
        patch.setattr(donation._Launch, "finish", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cell(x)
    assert values(cell.p, view) == [3.0, 3.0]
    cell(x)
    assert values(cell.p, view) == [4.0, 4.0]


class Interrupt:
    """Interrupts the launch under it at the ``moment``-th place where Python may look for signals in msgrad.

    These are about where a function begins or ends, and where one of C's has returned.
    """

    CODE = donation.Overwriting.__call__.__code__

    def __init__(self, moment):
        self.moment = moment
        self.is_inside = self.has_struck = False

    def __enter__(self):
        self.before = sys.getprofile()
        sys.setprofile(self.profile)

    def __exit__(self, *error):
        sys.setprofile(self.before)

    def profile(self, frame, event, argument):
        if frame.f_code is self.CODE and event in ("call", "return"):
            self.is_inside = event == "call"
        if self.is_inside and event in ("call", "return", "c_return") and frame.f_code.co_filename.startswith(PACKAGE):
            self.moment -= 1
            if not self.moment:
                self.has_struck = True
                raise KeyboardInterrupt


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # one while a generator is closed
def test_an_interrupt_at_any_moment_of_a_launch_leaves_all_or_nothing_done(mode):
    class Twice(Adding):
        def __init__(self, size):
            super().__init__(size)
            self.q = Parameter(full(size, 1), name="q")

        def construct(self, x):
            ops.assign_add(self.q, x)
            return super().construct(x)

    cell, x = Twice(LARGE), full(LARGE, 1)
    cell(x)
    moment, expected = 0, 2.0
    has_struck = True
    while has_struck:
        moment += 1
        interrupt = Interrupt(moment)
        with contextlib.suppress(KeyboardInterrupt), interrupt:
            cell(x)
        has_struck = interrupt.has_struck
        first, second = values(cell.p + 0, cell.q + 0)
        assert first == second, moment
        assert first in (expected, expected + 1), moment
        expected = first
    assert moment > 20


# -- others who look during a launch ---------------------------------------------------------------------------------


def test_another_thread_that_reads_during_a_launch_waits_for_it(mode, monkeypatch):
    cell, x = large()
    actual = []

    def act(fn, inputs, kept):
        threads = [
            threading.Thread(target=lambda: actual.append(values(copy.deepcopy(cell.p)))),
            threading.Thread(target=lambda: actual.append(values(cell.p * 2))),
        ]
        for thread in threads:
            thread.start()
            thread.join(0.1)
            assert thread.is_alive()
        started.extend(threads)
        return fn(inputs, kept)

    started = []
    failing(monkeypatch, act)
    cell(x)
    for thread in started:
        thread.join()
    assert sorted(actual) == [[3.0], [6.0]]


def test_a_finalizer_that_reads_during_a_launch_gets_the_old_value(graph_mode, monkeypatch):
    cell, x = large()
    actual = []

    def act(fn, inputs, kept):
        actual.extend(values(cell.p * 1))
        return fn(inputs, kept)

    with monkeypatch.context() as patch:
        failing(patch, act)
        cell(x)
    assert (actual, values(cell.p)) == ([2.0], [3.0])


def test_deep_copies_in_another_thread_are_whole(mode):
    cell, x = large()
    ended, failures, seen = threading.Event(), [], []

    def copying():
        try:
            while not ended.is_set():
                seen.extend(values(copy.deepcopy(cell.p)))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=copying)
    thread.start()
    for _ in range(300):
        cell(x)
    ended.set()
    thread.join()
    assert not failures
    assert seen == sorted(seen)
    assert values(cell.p) == [302.0]
