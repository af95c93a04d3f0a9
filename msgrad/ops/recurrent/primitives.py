"""MindSpore's Primitives of recurrent networks; sequences have the axes time, batch, features."""

import math

import jax.numpy as jnp
from jax import lax

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Bool, Float, NonNegativeInt, PositiveInt
from ..._contracts.kinds import Scalar
from .._core.define import op
from .cells import CELLS, gru_cell, gru_gates, lstm_cell
from .scan import along_time


def _cut(w, *shapes):
    """Splits a flat array into arrays of the given shapes."""
    parts, start = [], 0
    for shape in shapes:
        length = math.prod(shape)
        parts.append(w[start : start + length].reshape(shape))
        start += length
    return parts


def _lstm_layer(x, h, c, weights, reverse):
    """One layer of an LSTM in one direction; returns all hidden states, the last one, and the last cell state."""
    from_input, from_state, bias, projection = weights
    if projection is None:
        (h, c), states = along_time(CELLS["LSTM"], x @ from_input.T, (h, c), from_state, bias, reverse=reverse)
        return states, h, c

    def step(state, each):
        h, c = state
        cell = lstm_cell(each + h @ from_state.T, c)
        h = cell["h"] @ projection.T
        return (h, cell["c"]), h

    (h, c), states = lax.scan(step, (h, c), x @ from_input.T + bias, reverse=reverse)
    return states, h, c


@op("LSTM(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size=0)(input, h, c, w)")
def _lstm(
    input: Array,
    h: Array,
    c: Array,
    w: Array,
    input_size: PositiveInt,
    hidden_size: PositiveInt,
    num_layers: PositiveInt,
    has_bias: Bool,
    bidirectional: Bool,
    dropout: OneOf(0.0),
    proj_size: NonNegativeInt = 0,
):
    """Layers of LSTM, ``D`` directions each, whose states of ``R`` features are one another's input.

    Args:
        input (Tensor): shape ``(time, batch, input_size)``, a float dtype.
        h (Tensor): the first states, shape ``(num_layers * D, batch, R)``.
        c (Tensor): the first cell states, shape ``(num_layers * D, batch, hidden_size)``.
        w (Tensor): the weights of all layers and directions in a row: for the input ``(4 * hidden_size,
            input_size)`` each, for the state ``(4 * hidden_size, R)`` each, for the projection ``(proj_size,
            hidden_size)`` each, biases ``(4 * hidden_size,)`` each. Gates are in the order input, forget, new, output.
        input_size, hidden_size (int): the number of features; with several layers ``input_size`` is ``D * R``.
        num_layers (int): how many layers.
        has_bias (bool): whether there are biases.
        bidirectional (bool): whether ``D`` is 2: a second scan begins at the end.
        dropout (float): 0; put `dropout` between layers of one each.
        proj_size (int): ``R`` if above 0, else ``R`` is ``hidden_size``. Default: ``0``.
    Returns:
        tuple of five Tensors: all states ``(time, batch, D * R)``, the last states, the last cell states, and two of
        one zero, where MindSpore keeps what its gradient needs.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> ones = ops.ones
        >>> lstm = ops.LSTM(3, 2, 1, False, False, 0.0)
        >>> lstm(ones((5, 4, 3)), ones((1, 4, 2)), ones((1, 4, 2)), ones((40, 1, 1)))[0].shape
        (5, 4, 2)
    Source: mindspore.ops.LSTM
    """
    directions, length = 1 + bidirectional, proj_size or hidden_size
    count, gates = num_layers * directions, 4 * hidden_size
    if num_layers > 1 and input_size != directions * length:
        expected = f"{directions * length}, the length of the states, for several layers"
        check.refuse(ValueError, "LSTM", "input_size", expected, input_size)
    shapes = [(count, gates, input_size), (count, gates, length)]
    shapes += [(count, proj_size, hidden_size)] * (proj_size > 0) + [(count, gates)] * has_bias
    needed = sum(map(math.prod, shapes))
    if w.size < needed:
        check.refuse(ValueError, "LSTM", "w", f"of {needed} elements", w.shape)
    from_input, from_state, *rest = _cut(w.ravel(), *shapes)
    projections = rest.pop(0) if proj_size else [None] * count
    biases = rest.pop(0) if has_bias else jnp.zeros((count, gates), w.dtype)
    x, states, cells = input, [], []
    for layer in range(num_layers):
        results = []
        for direction in range(directions):
            k = layer * directions + direction
            weights = from_input[k], from_state[k], biases[k], projections[k]
            result, last, cell = _lstm_layer(x, h[k], c[k], weights, direction == 1)
            results.append(result)
            states.append(last)
            cells.append(cell)
        x = jnp.concatenate(results, -1)
    nothing = jnp.zeros((1, 1), input.dtype)
    return x, jnp.stack(states), jnp.stack(cells), nothing, nothing


def _forgetting(bias, forget_bias):
    """The bias of the gates input, new, forget and output, with ``forget_bias`` on the third."""
    hidden = len(bias) // 4
    return bias.at[2 * hidden : 3 * hidden].add(forget_bias)


@op(
    "DynamicRNN(cell_type='LSTM', direction='UNIDIRECTIONAL', cell_depth=1, use_peephole=False, keep_prob=1.0, "
    "cell_clip=-1.0, num_proj=0, time_major=True, activation='tanh', forget_bias=0.0, is_training=True)"
    "(x, w, b, seq_length, init_h, init_c)"
)
def _dynamic_rnn(
    x: Array,
    w: Array,
    b: Array,
    seq_length: OneOf(None),
    init_h: Array,
    init_c: Array,
    cell_type: OneOf("LSTM") = "LSTM",
    direction: OneOf("UNIDIRECTIONAL") = "UNIDIRECTIONAL",
    cell_depth: OneOf(1) = 1,
    use_peephole: OneOf(False) = False,
    keep_prob: OneOf(1.0) = 1.0,
    cell_clip: OneOf(-1.0) = -1.0,
    num_proj: OneOf(0) = 0,
    time_major: OneOf(True) = True,
    activation: OneOf("tanh") = "tanh",
    forget_bias: Scalar(of=Float) = 0.0,
    is_training: Bool = True,
):
    """One LSTM layer, with all intermediate values. Gates are in the order input, new, forget, output.

    Args:
        x (Tensor): shape ``(time, batch, inputs)``, a float dtype.
        w (Tensor): shape ``(inputs + hidden, 4 * hidden)``.
        b (Tensor): shape ``(4 * hidden,)``.
        seq_length (None): must be None.
        init_h, init_c (Tensor): the first state and cell state, shape ``(1, batch, hidden)``.
        cell_type (str): 'LSTM'. Default: ``'LSTM'``.
        direction (str): 'UNIDIRECTIONAL'. Default: ``'UNIDIRECTIONAL'``.
        cell_depth (int): 1. Default: ``1``.
        use_peephole (bool): False. Default: ``False``.
        keep_prob (float): 1. Default: ``1.0``.
        cell_clip (float): -1, no clipping. Default: ``-1.0``.
        num_proj (int): 0, no projection. Default: ``0``.
        time_major (bool): True. Default: ``True``.
        activation (str): 'tanh'. Default: ``'tanh'``.
        forget_bias (float): added to the forget gate. Default: ``0.0``.
        is_training (bool): without effect. Default: ``True``.
    Returns:
        tuple of eight Tensors of shape ``(time, batch, hidden)``, dtype of ``b``: the states, twice; the cell states;
        the gates input, new, forget and output; tanh of the cell states.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit, or an argument has another value.
    Example:
        >>> ones = ops.ones
        >>> x, w, state = ones((5, 4, 3)), ones((5, 8)), ones((1, 4, 2))
        >>> ops.DynamicRNN()(x, w, ones(8), None, state, state)[0].shape
        (5, 4, 2)
    Source: mindspore.ops.DynamicRNN
    """
    inputs = _check_gates(x, init_h, w, "DynamicRNN")

    def step(state, each):
        h, c = state
        cell = lstm_cell(each + h @ w[inputs:], c, "igfo")
        return (cell["h"], cell["c"]), [cell[part] for part in "hhcigfot"]

    _, outputs = lax.scan(step, (init_h[0], init_c[0]), x @ w[:inputs] + _forgetting(b, forget_bias))
    return tuple([each.astype(b.dtype) for each in outputs])


def _check_gates(x, h, w, op_name):
    """The number of inputs; a ValueError if ``w`` does not have the weights of the four gates for it."""
    inputs, hidden = x.shape[-1], h.shape[-1]
    if w.shape != (inputs + hidden, 4 * hidden):
        check.refuse(ValueError, op_name, "w", f"of shape {(inputs + hidden, 4 * hidden)}", w.shape)
    return inputs


@op("BasicLSTMCell(keep_prob=1.0, forget_bias=1.0, state_is_tuple=True, activation='tanh')(x, h, c, w, b)")
def _basic_lstm_cell(
    x: Array,
    h: Array,
    c: Array,
    w: Array,
    b: Array,
    keep_prob: OneOf(1.0) = 1.0,
    forget_bias: Scalar(of=Float) = 1.0,
    state_is_tuple: OneOf(True) = True,
    activation: OneOf("tanh") = "tanh",
):
    """One time step of `DynamicRNN`.

    Args:
        x (Tensor): shape ``(batch, inputs)``, a float dtype.
        h, c (Tensor): the state and the cell state, shape ``(batch, hidden)``.
        w (Tensor): shape ``(inputs + hidden, 4 * hidden)``.
        b (Tensor): shape ``(4 * hidden,)``.
        keep_prob (float): 1. Default: ``1.0``.
        forget_bias (float): added to the forget gate. Default: ``1.0``.
        state_is_tuple (bool): True. Default: ``True``.
        activation (str): 'tanh'. Default: ``'tanh'``.
    Returns:
        tuple of seven Tensors of shape ``(batch, hidden)``: the new cell state, the new state, the gates input, new,
        forget and output, tanh of the cell state.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit, or an argument has another value.
    Example:
        >>> ones = ops.ones
        >>> ops.BasicLSTMCell()(ones((4, 3)), ones((4, 2)), ones((4, 2)), ones((5, 8)), ones(8))[0].shape
        (4, 2)
    Source: mindspore.ops.BasicLSTMCell
    """
    _check_gates(x, h, w, "BasicLSTMCell")
    cell = lstm_cell(jnp.concatenate([x, h], -1) @ w + _forgetting(b, forget_bias), c, "igfo")
    return tuple([cell[part] for part in "chigfot"])


@op(
    "DynamicGRUV2(direction='UNIDIRECTIONAL', cell_depth=1, keep_prob=1.0, cell_clip=-1.0, num_proj=0, "
    "time_major=True, activation='tanh', gate_order='rzh', reset_after=True, is_training=True)"
    "(x, weight_input, weight_hidden, bias_input, bias_hidden, seq_length, init_h)",
)
def _dynamic_gru(
    x: Array,
    weight_input: Array,
    weight_hidden: Array,
    bias_input: Array | None,
    bias_hidden: Array | None,
    seq_length: OneOf(None),
    init_h: Array,
    direction: OneOf("UNIDIRECTIONAL") = "UNIDIRECTIONAL",
    cell_depth: OneOf(1) = 1,
    keep_prob: OneOf(1.0) = 1.0,
    cell_clip: OneOf(-1.0) = -1.0,
    num_proj: OneOf(0) = 0,
    time_major: OneOf(True) = True,
    activation: OneOf("tanh") = "tanh",
    gate_order: OneOf("rzh", "zrh") = "rzh",
    reset_after: Bool = True,
    is_training: Bool = True,
):
    """One GRU layer, with all intermediate values.

    Args:
        x (Tensor): shape ``(time, batch, inputs)``, a float dtype.
        weight_input (Tensor): shape ``(inputs, 3 * hidden)``.
        weight_hidden (Tensor): shape ``(hidden, 3 * hidden)``.
        bias_input, bias_hidden (Tensor | None): shape ``(3 * hidden,)``.
        seq_length (None): must be None.
        init_h (Tensor): the first state, shape ``(batch, hidden)``.
        direction (str): 'UNIDIRECTIONAL'. Default: ``'UNIDIRECTIONAL'``.
        cell_depth (int): 1. Default: ``1``.
        keep_prob (float): 1. Default: ``1.0``.
        cell_clip (float): -1, no clipping. Default: ``-1.0``.
        num_proj (int): 0, no projection. Default: ``0``.
        time_major (bool): True. Default: ``True``.
        activation (str): 'tanh'. Default: ``'tanh'``.
        gate_order (str): 'rzh': reset, update, new; 'zrh': update, reset, new. Default: ``'rzh'``.
        reset_after (bool): whether the reset gate scales the product with the state, rather than the state.
            Default: ``True``.
        is_training (bool): without effect. Default: ``True``.
    Returns:
        tuple of six Tensors of shape ``(time, batch, hidden)``, dtype of the biases, or else of ``init_h``: the states,
        twice; the gates update, reset and new; what the state gives to the new one.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit, or an argument has another value.
    Example:
        >>> ones = ops.ones
        >>> x, w, v, state = ones((5, 4, 3)), ones((3, 6)), ones((2, 6)), ones((4, 2))
        >>> ops.DynamicGRUV2()(x, w, v, ones(6), ones(6), None, state)[0].shape
        (5, 4, 2)
    Source: mindspore.ops.DynamicGRUV2
    """
    hidden = init_h.shape[-1]
    for name, weight, length in (("weight_input", weight_input, x.shape[-1]), ("weight_hidden", weight_hidden, hidden)):
        if weight.shape != (length, 3 * hidden):
            check.refuse(ValueError, "DynamicGRUV2", name, f"of shape {(length, 3 * hidden)}", weight.shape)
    bias = jnp.zeros(3 * hidden, init_h.dtype) if bias_hidden is None else bias_hidden
    weight = x @ weight_input if bias_input is None else x @ weight_input + bias_input

    def new_from(h):
        return h @ weight_hidden[:, 2 * hidden :] + bias[2 * hidden :]

    given_again = None if reset_after else new_from

    def step(h, each):
        cell = gru_cell(gru_gates(each, h @ weight_hidden + bias), h, gate_order[:2], given_again)
        return cell["h"].astype(h.dtype), [cell[part] for part in "hhzrnp"]

    _, outputs = lax.scan(step, init_h, weight)
    dtype = next((each.dtype for each in (bias_input, bias_hidden) if each is not None), init_h.dtype)
    return tuple([each.astype(dtype) for each in outputs])
