"""Activation functions."""

from .case import NO_SECOND, rows

CASES = rows(
    [
        ("relu", "ops.relu(x)", {"faces": ("ops.ReLU()(x)", "nn.ReLU()(x)")}),
        (
            "relu6",
            "ops.relu6(x)",
            {"faces": ("ops.ReLU6()(x)", "nn.ReLU6()(x)"), "domain": (-3.0, 9.0), "reason": NO_SECOND},
        ),
        ("leaky_relu", "ops.leaky_relu(x, 0.1)", {"faces": ("nn.LeakyReLU(0.1)(x)",)}),
        ("elu", "ops.elu(x)", {"faces": ("ops.Elu()(x)", "nn.ELU()(x)"), "reason": NO_SECOND}),
        ("gelu", "ops.gelu(x)", {}),
        ("gelu_tanh", "ops.gelu(x, approximate='tanh')", {"reason": NO_SECOND}),
        ("silu", "ops.silu(x)", {"faces": ("nn.SiLU()(x)",)}),
        ("softplus", "ops.softplus(x)", {"faces": ("ops.Softplus()(x)",)}),
        ("logsigmoid", "ops.logsigmoid(x)", {"faces": ("nn.LogSigmoid()(x)",)}),
        (
            "hardsigmoid",
            "ops.hardsigmoid(x)",
            {"faces": ("nn.HSigmoid()(x)",), "domain": (-2.5, 2.5), "reason": NO_SECOND},
        ),
        ("hardtanh", "ops.hardtanh(x)", {}),
        ("mish", "ops.mish(x)", {"faces": ("nn.Mish()(x)",)}),
    ],
    elementwise=True,
) + rows(
    [
        ("softmax", "ops.softmax(x)", {"faces": ("ops.softmax(x, -1)", "ops.Softmax()(x)", "nn.Softmax()(x)")}),
        ("softmax_axis0", "ops.softmax(x, 0)", {"faces": ("ops.Softmax(axis=0)(x)",)}),
        (
            "log_softmax",
            "ops.log_softmax(x)",
            {"faces": ("ops.LogSoftmax()(x)", "nn.LogSoftmax()(x)"), "reason": NO_SECOND},
        ),
        ("prelu", "ops.prelu(x, y)", {"shapes": ((2, 3), (3,)), "faces": ("ops.PReLU()(x, y)",), "reason": NO_SECOND}),
    ]
)
