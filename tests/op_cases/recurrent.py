"""Recurrent networks along time; `tests/ops/test_recurrent.py` compares the Primitives with each other."""

from .case import NO_KERNEL, NO_SECOND, rows

LSTM = "ops.LSTM(3, 2, 1, False, False, 0.0)(x, y, z, u)"
GIVEN = "f[4,2,3] f[1,2,2] f[1,2,2] f[40,1,1]"
STEP = "f[1,2,3] f[5,8] f[8] f[1,2,2] f[1,2,2]"
GATES = "np.split(x[0] @ y[:3] + u[0] @ y[3:] + z, 4, -1)"
SIGMOID = "(lambda a: 1 / (1 + np.exp(-a)))"
CELL = f"(lambda i, j, f, o: {SIGMOID}(f + 0.5) * v[0] + {SIGMOID}(i) * np.tanh(j))(*{GATES})"

CASES = rows(
    [
        ("lstm", f"{LSTM}[0]", GIVEN, {"golden_order": 1}),
        ("lstm_cell_state", f"{LSTM}[2]", GIVEN, {"golden_order": 1}),
        (
            "lstm_bias_and_projection",
            "ops.LSTM(3, 4, 1, True, False, 0.0, 2)(x, y, z, u)[0]",
            "f[4,2,3] f[1,2,2] f[1,2,4] f[104,1,1]",
            {"golden_order": 0},
        ),
        (
            "lstm_both_ways",
            "ops.LSTM(3, 2, 1, True, True, 0.0)(x, y, z, u)[1]",
            "f[4,2,3] f[2,2,2] f[2,2,2] f[96,1,1]",
            {"golden_order": 0},
        ),
        (
            "lstm_two_layers",
            "ops.LSTM(2, 2, 2, False, False, 0.0)(x, y, z, u)[0]",
            "f[4,2,2] f[2,2,2] f[2,2,2] f[64,1,1]",
            {"golden_order": 0},
        ),
    ],
    reason=NO_SECOND,
) + rows(
    [
        (
            "dynamic_rnn",
            "ops.DynamicRNN(forget_bias=0.5)(x, y, z, None, u, v)[2]",
            STEP,
            {"reference": f"{CELL}[None]"},
        ),
        (
            "basic_lstm_cell",
            "ops.BasicLSTMCell(forget_bias=0.5)(x[0], u[0], v[0], y, z)[0]",
            STEP,
            {"reference": CELL},
        ),
        (
            "dynamic_gru",
            "ops.DynamicGRUV2()(x, y, z, None, None, None, u)[2]",
            "f[1,2,3] f[3,6] f[2,6] f[2,2]",
            {"reference": f"{SIGMOID}(x @ y[:, 2:4] + u @ z[:, 2:4])"},
        ),
    ],
    reason=NO_KERNEL,
)

STATE = "ops.ones((1, 4, 2))"
ERRORS = [
    (f"ops.LSTM(3, 2, 1, False, False, 0.0)(ops.ones((5, 4, 3)), {STATE}, {STATE}, ops.ones(3))", ValueError, "'w'"),
    (f"ops.LSTM(3, 2, 2, False, False, 0.0)(ops.ones((5, 4, 3)), {STATE}, {STATE}, ops.ones(3))", ValueError,
     "the 'input_size' must be 2"),
    (f"ops.DynamicRNN()(ops.ones((5, 4, 3)), ops.ones((5, 7)), ops.ones(8), None, {STATE}, {STATE})", ValueError,
     "the 'w' must be"),
    (f"ops.DynamicRNN(num_proj=3)(ops.ones((5, 4, 3)), ops.ones((5, 8)), ops.ones(8), None, {STATE}, {STATE})",
     ValueError, "the 'num_proj' must be"),
]  # fmt: skip
