"""What recurrent networks are made of: one scan along time, and the cells that it runs.

What the input gives to the gates is one product for all times; a cell gets its share of it, so that the scan holds the
products of the state alone.
"""

import jax
import jax.numpy as jnp
from jax import lax


def scanned(step, given, state, lengths=None, reverse=False):
    """Runs a cell along time.

    Args:
        step (callable): ``(state, given at a time) -> (new state, result of the time)``, both nests of arrays.
        given (nest of jax.Array): time first.
        state (nest of jax.Array): the first one, batch first.
        lengths (jax.Array | None): how many times each sequence of the batch has; after them its state stays, and
            results are 0. Default: ``None``, all.
        reverse (bool): whether to begin at the end. Default: ``False``.
    Returns:
        tuple: the last state, and the results, time first.
    """
    if lengths is None:
        return lax.scan(step, state, given, reverse=reverse)

    def masked(state, each):
        time, each = each
        lives = (time < lengths)[:, None]
        new, result = step(state, each)
        new = jax.tree.map(lambda new, old: jnp.where(lives, new, old), new, state)
        return new, jax.tree.map(lambda each: jnp.where(lives, each, 0), result)

    times = jnp.arange(jax.tree.leaves(given)[0].shape[0])
    return lax.scan(masked, state, (times, given), reverse=reverse)


def lstm_cell(gates, c, order="ifgo", forget_bias=0.0):
    """The new cell state and the parts of an LSTM.

    Args:
        gates (jax.Array): shape ``(batch, 4 * hidden)``, before their functions.
        c (jax.Array): shape ``(batch, hidden)``.
        order (str): of the gates: input, forget, new (``g``) and output.
        forget_bias (float): added to the forget gate. Default: ``0.0``.
    Returns:
        dict of the gates by letter, ``c``, ``t`` its tanh, and ``h``.
    """
    found = dict(zip(order, jnp.split(gates, 4, -1), strict=True))
    found = {"i": jax.nn.sigmoid(found["i"]), "f": jax.nn.sigmoid(found["f"] + forget_bias),
             "g": jnp.tanh(found["g"]), "o": jax.nn.sigmoid(found["o"])}  # fmt: skip
    c = found["f"] * c + found["i"] * found["g"]
    t = jnp.tanh(c)
    return found | {"c": c, "t": t, "h": found["o"] * t}


def gru_cell(given, h, weight, bias, order="rzn", reset_after=True):
    """The new state and the parts of a GRU.

    Args:
        given (jax.Array): shape ``(batch, 3 * hidden)``, what the input gives to the gates.
        h (jax.Array): shape ``(batch, hidden)``.
        weight, bias (jax.Array): of the state, shapes ``(hidden, 3 * hidden)`` and ``(3 * hidden,)``.
        order (str): of the gates: reset, update (``z``) and new. Default: ``"rzn"``.
        reset_after (bool): whether the reset gate scales the product of the state, rather than the state.
            Default: ``True``.
    Returns:
        dict of the gates by letter, ``p`` what the state gives to the new one, and ``h``.
    """
    theirs = dict(zip(order, jnp.split(given, 3, -1), strict=True))
    ours = dict(zip(order, jnp.split(h @ weight + bias, 3, -1), strict=True))
    r, z = jax.nn.sigmoid(theirs["r"] + ours["r"]), jax.nn.sigmoid(theirs["z"] + ours["z"])
    part = slice(order.index("n") * h.shape[-1], None)  # the new one is the last in every order
    p = ours["n"] if reset_after else (r * h) @ weight[:, part] + bias[part]
    n = jnp.tanh(theirs["n"] + (r * p if reset_after else p))
    return {"r": r, "z": z, "n": n, "p": p, "h": (1 - z) * n + z * h}
