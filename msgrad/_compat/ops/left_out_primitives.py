"""Internal Primitives of MindSpore's functions, most of them Ascend kernels.

Libraries instantiate them at import (mindnlp 0.5 all of them), and call those of their device. So they can be
constructed and given attributes; a call raises an error that names the functions to use instead.
"""

import sys

from ...ops.legacy.left_out import LeftOutPrimitive, leave_out

_FUNCTION = ("MindSpore calls it inside of its functions", "Use those of mindspore.mint and mindspore.ops.")
_GRADIENT = ("MindSpore's own backward passes call it", "Use mindspore.grad.")
_DEVICE_TRANSFER = ("it copies data between a device and its host", "Leave it out: JAX places the data.")
_COMPILER = ("only MindSpore's compiler inserts it into graphs", "Call functions of mindspore.ops.")
_READER = ("it decodes images and text of one OCR program", "Use mindspore.dataset.vision and text.")
_MAP = ("it reads the hash table of a parameter server", "Use a Parameter and ops.gather.")
_ROWS_OF_CSR = ("MindSpore compiles it for GPUs", "Use the methods of CSRTensor.")
_NO_GRADIENT = ("it has kernels for Ascend or GPUs only", "Use mindspore.grad.")
_NO_KERNEL = ("it has kernels for Ascend or GPUs only", "Use the functions of mindspore.ops and mindspore.mint.")
_PEER = ("it exchanges data with another process", "Use mindspore.mint.distributed.")

_NAMES = [
    (_PEER, "AllGatherMatmul DistCommAllGather DistCommAllGatherIntoTensor DistCommAllReduce DistCommAllToAllV "
     "DistCommAllToAllVSingle DistCommBarrier DistCommBatchIsendIrecv DistCommBroadcast DistCommGather "
     "DistCommGatherIntoTensor DistCommIrecv DistCommIsend DistCommReduce DistCommReduceScatter "
     "DistCommReduceScatterTensor DistCommScatter DistCommScatterTensor InnerCommAllGather InnerCommAllReduce "
     "InnerCommAllToAllV InnerCommIrecv InnerCommIsend InnerCommReduceScatter MatmulAllReduceAddRmsNorm "
     "MatmulReduceScatter EmbeddingLookupCommGrad NeighborExchangeV2Grad SyncBatchNormGrad"),
    (_GRADIENT, "AdaptiveAvgPool2DGradExt AdaptiveAvgPool3DGradExt AddLayerNormGrad AvgPool2DGrad AvgPool3DGradExt "
     "AvgPoolGradGe AvgPoolGradVm BNTrainingReduceGrad BNTrainingUpdateGrad BasicLSTMCellCStateGrad "
     "BasicLSTMCellInputGrad BasicLSTMCellWeightGrad BatchNormElemtGrad BatchNormReduceGrad "
     "BinaryCrossEntropyWithLogitsBackward Col2ImGrad ConvolutionGrad ConvolutionStrGrad "
     "DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput DropoutGradExt DynamicGRUV2Grad "
     "DynamicRNNGrad EluGradExt EmbeddingDenseBackward GRUV2Grad GeluGradExt GmmBackward GmmBackwardFusion "
     "GmmV2Backward GmmV2BackwardFusion GruGradData GruGradWeight HardtanhGrad InstanceNormGrad "
     "KLDivGrad L1LossBackwardExt LSTMGrad LSTMGradData LSTMGradWeight LayerNormGradExt "
     "LeakyReLUGradExt LogSigmoidGrad MSELossGradExt MapTensorGetGrad MishGradExt MoeTokenPermuteGrad "
     "MoeTokenUnpermuteGrad MultiScaleDeformableAttnGrad NLLLoss2dGrad ParallelResizeBilinearGrad "
     "PsROIPoolingGrad RandomGammaGrad RefToEmbed ReflectionPad1DGrad ReflectionPad2DGrad ReflectionPad3DGrad "
     "RepeatInterleaveGrad ReplicationPad1DGrad ReplicationPad2DGrad ReplicationPad3DGrad "
     "RotaryPositionEmbeddingGrad SoftmaxBackward SoftplusGradExt SpeedFusionAttentionGrad "
     "ThresholdGrad UpsampleBicubic2DGrad UpsampleBilinear2DGrad UpsampleLinear1DGrad "
     "WKVGrad"),
    (_FUNCTION, "AdaptiveAvgPool2DExt AdaptiveAvgPool3DExt AdaptiveMaxPool1D AddLayerNormV2 "
     "AddScalar AsStrided AvgPool1D AvgPool2D AvgPool3DExt BatchNormElemt BatchNormExt "
     "BatchNormGatherStatsWithCounts BatchNormStats BernoulliExt BitwiseAndScalar BitwiseAndTensor "
     "BitwiseOrScalar BitwiseOrTensor BitwiseXorScalar BitwiseXorTensor ClampTensor Col2ImExt ConstantPadND "
     "Conv1DExt Conv1DPadding Conv2DExt Conv2DPadding Conv3DExt Conv3DPadding ConvTranspose2D Convolution "
     "ConvolutionStr Copy DivMod DivMods Divs DropoutDoMaskExt DropoutGenMaskExt FillScalar FillTensor "
     "FloorDivScalar FmodTensor Gmm GmmV2 GreaterEqualScalar GroupedMatmulV2 Im2ColExt Index "
     "IndexFillScalar IndexFillTensor InnerIndex InnerInplaceIndexPut InnerNonZero InplaceAddmm InplaceAddsExt "
     "InplaceClampScalar InplaceClampTensor InplaceDivMod InplaceDivMods InplaceDivs InplaceElu InplaceExponential "
     "InplaceFillDiagonal InplaceFillScalar InplaceFillTensor InplaceFloorDivide InplaceFloorDivides "
     "InplaceGroupedMatmulAdd InplaceHardtanh InplaceIndexAddExt InplaceIndexPut InplaceMaskedFillScalar "
     "InplaceMaskedFillTensor InplaceMuls InplaceNormal InplacePut InplaceRandom InplaceReLU InplaceScatterAdd "
     "InplaceScatterSrc InplaceScatterSrcReduce InplaceScatterValue InplaceScatterValueReduce InplaceStopGradient "
     "InplaceSubScalar InplaceThreshold InplaceUniform KVCacheScatterUpdate LinSpaceExt "
     "Max MaxDim MaxUnpool2DExt "
     "Min MinDim MoeComputeExpertTokens MoeGatingTopKSoftmax MoeInitRouting MultiScaleDeformableAttn MultinomialExt "
     "NLLLoss2d NewOnes NewZeros NormalFloatFloat NormalFloatTensor NormalTensorFloat "
     "NormalTensorTensor PowScalarTensor PowTensorScalar RandExt RandInt RandIntLike RandLikeExt Randn RandnLike "
     "RandpermExt ReflectionPad1D ReflectionPad2D ReflectionPad3D RemainderScalarTensor RemainderTensorScalar "
     "RemainderTensorTensor ReplicationPad1D ReplicationPad2D ReplicationPad3D ScatterValue SelectV2 "
     "SilentCheckV2 SilentCheckV3 SpeedFusionAttention SubScalar TriangularSolve UniformExt Unique2 UniqueDim "
     "UpsampleBicubic2D UpsampleLinear1D XLogYScalarOther XLogYScalarSelf"),
    # MindSpore 2.10 has no kernel of these on a CPU, except for SparseMatrixOrderingAMD and Uniform.
    (_PEER, "CreateSymmetricMemory DistCommAllGatherIntoTensorUneven DistCommAllToAllVC "
     "DistCommReduceScatterTensorUneven GetMem PutMem PutMemSignal SignalOp SignalWaitUntil"),
    (_DEVICE_TRANSFER, "CacheSwapTable CopyToDevice CopyToHost Detach Free GetData InplaceToDevice SetData ToDevice "
     "ToOther UpdateToDevice UpdateToRemote"),
    (_COMPILER, "AShardIdentity CellBackwardHook CheckBprop ErrorOnDynamicShapeInput GetGrad GetitemTensorIndexInfo "
     "GpuConvertToDynamicShape InsertGemV2InBackward IsDimUnKnown IsParameter MixedPrecisionCast "
     "PartitionedCall PyInterpret SetitemTensorIndexInfo StackDestroy StackInit StackPop StackPush "
     "StringToEnum ToDtype TopTypeof"),
    (_READER, "BatchDilatePolys BatchEnqueue DecodeImage Dequeue GetShape OCRDetectionPostHandle OCRDetectionPreHandle "
     "OCRFindContours OCRIdentifyPreHandle OCRRecognitionPreHandle ResizeAndClipPolys StringLength"),
    (_MAP, "MapTensorErase MapTensorGet MapTensorGetData MapTensorGetKeys MapTensorGetValues MapTensorPut"),
    (_ROWS_OF_CSR, "COO2CSR CSR2COO CSRDiv CSRGather CSRMM CSRMV CSRMul CSRReduceSum"),
    (_NO_GRADIENT, "ActULQClampMaxGrad ActULQClampMinGrad ActsULQInputGrad BatchNormFold2Grad BatchNormFold2GradD "
     "BatchNormFold2GradReduce BatchNormFoldGrad BatchNormFoldGradD BatchNormGradExt ConfusionMulGrad "
     "CorrectionMulGrad CorrectionMulGradReduce CrossEntropyLossGrad DSDGrad "
     "FakeLearnedScaleQuantPerChannelGrad FakeLearnedScaleQuantPerChannelGradD "
     "FakeLearnedScaleQuantPerChannelGradDReduce FakeLearnedScaleQuantPerLayerGrad "
     "FakeLearnedScaleQuantPerLayerGradD FakeLearnedScaleQuantPerLayerGradDReduce LayerNormGradV3 "
     "LightningIndexerGrad MatmulDDSGrad MaxPoolGradWithIndices MaxPoolGradWithMask NsaCompressGrad "
     "NsaSelectAttentionGrad ScaleGrad SparseFlashAttentionGrad UpdateThorGradient"),
    (_NO_KERNEL, "AllFinite AntiQuant ApplyAdamW ApplyCamePart1 ApplyCamePart2 ApplyCamePart3 ApplyCamePart4 ArgminV2 "
     "AvgPoolV1 Centralization CholeskyTrsm ConvTbc CrossEntropyLoss CusBatchMatMul CusCholeskyTrsm "
     "CusFusedAbsMax1 CusImg2Col CusMatMulCube CusMatMulCubeDenseLeft CusMatMulCubeDenseRight "
     "CusMatMulCubeFraczLeftCast CusMatMulCubeFraczRightMul CusMatrixCombine CusTranspose02314 Dequant "
     "DequantSwigluQuant DetTriangle Dropout2dExt DynamicBlockQuant DynamicNTK DynamicResizeNearestNeighbor "
     "EinsumExt FFN FFNExt Format FormatCast FuncDropoutExt FuncMaxPool2D FusedBatchNorm "
     "FusedBatchNormEx FusedInferAttentionScore GRUV2 GatherNdExt GenerateEodMask GenerateEodMaskV2 "
     "IncreFlashAttention InnerMoeTokenUnpermute InnerUnique InplaceAddr InplaceBernoulliScalar "
     "InplaceBernoulliTensor InplaceIndexCopy InplaceIndexFillScalar InplaceIndexFillTensor "
     "InplaceMaskedScatter InplaceMatmulAdd InplaceRemainderTensorScalar InplaceRemainderTensorTensor "
     "InplaceSiLU InplaceSign InstanceNorm KMeansCentroids KVCacheMgr KvScaleCache LSTMV2 Lamb "
     "LambApplyOptimizerAssign LambApplyWeightAssign LayerNormV3 LessScalar LightningIndexer LoadIm2Col "
     "LpNormV2 Lu MaskedFillScalar MatrixDiag MatrixDiagPart MatrixSetDiag MaxPoolV1 Mla MlaPreprocess "
     "NewIm2Col NonZeroWithValue NonZeroWithValueShape NpuGelu NsaCompress NsaCompressAttention "
     "NsaSelectAttention ParallelResizeBilinear ProdForceSeA Quant QuantLinearSparse QuantMatmul "
     "RingAttentionUpdate RotatedIou SequenceMask SequenceSliceSetItem SparseFlashAttention "
     "SparseMatrixOrderingAMD SparseMatrixSparseMatMul SparseSplit SyncBatchNorm TensorScatterElementsExt "
     "ThorIm2Col TopPRouter TransShape TransposeBatchMatmulTranspose Uniform WKV "
     "WeightQuantBatchMatmul"),
]  # fmt: skip

for _reason, _kinds in _NAMES:
    leave_out(sys.modules[__name__], "operations", [(name, _reason) for name in _kinds.split()], LeftOutPrimitive)
