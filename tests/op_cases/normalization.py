"""Normalisation by statistics, and biases."""

from .case import NO_KERNEL, NO_SECOND, rows

FEATURES = "f[3,2,4] f[2] f[2](0.5,2) f[2] f[2]"

CASES = rows(
    [
        ("batch_norm", "ops.batch_norm(x, y, z, u, v)", FEATURES, {"golden_order": 0, "reason": NO_SECOND}),
        (
            "batch_norm_primitive",
            "ops.BatchNorm(False, 0.1)(x, u, v, y, z)[0]",
            FEATURES,
            {"golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "batch_norm_of_images",
            "ops.BatchNorm(data_format='NHWC')(x, u, v, y, z)[0]",
            "f[2,2,1,2] f[2] f[2](0.5,2) f[2] f[2]",
            {
                "reference": "(x - y) / np.sqrt(z + np.float32(1e-5)) * u + v",
                "reason": "MindSpore 2.10 ignores the format on a CPU",
            },
        ),
        (
            "batch_norm_by_batch",
            "ops.batch_norm(z, x, y, u, v, True, 0.3)",
            "f[2] f[2](0.5,2) f[3,2,4] f[2] f[2]",
            {
                "faces": ("ops.BatchNorm(True, 1e-5, 0.3)(z, u, v, x, y)[0]",),
                "parameters": 2,
                "golden_order": 0,
                "exact_slope": False,
                "reason": NO_SECOND,
            },
        ),
        (
            "layer_norm_primitive",
            "ops.LayerNorm(epsilon=0.1)(x, y, z)[0]",
            "f[2,3,2] f[3,2] f[3,2]",
            {"golden_order": 1, "reason": NO_SECOND},
        ),
        ("layer_norm_mean", "ops.LayerNorm(2, 1)(x, y, z)[1]", "f[2,3,2] f[3,2] f[3,2]", {"order": 0}),
        (
            "layer_norm",
            "ops.layer_norm(x, (3,), y, z)",
            "f[2,3] f[3] f[3]",
            {
                "reference": "(x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + np.float32(1e-5)) * y"
                " + z",
                "reason": NO_KERNEL,
            },
        ),
        (
            "add_layer_norm",
            "ops.add_layer_norm(x - y, y, z, u)[0]",
            "f[2,3] f[2,3] f[3] f[3]",
            {
                "reference": "(x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + np.float32(1e-5)) * z"
                " + u",
                "exact_slope": False,
                "rtol": 1e-4,
                "reason": NO_KERNEL + "; the sum is rounded",
            },
        ),
        (
            "rms_norm",
            "ops.rms_norm(x, y)[0]",
            "f[2,3] f[3]",
            {
                "faces": ("ops.RmsNorm()(x, y)[0]",),
                "reference": "x / np.sqrt((x**2).mean(1, keepdims=True) + np.float32(1e-6)) * y",
                "reason": NO_KERNEL,
            },
        ),
        (
            "add_rms_norm",
            "ops.add_rms_norm(x, y, z, 0.1)[0]",
            "f[2,3] f[2,3] f[3]",
            {
                "reference": "(x + y) / np.sqrt(((x + y)**2).mean(1, keepdims=True) + np.float32(0.1)) * z",
                "reason": NO_KERNEL,
            },
        ),
        (
            "group_norm",
            "ops.group_norm(x, 2, y, z)",
            "f[2,4,3] f[4] f[4]",
            {"golden_order": 1, "reason": NO_SECOND},
        ),
        ("group_norm_plain", "ops.group_norm(x, 2, eps=0.1)", "f[2,4,3]", {"golden_order": 1, "reason": NO_SECOND}),
        (
            "lrn",
            "ops.lrn(x, 1, 2.0, 0.5, 0.7)",
            "f[1,4,2,2]",
            {"faces": ("ops.LRN(1, 2.0, 0.5, 0.7)(x)",), "golden_order": 1, "reason": NO_SECOND},
        ),
        ("bias_add", "ops.bias_add(x, y)", "f[2,3,2] f[3]", {"faces": ("ops.BiasAdd()(x, y)",)}),
        ("bias_add_last", "ops.BiasAdd('NHWC')(x, y)", "f[2,2,3] f[3]", {"golden_order": 1, "reason": NO_SECOND}),
    ]
)

ONES = "ops.ones((2,))"
ERRORS = [
    (f"ops.batch_norm(ops.ones((3, 2)), {ONES}, {ONES}, {ONES}, ops.ones((3,)))", ValueError, "the 'bias' must be"),
    (f"ops.batch_norm(ops.ones((3, 2)), {ONES}, {ONES}, None, None)", TypeError, "the 'weight' must be a Tensor"),
    (f"ops.batch_norm(ops.ones((3, 2)), {ONES}, {ONES}, {ONES}, {ONES}, 'a')", TypeError, "the 'training' must be"),
    (
        f"ops.batch_norm(ops.ones((3, 2)), {ONES}, {ONES}, {ONES}, {ONES}, True, 2.0)",
        ValueError,
        "For 'BatchNorm', the 'momentum' must be in the range (0, 1]",
    ),
    ("ops.group_norm(ops.ones((2, 4, 2)), 3)", ValueError, "the 'num_groups' must be a divisor of 4 channels"),
    ("ops.group_norm(ops.ones((2, 4, 2)), 2, ops.ones((3,)))", ValueError, "the 'weight' must be of shape (4,)"),
    ("ops.layer_norm(ops.ones((2, 3)), (2,))", ValueError, "the 'normalized_shape' must be"),
    ("ops.layer_norm(ops.ones((2, 3)), (3,), ops.ones(2))", RuntimeError, "the 'weight' must be of the shape that"),
    ("ops.lrn(ops.ones((3, 2, 2)))", ValueError, "For 'LRN', the 'x' must be of shape (N, C, H, W)"),
    ("ops.lrn(ops.ones((1, 3, 2, 2)), norm_region='a')", ValueError, "the 'norm_region' must be one of"),
    ("ops.bias_add(ops.ones((2, 3)), ops.ones((2,)))", ValueError, "the 'bias' must be of shape (3,)"),
    ("nn.BatchNorm2d(3, momentum='a')", TypeError, "For 'BatchNorm2d', the 'momentum' must be"),
    ("nn.LayerNorm([3], begin_norm_axis='a')", TypeError, "For 'LayerNorm', the 'begin_norm_axis' must be an int"),
]
