"""The recurrent Primitives against each other, and a cell along time against a loop."""

import operator

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msgrad import Tensor, ops
from msgrad.ops.recurrent.cells import CELLS, Cell
from msgrad.ops.recurrent.scan import along_time

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
    actual = ops.DynamicRNN()(Tensor(x), Tensor(weight), Tensor(bias[order].ravel()), None, Tensor(h), Tensor(c))
    assert_close(actual[0].asnumpy(), states.asnumpy())
    assert_close(actual[1].asnumpy()[-1:], last.asnumpy())
    assert_close(actual[2].asnumpy()[-1:], cell.asnumpy())
    assert_close(actual[7].asnumpy(), np.tanh(actual[2].asnumpy()))


@pytest.mark.parametrize("reset_after", [True, False])
@pytest.mark.parametrize("order", ["rzh", "zrh"])
def test_dynamic_gru_is_a_loop(order, reset_after):
    x, h = drawn(TIMES, BATCH, INPUTS), drawn(BATCH, HIDDEN)
    from_input, from_state = drawn(INPUTS, 3 * HIDDEN), drawn(HIDDEN, 3 * HIDDEN)
    biases = drawn(3 * HIDDEN), drawn(3 * HIDDEN)
    arguments = map(Tensor, (x, from_input, from_state, *biases))
    result = ops.DynamicGRUV2(gate_order=order, reset_after=reset_after)(*arguments, None, Tensor(h))
    parts = dict(zip(order, (slice(k * HIDDEN, (k + 1) * HIDDEN) for k in range(3)), strict=True))
    for time in range(TIMES):
        theirs, ours = x[time] @ from_input + biases[0], h @ from_state + biases[1]
        r, z = (sigmoid(theirs[:, parts[gate]] + ours[:, parts[gate]]) for gate in "rz")
        new = parts["h"]
        p = ours[:, new] if reset_after else (r * h) @ from_state[:, new] + biases[1][new]
        n = np.tanh(theirs[:, new] + (r * p if reset_after else p))
        h = (1 - z) * n + z * h
        for actual, expected in zip(result, (h, h, z, r, n, p), strict=True):
            assert_close(actual.asnumpy()[time], expected, rtol=1e-4)


SUM = Cell(operator.add, lambda gates, _: (gates,))


@pytest.mark.parametrize("reverse, last, results", [
    (False, [[6.0], [1.0]], [[[1.0], [1.0]], [[3.0], [0.0]], [[6.0], [0.0]]]),
    (True, [[6.0], [1.0]], [[[6.0], [1.0]], [[5.0], [0.0]], [[3.0], [0.0]]]),
])  # fmt: skip
def test_states_stay_where_sequences_end(reverse, last, results):
    arguments = jnp.array([[[1.0], [1.0]], [[2.0], [2.0]], [[3.0], [3.0]]])
    lengths = jnp.array([3, 1])
    (state,), actual = along_time(SUM, arguments, (jnp.zeros((2, 1)),), jnp.eye(1), jnp.zeros(1), lengths, reverse)
    assert state.tolist() == last
    assert actual.tolist() == results


def turn_by_turn(cell, arguments, state, weight, bias, lengths, reverse):
    """`along_time` as a loop of Python's, which JAX differentiates turn by turn."""
    results = [None] * len(arguments)
    for time in range(len(arguments))[:: -1 if reverse else 1]:
        new = cell.advance(cell.gates(arguments[time], state[0] @ weight.T + bias), *state)
        lives = (time < lengths)[:, None]
        state = tuple([jnp.where(lives, *pair) for pair in zip(new, state, strict=True)])
        results[time] = jnp.where(lives, state[0], 0)
    return state, jnp.stack(results)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.usefixtures("in_body")
@pytest.mark.parametrize("mode", CELLS)
def test_derivatives_are_those_turn_by_turn(mode, reverse):
    """In float64: gradients by the input, the state, the weight and the bias, and how they change; of a batch, too."""
    cell, lengths = CELLS[mode], np.array([TIMES, 0, 2])
    rows = HIDDEN * {"LSTM": 4, "GRU": 3}.get(mode, 1)
    state = (drawn(BATCH, HIDDEN),) * (2 if mode == "LSTM" else 1)
    point = jax.tree.map(np.float64, (drawn(TIMES, BATCH, rows), state, drawn(rows, HIDDEN), drawn(rows)))
    change = jax.tree.map(np.cos, point)
    batch = jax.tree.map(lambda *each: jnp.stack(each), point, change)

    def derivatives(run):
        def loss(*point):
            return sum(jnp.sum(jnp.sin(each) * k) for k, each in enumerate(jax.tree.leaves(run(*point)), 1))

        gradient = jax.jit(jax.grad(lambda point: loss(cell, *point, lengths, reverse)))
        return gradient(point), jax.jvp(gradient, (point,), (change,))[1], jax.vmap(gradient)(batch)

    for ours, expected in zip(*map(jax.tree.leaves, map(derivatives, (along_time, turn_by_turn))), strict=True):
        assert_close(ours, expected, 1e-12)


def test_a_sequence_of_no_times():
    weight, bias = jnp.ones((2, 2)), jnp.ones(2)

    def run(state, weight):
        last, results = along_time(CELLS["RNN_TANH"], jnp.ones((0, 3, 2)), (state,), weight, bias)
        return jnp.sum(last[0]) + jnp.sum(results), results.shape

    (by_state, by_weight), shape = jax.grad(run, (0, 1), has_aux=True)(jnp.ones((3, 2)), weight)
    assert shape == (0, 3, 2)
    assert by_state.tolist() == jnp.ones((3, 2)).tolist()
    assert by_weight.tolist() == jnp.zeros((2, 2)).tolist()
