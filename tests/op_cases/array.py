"""Shapes, indexing, gathering and scattering, casts."""

from .case import NO_SECOND, rows

CUBE = ((2, 3, 4),)
TWO = ((2, 3), (2, 3))

SHAPES = rows(
    [
        ("reshape", "x.reshape(4, 6)", {"faces": ("ops.reshape(x, (4, 6))", "ops.Reshape()(x, (4, -1))")}),
        ("view", "x.view(6, 4)", {"faces": ("ops.view_as(x, ops.zeros((6, 4)))", "x.view_as(ops.zeros((6, 4)))")}),
        (
            "transpose",
            "x.transpose(2, 0, 1)",
            {"faces": ("ops.transpose(x, (2, 0, 1))", "ops.Transpose()(x, (2, 0, 1))")},
        ),
        ("permute", "ops.permute(x, (1, 2, 0))", {"faces": ("x.permute(1, 2, 0)",)}),
        (
            "swapaxes",
            "ops.swapaxes(x, 0, 2)",
            {"faces": ("x.swapaxes(0, 2)", "ops.swapdims(x, 0, 2)", "x.swapdims(0, 2)")},
        ),
        (
            "expand_dims",
            "ops.expand_dims(x, 1)",
            {"faces": ("ops.ExpandDims()(x, 1)", "ops.unsqueeze(x, 1)", "x.unsqueeze(1)")},
        ),
        (
            "squeeze",
            "ops.squeeze(x[:1], 0)",
            {"faces": ("x[:1].squeeze(0)", "x[:1].squeeze((0,))", "ops.Squeeze(0)(x[:1])")},
        ),
        (
            "broadcast_to",
            "ops.broadcast_to(x, (5, 2, 3, 4))",
            {
                "faces": (
                    "x.broadcast_to((5, -1, 3, 4))",
                    "ops.BroadcastTo((5, 2, 3, 4))(x)",
                    "ops.expand(x, Tensor([5, -1, 3, 4]))",
                    "ops.expand_as(x, ops.zeros((5, 2, 3, 4)))",
                    "x.expand_as(x=ops.zeros((5, 2, 3, 4)))",
                )
            },
        ),
        (
            "broadcast_axis",
            "ops.broadcast_to(x[:, :1], (-1, 5, 4))",
            {"faces": ("x[:, :1].expand_as(ops.zeros((2, 5, 4)))",)},
        ),
        ("tile", "ops.tile(x, (2, 1, 3))", {"faces": ("ops.Tile()(x, (2, 1, 3))",)}),
        (
            "repeat_interleave",
            "ops.repeat_interleave(x, 2, 1)",
            {"faces": ("ops.repeat_elements(x, 2, 1)", "x.repeat_interleave(2, 1)")},
        ),
        (
            "flip",
            "ops.flip(x, (0, 2))",
            {"faces": ("x.flip((0, 2))", "ops.reverse(x, (0, 2))", "ops.ReverseV2((0, 2))(x)")},
        ),
        ("flatten", "ops.flatten(x)", {"faces": ("x.flatten(start_dim=1)", "ops.Flatten()(x)")}),
        ("flatten_columns", 'ops.flatten(x, "F", start_dim=0, end_dim=1)', {}),
        ("ravel", "ops.ravel(x)", {"faces": ("x.ravel()", "ops.flatten(x, start_dim=0)")}),
        ("tril", "ops.tril(x)", {"faces": ("x.tril()", "ops.Tril()(x)")}),
        ("triu", "ops.triu(x, 1)", {"faces": ("x.triu(1)", "ops.Triu(1)(x)")}),
        (
            "pad",
            "ops.pad(x, (1, 2))",
            {"faces": ("ops.Pad(((0, 0), (0, 0), (1, 2)))(x)", "ops.PadV3()(x, (1, 2), 0.0)")},
        ),
        ("diag", "ops.diag(x)", {"shapes": ((3,),), "faces": ("ops.Diag()(x)", "x.diag()")}),
        ("matrix_transpose", "x.T", {"shapes": ((2, 3),)}),
    ],
    shapes=CUBE,
)

INDEXING = rows(
    [
        ("getitem_int", "x[1]", {}),
        ("getitem_slice", "x[:, 1:, ::2]", {}),
        ("getitem_new_axis", "x[..., None, 1]", {}),
        ("getitem_tensor", "x[Tensor([1, 0, 1])]", {}),
        ("getitem_list", "x[:, [2, 0]]", {}),
        ("getitem_pair", "x[Tensor([1, 0]), Tensor([2, 1])]", {}),
        ("gather", "ops.gather(x, Tensor([2, 0, 2]), 1)", {"faces": ("ops.Gather()(x, Tensor([2, 0, 2]), 1)",)}),
        ("index_select", "ops.index_select(x, 1, Tensor([2, 0]))", {"faces": ("x.index_select(1, Tensor([2, 0]))",)}),
        (
            "gather_nd",
            "ops.gather_nd(x, Tensor([[1, 2], [0, 1]]))",
            {"faces": ("x.gather_nd(Tensor([[1, 2], [0, 1]]))", "ops.GatherNd()(x, Tensor([[1, 2], [0, 1]]))")},
        ),
        (
            "gather_elements",
            "ops.gather_elements(x, 1, Tensor([[2, 0], [1, 1]]))",
            {
                "shapes": ((2, 3),),
                "faces": (
                    "ops.gather_d(x, 1, Tensor([[2, 0], [1, 1]]))",
                    "ops.GatherD()(x, 1, Tensor([[2, 0], [1, 1]]))",
                ),
                "reason": NO_SECOND,
            },
        ),
        (
            "masked_fill",
            "ops.masked_fill(x, x > 0, 0.5)",
            {"faces": ("x.masked_fill(x > 0, 0.5)", "ops.MaskedFill()(x, x > 0, 0.5)")},
        ),
        (
            "one_hot",
            "ops.one_hot(Tensor([2, 0]), 3, Tensor(1.0), Tensor(0.0))",
            {"shapes": (), "order": 0, "faces": ("ops.OneHot()(Tensor([2, 0]), 3, Tensor(1.0), Tensor(0.0))",)},
        ),
        (
            "scatter_nd",
            "ops.scatter_nd(Tensor([[2], [0]]), x, (4, 3))",
            {"faces": ("ops.ScatterNd()(Tensor([[2], [0]]), x, (4, 3))",), "shapes": ((2, 3),)},
        ),
        ("scatter_update", "ops.tensor_scatter_update(x, Tensor([[1], [0]]), y)", {"shapes": ((3, 2), (2, 2))}),
        ("scatter_add", "ops.tensor_scatter_add(x, Tensor([[1], [1]]), y)", {"shapes": ((3, 2), (2, 2))}),
        ("zeros_like", "ops.zeros_like(x) + x", {"faces": ("ops.ZerosLike()(x) + x",)}),
        ("ones_like", "ops.ones_like(x) * x", {"faces": ("ops.OnesLike()(x) * x",)}),
    ],
    shapes=CUBE,
)

CASTS = rows(
    [
        (
            "cast_half",
            "x.astype(ms.float16)",
            {"faces": ("ops.cast(x, ms.float16)", "ops.Cast()(x, ms.float16)"), "exact_slope": False},
        ),
        ("cast_int", "x.astype(ms.int32)", {"faces": ("x.int()", "ops.cast(x, ms.int32)"), "order": 0}),
        ("cast_bool", "x.astype(ms.bool_)", {"faces": ("x.bool()",), "order": 0}),
        ("cast_there_and_back", "x.astype(ms.int32).astype(ms.float32) * x", {"exact_slope": False}),
    ]
)

WRITING = rows(
    [
        ("assign", "ops.assign(x, y) + x", {"faces": ("ops.Assign()(x, y) + x",)}),
    ],
    shapes=TWO,
    parameters=1,
    order=0,
)

CASES = SHAPES + INDEXING + CASTS + WRITING

ERRORS = [
    ("ops.reshape(Tensor([1, 2]), (3,))", ValueError, "the 'shape' must be"),
    ("ops.reshape(Tensor([1, 2]), 'a')", TypeError, "the 'shape' must be"),
    ("ops.broadcast_to(Tensor([1, 2]), (3,))", ValueError, "the 'shape' must be"),
    ("ops.flatten(Tensor([1]), 1)", TypeError, "the 'order' must be"),
    ("ops.flatten(Tensor([1]), 'A')", ValueError, "the 'order' must be"),
    ("Tensor([1]).astype('abc')", TypeError, "the 'dtype' must be"),
    ("ops.cast(Tensor([1]), 'float32')", TypeError, "the 'dtype' must be"),
    ("ops.gather(Tensor([1.0]), Tensor([1]), 0)", RuntimeError, "the 'input_indices' must be"),
    ("ops.gather(Tensor([1.0]), Tensor([0.5]), 0)", TypeError, "the 'input_indices' must be"),
    ("ops.masked_fill(Tensor([1.0]), Tensor([1]), 0)", TypeError, "the 'mask' must be"),
    ("ops.pad(Tensor([1.0]), (1,))", ValueError, "the 'padding' must be"),
]
