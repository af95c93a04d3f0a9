"""Decompositions of halves, powers and pools of ints, and windows put back."""

_HALF = "T([[4,1,2],[1,3,0.5],[2,0.5,5]],ms.float16)"
_COUNTS = "T([[1,2],[3,4]],ms.{})"
_WINDOWS = "T(np.arange(128).reshape({}).astype('float32'))"

MATRICES = [
    *[f"ops.{name}({_HALF})" for name in ("det", "slogdet", "logdet", "cholesky", "cholesky_inverse", "geqrf")],
    *[f"ops.{name}({_HALF})" for name in ("inverse", "eig", "pinv", "matrix_power")],
    f"ops.qr({_HALF})[1]",
    f"ops.MatrixSolve(True)({_HALF},{_HALF}[:,:1])",
    f"ops.MatrixSolve()({_HALF},f(3,1))",
    f"ops.lu_solve({_HALF}[:,:1],{_HALF},T([1,2,3],ms.int32))",
    f"ops.lu_solve(f(3,1),{_HALF},T([1,2,3],ms.int32))",
    "ops.slogdet(T([[1+1j,2],[3,4j]],ms.complex64))",
    *[
        f"ops.matrix_power({_COUNTS.format(dtype)},{power})"
        for dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16", "bool_", "float16")
        for power in (0, 5, -1)
    ],
    "ops.matrix_power(n(2,2,2),3)",
    "ops.matrix_power(n(2,3),2)",
    "ops.matrix_power(n(3),2)",
    *[
        f"ops.fold({_WINDOWS.format(shape)},T([5,5],ms.int32),{kernel})"
        for shape in ("2,1,4,16", "2,4,16", "2,4,1,16", "8,16")
        for kernel in ("2", "[2,2]", "3")
    ],
    *[f"ops.lp_pool1d(T([[[3,4,1,2]]],ms.{dtype}),2.,2)" for dtype in ("int32", "int64", "bool_", "float32")],
    "ops.lp_pool2d(T([[[[3,4],[1,2]]]],ms.int32),2.,2)",
    *[f"nn.CellDict({{'a':nn.ReLU()}}).{each}" for each in ("keys()", "values()", "items()", "pop('b')")],
]
