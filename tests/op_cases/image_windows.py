"""Windows of images: patches, glimpses, grid sampling, non-maximum suppression."""

from .case import NO_KERNEL, NO_SECOND, rows

HELD = "np.lib.stride_tricks.sliding_window_view(x, (2, 2), (2, 3))"
PADDED = "np.lib.stride_tricks.sliding_window_view(np.pad(x, [(0, 0), (0, 0), (0, 1), (0, 1)]), (2, 2), (2, 3))"
IMAGES = "f[2,4,4,5] f[2,24,3,4](-1.5,1.5)"
CONV = "f[2,4,4,5] f[3,4,2,2] f[2,24,3,4](-1.5,1.5)"
BEST = "Tensor(2, ms.int32), Tensor(4, ms.int32), Tensor(0.5), Tensor(0.25)"
BOXES = "Tensor([[[[0.0, 0, 1, 1]], [[0, 0.1, 1, 1.1]], [[0, -0.1, 1, 0.9]], [[0, 10, 1, 11]]]])"
KINDS = ("lanczos1", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
LOST = {"order": 0}
ROUNDED = {"golden_order": 0, "exact_slope": False}  # it computes in float32
MOVED = "Tensor([3, 6], ms.int32), Tensor([0.7, 1.3]), Tensor([0.4, -0.6])"

CASES = rows(
    [
        ("deformable_offsets",
         "ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2), (1, 1, 1, 1), 'NCHW', 2)(x, y)",
         IMAGES, {"golden_order": 1, "order": 1}),
        ("deformable_offsets_padded",
         "ops.DeformableOffsets((1, 1, 2, 1), (1, 0, 1, 1), (2, 2), (1, 1, 1, 2))(x, y)",
         "f[2,4,4,5] f[2,12,2,5](-1.5,1.5)", {"golden_order": 1, "order": 1}),
        ("deformable_conv2d", "ops.deformable_conv2d(x, y, z, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0), deformable_groups=2)",
         CONV, {"golden_order": 1, "order": 1}),
        ("volume_patches", "ops.ExtractVolumePatches(2, (1, 1, 1, 2, 2), 'VALID')(x)", "f[1,2,3,4,5]",
         {"golden_order": 0}),
        ("volume_patches_same", "ops.ExtractVolumePatches(2, 2, 'SAME')(x)", "f[1,2,3,4,5]", {"golden_order": 0}),
        ("glimpse", "ops.ExtractGlimpse(True, True, False, 'zero')(x, Tensor([2, 3], ms.int32), y)",
         "f[2,3,4,2] f[2,2]", {"golden_order": 0, "order": 0}),
        ("glimpse_pixels", "ops.ExtractGlimpse(False, False, False, 'zero')(x, Tensor([2, 3], ms.int32), y)",
         "f[2,3,4,2] f[2,2](0,4)", {"golden_order": 0, "order": 0}),
        ("scale_and_translate", f"ops.ScaleAndTranslate()(x, {MOVED})", "f[1,4,5,2]",
         {**ROUNDED, "dtypes": ("float64", "int32")}),
        ("scale_and_translate_sharp", f"ops.ScaleAndTranslate('triangle', False)(x, {MOVED})", "f[1,4,5,2]",
         ROUNDED),
        *[(f"scale_and_translate_{kind}", f"ops.ScaleAndTranslate('{kind}')(x, {MOVED})", "f[1,4,5,2]",
           ROUNDED) for kind in KINDS],
        ("fractional_max_pool", "ops.FractionalMaxPool([1.0, 2.0, 3.0, 1.0], True, False, True, 1)(x)[0]", "f[2,4,6,2]",
         {"golden_order": 0, "order": 1}),
        ("fractional_max_pool_overlap", "ops.FractionalMaxPool([1.0, 2.0, 3.0, 1.0], False, True, True, 1)(x)[0]",
         "f[2,4,6,2]", {"golden_order": 0, "order": 0}),
        ("fractional_avg_pool", "ops.FractionalAvgPool([1.0, 2.0, 3.0, 1.0], False, True, True, 1)(x)[0]", "f[2,4,6,2]",
         {"golden_order": 0, "dtypes": ("int32", "float64")}),
        ("fractional_avg_pool_edges", "ops.FractionalAvgPool([1.0, 2.0, 3.0, 1.0], False, False, True, 1)(x)[2]",
         "f[2,4,6,2]", LOST),
        ("combined_suppression", f"ops.CombinedNonMaxSuppression()({BOXES}, x, {BEST})[1]", "f[1,4,3](0,1)", LOST),
        ("combined_suppression_boxes", f"ops.CombinedNonMaxSuppression(False, False)({BOXES}, x, {BEST})[0]",
         "f[1,4,3](0,1)", LOST),
        ("combined_suppression_count", f"ops.CombinedNonMaxSuppression(True)({BOXES}, x, {BEST})[3]", "f[1,4,3](0,1)",
         LOST),
        ("combined_suppression_classes", f"ops.CombinedNonMaxSuppression(True)({BOXES}, x, {BEST})[2]", "f[1,4,3](0,1)",
         LOST),
    ],
    reason=NO_SECOND,
) + rows(
    [
        ("image_patches", "ops.ExtractImagePatches((1, 1, 2, 2), (1, 1, 1, 1), (1, 1, 1, 1))(x)", "f[1,2,3,4]",
         {"faces": ("ops.extract_image_patches(x, (2, 2), (1, 1), (1, 1))",),
          "reference": f"{HELD}.transpose(0, 4, 5, 1, 2, 3).reshape(1, 8, 2, 3)"}),
        ("image_patches_same", "ops.ExtractImagePatches((1, 1, 2, 2), (1, 1, 1, 1), (1, 1, 1, 1), 'SAME')(x)",
         "f[1,2,3,4]", {"reference": f"{PADDED}.transpose(0, 4, 5, 1, 2, 3).reshape(1, 8, 3, 4)"}),
        ("dilation2d", "ops.Dilation2D(1, 1, 'VALID')(x, y)", "f[1,2,3,4] f[2,2,2]",
         {"reference": f"({HELD} + y[:, None, None]).max((-1, -2))"}),
        ("dilation2d_same", "ops.Dilation2D(1, 1)(x, y)", "f[1,2,3,4] f[2,2,2]",
         {"reference": f"({PADDED} + y[:, None, None]).max((-1, -2))"}),
    ],
    reason=NO_KERNEL,
)  # fmt: skip

ERRORS = [
    ("ops.FractionalMaxPool([1.0, 0.5, 2.0, 1.0])(ops.ones((1, 4, 4, 1)))", ValueError, "the 'pooling_ratio' must be"),
    ("ops.FractionalMaxPool([1.0, 2.0, 2.0, 1.0], seed=1)(ops.ones((1, 4, 4, 1)))", ValueError, "the 'seed' must be 0"),
    ("ops.FractionalAvgPool([1.0, 1.5, 2.0, 1.0])(ops.ones((4, 4, 1)))", ValueError, "the 'x' must be of shape"),
    ("ops.ExtractGlimpse(noise='zero')(ops.ones((1, 2, 2, 1)), (1, 1), ops.ones((1, 2)))", ValueError, "the 'noise'"),
    ("ops.ExtractVolumePatches(9, 1, 'VALID')(ops.ones((1, 1, 3, 3, 3)))", ValueError, "the 'kernel_size' must be"),
    ("ops.Dilation2D(1, 1)(ops.ones((1, 2, 3, 3)), ops.ones((3, 2, 2)))", ValueError, "the 'filter' must be"),
    ("ops.DeformableOffsets(1, (0, 0, 0), 2)(ops.ones((1, 1, 2, 2)), ops.ones((1, 12, 1, 1)))", ValueError,
     "the 'pads' must be"),
    ("ops.deformable_conv2d(1, 1, 1, 2, 1, (0, 0, 0, 0))", TypeError, "the 'x' must be a Tensor"),
    ("ops.ScaleAndTranslate('none')(ops.ones((1, 2, 2, 1)), (1, 1), ops.ones(2), ops.ones(2))", ValueError,
     "the 'kernel_type' must be"),
    (f"ops.CombinedNonMaxSuppression()({BOXES}[..., :3], ops.ones((1, 4, 3)), {BEST})", ValueError, "the 'boxes' must"),
]  # fmt: skip
