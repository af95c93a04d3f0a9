"""Images: resizing, interpolation, patches, boxes, color spaces."""

from .case import rows

MISSING = "MindSpore 2.10 has no derivatives of it on a CPU"
IMAGE, LINE, VOLUME = "f[1,2,5,3]", "f[1,2,4]", "f[1,1,2,3,2]"
PLAIN = {"golden_order": 0}
ROUNDED = {"golden_order": 0, "exact_slope": False}  # to float32

RESIZING = rows(
    [
        (
            "interpolate_nearest",
            "ops.interpolate(x, (3, 4))",
            IMAGE,
            {"faces": ("ops.ResizeNearestNeighbor((3, 4))(x)", "ops.upsample(x, (3, 4))"), "golden_order": 1},
        ),
        ("interpolate_exact", "ops.interpolate(x, (3, 4), mode='nearest-exact')", IMAGE, PLAIN),
        ("interpolate_line", "ops.interpolate(x, 7, mode='linear')", LINE, PLAIN),
        (
            "interpolate_line_corners",
            "ops.interpolate(x, 7, mode='linear', align_corners=True)",
            LINE,
            {"faces": ("ops.ResizeLinear1D()(x, (7,))",), **PLAIN},
        ),
        ("interpolate_line_nearest", "ops.interpolate(x, 7)", LINE, PLAIN),
        (
            "interpolate_bilinear",
            "ops.interpolate(x, (3, 4), mode='bilinear')",
            IMAGE,
            {"faces": ("ops.ResizeBilinearV2(False, True)(x, (3, 4))",), "golden_order": 1},
        ),
        (
            "interpolate_corners",
            "ops.interpolate(x, (3, 4), mode='bilinear', align_corners=True)",
            IMAGE,
            {
                "faces": ("ops.ResizeBilinearV2(True)(x, (3, 4))", "ops.ResizeBilinear((3, 4), True)(x)"),
                "golden_order": 1,
            },
        ),
        (
            "interpolate_scaled",
            "ops.interpolate(x, scale_factor=(2.0, 1.5), mode='bilinear', recompute_scale_factor=True)",
            IMAGE,
            PLAIN,
        ),
        (
            "enlarged_nearest",
            "ops.interpolate(x, (10, 9))",
            IMAGE,
            {"faces": ("ops.interpolate(x, scale_factor=(2.0, 3.0), recompute_scale_factor=True)",), "golden_order": 1},
        ),
        (
            "enlarged_bilinear",
            "ops.interpolate(x, (10, 9), mode='bilinear')",
            IMAGE,
            {"faces": ("ops.interpolate(x, None, (2.0, 3.0), 'bilinear', None, True)",), "golden_order": 1},
        ),
        ("enlarged_line", "ops.interpolate(x, 16, mode='linear')", LINE, PLAIN),
        (
            "interpolate_bicubic",
            "ops.interpolate(x, (3, 4), mode='bicubic')",
            IMAGE,
            {"faces": ("ops.ResizeBicubic(False, True)(x, (3, 4))",), **PLAIN},
        ),
        ("interpolate_area", "ops.interpolate(x, (3, 4), mode='area')", IMAGE, PLAIN),
        (
            "interpolate_volume",
            "ops.interpolate(x, (3, 3, 3), mode='trilinear')",
            VOLUME,
            {"faces": ("ops.UpsampleTrilinear3D()(x, [3, 3, 3])",), **PLAIN},
        ),
        (
            "interpolate_volume_nearest",
            "ops.interpolate(x, (3, 3, 3))",
            VOLUME,
            {"faces": ("ops.UpsampleNearest3D()(x, [3, 3, 3])",), **PLAIN},
        ),
        ("resize_bilinear", "ops.ResizeBilinearV2()(x, (3, 4))", IMAGE, {"golden_order": 1}),
        ("enlarged_from_corners", "ops.ResizeBilinearV2()(x, (10, 9))", IMAGE, {"golden_order": 1}),
        ("resize_bicubic", "ops.ResizeBicubic()(x, (3, 4))", IMAGE, PLAIN),
        ("resize_bicubic_corners", "ops.ResizeBicubic(True)(x, (3, 4))", IMAGE, PLAIN),
        ("resize_nearest", "ops.ResizeNearestNeighborV2(False, True)(x, (3, 4))", IMAGE, PLAIN),
        ("resize_nearest_corners", "ops.ResizeNearestNeighbor((3, 4), True)(x)", IMAGE, PLAIN),
        ("resize_line", "ops.ResizeLinear1D('half_pixel')(x, (7,))", LINE, PLAIN),
        ("resize_area", "ops.ResizeArea()(x, Tensor([2, 3], ms.int32))", "f[1,4,4,2]", ROUNDED),
    ],
    exact_slope=True,
    reason=MISSING,
)

SAMPLING = rows(
    [
        (
            "grid_sample",
            "ops.grid_sample(x, y)",
            "f[1,2,4,3] f[1,2,3,2](-1.2,1.2)",
            {"faces": ("ops.GridSampler2D()(x, y)",), "golden_order": 1},
        ),
        (
            "grid_sample_border",
            "ops.grid_sample(x, y, 'bilinear', 'border', True)",
            "f[1,2,4,3] f[1,2,3,2](-1.2,1.2)",
            {"golden_order": 1},
        ),
        (
            "grid_sample_reflection",
            "ops.grid_sample(x, y, padding_mode='reflection')",
            "f[1,2,4,3] f[1,2,3,2](-2.2,2.2)",
            {"golden_order": 0},
        ),
        ("grid_sample_nearest", "ops.grid_sample(x, y, 'nearest')", "f[1,2,4,3] f[1,2,3,2](-1.2,1.2)", PLAIN),
        (
            "grid_sample_volume",
            "ops.grid_sample(x, y)",
            "f[1,1,3,4,3] f[1,1,2,3,3](-1.2,1.2)",
            {"faces": ("ops.GridSampler3D()(x, y)",), "golden_order": 0},
        ),
        (
            "affine_grid",
            "ops.affine_grid(x, (1, 1, 2, 3))",
            "f[1,2,3]",
            {"faces": ("ops.AffineGrid()(x, (1, 1, 2, 3))",)},
        ),
        ("affine_grid_corners", "ops.affine_grid(x, (1, 1, 2, 2, 3), True)", "f[1,3,4]", PLAIN),
        (
            "crop_and_resize",
            "ops.crop_and_resize(x, y, Tensor([0, 1], ms.int32), (2, 3))",
            "f[2,4,5,2] f[2,4](0,1)",
            {"faces": ("ops.CropAndResize()(x, y, Tensor([0, 1], ms.int32), (2, 3))",), **ROUNDED},
        ),
        (
            "crop_and_resize_nearest",
            "ops.crop_and_resize(x, y, Tensor([0, 1], ms.int32), (2, 3), 'nearest', 9.0)",
            "f[2,4,5,2] f[2,4](0,1.5)",
            ROUNDED,
        ),
        (
            "crop_and_resize_v2",
            "ops.crop_and_resize(x, Tensor([[0.1, 0.2, 0.8, 0.9]]), Tensor([0], ms.int32), (2, 3), 'bilinear_v2')",
            "f[2,4,5,2]",
            ROUNDED,
        ),
        (
            "roi_align",
            "ops.ROIAlign(2, 3, 0.5, 2)(x, Tensor([[0.0, 1.0, 1.0, 6.0, 7.0], [1.0, 0.0, 2.0, 5.0, 5.0]]))",
            "f[2,2,4,4]",
            PLAIN,
        ),
        (
            "roi_align_end",
            "ops.ROIAlign(2, 2, 1.0, 1, 0)(x, Tensor([[0.0, 1.0, 1.0, 3.0, 3.0]]))",
            "f[2,2,4,4]",
            PLAIN,
        ),
    ],
    reason=MISSING,
)

PATCHES = rows(
    [
        ("unfold", "ops.unfold(x, (3, 2), 1, 1, 2)", "f[1,2,5,4]", PLAIN),
        ("im2col", "ops.Im2Col((3, 2), (2, 1), 1, (1, 0))(x)", "f[1,2,5,4]", PLAIN),
        ("im2col_dilated", "ops.Im2Col(2, 1, 2)(x)", "f[1,2,5,4]", PLAIN),
        ("fold", "ops.fold(x, Tensor([4, 4], ms.int32), 2)", "f[1,8,9]", PLAIN),
        (
            "col2im",
            "ops.Col2Im(2)(x, Tensor([4, 4], ms.int32))",
            "f[1,2,4,9]",
            {"faces": ("ops.col2im(x, Tensor([4, 4], ms.int32), [2, 2], [1, 1], [0, 0], [1, 1])",), **PLAIN},
        ),
        ("pixel_shuffle", "ops.pixel_shuffle(x, 2)", "f[1,8,2,3]", {}),
        ("pixel_unshuffle", "ops.pixel_unshuffle(x, 2)", "f[1,2,4,6]", {}),
        (
            "channel_shuffle",
            "ops.channel_shuffle(x, 2)",
            "f[1,4,2,2]",
            {"faces": ("ops.ChannelShuffle(2)(x)",), **PLAIN},
        ),
    ],
    reason=MISSING,
)

CORNERS = "f[3,2](0,3) f[3,2](1,2)"
PAIRS = "ops.cat((x, x + y), 1), ops.cat((y, y + 1.5), 1)"
BOXES = rows(
    [
        ("iou", f"ops.iou({PAIRS})", CORNERS, {"faces": (f"ops.IOU()({PAIRS})",), **PLAIN}),
        ("iof_no_pixels", "ops.iou(ops.cat((x, y), 1), ops.cat((x, x - 1), 1), 'iof')", CORNERS, PLAIN),
        ("iof", f"ops.iou({PAIRS}, 'iof')", CORNERS, {"faces": (f"ops.IOU('iof')({PAIRS})",), **PLAIN}),
        (
            "bounding_box_encode",
            "ops.bounding_box_encode(ops.cat((x, x + y), 1), ops.cat((y, x + 2 * y), 1), (0.1, 0.0, 0.0, 0.0))",
            "f[3,2](0,4) f[3,2](1,2)",
            {
                "faces": (
                    "ops.BoundingBoxEncode((0.1, 0.0, 0.0, 0.0))(ops.cat((x, x + y), 1), ops.cat((y, x + 2 * y), 1))",
                ),
                **PLAIN,
            },
        ),
        (
            "bounding_box_decode",
            "ops.bounding_box_decode(ops.cat((x, x + y), 1), ops.cat((y, y), 1) * 0.1, (4, 5))",
            "f[3,2](0,4) f[3,2](1,2)",
            {
                "faces": ("ops.BoundingBoxDecode((4, 5))(ops.cat((x, x + y), 1), ops.cat((y, y), 1) * 0.1)",),
                **PLAIN,
            },
        ),
        (
            "check_valid",
            "ops.check_valid(x, Tensor([4.0, 5.0, 1.0]))",
            "f[5,4](-0.5,3.5)",
            {
                "faces": ("ops.CheckValid()(x, Tensor([4.0, 5.0, 1.0]))",),
                "order": 0,
                "reference": "(x[:, :2].min(1) >= 0) & (x[:, 2] <= 4) & (x[:, 3] <= 3)",
            },
        ),
        ("nms_with_mask_boxes", "ops.NMSWithMask(0.1)(x)[0]", "f[6,5](0,4)", {"order": 0}),
        ("nms_with_mask", "ops.NMSWithMask(0.1)(x)[2].astype(ms.int32)", "f[6,5](0,4)", {"order": 0}),
        (
            "nms",
            "ops.NonMaxSuppressionV3()(ops.cat((0 * y, 0 * y, y + 9, y + 9), 1), x, Tensor(3, ms.int32), Tensor(0.5),"
            " Tensor(0.0))",
            "f[2](0.1,1) f[2,1](0,1)",
            {"order": 0, "looks": True, "reference": "np.array([x.argmax()], np.int32)"},
        ),
        (
            "nms_of_overlaps",
            "ops.NonMaxSuppressionWithOverlaps()(x, y, Tensor(3, ms.int32), Tensor(0.5), Tensor(0.1))",
            "f[4,4](0,1) f[4](0,1)",
            {"order": 0, "looks": True},
        ),
    ],
    reason=MISSING,
)

COLOURS = rows(
    [
        ("rgb_to_hsv", "ops.RGBToHSV()(x)", "f[2,2,3](0,1)", PLAIN),
        ("hsv_to_rgb", "ops.HSVToRGB()(x)", "f[1,2,2,3](0,1)", PLAIN),
        ("adjust_hue", "ops.AdjustHue()(x, Tensor(0.3))", "f[2,2,3](0,1)", ROUNDED),
        ("adjust_saturation", "ops.AdjustSaturation()(x, Tensor(0.5))", "f[2,2,3](0,1)", ROUNDED),
    ],
    reason=MISSING,
)

CASES = RESIZING + SAMPLING + PATCHES + BOXES + COLOURS

X = "ops.ones((1, 2, 4, 4))"
ERRORS = [
    ("ops.AdjustHue()(ops.ones((2, 2, 3)), ops.ones(2))", ValueError, "the 'delta' must be a Tensor without axes"),
    (
        "ops.AdjustSaturation()(ops.ones((2, 2, 3)), ops.ones(2))",
        ValueError,
        "the 'scale' must be a Tensor without axes",
    ),
    (f"ops.avg_pool2d({X}, 2, 1, 2)", ValueError, "the 'padding' must be no longer at both ends together than"),
    ("ops.avg_pool1d(ops.ones((1, 1, 4)), 3, 1, 2)", ValueError, "For 'avg_pool1d', the 'padding' must be no longer"),
    (f"nn.AvgPool2d(2, 1, 'pad', 2)({X})", ValueError, "the 'padding' must be no longer at both ends together than"),
    (f"nn.MaxPool2d(2, 1, 'pad', 2)({X})", ValueError, "the 'padding' must be no longer at both ends together than"),
    ("ops.AvgPool3D(2, 1, 'pad', 2)(ops.ones((1, 1, 4, 4, 4)))", ValueError, "the 'padding' must be no longer"),
    ("ops.multinomial(ops.ones((2, 3, 4)), 1)", ValueError, "For 'multinomial', the 'input' must be of shape (M,) or"),
    ("ops.SparseToDense()(Tensor([[0, 2]]), Tensor([1.0]), (2, 2))", ValueError, "positions within the shape (2, 2)"),
    (
        "ops.SparseTensorDenseMatmul()(Tensor([[0, -1]]), Tensor([1.0]), (2, 2), ops.eye(2))",
        ValueError,
        "For 'SparseTensorDenseMatmul', the 'indices' must be positions within the shape (2, 2), but got (0, -1)",
    ),
    (
        "ops.crop_and_resize(ops.ones((1, 4, 4, 1)), ops.ones((1, 4)), Tensor([1], ms.int32), (2, 2))",
        ValueError,
        "For 'CropAndResize', the 'box_indices' must be made of positions in [0, 1), but got 1",
    ),
    (
        f"ops.ROIAlign(2, 2, 1.0, 2)({X}, Tensor([[0.0, 0, 0, 1, 1], [1.0, 0, 0, 1, 1]]))",
        RuntimeError,
        "For 'ROIAlign', the 'rois' must be of images (column 0) in the range [0, 1), but got 1.0",
    ),
    (f"ops.interpolate({X}, 2, mode='a')", ValueError, "For 'interpolate', the 'mode' must be one of"),
    (f"ops.interpolate({X}, 2, align_corners=True)", ValueError, "the 'align_corners' must be None for mode 'nearest'"),
    (f"ops.interpolate({X})", ValueError, "the 'size' must be given, or 'scale_factor'"),
    (f"ops.interpolate({X}, 2, mode='linear')", ValueError, "the 'input' must be of 3 axes for 'linear'"),
    (f"ops.grid_sample({X}, {X}, 'a')", ValueError, "For 'grid_sample', the 'mode' must be one of"),
    (f"ops.grid_sample({X}, {X})", ValueError, "the 'grid' must be of shape (N, ..., 2)"),
    (f"ops.pixel_shuffle({X}, 3)", ValueError, "with a multiple of 9 channels"),
    (f"ops.unfold({X}, 5)", ValueError, "the 'kernel_size' must be within the padded lengths"),
]
