"""Pooling over sliding, adaptive and random windows, and unpooling."""

from .case import NO_SECOND, rows

MISSING = "MindSpore 2.10 has no derivatives of it on a CPU"
IMAGE, LINE, VOLUME = "f[2,2,5,4]", "f[2,2,6]", "f[1,2,4,3,3]"
PLACES = {"order": 0}

SLIDING = rows(
    [
        ("max_pool", "ops.MaxPool(2, 2)(x)", IMAGE, {"faces": ("ops.max_pool2d(x, 2)",)}),
        ("max_pool_same", "ops.MaxPool((2, 3), (2, 1), 'same')(x)", IMAGE, {}),
        ("avg_pool", "ops.AvgPool(2, 2)(x)", IMAGE, {"faces": ("ops.avg_pool2d(x, 2, 2)",)}),
        ("avg_pool_same", "ops.AvgPool((2, 3), (2, 1), 'SAME')(x)", IMAGE, {}),
        ("max_pool3d_same", "ops.MaxPool3D(2, 2, 'same')(x)", VOLUME, {"golden_order": 1}),
        ("max_pool3d_pad", "ops.MaxPool3D(2, 2, 'pad', 1, True)(x)", VOLUME, {"golden_order": 1}),
        ("avg_pool3d_same", "ops.AvgPool3D(2, 2, 'same')(x)", VOLUME, {"golden_order": 1}),
        (
            "avg_pool3d_pad",
            "ops.AvgPool3D(2, 2, 'pad', 1, True, False)(x)",
            VOLUME,
            {"faces": ("ops.avg_pool3d(x, 2, 2, 1, True, False)",), "golden_order": 1},
        ),
        ("avg_pool3d_divisor", "ops.avg_pool3d(x, 2, 2, 1, False, True, 5)", VOLUME, {"golden_order": 1}),
        ("max_pool_with_argmax", "ops.MaxPoolWithArgmax(2, 2)(x)[0]", IMAGE, {"golden_order": 1}),
        ("max_pool_with_argmax_places", "ops.MaxPoolWithArgmax(2, 1, 'same')(x)[1]", IMAGE, PLACES),
        (
            "max_pool_with_places",
            "ops.max_pool2d(x, 2, 1, 1, 2, True)[0]",
            IMAGE,
            {"faces": ("ops.MaxPoolWithArgmaxV2(2, 1, 1, 2)(x)[0]",), "golden_order": 1},
        ),
        (
            "max_pool_places",
            "ops.max_pool2d(x, 2, None, 1, 1, True, True)[1]",
            IMAGE,
            {"faces": ("ops.MaxPoolWithArgmaxV2(2, None, 1, (1, 1), True)(x)[1]",), **PLACES},
        ),
        ("max_pool_dilated", "ops.max_pool2d(x, 2, 1, 0, 2)", IMAGE, {"golden_order": 1}),
        ("max_pool3d_function", "ops.max_pool3d(x, 2, 1, 1)", VOLUME, {"golden_order": 0}),
        (
            "max_pool3d_places",
            "ops.max_pool3d(x, 2, return_indices=True)[1]",
            "f[1,2,4,4,4]",
            {"faces": ("ops.MaxPool3DWithArgmax(2, 2, 0)(x)[1]",), **PLACES},
        ),
        ("avg_pool1d", "ops.avg_pool1d(x, 2, 2, 1)", LINE, {"golden_order": 1}),
        ("avg_pool1d_ceil", "ops.avg_pool1d(x, 3, 2, 1, True, False)", LINE, {"golden_order": 1}),
        ("avg_pool2d_pad", "ops.avg_pool2d(x, 2, 2, 1, True)", IMAGE, {"golden_order": 1}),
        ("avg_pool2d_inner", "ops.avg_pool2d(x, 3, 2, 1, True, False)", IMAGE, {"golden_order": 1}),
        ("lp_pool1d", "ops.lp_pool1d(x, 2, 3, 2)", LINE, {"golden_order": 0}),
        ("lp_pool2d", "ops.lp_pool2d(x, 2, (2, 1), 1)", IMAGE, {"golden_order": 0}),
    ],
    reason=NO_SECOND,
)

ADAPTIVE = rows(
    [
        ("adaptive_avg_pool1d", "ops.adaptive_avg_pool1d(x, 3)", LINE, {"golden_order": 0}),
        (
            "adaptive_avg_pool2d",
            "ops.adaptive_avg_pool2d(x, 3)",
            IMAGE,
            {"faces": ("ops.AdaptiveAvgPool2D((3, 3))(x)",), "golden_order": 1},
        ),
        (
            "adaptive_avg_pool2d_ext",
            "ops.adaptive_avg_pool2d_ext(x, (2, 2))",
            "f[2,4,4]",
            {"reference": "x.reshape(2, 2, 2, 2, 2).mean((2, 4))"},
        ),
        (
            "adaptive_avg_pool3d",
            "ops.adaptive_avg_pool3d(x, (3, None, 2))",
            VOLUME,
            {"faces": ("ops.AdaptiveAvgPool3D((3, None, 2))(x)",), "golden_order": 0},
        ),
        ("adaptive_max_pool1d", "ops.adaptive_max_pool1d(x, 3)", LINE, {"golden_order": 0}),
        (
            "adaptive_max_pool2d",
            "ops.adaptive_max_pool2d(x, 3)",
            IMAGE,
            {"faces": ("ops.AdaptiveMaxPool2D((3, 3))(x)[0]",), "golden_order": 0},
        ),
        ("adaptive_max_pool2d_places", "ops.adaptive_max_pool2d(x, (3, None), True)[1]", IMAGE, PLACES),
        (
            "adaptive_max_pool3d",
            "ops.adaptive_max_pool3d(x, 2)",
            VOLUME,
            {"faces": ("ops.AdaptiveMaxPool3D()(x, Tensor([2, 2, 2], ms.int32))[0]",), "golden_order": 0},
        ),
        ("adaptive_max_pool3d_places", "ops.adaptive_max_pool3d(x, 2, True)[1]", VOLUME, PLACES),
    ],
    reason=MISSING,
)

SAMPLES = rows(
    [
        (
            "fractional_max_pool2d",
            "ops.fractional_max_pool2d(x, 2, (3, 3), _random_samples=y)",
            "f[1,2,6,7] f[1,2,2](0,1)",
            {
                "faces": ("ops.FractionalMaxPoolWithFixedKsize(2, (3, 3))(x, y)[0]",),
                "golden_order": 0,
                "exact_slope": False,
            },
        ),
        (
            "fractional_max_pool2d_places",
            "ops.fractional_max_pool2d(x, 2, (3, 3), None, True, y)[1]",
            "f[1,2,6,7] f[1,2,2](0,1)",
            PLACES,
        ),
        (
            "fractional_max_pool3d",
            "ops.fractional_max_pool3d(x, (1, 2, 2), (3, 2, 3), _random_samples=y)",
            "f[1,2,4,5,6] f[1,2,3](0,1)",
            {
                "faces": ("ops.FractionalMaxPool3DWithFixedKsize((1, 2, 2), (3, 2, 3))(x, y)[0]",),
                "golden_order": 0,
                "exact_slope": False,
            },
        ),
    ],
    reason=MISSING,
)

BACK = rows(
    [
        (
            "max_unpool1d",
            "ops.max_unpool1d(x, 3 * y + Tensor([0, 1, 4]), 2)",
            "f[1,2,3] i[1,2,3]<1",
            {"golden_order": 0},
        ),
        (
            "max_unpool2d",
            "ops.max_unpool2d(x, y + Tensor([[0, 3], [8, 11]]), 2)",
            "f[1,2,2,2] i[1,2,2,2]<2",
            {"faces": ("ops.MaxUnpool2D(2, 2)(x, y + Tensor([[0, 3], [8, 11]]))",), "golden_order": 0},
        ),
        (
            "max_unpool2d_sized",
            "ops.max_unpool2d(x, y + Tensor([[0, 3], [8, 11]]), 2, output_size=(5, 5))",
            "f[1,2,2,2] i[1,2,2,2]<2",
            {"golden_order": 0},
        ),
        (
            "max_unpool3d",
            "ops.max_unpool3d(x, y + Tensor([[[0, 3]]]), 2)",
            "f[1,2,1,1,2] i[1,2,1,1,2]<2",
            {"faces": ("ops.MaxUnpool3D(2, 2)(x, y + Tensor([[[0, 3]]]))",), "golden_order": 0},
        ),
    ],
    reason=MISSING,
)

CASES = SLIDING + ADAPTIVE + SAMPLES + BACK

X = "ops.ones((1, 2, 5, 4))"
ERRORS = [
    (f"ops.MaxPool(2, 2, 'pad')({X})", ValueError, "For 'MaxPool', the 'pad_mode' must be one of"),
    (f"ops.MaxPool('a')({X})", TypeError, "For 'MaxPool', the 'kernel_size' must be an int"),
    (f"ops.MaxPool(0)({X})", ValueError, "For 'MaxPool', the 'kernel_size' must be an int from 1 on"),
    (f"ops.MaxPool(6)({X})", ValueError, "the 'kernel_size' must be within the padded lengths (5, 4)"),
    (f"ops.MaxPool(2)({X}[0])", ValueError, "For 'MaxPool', the 'x' must be of 4 axes"),
    (f"ops.max_pool2d({X}, 2, padding=2)", ValueError, "the 'padding' must be at most half of 'kernel_size'"),
    (f"ops.avg_pool1d({X}, 2)", ValueError, "For 'avg_pool1d', the 'x' must be of 3 axes"),
    (f"ops.adaptive_avg_pool1d({X}[0], 3)", ValueError, "a divisor of the last length, 4"),
    (f"ops.fractional_max_pool2d({X}, 2)", ValueError, "given, or 'output_ratio'"),
    (f"ops.fractional_max_pool2d({X}, 2, (9, 9))", ValueError, "For 'FractionalMaxPoolWithFixedKsize'"),
]
