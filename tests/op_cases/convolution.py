"""Convolutions and their transposes."""

from .case import NO_KERNEL, NO_SECOND, rows

CASES = rows(
    [
        ("conv1d", "ops.conv1d(x, y, z)", "f[2,2,6] f[3,2,3] f[3]", {}),
        ("conv1d_pad", "ops.conv1d(x, y, None, 2, 'pad', 2, 2)", "f[1,2,6] f[3,2,2]", {}),
        ("conv2d", "ops.conv2d(x, y, z)", "f[1,2,5,4] f[3,2,3,2] f[3]", {}),
        (
            "conv2d_same",
            "ops.conv2d(x, y, stride=2, pad_mode='same')",
            "f[1,2,5,4] f[3,2,3,2]",
            {"faces": ("ops.Conv2D(3, (3, 2), pad_mode='same', stride=2)(x, y)",)},
        ),
        (
            "conv2d_pad",
            "ops.conv2d(x, y, stride=(2, 1), pad_mode='pad', padding=(1, 2))",
            "f[1,2,5,4] f[3,2,3,2]",
            {"faces": ("ops.Conv2D(3, (3, 2), pad_mode='pad', pad=(1, 1, 2, 2), stride=(2, 1))(x, y)",)},
        ),
        (
            "conv2d_dilated",
            "ops.conv2d(x, y, dilation=(2, 1))",
            "f[1,2,5,4] f[3,2,2,2]",
            {"faces": ("ops.Conv2D(3, 2, dilation=(2, 1))(x, y)",)},
        ),
        (
            "conv2d_groups",
            "ops.conv2d(x, y, groups=2)",
            "f[1,4,5,4] f[4,2,3,2]",
            {"faces": ("ops.Conv2D(4, (3, 2), group=2)(x, y)",)},
        ),
        ("conv2d_uneven", "ops.Conv2D(3, 3, pad_mode='pad', pad=(1, 0, 2, 1))(x, y)", "f[1,2,5,4] f[3,2,3,3]", {}),
        (
            "conv2d_channels_last",
            "ops.Conv2D(3, (3, 2), data_format='NHWC')(x, y)",
            "f[1,3,2,2] f[3,3,2,2]",
            {"reference": "np.einsum('nhwc,ohwc->no', x, y)[:, None, None]", "reason": NO_KERNEL},
        ),
        (
            "depthwise_conv2d",
            "ops.DepthwiseConv2dNative(1, (3, 2))(x, y)",
            "f[1,3,3,2] f[1,3,3,2]",
            {"reference": "(x * y).sum((2, 3), keepdims=True)", "reason": NO_KERNEL},
        ),
        (
            "conv3d",
            "ops.conv3d(x, y, z)",
            "f[1,2,4,3,3] f[2,2,2,1,2] f[2]",
            {"golden_order": 1, "reason": NO_SECOND},
        ),
        (
            "conv3d_same",
            "ops.conv3d(x, y, None, 2, 'same')",
            "f[1,2,4,3,3] f[2,2,2,1,2]",
            {
                "faces": ("ops.Conv3D(2, (2, 1, 2), pad_mode='same', stride=2)(x, y)",),
                "golden_order": 1,
                "reason": NO_SECOND,
            },
        ),
        (
            "conv3d_pad",
            "ops.conv3d(x, y, None, 1, 'pad', (1, 0, 1))",
            "f[1,2,4,3,3] f[2,2,2,1,2]",
            {
                "faces": ("ops.Conv3D(2, (2, 1, 2), pad_mode='pad', pad=(1, 1, 0, 0, 1, 1))(x, y)",),
                "golden_order": 1,
                "reason": NO_SECOND,
            },
        ),
        (
            "conv2d_transpose",
            "ops.Conv2DTranspose(3, (3, 2))(x, y, (1, 2, 5, 4))",
            "f[1,3,3,3] f[3,2,3,2]",
            {"faces": ("ops.Conv2DBackpropInput(3, (3, 2))(x, y, (1, 2, 5, 4))",)},
        ),
        (
            "conv2d_transpose_same",
            "ops.Conv2DBackpropInput(3, (3, 2), pad_mode='same', stride=2)(x, y, (1, 2, 5, 4))",
            "f[1,3,3,2] f[3,2,3,2]",
            {},
        ),
        (
            "conv2d_transpose_pad",
            "ops.Conv2DTranspose(3, 3, pad_mode='pad', pad=1, stride=2, dilation=1)(x, y, (1, 2, 5, 5))",
            "f[1,3,3,3] f[3,2,3,3]",
            {},
        ),
        (
            "conv_transpose2d",
            "ops.conv_transpose2d(x, y, z, stride=2)",
            "f[1,2,2,2] f[2,3,2,2] f[3]",
            {
                "reference": "np.einsum('ncij,cohw->noihjw', x, y).reshape(1, 3, 4, 4) + z[:, None, None]",
                "reason": NO_KERNEL,
            },
        ),
        (
            "conv_transpose2d_cut",
            "ops.conv_transpose2d(x, y, stride=2, padding=1, output_padding=1)",
            "f[2,2,2] f[2,3,2,2]",
            {
                "reference": "np.einsum('cij,cohw->oihjw', x, y).reshape(3, 4, 4)[:, 1:, 1:]",
                "reason": NO_KERNEL,
            },
        ),
        (
            "conv3d_transpose",
            "ops.conv3d_transpose(x, y)",
            "f[1,2,2,3,2] f[2,3,2,1,2]",
            {
                "faces": ("ops.Conv3DTranspose(2, 3, (2, 1, 2))(x, y)",),
                "golden_order": 1,
                "reason": NO_SECOND,
            },
        ),
        (
            "conv3d_transpose_same",
            "ops.conv3d_transpose(x, y, 'same', stride=2)",
            "f[1,2,2,3,2] f[2,3,3,1,2]",
            {"golden_order": 1, "reason": NO_SECOND},
        ),
        (
            "conv3d_transpose_pad",
            "ops.Conv3DTranspose(2, 3, (3, 1, 2), pad_mode='pad', pad=(0, 1, 0, 0, 1, 0), stride=2, output_padding=1)"
            "(x, y)",
            "f[1,2,2,3,2] f[2,3,3,1,2]",
            {"golden_order": 1, "reason": NO_SECOND},
        ),
    ],
    rtol=2e-5,
)

X, W = "ops.ones((1, 2, 5, 4))", "ops.ones((3, 2, 3, 2))"
ERRORS = [
    (
        f"ops.Conv2D(3, 3)({X}, ops.ones((3, 3, 3)))",
        ValueError,
        "For 'Conv2D', the 'input' must be of 4 axes, as 'weight'",
    ),
    ("ops.Conv2D(3, 3)(ops.ones(3), ops.ones(3))", ValueError, "For 'Conv2D', the 'input' must be of 4 axes"),
    (f"ops.Conv3D(2, 3)({X}, {W})", ValueError, "For 'Conv3D', the 'input' must be of 5 axes"),
    (f"ops.conv2d({X}, {W}, pad_mode='same', padding=1)", ValueError, "the 'pad' must be 0 where 'pad_mode' is 'same'"),
    (f"ops.conv2d({X}, {W}, pad_mode='pad', padding=-1)", ValueError, "the 'padding' must be an int from 0 on"),
    (f"ops.conv2d({X}, {W}, stride=0)", ValueError, "For 'conv2d', the 'stride' must be an int from 1 on"),
    (f"ops.conv2d({X}, {W}, stride='a')", TypeError, "For 'conv2d', the 'stride' must be an int"),
    (f"ops.conv2d({X}, {W}, stride=(1, 2, 3))", ValueError, "For 'conv2d', the 'stride' must be"),
    (f"ops.conv2d({X}, ops.ones((3, 1, 3, 2)), groups=2)", ValueError, "the 'group' must be a divisor"),
    (f"ops.conv2d({X}, {W}, pad_mode='a')", ValueError, "the 'pad_mode' must be one of"),
    (f"ops.conv2d({X}, ops.ones((4, 3, 3, 2)))", RuntimeError, "For 'conv2d', the 'input' must be of 3 channels"),
    (f"ops.conv2d(ops.ones((2, 5, 4)), {W})", ValueError, "For 'conv2d', the 'input' must be of 4 axes"),
    (f"ops.conv2d({X}, {W}, ops.ones((2,)))", ValueError, "For 'conv2d', the 'bias' must be of shape (3,)"),
    (f"ops.conv2d({X}, {W}.astype(ms.float16))", TypeError, "the 'weight' must be of the dtype of 'input'"),
    (f"ops.Conv2D(5, (3, 2))({X}, {W})", RuntimeError, "the 'weight' must be of 5 kernels of size (3, 2)"),
    (f"ops.Conv2D(3, (3, 2), mode=2)({X}, {W})", ValueError, "For 'Conv2D', the 'mode' must be one of [1]"),
    (f"ops.Conv2DTranspose(3, (3, 2))({X}, {W}, (1, 2, 9, 9))", RuntimeError, "For 'Conv2DBackpropInput'"),
]
