"""Activations."""

from .case import NO_KERNEL, rows

CASES = rows(
    [
        ("celu", "nn.CELU(2.0)", "f[2,3]"),
        ("elu", "nn.ELU()", "f[2,3]"),
        ("fast_gelu", "nn.FastGelu()", "f[2,3]"),
        ("gelu", "nn.GELU()", "f[2,3]"),
        ("gelu_exact", "nn.GELU(approximate=False)", "f[2,3]"),
        ("glu", "nn.GLU()", "f[2,4]"),
        ("hardtanh", "nn.Hardtanh(-0.5, 1)", "f[2,3]"),
        ("hshrink", "nn.HShrink(0.7)", "f[2,3]"),
        ("hsigmoid", "nn.HSigmoid()", "f[2,3](-4,4)"),
        ("hswish", "nn.HSwish()", "f[2,3](-4,4)"),
        ("leaky_relu", "nn.LeakyReLU(0.1)", "f[2,3]"),
        ("log_sigmoid", "nn.LogSigmoid()", "f[2,3]"),
        ("log_softmax", "nn.LogSoftmax(0)", "f[2,3]", {"rtol": 1e-4, "reason": "MindSpore's are approximations"}),
        (
            "log_softmax_ext",
            "nn.LogSoftmaxExt(1)",
            "f[2,3]",
            {"reference": "x - np.log(np.exp(x).sum(1, keepdims=True))", "rtol": 1e-4, "reason": NO_KERNEL},
        ),
        ("mish", "nn.Mish()", "f[2,3]"),
        ("prelu", "nn.PReLU(3)", "f[2,3,2]"),
        ("prelu_ext", "nn.PReLUExt(3)", "f[2,3,2]"),
        ("relu", "nn.ReLU()", "f[2,3]"),
        ("relu6", "nn.ReLU6()", "f[2,3](-2,8)"),
        ("rrelu", "nn.RReLU()", "f[2,3](0,2)"),
        ("selu", "nn.SeLU()", "f[2,3]", {"gradients": False, "reason": "MindSpore's is wrong below 0"}),
        ("sigmoid", "nn.Sigmoid()", "f[2,3]"),
        ("silu", "nn.SiLU()", "f[2,3]"),
        ("soft_shrink", "nn.SoftShrink(0.7)", "f[2,3]"),
        ("softmax", "nn.Softmax(0)", "f[2,3]"),
        ("softmax2d", "nn.Softmax2d()", "f[2,3,1,2]"),
        ("softmin", "nn.Softmin()", "f[2,3]"),
        ("softsign", "nn.Softsign()", "f[2,3]"),
        ("tanh", "nn.Tanh()", "f[2,3]"),
        ("tanhshrink", "nn.Tanhshrink()", "f[2,3]"),
        ("threshold", "nn.Threshold(0.5, 20.0)", "f[2,3]"),
    ]
)

X = "ops.ones((2, 3))"
ERRORS = [
    (f"nn.ELU('a')({X})", TypeError, "For 'ELU', the 'alpha' must be"),
    ("nn.GELU(3)", TypeError, "For 'GELU', the 'approximate' must be a bool"),
    ("nn.Hardtanh(1, 1)", ValueError, "For 'Hardtanh', the 'min_val' must be less than"),
    ("nn.PReLU(0)", ValueError, "For 'PReLU', the 'channel' must be a positive int"),
    (f"nn.Softmax('a')({X})", TypeError, "For 'Softmax', the 'axis' must be"),
    (f"nn.Softmax2d()({X})", ValueError, "For 'Softmax2d', the 'x' must be of 3 or 4 axes"),
]
