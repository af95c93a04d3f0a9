"""Space to depth and batch, bands of diagonals, data formats."""

from .case import NO_SECOND, rows

CUBE = ((1, 2, 4, 4),)
BAND = "Tensor([-1, 1], ms.int32)"

BLOCKS = rows(
    [
        ("space_to_depth", "ops.SpaceToDepth(2)(x)", {}),
        ("depth_to_space", "ops.DepthToSpace(2)(x)", {"shapes": ((1, 8, 2, 3),)}),
        (
            "space_to_batch_nd",
            "ops.space_to_batch_nd(x, [2, 3], [[0, 0], [1, 1]])",
            {"faces": ("ops.SpaceToBatchND([2, 3], [[0, 0], [1, 1]])(x)",)},
        ),
        (
            "space_to_batch",
            "ops.space_to_batch_nd(x, [2, 2], [[0, 2], [0, 0]])",
            {"faces": ("ops.SpaceToBatch(2, [[0, 2], [0, 0]])(x)",)},
        ),
        (
            "batch_to_space_nd",
            "ops.batch_to_space_nd(x, [2, 2], [[0, 1], [0, 0]])",
            {
                "shapes": ((4, 2, 2, 2),),
                "faces": (
                    "ops.BatchToSpaceND([2, 2], [[0, 1], [0, 0]])(x)",
                    "ops.BatchToSpaceNDV2()(x, Tensor([2, 2]), Tensor([[0, 1], [0, 0]]))",
                    "ops.BatchToSpace(2, [[0, 1], [0, 0]])(x)",
                ),
            },
        ),
    ],
    shapes=CUBE,
)

BANDS = rows(
    [
        ("matrix_diag", "ops.matrix_diag(x)", {"reason": NO_SECOND}),
        (
            "matrix_diag_band",
            f"ops.matrix_diag(x, {BAND}, Tensor(3, ms.int32), Tensor(3, ms.int32), Tensor(9.0))",
            {
                "shapes": ((2, 3, 3),),
                "faces": (f"ops.MatrixDiagV3()(x, {BAND}, Tensor(3, ms.int32), Tensor(3, ms.int32), Tensor(9.0))",),
                "reason": NO_SECOND,
            },
        ),
        (
            "matrix_diag_part",
            f"ops.matrix_diag_part(x, {BAND}, Tensor(9.0))",
            {
                "shapes": ((2, 3, 4),),
                "faces": (f"ops.MatrixDiagPartV3()(x, {BAND}, Tensor(9.0))",),
                "reason": NO_SECOND,
            },
        ),
        (
            "matrix_diag_part_other_side",
            f"ops.matrix_diag_part(x, {BAND}, Tensor(9.0), align='LEFT_RIGHT')",
            {"shapes": ((2, 4, 3),), "reason": NO_SECOND},
        ),
        (
            "matrix_set_diag",
            "ops.matrix_set_diag(x, y)",
            {
                "shapes": ((2, 3, 4), (2, 3)),
                "faces": ("ops.MatrixSetDiagV3()(x, y, Tensor(0, ms.int32))",),
                "reason": NO_SECOND,
            },
        ),
        (
            "matrix_set_diag_band",
            f"ops.matrix_set_diag(x, y, {BAND}, 'LEFT_LEFT')",
            {"shapes": ((3, 3), (3, 3)), "reason": NO_SECOND},
        ),
    ]
)

ORDERS = rows(
    [
        ("data_format_dim_map", "ops.DataFormatDimMap()(x)", "i32[5](-4,4)", {}),
        ("data_format_vec_permute", "ops.DataFormatVecPermute('NCHW', 'NHWC')(x)", "i[4,2]<9", {}),
    ],
    order=0,
)

CASES = BLOCKS + BANDS + ORDERS

ERRORS = [
    ("ops.DepthToSpace(2)(ops.ones((1, 3, 2, 2)))", ValueError, "the 'x' must be"),
    ("ops.SpaceToDepth(1)(ops.ones((1, 3, 2, 2)))", ValueError, "the 'block_size' must be"),
    ("ops.matrix_diag_part(ops.ones((2, 2)), Tensor([1, 0]), Tensor(0.0))", ValueError, "the 'k' must be"),
]
