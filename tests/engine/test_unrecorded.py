"""Calls of few small operations run unrecorded: only their speed differs."""

import itertools
import threading

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.calls import staging
from msgrad.engine.execution.tiers import Tiers
from msgrad.engine.recording.call_trace import CallTrace


@pytest.fixture
def recorded(monkeypatch):
    """A function that gives how many calls were recorded since its last call."""
    monkeypatch.setattr(Tiers, "allowed", True)
    opened = []

    class Counted(CallTrace):
        def __init__(self, *args, **kwargs):
            opened.append(self)
            super().__init__(*args, **kwargs)

    monkeypatch.setattr(staging, "CallTrace", Counted)

    def since():
        count = len(opened)
        opened.clear()
        return count

    return since


def x32(*values):
    return Tensor(np.array(values, np.float32))


class Net(nn.Cell):
    """A small net that does ``extra()`` as well."""

    def __init__(self):
        super().__init__()
        self.dense, self.norm = nn.Dense(3, 4), nn.LayerNorm([4])
        self.w = Parameter(x32(1.0, 2.0, 3.0, 4.0))
        self.extra = lambda y: y

    def construct(self, x):
        return self.extra(ops.softmax(self.norm(self.dense(x)) * self.w, -1))


def test_calls_of_small_operations_are_not_recorded_after_some(recorded):
    net, inputs = Net(), [x32([1.0, -2.0, value]) for value in range(8)]
    results = [net(x).asnumpy() for x in inputs]
    assert recorded() == 2
    Tiers.allowed = False
    for x, result in zip(inputs, results, strict=True):
        np.testing.assert_allclose(net(x).asnumpy(), result, rtol=2e-6)


class Wide(nn.Cell):
    """A row by weights that are too large for an operation outside of calls to take them at once."""

    def __init__(self, dtype=ms.float32):
        super().__init__()
        self.dense, self.words = nn.Dense(300, 200, dtype=dtype), Parameter(ops.ones((500, 200), dtype) / 7)
        self.kept = None

    def construct(self, x):
        self.kept = self.words.T
        return ops.matmul(ops.tanh(self.dense(x)), self.kept)


def test_rows_by_large_parameters_are_not_recorded_either(recorded):
    net, row = Wide(), Tensor(np.linspace(-1, 1, 300, dtype=np.float32)[None])
    hidden = np.tanh(row.asnumpy() @ net.dense.weight.asnumpy().T + net.dense.bias.asnumpy())
    for _ in range(6):
        np.testing.assert_allclose(net(row).asnumpy(), hidden @ net.words.asnumpy().T, rtol=1e-4, atol=1e-5)
    assert recorded() == 2


def test_a_view_of_a_parameter_that_an_unrecorded_call_keeps_follows_it(recorded):
    """Its values are a view of the memory of the Parameter, which training overwrites."""
    net, row = Wide(), Tensor(np.linspace(-1, 1, 300, dtype=np.float32)[None])
    for _ in range(4):
        net(row)
    optimizer = nn.SGD(net.trainable_params(), 1.0)
    kept, results = net.kept, [net(row).asnumpy()]
    for _ in range(6):
        optimizer(ms.grad(lambda x: net(x).sum(), None, optimizer.parameters)(row))
        results.append(net(row).asnumpy())
        np.testing.assert_array_equal(kept.asnumpy(), net.words.asnumpy().T)
    Tiers.allowed = False
    np.testing.assert_allclose(net(row).asnumpy(), results[-1], rtol=1e-4)
    assert all([abs(a - b).max() > 0.1 for a, b in itertools.pairwise(results)])


class Turned(nn.Cell):
    def construct(self, x):
        return x.transpose(2, 1, 0)


def test_results_of_unrecorded_calls_are_in_c_s_order_for_numpy(recorded):
    net, x = Turned(), Tensor(np.arange(12.0).reshape(1, 3, 4))
    for _ in range(5):
        result = net(x)
        array = result.asnumpy()
        assert array.flags.c_contiguous and array.tolist() == x.asnumpy().T.tolist()


def test_half_precision_parameters_are_launched(recorded):
    net, row = Wide(ms.bfloat16), Tensor(np.linspace(-1, 1, 300), ms.bfloat16)[None]
    results = [net(row).float().asnumpy() for _ in range(8)]
    np.testing.assert_allclose(results[0], results[-1], rtol=0.05, atol=0.05)


def test_a_call_that_launches_something_is_recorded_again(recorded):
    net, large = Net(), Tensor(np.ones((400, 20), np.float32))
    for _ in range(5):
        net(x32([1.0, 2.0, 3.0]))
    net.extra = lambda y: y + (large @ large.T).sum()
    recorded()
    for _ in range(6):
        result = net(x32([1.0, 2.0, 3.0]))
    assert recorded() == 5
    np.testing.assert_allclose(result.asnumpy().sum(), 4 * 400 * 400 * 20 + 1, rtol=1e-6)


def test_what_a_recorded_call_does_at_each_call_keeps_it_recorded(recorded):
    def reads(y):
        return y * float(y[0, 0])

    def writes(y):
        net.w.set_data(net.w + 1)
        return y

    def draws(y):
        return ops.dropout(y, 0.5)

    for extra in (reads, writes):
        net = Net()
        net.extra = extra
        for _ in range(6):
            net(x32([1.0, 2.0, 3.0]))
        assert recorded() >= 6, extra
    assert net.w.asnumpy().tolist() == [7, 8, 9, 10]
    values = []
    for is_allowed in (True, False):
        Tiers.allowed = is_allowed
        ms.set_seed(3)
        net = nn.Dropout(p=0.5).set_train()
        values.append([net(ops.ones(8)).asnumpy().tolist() for _ in range(6)])
    assert values[0] == values[1]


def test_an_error_undoes_the_writes_of_an_unrecorded_call(recorded):
    net = Net()
    row = net.w[1:]
    shared = Parameter(Tensor.from_numpy(np.array([5.0], np.float32)))
    array = shared.asnumpy()
    for _ in range(4):
        net(x32([1.0, 2.0, 3.0]))

    def fails(y):
        net.w.set_data(net.w * 2)
        net.w[0] = 9.0
        net.w[net.w > 3] = 0.0  # which gives it other storage
        ops.assign(shared, x32(6.0))
        raise ValueError("after writes")

    net.extra = fails
    with pytest.raises(ValueError, match="after writes"):
        net(x32([1.0, 2.0, 3.0]))
    net.w[1] = 5.0
    assert (net.w.tolist(), row.tolist()) == ([1, 5, 3, 4], [5, 3, 4])
    net.w[1] = 2.0
    assert shared.asnumpy().tolist() == array.tolist() == [5]
    # A write that is followed by no error counts.
    net.extra = lambda y: ops.assign(net.w, net.w * 2) + y
    for _ in range(3):
        net(x32([1.0, 2.0, 3.0]))
    assert net.w.asnumpy().tolist() == [8, 16, 24, 32]


def test_gradients_hooks_and_names_are_those_of_recorded_calls(recorded):
    net, seen = Net(), []
    for _ in range(4):
        net(x32([1.0, 2.0, 3.0]))
    gradient = ms.grad(net)(x32([1.0, 2.0, 3.0])).asnumpy()
    handle = net.dense.register_forward_hook(lambda cell, args, output: seen.append(output) or output * 2)
    doubled = [net(x32([1.0, 2.0, 3.0])).asnumpy() for _ in range(6)]
    assert len(seen) == 6
    np.testing.assert_array_equal(doubled[0], doubled[-1])
    handle.remove()
    np.testing.assert_allclose(ms.grad(net)(x32([1.0, 2.0, 3.0])).asnumpy(), gradient, rtol=1e-6)
    assert [name for name, _ in net.parameters_and_names()] == [
        "w",
        "dense.weight",
        "dense.bias",
        "norm.gamma",
        "norm.beta",
    ]


def test_inner_jit_functions_are_parts_of_an_unrecorded_call(recorded):
    net, runs = Net(), []

    @ms.jit
    def doubled(y):
        runs.append(None)
        return y * 2

    net.extra = doubled
    results = [net(x32([1.0, 2.0, 3.0])).asnumpy().tolist() for _ in range(5)]
    assert results[0] == results[-1] and len(runs) == 5


def test_calls_that_ask_what_is_recorded_are_recorded(recorded):
    class Status(nn.Cell):
        def construct(self, x):
            status = ops.NPUAllocFloatStatus()()
            ops.NPUClearFloatStatus()(status)
            y = 1 / x
            ops.NPUGetFloatStatus()(status)
            return status.sum(), y

    net = Status()
    assert [net(x32(float(number % 2)))[0].item() for number in range(6)] == [1, 0] * 3
    assert recorded() == 6


def test_calls_whose_passes_a_gradient_may_take_over_are_recorded(recorded):
    class Step(nn.Cell):
        """A call of a net, and its gradient if ``is_trained``."""

        def __init__(self, net):
            super().__init__()
            self.net, self.is_trained = net, False

        def construct(self, x):
            y = self.net(x)
            return ms.grad(self.net)(x) if self.is_trained else y

    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls = Parameter(x32(0.0), requires_grad=False)

        def construct(self, x):
            if self.training:
                ops.assign(self.calls, self.calls + 1)
            return x * x

    step = Step(Counting().set_grad())
    for _ in range(4):
        step(x32(1.0))
    assert recorded() == 4
    step.set_train()
    step.is_trained = True
    step(x32(1.0))
    assert step.net.calls.tolist() == [1]


def test_random_numbers_are_those_of_recorded_calls(recorded):
    uniform = ops.UniformReal(seed=3)

    @ms.jit
    def twice(y):
        return y * uniform((2,)) + uniform((2,))

    values = []
    for is_allowed in (True, False):
        Tiers.allowed = is_allowed
        ms.set_seed(3)
        uniform = ops.UniformReal(seed=3)
        net = Net()
        net.extra = lambda y: twice(y[0, :2])
        values.append([net(x32([1.0, 2.0, 3.0])).asnumpy() for _ in range(6)])
    np.testing.assert_allclose(values[0], values[1], rtol=1e-5)


def test_threads_share_a_cell_whose_calls_are_not_recorded(recorded):
    net, results = Net(), []
    for _ in range(3):
        expected = net(x32([1.0, 2.0, 3.0])).asnumpy()

    def call():
        results.extend([net(x32([1.0, 2.0, 3.0])).asnumpy() for _ in range(50)])

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 200
    for result in results:
        np.testing.assert_array_equal(result, expected)


MOVED = {
    "flip": lambda w: ops.flip(w, (0,)),
    "transpose": lambda w: w.T,
    "broadcast": lambda w: w[:1].broadcast_to((4, 3)),
    "slice": lambda w: w[1:3, ::2],
    "reverse": lambda w: w[::-1],
    "reshape": lambda w: w.reshape(-1),
    "the same dtype": lambda w: w.astype(ms.float32),
    "split": lambda w: ops.split(w, 2)[0],
    "stop_gradient": ops.stop_gradient,
    "depend": lambda w: ops.depend(w, w),
    "diagonal": ops.diagonal,
    "no padding": lambda w: ops.pad(w, (0, 0)),
    "concat of one": lambda w: ops.concat((w,)),
}


@pytest.mark.parametrize("name", MOVED)
def test_results_follow_a_parameter_as_recorded_ones_do(recorded, name):
    class Moving(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(np.arange(12, dtype=np.float32).reshape(4, 3)))

        def construct(self):
            return MOVED[name](self.w)

    values = []
    for is_allowed in (True, False):
        Tiers.allowed = is_allowed
        net, results = Moving(), []
        for call in range(4):
            results.append(net())
            ops.assign(net.w, net.w * 2 + call)
        values.append([result.tolist() for result in results])
    assert values[0] == values[1]
