"""Recurrent layers over sequences: one scan along time for each layer and direction."""

import math
from typing import Any

import numpy as np

from ... import ops
from ..._contracts.check import refuse
from ..._contracts.choices import Instance
from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.enforcement import checked
from ...engine import dtypes, errors
from ...ops.index.gathering import LENGTHS, check_within
from ...ops.recurrent.layers import recurrent_layer
from ...tensor.parameter import Parameter, ParameterTuple
from ...tensor.tensor import Tensor
from .._rows import layer
from ..basic.dropout import Dropout
from ..cell import Cell

__all__ = ["GRU", "LSTM", "RNN"]

# One layer in one direction, by MindSpore's names, which `repr` shows.
_LAYER = "()(x, h, seq_length, w_ih, w_hh, b_ih, b_hh, reverse=False)"
_DynamicRNNTanh = layer(recurrent_layer, f"_DynamicRNNTanh{_LAYER}", fixed={"mode": "RNN_TANH"})
_DynamicRNNRelu = layer(recurrent_layer, f"_DynamicRNNRelu{_LAYER}", fixed={"mode": "RNN_RELU"})
_DynamicGRUCPUGPU = layer(recurrent_layer, f"_DynamicGRUCPUGPU{_LAYER}", fixed={"mode": "GRU"})
_DynamicLSTMCPUGPU = layer(recurrent_layer, f"_DynamicLSTMCPUGPU{_LAYER}", fixed={"mode": "LSTM"})

_MODES = {  # the cell of a layer, and its number of gates
    "RNN_TANH": (_DynamicRNNTanh, 1),
    "RNN_RELU": (_DynamicRNNRelu, 1),
    "GRU": (_DynamicGRUCPUGPU, 3),
    "LSTM": (_DynamicLSTMCPUGPU, 4),
}


class _RNNBase(Cell):
    """Layers of a recurrent network, in one direction or two."""

    @checked
    def __init__(
        self,
        mode,
        input_size: PositiveInt,
        hidden_size: PositiveInt,
        num_layers: PositiveInt = 1,
        has_bias: Bool = True,
        batch_first: Bool = False,
        dropout: Instance(float) = 0.0,
        bidirectional: Bool = False,
        dtype=dtypes.float32,
    ):
        super().__init__()
        if not 0 <= dropout < 1:
            refuse(ValueError, self.cls_name, "dropout", "in the range [0, 1)", dropout)
        recurrence, gates = _MODES[mode]
        self.rnn = recurrence()
        self.hidden_size = hidden_size
        self.batch_first = batch_first
        self.num_layers = num_layers
        self.dropout = dropout
        self.dropout_op = Dropout(p=dropout)
        self.bidirectional = bidirectional
        self.has_bias = has_bias
        self.is_lstm = mode == "LSTM"
        bound = 1 / math.sqrt(hidden_size)
        lists = {"weight_ih": [], "weight_hh": [], "bias_ih": [], "bias_hh": []}
        for number in range(num_layers):
            features = hidden_size * self._directions if number else input_size
            for suffix in ("", "_reverse")[: self._directions]:
                shapes = [(features,), (hidden_size,), *([(), ()] if has_bias else [])]
                for (kind, parameters), shape in zip(lists.items(), shapes, strict=False):
                    # Drawn by NumPy, in this order, as MindSpore does: the same seed gives the same values.
                    with errors.of_memory():
                        value = np.random.uniform(-bound, bound, (gates * hidden_size, *shape)).astype(np.float32)
                    parameters.append(Parameter(Tensor(value, dtype), name=f"{kind}_l{number}{suffix}"))
        self.w_ih_list, self.w_hh_list, self.b_ih_list, self.b_hh_list = map(ParameterTuple, lists.values())

    @property
    def _directions(self):
        return 1 + self.bidirectional

    def construct(self, x, hx=None, seq_length=None):
        """The states of the last layer at all time steps, and the final states of all layers."""
        axis = 0 if self.batch_first else 1
        x, states = self._checked(x, hx, seq_length, axis)
        x = x.swapaxes(0, 1) if self.batch_first else x
        last = []
        for number in range(self.num_layers):
            outputs = []
            for direction in range(self._directions):
                index = number * self._directions + direction
                initial = [state[index] for state in states]
                output, *state = self.rnn(x, initial, seq_length, *self._weights(index), reverse=direction == 1)
                outputs.append(output)
                last.append(state)
            x = ops.cat(outputs, -1) if self.bidirectional else outputs[0]
            if self.dropout and number < self.num_layers - 1:
                x = self.dropout_op(x)
        x = x.swapaxes(0, 1) if self.batch_first else x
        h, *c = (ops.stack(each) for each in zip(*last, strict=True))
        return x, (h, *c) if self.is_lstm else h

    def _weights(self, index):
        biases = (self.b_ih_list[index], self.b_hh_list[index]) if self.has_bias else (None, None)
        return self.w_ih_list[index], self.w_hh_list[index], *biases

    def _checked(self, x, hx, seq_length, axis):
        """The checked input and the initial states of all layers."""
        if not isinstance(x, Tensor):
            refuse(TypeError, self.cls_name, "x", "a Tensor", x)
        if x.ndim != 3:
            refuse(ValueError, self.cls_name, "x", "of three axes", x)
        batch = x.shape[axis]
        if seq_length is not None:
            if seq_length.dtype not in (dtypes.int32, dtypes.int64):
                refuse(TypeError, self.cls_name, "seq_length", "a Tensor of int32 or int64", seq_length)
            if seq_length.shape[0] != batch:
                refuse(ValueError, self.cls_name, "seq_length", f"of length {batch}, that of the batch", seq_length)
            if self.bidirectional:  # as in MindSpore, which reverses the sequences for the other direction only
                check_within(seq_length, 0, x.shape[1 - axis] + 1, "seq_length", self.cls_name, expected=LENGTHS)
        if hx is None:
            zeros = ops.zeros((self.num_layers * self._directions, batch, self.hidden_size), x.dtype)
            return x, (zeros, zeros) if self.is_lstm else (zeros,)
        states: Any = check_states(self.cls_name, hx, self.is_lstm)
        for state in states:
            if state.dtype != x.dtype or x.dtype not in (dtypes.float16, dtypes.float32):
                refuse(TypeError, self.cls_name, "hx", "of the dtype of 'x', float16 or float32", state)
            if state.ndim != 3 or len(state) != self.num_layers * self._directions:
                shape = self.num_layers * self._directions, batch, self.hidden_size
                refuse(ValueError, self.cls_name, "hx", f"of shape {shape}, one for each layer and direction", state)
        return x, states


def check_states(owner, hx, is_lstm):
    """The states in ``hx``, as a tuple: two for an LSTM, otherwise one."""
    if is_lstm and not (isinstance(hx, tuple) and len(hx) == 2):
        refuse(TypeError, owner, "hx", "a tuple of two Tensors", hx)
    states = hx if is_lstm else (hx,)
    for state in states:
        if not isinstance(state, Tensor):
            refuse(TypeError, owner, "hx", "a Tensor", state)
    return states


class RNN(_RNNBase):
    """Recurrent layers: ``h' = tanh(w_ih @ x + b_ih + w_hh @ h + b_hh)`` along time, in ``D`` directions.

    Args:
        input_size (int): the number of features of the input.
        hidden_size (int): of a state.
        num_layers (int): the number of layers; the states of each are the input of the next.
            Default: ``1``.
        has_bias (bool): whether there are biases. Default: ``True``.
        batch_first (bool): whether the input is ``(batch, time, features)``. Default: ``False``.
        dropout (float): the dropout probability in training, for the outputs of all layers but the last.
            Default: ``0.0``.
        bidirectional (bool): whether ``D`` is 2, with a second scan backwards in time. Default: ``False``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
        nonlinearity (str): 'tanh' or 'relu', as a keyword. Default: ``'tanh'``.
    Inputs: x (Tensor): shape ``(time, batch, input_size)``; hx (Tensor): the initial states, ``(num_layers * D, batch,
        hidden_size)``, Default: ``None``, zeros; seq_length (Tensor): the length of each sequence, ``(batch,)``,
        int32 or int64; later outputs are 0. Default: ``None``, all.
    Output: tuple of two Tensors: the states of the last layer, ``(time, batch, D * hidden_size)``, and the final
    states,
        of the shape of ``hx``.
    Parameters: of each layer ``k`` ``weight_ih_lk``, ``weight_hh_lk``, ``bias_ih_lk``, ``bias_hh_lk``, and those of the
        other direction with the suffix ``_reverse``; uniform, up to ``1 / sqrt(hidden_size)``.
    Raises:
        TypeError, ValueError: for arguments of other types and values, and for inputs that do not fit.
        RuntimeError: if it is bidirectional and a length is known to be below 0 or above that of the input.
    Example:
        >>> output, last = nn.RNN(3, 2, bidirectional=True)(ops.ones((5, 4, 3)))
        >>> output.shape, last.shape
        ((5, 4, 4), (2, 4, 2))
    Source: mindspore.nn.RNN
    """

    def __init__(self, *args, **kwargs):
        nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            refuse(ValueError, "RNN", "nonlinearity", "'tanh' or 'relu'", nonlinearity)
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)


class GRU(_RNNBase):
    """Gated recurrent units (GRU) along time; arguments, inputs and output as for `RNN`.

    ``r, z = sigmoid(...)``, ``n = tanh(w_in @ x + b_in + r * (w_hn @ h + b_hn))``, ``h' = (1 - z) * n + z * h``;
    weights concatenate the gates reset, update and new.

    Raises:
        TypeError, ValueError: for arguments of other types and values, and for inputs that do not fit.
    Example:
        >>> output, last = nn.GRU(3, 2, num_layers=2)(ops.ones((5, 4, 3)))
        >>> output.shape, last.shape
        ((5, 4, 2), (2, 4, 2))
    Source: mindspore.nn.GRU
    """

    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)


class LSTM(_RNNBase):
    """Long short-term memory (LSTM) along time; arguments as for `RNN`.

    ``c' = f * c + i * g`` and ``h' = o * tanh(c')``; weights concatenate the gates input, forget, new and output.

    Inputs: as for `RNN`, but ``hx`` is a tuple of two Tensors, the initial states and cell states.
    Output: tuple: the states of the last layer, and a tuple of the final states and cell states.
    Raises:
        TypeError, ValueError: for arguments of other types and values, and for inputs that do not fit.
    Example:
        >>> output, (h, c) = nn.LSTM(3, 2, batch_first=True)(ops.ones((4, 5, 3)))
        >>> output.shape, h.shape, c.shape
        ((4, 5, 2), (1, 4, 2), (1, 4, 2))
    Source: mindspore.nn.LSTM
    """

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)
