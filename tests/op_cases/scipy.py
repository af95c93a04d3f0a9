"""``mindspore.scipy``: matrix factorizations and solvers, cosine transforms, assignment problems."""

from .case import rows

_DOUBLE = {"dtypes": ("float64",)}
_NO_SLOPE = {"golden_order": 0, "reason": "MindSpore 2.10 has no derivative of it, or fails at it"}
_WRONG_SLOPE = {"golden_order": 0, "reason": "the derivative is wrong in MindSpore 2.10"}
_MATRIX, _RIGHT = "(x + 4 * mnp.eye(3))", ((3, 3), (3, 2))
_POSITIVE = "(mnp.matmul(x, x.T) + 3 * mnp.eye(3))"
_L = "ms.scipy.linalg."

LINALG = rows(
    [
        ("sp_inv", f"{_L}inv({_MATRIX})", _DOUBLE),
        ("sp_inv_of_ints", f"{_L}inv(x + 4 * mnp.eye(3).astype(ms.int32))", "i32[3,3]<3", {}),
        ("sp_cholesky", f"{_L}cholesky({_POSITIVE})", {**_DOUBLE, **_NO_SLOPE}),
        ("sp_cholesky_lower", f"{_L}cholesky({_POSITIVE}, lower=True)", _NO_SLOPE),
        ("sp_cho_factor", f"{_L}cho_factor({_POSITIVE}, True)[0]", _NO_SLOPE),
        ("sp_cho_solve", f"{_L}cho_solve({_L}cho_factor({_POSITIVE}), y)", {"shapes": _RIGHT, **_NO_SLOPE}),
        ("sp_cho_solve_vector", f"{_L}cho_solve(({_MATRIX}, True), y)", {"shapes": ((3, 3), (3,))}),
        ("sp_solve_triangular", f"{_L}solve_triangular({_MATRIX}, y)", {"shapes": ((3, 3), (3,)), **_DOUBLE}),
        (
            "sp_solve_triangular_transposed",
            f"{_L}solve_triangular({_MATRIX}, y, 'T', True, True)",
            {
                "shapes": _RIGHT,
                "faces": (
                    f"ms.scipy.ops.SolveTriangular(True, True, 'T')({_MATRIX}, y)",
                    f"ms.scipy.ops.solve_triangular({_MATRIX}, y, 1, True, True)",
                ),
            },
        ),
        ("sp_solve_triangular_batch", f"{_L}solve_triangular({_MATRIX}, y)", {"shapes": ((2, 3, 3), (2, 3))}),
        ("sp_solve_triangular_of_ints", f"{_L}solve_triangular(x, y)", "i32[2,2](1,3) i32[2]<9", {}),
        ("sp_block_diag", f"{_L}block_diag(x, y, z)", {"shapes": ((2, 3), (2,), ())}),
        ("sp_det", f"{_L}det({_MATRIX})", {}),
        ("sp_lu_factor", f"{_L}lu_factor({_MATRIX})[0]", {**_DOUBLE, **_NO_SLOPE}),
        ("sp_lu_pivots", f"{_L}lu_factor(x)[1]", {"order": 0}),
        ("sp_lu_lower", f"{_L}lu(x)[1]", _NO_SLOPE),
        ("sp_lu_upper", f"{_L}lu(x)[2]", {"shapes": ((2, 3),), **_NO_SLOPE}),
        ("sp_lu_permutation", f"{_L}lu(x)[0]", {"order": 0, "faces": ("ms.scipy.ops.LU()(x)[2]",)}),
        ("sp_lu_permuted", f"mnp.matmul(*{_L}lu(x, True))", {"order": 0, "reference": "x"}),
        ("sp_lu_solve", f"{_L}lu_solve({_L}lu_factor({_MATRIX}), y)", {"shapes": _RIGHT, **_NO_SLOPE}),
        ("sp_lu_solve_transposed", f"{_L}lu_solve({_L}lu_factor({_MATRIX}), y, 1)", {"shapes": _RIGHT, **_NO_SLOPE}),
        ("sp_eigh_values", f"{_L}eigh({_POSITIVE}, eigvals_only=True)", _DOUBLE),
        ("sp_eigh_upper", f"{_L}eigh(x + x.T, lower=False, eigvals_only=True)", {}),
        ("sp_eigh_vectors", f"ops.square({_L}eigh({_POSITIVE})[1])", {}),
        ("sp_lstsq", f"{_L}lstsq(x, y)[0]", {"shapes": ((4, 2), (4,))}),
        ("sp_lstsq_wide", f"{_L}lstsq(x, y, driver='gels')[0]", {"shapes": ((2, 3), (2, 2))}),
        ("sp_lstsq_residual", f"{_L}lstsq(x, y, driver='gelsd')[1]", {"shapes": ((4, 2), (4, 3)), **_WRONG_SLOPE}),
        ("sp_lstsq_rank", f"{_L}lstsq(x, y)[2]", {"shapes": ((2, 4, 2), (2, 4, 1)), "order": 0}),
        ("sp_lstsq_values", f"{_L}lstsq(x, y, driver='gelss')[3]", {"shapes": ((4, 2), (4,)), **_WRONG_SLOPE}),
        ("sp_eig", "mnp.amax(ms.scipy.ops.Eig()(x)[0].real())", {"order": 0, "platforms": ("cpu", "cuda")}),
        ("sp_matrix_set_diag", "ms.scipy.ops_wrapper.matrix_set_diag(x, y, 1)", {"shapes": ((3, 3), (2,))}),
    ],
    shapes=((3, 3),),
    order=1,
    golden_order=1,
)

_F = "ms.scipy.fft."
FFT = rows(
    [
        ("sp_dct", f"{_F}dct(x)", {"dtypes": ("float16", "float64", "int32"), **_WRONG_SLOPE}),
        ("sp_dct_cut", f"{_F}dct(x, n=2, norm='ortho')", {}),
        ("sp_dct_filled", f"{_F}dct(x, 2, 5, 0)", _WRONG_SLOPE),
        ("sp_idct", f"{_F}idct(x)", {"dtypes": ("float16", "float64", "int32")}),
        ("sp_dctn", f"{_F}dctn(x)", {"shapes": ((2, 3, 2),), **_WRONG_SLOPE}),
        ("sp_dctn_cut", f"{_F}dctn(x, s=(2, 4), axes=(1, 0))", _WRONG_SLOPE),
        ("sp_idctn", f"{_F}idctn(x, s=(2,))", {}),
    ],
    order=1,
    golden_order=1,
)

_A = "ms.scipy.optimize.linear_sum_assignment"
ASSIGNMENT = rows(
    [
        ("sp_assignment", f"{_A}(x, False)[1]", {"dtypes": ("int32",)}),
        ("sp_assignment_greatest", f"{_A}(x, True)[1]", {}),
        (
            "sp_assignment_limited",
            f"{_A}(x, False, Tensor(2))[0]",
            {"faces": ("ms.scipy.ops.LinearSumAssignment()(x, Tensor(2), False)[0]",)},
        ),
    ],
    shapes=((3, 4),),
    order=0,
    looks=True,
)

CASES = LINALG + FFT + ASSIGNMENT

_ONE = "Tensor([[1.0]])"
ERRORS = [
    (f"{_L}inv(Tensor([1.0]))", ValueError, "For 'inv', the 'a' must be a matrix"),
    (f"{_L}inv(ops.ones((2, 3)))", ValueError, "For 'inv', the 'a' must be a square matrix"),
    (f"{_L}inv({_ONE}.astype(ms.float16))", TypeError, "For 'inv', the 'a' must be a Tensor of"),
    (f"{_L}inv({_ONE}, check_finite=1)", TypeError, "For 'inv', the 'check_finite' must be a bool"),
    (f"{_L}cholesky(-{_ONE})", RuntimeError, "symmetric positive definite"),
    (f"{_L}cho_solve(({_ONE}, 1), {_ONE})", TypeError, "For 'cho_solve', the 'lower' must be a bool"),
    (f"{_L}cho_solve(({_ONE}, True), ops.ones(2))", ValueError, "For 'cho_solve', the 'b' must be of shape (1,)"),
    (f"{_L}solve_triangular({_ONE}, {_ONE}, 'X')", ValueError, "For 'solve_triangular', the 'trans' must be one of"),
    (f"{_L}solve_triangular({_ONE}, ops.ones(2))", ValueError, "For 'solve_triangular', the 'b' must be of shape"),
    (f"{_L}block_diag(ops.ones((1, 1, 1)))", ValueError, "For 'block_diag'"),
    (f"{_L}lu({_ONE}, 1)", TypeError, "For 'lu', the 'permute_l' must be a bool"),
    (f"{_L}lu_solve({_L}lu_factor({_ONE}), {_ONE}, 3)", ValueError, "For 'lu_solve', the 'trans' must be one of"),
    (f"{_L}eigh({_ONE}, {_ONE})", ValueError, "For 'eigh', the 'b' must be None"),
    (f"{_L}lstsq({_ONE}, {_ONE}, driver='x')", ValueError, "For 'lstsq', the 'driver' must be one of"),
    (f"{_F}dct({_ONE}, 1)", ValueError, "For 'dct', the 'type' must be one of"),
    (f"{_F}dct({_ONE}, norm='backward')", ValueError, "For 'dct', the 'norm' must be one of"),
    (f"{_F}dct({_ONE}, n=0)", ValueError, "For 'dct', the 'n' must be a positive int"),
    (f"{_F}dct({_ONE}.bool())", TypeError, "For 'dct', the 'x' must be a Tensor of"),
    (f"{_F}dctn({_ONE}, s=(1,), axes=(0, 1))", ValueError, "For 'dctn', the 's' must be one positive length"),
    (f"{_F}dctn({_ONE}, axes=(0, 0))", ValueError, "For 'dctn', the 'axes' must"),
    (f"{_A}(ops.ones(2), False)", ValueError, "For 'LinearSumAssignment', the 'cost_matrix' must be a matrix"),
    (f"{_A}({_ONE}, False, Tensor(0))", RuntimeError, "the 'dimension_limit' must be positive"),
    (f"{_A}({_ONE} * float('nan'), False)", RuntimeError, "the 'cost_matrix' allows no assignment"),
    ("ms.scipy.optimize.minimize(len, Tensor([1.0]))", ValueError, "For 'minimize', the 'method' must be one of"),
    ("ms.scipy.optimize.minimize(len, Tensor([1.0]), 1, 'bfgs')", TypeError, "For 'minimize', the 'args' must be"),
    ("ms.scipy.optimize.line_search(1, Tensor([1.0]), Tensor([1.0]))", TypeError, "For 'line_search', the 'f' must"),
]
