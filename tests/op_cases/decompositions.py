"""Matrix decompositions and solvers, Fourier transforms, window functions, norms and distances."""

from .case import rows

NO_SLOPE = "MindSpore 2.10 has no derivative of it on a CPU"
DOUBLE = ("float64",)
REGULAR = "(x + 3 * ops.eye(3, 3, x.dtype))"
SYMMETRIC = "(ops.matmul(x, x.swapaxes(-1, -2)) + ops.eye(3, 3, x.dtype))"
SIGNAL = "ops.Complex()(x, x + 1)"

FACTORS = rows(
    [
        (
            "singular_values",
            "ops.svd(x, compute_uv=False)",
            {"faces": ("ops.svd(x)[0]", "ops.Svd()(x)[0]", "x.svd()[0]"), "dtypes": DOUBLE, "order": 1},
        ),
        ("svd_product", "ops.matmul(ops.svd(x)[1] * ops.svd(x)[0], ops.svd(x)[2].T)", {"order": 1}),
        (
            "qr_product",
            "ops.matmul(*ops.qr(x))",
            {"faces": ("ops.matmul(*ops.Qr()(x))", "ops.matmul(*x.qr())"), "order": 1},
        ),
        ("qr_upper", "ops.qr(x)[1]", {"order": 1, "dtypes": DOUBLE}),
        ("geqrf", "ops.geqrf(x)[0]", {"faces": ("ops.Geqrf()(x)[0]", "x.geqrf()[0]"), "order": 0}),
        (
            "orgqr",
            "ops.orgqr(*ops.geqrf(x))",
            {"faces": ("ops.Orgqr()(*ops.geqrf(x))", "ops.geqrf(x)[0].orgqr(ops.geqrf(x)[1])"), "order": 0},
        ),
        (
            "ormqr",
            "ops.ormqr(ops.geqrf(x)[0], ops.geqrf(x)[1], x)",
            {
                "faces": (
                    "ops.Ormqr()(*ops.geqrf(x), x)",
                    "ops.geqrf(x)[0].ormqr(ops.geqrf(x)[1], x)",
                    "ops.matmul(ops.qr(x, 'complete')[0], x)",
                ),
                "order": 0,
                "reference": "np.linalg.qr(x, 'complete')[0] @ x",
            },
        ),
    ],
    shapes=((3, 2),),
    rtol=1e-4,
    reason=NO_SLOPE,
) + rows(
    [
        (
            "eigvals",
            f"ops.real(ops.eigvals({SYMMETRIC})).sum()",
            {
                "faces": (
                    f"ops.real(ops.eig({SYMMETRIC})[0]).sum()",
                    f"ops.real(ops.Eig()({SYMMETRIC})[0]).sum()",
                    f"ops.real({SYMMETRIC}.eigvals()).sum()",
                ),
                "platforms": ("cpu", "cuda"),
                "order": 1,
            },
        ),
        (
            "lu_solve",
            "ops.lu_solve(y, ops.triu(x) + 3 * ops.eye(3, 3, x.dtype), Tensor([2, 3, 3], ms.int32))",
            {
                "faces": (
                    "ops.LuSolve()(y, ops.triu(x) + 3 * ops.eye(3, 3, x.dtype), Tensor([2, 3, 3], ms.int32))",
                    "y.lu_solve(ops.triu(x) + 3 * ops.eye(3, 3, x.dtype), Tensor([2, 3, 3], ms.int32))",
                ),
            },
        ),
        (
            "lu_unpack",
            "ops.matmul(*ops.lu_unpack(x, Tensor([2, 3, 3], ms.int32))[:2])",
            {"faces": ("ops.matmul(*ops.LuUnpack()(x, Tensor([2, 3, 3], ms.int32))[:2])",)},
        ),
        (
            "matrix_solve",
            f"ops.matrix_solve({REGULAR}, y)",
            {"faces": (f"ops.MatrixSolve()({REGULAR}, y)",), "dtypes": DOUBLE},
        ),
        ("matrix_solve_adjoint", f"ops.matrix_solve({REGULAR}, y, True)", {}),
        (
            "triangular_solve",
            f"ops.MatrixTriangularSolve(False)({REGULAR}, y)",
            {"faces": (f"y.triangular_solve({REGULAR})[0]",)},
        ),
        ("triangular_solve_adjoint", f"ops.MatrixTriangularSolve(adjoint=True)({REGULAR}, y)", {}),
        ("lstsq", f"ops.lstsq({REGULAR}, y)", {"faces": (f"ops.Lstsq()({REGULAR}, y)", f"({REGULAR}).lstsq(y)")}),
        ("lstsq_wide", "ops.lstsq(x[:2], y[:2])", {"order": 1}),
        ("least_squares", f"ops.MatrixSolveLs()({REGULAR}, y, Tensor(0.5, ms.float64))", {"order": 1}),
        ("pinv", "ops.pinv(x[:2])", {"order": 1}),
        ("cond", f"ops.cond({REGULAR})", {"order": 1}),
        ("cond_fro", f"ops.cond({REGULAR}, 'fro')", {"order": 1}),
        (
            "cholesky_inverse",
            f"ops.cholesky_inverse(ops.cholesky({SYMMETRIC}))",
            {
                "faces": (
                    f"ops.CholeskyInverse()(ops.cholesky({SYMMETRIC}))",
                    f"ops.cholesky({SYMMETRIC}).cholesky_inverse()",
                ),
            },
        ),
        ("cholesky_solve_primitive", f"ops.CholeskySolve()(y, ops.cholesky({SYMMETRIC}))", {}),
        (
            "log_determinant",
            f"ops.slogdet({SYMMETRIC})[1]",
            {
                "faces": (
                    f"ops.log_matrix_determinant({SYMMETRIC})[1]",
                    f"ops.LogMatrixDeterminant()({SYMMETRIC})[1]",
                    f"{SYMMETRIC}.log_matrix_determinant()[1]",
                )
            },
        ),
        (
            "matrix_logarithm",
            f"ops.real(ops.MatrixLogarithm()(({SYMMETRIC}).astype(ms.complex128)))",
            {"platforms": ("cpu", "cuda"), "order": 0},
        ),
        (
            "tridiagonal",
            "ops.TridiagonalMatMul()(x[:1], x[1:2], x[2:], y)",
            {},
        ),
    ],
    shapes=((3, 3), (3, 2)),
    rtol=1e-4,
    reason=NO_SLOPE,
)

HALVES = rows(
    [
        ("irfft", f"ops.irfft({SIGNAL})", {}),
        ("hfft", f"ops.hfft({SIGNAL})", {}),
        ("irfft2", f"ops.irfft2({SIGNAL})", {}),
        ("hfft2", f"ops.hfft2({SIGNAL})", {}),
        ("irfftn", f"ops.irfftn({SIGNAL})", {}),
        ("hfftn", f"ops.hfftn({SIGNAL})", {}),
        ("rfft", "ops.view_as_real(ops.rfft(x))", {}),
        ("ihfft", "ops.view_as_real(ops.ihfft(x))", {}),
        ("rfft2", "ops.view_as_real(ops.rfft2(x))", {}),
        ("ihfft2", "ops.view_as_real(ops.ihfft2(x))", {}),
        ("rfftn", "ops.view_as_real(ops.rfftn(x))", {}),
        ("ihfftn", "ops.view_as_real(ops.ihfftn(x))", {}),
        ("fft_sized_real", "ops.view_as_real(ops.FFTWithSize(2, False, True)(x))", {}),
        ("fft_sized_inverse", "ops.FFTWithSize(1, True, True)(ops.rfft(x))", {}),
        ("rfft_power", "ops.square(ops.view_as_real(ops.rfft(x))).sum()", {"order": 2, "golden_order": 0}),
    ],
    shapes=((4, 7),),
    order=0,
    rtol=1e-4,
    reason=NO_SLOPE,
)

TRANSFORMS = rows(
    [
        (
            "fft",
            f"ops.view_as_real(ops.fft({SIGNAL}))",
            {"faces": (f"ops.view_as_real(ops.FFTWithSize(1, False, False)({SIGNAL}))",), "dtypes": DOUBLE},
        ),
        ("ifft", "ops.view_as_real(ops.ifft(x))", {}),
        ("fft2", f"ops.view_as_real(ops.fft2({SIGNAL}))", {}),
        ("ifft2", f"ops.view_as_real(ops.ifft2({SIGNAL}))", {}),
        ("fftn", f"ops.view_as_real(ops.fftn({SIGNAL}))", {}),
        ("ifftn", f"ops.view_as_real(ops.ifftn({SIGNAL}))", {}),
        ("fft_cut", "ops.view_as_real(ops.fft(x, 3, 0, 'ortho'))", {}),
        ("fft2_cut", "ops.view_as_real(ops.fft2(x, (2, 3), (0, 1), 'forward'))", {}),
        ("fft_of_ints", "ops.view_as_real(ops.fft(x.int()))", {}),
        ("stft", "ops.stft(x, 4)", {}),
        (
            "stft_window",
            "ops.view_as_real(ops.stft(x, 4, 2, 4, ops.ones((4,)), center=False, return_complex=True))",
            {},
        ),
        ("stft_frames", "ops.STFT(4, 2, 4, False, True, False)(x, ops.ones((4,)))", {}),
        ("fftshift", "ops.fftshift(x, 1)", {}),
        ("ifftshift", "ops.ifftshift(x)", {}),
    ],
    shapes=((4, 7),),
    order=0,
    rtol=1e-4,
)

WINDOWS = rows(
    [
        ("fftfreq", "x * ops.fftfreq(3)", {}),
        ("rfftfreq", "x * ops.rfftfreq(4, d=2)", {}),
        (
            "bartlett_window",
            "x * ops.bartlett_window(Tensor(3, ms.int32))",
            {"faces": ("x * ops.BartlettWindow()(Tensor(3, ms.int32))",)},
        ),
        (
            "blackman_window",
            "x * ops.blackman_window(Tensor(3, ms.int32))",
            {"faces": ("x * ops.BlackmanWindow()(Tensor(3, ms.int32))",)},
        ),
        (
            "hamming_window",
            "x * ops.hamming_window(3, False)",
            {"faces": ("x * ops.HammingWindow(False)(Tensor([3]))",)},
        ),
        ("hann_window", "ops.hann_window(5) * 2", {"order": 0}),
        ("kaiser_window", "ops.kaiser_window(5) * 2", {"order": 0}),
    ],
    shapes=((2, 3),),
)

DISTANCES = rows(
    [
        ("cdist", "ops.cdist(x, y)", {"faces": ("ops.Cdist()(x, y)",)}),
        ("cdist_one", "ops.cdist(x, y, 1)", {}),
        ("cdist_three", "ops.cdist(x, y, 3)", {}),
        ("cdist_greatest", "ops.cdist(x, y, float('inf'))", {}),
        ("pdist", "ops.pdist(x)", {"faces": ("ops.Pdist()(x)",)}),
        ("dist", "ops.dist(x, y[:3], 3)", {}),
        ("renorm", "ops.renorm(x, 1, 0, 2.0)", {"faces": ("ops.Renorm(1, 0, 2.0)(x)", "x.renorm(1, 0, 2.0)")}),
        ("lp_norm", "ops.LpNorm(1, 3)(x)", {}),
        (
            "euclidean_norm",
            "ops.EuclideanNorm(True)(x, Tensor([1]))",
            {"reference": "np.sqrt(np.square(x).sum(1, keepdims=True))"},
        ),
        ("nuclear_norm", "ops.NuclearNorm()(x)", {}),
        ("vector_norm", "ops.vector_norm(x, 3)", {}),
        ("vector_norm_axis", "ops.vector_norm(x, float('inf'), 1, True)", {"dtypes": ("float64",)}),
        ("matrix_norm", "ops.matrix_norm(x)", {}),
        ("matrix_norm_one", "ops.matrix_norm(x, 1, keepdims=True)", {}),
        ("vecdot", "ops.vecdot(x, x + 1)", {}),
    ],
    shapes=((3, 4), (5, 4)),
    order=1,
    rtol=1e-4,
    reason=NO_SLOPE,
)

CASES = FACTORS + HALVES + TRANSFORMS + WINDOWS + DISTANCES

ERRORS = [
    ("ops.svd(Tensor([1.0]))", ValueError, "the 'input' must be of at least 2 axes"),
    ("ops.svd(Tensor([[1]]))", TypeError, "the 'input' must be"),
    ("ops.qr(Tensor([[1.0]]), 'full')", ValueError, "the 'mode' must be"),
    ("ops.eigvals(Tensor([[1.0, 2.0]]))", ValueError, "the 'A' must be"),
    ("ops.fft(Tensor([1.0]), dim=3)", ValueError, "the 'dim' must be"),
    ("ops.fft(Tensor([1.0]), norm='a')", ValueError, "the 'norm' must be"),
    ("ops.fft(Tensor([1.0]), 'a')", TypeError, "the 'n' must be"),
    ("ops.fft(Tensor([1.0]), 0)", ValueError, "the 'n' must be"),
    ("ops.fft(Tensor([True]))", TypeError, "the 'input' must be"),
    ("ops.pdist(Tensor([1.0]))", ValueError, "the 'input' must be"),
    ("ops.unique_consecutive(Tensor(1), dim=0)", ValueError, "the 'dim' must be one of a Tensor that has axes"),
    ("Tensor([1, 1]).unique(dim=1)", ValueError, "For 'UniqueDim', the 'dim' must be"),
    ("ops.max(Tensor([1.0]), 'a')", TypeError, "For 'max', the 'axis' must be"),
    ("ops.matmul(Tensor([1.0]), Tensor([1]))", TypeError, "must have the same dtype"),
    ("ops.matmul(Tensor([[1.0]]), Tensor([1.0, 2.0]))", ValueError, "For 'MatMulExt', the 'other' must be"),
    ("Tensor([[[1.0]]]) @ Tensor([1.0, 2.0])", ValueError, "For 'MatMulExt', the 'other' must be"),
    ("Tensor([1.0]) @ Tensor([[1.0], [2.0]])", RuntimeError, "For 'MatMulExt', the 'other' must be"),
    ("ops.mv(Tensor([[1.0]]), Tensor([1.0, 2.0]))", ValueError, "the 'vec' must be"),
    ("ops.addmv(ops.ones(2), ops.ones((2, 3)), ops.ones(2))", ValueError, "For 'addmv', the 'vec' must be a vector of"),
    (
        "ops.addmm(ops.ones((2, 4)), ops.ones(3), ops.ones((3, 4)))",
        ValueError,
        "For 'addmm', the 'mat1' must be a matrix",
    ),
    (
        "ops.cdist(ops.ones((2, 4, 3)), ops.ones((5, 3)))",
        ValueError,
        "For 'Cdist', the 'x2' must be of 3 axes, as 'x1'",
    ),
]
