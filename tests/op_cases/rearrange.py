"""Tiling, flipping, rolling, padding, slicing; identities."""

from .case import NO_SECOND, rows

TURNING = rows(
    [
        ("repeat_counts", "ops.repeat_interleave(x, [2, 0, 1], 1)", {"faces": ("x.repeat_interleave([2, 0, 1], 1)",)}),
        ("repeat_flat", "ops.repeat_interleave(x, 2)", {"faces": ("x.repeat_interleave(2)",)}),
        ("flipud", "ops.flipud(x)", {"faces": ("x.flipud()", "ops.ReverseV2((0,))(x)", "ops.reverse(x, (0,))")}),
        ("fliplr", "ops.fliplr(x)", {"faces": ("x.fliplr()", "ops.ReverseV2((1,))(x)", "ops.reverse(x, (-2,))")}),
        (
            "roll",
            "ops.roll(x, (1, -2), (0, 2))",
            {"faces": ("x.roll((1, -2), (0, 2))",), "reference": "np.roll(x, (1, -2), (0, 2))"},
        ),
        ("roll_flat", "ops.roll(x, 5)", {"faces": ("x.roll(5)",), "reference": "np.roll(x, 5)"}),
        ("rot90", "ops.rot90(x, 1, (0, 2))", {"faces": ("x.rot90(1, (0, 2))", "ops.rot90(x, -3, (0, 2))")}),
        ("rot90_back", "ops.rot90(x, -1, (1, 2))", {"faces": ("x.rot90(-1, (1, 2))",)}),
        (
            "reverse_sequence",
            "ops.reverse_sequence(x, Tensor([3, 2]), 2)",
            {"faces": ("ops.ReverseSequence(2)(x, Tensor([3, 2]))", "x.reverse_sequence(Tensor([3, 2]), 2)")},
        ),
        (
            "reverse_sequence_batch",
            "ops.reverse_sequence(x, Tensor([1, 2, 0]), 0, 1)",
            {"faces": ("ops.ReverseSequence(0, 1)(x, Tensor([1, 2, 0]))",)},
        ),
    ],
    shapes=((2, 3, 4),),
)

PADDING = rows(
    [
        ("pad_value", "ops.pad(x, (1, 2, 0, 1), value=0.5)", {"faces": ("ops.PadV3()(x, (1, 2, 0, 1), 0.5)",)}),
        (
            "pad_apart",
            "ops.PadV3(paddings_contiguous=False)(x, (0, 0, 1, 0, 1, 2), 0.5)",
            {"faces": ("ops.pad(x, (0, 0, 0, 1, 1, 2), value=0.5)",)},
        ),
        ("pad_reflect", "ops.pad(x, (1, 2), 'reflect')", {"faces": ("ops.PadV3('reflect')(x, (1, 2))",)}),
        ("pad_replicate", "ops.pad(x, (2, 1), 'replicate')", {"faces": ("ops.PadV3('edge')(x, (2, 1))",)}),
        ("pad_circular", "ops.pad(x, (1, 2), 'circular')", {"faces": ("ops.PadV3('circular')(x, (1, 2))",)}),
        ("pad_negative", "ops.pad(x, (-1, 2))", {}),
    ],
    shapes=((2, 3, 4),),
)

CUTTING = rows(
    [
        (
            "slice",
            "ops.slice(x, (0, 1, 1), (2, 2, 3))",
            {"faces": ("ops.Slice()(x, (0, 1, 1), (2, 2, -1))",), "reason": NO_SECOND},
        ),
        (
            "strided_slice",
            "ops.strided_slice(x, (0, -2, 0), (2, 3, 4), (1, 1, 2))",
            {"faces": ("ops.StridedSlice()(x, (0, 1, 0), (2, 9, 4), (1, 1, 2))",)},
        ),
        (
            "strided_slice_back",
            "ops.strided_slice(x, (0, 2, 0), (2, 0, 4), (1, -1, 2))",
            {
                "faces": ("ops.StridedSlice()(x, (0, 2, 0), (2, 0, 4), (1, -1, 2))",),
                "reason": "MindSpore 2.10 has no derivative of it for a negative stride",
            },
        ),
        (
            "strided_slice_masks",
            "ops.strided_slice(x, (1, 0, 2), (2, 3, 3), (1, 1, 1), begin_mask=4, end_mask=4, shrink_axis_mask=1)",
            {
                "faces": ("ops.StridedSlice(4, 4, 0, 0, 1)(x, (1, 0, 2), (2, 3, 3), (1, 1, 1))",),
                "golden_order": 0,
                "reason": "MindSpore 2.10 ignores begin_mask and end_mask in the derivative",
            },
        ),
        (
            "strided_slice_new_axis",
            "ops.strided_slice(x, (0, 0, 1), (0, 0, 3), (1, 1, 1), ellipsis_mask=2, new_axis_mask=1)",
            {"faces": ("ops.StridedSlice(0, 0, 2, 1, 0)(x, (0, 0, 1), (0, 0, 3), (1, 1, 1))",)},
        ),
        (
            "narrow",
            "ops.narrow(x, 2, 1, 2)",
            {"faces": ("x.narrow(2, 1, 2)", "ops.narrow(x, -1, 1, 2)"), "reason": NO_SECOND},
        ),
        (
            "select_scatter",
            "ops.select_scatter(x, y, 1, 2) * x",
            {
                "faces": ("x.select_scatter(y, 1, 2) * x", "ops.select_scatter(x, y, -2, -1) * x"),
                "shapes": ((2, 3, 4), (2, 4)),
            },
        ),
    ],
    shapes=((2, 3, 4),),
)

PASSING = rows(
    [
        (
            "stop_gradient",
            "ops.stop_gradient(x) * x * x",
            {"faces": ("ops.StopGradient()(x) * x * x",), "exact_slope": False},
        ),
        ("depend", "ops.depend(x * x, x + 1)", {"faces": ("ops.Depend()(x * x, x + 1)",)}),
        (
            "control_depend",
            "ops.control_depend(x + 1, x * x)",
            {"faces": ("ops.ControlDepend()(x + 1, x * x)",), "reference": "x * x"},
        ),
        ("identity", "ops.identity(x) * x", {}),
        ("Identity", "ops.Identity()(x) * x", {}),
    ]
)

CASES = TURNING + PADDING + CUTTING + PASSING

ERRORS = [
    ("ops.tile(Tensor([1]), (-1,))", ValueError, "the 'dims' must be"),
    ("ops.flip(Tensor([1]), 0)", TypeError, "the 'dims' must be"),
    ("ops.rot90(ops.ones((2, 2)), 1.0, (0, 1))", TypeError, "the 'k' must be"),
    ("ops.rot90(ops.ones((2, 2)), 1, (0, 0))", RuntimeError, "the 'dims' must be"),
]
