"""Which names each file of ``msgrad.ops`` has, so that it is imported when one is first asked for.

`tests.golden.make_contents` writes it.
"""

FUNCTIONS = {
    "array.assignment": "assign assign_add assign_sub",
    "array.axes":
        "adjoint atleast_1d atleast_2d atleast_3d expand_dims moveaxis movedim permute squeeze swapaxes swapdims t "
        "transpose unsqueeze",
    "array.casting": "cast is_complex is_floating_point mixed_precision_cast scalar_cast type_as",
    "array.concatenation":
        "block_diag cartesian_prod cat column_stack combinations concat dstack hstack meshgrid row_stack stack vstack",
    "array.creation":
        "eye fill fills full full_like one_hot ones ones_like scalar_to_array scalar_to_tensor tril_indices "
        "triu_indices tuple_to_array vander zeros zeros_like",
    "array.diagonal_bands": "matrix_diag matrix_diag_part matrix_set_diag",
    "array.diagonals": "diag diag_embed diagflat diagonal diagonal_scatter matrix_band_part tril triu",
    "array.identity": "control_depend depend identity",
    "array.inplace": "put_ zero_",
    "array.inplace_functions": "clamp_ erfinv_ inplace_sigmoid stop_gradient_ tanh_",
    "array.padding": "mirror_pad pad padding",
    "array.rearrange":
        "flip fliplr flipud narrow repeat_elements repeat_interleave reverse reverse_sequence roll rot90 "
        "select_scatter slice strided_slice tile",
    "array.reshaping":
        "broadcast_to dtype dyn_shape expand expand_as flatten numel rank ravel reshape reshape_ shape size view_as",
    "array.sequences": "arange linspace logspace range",
    "array.space_to_depth": "batch_to_space_nd space_to_batch_nd",
    "array.splitting": "chunk dsplit hsplit split tensor_split unbind unstack vsplit",
    "array.storage": "deepcopy move_to",
    "collective.in_place":
        "all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_reduce all_to_all all_to_all_single "
        "all_to_all_v_c barrier broadcast gather_into_tensor reduce reduce_scatter reduce_scatter_tensor "
        "reduce_scatter_tensor_uneven scatter_tensor",
    "collective.objects": "all_gather_object broadcast_object_list gather_object scatter_object_list",
    "collective.point_to_point": "batch_isend_irecv irecv isend recv recv_object_list send send_object_list",
    "collective.process_group":
        "destroy_process_group get_backend get_global_rank get_group_rank get_process_group_ranks get_rank "
        "get_world_size init_process_group is_available is_initialized new_group set_comm_ops_inplace",
    "control.debug": "print_ tensordump",
    "control.gradient": "stop_gradient",
    "control.language":
        "SliceGetItem array_to_scalar augassign_add augassign_div augassign_floordiv augassign_mod augassign_mul "
        "augassign_sub bool_and bool_eq bool_not bool_or broadcast_gradient_args dict_getitem dict_setitem hastype "
        "in_dict is_ is_not is_sequence_shape_unknown is_sequence_value_unknown is_tensor_bool_cond isconstant "
        "iter_converter list_equal list_getitem list_len list_setitem make_dict make_list make_range make_slice "
        "make_tuple ms_hasnext ms_next not_in_dict reduced_shape scalar_add scalar_div scalar_eq scalar_floordiv "
        "scalar_ge scalar_gt scalar_le scalar_log scalar_lt scalar_max scalar_min scalar_mod scalar_mul scalar_ne "
        "scalar_pow scalar_sub scalar_uadd scalar_usub shape_mul string_concat string_eq switch switch_layer tail "
        "tuple_div tuple_equal tuple_getitem tuple_len tuple_reversed tuple_setitem typeof zip_operation",
    "image.boxes": "bounding_box_decode bounding_box_encode check_valid iou",
    "image.grid_sampling": "affine_grid crop_and_resize grid_sample",
    "image.patches": "channel_shuffle col2im fold pixel_shuffle pixel_unshuffle unfold",
    "image.resize": "interpolate upsample",
    "image.sliding_windows": "extract_image_patches",
    "index.embeddings": "embedding",
    "index.gathering": "gather gather_d gather_elements gather_nd index_select take",
    "index.index_write": "index_add index_fill inplace_add inplace_index_add inplace_sub inplace_update slice_scatter",
    "index.scatter_write":
        "scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd_add scatter_nd_div scatter_nd_max "
        "scatter_nd_min scatter_nd_mul scatter_nd_sub scatter_nd_update scatter_update",
    "index.scattering":
        "scatter scatter_nd tensor_scatter_add tensor_scatter_div tensor_scatter_elements tensor_scatter_max "
        "tensor_scatter_min tensor_scatter_mul tensor_scatter_sub tensor_scatter_update",
    "index.segments":
        "sparse_segment_mean unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum",
    "index.selection":
        "argwhere masked_fill masked_select nonzero select sequence_mask unique unique_consecutive unique_with_pad "
        "where",
    "legacy.former_names": "baddbmm_ext einsum_ext is_nonzero isnan_ext tensor_muls",
    "legacy.instances":
        "_ones_like_for_grad floordiv floormod hyper_add pows reduce_max reduce_mean reduce_min reduce_sum shape_ "
        "tensor_add tensor_div tensor_exp tensor_expm1 tensor_floordiv tensor_ge tensor_gt tensor_le tensor_lt "
        "tensor_mod tensor_mul tensor_pow tensor_range tensor_slice tensor_sub",
    "linalg.addmm": "addbmm addmm addmv addr baddbmm",
    "linalg.decompositions": "eig eigvals geqrf lu_solve lu_unpack orgqr ormqr qr svd",
    "linalg.distances": "cdist cosine_similarity dist matrix_norm pdist renorm vector_norm",
    "linalg.linear_solve": "cholesky_inverse cond lstsq matrix_solve pinv",
    "linalg.matmul": "batch_dot bidense bmm cross dense dot einsum ger inner kron matmul mm mv outer tensor_dot",
    "linalg.matrices":
        "cholesky cholesky_solve det inverse log_matrix_determinant logdet matrix_determinant matrix_exp matrix_power "
        "slogdet trace",
    "loss.classification_losses":
        "binary_cross_entropy binary_cross_entropy_with_logits cross_entropy kl_div multilabel_soft_margin_loss "
        "nll_loss",
    "loss.ctc": "ctc_greedy_decoder ctc_loss",
    "loss.margin_losses":
        "cosine_embedding_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss multilabel_margin_loss "
        "soft_margin_loss triplet_margin_loss",
    "loss.regression_losses": "gaussian_nll_loss huber_loss l1_loss mse_loss mse_loss_ext smooth_l1_loss",
    "math.argminmax": "aminmax argmax argmin max min",
    "math.arithmetic":
        "accumulate_n add addcdiv addcmul addn arctan2 atan2 copysign float_power float_power_ext gcd heaviside hypot "
        "lcm ldexp lerp logaddexp logaddexp2 mul multiply pow sub subtract xlogy",
    "math.bessel":
        "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e "
        "bessel_y0 bessel_y1 i0",
    "math.clamp": "clamp clip clip_by_value fmax fmin maximum minimum",
    "math.complex_numbers": "polar view_as_real",
    "math.cumulative": "cummax cummin cumprod cumsum logcumsumexp",
    "math.differences": "cov diff diff_ext trapz vecdot",
    "math.division":
        "div divide floor_div floor_divide floor_mod fmod remainder true_divide truncate_div truncate_mod xdivy",
    "math.elementwise":
        "abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil conj "
        "cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac imag inv invert isfinite isinf isnan "
        "isneginf isposinf isreal lgamma log log10 log1p log2 logical_not logit nan_to_num neg negative positive "
        "rad2deg real reciprocal round rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square tan tanh trunc",
    "math.fourier":
        "fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 "
        "irfftn rfft rfft2 rfftfreq rfftn",
    "math.histograms": "histc intopk",
    "math.logic":
        "approximate_equal bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor eq equal ge "
        "greater greater_equal gt isclose le less less_equal logical_and logical_or logical_xor lt ne not_equal",
    "math.quantiles": "msort nanmean nanmedian nanquantile quantile",
    "math.reduction": "all amax amin any mean prod sum",
    "math.search": "bucketize searchsorted",
    "math.signal_windows": "bartlett_window blackman_window hamming_window hann_window kaiser_window stft",
    "math.sorting": "argsort sort top_k topk",
    "math.special": "eps igamma igammac mvlgamma nextafter polygamma population_count zeta",
    "math.statistics": "bincount count_nonzero logsumexp median nansum norm std std_mean var var_mean",
    "nn.activation":
        "celu elu fast_gelu gelu glu hardshrink hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish prelu relu "
        "relu6 selu silu soft_shrink softplus softshrink softsign swiglu tanhshrink threshold",
    "nn.adaptive_pooling":
        "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool2d_ext adaptive_avg_pool3d adaptive_max_pool1d "
        "adaptive_max_pool2d adaptive_max_pool3d",
    "nn.attention": "flash_attention_score rotary_position_embedding",
    "nn.attention_parts": "multi_scale_deformable_attn_function reshape_and_cache ring_attention_update",
    "nn.convolution": "conv1d conv2d conv3d",
    "nn.deformable": "deformable_conv2d",
    "nn.dropout": "dropout dropout1d dropout2d dropout3d gumbel_softmax rrelu",
    "nn.mixture_of_experts": "moe_init_routing_v2 moe_token_permute moe_token_unpermute",
    "nn.normalization": "add_layer_norm add_rms_norm batch_norm bias_add group_norm layer_norm lrn rms_norm",
    "nn.pool_functions": "avg_pool1d avg_pool2d avg_pool3d lp_pool1d lp_pool2d max_pool2d max_pool3d",
    "nn.random_pooling": "fractional_max_pool2d fractional_max_pool3d",
    "nn.softmax": "log_softmax softmax softmin",
    "nn.transposed_convolution": "conv3d_transpose conv_transpose2d",
    "nn.unpooling": "max_unpool1d max_unpool2d max_unpool3d",
    "optim.gradient_clipping": "clip_by_global_norm clip_by_norm",
    "random.candidate_samplers": "log_uniform_candidate_sampler uniform_candidate_sampler",
    "random.functions":
        "bernoulli choice_with_mask gamma laplace multinomial multinomial_with_replacement normal poisson rand "
        "rand_like randint randint_like randn randn_like random_categorical random_gamma random_poisson randperm "
        "shuffle standard_laplace standard_normal uniform",
    "random.methods": "bernoulli_ bernoulli_ext exponential_ normal_ random_ uniform_",
    "sparse.coo": "coo_add coo_concat dense_to_sparse_coo",
    "sparse.csr":
        "coo2csr csr2coo csr_add csr_div csr_gather csr_mm csr_mul csr_mv csr_reduce_sum csr_softmax csr_to_coo "
        "csr_to_dense dense_to_sparse_csr",
    "sparse.elementwise":
        "coo_abs coo_acos coo_acosh coo_asin coo_asinh coo_atan coo_atanh coo_ceil coo_cos coo_cosh coo_exp coo_expm1 "
        "coo_floor coo_inv coo_isfinite coo_isinf coo_isnan coo_log coo_log1p coo_neg coo_relu coo_relu6 coo_round "
        "coo_sigmoid coo_sin coo_sinh coo_softsign coo_sqrt coo_square coo_tan coo_tanh csr_abs csr_acos csr_acosh "
        "csr_asin csr_asinh csr_atan csr_atanh csr_ceil csr_cos csr_cosh csr_exp csr_expm1 csr_floor csr_inv "
        "csr_isfinite csr_isinf csr_isnan csr_log csr_log1p csr_neg csr_relu csr_relu6 csr_round csr_sigmoid csr_sin "
        "csr_sinh csr_softsign csr_sqrt csr_square csr_tan csr_tanh",
    "sparse.matrices": "coalesce",
    "sparse.parts":
        "coo_tensor_get_dense_shape coo_tensor_get_indices coo_tensor_get_values csr_tensor_get_dense_shape "
        "csr_tensor_get_indices csr_tensor_get_indptr csr_tensor_get_values make_coo_tensor make_csr_tensor "
        "make_row_tensor make_row_tensor_inner make_sparse_tensor row_tensor_add row_tensor_get_dense_shape "
        "row_tensor_get_indices row_tensor_get_values",
}  # fmt: skip

PRIMITIVES = {
    "array.assignment": "Assign AssignAdd AssignSub CopyWithSlice",
    "array.axes": "ConjugateTranspose ExpandDims Squeeze Transpose TransposeExtView TransposeView",
    "array.casting": "Cast ScalarCast",
    "array.concatenation": "Concat Meshgrid Pack ParallelConcat Stack",
    "array.creation":
        "Eye Fill FillV2 Fills OneHot Ones OnesLike ScalarToArray ScalarToTensor TrilIndices TriuIndices TupleToArray "
        "Zeros ZerosLike",
    "array.data_format": "DataFormatDimMap DataFormatVecPermute",
    "array.diagonal_bands": "MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3",
    "array.diagonals": "Diag DiagPart FillDiagonal MatrixBandPart Tril Triu",
    "array.dtype_numbers": "DtypeToEnum",
    "array.identity": "ControlDepend Depend Identity IdentityN UpdateState",
    "array.padding": "MirrorPad Pad PadV3 Padding",
    "array.ragged": "ComputeAccidentalHits EditDistance NoRepeatNGram RaggedRange SparseSlice",
    "array.rearrange": "ReverseSequence ReverseV2 Roll SelectView Slice StridedSlice Tile",
    "array.reshaping": "BroadcastTo DType DynamicShape Expand Flatten Rank Reshape Shape Size TensorShape",
    "array.sequences": "LinSpace LogSpace Range",
    "array.space_to_depth":
        "BatchToSpace BatchToSpaceND BatchToSpaceNDV2 DepthToSpace SpaceToBatch SpaceToBatchND SpaceToDepth",
    "array.splitting": "Split SplitV Unpack Unstack",
    "array.storage": "MoveTo",
    "collective.collective":
        "AllGather AllGatherV AllReduce AlltoAll AlltoAllV AlltoAllVC Barrier Broadcast CollectiveGather "
        "CollectiveScatter Reduce ReduceScatter ReduceScatterV",
    "collective.point_to_point": "BatchISendIRecv NeighborExchange NeighborExchangeV2 Receive Send",
    "control.callables": "Morph Partial PyFunc Reusing TensorToTuple",
    "control.custom": "Custom",
    "control.debug": "Assert CheckNumerics Print TensorDump",
    "control.elementwise_gradients":
        "ACosGrad AbsGrad AcoshGrad AsinGrad AsinhGrad AtanGrad HSigmoidGrad HSwishGrad ReLU6Grad ReciprocalGrad "
        "ReluGrad RsqrtGrad SiLUGrad SigmoidGrad SoftplusGrad SqrtGrad StridedSliceGrad TanhGrad",
    "control.gradient": "StopGradient",
    "control.gradient_primitives":
        "AvgPoolGrad BinaryCrossEntropyGrad FastGeLUGrad GeLUGrad HShrinkGrad KLDivLossGrad L2NormalizeGrad LRNGrad "
        "LogitGrad MaxPoolGrad PReLUGrad SigmoidCrossEntropyWithLogitsGrad SmoothL1LossGrad SoftMarginLossGrad "
        "SoftShrinkGrad",
    "control.loops": "ForiLoop Scan WhileLoop",
    "control.summaries": "HistogramSummary ImageSummary ScalarSummary TensorSummary",
    "image.boxes":
        "BoundingBoxDecode BoundingBoxEncode CheckValid IOU NMSWithMask NonMaxSuppressionV3 "
        "NonMaxSuppressionWithOverlaps",
    "image.color": "AdjustHue AdjustSaturation HSVToRGB RGBToHSV",
    "image.glimpses": "ExtractGlimpse ScaleAndTranslate",
    "image.grid_sampling": "AffineGrid CropAndResize GridSampler2D GridSampler3D ROIAlign",
    "image.non_max_suppression": "CombinedNonMaxSuppression",
    "image.patches": "ChannelShuffle Col2Im Im2Col",
    "image.resize":
        "ResizeArea ResizeBicubic ResizeBilinearV2 ResizeLinear1D ResizeNearestNeighbor ResizeNearestNeighborV2 "
        "UpsampleNearest3D UpsampleTrilinear3D",
    "image.sliding_windows": "Dilation2D ExtractImagePatches ExtractVolumePatches",
    "index.embeddings": "EmbeddingLookup MapUniform",
    "index.gathering": "Gather GatherD GatherNd GatherV2 SparseGatherV2",
    "index.index_write":
        "IndexAdd IndexFill IndexPut InplaceAdd InplaceIndexAdd InplaceSub InplaceUpdate InplaceUpdateV2 "
        "MaskedScatter",
    "index.scatter_write":
        "ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul ScatterNdAdd ScatterNdDiv ScatterNdMax ScatterNdMin "
        "ScatterNdMul ScatterNdSub ScatterNdUpdate ScatterSub ScatterUpdate",
    "index.scattering":
        "ScatterAddWithAxis ScatterNd ScatterNonAliasingAdd TensorScatterAdd TensorScatterDiv TensorScatterElements "
        "TensorScatterMax TensorScatterMin TensorScatterMul TensorScatterSub TensorScatterUpdate",
    "index.segments":
        "SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum UnsortedSegmentMax UnsortedSegmentMin "
        "UnsortedSegmentProd UnsortedSegmentSum",
    "index.selection": "MaskedFill MaskedSelect NonZero Select Unique UniqueConsecutive UniqueWithPad",
    "legacy.former_names": "ResizeBilinear",
    "linalg.decompositions": "Eig Geqrf LuSolve LuUnpack Orgqr Ormqr Qr Svd",
    "linalg.distances": "Cdist EuclideanNorm LpNorm NuclearNorm Pdist Renorm",
    "linalg.linear_solve":
        "CholeskyInverse Lstsq MatrixLogarithm MatrixSolve MatrixSolveLs MatrixTriangularSolve TridiagonalMatMul",
    "linalg.matmul": "BatchMatMul Cross Dense Einsum Ger MatMul",
    "linalg.matrices":
        "Cholesky CholeskySolve LogMatrixDeterminant MatrixDeterminant MatrixExp MatrixInverse MatrixPower Trace",
    "loss.classification_losses":
        "BCEWithLogitsLoss BinaryCrossEntropy KLDivLoss NLLLoss SigmoidCrossEntropyWithLogits "
        "SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits",
    "loss.ctc": "CTCGreedyDecoder CTCLoss CTCLossV2",
    "loss.margin_losses": "MultiMarginLoss MultilabelMarginLoss SoftMarginLoss TripletMarginLoss",
    "loss.regression_losses": "L2Loss SmoothL1Loss",
    "loss.transducer": "RNNTLoss",
    "math.argminmax": "ArgMaxWithValue ArgMinWithValue Argmax Argmin",
    "math.arithmetic":
        "AccumulateNV2 Add AddN Addcdiv Addcmul Atan2 Gcd Heaviside Hypot Lcm Lerp LerpScalar Mul MulNoNan Pow "
        "SquaredDifference Sub TensorAdd Xlogy",
    "math.bessel":
        "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 "
        "BesselY1",
    "math.clamp": "Fmax Fmin Maximum Minimum",
    "math.complex_numbers": "Complex ComplexAbs Polar",
    "math.cumulative": "CumProd CumSum Cummax Cummin CumulativeLogsumexp",
    "math.division": "Div DivNoNan FloorDiv FloorMod Mod RealDiv TruncateDiv TruncateMod Xdivy",
    "math.elementwise":
        "ACos Abs Acosh Angle Asin Asinh Atan Atanh Ceil Conj Cos Cosh Digamma Erf Erfc Erfinv Exp Expm1 FloatStatus "
        "Floor Imag Inv Invert IsFinite IsInf IsNan Lgamma Log Log1p LogicalNot Logit NanToNum Neg Real Reciprocal "
        "Rint Round Rsqrt Sigmoid Sign Sin Sinc Sinh Sqrt Square Tan Tanh Trunc",
    "math.fourier": "FFTWithSize",
    "math.histograms": "Bincount CompareAndBitpack ConfusionMatrix EqualCount Histogram HistogramFixedWidth InTopK",
    "math.logic":
        "ApproximateEqual BitwiseAnd BitwiseOr BitwiseXor Equal Greater GreaterEqual IsClose LeftShift Less LessEqual "
        "LogicalAnd LogicalOr LogicalXor NotEqual RightShift",
    "math.quantiles": "Median Quantile",
    "math.reduction": "ReduceAll ReduceAny ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum SquareSumAll",
    "math.search":
        "Bucketize InvertPermutation ListDiff LowerBound NthElement SearchSorted SubAndFilter UnravelIndex UpperBound",
    "math.signal_windows": "BartlettWindow BlackmanWindow HammingWindow STFT",
    "math.sorting": "Sort TopK",
    "math.special": "Betainc Eps Igamma Igammac Mvlgamma NextAfter Polygamma PopulationCount Zeta",
    "math.statistics": "CountNonZero L2Normalize ReduceStd",
    "nn.activation":
        "CeLU Elu FastGeLU FastGelu GLU GeLU Gelu HShrink HSigmoid HSwish Mish PReLU ReLU ReLU6 SeLU SoftShrink "
        "Softplus Softsign",
    "nn.adaptive_pooling": "AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool2D AdaptiveMaxPool3D",
    "nn.attention_parts": "PagedAttention PagedAttentionMask ReshapeAndCache",
    "nn.convolution": "Conv2D Conv3D DepthwiseConv2dNative",
    "nn.deformable": "DeformableOffsets",
    "nn.dropout": "Dropout Dropout2D Dropout3D DropoutDoMask DropoutGenMask",
    "nn.fractional_pooling": "FractionalAvgPool FractionalMaxPool",
    "nn.normalization": "BatchNorm BiasAdd LRN LayerNorm RmsNorm",
    "nn.pooling": "AvgPool AvgPool3D MaxPool MaxPool3D MaxPool3DWithArgmax MaxPoolWithArgmax MaxPoolWithArgmaxV2",
    "nn.random_pooling": "FractionalMaxPool3DWithFixedKsize FractionalMaxPoolWithFixedKsize",
    "nn.softmax": "LogSoftmax LogSoftmaxExt Softmax",
    "nn.transposed_convolution": "Conv2DBackpropInput Conv2DTranspose Conv3DTranspose",
    "nn.unpooling": "MaxUnpool2D MaxUnpool3D",
    "optim.float_status":
        "NPUAllocFloatStatus NPUClearFloatStatus NPUClearFloatStatusV2 NPUGetFloatStatus NPUGetFloatStatusV2",
    "optim.lars": "LARSUpdate",
    "optim.optimizer_steps":
        "Adam AdamNoUpdateParam AdamWeightDecay ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdagradV2 "
        "ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2 ApplyAddSign ApplyCenteredRMSProp ApplyFtrl ApplyGradientDescent "
        "ApplyKerasMomentum ApplyMomentum ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent "
        "ApplyRMSProp FusedAdaFactor FusedAdaFactorWithGlobalNorm FusedCastAdamWeightDecay "
        "FusedWeightScaleApplyMomentum SGD",
    "optim.sparse_steps":
        "FusedSparseAdam FusedSparseFtrl FusedSparseLazyAdam FusedSparseProximalAdagrad SparseApplyAdadelta "
        "SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl SparseApplyFtrlV2 SparseApplyProximalAdagrad "
        "SparseApplyRMSProp",
    "random.candidate_samplers": "LogUniformCandidateSampler UniformCandidateSampler",
    "random.functions": "MultinomialWithReplacement",
    "random.primitives":
        "Bernoulli Cauchy Gamma LogNormalReverse Multinomial NonDeterministicInts ParameterizedTruncatedNormal "
        "Poisson RandomCategorical RandomChoiceWithMask RandomGamma RandomPoisson RandomShuffle Randperm RandpermV2 "
        "StandardLaplace StandardNormal TruncatedNormal UniformInt UniformReal",
    "recurrent.primitives": "BasicLSTMCell DynamicGRUV2 DynamicRNN LSTM",
    "sparse.matrices": "Coalesce SparseTensorDenseAdd SparseTensorDenseMatmul SparseToDense",
}  # fmt: skip

METHODS = {
    "array.axes":
        "H T adjoint expand_dims mH mT moveaxis movedim permute squeeze swapaxes swapdims t transpose unsqueeze",
    "array.casting":
        "astype bfloat16 bool byte double float half int is_complex is_floating_point long short to type type_as",
    "array.creation": "fill fills new_empty new_full new_ones new_zeros",
    "array.diagonals": "diag diagflat diagonal diagonal_scatter fill_diagonal tril triu",
    "array.inplace":
        "add_ addmm_ clamp_ div_ erfinv_ exp_ fill_ fill_diagonal_ floor_ floor_divide_ index_add_ index_copy_ "
        "index_fill_ index_put_ log_ masked_fill_ masked_scatter_ mul_ put_ remainder_ scatter_ scatter_add_ sigmoid_ "
        "sign_ sub_ tanh_ zero_",
    "array.rearrange":
        "flip fliplr flipud narrow repeat repeat_interleave reverse reverse_sequence roll rot90 select select_scatter "
        "tile",
    "array.reshaping":
        "broadcast_to expand expand_as flatten nelement numel ravel reshape reshape_as resize view view_as",
    "array.splitting": "chunk dsplit hsplit split tensor_split unbind vsplit",
    "array.storage":
        "_data_ptr contiguous convert_bytes_to_tensor data_ptr data_sync flush_from_cache is_contiguous is_init "
        "is_meta is_pinned is_shared move_to offload offload_file_path set_ set_const_arg set_init_flag "
        "storage_offset stride wait_pipeline",
    "image.patches": "col2im fold unfold",
    "index.gathering": "gather gather_elements gather_nd index_select take",
    "index.index_write": "index_add index_fill index_put inplace_update masked_scatter slice_scatter",
    "index.scattering":
        "scatter scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_sub tensor_scatter_add "
        "tensor_scatter_div tensor_scatter_max tensor_scatter_min tensor_scatter_mul tensor_scatter_sub "
        "tensor_scatter_update",
    "index.segments": "unsorted_segment_max unsorted_segment_min unsorted_segment_prod",
    "index.selection":
        "argwhere choose masked_fill masked_select nonzero unique unique_consecutive unique_with_pad where",
    "linalg.addmm": "addbmm addmm addmv addr baddbmm",
    "linalg.decompositions": "eigvals geqrf lu_solve orgqr ormqr qr svd",
    "linalg.distances": "renorm",
    "linalg.linear_solve": "cholesky_inverse lstsq triangular_solve",
    "linalg.matmul": "bmm cross dot ger inner matmul mm outer",
    "linalg.matrices":
        "cholesky cholesky_solve det inverse log_matrix_determinant logdet matrix_determinant matrix_power slogdet "
        "trace",
    "math.argminmax": "aminmax argmax argmax_with_value argmin argmin_with_value max min",
    "math.arithmetic":
        "add addcdiv addcmul arctan2 atan2 copysign float_power gcd heaviside hypot lcm ldexp lerp logaddexp "
        "logaddexp2 mul multiply pow sub subtract xlogy",
    "math.bessel": "i0",
    "math.clamp": "clamp clip fmax fmin maximum minimum",
    "math.cumulative": "cummax cummin cumprod cumsum logcumsumexp",
    "math.differences": "cov diff",
    "math.division": "div divide floor_divide fmod remainder true_divide xdivy",
    "math.elementwise":
        "abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_not "
        "ceil conj cos cosh deg2rad digamma erf erfc erfinv exp expm1 floor frac imag inv invert isfinite isinf isnan "
        "isneginf isposinf isreal lgamma log log10 log1p log2 logical_not logit nan_to_num neg negative positive "
        "rad2deg real reciprocal round rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square tan tanh trunc",
    "math.histograms": "histc",
    "math.logic":
        "allclose approximate_equal bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor eq "
        "equal ge greater greater_equal gt isclose le less less_equal logical_and logical_or logical_xor lt ne "
        "not_equal",
    "math.quantiles": "kthvalue msort nanmean nanmedian nanquantile quantile",
    "math.reduction": "all amax amin any mean prod sum sum_to_size",
    "math.search": "searchsorted",
    "math.sorting": "argsort sort top_k topk",
    "math.special": "igamma igammac mvlgamma nextafter",
    "math.statistics": "bincount count_nonzero logsumexp median nansum norm ptp std var",
    "nn.activation": "hardshrink soft_shrink",
    "nn.softmax": "softmax",
    "random.functions": "multinomial random_categorical",
    "random.methods": "bernoulli bernoulli_ cauchy exponential_ log_normal normal_ random_ uniform uniform_",
    "sparse.coo": "to_coo",
    "sparse.csr": "to_csr",
}  # fmt: skip

OPERATORS = {
    "math.operators":
        "__abs__ __add__ __and__ __eq__ __floordiv__ __ge__ __gt__ __iadd__ __ifloordiv__ __imod__ __imul__ "
        "__invert__ __isub__ __itruediv__ __le__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__ "
        "__pow__ __radd__ __rfloordiv__ __rmatmul__ __rmod__ __rmul__ __round__ __rpow__ __rsub__ __rtruediv__ "
        "__sub__ __truediv__ __xor__",
}  # fmt: skip

COO_METHODS = {
    "sparse.coo": "__add__ __mul__ __neg__ __rmul__ __sub__ __truediv__ add coalesce to_csr to_dense",
    "sparse.elementwise": "abs",
}  # fmt: skip

CSR_METHODS = {
    "sparse.csr": "__add__ __mul__ __neg__ __sub__ __truediv__ add mm mv sum to_coo to_dense",
    "sparse.elementwise": "abs",
}  # fmt: skip
