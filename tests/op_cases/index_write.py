"""Copies with slices or elements replaced at indices, masks and slices; sparse formats."""

from .case import rows

PAIR = "[Tensor([0, 1]), Tensor([1, 1])]"
TWICE = "[Tensor([0, 0]), Tensor([1, 1])]"
WRONG = "the derivatives of MindSpore 2.10 are 0"
NO_SLOPE = "MindSpore 2.10 has no derivative of it on a CPU"

PUTTING = rows(
    [
        (
            "inplace_update",
            "ops.inplace_update(x, y, (1,))",
            {
                "faces": (
                    "ops.InplaceUpdate((1,))(x, y)",
                    "ops.InplaceUpdateV2()(x, (1,), y)",
                    "x.inplace_update(y, (1,))",
                ),
                "golden_order": 0,
                "reason": WRONG,
            },
        ),
        (
            "inplace_add",
            "ops.inplace_add(x, y, 1)",
            {"faces": ("ops.InplaceAdd(1)(x, y)",), "golden_order": 0, "reason": WRONG},
        ),
        (
            "inplace_sub",
            "ops.inplace_sub(x, y, 1)",
            {"faces": ("ops.InplaceSub(1)(x, y)",), "golden_order": 0, "reason": WRONG},
        ),
        (
            "slice_scatter",
            "ops.slice_scatter(x, y, 0, 1, 2) * x",
            {
                "faces": ("x.slice_scatter(y, 0, 1, 2) * x",),
            },
        ),
        ("index_fill_primitive", "ops.IndexFill()(x, 1, Tensor([2, 0], ms.int32), Tensor(0.5)) + y", {}),
    ],
    shapes=((2, 3), (1, 3)),
)

ELEMENTS = rows(
    [
        (
            "index_put",
            f"x.index_put({PAIR}, y)",
            {
                "faces": (f"ops.IndexPut()(x, y, {PAIR})",),
                "order": 1,
                "reason": NO_SLOPE,
            },
        ),
        (
            "index_put_twice",
            f"x.index_put({TWICE}, y, True)",
            {
                "faces": (f"ops.IndexPut(1)(x, y, {TWICE})",),
                "order": 1,
                "reason": NO_SLOPE,
            },
        ),
        (
            "diagonal_scatter",
            "ops.diagonal_scatter(x, y, 1) * x",
            {
                "faces": ("x.diagonal_scatter(y, 1) * x",),
                "order": 1,
                "reason": NO_SLOPE,
            },
        ),
        (
            "fill_diagonal",
            "x.fill_diagonal(9.0) * y[0]",
            {
                "faces": ("ops.FillDiagonal(9.0)(x) * y[0]",),
                "order": 1,
                "reason": NO_SLOPE,
            },
        ),
        (
            "masked_scatter",
            "x.masked_scatter(Tensor([[True, False, False], [False, True, False]]), y)",
            {
                "faces": ("ops.MaskedScatter()(x, Tensor([[True, False, False], [False, True, False]]), y)",),
                "order": 1,
                "reason": NO_SLOPE,
            },
        ),
        (
            "scatter_add_with_axis",
            "ops.ScatterAddWithAxis(1)(x, Tensor([[0], [2]]), y[:, None])",
            {
                "order": 1,
                "reason": NO_SLOPE,
            },
        ),
        (
            "choose",
            "Tensor([1, 0]).choose([x[0, :2], y])",
            {"reference": "np.stack([y[0], x[0, 1]])", "reason": "MindSpore 2.10 rounds it to ints on the way"},
        ),
        (
            "sparse_to_dense",
            "ops.SparseToDense()(Tensor([[0, 1], [1, 2]]), y, (2, 3)) * x",
            {
                "golden_order": 0,
                "reason": NO_SLOPE,
            },
        ),
        (
            "sparse_matmul",
            "ops.SparseTensorDenseMatmul()(Tensor([[0, 1], [1, 0]]), y, (2, 2), x)",
            {
                "golden_order": 0,
                "reason": NO_SLOPE,
            },
        ),
        (
            "sparse_add",
            "ops.SparseTensorDenseAdd()(Tensor([[0, 1], [1, 2]]), y, Tensor([2, 3]), x)",
            {
                "golden_order": 0,
                "reason": NO_SLOPE,
            },
        ),
    ],
    shapes=((2, 3), (2,)),
)

LOOKING = rows(
    [
        (
            "coalesce",
            "ops.coalesce(Tensor([[0, 0, 1], [1, 1, 2]]), x, Tensor([2, 3]))[1]",
            {
                "faces": ("ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, 2]]), x, Tensor([2, 3]))[1]",),
                "order": 0,
            },
        ),
        ("combinations", "ops.combinations(x)", {"order": 1}),
        ("combinations_again", "ops.combinations(x, 2, True)", {"order": 1}),
    ],
    shapes=((3,),),
)

CASES = PUTTING + ELEMENTS + LOOKING

ERRORS = [
    ("ops.inplace_add(ops.ones((2, 3)), ops.ones((1, 2)), 0)", ValueError, "the 'v' must be"),
    ("ops.slice_scatter(ops.ones((2, 3)), ops.ones((1, 2)))", ValueError, "the 'src' must be"),
    ("Tensor([1.0]).index_put([Tensor([0])], Tensor([1]))", TypeError, "must be"),
]
