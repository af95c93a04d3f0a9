"""Sparse inner Primitives, of ``sparse_ops``."""

_COO = "T([[0,0],[0,2],[1,1]],ms.int64)"
_VALUES = f"{_COO},T([1.,2.,3.]),T([2,3],ms.int64)"
_CSR = "T([2,3],ms.int32),T([0,3],ms.int32),T([0,2,3],ms.int32),T([0,2,1],ms.int32),T([1.,2.,3.])"
_OTHER = "T([2,3],ms.int32),T([0,2],ms.int32),T([0,1,2],ms.int32),T([1,1],ms.int32),T([5.,6.])"
_BATCH = "T([2,2,3],ms.int32),T([0,2,4],ms.int32),T([0,1,2,0,1,2],ms.int32),T([0,2,1,1],ms.int32),T([1.,2.,3.,4.])"
_ONE, _TWO = (
    "T([[0,0],[0,1]],ms.int64),T([1.,2.]),T([2,2],ms.int64)",
    "T([[0,0],[1,0]],ms.int64),T([{},-1.]),T([2,2],ms.int64)",
)
_WAVES = "ms.Tensor(np.cos(np.arange({})).reshape({}).astype('float32'))"
_PAIR = "(T([[0,0],[1,1]],ms.int64),T([[0,1],[1,0]],ms.int64)),(T([1.,2.]),T([3.,4.]))"

SPARSE = [
    *[
        f"P.sparse_ops.{name}()({matrix})"
        for name in (
            "CSRSparseMatrixToDense",
            "CSRSparseMatrixToSparseTensor",
            "SparseMatrixNNZ",
            "SparseMatrixTranspose",
        )
        for matrix in (_CSR, _BATCH)
    ],
    f"P.sparse_ops.SparseMatrixSoftmax(ms.float32)({_CSR})",
    f"P.sparse_ops.SparseMatrixAdd()({_CSR},{_OTHER},T(2.),T(3.))",
    *[
        f"P.sparse_ops.DenseToCSRSparseMatrix()(T([[1.,0.,2.],[0.,3.,0.]]),T([[0,0],[0,2],[1,1]],ms.{kind}))"
        for kind in ("int32", "int64")
    ],
    *[
        f"P.sparse_ops.DenseToDenseSetOperation('{name}')(T([[1,2,3],[4,5,6]],ms.int32),T([[2,3,9],[4,4,7]],ms.int32))"
        for name in ("a-b", "b-a", "intersection", "union")
    ],
    "P.sparse_ops.RaggedTensorToSparse(ms.int64)((T([0,2,3],ms.int64),),T([1.,2.,3.]))",
    "P.sparse_ops.RaggedTensorToSparse(ms.int64)((T([0,2,3],ms.int64),T([0,1,1,4],ms.int64)),T([1.,2.,3.,4.]))",
    *[
        f"P.sparse_ops.SparseAdd()({_ONE},{_TWO.format(value)},T({thresh}))"
        for value in (3.0, -1.0)
        for thresh in (0.0, 1.5)
    ],
    f"P.sparse_ops.SparseAddmm()({_VALUES},{_WAVES.format(6, (3, 2))},{_WAVES.format(4, (2, 2))},T([2.]),T([3.]))",
    f"P.sparse_ops.SparseConcat(1)({_PAIR},(T([2,2],ms.int64),T([2,3],ms.int64)))",
    f"P.sparse_ops.SparseConcat(0)({_PAIR},(T([2,2],ms.int64),T([3,2],ms.int64)))",
    *[
        f"P.sparse_ops.SparseDenseCwise{name}()({_VALUES},{other})"
        for name in ("Add", "Mul")
        for other in (_WAVES.format(6, (2, 3)), "T([[2.],[3.]])", "T(2.)")
    ],
    "P.sparse_ops.SparseFillEmptyRows()(T([[0,1],[2,0]],ms.int64),T([1.,2.]),T([4,2],ms.int64),T(9.))",
    "P.sparse_ops.SparseFillEmptyRows()(T([[0,1],[1,0]],ms.int64),T([1.,2.]),T([2,2],ms.int64),T(9.))",
    "P.sparse_ops.SparseReorder()(T([[1,1],[0,2],[0,0]],ms.int64),T([3.,2.,1.]),T([2,3],ms.int64))",
    f"P.sparse_ops.SparseReshape()({_COO},T([2,3],ms.int64),T([3,-1],ms.int64))",
    f"P.sparse_ops.SparseSoftmax()({_VALUES})",
    "P.sparse_ops.SparseToDenseV2()(T([[0,0],[1,2]],ms.int32),T([2,3],ms.int32),T([1.,2.]),T(9.))",
    "P.sparse_ops.Sspaddmm()(T([[0,1],[0,1]],ms.int64),T([1.,2.]),T([2,2],ms.int64),"
    f"T([[0,1],[1,2]],ms.int64),T([3.,4.]),T([2,3],ms.int64),{_WAVES.format(6, (3, 2))},T([2.]),T([3.]))",
    *[f"ms.COOTensor(T([[0,1]],ms.int32),T([1.]),{shape})" for shape in ("(0,2)", "(2,-2)", "(2,2.5)", "()", "[2,2]")],
    *[
        f"ms.CSRTensor(T([0,1,1],ms.int32),T([1],ms.int32),T([1.]),{shape})"
        for shape in ("(2,-2)", "(2,0)", "(2,2.5)", "(2,)", "[2,2]")
    ],
    *[
        f"f(2,3){symbol}ms.COOTensor(T([[0,1],[1,2]],ms.int32),T([4.,5.]),{shape})"
        for symbol in "+-"
        for shape in ("(2,3)", "(3,3)")
    ],
    "ops.coo_inv(ms.COOTensor(T([[0,1],[1,2]],ms.int32),T([4,1]),(2,3))).values",
]
