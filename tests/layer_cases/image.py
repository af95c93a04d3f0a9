"""Layers over images, and image similarity (SSIM, PSNR)."""

from .case import NO_KERNEL, rows

IMAGE = "f[2,4,6,5]"
PAIR = "f[2,3,12,13](0,1) f[2,3,12,13](0,1)"

PIXELS = rows(
    [
        ("channel_shuffle", "nn.ChannelShuffle(2)", IMAGE),
        ("channel_shuffle_rows", "nn.ChannelShuffle(2)", "f[2,4]"),
        ("pixel_shuffle", "nn.PixelShuffle(2)", IMAGE),
        ("pixel_unshuffle", "nn.PixelUnshuffle(2)", "f[2,3,6,4]"),
        ("upsample", "nn.Upsample(scale_factor=2.0, recompute_scale_factor=True)", IMAGE),
        ("upsample_bilinear", "nn.Upsample((7, 8), mode='bilinear', align_corners=True)", IMAGE),
        ("upsample_line", "nn.Upsample(size=5, mode='linear', align_corners=True)", "f[2,3,4]"),
        ("central_crop", "nn.CentralCrop(0.5)", IMAGE),
        ("central_crop_single", "nn.CentralCrop(0.7)", "f[3,9,8]"),
        ("central_crop_whole", "nn.CentralCrop(1.0)", "f[3,4,4]"),
        ("image_gradients", "nn.ImageGradients()", IMAGE),
        ("image_gradients_row", "nn.ImageGradients()", "f[1,1,1,4]"),
    ]
)

PATCHES = rows(
    [
        (
            "unfold",
            "nn.Unfold([1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 1, 1])",
            IMAGE,
            {"reference": "np.concatenate([x[:, :, i:i+5:2, j:j+3] for i in range(2) for j in range(3)], 1)"},
        ),
        (
            "unfold_same",
            "nn.Unfold((1, 2, 1, 1), (1, 1, 1, 1), (1, 2, 1, 1), 'same')",
            "f[1,2,3,2]",
            {
                "reference": "(lambda p: np.concatenate([p[:, :, i:i+3] for i in (0, 2)], 1))"
                "(np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 0))))"
            },
        ),
    ],
    reason=NO_KERNEL,
)

SIMILARITY = rows(
    [
        ("ssim", "nn.SSIM()", PAIR),
        ("ssim_small", "nn.SSIM(2.0, 4, 0.9, 0.02, 0.05)", PAIR),
        ("ms_ssim", "nn.MSSSIM(power_factors=(0.3, 0.3, 0.4), filter_size=3)", PAIR),
        ("psnr", "nn.PSNR()", PAIR),
        ("psnr_bytes", "nn.PSNR(255)", "u8[2,3,4,4]<255 u8[2,3,4,4]<255"),
    ],
    parameters=(0.1, 0.12),
    rtol=1e-3,
    reason="MindSpore adds in another order, and differences of close numbers follow",
)

CASES = PIXELS + PATCHES + SIMILARITY

ERRORS = [
    ("nn.ChannelShuffle(0)", ValueError, "For 'ChannelShuffle', the 'groups' must be"),
    ("nn.Unfold(2, 2, 2)", TypeError, "For 'Unfold', the 'ksizes' must be a tuple or list"),
    ("nn.Unfold((2, 2), (1, 1, 1, 1), (1, 1, 1, 1))", ValueError, "the 'ksizes' must be of the form"),
    ("nn.CentralCrop(1)", TypeError, "For 'CentralCrop', the 'central_fraction' must be a float"),
    ("nn.CentralCrop(1.5)", ValueError, "For 'CentralCrop', the 'central_fraction' must be in the range (0, 1]"),
    ("nn.ImageGradients()(ops.ones((2, 2)))", ValueError, "the 'images' must be of shape (N, C, H, W)"),
    ("nn.SSIM(max_val=-1)", ValueError, "For 'SSIM', the 'max_val' must be"),
    ("nn.SSIM(k1=1)", TypeError, "For 'SSIM', the 'k1' must be a float"),
    ("nn.SSIM()(ops.ones((1, 1, 4, 4)), ops.ones((1, 1, 4, 4)))", ValueError, "must be at least 11 high and wide"),
    ("nn.PSNR()(ops.ones((1, 1, 4, 4)), ops.ones((1, 1, 4, 3)))", ValueError, "the 'img2' must be of the shape"),
    ("nn.MSSSIM(power_factors=1.0)", TypeError, "the 'power_factors' must be a tuple or list"),
]
