"""Pooling over sliding, adaptive and random windows, and unpooling."""

from .case import NO_GRADIENT, NO_KERNEL, rows

LINE, IMAGE, VOLUME = "f[2,3,7]", "f[2,3,6,5]", "f[1,2,5,4,3]"
SAMPLES = "Tensor([[[{}], [{}]]], ms.float32)"
NONE = {"gradients": False, "reason": NO_GRADIENT}

GREATEST = rows(
    [
        ("max_pool1d", "nn.MaxPool1d(3, 2)", LINE),
        ("max_pool1d_same", "nn.MaxPool1d(3, 2, 'same')", LINE),
        ("max_pool1d_pad", "nn.MaxPool1d(3, 2, 'pad', 1, ceil_mode=True)", LINE),
        ("max_pool1d_places", "nn.MaxPool1d(3, 1, 'pad', 1, 2, True)", LINE),
        ("max_pool1d_single", "nn.MaxPool1d(3, 2)", "f[3,7]"),
        ("max_pool2d", "nn.MaxPool2d(2, 2)", IMAGE),
        ("max_pool2d_same", "nn.MaxPool2d((3, 2), (2, 1), 'same')", IMAGE),
        ("max_pool2d_pad", "nn.MaxPool2d(3, 2, 'pad', 1)", IMAGE),
        ("max_pool2d_ceil", "nn.MaxPool2d(3, 2, 'pad', (1, 0), ceil_mode=True)", IMAGE),
        ("max_pool2d_places", "nn.MaxPool2d(2, 1, 'pad', 1, (2, 1), True)", IMAGE),
        ("max_pool2d_dilated", "nn.MaxPool2d(2, 1, 'pad', dilation=2)", IMAGE),
        ("max_pool2d_single", "nn.MaxPool2d(3, 2, 'pad', 1)", "f[3,6,5]"),
        ("max_pool3d", "nn.MaxPool3d(2, (2, 1, 1))", VOLUME),
        ("max_pool3d_same", "nn.MaxPool3d((3, 2, 2), 2, 'same')", VOLUME),
        ("max_pool3d_pad", "nn.MaxPool3d(2, 2, 'pad', 1, ceil_mode=True)", VOLUME),
        ("max_pool3d_places", "nn.MaxPool3d(2, 1, 'pad', 1, 1, True)", VOLUME),
        (
            "max_pool2d_ext",
            "nn.MaxPool2dExt(2)",
            "f[1,2,4,4]",
            {"reference": "x.reshape(1, 2, 2, 2, 2, 2).max((3, 5))", "reason": NO_KERNEL},
        ),
    ]
)

MEANS = rows(
    [
        ("avg_pool1d", "nn.AvgPool1d(3, 2)", LINE),
        ("avg_pool1d_same", "nn.AvgPool1d(3, 2, 'same')", LINE),
        ("avg_pool1d_one", "nn.AvgPool1d(6, 3, 'same')", LINE),
        ("avg_pool1d_pad", "nn.AvgPool1d(3, 2, 'pad', 1, True, False)", LINE),
        ("avg_pool1d_single", "nn.AvgPool1d(3)", "f[3,7]"),
        ("avg_pool2d", "nn.AvgPool2d(2, 2)", IMAGE),
        ("avg_pool2d_same", "nn.AvgPool2d((3, 2), (2, 1), 'same')", IMAGE),
        ("avg_pool2d_pad", "nn.AvgPool2d(3, 2, 'pad', 1, count_include_pad=False)", IMAGE),
        ("avg_pool2d_ceil", "nn.AvgPool2d(3, 2, 'pad', (1, 0), ceil_mode=True)", IMAGE),
        ("avg_pool2d_divisor", "nn.AvgPool2d(2, 2, divisor_override=3)", IMAGE),
        ("avg_pool2d_single", "nn.AvgPool2d(2, 2)", "f[3,6,5]"),
        ("avg_pool3d", "nn.AvgPool3d(2, (2, 1, 1))", VOLUME),
        ("avg_pool3d_same", "nn.AvgPool3d((3, 2, 2), 2, 'same')", VOLUME),
        ("avg_pool3d_pad", "nn.AvgPool3d(2, 2, 'pad', 1, True, False)", VOLUME),
        (
            "avg_pool3d_divisor",
            "nn.AvgPool3d(2, 2, divisor_override=5)",
            VOLUME,
            {"gradients": False, "reason": "MindSpore's derivatives do not divide"},
        ),
        ("lp_pool1d", "nn.LPPool1d(2, 3, 2)", LINE),
        ("lp_pool2d", "nn.LPPool2d(2, (2, 3), 1, True)", "f[2,3,6,5](0.1,2)"),
    ]
) + rows(
    [
        ("avg_pool1d_ext", "nn.AvgPool1dExt(2)", "f[1,2,4]", {"reference": "x.reshape(1, 2, 2, 2).mean(3)"}),
        (
            "avg_pool2d_ext",
            "nn.AvgPool2dExt(2, divisor_override=3)",
            "f[1,2,4,4]",
            {"reference": "x.reshape(1, 2, 2, 2, 2, 2).sum((3, 5)) / np.float32(3)"},
        ),
        (
            "avg_pool3d_ext",
            "nn.AvgPool3dExt((1, 1, 2), padding=(0, 0, 1), count_include_pad=False)",
            "f[1,2,1,1,2]",
            {"reference": "x"},
        ),
    ],
    reason=NO_KERNEL,
)

ADAPTIVE = rows(
    [
        ("adaptive_avg_pool1d", "nn.AdaptiveAvgPool1d(2)", "f[2,3,6]"),
        ("adaptive_avg_pool2d", "nn.AdaptiveAvgPool2d((3, None))", IMAGE),
        ("adaptive_avg_pool3d", "nn.AdaptiveAvgPool3d(2)", VOLUME),
        ("adaptive_max_pool1d", "nn.AdaptiveMaxPool1d(2)", "f[2,3,6]"),
        ("adaptive_max_pool2d", "nn.AdaptiveMaxPool2d(2, True)", IMAGE),
        ("adaptive_max_pool3d", "nn.AdaptiveMaxPool3d((2, 2, 1), True)", VOLUME),
        (
            "fractional_max_pool2d",
            f"nn.FractionalMaxPool2d(2, (3, 3), _random_samples={SAMPLES.format('0.2, 0.7', '0.5, 0.4')})",
            "f[1,2,6,7]",
            NONE,
        ),
        (
            "fractional_max_pool3d",
            f"nn.FractionalMaxPool3d(2, 2, None, True, {SAMPLES.format('0.2, 0.7, 0.1', '0.5, 0.4, 0.3')})",
            "f[1,2,4,5,6]",
        ),
    ]
)

BACK = rows(
    [
        ("max_unpool1d", "nn.MaxUnpool1d(2)", "f[1,2,3] i[1,2,3]<1", {"call": "layer(x, y + Tensor([0, 3, 4]))"}),
        (
            "max_unpool2d",
            "nn.MaxUnpool2d(2, 2)",
            "f[1,2,2,2] i[1,2,2,2]<1",
            {"call": "layer(x, y + Tensor([[0, 3], [10, 12]]), (1, 2, 5, 5))"},
        ),
        (
            "max_unpool3d",
            "nn.MaxUnpool3d(2)",
            "f[1,2,1,1,2] i[1,2,1,1,2]<1",
            {"call": "layer(x, y + Tensor([[[1, 2]]]))"},
        ),
    ]
)

CASES = GREATEST + MEANS + ADAPTIVE + BACK

ERRORS = [
    ("nn.MaxPool2d(0)", ValueError, "For 'MaxPool2d', the 'kernel_size' must be a positive int"),
    ("nn.MaxPool2d('2')", TypeError, "For 'MaxPool2d', the 'kernel_size' must be an int or a tuple"),
    ("nn.MaxPool2d(2, (1, 2, 3))", ValueError, "For 'MaxPool2d', the 'stride' must be"),
    ("nn.MaxPool2d(2, pad_mode='full')", ValueError, "For 'MaxPool2d', the 'pad_mode' must be one of"),
    ("nn.MaxPool2d(2, pad_mode=1)", TypeError, "For 'MaxPool2d', the 'pad_mode' must be a str"),
    ("nn.MaxPool2d(2, padding=1)", ValueError, "For 'MaxPool2d', the 'pad_mode' must be 'pad' where"),
    ("nn.MaxPool2d(2, 1, 'pad', (1, 1, 1))", ValueError, "For 'MaxPool2d', the 'padding' must be"),
    ("nn.MaxPool2d(2, 1, 'pad', data_format='NHWC')", ValueError, "the 'data_format' must be 'NCHW' where"),
    ("nn.MaxPool2d(2)(ops.ones((5, 4)))", ValueError, "For 'MaxPool2d', the 'x' must be of 3 or 4 axes"),
    ("nn.MaxPool1d((2,))", TypeError, "For 'MaxPool1d', the 'kernel_size' must be an int"),
    ("nn.MaxPool3d(2, return_indices=True)", ValueError, "For 'MaxPool3d', the 'pad_mode' must be 'pad' where"),
    ("nn.AvgPool2d(2, divisor_override=0)", ValueError, "For 'AvgPool2d', the 'divisor_override' must be above 0"),
    ("nn.AvgPool3d(2, padding=(1, 1))", ValueError, "For 'AvgPool3d', the 'padding' must be"),
    ("nn.AdaptiveAvgPool1d(0)", ValueError, "For 'AdaptiveAvgPool1d', the 'output_size' must be a positive int"),
    ("nn.AdaptiveAvgPool1d(2.0)", TypeError, "For 'AdaptiveAvgPool1d', the 'output_size' must be an int"),
    ("nn.MaxUnpool1d(2)(ops.ones((1, 1, 2)), Tensor([[[0, 2]]]), 4)", ValueError, "the 'output_size' must be a tuple"),
]
