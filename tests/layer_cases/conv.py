"""Convolutions and their transposes."""

from .case import rows

LINE, IMAGE, VOLUME = "f[2,4,7]", "f[2,4,6,5]", "f[1,4,4,5,3]"

FORWARD = rows(
    [
        ("conv1d", "nn.Conv1d(4, 6, 3)", LINE),
        ("conv1d_valid", "nn.Conv1d(4, 6, 3, 2, 'valid', dilation=2, has_bias=True)", LINE),
        ("conv1d_pad", "nn.Conv1d(4, 6, 3, pad_mode='pad', padding=2, group=2)", LINE),
        ("conv1d_initial", "nn.Conv1d(40, 60, 3, has_bias=True, weight_init='he_normal')", ""),
        ("conv2d", "nn.Conv2d(4, 6, 3)", IMAGE),
        ("conv2d_strided", "nn.Conv2d(4, 6, (3, 2), (2, 1), has_bias=True, bias_init='ones')", IMAGE),
        ("conv2d_valid", "nn.Conv2d(4, 6, (3, 2), 1, 'valid', dilation=(1, 2))", IMAGE),
        ("conv2d_pad", "nn.Conv2d(4, 6, 3, 2, 'pad', 1, has_bias=True)", IMAGE),
        ("conv2d_sides", "nn.Conv2d(4, 6, 3, pad_mode='pad', padding=(1, 0, 2, 1))", IMAGE),
        ("conv2d_groups", "nn.Conv2d(4, 6, 3, group=2, has_bias=True)", IMAGE),
        ("conv2d_depthwise", "nn.Conv2d(4, 4, 3, stride=2, pad_mode='pad', padding=1, group=4)", IMAGE),
        ("conv2d_half", "nn.Conv2d(4, 6, 3, dtype=ms.float16)", ""),
        ("conv2d_initial", "nn.Conv2d(16, 1024, 3, has_bias=True)", ""),
        ("conv3d", "nn.Conv3d(4, 6, (2, 3, 1))", VOLUME),
        ("conv3d_valid", "nn.Conv3d(4, 6, 2, 1, 'valid', dilation=(1, 2, 1), has_bias=True)", VOLUME),
        ("conv3d_pad", "nn.Conv3d(4, 6, 2, 2, 'pad', (1, 0, 1, 1, 0, 2))", VOLUME),
        ("conv3d_groups", "nn.Conv3d(4, 6, 2, group=2, has_bias=True)", VOLUME),
    ]
)

TRANSPOSED = rows(
    [
        ("conv1d_transpose", "nn.Conv1dTranspose(4, 6, 3)", LINE),
        ("conv1d_transpose_valid", "nn.Conv1dTranspose(4, 6, 3, 2, 'valid', has_bias=True)", LINE),
        ("conv1d_transpose_pad", "nn.Conv1dTranspose(4, 6, 4, 2, 'pad', 1, group=2)", LINE),
        ("conv2d_transpose", "nn.Conv2dTranspose(4, 6, 3)", IMAGE),
        ("conv2d_transpose_strided", "nn.Conv2dTranspose(4, 6, (4, 3), 2, has_bias=True)", IMAGE),
        ("conv2d_transpose_valid", "nn.Conv2dTranspose(4, 6, (3, 2), (1, 3), 'valid', dilation=(2, 1))", IMAGE),
        ("conv2d_transpose_pad", "nn.Conv2dTranspose(4, 6, 4, 2, 'pad', 1)", IMAGE),
        ("conv2d_transpose_sides", "nn.Conv2dTranspose(4, 6, 4, 2, 'pad', (1, 0, 2, 1), group=2)", IMAGE),
        ("conv2d_transpose_more", "nn.Conv2dTranspose(4, 6, 3, 2, 'pad', 1, output_padding=(1, 0))", IMAGE),
        ("conv2d_transpose_initial", "nn.Conv2dTranspose(32, 64, 4, has_bias=True)", ""),
        ("conv3d_transpose", "nn.Conv3dTranspose(4, 6, 2, 2)", VOLUME),
        ("conv3d_transpose_valid", "nn.Conv3dTranspose(4, 6, (2, 1, 3), pad_mode='valid', has_bias=True)", VOLUME),
        ("conv3d_transpose_pad", "nn.Conv3dTranspose(4, 6, 3, 2, 'pad', 1, output_padding=1)", VOLUME),
    ]
)

CASES = FORWARD + TRANSPOSED

ERRORS = [
    ("nn.Conv2d(0, 2, 3)", ValueError, "For 'Conv2d', the 'in_channels' must be a positive int"),
    ("nn.Conv2d(2.0, 2, 3)", TypeError, "For 'Conv2d', the 'in_channels' must be an int"),
    ("nn.Conv2d(2, 2, 0)", ValueError, "For 'Conv2d', the 'kernel_size' must be an int from 1 on"),
    ("nn.Conv2d(2, 2, (3, 3, 3))", TypeError, "For 'Conv2d', the 'kernel_size' must be an int from 1 on"),
    ("nn.Conv2d(3, 2, 3, group=2)", ValueError, "For 'Conv2d', the 'in_channels' must be divisible by 'group'"),
    ("nn.Conv2d(2, 2, 3, padding=-1)", ValueError, "For 'Conv2d', the 'padding' must be an int from 0 on"),
    ("nn.Conv2d(2, 2, 3, padding=[1])", TypeError, "For 'Conv2d', the 'padding' must be an int or a tuple of 4"),
    ("nn.Conv2d(2, 2, 3, pad_mode='full')", ValueError, "For 'Conv2d', the 'pad_mode' must be one of"),
    ("nn.Conv2d(2, 2, 3, has_bias=1)", TypeError, "For 'Conv2d', the 'has_bias' must be a bool"),
    ("nn.Conv2d(2, 2, 3, data_format='N')", ValueError, "For 'Conv2d', the 'data_format' must be one of"),
    ("nn.Conv1d(2, 2, (3,))", TypeError, "For 'Conv1d', the 'kernel_size' must be an int"),
    ("nn.Conv1d(2, 2, 3, weight_init=ops.ones((2, 2)))", ValueError, "the 'weight_init' must be of 3 axes"),
    ("nn.Conv3d(2, 2, 3, padding=(1, 1))", ValueError, "For 'Conv3d', the 'padding' must be"),
    (
        "nn.Conv2dTranspose(2, 3, 3)(ops.ones((2, 4, 4)))",
        ValueError,
        "For 'Conv2dTranspose', the 'x' must be of 4 axes",
    ),
    (
        "nn.Conv3dTranspose(2, 3, 3)(ops.ones((1, 2, 4, 4)))",
        ValueError,
        "For 'Conv3DTranspose', the 'input' must be of 5 axes, as 'weight'",
    ),
    ("nn.Conv2dTranspose(2, 3, 3, group=2)", ValueError, "the 'out_channels' must be divisible by 'group'"),
    ("nn.Conv1dTranspose(2, 2, 3)(ops.ones((2, 2)))", ValueError, "the 'x' must be of 3 axes"),
    (
        "nn.Conv2dTranspose(2, 2, 3, output_padding=1)(ops.ones((1, 2, 4, 4)))",
        ValueError,
        "For 'Conv2dTranspose', the 'output_padding' must be 0 unless",
    ),
]
