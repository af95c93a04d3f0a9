"""Speculative launches: a steady call is launched when it begins, and only its speed differs."""

import gc
import weakref

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import speculation


@pytest.fixture
def launches(monkeypatch):
    """A function that gives the speculative launches since its last call: those that were used, and those in vain."""
    monkeypatch.setattr(speculation, "counts", dict.fromkeys(speculation.counts, 0))
    before = [0, 0]

    def since():
        now = list(speculation.counts.values())
        new = now[0] - before[0], now[1] - before[1]
        before[:] = now
        return new

    return since


def x32(*values):
    return Tensor(np.array(values, np.float32))


class Scaled(nn.Cell):
    """Its input by a Parameter; ``factor`` is a Python number, and ``more`` decides whether to add 1."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(x32(2.0), name="w")
        self.factor, self.more = 3.0, False

    def construct(self, x):
        y = x * self.w * self.factor
        return y + 1 if self.more else y


def test_a_steady_gradient_is_launched_when_it_begins(launches):
    net = Scaled()
    step = ms.value_and_grad(net, None, net.trainable_params())
    for value in range(8):
        loss, (gradient,) = step(x32(value))
        assert (loss.tolist(), gradient.tolist()) == ([6.0 * value], [3.0 * value])
    assert launches() == (6, 0)


def test_a_steady_training_step_is_launched_when_it_begins(launches, monkeypatch):
    def trained():
        ms.set_seed(1)
        net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dense(4, 2))
        rates = nn.exponential_decay_lr(0.1, 0.9, 6, 1, 1)
        optimizer = nn.Momentum(net.trainable_params(), rates, 0.9)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
        random = np.random.default_rng(0)
        batches = [[Tensor(random.normal(size=(5, n)).astype(np.float32)) for n in (3, 2)] for _ in range(6)]
        return [step(*batch).item() for batch in batches], [p.asnumpy().tobytes() for p in net.get_parameters()]

    speculative = trained()
    assert launches() == (4, 0)
    monkeypatch.setattr(speculation, "MOST_BYTES", -1)
    assert trained() == speculative
    assert launches() == (0, 0)


def test_a_large_gradient_is_launched_ahead_on_an_accelerator(launches, monkeypatch):
    monkeypatch.setattr(speculation, "MOST_BYTES", 0)
    gradient, layer = ms.grad(lambda x: (x * x).sum()), Scaled()
    for is_accelerator, expected in ((False, (0, 0)), (True, (4, 0))):
        if is_accelerator:
            monkeypatch.setattr(speculation.costs, "current", lambda: speculation.costs.ACCELERATOR)
        for value in range(8 if is_accelerator else 4):  # where the leaves come from is noted at the eighth call
            assert gradient(x32(value)).tolist() == [2.0 * value]
            layer(x32(value))  # it may overwrite old values, so its size counts
        assert launches() == expected


def test_random_keys_are_those_of_the_call(launches, monkeypatch):
    def drawn():
        ms.set_seed(5)
        layer, other, x = nn.Dropout(p=0.5).set_train(), nn.Dropout(p=0.5).set_train(), ops.ones((50,))
        step, values = ms.value_and_grad(lambda x: (layer(layer(x)) + other(x)).sum()), []
        for _ in range(4):
            values += step(x)
            values += [ops.dropout(x, 0.5), ops.rand(3)]  # draws between the calls
        step(x)
        ms.set_seed(7)
        values += step(x)
        return [value.asnumpy().tobytes() for value in values]

    speculative = drawn()
    assert launches() == (4, 0)
    monkeypatch.setattr(speculation, "MOST_BYTES", -1)
    assert drawn() == speculative


def test_a_cell_gives_what_its_parameters_are_at_the_call(launches):
    net = Scaled()
    for value in range(6):
        net.w.set_data(x32(value))
        assert net(x32(1.0)).tolist() == [3.0 * value]
    assert launches() == (4, 0)


def test_a_call_that_does_something_else_drops_the_launch(launches):
    net = Scaled()
    for _ in range(3):
        net(x32(1.0))
    assert launches() == (1, 0)
    net.more = True
    assert net(x32(1.0)).tolist() == [7.0]
    assert launches() == (0, 1)
    net.more, net.factor = False, 5.0  # the same program, another number
    for _ in range(3):
        net(x32(1.0))
    net.factor = 7.0
    assert net(x32(1.0)).tolist() == [14.0]


def test_a_call_that_alternates_is_soon_left_alone(launches):
    net = Scaled()
    for step in range(100):
        net.more = step % 3 == 0
        assert net(x32(1.0)).tolist() == [7.0 if net.more else 6.0]
    assert sum(launches()) <= 2


def test_other_shapes_launch_nothing(launches):
    net = Scaled()
    for _ in range(4):
        net(x32(1.0))
    launches()
    assert net(x32(1.0, 2.0)).tolist() == [6.0, 12.0]
    assert net(Tensor([1.0], ms.float16)).dtype == ms.float32
    assert launches() == (0, 0)


def test_an_error_in_a_launched_call_changes_nothing(launches):
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count, self.fails = Parameter(x32(0.0), name="count"), False

        def construct(self, x):
            ops.assign_add(self.count, x)
            if self.fails:
                raise KeyError("the user's")
            return self.count + x

    net = Counting()
    for _ in range(4):
        net(x32(1.0))
    assert launches() == (2, 0)
    net.fails = True
    with pytest.raises(KeyError, match="the user's"):
        net(x32(1.0))
    assert net.count.tolist() == [4.0]
    net.fails = False
    assert net(x32(1.0)).tolist() == [6.0]
    assert launches() == (0, 0)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + Tensor(np.arange(4, dtype=np.float32)),  # a tensor that each call makes anew
        lambda x: x + Tensor.from_numpy(np.arange(4, dtype=np.float32)),
    ],
)
def test_values_that_are_made_in_the_call_cannot_be_expected(function, launches):
    step = ms.grad(function)
    for _ in range(6):
        step(x32(1.0, 2.0, 3.0, 4.0))
    assert launches() == (0, 0)


def test_a_numpy_array_that_shares_its_memory_is_read_when_it_is_used(launches):
    array = np.ones(3, np.float32)
    step, x = ms.grad(lambda x: x * x), Tensor.from_numpy(array)
    for value in range(6):
        array[:] = value
        assert step(x).tolist() == [2.0 * value] * 3
    assert launches() == (0, 0)


def test_an_optimizer_on_its_own_overwrites_its_parameters(launches):
    weight = Parameter(Tensor(np.ones((256, 256), np.float32)), name="w")
    optimizer, gradient = nn.SGD([weight], 0.1), Tensor(np.ones((256, 256), np.float32))
    address = weight._state_().unsafe_buffer_pointer()
    for _ in range(5):
        gradients = (gradient * 1.0,)
        optimizer(gradients)
        assert weight._state_().unsafe_buffer_pointer() == address
    assert launches() == (0, 0)


def test_fewer_results_than_were_compiled(launches):
    """A value that is kept in some calls only compiles nothing; the others take a part of the results."""
    kept = []

    def f(x):
        y = x * x
        if len(kept) < 3:
            kept.append(y)
        return y * x

    step = ms.grad(f)
    assert [step(x32(value)).tolist() for value in range(7)] == [[3.0 * value**2] for value in range(7)]
    assert [y.tolist() for y in kept] == [[0.0], [1.0], [4.0]]
    assert sum(launches()) > 0


def test_what_is_kept_of_a_call_keeps_no_argument(launches):
    kept = []

    def f(x):
        kept.append(x * 2)
        return x * x

    step = ms.grad(f)
    for _ in range(4):
        x = x32(1.0)
        step(x)
    assert launches() == (2, 0)
    argument = weakref.ref(x)
    del x
    gc.collect()
    assert argument() is None


def test_what_is_expected_keeps_nothing_alive(launches):
    net = Scaled()
    step = ms.value_and_grad(net, None, net.trainable_params())
    for _ in range(4):
        step(x32(1.0))
    assert launches() == (2, 0)
    weight = weakref.ref(net.w)
    del net, step
    gc.collect()
    assert weight() is None
