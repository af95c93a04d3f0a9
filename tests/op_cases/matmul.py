"""Products of matrices, vectors and tensors."""

from .case import rows

SQUARE = ((2, 2, 3), (2, 3, 2))

MATRICES = rows(
    [
        (
            "matmul",
            "x @ y",
            {"faces": ("ops.matmul(x, y)", "ops.MatMul()(x, y)", "x.matmul(y)", "ops.mm(x, y)", "x.mm(y)")},
        ),
        ("matmul_batch", "ops.matmul(x, y)", {"shapes": ((2, 3, 4), (4, 2))}),
        ("matmul_vector", "ops.matmul(x, y)", {"shapes": ((2, 3), (3,)), "faces": ("ops.mv(x, y)",)}),
        ("matmul_transposed", "ops.MatMul(transpose_a=True, transpose_b=True)(x, y)", {"shapes": ((3, 2), (4, 3))}),
        (
            "bmm",
            "ops.bmm(x, y)",
            {"shapes": SQUARE, "faces": ("ops.BatchMatMul()(x, y)", "x.bmm(y)", "ops.einsum('bij,bjk->bik', x, y)")},
        ),
        ("dense", "ops.dense(x, y, z)", {"shapes": ((2, 3), (4, 3), (4,)), "faces": ("ops.Dense()(x, y, z)",)}),
        ("dense_no_bias", "ops.dense(x, y)", {"shapes": ((2, 3), (4, 3))}),
    ],
    shapes=((2, 3), (3, 4)),
)

VECTORS = rows(
    [
        ("outer", "ops.outer(x, y)", {"faces": ("x.outer(y)",)}),
        ("ger", "ops.ger(x, y)", {"faces": ("x.ger(y)", "ops.Ger()(x, y)"), "dtypes": ("float16", "float64")}),
        ("kron", "ops.kron(x, y)", {"shapes": ((2, 3), (3, 1, 2))}),
        ("cross", "ops.cross(x, y)", {"shapes": ((2, 3), (2, 3)), "faces": ("x.cross(y)", "ops.cross(x, y, 1)")}),
        ("cross_first_axis", "ops.cross(x, y)", {"shapes": ((3, 3), (3, 3)), "faces": ("ops.cross(x, y, -2)",)}),
    ],
    shapes=((2,), (3,)),
)

CONTRACTIONS = rows(
    [
        ("dot", "ops.dot(x, y)", {"shapes": ((2, 3), (2, 3, 2)), "faces": ("x.dot(y)",)}),
        ("inner", "ops.inner(x, y)", {"shapes": ((2, 3), (2, 2, 3)), "faces": ("x.inner(y)",)}),
        ("tensor_dot", "ops.tensor_dot(x, y, 1)", {"faces": ("ops.tensor_dot(x, y, ((2,), (0,)))",)}),
        ("tensor_dot_axes", "ops.tensor_dot(x, y, ((0, 1), (1, 2)))", {"shapes": ((2, 3, 2), (4, 2, 3))}),
        ("batch_dot", "ops.batch_dot(x, y)", {"shapes": ((2, 2, 3), (2, 3, 2)), "faces": ("ops.bmm(x, y)",)}),
        ("batch_dot_axes", "ops.batch_dot(x, y, (1, 2))", {"shapes": ((2, 3, 2), (2, 2, 3, 2))}),
        ("batch_dot_vectors", "ops.batch_dot(x, y)", {"shapes": ((2, 3), (2, 3))}),
    ],
    shapes=((2, 2, 3), (3, 2)),
)

EINSUMS = rows(  # MindSpore 2.10 has them on no CPU
    [
        (
            "einsum",
            "ops.einsum('ij,jk->ki', x, y)",
            {
                "shapes": ((2, 3), (3, 2)),
                "faces": ("ops.Einsum('ij,jk->ki')((x, y))",),
                "reference": "np.einsum('ij,jk->ki', x, y)",
            },
        ),
        (
            "einsum_many",
            "ops.einsum('bi,ij,bj->b', x, y, z)",
            {"shapes": ((2, 3), (3, 2), (2, 2)), "reference": "np.einsum('bi,ij,bj->b', x, y, z)"},
        ),
        (
            "einsum_diagonal",
            "ops.einsum('...ii->...i', x)",
            {"shapes": ((2, 3, 3),), "reference": "np.einsum('...ii->...i', x)"},
        ),
    ]
)

SCALED_SUMS = rows(
    [
        ("addmm", "ops.addmm(x, y, z, beta=2, alpha=0.5)", {"faces": ("x.addmm(y, z, beta=2, alpha=0.5)",)}),
        (
            "addmv",
            "ops.addmv(x, y, z, beta=2, alpha=0.5)",
            {"shapes": ((2,), (2, 3), (3,)), "faces": ("x.addmv(y, z, beta=2, alpha=0.5)",)},
        ),
        ("addmv_of_a_column", "ops.addmv(x, y, z)", {"shapes": ((2,), (2, 3), (3, 1)), "faces": ("x + ops.mv(y, z)",)}),
        (
            "addr",
            "ops.addr(x, y, z, beta=2, alpha=0.5)",
            {"shapes": ((2, 3), (2,), (3,)), "faces": ("x.addr(y, z, beta=2, alpha=0.5)",)},
        ),
        (
            "addbmm",
            "ops.addbmm(x, y, z, beta=2, alpha=0.5)",
            {"shapes": ((2, 2), *SQUARE), "faces": ("x.addbmm(y, z, beta=2, alpha=0.5)",)},
        ),
        (
            "baddbmm",
            "ops.baddbmm(x, y, z, beta=2, alpha=0.5)",
            {
                "shapes": ((2, 2, 2), *SQUARE),
                "faces": (
                    "ops.baddbmm_ext(x, y, z, beta=2, alpha=0.5)",
                    "x.baddbmm(y, z, beta=2, alpha=0.5)",
                ),
            },
        ),
    ],
    shapes=((2, 2), (2, 3), (3, 2)),
)

CASES = MATRICES + VECTORS + CONTRACTIONS + EINSUMS + SCALED_SUMS
