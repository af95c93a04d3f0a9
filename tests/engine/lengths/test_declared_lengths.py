"""Declared dynamic axes: the first program that is compiled serves many lengths, and what is recorded is not seen."""

import logging
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution import execute, families, tiers
from tests.engine.lengths.arrays import floats

LENGTHS = (20, 17, 23, 19, 24)  # one bucket
OPEN = Tensor(shape=[2, None, 6], dtype=ms.float32)


@pytest.fixture(autouse=True)
def compiled_at_once(monkeypatch, graph_mode):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    if sys.gettrace() is not None:
        pytest.skip("lines are traced already")


def compiled(run):
    """How many programs are compiled while ``run()`` runs."""
    before = execute.report()["programs compiled"]
    run()
    return execute.report()["programs compiled"] - before


class Net(nn.Cell):
    """Attention without parameters, of an activation, so that each test has a program of its own."""

    def __init__(self, activation):
        super().__init__()
        self.activation = activation

    def construct(self, x):
        batch, length, width = x.shape
        x = self.activation(x).reshape(batch, length, 2, width // 2).swapaxes(1, 2)
        x = ops.matmul(ops.softmax(ops.matmul(x, x.swapaxes(-1, -2)) / length, -1), x)
        return x.swapaxes(1, 2).reshape(batch, length, width)


def check(run, activation, count):
    """Checks the values, and how many programs they take."""
    arrays, results = [floats(2, length, 6) for length in LENGTHS], []
    assert compiled(lambda: results.extend([run(Tensor(array)).asnumpy() for array in arrays])) == count
    for array, result in zip(arrays, results, strict=True):
        x = activation(array).reshape(2, -1, 2, 3).swapaxes(1, 2)
        weights = np.exp(x @ x.swapaxes(-1, -2) / array.shape[1])
        expected = (weights / weights.sum(-1, keepdims=True) @ x).swapaxes(1, 2).reshape(array.shape)
        np.testing.assert_allclose(result, expected, rtol=2e-5, atol=2e-6)


def declared(net):
    net.set_inputs(OPEN)
    return net


def enabled(net):
    return ms.jit(ms.enable_dynamic(x=Tensor(shape=None, dtype=ms.float32))(lambda x: net(x)))


def compiled_cell(net):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return ms.jit(declared(net))


def symbolic(net):
    net.set_inputs(x=Tensor(shape=[2, ms.Symbol(min=17, max=30), 6], dtype=ms.float32))
    return net


MADE = [(declared, "sin", 1), (enabled, "cos", 1), (compiled_cell, "tanh", 1), (symbolic, "exp", 1),
        (lambda net: ms.jit(lambda x: net(x), dynamic=1), "square", 2)]  # fmt: skip


@pytest.mark.parametrize("make, activation, count", MADE, ids=lambda each: getattr(each, "__name__", ""))
def test_first_program_of_a_declared_axis_serves_many_lengths(make, activation, count):
    check(make(Net(getattr(ops, activation))), getattr(np, activation), count)


def test_two_declared_axes_share_one_program():
    net = nn.SequentialCell(nn.Dense(6, 4), nn.Softmax(1))
    net.set_inputs(Tensor(shape=[None, None, 6], dtype=ms.float32))
    xs = [floats(*lengths, 6) for lengths in ((20, 30), (24, 26), (17, 32))]
    assert compiled(lambda: [net(Tensor(x)).asnumpy() for x in xs]) == 1
    weight, bias = net[0].weight.asnumpy(), net[0].bias.asnumpy()
    for x in xs:
        np.testing.assert_allclose(ops.softmax(Tensor(x @ weight.T + bias), 1), net(Tensor(x)), rtol=1e-5, atol=1e-7)


def test_training_step_of_a_declared_axis_draws_the_same_random_numbers(monkeypatch):
    def losses(is_declared, lengths):
        ms.set_seed(4)
        net = nn.SequentialCell(nn.Dense(6, 5), nn.Dropout(p=0.5), nn.LayerNorm((5,)))
        net = nn.WithLossCell(net, nn.MSELoss())
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.1)).set_train()
        if is_declared:
            step.set_inputs(OPEN, Tensor(shape=[2, None, 5], dtype=ms.float32))
        pairs = [(Tensor(floats(2, each, 6)), Tensor(floats(2, each, 5))) for each in lengths]
        return [float(step(*pair)) for pair in pairs]

    results = losses(True, (20, 17, 23))
    monkeypatch.setattr(families, "ALLOWED", False)
    np.testing.assert_allclose(results, losses(False, (20, 17, 23)), rtol=2e-6)


def test_call_that_takes_even_lengths_alone_shares_one_program():
    def halves(x):
        if x.shape[1] % 2:
            raise ValueError("odd")
        return x.reshape(2, x.shape[1] // 2, 12).sum(-1) * 0.7

    run = ms.jit(ms.enable_dynamic(x=OPEN)(halves))
    xs = [floats(2, length, 6) for length in (20, 18, 22)]
    assert compiled(lambda: [run(Tensor(x)).asnumpy() for x in xs]) == 1
    for x in xs:
        np.testing.assert_allclose(run(Tensor(x)).asnumpy(), x.reshape(2, -1, 12).sum(-1) * 0.7, rtol=1e-5, atol=1e-6)


# -- what is recorded at other sizes is not seen -----------------------------------------------------------------------

SEEN = []


def longer(x):
    if x.shape[1] >= 20:
        return x * 0.9
    SEEN.append(x.shape)
    return x * 0.8


def shorter(x):
    try:
        if x.shape[1] < 20:
            SEEN.append(x.shape)
    except Exception:
        SEEN.append("caught")
    return x * 1.1


def logged(x):
    logging.getLogger("user").warning("%s", x.shape)
    return x * 1.2


def drawn(x):
    return x * float(np.random.rand())


def stored(x):
    STORED["shape"] = x.shape
    return x * 1.3


STORED = {}


@pytest.mark.parametrize("function", [longer, shorter])
def test_lines_that_the_call_does_not_run_are_not_run_for_other_sizes(function):
    SEEN.clear()
    run = ms.jit(ms.enable_dynamic(x=OPEN)(function))
    run(Tensor(floats(2, 20, 6)))
    assert not SEEN
    run(Tensor(floats(2, 19, 6)))
    assert SEEN == [(2, 19, 6)]


def test_random_numbers_of_numpy_are_drawn_once():
    run = ms.jit(ms.enable_dynamic(x=OPEN)(drawn))
    np.random.seed(3)
    run(Tensor(floats(2, 20, 6)))
    after = np.random.rand()
    np.random.seed(3)
    np.random.rand()
    assert after == np.random.rand()


def test_what_the_call_writes_is_of_its_own_size():
    run = ms.jit(ms.enable_dynamic(x=OPEN)(stored))
    run(Tensor(floats(2, 20, 6)))
    assert STORED["shape"] == (2, 20, 6)


def test_records_of_the_log_are_those_of_the_call(caplog):
    run = ms.jit(ms.enable_dynamic(x=OPEN)(logged))
    run(Tensor(floats(2, 20, 6)))
    assert caplog.messages == ["(2, 20, 6)"]
