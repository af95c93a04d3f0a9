"""Layers of mathematics, over matrices and over sparse ones."""

from .case import NO_KERNEL, rows

CALL = "layer(x + x.swapaxes(0, 1) + Tensor([[9.0, 0, 0], [0, 9, 0], [0, 0, 9]], ms.float32))"
POSITIVE = "x + x.T + 9 * np.eye(3, dtype=np.float32)"
PARTS = {"without": ("text", "cells")}  # MindSpore computes them by other layers
OLD = {"rtol": 1e-3, "reason": "MindSpore's are approximations of other coefficients"}

MATHEMATICS = rows(
    [
        ("di_gamma", "nn.DiGamma()", "f[2,3](0.6,5)", OLD),
        ("l_gamma", "nn.LGamma()", "f[2,3](3,9)", OLD),
        ("l_beta", "nn.LBeta()", "f[2,3](0.6,5) f[3](0.6,5)", OLD | PARTS),
        ("i_gamma", "nn.IGamma()", "f[2,3](1,2) f[2,3](1,2)", OLD | PARTS | {"gradients": False}),
        ("reduce_log_sum_exp", "nn.ReduceLogSumExp(1, True)", "f[2,3]", {"rtol": 1e-4, "reason": "approximations"}),
        ("range", "nn.Range(1, 8, 2)", "b[1]", {"call": "layer()"}),
        ("range_floats", "nn.Range(0.5, 2)", "b[1]", {"call": "layer()"}),
        ("norm", "nn.Norm(0, True)", "f[2,3]"),
        ("norm_all", "nn.Norm()", "f[2,3]"),
        ("l1_regularizer", "nn.L1Regularizer(0.3)", "f[2,3]", {"without": ("attributes",), "reason": "a Tensor"}),
        ("moments", "nn.Moments(axis=(0, 2))", "f[2,3,4]"),
        ("moments_kept", "nn.Moments(1, keep_dims=True)", "f[2,3]"),
        ("moments_all", "nn.Moments()", "f[2,3]"),
        ("clip_by_norm", "nn.ClipByNorm()", "f[2,3] f[1](0.5,1)"),
        (
            "clip_by_norm_axis",
            "nn.ClipByNorm(1)",
            "f[2,3] f[2,1](0.5,1)",
            {
                "reference": "x * y / np.maximum(np.sqrt((x * x).sum(1, keepdims=True)), y)",
                "reason": "MindSpore's results on a CPU have other norms than asked for",
            },
        ),
    ]
)

MATRICES = rows(
    [
        ("mat_mul", "nn.MatMul()", "f[2,3] f[3,4]"),
        ("mat_mul_transposed", "nn.MatMul(True, True)", "f[2,3,4] f[5,3]"),
        ("mat_mul_vector", "nn.MatMul()", "f[3] f[2,3,4]"),
        ("tril", "nn.Tril()", "f[3,4]", {"call": "layer(x, 1)"}),
        ("triu", "nn.Triu()", "f[3,4]", {"call": "layer(x, -1)"}),
        ("triu_plain", "nn.Triu()", "i32[3,3]<9"),
    ]
) + rows(
    [
        ("matrix_diag", "nn.MatrixDiag()", "f[2,3]", {"reference": "x[..., None] * np.eye(3, dtype=np.float32)"}),
        (
            "matrix_diag_part",
            "nn.MatrixDiagPart()",
            "f[2,3,4]",
            {"reference": "np.diagonal(x, axis1=1, axis2=2)"},
        ),
        (
            "matrix_set_diag",
            "nn.MatrixSetDiag()",
            "f[2,3,4] f[2,3]",
            {"reference": "np.where(np.eye(3, 4, dtype=bool), y[..., None], x)"},
        ),
        (
            "mat_det",
            "nn.MatDet()",
            "f[3,3]",
            {"call": CALL, "reference": f"np.linalg.det({POSITIVE})"},
        ),
        (
            "mat_inverse",
            "nn.MatInverse()",
            "f[3,3]",
            {"call": CALL, "reference": f"np.linalg.inv({POSITIVE})", **PARTS},
        ),
    ],
    rtol=1e-4,
    reason=NO_KERNEL,
)

SPARSE = rows(
    [
        (
            "sparse_tensor_dense_matmul",
            "nn.SparseTensorDenseMatmul(adjoint_st=True)",
            "f[2] f[3,2]",
            {"call": "layer(Tensor([[0, 1], [2, 0]], ms.int32), x, (3, 4), y)"},
        ),
        (
            "sparse_to_dense",
            "nn.SparseToDense()",
            "f[2]",
            {"call": "layer(ms.COOTensor(Tensor([[0, 1], [2, 0]], ms.int32), x, (3, 4)))"},
        ),
    ]
)

CASES = MATHEMATICS + MATRICES + SPARSE

ERRORS = [
    ("nn.Range(1, 2, 0)", ValueError, "For 'Range', the 'delta' must be not 0"),
    ("nn.Norm(keep_dims=1)", TypeError, "For 'Norm', the 'keep_dims' must be a bool"),
    ("nn.L1Regularizer('a')", TypeError, "For 'L1Regularizer', the 'scale' must be"),
    ("nn.L1Regularizer(0)", ValueError, "For 'L1Regularizer', the 'scale' must be finite and above 0"),
    ("nn.Moments('a')", TypeError, "For 'Moments', the 'axis' must be"),
    ("nn.ReduceLogSumExp('a')", TypeError, "For 'ReduceLogSumExp', the 'axis' must be"),
    ("nn.MatMul(1)", TypeError, "For 'MatMul', the 'transpose_x1' must be a bool"),
    ("nn.MatMul()(ops.ones((2, 3)), ops.ones((2, 3)))", ValueError, "For 'MatMul', the 'x2' must be of 3 rows"),
    ("nn.MatMul()(ops.ones((2, 2, 3)), ops.ones((3, 3, 2)))", ValueError, "broadcast"),
    ("nn.SparseTensorDenseMatmul(1)", TypeError, "the 'adjoint_st' must be a bool"),
]
