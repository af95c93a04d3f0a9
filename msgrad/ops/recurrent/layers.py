"""One layer of a recurrent network in one direction, and one time step of it, for the layers of `nn`."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Arrays, Bool
from .._core.define import op
from .cells import CELLS
from .scan import along_time

_Mode = OneOf(*CELLS)


def _shares(x, state, w_ih, w_hh, b_ih, b_hh, owner):
    """The input's contribution to the gates, and the weights of the state, in the dtype of ``x``."""
    if x.shape[-1] != w_ih.shape[1]:
        check.refuse(ValueError, owner, "x", f"of {w_ih.shape[1]} features along its last axis", x.shape)
    for each in state:
        if each.shape != (x.shape[-2], w_hh.shape[1]):
            check.refuse(ValueError, owner, "hx", f"states of shape {(x.shape[-2], w_hh.shape[1])}", each.shape)
    w_ih, w_hh = w_ih.astype(x.dtype), w_hh.astype(x.dtype)
    if b_ih is None:
        return x @ w_ih.T, w_hh, jnp.zeros(len(w_hh), x.dtype)
    return x @ w_ih.T + b_ih.astype(x.dtype), w_hh, b_hh.astype(x.dtype)


@op(name="_recurrent_layer")
def recurrent_layer(
    x: Array,
    h: Arrays,
    seq_length: Array | None,
    w_ih: Array,
    w_hh: Array,
    b_ih: Array | None,
    b_hh: Array | None,
    mode: _Mode,
    reverse: Bool = False,
):
    """One layer of a recurrent network in one direction.

    Args:
        x (Tensor): shape ``(time, batch, features)``, a float dtype.
        h (tuple[Tensor]): the first state, and for 'LSTM' the first cell state, ``(batch, hidden)`` each.
        seq_length (Tensor | None): how many times each sequence of the batch has; after them its state stays, and
            outputs are 0. None: all.
        w_ih, w_hh (Tensor): weights of the input and of the state, ``(gates, features)`` and ``(gates, hidden)``.
        b_ih, b_hh (Tensor | None): biases, ``(gates,)`` each.
        mode (str): 'RNN_TANH', 'RNN_RELU', 'GRU' (gates reset, update, new) or 'LSTM' (input, forget, new, output).
        reverse (bool): whether to begin at the end. Default: ``False``.
    Returns:
        tuple of Tensors: the states at all times ``(time, batch, hidden)``, then what ``h`` has become.
    """
    if x.ndim != 3:
        check.refuse(ValueError, mode, "x", "of three axes", x.shape)
    from_input, weight, bias = _shares(x, h, w_ih, w_hh, b_ih, b_hh, mode)
    state, outputs = along_time(CELLS[mode], from_input, h, weight, bias, seq_length, reverse)
    return outputs, *state


def _of_batch(rows, batch):
    """``rows``, or the only one of them for the whole batch."""
    return jnp.broadcast_to(rows, (batch, rows.shape[1])) if rows.ndim == 2 and len(rows) == 1 else rows


@op(name="_recurrent_cell")
def recurrent_cell(x: Array, h: Arrays, w_ih: Array, w_hh: Array, b_ih: Array | None, b_hh: Array | None, mode: _Mode):
    """One time step of `recurrent_layer`: ``x`` has the axes batch and features.

    Returns:
        tuple of Tensors: what ``h`` becomes.
    """
    if x.ndim != 2:
        check.refuse(ValueError, mode, "x", "of two axes", x.shape)
    # One row of the input or of a state serves the whole batch, as in MindSpore, whose cells add their shares.
    batch = max(len(x), *[each.shape[0] if each.ndim == 2 else 1 for each in h])
    x, h = _of_batch(x, batch), tuple([_of_batch(each, batch) for each in h])
    from_input, weight, bias = _shares(x, h, w_ih, w_hh, b_ih, b_hh, mode)
    cell = CELLS[mode]
    return cell.advance(cell.gates(from_input, h[0] @ weight.T + bias), *h)
