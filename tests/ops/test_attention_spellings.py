"""Attention as users write it is recognised, where no value of it has another use, and gives the same."""

import math

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, mint, nn, ops
from msgrad._common.device import set_deterministic
from msgrad.engine.execution import execute
from msgrad.engine.fusion import Fusion
from msgrad.engine.recording.program import Step
from msgrad.ops.attention import formulations, kernel, spellings
from tests.helpers import assert_close

RANDOM = np.random.RandomState(0)
SHAPE = 2, 2, 5, 8
QUERY, KEY, VALUE = (Tensor(RANDOM.standard_normal(SHAPE).astype(np.float32)) for _ in range(3))
SHOWN = Tensor(np.tri(5) > 0)
HIDDEN = SHOWN.logical_not()
PADDING = Tensor((RANDOM.rand(2, 1, 1, 5) < 0.2).astype(np.float32))
ADDED = Tensor(np.where(np.tri(5) > 0, 0, -1e9).astype(np.float32))
NAMES = {
    **{"ms": ms, "ops": ops, "mint": mint, "nn": nn, "math": math, "F": mint.nn.functional, "Tensor": Tensor},
    **{"shown": SHOWN, "hidden": HIDDEN, "padding": PADDING, "added": ADDED},
    **{"product": ops.BatchMatMul(), "product_t": ops.BatchMatMul(transpose_b=True), "along": ops.Softmax(-1)},
}

# Of q, k and v; s is the plain product of q and k, and w a plain softmax.
S, W = "ops.matmul(q, k.swapaxes(-1, -2))", "ops.softmax(s, -1)"
RECOGNISED = [
    "product(along(product_t(q, k) / math.sqrt(8) + (1.0 - padding) * -10000.0), v)",
    "ops.matmul(nn.Softmax(-1)(ops.matmul(q * 0.3, k.transpose(0, 1, 3, 2)) + added), v)",
    "ops.matmul(ops.softmax(ops.matmul(q, k.mT * 0.3) - padding * 1e4, axis=-1), v)",
    "mint.matmul(F.softmax(mint.matmul(q, mint.transpose(k, 2, 3)).masked_fill(hidden, float('-inf')), dim=-1), v)",
    f"ops.matmul(mint.softmax(mint.div({S}, 8**0.5), -1, dtype=ms.float32).astype(q.dtype), v)",
    f"ops.softmax(({S}).astype(ms.float64) * 0.3 + added, -1).astype(ms.float32) @ v",
    f"ops.matmul(ops.softmax(ops.where(shown, {S}, -1e9), -1), v)",
    f"ops.matmul(ops.softmax(ops.where(hidden, Tensor(-1e9), {S}), -1), v)",
    f"ops.matmul(ops.softmax(ops.select(shown.broadcast_to((2, 2, 5, 5)), {S}, ops.full((2, 2, 5, 5), -1e9)), -1), v)",
    f"ops.matmul(ops.softmax(({S}).masked_fill(hidden, 0.5) * 0.3, -1), v)",
    f"ops.matmul(ops.dropout(ops.softmax({S}, -1), 0.25), v)",
    f"ops.matmul(ops.Dropout(0.75)(ops.softmax({S}, -1))[0].astype(ms.float32), v)",
    "ops.einsum('bqhd,bhkd->bqhd', q.swapaxes(1, 2), v) * 0 + ops.einsum('bhqk,bhkd->bqhd', "
    "ops.softmax(ops.einsum('bqhd,bkhd->bhqk', q.swapaxes(1, 2), k.swapaxes(1, 2)) * 0.3, -1), v)",
    "ops.matmul(ops.softmax(ops.matmul(q, ops.repeat_interleave(k[:, :1], 2, 1).mT), -1), v[:, :1].tile((1, 2, 1, 1)))",
    "ops.bmm(ops.softmax((ops.bmm(q.view(4, 5, 8), k.view(4, 5, 8).mT).view(2, 2, 5, 5) + padding).view(4, 5, 5), -1),"
    " v.view(4, 5, 8)).view(2, 2, 5, 8)",
    "ops.matmul(ops.softmax(ops.matmul(q[0, 0], k[0, 0].T) * 0.3 + added, -1), v[0, 0])",
]
KEPT_APART = {
    "another axis": f"ops.matmul(ops.softmax({S}, 2), v)",
    "the weights are used": f"[w := ops.softmax({S}, -1), ops.matmul(w, v) + w.sum()][1]",
    "the scores are used": f"[s := {S}, ops.matmul(ops.softmax(s, -1), v) + s.sum()][1]",
    "a scale of each head": f"ops.matmul(ops.softmax({S} * ops.ones((2, 1, 1)), -1), v)",
    "weights on the right": f"ops.matmul(v.mT, ops.softmax({S}, -1))",
    "scores that broadcast": "ops.softmax(ops.matmul(q[:, :1], k.mT[:, :1]) + padding.tile((1, 2, 5, 1)), -1) @ v",
    "a function between": f"ops.matmul(ops.softmax(ops.tanh({S}), -1), v)",
}


@pytest.fixture(autouse=True)
def _short_sequences_pay(monkeypatch, compiled):
    monkeypatch.setattr(kernel, "_LONG", 1)
    monkeypatch.setattr(formulations, "_ROWS", 2)


@pytest.fixture
def found(monkeypatch):
    """Counts how often attention is recognised and lowered."""
    calls, attention = [], spellings.attention
    monkeypatch.setattr(spellings, "attention", lambda *args: calls.append(args) or attention(*args))
    return calls


def gradients(text, monkeypatch):
    monkeypatch.setattr(Step, "_roots", {})  # no program is compiled yet
    monkeypatch.setattr(execute, "_sites", {})  # and no warning that they change
    ms.set_seed(3)
    of = eval(f"lambda q, k, v: {text}", dict(NAMES))

    def loss(q, k, v):
        attended = of(q, k, v)
        return (attended * ops.cos(attended)).sum(), attended

    return ms.value_and_grad(loss, (0, 1, 2), has_aux=True)(QUERY, KEY, VALUE)


@pytest.mark.parametrize("text", RECOGNISED)
def test_recognised(text, found, monkeypatch, mode):
    actual = gradients(text, monkeypatch)
    assert found
    monkeypatch.setattr(Fusion, "allowed", False)
    found.clear()
    assert_close(actual, gradients(text, monkeypatch), rtol=1e-5, atol=1e-5)
    assert not found


@pytest.mark.parametrize("name", KEPT_APART)
def test_kept_apart(name, found, monkeypatch):
    gradients(KEPT_APART[name], monkeypatch)
    assert not found


def test_layers_are_recognised_unless_results_must_repeat(found, monkeypatch):
    layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0)
    inputs = Tensor(RANDOM.standard_normal((5, 2, 8)).astype(np.float32))
    gradient = ms.grad(lambda x: layer(x, ADDED).sum())
    monkeypatch.setattr(Step, "_roots", {})
    actual = gradient(inputs)
    assert len(found) == 1
    set_deterministic(True)
    try:
        monkeypatch.setattr(Step, "_roots", {})
        assert_close(actual, gradient(inputs), rtol=1e-4, atol=1e-5)
    finally:
        set_deterministic(False)
    assert len(found) == 1


def test_a_hook_sees_what_is_written(found, monkeypatch):
    """A hook on the weights is a use of them."""

    def of(q, hook):
        weights = ops.softmax(ops.matmul(q, KEY.mT), -1)
        if hook:
            weights.register_hook(lambda gradient: gradient * 2)
        return (ops.matmul(weights, VALUE) * VALUE).sum()

    monkeypatch.setattr(Step, "_roots", {})
    doubled = ms.grad(of)(QUERY, True)
    assert not found
    assert_close(doubled, ms.grad(of)(QUERY, False) * 2, rtol=1e-5, atol=1e-5)
    assert found
