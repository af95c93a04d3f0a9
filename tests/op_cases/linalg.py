"""Linear algebra of matrices; products are in `matmul`."""

from .case import rows

REGULAR = "x + 3 * ops.eye(3, 3, x.dtype)"  # well-conditioned: no eigenvalue is near 0
POSITIVE = "ops.matmul(x, x.swapaxes(-1, -2)) + ops.eye(3, 3, x.dtype)"  # symmetric positive definite
TERM = "np.linalg.matrix_power(x.astype(float), k) / np.prod(np.arange(1.0, k + 1))"
NO_FIRST = {"reason": "MindSpore 2.10 has no derivative of it on a CPU"}
WRONG = "MindSpore 2.10's derivative of MatrixInverse(adjoint=True) is transposed"
DOUBLE = ("float64",)
NO_SECOND = {"golden_order": 1, "reason": WRONG + ", which is their second one"}

CASES = rows(
    [
        (
            "inverse",
            f"ops.inverse({REGULAR})",
            {"faces": (f"ops.MatrixInverse()({REGULAR})", f"({REGULAR}).inverse()"), "dtypes": DOUBLE},
        ),
        (
            "inverse_adjoint",
            f"ops.MatrixInverse(adjoint=True)({REGULAR})",
            {"shapes": ((3, 3),), "golden_order": 0, "reason": WRONG},
        ),
        (
            "cholesky",
            f"ops.cholesky({POSITIVE})",
            {"faces": (f"ops.Cholesky()({POSITIVE})", f"({POSITIVE}).cholesky()"), "dtypes": DOUBLE, **NO_FIRST},
        ),
        (
            "cholesky_upper",
            f"ops.cholesky({POSITIVE}, upper=True)",
            {"faces": (f"ops.Cholesky(True)({POSITIVE})",), **NO_FIRST},
        ),
        (
            "cholesky_solve",
            "ops.cholesky_solve(x, ops.tril(y))",
            {
                "shapes": ((3, 2), (3, 3)),
                "domain": (0.5, 2.0),
                "faces": ("x.cholesky_solve(ops.tril(y))", "ops.cholesky_solve(x, ops.tril(y).T, upper=True)"),
                "dtypes": DOUBLE,
            },
        ),
        ("trace", "ops.trace(x)", {"shapes": ((3, 4),), "faces": ("ops.Trace()(x)", "x.trace()"), "dtypes": DOUBLE}),
        ("trace_of_planes", "x.trace(1, 0, 2)", {"shapes": ((3, 2, 4),)}),
        (
            "det",
            f"ops.det({REGULAR})",
            {
                "faces": (
                    f"ops.matrix_determinant({REGULAR})",
                    f"ops.MatrixDeterminant()({REGULAR})",
                    f"({REGULAR}).det()",
                ),
                "dtypes": DOUBLE,
                **NO_SECOND,
            },
        ),
        ("slogdet_sign", f"ops.slogdet(-1 * ({REGULAR}))[0]", {"order": 1}),
        (
            "slogdet",
            f"ops.slogdet({REGULAR})[1]",
            {"faces": (f"({REGULAR}).slogdet()[1]",), "dtypes": DOUBLE, **NO_SECOND},
        ),
        ("logdet", f"ops.logdet({REGULAR})", {"faces": (f"({REGULAR}).logdet()",), "dtypes": DOUBLE, **NO_SECOND}),
        (
            "matrix_power",
            "ops.matrix_power(x, 3)",
            {"faces": ("ops.MatrixPower(3)(x)", "x.matrix_power(3)"), "dtypes": DOUBLE},
        ),
        ("matrix_power_negative", f"ops.matrix_power({REGULAR}, -2)", {}),
        (
            "matrix_exp",
            "ops.matrix_exp(x)",
            {
                "faces": ("ops.MatrixExp()(x)",),
                "dtypes": DOUBLE,
                "reference": f"sum({TERM} for k in range(25)).astype(x.dtype)",
            },
        ),
    ],
    shapes=((2, 3, 3),),
    domain=(-1.0, 1.0),
)
