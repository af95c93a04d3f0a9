"""A scan over a recurrent cell, whose derivative computes the weight gradient's matmul outside of the loop.

JAX differentiates a scan step by step, so the weight gradient is a sum that every iteration reads and writes. But all
states are known after the forward loop, so the contribution of a weight change to all time steps is one matrix product,
and so is the weight gradient, its transpose. The remaining loop of the derivative is linear, and its factors are
computed for all time steps at once, too. An LSTM's gradient takes 0.6 of the time this way.
"""

import functools

import jax
import jax.numpy as jnp
from jax import lax

from ..linalg.products import product_of_rows


def along_time(cell, from_input, state, weight, bias, lengths=None, reverse=False):
    """Runs a cell along time.

    Args:
        cell (Cell): the same object each time.
        from_input (jax.Array): the share of the input in the gates, shape ``(time, batch, gates)``.
        state (tuple of jax.Array): the first one, shape ``(batch, hidden)`` each.
        weight, bias (jax.Array): what the first part of the state gives, shapes ``(gates, hidden)`` and ``(gates,)``.
        lengths (jax.Array | None): how many times each sequence of the batch has; after them its state stays, and
            results are 0. Default: ``None``, all.
        reverse (bool): whether to begin at the end. Default: ``False``.
    Returns:
        tuple: the last state, and the first part of the state at all times, time first.
    """
    lives = None if lengths is None else (jnp.arange(len(from_input))[:, None] < lengths)[..., None]
    last, results = _loop(cell, reverse, from_input, lives, tuple(state), weight, bias)
    return last, results if lives is None else jnp.where(lives, results, 0)


def _advanced(cell, lives, gates, *state):
    """The state after one time step; it is kept for sequences that have ended."""
    new = cell.advance(gates, *state)
    return new if lives is None else tuple([jnp.where(lives, *pair) for pair in zip(new, state, strict=True)])


def _scanned(cell, reverse, from_input, lives, state, weight, bias, keep):
    """The final state, and ``keep(state, gates)`` at each time step."""

    def step(state, each):
        from_input, lives = each
        gates = cell.gates(from_input, product_of_rows(state[0], weight) + bias)
        state = _advanced(cell, lives, gates, *state)
        return state, keep(state, gates)

    return lax.scan(step, state, (from_input, lives), reverse=reverse)


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _loop(cell, reverse, from_input, lives, state, weight, bias):
    return _scanned(cell, reverse, from_input, lives, state, weight, bias, keep=lambda state, gates: state[0])


@_loop.defjvp
def _change(cell, reverse, values, changes):
    _, lives, state, weight, _ = values
    d_from_input, _, d_state, d_weight, d_bias = changes
    last, (states, gates) = _scanned(cell, reverse, *values, keep=lambda state, gates: (state, gates))
    before = [_shifted(first, all_times, reverse) for first, all_times in zip(state, states, strict=True)]

    def linear(lives, *point):
        return jax.linearize(functools.partial(_advanced, cell, lives), *point)[1]

    def step(d_state, each):
        advance, d_gates = each
        d_product = product_of_rows(d_state[0], weight)
        d_state = advance(d_gates + cell.gates(jnp.zeros_like(d_product), d_product), *d_state)
        return d_state, d_state[0]

    d_gates = cell.gates(d_from_input, before[0] @ d_weight.T + d_bias)
    each_time = jax.vmap(linear)(lives, gates, *before), d_gates
    return (last, states[0]), lax.scan(step, d_state, each_time, reverse=reverse)


def _shifted(first, states, reverse):
    """The states before each time step."""
    return jnp.concatenate([states, first[None]])[1:] if reverse else jnp.concatenate([first[None], states])[:-1]
