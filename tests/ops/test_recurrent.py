"""The recurrent Primitives against each other, and the scan along time against a loop."""

import jax.numpy as jnp
import numpy as np
import pytest

from msgrad import Tensor, ops
from msgrad.ops.recurrent import scanned

from ..helpers import assert_close

RANDOM = np.random.RandomState(0)
TIMES, BATCH, INPUTS, HIDDEN = 4, 3, 2, 5


def drawn(*shape):
    return RANDOM.uniform(-1, 1, shape).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_dynamic_rnn_is_lstm_with_gates_in_another_order():
    x, h, c = drawn(TIMES, BATCH, INPUTS), drawn(1, BATCH, HIDDEN), drawn(1, BATCH, HIDDEN)
    from_input, from_state, bias = drawn(4, HIDDEN, INPUTS), drawn(4, HIDDEN, HIDDEN), drawn(4, HIDDEN)
    flat = np.concatenate([from_input.ravel(), from_state.ravel(), bias.ravel()]).reshape(-1, 1, 1)
    states, last, cell, _, _ = ops.LSTM(INPUTS, HIDDEN, 1, True, False, 0.0)(*map(Tensor, (x, h, c, flat)))
    order = [0, 2, 1, 3]  # input, new, forget, output
    weight = np.concatenate([from_input, from_state], 2)[order].reshape(4 * HIDDEN, -1).T
    found = ops.DynamicRNN()(Tensor(x), Tensor(weight), Tensor(bias[order].ravel()), None, Tensor(h), Tensor(c))
    assert_close(found[0].asnumpy(), states.asnumpy())
    assert_close(found[1].asnumpy()[-1:], last.asnumpy())
    assert_close(found[2].asnumpy()[-1:], cell.asnumpy())
    assert_close(found[7].asnumpy(), np.tanh(found[2].asnumpy()))


@pytest.mark.parametrize("reset_after", [True, False])
@pytest.mark.parametrize("order", ["rzh", "zrh"])
def test_dynamic_gru_is_a_loop(order, reset_after):
    x, h = drawn(TIMES, BATCH, INPUTS), drawn(BATCH, HIDDEN)
    from_input, from_state = drawn(INPUTS, 3 * HIDDEN), drawn(HIDDEN, 3 * HIDDEN)
    biases = drawn(3 * HIDDEN), drawn(3 * HIDDEN)
    given = map(Tensor, (x, from_input, from_state, *biases))
    found = ops.DynamicGRUV2(gate_order=order, reset_after=reset_after)(*given, None, Tensor(h))
    parts = dict(zip(order, (slice(k * HIDDEN, (k + 1) * HIDDEN) for k in range(3)), strict=True))
    for time in range(TIMES):
        theirs, ours = x[time] @ from_input + biases[0], h @ from_state + biases[1]
        r, z = (sigmoid(theirs[:, parts[gate]] + ours[:, parts[gate]]) for gate in "rz")
        new = parts["h"]
        p = ours[:, new] if reset_after else (r * h) @ from_state[:, new] + biases[1][new]
        n = np.tanh(theirs[:, new] + (r * p if reset_after else p))
        h = (1 - z) * n + z * h
        for actual, expected in zip(found, (h, h, z, r, n, p), strict=True):
            assert_close(actual.asnumpy()[time], expected, rtol=1e-4)


def add(state, each):
    return state + each, state + each


@pytest.mark.parametrize("reverse, last, results", [
    (False, [[6.0], [1.0]], [[[1.0], [1.0]], [[3.0], [0.0]], [[6.0], [0.0]]]),
    (True, [[6.0], [1.0]], [[[6.0], [1.0]], [[5.0], [0.0]], [[3.0], [0.0]]]),
])  # fmt: skip
def test_states_stay_where_sequences_end(reverse, last, results):
    given = jnp.array([[[1.0], [1.0]], [[2.0], [2.0]], [[3.0], [3.0]]])
    state, found = scanned(add, given, jnp.zeros((2, 1)), jnp.array([3, 1]), reverse)
    assert state.tolist() == last
    assert found.tolist() == results
