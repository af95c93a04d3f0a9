"""Inner Primitives that MindSpore's own tests and old programs call, of ``_inner_ops`` and ``sparse_ops``."""

_COUNTED = "T([[1,2],[2,3],[2,1],[0,2]],ms.int64),T([0,2,8,8],ms.int64),T([4,4],ms.int64),T([1,2,1,0],ms.int64)"
_CSR = "T([4,5],ms.int32),T([0,4],ms.int32),T([0,1,1,3,4],ms.int32),T([0,3,4,0],ms.int32),T([1.,5.,-1.,-2.])"
_FIRST = "T([[0,0],[0,1]],ms.int64),T([1.,2.]),T([2,2],ms.int64)"
_SECOND = "T([[0,0],[1,0]],ms.int64),T([3.,-1.]),T([2,2],ms.int64)"
_ROWS = "T([[0,2,0,0],[0,1,1,0],[2,0,2,0]],ms.float32),T([0,2,1],ms.int32)"
_BATCH = "T([[0,0,1],[0,1,2],[0,1,3],[1,0,1],[1,1,2]],ms.int64),T([1.,4.,3.,1.,4.]),T([2,2,4],ms.int64)"

_STEPS = [
    ("SparseApplyMomentum()", "0.1,{},0.9", 2),
    ("SparseApplyAdagradDA()", "{},0.1,0.01,0.02,T(2,ms.int64)", 3),
    ("SparseApplyCenteredRMSProp()", "T(0.1),T(0.9),T(0.5),T(9.),{}", 4),
    ("SparseApplyProximalGradientDescent()", "T(0.1),T(0.01),T(0.02),{}", 1),
]
_STEPPED = (
    "(lambda *p:(P.nn_ops.{}(*p,{}),*[each*1 for each in p]))"
    "(*[ms.Parameter(T(np.arange(6.).reshape(3,2)+k,ms.float32)) for k in range({})])"
)
_GRADS = [f"T([[.1,.2],[.3,.4]]),T({rows},ms.int32)" for rows in ([0, 2], [2, 2])]
_SETS = "T([[0,1],[0,2],[1,2],[1,3]],ms.int64),T([1,1,2,5],ms.int64),T([2,4],ms.int64)"

INNER = [
    *[_STEPPED.format(name, args.format(grad), count) for name, args, count in _STEPS for grad in _GRADS],
    f"P.sparse_ops.SetSize()({_SETS})[:2]",
    "P.sparse_ops.SetSize()(T([[0,2],[0,1]],ms.int64),T([1,1],ms.int64),T([2,4],ms.int64))",
    "(lambda p:(P.DynamicAssign()(p,T([5.,6.])),p*1)[1])(ms.Parameter(T([1.,2.])))",
    "P.DynamicAssign()(ms.Parameter(T([1.,2.])),T([5.,6.,7.]))",
    "P.PadAndShift()(T([9,13,-1,-1,-1,-1],ms.int32),T([0,3,5],ms.int32),T(1,ms.int32))",
    "A.Diagonal()(f(2,3))",
    "A.Diagonal(1,1,2)(f(2,2,3))",
    "A.EmptyLike()(f(2),ms.int32).dtype",
    "A.NewEmpty()(f(2),(2,3)).shape",
    "A.FFTFreq()(5)",
    "A.FFTFreq()(4,0.5,ms.float64)",
    "A.FFTShift()(f(2,3),(1,))",
    "A.IFFTShift()(f(3))",
    "A.FFTOrtho()(f(2,3))",
    *[f"A.FFTOrtho()(f(2,3),(1,),{forward})" for forward in (True, False)],
    *[f"A.IRFFTDouble()(T(np.array([1,2,3],np.complex64)),{n},-1)" for n in (4, 5)],
    "A.ListToTuple()([1,2])",
    "A.TupleToList()((1,2))",
    "I.ConvertToDynamic()(T([1.]))",
    "I.TensorCopySlices()(T(np.zeros((5,3))),T(np.ones((2,3))),(3,0),(5,3),(1,1))",
    "P.linalg_ops.Eigh()(T(np.array([[2.,1.],[1.,3.]])))[0]",
    "P.linalg_ops.Eigh(False)(T(np.array([[2.,1.],[1.,3.]])))",
    "P.other_ops.Load()(ms.Parameter(T([1.])))",
    *[f"P.sparse_ops.SparseSparse{name}()({_FIRST},{_SECOND})" for name in ("Minimum", "Maximum")],
    *[
        f"P.sparse_ops.SparseCountSparseOutput({args})({_COUNTED})"
        for args in ("", "True", "minlength=10", "maxlength=5")
    ],
    *[
        f"P.sparse_ops.SparseMatrixMatMul({args})({_CSR},f{shape})"
        for args, shape in (
            ("", (5, 3)),
            ("transpose_output=True", (5, 3)),
            ("transpose_x1=True", (4, 3)),
            ("transpose_x2=True", (3, 5)),
        )
    ],
    f"P.sparse_ops.SparseTensorToCSRSparseMatrix()({_BATCH})",
    "P.sparse_ops.SparseTensorToCSRSparseMatrix()(T([[0,1],[1,2]],ms.int64),T([1.,4.]),T([2,4],ms.int64))",
    *[
        f"P.sparse_ops.SparseSegment{kind}WithNumSegments()({_ROWS},T([0,0,2],ms.int32),T([4],ms.int32))"
        for kind in ("Mean", "SqrtN", "Sum")
    ],
    *[
        f"P.{place}.SparseSegment{kind}()({_ROWS},T([0,0,1],ms.int32))"
        for place, kind in (("math_ops", "Mean"), ("sparse_ops", "SqrtN"), ("sparse_ops", "Sum"))
    ],
    "(lambda p:(P._embedding_cache_ops.UpdateCache()(p,T([0,5,2],ms.int32),T([[1.],[2.],[3.]]),4),p.asnumpy())"
    "[1].tolist())"
    "(ms.Parameter(T(np.zeros((4,1),'float32'))))",
    "A.slice_ext_view_op(n(2,3),1,0,2,1)",
    "A.split_tensor_view_op(n(2,3),2,1)",
    "A.split_with_size_view_op(n(2,3),(1,2),1)",
    "A.contiguous(n(2,3).T)",
    "A.contiguous_op(n(2,3).T)",
    "A.view(f(2),(2,1))",
    "A.view_dtype(f(2),ms.int32)",
    "A.transpose_view(n(2,3),(1,0))",
    "A.transpose_ext_view_op(n(2,3),0,1)",
    "A.unstack_ext_view_op(n(2,3),1)",
    "A.select_ext_view(n(2,3),1,0)",
    "A.expand_dims_view(n(2,3),1)",
    "(lambda x:(put(A.slice_ext_view_op(x,1,0,2,1),0,9),x)[1])(n(2,3))",
    *[f"P.image_ops.ResizeV2('{corners}','cubic')(f(1,1,3,3),T([0.]),T([0.]),T([1,1,5,4],ms.int64))"
      for corners in ("half_pixel", "align_corners")],
    *[
        f"P.image_ops.ResizeV2('{corners}','{mode}')(f(1,2,1,3),T([0.]),T([0.]),T([1,2,1,{length}],ms.int64))"
        for corners, mode in (("half_pixel", "nearest"), ("half_pixel", "linear"), ("align_corners", "linear"))
        for length in (5, 2)
    ],
    "P.image_ops.AdjustContrastv2()(f(2,2,3),T(2.))",
    "A.UpsampleNearest1D()(f(1,2,3),(5,),None)",
    "A.TraceV2()(f(2,3),0,1,0)",
    "A.TraceV2()(f(2,3,3),1,1,2)",
    "A.LstsqV2()(T([[1.,2.],[3.,4.],[5.,1.]]),T([[1.],[2.],[4.]]))",
    "A.SolveTriangular()(T([[2.,0.],[1.,3.]]),T([[1.],[2.]]),0,True)",
    "A.SolveTriangular()(T([[2.,1.],[1.,3.]]),T([[1.],[2.]]),1,False,True)",
    *[f"A.Correlate('{mode}')(T([1.,2.,3.]),T([0.,1.,0.5]))" for mode in ("valid", "same", "full")],
    "A.FFTShapeCopy()(f(2,3),(2,4))",
    "A.FFTShapeCopy()(f(3,3),(2,2))",
    "A.RFFTFreq()(5,0.5)",
    "A.TensorToScalar()(T(3))",
    "A.TupleToTensor()((1,2))",
    "A.BoolNot()(True)",
    "A.EqScalar()(T([1.,2.]),1.0)",
    "P.math_ops.SelfAdjointEig(False)(T([[2.,1.],[1.,3.]]))",
    "P.math_ops.TridiagonalSolve()(T([[1.,2.,0.],[4.,5.,6.],[0.,1.,2.]]),T([[1.],[2.],[3.]]))",
    "P.math_ops.AddV2()(T([1.]),T([2.]))",
    *[
        f"P._scalar_ops.{name}()(7,2)"
        for name in "ScalarAdd ScalarSub ScalarMul ScalarDiv ScalarFloorDiv ScalarMod ScalarPow ScalarEq ScalarGe "
        "ScalarGt ScalarLe ScalarLt ScalarMax ScalarMin bit_and bit_or".split()
    ],
    *[f"P._scalar_ops.{name}()(7)" for name in "ScalarUadd ScalarUsub ScalarLog ScalarBool".split()],
    "P._sequence_ops.ListAppendAndInsertGrad()([1,2,3],1)",
    "P.array_ops.RangeV2()(T(0),T(5),T(2))",
    "P.array_ops.ConcatOffsetV1()(T(1,ms.int32),(T([2,3],ms.int32),T([2,4],ms.int32)))",
    "P.nn_ops.ReLUV3()(T([1.,-1.]))",
    "P.nn_ops.SparseSoftmaxCrossEntropyWithLogitsV2()(T([[1.,2.],[3.,1.]]),T([1,0],ms.int32))",
    "P.nn_ops.InstanceNormV2()(f(1,2,2,2),*[T(np.float32([1,k]).reshape(1,2,1,1)) for k in (2,3,4,5)])",
    "P.nn_ops.InstanceNormV2(False)(f(1,2,2,2),*[T(np.float32([1,k]).reshape(1,2,1,1)) for k in (2,3,4,5)])[0]",
    "I.DynamicBroadcastGradientArgs()(T([2,1]),T([2,3]))",
    "I.DynamicBroadcastTo()(T([[1.],[2.]]),T([2,3]))",
    "I.ClipByNorm()(T([3.,4.]),T([2.]))",
    "I.SameTypeShape()(T([1.]),T([2.]))",
    "I.IsConstant()(1)",
    "I.TileSize()((1,2),(4,2),2)",
]  # fmt: skip
