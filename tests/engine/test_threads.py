"""Threads that share Tensors and Parameters: each sees the state before or after another's call, never in between."""

import sys
import threading

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

STEPS = 60


@pytest.fixture(autouse=True)
def eager_switching():
    """Lets threads interrupt each other a thousand times more often than usual."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(interval)


def x32(*values):
    return Tensor(np.array(values, np.float32))


class Beside:
    """Runs functions again and again in threads of their own while the body of the ``with`` runs."""

    def __init__(self, *functions):
        self.errors = []
        self.is_over = False
        self.threads = [threading.Thread(target=self._repeat, args=(function,)) for function in functions]

    def _repeat(self, function):
        try:
            while not self.is_over:
                function()
        except BaseException as error:
            self.errors.append(error)

    def __enter__(self):
        for thread in self.threads:
            thread.start()

    def __exit__(self, *error):
        self.is_over = True
        for thread in self.threads:
            thread.join()
        if self.errors:
            raise self.errors[0]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Dense(4, 8), nn.BatchNorm1d(8), nn.Dense(8, 2)

    def construct(self, x):
        return self.last(self.norm(self.first(x)))


def _net():
    random = np.random.RandomState(0)
    net = Net().set_train()
    for parameter in net.trainable_params():
        parameter.set_data(Tensor(random.randn(*parameter.shape).astype(np.float32) * 0.3))
    return net


def _trained(net):
    random = np.random.RandomState(1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.05, 0.9))
    for _ in range(STEPS):
        step(Tensor(random.randn(16, 4).astype(np.float32)), Tensor(random.randn(16, 2).astype(np.float32)))
    return [parameter.asnumpy().copy() for parameter in net.get_parameters()]


def _readers(net):
    def to_numpy():
        for parameter in net.get_parameters():
            assert parameter.asnumpy().shape == parameter.shape

    def operations():
        for parameter in net.get_parameters():
            assert (parameter * 2).asnumpy().shape == parameter.shape

    def call():
        net.last(Tensor(np.ones((1, 8), np.float32)))

    return to_numpy, operations, call


# What a reader keeps alive at the moment decides what a step returns: by chance 24 steps may need different programs.
@pytest.mark.filterwarnings("ignore:.*different programs and hardly reused any:RuntimeWarning")
def test_reading_beside_training_changes_neither(mode):
    expected = _trained(_net())
    for _ in range(2):
        net = _net()
        with Beside(*_readers(net)):
            trained = _trained(net)
        for actual, value in zip(trained, expected, strict=True):
            np.testing.assert_array_equal(actual, value)


def test_what_a_call_writes_shows_when_it_ends():
    w = Parameter(x32(1.0), name="w")
    seen = []

    def look():
        thread = threading.Thread(target=lambda: seen.append((w.asnumpy().tolist(), (w + 0).asnumpy().tolist())))
        thread.start()
        thread.join()

    class Writer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = w

        def construct(self, x):
            ops.assign(self.w, x)
            look()
            assert float(self.w) == 5.0
            look()
            return self.w * 2

    assert Writer()(x32(5.0)).asnumpy().tolist() == [10.0]
    look()
    assert seen == [([1.0], [1.0])] * 2 + [([5.0], [5.0])]


def test_one_parameter_is_the_argument_of_many_calls(mode):
    shared = Parameter(x32(1, 1, 1), name="p")

    def check(k):
        gradient = ms.grad(lambda a, b: (a * a * b).sum())
        factor = x32(k, k, k)

        def run():
            assert gradient(shared, factor).asnumpy().tolist() == [2 * k] * 3

        return run

    with Beside(*[check(k) for k in range(2, 5)]):
        for _ in range(STEPS):
            check(9)()


def test_a_worker_may_read_what_is_being_recorded():
    seen = []

    def read(y):
        thread = threading.Thread(target=lambda: seen.append(y.asnumpy().tolist()))
        thread.start()
        thread.join()

    def f(x):
        y = x * 2
        read(y)
        return y * y

    assert ms.grad(f)(x32(1, 2)).asnumpy().tolist() == [8.0, 16.0]
    assert seen == [[2.0, 4.0]]


def test_a_worker_may_not_compute_with_what_is_being_differentiated():
    def apart(function, y):
        raised = []

        def run():
            try:
                function(y)
            except RuntimeError as error:
                raised.append(str(error))

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        return raised

    def f(x):
        y = x * 2
        for function in (lambda y: y + 1, nn.ReLU(), ms.grad(lambda t: t * t)):
            (message,) = apart(function, y)
            assert "another thread is differentiating" in message
        return y

    assert ms.grad(f)(x32(1.0)).asnumpy().tolist() == [2.0]


def test_a_worker_computes_with_the_values_of_a_call():
    made = []

    class Net(nn.Cell):
        def construct(self, x):
            y = x * 3
            thread = threading.Thread(target=lambda: made.append(y + 1))
            thread.start()
            thread.join()
            return y + made[0]

    assert Net()(x32(1.0)).asnumpy().tolist() == [7.0]


def test_a_gradient_kept_by_a_closure_has_its_value(mode):
    kept = []

    class Net(nn.Cell):
        def construct(self, x):
            gradient = ms.grad(lambda t: t * t)(x)
            kept.append(gradient)
            return gradient + 1

    net = Net()
    assert net(x32(3.0)).asnumpy().tolist() == [7.0]
    assert (kept[0] * 2).asnumpy().tolist() == [12.0]


def test_gradients_by_parameters_made_inside_are_theirs():
    """What was written to a Tensor that is gone is nobody's, even if its place in memory is taken again."""
    base = x32(1, 2, 3)
    for _ in range(5):
        params = []

        def f(x, params=params):
            t = x * 1.0
            t[0] = 5.0 * x[0]
            y = (t * t).sum()
            del t
            params.append(Parameter(base, name="w"))
            return (params[0] * x).sum() + y

        _, gradients = ms.value_and_grad(f, None, weights=params)(x32(1, 2, 3))
        assert gradients[0].asnumpy().tolist() == [1.0, 2.0, 3.0]
