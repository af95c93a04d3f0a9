"""Recurrent cells: one time step of RNN, LSTM and GRU."""

import math

import numpy as np

from ..._contracts.choices import Word
from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.enforcement import checked
from ..._contracts.kinds import TensorOf
from ...engine import dtypes
from ...initializer import Uniform, initializer
from ...ops.recurrent.layers import recurrent_cell
from ...tensor.parameter import Parameter
from ..cell import Cell
from .rnn import check_states

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]

_FLOATS = TensorOf("float16", "float32")


class RNNCellBase(Cell):
    """The base of recurrent cells: weights of the input and of the state, for ``num_chunks`` gates."""

    @checked
    def __init__(
        self,
        input_size: PositiveInt,
        hidden_size: PositiveInt,
        has_bias: Bool,
        num_chunks,
        dtype=dtypes.float32,
    ):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.has_bias = has_bias

        rows = num_chunks * hidden_size
        # MindSpore first draws and discards normal values, so they are drawn here too.
        np.random.randn(rows * (input_size + hidden_size + 2 * has_bias))

        def made(name, *shape):
            return Parameter(initializer(Uniform(1 / math.sqrt(hidden_size)), (rows, *shape), dtype), name=name)

        self.weight_ih = made("weight_ih", input_size)
        self.weight_hh = made("weight_hh", hidden_size)
        self.bias_ih = made("bias_ih") if has_bias else None
        self.bias_hh = made("bias_hh") if has_bias else None

    def _next(self, mode, x, hx):
        states = check_states(self.cls_name, hx, mode == "LSTM")
        for name, value in (("x", x), *[("hx", state) for state in states]):
            _FLOATS.take(value, name, self.cls_name)
        return recurrent_cell(x, states, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh, mode)


class RNNCell(RNNCellBase):
    """``tanh(w_ih @ x + b_ih + w_hh @ hx + b_hh)``.

    Args:
        input_size (int): the number of features of the input.
        hidden_size (int): of the state.
        has_bias (bool): whether there are biases. Default: ``True``.
        nonlinearity (str): 'tanh' or 'relu'. Default: ``'tanh'``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs: x (Tensor): shape ``(batch, input_size)``, float16 or float32; hx (Tensor): ``(batch, hidden_size)``.
    Output: Tensor, the new state.
    Parameters: ``weight_ih``, ``weight_hh``, ``bias_ih``, ``bias_hh``; uniform, up to ``1 / sqrt(hidden_size)``.
    Raises:
        TypeError, ValueError: for arguments of other types and values, and for inputs that do not fit.
    Example:
        >>> nn.RNNCell(3, 2)(ops.ones((4, 3)), ops.zeros((4, 2))).shape
        (4, 2)
    Source: mindspore.nn.RNNCell
    """

    @checked
    def __init__(
        self,
        input_size,
        hidden_size,
        has_bias=True,
        nonlinearity: Word("tanh", "relu") = "tanh",
        dtype=dtypes.float32,
    ):
        super().__init__(input_size, hidden_size, has_bias, 1, dtype)
        self.nonlinearity = nonlinearity

    def construct(self, x, hx):
        """The new state."""
        return self._next(f"RNN_{self.nonlinearity.upper()}", x, hx)[0]


class LSTMCell(RNNCellBase):
    """One time step of an `LSTM`; arguments as for `RNNCell`, without ``nonlinearity``.

    Inputs: x (Tensor): shape ``(batch, input_size)``, float16 or float32; hx (tuple): the state and the cell state,
        ``(batch, hidden_size)`` each.
    Output: tuple of the new state and cell state.
    Raises:
        TypeError, ValueError: for arguments of other types and values, and for inputs that do not fit.
    Example:
        >>> h, c = nn.LSTMCell(3, 2)(ops.ones((4, 3)), (ops.zeros((4, 2)), ops.zeros((4, 2))))
        >>> h.shape
        (4, 2)
    Source: mindspore.nn.LSTMCell
    """

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=dtypes.float32):
        super().__init__(input_size, hidden_size, has_bias, 4, dtype)

    def construct(self, x, hx):
        """The new state and cell state."""
        return self._next("LSTM", x, hx)


class GRUCell(RNNCellBase):
    """One time step of a `GRU`; arguments and inputs as for `RNNCell`, without ``nonlinearity``.

    Raises:
        TypeError, ValueError: for arguments of other types and values, and for inputs that do not fit.
    Example:
        >>> nn.GRUCell(3, 2)(ops.ones((4, 3)), ops.zeros((4, 2))).shape
        (4, 2)
    Source: mindspore.nn.GRUCell
    """

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=dtypes.float32):
        super().__init__(input_size, hidden_size, has_bias, 3, dtype)

    def construct(self, x, hx):
        """The new state."""
        return self._next("GRU", x, hx)[0]
