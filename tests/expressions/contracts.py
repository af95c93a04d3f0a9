"""Arguments at the limits of operations and layers: the error or the dtype of MindSpore's result."""

AXES = [
    "ops.vector_norm(f(2,2),2.0,axis=(0,0))",
    "ops.combinations(f(1)).shape",
    "T([0,1]).choose([f(2),f(2)],mode='raise')",
    *[f"ops.{name}(T(3.),0)" for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")],
    "T(3.).cumsum(0)",
    "T(3.).cumsum()",
    "mnp.cumsum(T(3.),0)",
    *[f"ops.logcumsumexp(T([3.]),{axis})" for axis in (1, -2)],
    *[f"ops.renorm(T([[1.,2.]]),2,{axis},1.)" for axis in (0, 5, -3)],
    *[f"nn.Flatten({axes})({of})" for axes in ("", "0", "0,-1") for of in ("T(3.)", "f(2)")],
    *[f"mint.nn.Flatten({axes})({of})" for axes in ("", "0", "2", "0,-1") for of in ("T(3.)", "f(2)", "f(2,3)")],
    *[f"mint.flatten({of})" for of in ("T(3.)", "T(3.),1", "T(3.),0,1", "f(2),1", "f(2,3),1,0", "f(2,3),2")],
    *[
        f"ops.flatten({of},start_dim={axes})"
        for of in ("T(3.)", "f(2)")
        for axes in ("1", "2", "1,end_dim=1", "0,end_dim=0")
    ],
    *[f"T(3.).flatten(start_dim={axes})" for axes in ("1", "0,end_dim=1")],
    *[f"T(3.).{name}_with_value({axis})" for name in ("argmin", "argmax") for axis in (0, 1, -5)],
    "T([3.]).argmin_with_value(1)",
    "ops.ArgMinWithValue(1)(T(3.))",
    "ops.max(T(3.),1)",
    "T(3.).max(1)",
    *[f"T(3.).min(axis={axis})" for axis in ((0, 1), (0,), (), 0, 5)],
    *[f"T(3.).squeeze({axis})" for axis in (-3, 0, 1)],
    "T([3.]).squeeze(-3)",
    "ops.Squeeze(-3)(T(3.))",
    *[f"mnp.moveaxis(T(3.),{args})" for args in ("None,0", "0,0", "(),()", "None,None")],
    *[f"mnp.moveaxis(f(2),{args})" for args in ("None,0", "0,None", "None,None")],
    *[f"mnp.moveaxis(f(2,3),{args})" for args in ("None,0", "0,None", "None,None")],
    "f(2).movedim(None,0)",
    *[f"ops.prod(f(2,3)+1,{axis})" for axis in ([], (), [0], (0, 1), (0, 0))],
    *[f"f(2,3).prod({axis})" for axis in ([], (0, 1))],
    *[f"f(2).{name}({axes})" for name in ("var", "std", "mean", "sum") for axes in ((0, 0), (0, -1))],
    *[f"ops.{name}(f(2),(0,0))" for name in ("var", "std", "var_mean", "std_mean", "mean", "logsumexp")],
    *[f"ops.var(T([1.,2.,4.]),ddof={ddof})" for ddof in (3, 4, 5, -1)],
    "ops.std(T([1.,2.,4.]),ddof=4)",
    "ops.var_mean(T([[1.,2.,4.],[3.,3.,3.]]),1,ddof=4)",
    "mnp.var(T([1.,2.,4.]),ddof=4)",
    *[f"ops.norm(T([1.,2.]),{order})" for order in ("'foo'", "'fro'", "None,(0,0)", "0.5", "[2]")],
    "ops.norm(T([[1.,2.]]),'fro',0)",
    *[f"ops.vector_norm(f(2,3),{order})" for order in ("'foo'", "'fro'", "[2]", "None", "3")],
    *[f"mint.linalg.{name}(f(2,3),'foo')" for name in ("norm", "vector_norm", "matrix_norm")],
    "ops.diff(T(3.))",
    "mnp.diff(T(3.))",
    *[f"f(2).{name}()" for name in ("tile", "repeat", "expand", "broadcast_to")],
    "f(2).view()",
    "f(2).reshape()",
    "f(2).view(())",
    "f(2).view(shape=(2,1))",
    "T(1.).view(())",
    *[f"ops.outer({args})" for args in ("T(2.),T(3.)", "T(2.),f(2)", "f(2),T(2.)", "f(2,2),f(2)", "f(2),f(2,2)")],
    *[f"mnp.argmax(T(3.),axis={axis})" for axis in (-1, 0, None)],
    *[f"ops.log_softmax(T({value}),0)" for value in ("2.", "np.inf")],
    *[f"ops.{name}(f(2,3),None,True)" for name in ("max", "min")],
    *[f"f(2,3).argmax_with_value(None,{keeps})" for keeps in (True, False)],
    "ops.aminmax(f(2,3),axis=None,keepdims=True)",
    "ops.swiglu(T(1.))",
    *[
        f"{call}"
        for call in ("ops.chunk(T(1.),2,0)", "ops.split(T(1.),1,0)", "T(1.).split(3,-1)", "ops.tensor_split(T(1.),2)")
    ],
    *[f"mint.{name}(T(1.),1)" for name in ("split", "chunk")],
    *[f"ops.channel_shuffle({args})" for args in ("f(2,3,4),1", "f(2,4,2,2),3", "T(1.),2", "f(1,4,2,2,2),2")],
    "ops.reverse_sequence(f(3,3),T([1,2]),1)",
    *[f"ops.meshgrid({args})" for args in ("T(1.),T(2.),indexing='ij'", "T(1.),f(2)", "f(2,2),f(2)")],
    *[f"ops.group_norm(f(0,4),{count})" for count in (1, 2, 3)],
]

LENGTHS = [
    *[f"ops.{name}(f(0,2),0)" for name in ("max", "min")],
    *[f"f(0).{name}()" for name in ("max", "min", "argmax", "argmin")],
    *[f"ops.{name}(f(0,2),0)" for name in ("argmax", "argmin")],
    *[f"ops.{name}(f(0,2),1)" for name in ("amax", "amin")],
    *[f"mnp.{name}(f(0))" for name in ("amax", "min", "argmax", "argmin")],
    "ops.Argmax(0)(f(0,2))",
    "ops.ArgMaxWithValue(0)(f(0,2))",
    *[f"ops.vander(T([1,2],ms.{dtype}),3)" for dtype in ("int32", "int8", "uint8", "bool_", "float16", "float64")],
    *[f"{module}.vander(f(2),{count})" for module in ("ops", "mnp") for count in (0, -1, 1)],
    *[
        f"ops.pad(f(3),{widths})"
        for widths in ((-2, -2), (-3, 0), (-4, 0), (-4, 2), (-3, 1), (1, -4), (-1, -1), (-2, 2))
    ],
    "ops.pad(f(2,3),(-4,0,1,1))",
    "ops.pad(f(2,3),(1,1,-2,0))",
    "ops.pad(f(1,2,3),(-4,0),mode='reflect')",
    "ops.pad(f(1,2,3),(-3,0),mode='circular')",
    "nn.ZeroPad2d((-2,-1,1,1))(f(1,2,3))",
    "ops.Pad(((-1,0),(0,0)))(f(2,3))",
    *[f"ops.narrow(f(3),0,{part}).shape" for part in ("0,0", "3,1", "2,2", "2,1", "-1,1", "0,-1")],
    "ops.narrow(f(0),0,0,0)",
    "f(3).narrow(0,1,0)",
    "ops.quantile(f(2,0,3),0.5,1,True)",
    "ops.unique_consecutive(f(0),True,True)",
    "mnp.result_type()",
    "mnp.piecewise(f(2),[],[])",
    *[f"mint.narrow(f(3),0,{part})" for part in ("0,0", "-1,1", "3,0", "2,3")],
]

_INTS = ("int8", "uint8", "int32", "int64", "uint16", "uint32", "uint64")

DTYPES = [
    *[f"nn.{name}Loss('{how}')(T([1,2,5]),T([3,3,9]))" for name in ("L1", "MSE") for how in ("mean", "sum", "none")],
    *[f"ops.l1_loss(T([1,2],ms.{kind}),T([2,9],ms.{kind}))" for kind in ("uint8", "int32", "int64", "float16")],
    *[f"nn.BatchNorm1d(2)(f(2,2).astype(ms.{kind}))" for kind in ("int32", "uint8", "float16")],
    *[f"nn.GroupNorm(1,2)(f(1,2,1,1).astype(ms.{kind}))" for kind in ("int32", "uint8", "float16")],
    *[f"T([[1,2],[3,4]],ms.{dtype}).trace()" for dtype in (*_INTS, "bool_", "float16")],
    *[f"mnp.trace(T([[1,2],[3,4]],ms.{dtype}))" for dtype in ("uint16", "bool_")],
    "T([[1,2],[3,4]],ms.uint16).trace(dtype=ms.uint16)",
    "ops.trace(T([[1,2],[3,4]],ms.uint16))",
    "f(3).searchsorted(T([1.,2.5]))",
    "f(3).searchsorted(T([1.]),side='right')",
    "ops.searchsorted(f(3),T([1.]))",
    *[f"ops.histc(T([1,1,0],ms.{dtype}),3,0,2)" for dtype in ("float16", "float32", "int32")],
    "ops.kron(T([[True,False]]),T([[True],[True]]))",
    *[f"ops.clip_by_value(T([1,5],ms.{dtype}),2,3)" for dtype in ("uint32", "int32")],
    *[
        f"ops.masked_fill(T([1,2],ms.{dtype}),T([True,False]),{value})"
        for dtype in ("int32", "int64", "bool_")
        for value in (1.5, "T(1.5)")
    ],
    "T([1,2]).masked_fill(T([True,False]),1.5)",
    "ops.copysign(T([1j]),T([1.]))",
    *[f"ops.nansum(T([1],ms.{dtype}))" for dtype in ("int8", "int32", "uint8", "bool_", "float16")],
    "mnp.sign(T([np.nan,1.,-0.]))",
]

_WIDE = ("uint16", "uint32", "uint64")
_COMPLEX = "T([3+1j,5.5-3.7j],ms.complex64)"
_SQUARE = "T([[1,2],[3,4]],ms.int32)"
_BATCH = "T([[[1,2],[3,4]]],ms.int32)"
_IN_PLACE = ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod")
_LEAST = {"int16": -(2**15), "int32": -(2**31), "int64": -(2**63)}

OPERATORS = [
    *[
        f"f(2){operator}{other}"
        for operator in ("+", "-", "*", "/", "//")
        for other in ("np.array([1.,2.])", "[1.,2.]")
    ],
    *[
        f"ops.fmod({x},{y})"
        for x, y in (
            ("T([1,-2,100],ms.int8)", "300"),
            ("T([1,2,200],ms.uint8)", "-3"),
            ("300", "T([1,7],ms.int8)"),
            ("T([1,7],ms.int32)", "T([0,5],ms.int32)"),
            ("T([1,100],ms.int8)", "T(300)"),
        )
    ],
    *[
        f"{left}/{right}"
        for dtype in _WIDE
        for left, right in ((f"T([3,5],ms.{dtype})", 2), (3, f"T([3,5],ms.{dtype})"))
    ],
    "T([3,5],ms.uint64)/2.5",
    "3.5/T([3,5],ms.uint32)",
    "True/T([3,5],ms.uint64)",
    "T([3,5],ms.uint64)/True",
    "T([3,5],ms.uint16)/T([3,5],ms.float32)",
    "T([3,5],ms.uint16)*2",
    "T([3,5],ms.uint16)*2.5",
    "T([3,5],ms.uint16)//2",
    "ops.div(T([3,5],ms.uint16),2)",
    *[f"{_COMPLEX}//{other}" for other in (2, 2.5, "T([1+1j,2],ms.complex64)")],
    f"7//{_COMPLEX}",
    f"ops.remainder({_COMPLEX},T([1+1j,2],ms.complex64))",
    f"ops.div({_COMPLEX},T([1+1j,2],ms.complex64),rounding_mode='floor')",
    *[f"ops.{name}({_COMPLEX},T([1+1j,2],ms.complex64))" for name in ("floor_div", "floor_mod", "fmod")],
    f"{_COMPLEX}%2",
    *[f"T([3,5]){symbol}np.bool_(True)" for symbol in ("+", "-", "*", "/", "//", "%", "**", "&", ">", "==", "!=")],
    "T([True])+np.bool_(True)",
    "T([3.])@np.bool_(True)",
    *[f"T([3.,5.]).__{name}__(2)" for name in _IN_PLACE],
    "T([3,5]).__iadd__(1.5)",
    "T([3,5]).__ipow__(2)",
    *[f"{other}**T([1.,2.])" for other in ([2.0, 3.0], (2.0, 3.0))],
    *[f"(1.,2.){symbol}T([1.,2.])" for symbol in ("+", "-", "//", "/", "%", "<")],
    *[f"np.float32(2){symbol}T([1.,2.])" for symbol in ("+", "*", "**", ">")],
    "np.ones(2,np.float32)+T([1.,2.])",
    "np.add(T([1.,2.]),T([1.,2.]))",
    "np.maximum(T([1.,2.]),1.5)",
    *[f"T([3,-3,0],ms.{dtype})//T([0,0,0],ms.{dtype})" for dtype in ("int8", "int16", "int32", "int64")],
    "T([3,0],ms.uint8)//T([0,0],ms.uint8)",
    *[f"ops.{name}(T([3,-3,0]),T([0,0,0]))" for name in ("floor_div", "truncate_div")],
    "mnp.floor_divide(T([3,-3,0]),0)",
    "ops.SquaredDifference()(T([1+2j]),T([3+1j]))",
    *[f"T([1]).{name}({other})" for name in ("add", "sub") for other in ([1.5], (1,), [[1], [2]])],
    "T([1]).add(['a'])",
    "T([1]).add([1],alpha=2)",
    "T([1]).subtract([1])",
    "T([1]).mul([1])",
    "ops.add(T([1]),[1])",
    *[f"ops.inner(T([1.,2.]),np.{number}(2))" for number in ("float32", "int32", "float64")],
    "T([1,2]).inner(np.float64(2.5))",
    *[f"ops.zeta({args})" for args in ("T([2.,3.]),3", "3,T([2.,3.])", "T([2.,3.]),3.5", "T([2,3]),3", "2.,3.")],
    *[f"ops.bincount(T({values}))" for values in ("[0.,1.,1.]", "[0.5,1.7,1.]", "[True,False]")],
    "T([0.,2.,2.]).bincount(T([1.,2.,3.]))",
    *[
        f"ops.{name}({_SQUARE},{factors},{numbers})"
        for name, factors in (("addmm", f"{_SQUARE},{_SQUARE}"), ("addbmm", f"{_BATCH},{_BATCH}"))
        for numbers in ("beta=.5", "alpha=.5")
    ],
    f"ops.addbmm({_SQUARE},{_BATCH},{_BATCH},beta=2,alpha=3)",
    f"ops.baddbmm({_BATCH},{_BATCH},{_BATCH},beta=.5)",
    f"ops.addr({_SQUARE},T([1,2],ms.int32),T([1,2],ms.int32),beta=.5)",
    *[f"ops.ldexp(T([1.,2.],ms.{dtype}),T([True,False]))" for dtype in ("float16", "float32", "float64")],
    "ops.ldexp(T([1.,2.],ms.float16),2)",
    *[
        f"ops.{name}(T([{minimum}]*4,ms.{dtype}),T([6,0,1,{minimum}],ms.{dtype}))"
        for name in ("gcd", "lcm")
        for dtype, minimum in _LEAST.items()
        if (name, dtype) != ("lcm", "int16")  # for which MindSpore has no kernel
    ],
    "ops.lcm(T([2147483647,0,-4],ms.int32),T([2,0,6],ms.int32))",
]

_ROWS = "ops.ones((2,3))"
_CLASSES = ("[0,3]", "[0,-1]", "[0,-3]", "[0,-4]", "[0,-100]")

VALUES = [
    *[
        f"ops.{name}({_ROWS},T({classes},ms.int32))"
        for name in ("cross_entropy", "nll_loss")
        for classes in _CLASSES
        if classes != "[0,-4]"  # at which MindSpore may crash
    ],
    *[f"ops.{name}({_ROWS},T([0,3],ms.int32),ignore_index=3)" for name in ("cross_entropy", "nll_loss")],
    f"ops.cross_entropy({_ROWS},T([0,3],ms.int32),label_smoothing=0.1)",
    "ops.cross_entropy(ops.ones((2,3,2)),T([[0,3],[1,1]],ms.int32))",
    f"ms.grad(lambda x: ops.cross_entropy(x,T([0,3],ms.int32)))({_ROWS})",
    *[f"ops.NLLLoss()({_ROWS},T({classes},ms.int32),ops.ones(3))" for classes in _CLASSES],
    *[f"ops.multi_margin_loss({_ROWS},T({classes}))" for classes in ("[0,3]", "[0,-1]", "[0,2]")],
    f"nn.MultiMarginLoss()({_ROWS},T([0,3]))",
    *[
        f"ops.unsorted_segment_{name}(ops.ones((3,2)),T({ids},ms.int32),3)"
        for name in ("sum", "max", "min", "prod")
        for ids in ("[0,1,5]", "[0,1,-1]")
    ],
    "ops.UnsortedSegmentSum()(f(3),T([0,1,3]),3)",
    *[f"ops.binary_cross_entropy(T({values}),T([1.,0.]))" for values in ("[1.5,0.5]", "[-0.5,0.5]", "[np.nan,0.5]")],
    "nn.BCELoss()(T([1.5,0.5],ms.float16),T([1.,0.],ms.float16))",
    "ops.BinaryCrossEntropy('none')(T([1.5,0.5]),T([1.,0.]))",
    "nn.BCELoss()(T([0.5,0.5]),T([2.,-1.]))",
    *[f"ops.gather({_ROWS},T({indices},ms.int32),1,1)" for indices in ("[[0],[1],[2]]", "[[0],[1]]")],
    *[
        f"ops.inplace_update(ops.zeros((3,2)),ops.ones((2,2)),{indices})"
        for args in ((0, 2), (0, 5), (0, -1), (0, -4))
        for indices in (args, f"T({list(args)},ms.int32)")
    ],
    *[
        f"ops.InplaceUpdateV2()(ops.zeros((3,2)),{indices},ops.ones((1,2)))"
        for indices in ("1", "T(1)", "T([1.])", "T([1])")
    ],
    "ops.inplace_add(ops.zeros((3,2)),ops.ones((2,2)),T([0,1]))",
    *[f"T([1.,2.,3.]).index_put((T({indices}),),T([5.,6.]))" for indices in ("[0,7]", "[0,-1]", "[0,3]", "[-3,2]")],
    "T([[1.,2.],[3.,4.]]).index_put((T([0,1]),T([1,2])),T([5.]))",
    "ms.ops.derivative(ops.tan,(T([0.5]),),3)",
    "ops.binary_cross_entropy(T([-2.,3.]),True)",
    "ops.unsorted_segment_sum(f(3),T([0.,1.,5.]),2)",
    "ms.grad(lambda a, b: ops.NextAfter()(a,b),(0,1))(T([1.,2.]),T([2.,1.]))",
    "ms.grad(ops.hardswish)(T([-3.,3.,-2.9,2.9,0.,-3.5,3.5,np.nan]))",
    *[
        f"ms.ops.operations._grad_ops.KLDivLossGrad('{reduction}')(T([2.]),T([.5,.5]),T([.5,.5]))"
        for reduction in ("mean", "sum")
    ],
]

_PADDED = ["nn.Conv1d", "nn.Conv2d", "nn.Conv3d", "nn.Conv1dTranspose", "nn.Conv2dTranspose", "nn.Conv3dTranspose"]
_CONV2D = [
    "kernel_size",
    "stride",
    "pad",
    "padding",
    "dilation",
    "attrs['stride']",
    "attrs['kernel_size']",
    "attrs['pad']",
]

WINDOWS = [
    "ops.conv1d(f(1,2,3),ops.ones((3,2,4)))",
    "ops.conv2d(f(1,2,3,3),ops.ones((3,2,4,4)))",
    "ops.conv2d(f(1,2,3,3),ops.ones((3,2,2,4)))",
    "ops.conv2d(f(1,2,3,3),ops.ones((3,2,2,2)),dilation=3)",
    "ops.conv2d(f(1,2,3,3),ops.ones((3,2,4,4)),pad_mode='pad',padding=1).shape",
    "ops.conv2d(f(1,2,3,3),ops.ones((3,2,6,6)),pad_mode='pad',padding=1)",
    "ops.conv2d(f(1,2,3,3),ops.ones((3,2,5,5)),pad_mode='same').shape",
    "ops.conv2d(f(1,2,0,3),ops.ones((3,2,1,1)))",
    "ops.conv2d(f(0,2,3,3),ops.ones((3,2,1,1))).shape",
    "ops.conv3d(f(1,2,3,3,3),ops.ones((3,2,4,4,4)))",
    "ops.conv3d(f(1,2,3,3,3),ops.ones((3,2,2,2,2)),dilation=3)",
    "mint.nn.functional.conv2d(f(1,2,3,3),ops.ones((3,2,4,4)))",
    *[f"nn.Conv{n}d(2,3,4,pad_mode='valid')(f(1,2{',3' * n}))" for n in (1, 2, 3)],
    *[f"{layer}(2,3,2,padding=1{mode})" for layer in _PADDED for mode in ("", ",pad_mode='valid'")],
    "nn.Conv2d(2,3,2,padding=(0,0,0,0),pad_mode='valid').padding",
    "nn.Conv2d(2,3,2,padding=(0,1,0,0),pad_mode='valid')",
    "ops.Conv2D(3,2,pad=1,pad_mode='same')",
    "ops.Conv3D(3,2,pad=1)",
    "ops.Conv2DTranspose(3,2,pad=1)",
    "ops.DepthwiseConv2dNative(3,2,pad=1)",
    "ops.Conv2D((1,2,3,4,5),3)",
    "ops.Conv2D(2,(3,3,3))",
    "ops.Conv2D(0,3)",
    "ops.Conv2D(2,3,mode=2)",
    "ops.Conv2D(2,3,stride=(1,2,3))",
    "ops.TopK(np.array([1.]))",
    "ops.TopK(1)",
    *[f"ops.Conv2D(2,3).{name}" for name in _CONV2D],
    *[f"ops.Conv2D(2,(3,4),stride=2,pad=1,pad_mode='pad',dilation=(1,2)).{name}" for name in _CONV2D],
    "ops.Conv3D(2,3).kernel_size",
    "ops.Conv3D(2,3,stride=2).attrs['stride']",
    "ops.avg_pool1d(f(1,1,5),2)",
    "ops.avg_pool2d(f(1,1,5,5),5)",
    "ops.avg_pool2d(f(1,1,5,5),2)",
    "ops.avg_pool2d(f(1,1,5,5),(2,3)).shape",
    "ops.avg_pool3d(f(1,1,5,5,5),2).shape",
]

_COLLECTIVES = [
    *["AllReduce()", "AllGather()", "ReduceScatter()"],
    *["AlltoAll(1,0,0)", "Broadcast(0)", "Reduce(0)", "CollectiveGather(0)"],
]

_DRAWING = ("Multinomial", "NonDeterministicInts", "RandomCategorical")

# Constructor arguments of a wrong type, or out of range: refused before there is an operand.
SETTINGS = [
    *[f"ops.{each[:-1]}{'' if each.endswith('()') else ','}group=None)" for each in _COLLECTIVES],
    *[f"ops.{name}({value})" for name in ("InplaceUpdate", "InplaceAdd") for value in ("[1]", "1.5", "'a'", "True")],
    *[f"ops.MaxUnpool{n}D(2,2,output_shape={value})" for n in (2, 3) for value in (3, [1])],
    *[f"ops.BoundingBoxDecode({value})" for value in ("3", "[4,4]", "(4,)", "True")],
    *[f"ops.Histogram(4,{bounds})" for bounds in ("0,1.", "0.,1", "'a',1.")],
    *[f"ops.NuclearNorm({value})" for value in (0, -1)],
    *["ops.LpNorm(1,p=-1)", "ops.LogSpace(3,-1)", "ops.Renorm(0,0,2.)", "ops.Renorm(-1,0,2.)"],
    *[f"ops.ResizeNearestNeighbor({value})" for value in (3, -1)],
    *[f"ops.{name}Window(dtype=None)" for name in ("Bartlett", "Blackman", "Hamming")],
    *[f"ops.{name}Indices(2,3,dtype=None)" for name in ("Tril", "Triu")],
    "ops.MaxPoolWithArgmaxV2(2,argmax_type=None)",
    *[
        f"ops.{name}({block},{widths})"
        for name, block in (("BatchToSpace", 2), ("BatchToSpaceND", [2, 2]), ("SpaceToBatchND", [2, 2]))
        for widths in ("'a'", 3, None, [1], [[1, 2, 3], [0, 0]])
    ],
]

_FURTHER = [
    *[f"nn.{name}(weights(),learning_rate=float('nan'))" for name in ("Adam", "Momentum", "RMSProp", "Lamb")],
    *[f"nn.Adam(weights(),weight_decay={value})" for value in ("float('nan')", "-1.0", "'a'")],
    *[f"nn.RMSProp(weights(),{name}=float('nan'))" for name in ("decay", "momentum", "epsilon", "loss_scale")],
    *[f"nn.ExponentialDecayLR({rates},4)" for rates in ("float('nan'),0.9", "0.1,float('nan')")],
    *["nn.SSIM(float('nan'))", "nn.PSNR(float('nan'))", "nn.Dice(float('nan'))"],
    *[f"ops.{name}(T(1.))" for name in ("ApproximateEqual", "HShrink", "SoftShrink", "SmoothL1Loss", "LRN")],
    *["ops.LRN(bias=T(1.))", "ops.IsClose(atol=T(1.))", "ops.HammingWindow(alpha=T(1.))", "ops.TopK(T(True))"],
    *["ops.Concat(T(1))", "ops.Gather(T(0))", "ops.LpNorm(0,epsilon=T(1.))", "ops.Pdist(T(1.))"],
    *[f"ops.{name}(1)" for name in ("SpaceToDepth", "DepthToSpace")],
    *[f"ops.{name}Indices(2,3,dtype=ms.float32)" for name in ("Tril", "Triu")],
    *["ops.ListDiff(ms.float32)", "ops.LowerBound(ms.float32)", "ops.UpperBound(ms.int8)"],
    *[f"ops.{name}(dtype={kind})" for name in _DRAWING for kind in ("ms.float32", "ms.int16", "ms.uint32", "ms.int64")],
    *["ops.MaxPoolWithArgmaxV2(2,argmax_type=ms.float32)", "ops.MaxPool3DWithArgmax(2,2,1,argmax_type=ms.float32)"],
    *[
        f"nn.Conv2dTranspose(1,1,1,output_padding={value})"
        for value in ("None", "1.5", "[2,2]", "(1,)", "(2,2)", "True")
    ],
    *[f"ms.train.{name}=True)" for name in ("ROC(class_num", "Perplexity(ignore_label", "EarlyStopping(min_delta")],
    *["ms.train.EarlyStopping(baseline=True)", "ms.train.OcclusionSensitivity(n_batch=True)"],
    *[f"V.Pad({value})" for value in ("(1,)", "[1]", "1", "(1,1)", "True")],
    *[f"V.Rotate(10,fill_value={value})" for value in ("(1,)", "[1]", "1", "(1,1,1)")],
    *[f"V.{name}({value})" for name in ("RandomColor", "RandomSharpness") for value in (1, 0.5, (0.5, 1.0))],
    *[f"V.RandomSolarize({value})" for value in (1, [2, 2], (2, 2))],
    *[f"V.RandomPerspective({value})" for value in (1, 0.5)],
    *[f"ops.Primitive({name})" for name in (3, None, "'Name'")],
    *[f"ops.Morph(1,1,1,{gradient})" for gradient in (3, "'a'", None, 0)],
    *[f"nn.{name}(auto_prefix=True)" for name in ("Softmax2d", "SparseToDense", "ImageGradients")],
    *[f"ops.BatchISendIRecv({messages})" for messages in ("'isend',(0,)", "('isend',),0", "('isend',),(0,0)", "(),[]")],
    *[f"ops.BatchISendIRecv((),(),{arriving})" for arriving in ("((1,),)", "3,()", "((1,),),(ms.float32,)", "[],'a'")],
    *[f"V.{name}({bits})" for name in ("Posterize", "RandomPosterize") for bits in (0, 1)],
]

# The same, and what is accepted, of which the text is not compared.
ACCEPTED = [f"made({each})" for each in _FURTHER]
