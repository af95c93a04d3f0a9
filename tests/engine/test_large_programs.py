"""Programs too large to be compiled as a whole: they run in pieces, with the same values."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution import execute
from msgrad.engine.recording import record
from msgrad.engine.recording.program import Step
from tests.helpers import assert_close


class Cell(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(3, 3), nn.Dense(3, 3)

    def construct(self, x):
        return ops.tanh(self.b(ops.relu(self.a(x)))) * 0.5 + x * 0.5


class Unrolled(nn.Cell):
    def __init__(self, turns):
        super().__init__()
        self.cell, self.turns = Cell(), turns

    def construct(self, x):
        for _ in range(self.turns):
            x = self.cell(x)
        return (x * x).sum()


X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


def _aux(net, x):
    def function(x):
        kept = [x := net.cell(x) for _ in range(net.turns)]
        return x.sum(), kept

    (value, kept), gradient = ms.value_and_grad(function, 0, has_aux=True)(x)
    return [value, *kept, gradient]


def _trained(net, x):
    step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    return [*[step(x) for _ in range(2)], *[p + 0 for p in net.trainable_params()]]


def _pulled(net, x):
    output, pull = ms.vjp(net, x)
    return [output, *pull(Tensor(1.0))]


CALLS = {
    "call": lambda net, x: [net(x)],
    "gradient": lambda net, x: list(ms.grad(net, None, net.trainable_params())(x)),
    "gradient of a gradient": lambda net, x: [ms.grad(lambda x: ms.grad(net)(x).sum())(x)],
    "jvp": lambda net, x: list(ms.jvp(net, x, ops.ones_like(x))),
    "vjp": _pulled,
    "values kept": _aux,
    "training": _trained,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_pieces_give_the_same_values(call, mode, interpreted, monkeypatch):
    def results():
        ms.set_seed(1)
        return [each.asnumpy() for each in call(Unrolled(6), Tensor(X))]

    expected = results()
    monkeypatch.setattr(execute, "LARGE", 20)
    monkeypatch.setattr(execute, "LARGE_PIECE", 12)
    monkeypatch.setattr(Step, "_roots", {})  # what is compiled as a whole stays with the Steps
    for actual, one in zip(results(), expected, strict=True):
        assert_close(actual, one, rtol=1e-5, atol=1e-6)


def _program(turns):
    net = Unrolled(turns)
    with record.part("large") as trace:
        net(Tensor(X))
        return trace.step.close()


@pytest.mark.parametrize("size", [10, 16, 40])
def test_pieces_of_a_repeated_cell_are_the_same(size):
    distinct = []
    for turns in (20, 60):
        pieces, moved = _program(turns).pieces(size)
        assert sum(step.count for step, _ in pieces) == len(moved)
        distinct.append({step for step, _ in pieces})
    assert len(distinct[0]) <= 5  # the first, the last, and one or two between
    assert len(distinct[0] | distinct[1]) <= 7  # a longer loop has no others but its last


def test_a_training_step_of_a_large_program_is_recorded_once(graph_mode, monkeypatch):
    monkeypatch.setattr(execute, "LARGE", 20)
    monkeypatch.setattr(execute, "LARGE_PIECE", 12)
    net = Unrolled(6)
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    losses = [step(Tensor(X)).item() for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]
    assert len(step._plans_.plans) == 1
