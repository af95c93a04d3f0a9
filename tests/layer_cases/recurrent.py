"""Recurrent layers and cells."""

from .case import rows

_NEAR = {"rtol": 1e-4, "reason": "MindSpore's tanh is an approximation"}
_LSTM = "(lambda output, states: (output, *states))(*layer({}))"

CASES = rows(
    [
        ("rnn", "nn.RNN(3, 2)", "f[4,2,3] f[1,2,2]", _NEAR),
        ("rnn_relu", "nn.RNN(3, 2, 2, has_bias=False, nonlinearity='relu')", "f[4,2,3]"),
        ("rnn_lengths", "nn.RNN(3, 2, bidirectional=True, batch_first=True)", "f[2,4,3] f[2,2,2] i32[2](1,5)"),
        ("rnn_initial", "nn.RNN(20, 50, 2, bidirectional=True)", ""),
        ("lstm", "nn.LSTM(3, 2)", "f[4,2,3] f[1,2,2] f[1,2,2]", {"call": _LSTM.format("x, (y, z)")}),
        ("lstm_plain", "nn.LSTM(3, 2, has_bias=False)", "f[4,2,3]", {"call": _LSTM.format("x")}),
        (
            "lstm_deep",
            "nn.LSTM(3, 2, 2, bidirectional=True)",
            "f[4,2,3] f[4,2,2] f[4,2,2]",
            {"call": _LSTM.format("x, (y, z)")},
        ),
        (
            "lstm_lengths",
            "nn.LSTM(3, 2, 2, batch_first=True, bidirectional=True)",
            "f[2,4,3] f[4,2,2] f[4,2,2] i32[2](1,5)",
            _NEAR | {"call": _LSTM.format("x, (y, z), u")},
        ),
        (
            "lstm_dropout",
            "nn.LSTM(3, 2, 2, dropout=0.3)",
            "f[4,2,3]",
            {"call": _LSTM.format("x"), "phases": (False,)},
        ),
        ("lstm_initial", "nn.LSTM(20, 50)", ""),
        ("gru", "nn.GRU(3, 2)", "f[4,2,3] f[1,2,2]"),
        ("gru_deep", "nn.GRU(3, 2, 2, has_bias=False, bidirectional=True)", "f[4,2,3]"),
        ("gru_lengths", "nn.GRU(3, 2, 2, batch_first=True)", "f[2,4,3] f[2,2,2] i32[2](1,5)"),
        ("rnn_cell", "nn.RNNCell(3, 2)", "f[4,3] f[4,2]", _NEAR),
        ("rnn_cell_relu", "nn.RNNCell(3, 2, False, 'relu')", "f[4,3] f[4,2]"),
        ("lstm_cell", "nn.LSTMCell(3, 2)", "f[4,3] f[4,2] f[4,2]", {"call": "layer(x, (y, z))"}),
        ("gru_cell", "nn.GRUCell(3, 2)", "f[4,3] f[4,2]"),
        ("rnn_cell_of_one_state", "nn.RNNCell(3, 2)", "f[4,3] f[1,2]", _NEAR),
        ("lstm_cell_of_one_state", "nn.LSTMCell(3, 2)", "f[4,3] f[1,2] f[4,2]", {"call": "layer(x, (y, z))"}),
        ("gru_cell_of_one_row", "nn.GRUCell(3, 2)", "f[1,3] f[4,2]"),
        ("gru_cell_plain", "nn.GRUCell(3, 2, False)", "f[4,3] f[4,2]"),
        ("lstm_cell_initial", "nn.LSTMCell(20, 50)", ""),
    ],
    parameters=(-0.5, 0.5),
)

X = "ops.ones((5, 2, 3))"
ERRORS = [
    ("nn.RNN(0, 2)", ValueError, "For 'RNN', the 'input_size' must be a positive int"),
    ("nn.LSTM(3, 2, dropout=1)", TypeError, "For 'LSTM', the 'dropout' must be a float"),
    ("nn.GRU(3, 2, dropout=1.0)", ValueError, "For 'GRU', the 'dropout' must be in the range [0, 1)"),
    ("nn.RNN(3, 2, nonlinearity='x')", ValueError, "For 'RNN', the 'nonlinearity' must be"),
    ("nn.RNN(3, 2, has_bias=1)", TypeError, "For 'RNN', the 'has_bias' must be a bool"),
    (f"nn.RNN(3, 2)({X}, ({X}, {X}))", TypeError, "For 'RNN', the 'hx' must be a Tensor"),
    (f"nn.LSTM(3, 2)({X}, {X})", TypeError, "For 'LSTM', the 'hx' must be a tuple of two Tensors"),
    (f"nn.LSTM(3, 2)({X}, ({X},))", TypeError, "For 'LSTM', the 'hx' must be a tuple of two Tensors"),
    (f"nn.RNN(3, 2)({X}, ops.zeros((1, 2, 2), ms.float16))", TypeError, "the 'hx' must be of the dtype of 'x'"),
    (f"nn.RNN(3, 2)({X}, None, Tensor([1.0, 2.0]))", TypeError, "the 'seq_length' must be a Tensor of int32"),
    (f"nn.RNN(3, 2)({X}, None, Tensor([1, 2, 3]))", ValueError, "the 'seq_length' must be of length 2"),
    (f"nn.GRU(4, 2)({X})", ValueError, "the 'x' must be of 4 features"),
    (f"nn.RNN(3, 2)({X}, ops.zeros((1, 3, 2)))", ValueError, "the 'hx' must be states of shape (2, 2)"),
    (f"nn.LSTM(3, 2)({X}, (ops.zeros((2, 2, 2)),) * 2)", ValueError, "For 'LSTM', the 'hx' must be of shape (1, 2, 2)"),
    (f"nn.GRU(3, 2, 2)({X}, ops.zeros((2, 2)))", ValueError, "For 'GRU', the 'hx' must be of shape (2, 2, 2)"),
    ("nn.RNNCell(3, 2)(ops.ones((4, 3)), ops.zeros((3, 2)))", ValueError, "the 'hx' must be states of shape (4, 2)"),
    ("nn.RNNCell(3, 2)(ops.ones((2, 3)), 3)", TypeError, "For 'RNNCell', the 'hx' must be a Tensor"),
    ("nn.RNNCell(3, 2, nonlinearity='x')", ValueError, "For 'RNNCell', the 'nonlinearity' must be"),
    ("nn.LSTMCell(3, 2)(ops.ones((2, 3)), ops.ones((2, 2)))", TypeError, "For 'LSTMCell', the 'hx' must be a tuple"),
    (
        "nn.GRUCell(3, 2)(ops.ones((2, 3), ms.float64), ops.ones((2, 2)))",
        TypeError,
        "For 'GRUCell', the 'x' must be a Tensor of float16 or float32",
    ),
]

ERRORS_OF_VALUES = [
    (
        f"nn.LSTM(3, 2, bidirectional=True)({X}, None, Tensor([5, 6]))",
        RuntimeError,
        "made of lengths in [0, 6), but got 6",
    ),
    (f"nn.GRU(3, 2, bidirectional=True)({X}, None, Tensor([-1, 5]))", RuntimeError, "For 'GRU', the 'seq_length' must"),
]
