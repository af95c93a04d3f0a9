"""Barriers in deep programs of small arrays: where they are, what XLA makes of them, and that values stay the same."""

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution import tiers
from msgrad.engine.execution.executables import counts
from msgrad.engine.separation import barriers
from tests.helpers import assert_close

X = np.linspace(-1, 1, 32, dtype=np.float32).reshape(4, 8)


def deep(x):
    for _ in range(60):
        x = jax.numpy.tanh(x) - x.sum(1, keepdims=True)
    return x


def test_xla_keeps_the_barriers_of_a_cpu_program_between_equal_parts():
    jaxpr = jax.make_jaxpr(jax.jit(deep))(X)
    run = barriers.placed(jaxpr)
    compiled = jax.jit(run, compiler_options=barriers.OPTIONS).lower(X).compile()
    equations, _, _ = barriers.inlined(jaxpr.jaxpr)
    starts = barriers._starts(equations)
    assert compiled.as_text().count(" opt-barrier(") == len(starts) > len(equations) / 100
    # Before each start there is the same equation: layers of four (tanh, sum, its axis, difference) are cut alike.
    assert {equations[start].primitive.name for start in starts} == {"tanh"}
    np.testing.assert_allclose(run(X)[0], deep(X), rtol=1e-6)


def test_a_program_with_barriers_is_compiled_from_the_trace_that_it_was_made_of(monkeypatch):
    run = barriers.placed(jax.make_jaxpr(deep)(X))
    monkeypatch.setattr(jax.lax.tanh_p, "bind", lambda *_, **__: pytest.fail("bound again"))
    (call,) = jax.make_jaxpr(run)(X).eqns
    assert len(call.params["jaxpr"].eqns) > 120


def stored_between(x):
    for _ in range(150):
        x = jax.numpy.tanh(x @ x.T @ x) - x.sum(1, keepdims=True)
    return x


@pytest.mark.parametrize(
    ("function", "rows"),
    [
        *[(deep, 2048), (stored_between, 4)],
        *[(lambda x: x + 1, 4), (lambda x: (jax.debug.print("{}", x[0, 0]), deep(x))[1], 4)],
    ],
    ids=["large arrays", "products between the sums", "few equations", "effects"],
)
def test_other_programs_have_none(function, rows):
    assert barriers.placed(jax.make_jaxpr(function)(np.ones((rows, 8), np.float32))) is None


class Net(nn.Cell):
    """Dropout, a loop of JAX's, and Parameters that the step writes over; ``rank`` makes it another program."""

    def __init__(self, rank):
        super().__init__()
        self.rank = rank
        self.layers = nn.CellList([nn.Dense(8, 8, weight_init="ones") for _ in range(6)])
        self.dropout, self.scan = nn.Dropout(p=0.5), ops.Scan()

    def construct(self, x):
        for layer in self.layers:
            x = ops.softmax(self.dropout(ops.tanh(layer(x))), 1)
        total, _ = self.scan(lambda total, row: (total + row * total, row), x[0], list(ops.unstack(x)), 4)
        return (total * x).sum().reshape((1,) * self.rank).sum()


def trained(rank):
    ms.set_seed(3)
    net = Net(rank).set_train()
    step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    return [*[step(Tensor(X)) for _ in range(3)], *net.trainable_params()]


def test_a_training_step_with_barriers_has_the_same_values(mode, monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    before = counts["of these with barriers"]
    expected = trained(1)
    monkeypatch.setattr(barriers, "MOST_COPIES", 0)
    monkeypatch.setattr(barriers, "ALLOWED", False)
    for one, other in zip(expected, trained(2), strict=True):
        assert_close(other, one.asnumpy(), rtol=1e-5, atol=1e-6)
    assert counts["of these with barriers"] == before
    monkeypatch.setattr(barriers, "ALLOWED", True)
    for one, other in zip(expected, trained(3), strict=True):
        assert_close(other, one.asnumpy(), rtol=1e-5, atol=1e-6)
    assert counts["of these with barriers"] > before
