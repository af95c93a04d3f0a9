"""Concatenation, stacking and splitting."""

from .case import NO_SECOND, rows

TWO = ((2, 3), (2, 3))
VECTORS = ((3,), (2,))

JOINING = rows(
    [
        ("concat", "ops.cat((x, y), 1)", {"faces": ("ops.concat((x, y), 1)", "ops.Concat(1)((x, y))")}),
        ("stack", "ops.stack((x, y), 1)", {"faces": ("ops.Stack(1)((x, y))",)}),
        ("hstack", "ops.hstack((x, y))", {"shapes": ((2, 3), (2, 1))}),
        ("hstack_vectors", "ops.hstack([x, y])", {"shapes": VECTORS}),
        ("vstack", "ops.vstack((x, y))", {"shapes": ((2, 3), (3,))}),
        ("dstack", "ops.dstack((x, y))", {}),
        ("dstack_vectors", "ops.dstack([x[0], y[1]])", {}),
        ("column_stack", "ops.column_stack((x[:, 0], y))", {}),
        ("block_diag", "ops.block_diag(x, y, z)", {"shapes": ((2, 3), (2,), (1, 1))}),
        ("cartesian_prod", "ops.cartesian_prod(x, y, z)", {"shapes": ((3,), (2,), (2,))}),
        (
            "meshgrid",
            "ops.meshgrid(x, y)[0] * ops.meshgrid(x, y)[1]",
            {"faces": ("ops.Meshgrid()((x, y))[0] * ops.Meshgrid()((x, y))[1]",), "shapes": VECTORS},
        ),
        (
            "meshgrid_ij",
            "ops.meshgrid(x, y, indexing='ij')[0] / ops.meshgrid(x, y, indexing='ij')[1]",
            {
                "faces": ("ops.Meshgrid('ij')((x, y))[0] / ops.Meshgrid('ij')((x, y))[1]",),
                "shapes": VECTORS,
                "domain": (0.5, 2.0),
            },
        ),
    ],
    shapes=TWO,
)

SPLITTING = rows(
    [
        (
            "split",
            "ops.split(x, 2, 1)[1] * ops.split(x, 2, 1)[0]",
            {
                "shapes": ((2, 4),),
                "faces": ("ops.Split(1, 2)(x)[1] * ops.Split(1, 2)(x)[0]", "x.split(2, 1)[1] * x.split(2, 1)[0]"),
            },
        ),
        ("chunk", "ops.chunk(x, 2, 1)[1]", {"faces": ("x.chunk(2, 1)[1]",), "shapes": ((2, 4),)}),
        (
            "unstack",
            "ops.unstack(x, 1)[2]",
            {"faces": ("ops.unbind(x, 1)[2]", "ops.Unstack(1)(x)[2]"), "shapes": ((2, 4),)},
        ),
        ("split_sizes", "ops.split(x, [1, 3], 2)[1] * ops.split(x, [1, 3], 2)[0]", {}),
        (
            "tensor_split",
            "ops.tensor_split(x, 3, 2)[0] * ops.tensor_split(x, 3, 2)[2]",
            {"faces": ("x.tensor_split(3, 2)[0] * x.tensor_split(3, 2)[2]",), "reason": NO_SECOND},
        ),
        ("tensor_split_places", "ops.tensor_split(x, (1, 3), 2)[1]", {"faces": ("x.tensor_split((1, 3), 2)[1]",)}),
        ("hsplit", "ops.hsplit(x, 3)[1]", {"faces": ("x.hsplit(3)[1]", "ops.hsplit(x, (1, 2))[1]")}),
        ("vsplit", "ops.vsplit(x, 2)[1]", {"faces": ("x.vsplit(2)[1]", "ops.vsplit(x, (1,))[1]")}),
        ("dsplit", "ops.dsplit(x, 2)[1]", {"faces": ("x.dsplit(2)[1]", "ops.dsplit(x, (2,))[1]")}),
        ("split_evenly", "ops.Split(2, 4)(x)[3]", {"faces": ("x[:, :, 3:]",)}),
    ],
    shapes=((2, 3, 4),),
)

CASES = JOINING + SPLITTING

ERRORS = [
    ("ops.cat([])", ValueError, "the 'tensors' must be"),
    ("ops.cat(Tensor([1]))", TypeError, "the 'tensors' must be"),
    ("ops.stack((Tensor([1]), Tensor([1.0])))", TypeError, "the 'tensors' must be"),
    ("ops.chunk(Tensor([1]), 0)", ValueError, "the 'chunks' must be"),
    ("ops.split(Tensor([1, 2]), [1, 2])", ValueError, "the 'split_size_or_sections' must be"),
    ("ops.split(Tensor([1, 2]), 'a')", TypeError, "the 'split_size_or_sections' must be"),
    ("ops.split(Tensor([1, 2]), [-1, 3])", TypeError, "the 'split_size_or_sections' must be"),
]
