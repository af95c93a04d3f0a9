"""Activation functions, and normalisation along an axis."""

from .case import NO_KERNEL, NO_SECOND, rows

FLOATS = ("float16", "float64")
INTS = ("int32", "int8")

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
        (
            "selu",
            "ops.selu(x)",
            {
                "faces": ("ops.SeLU()(x)",),
                "dtypes": (*FLOATS, "int32", "int8"),
                "golden_order": 0,
                "reason": "MindSpore 2.10's derivative is wrong where the number is negative",
            },
        ),
        ("celu", "ops.celu(x, 1.5)", {"faces": ("ops.CeLU(1.5)(x)",)}),
        ("gelu", "ops.gelu(x)", {}),
        (
            "gelu_tanh",
            "ops.gelu(x, approximate='tanh')",
            {"faces": ("ops.GeLU()(x)", "ops.Gelu()(x)"), "reason": NO_SECOND},
        ),
        (
            "fast_gelu",
            "ops.fast_gelu(x)",
            {"faces": ("ops.FastGeLU()(x)", "ops.FastGelu()(x)"), "dtypes": ("float16",), "reason": NO_SECOND},
        ),
        ("silu", "ops.silu(x)", {"faces": ("nn.SiLU()(x)",)}),
        ("softplus", "ops.softplus(x)", {"faces": ("ops.Softplus()(x)",)}),
        ("logsigmoid", "ops.logsigmoid(x)", {"faces": ("nn.LogSigmoid()(x)",)}),
        (
            "hardsigmoid",
            "ops.hardsigmoid(x)",
            {
                "faces": ("ops.HSigmoid()(x)", "nn.HSigmoid()(x)"),
                "domain": (-4.0, 4.0),
                "dtypes": INTS,
                "reason": NO_SECOND,
            },
        ),
        (
            "hardswish",
            "ops.hardswish(x)",
            {"faces": ("ops.HSwish()(x)",), "domain": (-4.0, 4.0), "dtypes": INTS, "reason": NO_SECOND},
        ),
        ("hardtanh", "ops.hardtanh(x)", {}),
        ("mish", "ops.mish(x)", {"faces": ("ops.Mish()(x)", "nn.Mish()(x)")}),
        ("softsign", "ops.softsign(x)", {"faces": ("ops.Softsign()(x)",), "dtypes": FLOATS}),
        (
            "softshrink",
            "ops.softshrink(x, 0.3)",
            {"faces": ("ops.SoftShrink(0.3)(x)", "ops.soft_shrink(x, 0.3)"), "reason": NO_SECOND},
        ),
        (
            "hardshrink",
            "ops.hardshrink(x, 0.3)",
            {"faces": ("ops.HShrink(0.3)(x)", "x.hardshrink(0.3)"), "reason": NO_SECOND},
        ),
        ("tanhshrink", "ops.tanhshrink(x)", {"dtypes": FLOATS}),
        ("threshold", "ops.threshold(x, 0.2, 3.0)", {"dtypes": FLOATS}),
    ],
    elementwise=True,
) + rows(
    [
        (
            "softmax",
            "ops.softmax(x)",
            {"faces": ("ops.softmax(x, -1)", "ops.Softmax()(x)", "nn.Softmax()(x)", "x.softmax(-1)")},
        ),
        ("softmax_axis0", "ops.softmax(x, 0)", {"faces": ("ops.Softmax(axis=0)(x)",)}),
        (
            "log_softmax",
            "ops.log_softmax(x)",
            {"faces": ("ops.LogSoftmax()(x)", "nn.LogSoftmax()(x)"), "reason": NO_SECOND},
        ),
        ("softmin", "ops.softmin(x, 0)", {"faces": ("ops.softmin(x, -2, dtype=ms.float32)",)}),
        (
            "l2_normalize",
            "ops.L2Normalize(1)(x)",
            {"faces": ("ops.L2Normalize(axis=-1, epsilon=1e-4)(x)",), "reason": NO_SECOND},
        ),
        (
            "l2_normalize_small",
            "ops.L2Normalize(0, 2.0)(x)",
            {
                "golden_order": 0,
                "reason": "MindSpore 2.10's derivative is wrong where the sum of squares is below epsilon",
            },
        ),
        ("glu", "ops.glu(x, 0)", {"faces": ("ops.glu(x, axis=-2)", "ops.GLU(0)(x)")}),
        ("prelu", "ops.prelu(x, y)", {"shapes": ((2, 3), (3,)), "faces": ("ops.PReLU()(x, y)",), "reason": NO_SECOND}),
        (
            "swiglu",
            "ops.swiglu(x, 1)",
            "f[2,4]",
            {"reference": "x[:, :2] / (1 + np.exp(-x[:, :2])) * x[:, 2:]", "reason": NO_KERNEL},
        ),
        (
            "log_softmax_ext",
            "ops.LogSoftmaxExt()(x, 1)",
            {
                "faces": ("ops.LogSoftmaxExt()(x)",),
                "reference": "x - np.log(np.exp(x).sum(1, keepdims=True))",
                "reason": NO_KERNEL,
            },
        ),
    ]
)

ERRORS = [
    ("ops.relu(1.0)", TypeError, "For 'ReLU', the 'input' must be a Tensor"),
    ("ops.relu(Tensor([1.0]), True)", ValueError, "'inplace' must be False"),
    ("ops.elu(Tensor([1.0]), 'a')", TypeError, "For 'Elu', the 'alpha' must be"),
    ("ops.elu(Tensor([1.0]), 1)", TypeError, "For 'Elu', the 'alpha' must be a float"),
    ("ops.elu(Tensor([1.0]), 2.0)", ValueError, "Use ops.celu"),
    ("ops.celu(Tensor([1.0]), 0.0)", ValueError, "For 'CeLU', the 'alpha' must be a number other than 0"),
    ("ops.gelu(Tensor([1.0]), 'a')", ValueError, "'approximate' must be one of ['none', 'tanh']"),
    ("ops.softmax(Tensor([1.0]), 'a')", TypeError, "For 'softmax', the 'axis' must be an int"),
    ("ops.softmax(Tensor([1.0]), (0,))", TypeError, "For 'softmax', the 'axis' must be an int"),
    ("ops.Softmax(())(Tensor([1.0]))", ValueError, "For primitive[Softmax], the length of axis must be"),
    ("ops.Softmax((0, 1))(ops.ones((2, 2)))", RuntimeError, "For 'Softmax', the 'axis' must be a single axis"),
    ("ops.Softmax([0])", TypeError, "For 'Softmax', the 'axis' must be an int or a tuple of ints"),
    ("ops.LogSoftmax((0,))", TypeError, "For 'LogSoftmax', the 'axis' must be an int"),
    ("ops.softmax(Tensor([1.0]), 5)", ValueError, "For 'Softmax', the 'axis' must be in the range [-1, 1)"),
    ("ops.softmax(Tensor([1.0]), dtype='a')", TypeError, "the 'dtype' must be a mindspore dtype"),
    ("ops.glu(Tensor([1.0]))", ValueError, "of even length along axis 0"),
    ("ops.prelu(Tensor([[1.0, 2.0, 3.0]]), Tensor([1.0, 2.0]))", ValueError, "of shape (1,) or (3,)"),
    ("ops.selu(Tensor([1], ms.uint8))", TypeError, "For 'SeLU', the 'input_x' must be a Tensor of int, float"),
]
