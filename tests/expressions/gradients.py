"""Gradient Primitives of ``ops.operations._grad_ops``, which MindSpore's own tests and old programs call themselves."""

_IMAGE = "f(1,2,4,4)"
_WAVES = "ms.Tensor(np.cos(np.arange({})).reshape({}).astype('float32'))"


def _wave(*shape):
    """Numbers without ties or order."""
    count = 1
    for length in shape:
        count *= length
    return _WAVES.format(count, shape)


_BOX = _wave(1, 2, 4, 4)
_SMALL = _wave(1, 2, 2, 2)
_CUBE = _wave(1, 1, 4, 4, 4)
_CUBED = _wave(1, 1, 2, 2, 2)
_PLACES = "ms.Tensor(np.array([[[[0,3],[9,14]],[[5,2],[8,15]]]],'{}'))"

GRADIENTS = [
    f"G.AdaptiveAvgPool2DGrad()({_SMALL},T([1,2,5,4]))",
    f"G.AdaptiveAvgPool3DGrad()({_CUBED},T([1,1,4,5,4],ms.int32))",
    f"G.AdaptiveMaxPool2DGrad()({_SMALL},{_BOX},{_PLACES.format('int64')})",
    f"G.AdaptiveMaxPool3DGrad()({_CUBED},{_CUBE},T([[[[[0,3],[9,14]],[[21,37],[40,63]]]]],ms.int32))",
    f"G.AvgPool3DGrad(2,2,(0,)*6)((1,1,4,4,4),{_CUBED})",
    f"G.AvgPool3DGrad((2,2,2),(2,2,2),(1,)*6)((1,1,4,4,4),{_wave(1, 1, 3, 3, 3)})",
    f"G.FractionalAvgPoolGrad()(T([1,4,4,1],ms.int64),{_wave(1, 2, 2, 1)},T([0,1,4],ms.int64),T([0,3,4],ms.int64))",
    f"G.FractionalAvgPoolGrad(True)(T([1,4,4,1],ms.int64),{_wave(1, 2, 2, 1)},T([0,1,4],ms.int64),T([0,3,4],ms.int64))",
    *[
        f"(lambda x,r:G.FractionalMaxPoolGrad({overlapping})(x,r,{_wave(1, 2, 2, 1)},"
        f"T([0,1,4],ms.int64),T([0,3,4],ms.int64)))"
        f"({_wave(1, 4, 4, 1)},T(np.array({maximum},'float32').reshape(1,2,2,1)))"
        for overlapping, maximum in (
            (False, [1.0, -0.9899925, 0.9601703, 0.9074468]),
            (True, [1.0, 0.75390225, 0.9601703, 0.9074468]),
        )
    ],
    f"G.FractionalMaxPool3DGradWithFixedKsize()({_CUBE},{_CUBED},T([[[[[0,3],[9,14]],[[21,37],[40,63]]]]],ms.int64))",
    f"G.MaxPoolGradGrad(2,2)({_BOX},ops.MaxPool(2,2)({_BOX}),{_BOX})",
    f"G.MaxPoolGradWithArgmax(2,2)({_BOX},{_SMALL},{_PLACES.format('int32')})",
    f"G.MaxPoolGradGradWithArgmax(2,2)({_BOX},{_BOX},{_PLACES.format('int32')})",
    f"G.MaxPoolGradWithArgmaxV2(2,2)({_BOX},{_SMALL},{_PLACES.format('int64')})",
    f"G.MaxPool3DGrad((1,1,2,2,2),(1,1,2,2,2))({_CUBE},ops.MaxPool3D(2,2)({_CUBE}),{_CUBED})",
    f"G.MaxPool3DGradGrad((1,1,2,2,2),(1,1,2,2,2))({_CUBE},ops.MaxPool3D(2,2)({_CUBE}),{_CUBE})",
    f"G.MaxPool3DGradWithArgmax(2,2,0)({_CUBE},{_CUBED},T([[[[[0,3],[9,14]],[[21,37],[40,63]]]]],ms.int64))",
    f"G.MaxUnpool2DGrad((1,1,2,2),(1,1,2,2),(0,0,0,0),(1,2,4,4))({_SMALL},{_BOX},{_PLACES.format('int64')})",
    f"G.MaxUnpool3DGrad((1,1,2,2,2),(1,1,2,2,2),(0,0,0,0,0),(1,1,4,4,4))({_CUBED},{_CUBE},T([[[[[0,3],[9,14]],[[21,37],[40,63]]]]],ms.int64))",
    f"G.BatchNormGrad(True)({_BOX},{_BOX}*{_BOX},T([1.,2.]),T([0.5,0.4]),T([2.,3.]),T([0.,0.]))[:3]",
    f"G.BatchNormGrad(False)({_BOX},{_BOX}*{_BOX},T([1.,2.]),T([0.5,0.4]),T([2.,3.]),T([0.,0.]))[:3]",
    *[
        f"(lambda x,g,d:(lambda y,m,v:G.LayerNormGrad({axis},{axis})(x,d,v,m,g))"
        f"(*ops.LayerNorm({axis},{axis})(x,g,g*0)))"
        f"({_wave(2, 3)},{_wave(3)}+2,{_wave(2, 3)}**3)"
        for axis in (1, -1)
    ],
    "G.LayerNormGrad()(T([[1.,2.]]),T([[1.,3.]]),T([[4.]]),T([[0.]]),T([1.,2.]))",
    f"(lambda x,g,d:(lambda y,m,v:G.LayerNormGradGrad()(x,d,v,m,g,d*d,g*2,g*3))(*ops.LayerNorm()(x,g,g*0)))"
    f"({_wave(2, 3)},{_wave(3)}+2,{_wave(2, 3)}**3)",
    f"G.Conv2DBackpropFilter(2,(2,2))({_wave(1, 2, 3, 3)},{_BOX},(2,2,2,2))",
    f"G.Conv2DBackpropFilter(2,(3,3),'same',stride=(2,2))({_SMALL},{_BOX},(2,2,3,3))",
    f"G.Conv3DBackpropFilter(1,(2,2,2))({_CUBE},{_wave(1, 1, 3, 3, 3)},(1,1,2,2,2))",
    *[f"G.AffineGridGrad({corners})({_wave(1, 2, 3, 2)},T([1,1,2,3],ms.int64))" for corners in (True, False)],
    f"G.GridSampler2DGrad()({_SMALL},{_BOX},{_wave(1, 2, 2, 2)}*0.7)",
    f"G.GridSampler3DGrad()({_wave(1, 1, 2, 2, 2)},{_CUBE},{_wave(1, 2, 2, 2, 3)}*0.7)",
    *[
        f"G.{name}({corners})({_wave(1, 2, 3, 5)},{_BOX})"
        for name in ("ResizeBicubicGrad", "ResizeBilinearGrad")
        for corners in (True, False)
    ],
    *[
        f"G.{name}({corners})({_wave(1, 2, 3, 5)},{size})"
        for name, size in (("ResizeNearestNeighborGrad", "(4,4)"), ("ResizeNearestNeighborV2Grad", "(4,4)"))
        for corners in (True, False)
    ],
    f"G.ResizeLinear1DGrad()({_wave(1, 2, 5)},{_wave(1, 2, 3)})",
    f"G.ROIAlignGrad(2,2,0.5,2)({_SMALL},T([[0.,0.,1.,5.,6.]]),(1,2,4,4))",
    f"G.UpsampleNearest3DGrad()({_wave(1, 1, 4, 4, 4)},(1,1,2,2,2),(4,4,4),None)",
    *[
        f"G.UpsampleTrilinear3DGrad({corners})({_wave(1, 1, 4, 4, 4)},(1,1,2,2,2),(4,4,4),None)"
        for corners in (True, False)
    ],
    *[
        f"G.MultiMarginLossGrad(1,1.0,'{reduction}')({slope},{_wave(2, 3)},T([0,2]),None)"
        for reduction, slope in (("mean", "T(2.)"), ("none", "T([1.,2.])"))
    ],
    f"G.MultiMarginLossGrad(2,0.5,'sum')(T(2.),{_wave(2, 3)},T([0,2]),T([1.,2.,3.]))",
    *[
        f"G.NLLLossGrad('{reduction}')({_wave(2, 3)},{slope},T([0,2],ms.int32),T([1.,2.,3.]),T({total}))"
        for reduction, slope, total in (("mean", "T(2.)", "4."), ("none", "T([1.,2.])", "0."), ("sum", "T(2.)", "4."))
    ],
    f"G.FlattenGrad()({_wave(2, 4)},(2,2,2))",
    "G.GatherDGradV2()(f(2,3),1,T([[0,0],[2,1]]),f(2,2)+1)",
    "G.MaskedSelectGrad()(f(2,3),T([[True,False,True],[False,False,True]]),T([1.,2.,3.]))",
    *[f"G.MirrorPadGrad('{mode}')(f(4,6),T([[1,1],[2,1]]))" for mode in ("REFLECT", "SYMMETRIC")],
    *[
        f"G.PadV3Grad('{mode}',{contiguous})(f(1,1,4,6),T({pads}))"
        for mode in ("reflect", "edge")
        for contiguous, pads in ((True, "[1,2,0,1]"), (False, "[1,0,2,1]"))
    ],
    "G.SliceGrad()(f(1,2),f(2,3),(1,0),(1,2))",
    "G.TraceGrad()(T(2.),T([2,3],ms.int64))",
    *[
        f"G.SparseSegment{kind}Grad()(f(2,3)+1,T([0,2,3],ms.int32),T([0,0,1],ms.int32),T(4,ms.int32))"
        for kind in ("Mean", "SqrtN")
    ],
    "ms.ops.auto_generate.CdistGrad(2.)(f(2,3),f(2,2)*1.5,f(3,2),ops.cdist(f(2,2)*1.5,f(3,2)))",
    f"G.GluGrad(1)({_wave(2, 2)},{_wave(2, 4)})",
    "G.IgammaGradA()(T([0.5,2.]),T([1.,1.5]))",
    *[f"G.{name}Grad()(T([1.,3.,2.]),T([2.,1.,2.]),T([1.,2.,4.]))" for name in ("Maximum", "Minimum")],
    "G.MaximumGrad()(f(2,3),T(2.5),f(2,3))",
    *[
        f"G.{name}GradGrad()(T([1.,3.,2.]),T([2.,1.,2.]),T([1.,2.,4.]),T([5.,6.,7.]))"
        for name in ("Maximum", "Minimum")
    ],
    "(lambda x:(lambda y,i:G.MedianGrad(False,1)(T([1.,2.]),x,y,i))"
    "(*ops.Median(False,1)(x)))(T([[1.,3.,2.],[5.,4.,6.]]))",
    "(lambda x:(lambda y,i:G.MedianGrad(True)(T(2.),x,y,i))(*ops.Median(True)(x)))(T([[1.,3.,2.,2.],[5.,4.,6.,7.]]))",
    "G.MvlgammaGrad(2)(T([1.,2.]),T([2.,3.]))",
    "G.PdistGrad(2.)(T([1.,2.,3.]),f(3,2)**2,ops.Pdist()(f(3,2)**2))",
    "G.BiasAddGrad()(f(2,3,2))",
    "G.BiasAddGrad('NHWC')(f(2,2,2,3))",
    "G.BiasAddGrad()(f(2,3))",
    "G.ConcatOffset(2,1)((f(2,3),f(2,2)))",
    "G.DropoutGrad(0.5)(f(2,3),T([[1.,0.,1.],[0.,1.,1.]]))",
    "G.EluGrad()(f(3)+1,T([-0.5,0.,2.]))",
    "G.InvGrad()(T([0.5,2.]),T([1.,2.]))",
    f"G.LogSoftmaxGrad()(ops.log_softmax({_wave(2, 3)},-1),{_wave(2, 3)})",
    "G.LuUnpackGrad(True,True)(f(2,2)+1,f(2,2)+2,f(2,2))",
    "G.SparseFillEmptyRowsGrad()(T([0,2],ms.int64),T([1.,2.,3.,4.]))",
    "G.EluGrad()(1,T([1.]))",
    *[
        f"(lambda x,d:(lambda m:G.BatchNormGradGrad({training})(x,d,T([1.,2.]),m,((x-m.reshape((1,2,1,1)))**2)"
        ".mean((0,2,3)),d**3,T([1.,-1.]),T([2.,1.])))(x.mean((0,2,3))))"
        f"({_BOX}**2,{_BOX})"
        for training in (True, False)
    ],
    f"A.GroupNormGrad()({_wave(1, 4, 2)},{_wave(1, 4, 2)}**2,T([[0.5,0.4]]),T([[2.,3.]]),T([1.,2.,3.,4.]),2)",
    *[
        f"(lambda x,d,g:(lambda y,m,s:G.InstanceNormV2Grad({training})(d,x,g,g*0.5,g*2,m,s))"
        f"(*P.nn_ops.InstanceNormV2({training})(x,g,g,g*0.5,g*2)))"
        f"({_SMALL}**2,{_SMALL},T(np.float32([1,2]).reshape(1,2,1,1)))"
        for training in (True, False)
    ],
    *[
        f"G.ResizeV2Grad('{corners}','cubic')({_wave(1, 1, 5, 4)},T([0.]),T([0.]),T([1,1,3,3],ms.int64))"
        for corners in ("half_pixel", "align_corners")
    ],
    *[
        f"G.ResizeV2Grad('{corners}','{mode}')({_wave(1, 2, 1, length)},T([0.]),T([0.]),T([1,2,1,3],ms.int64))"
        for corners, mode in (("half_pixel", "nearest"), ("half_pixel", "linear"), ("align_corners", "linear"))
        for length in (5, 2)
    ],
    f"P.image_ops.CropAndResizeGradBoxes()({_wave(1, 2, 2, 2)},{_wave(1, 4, 4, 2)},T([[0.1,0.2,0.8,0.9]]),"
    "T([0],ms.int32))",
    *[
        f"P.image_ops.CropAndResizeGradImage(ms.float32,'{method}')({_wave(1, 2, 2, 2)},T([[0.1,0.2,0.8,0.9]]),"
        "T([0],ms.int32),T([1,4,4,2],ms.int32))"
        for method in ("bilinear", "nearest")
    ],
    "(lambda p,t,i,l:(lambda r:P.nn_ops.CTCLossV2Grad(0)(T([2.,1.]),p,t,i,l,r[0],r[1]))(ops.CTCLossV2(0)(p,t,i,l)))"
    f"({_wave(5, 2, 3)},T([[1,2],[2,2]],ms.int32),T([5,4],ms.int32),T([2,1],ms.int32))",
    f"P.nn_ops.Conv3DBackpropInput(1,(2,2,2))({_wave(1, 1, 2, 2, 2)},{_CUBED},(1,1,3,3,3))",
    "G.SparseSliceGrad()(T([1.,2.]),T([[0,0],[0,2],[1,1]],ms.int64),T([0,1],ms.int64),T([[0,1],[1,0]],ms.int64))",
    f"A.UpsampleNearest1DGrad()({_wave(1, 2, 6)},(1,2,3),(6,),None)",
    f"A.UpsampleNearest2DGrad()({_wave(1, 2, 6, 6)},(1,2,3,3),(6,6),None)",
    "A.TraceV2Grad()(T([2.,3.]),T([2,3,3]),1,1,2)",
    f"A.LstsqV2Grad()({_wave(2, 1)},{_wave(3, 2)},{_wave(3, 1)})",
]
