"""Which names each file of ``msgrad.nn`` has, so that it is imported when one is first asked for.

`tests.golden.make_contents` writes it.
"""

LAYERS = {
    "_left_out":
        "AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor "
        "GetNextSingleOp OptTFTWrapper thor",
    "attention.multihead_attention": "MultiheadAttention",
    "attention.transformer":
        "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer",
    "basic.activation":
        "CELU ELU FastGelu GELU GLU HShrink HSigmoid HSwish Hardtanh LeakyReLU LogSigmoid LogSoftmax LogSoftmaxExt "
        "Mish PReLU PReLUExt RReLU ReLU ReLU6 SeLU SiLU Sigmoid SoftShrink Softmax Softmax2d Softmin Softsign Tanh "
        "Tanhshrink Threshold get_activation",
    "basic.dense": "BiDense Dense Linear",
    "basic.dropout": "Dropout Dropout1d Dropout2d Dropout2dExt Dropout3d DropoutExt",
    "basic.embedding": "Embedding EmbeddingExt EmbeddingLookup MultiFieldEmbeddingLookup",
    "basic.math": "ClipByNorm DiGamma IGamma L1Regularizer LBeta LGamma Moments Norm Range ReduceLogSumExp",
    "basic.matrix": "MatDet MatInverse MatMul MatrixDiag MatrixDiagPart MatrixSetDiag Tril Triu",
    "basic.reshaping": "Flatten Identity OneHot Roll Unflatten",
    "basic.sparse": "SparseTensorDenseMatmul SparseToDense",
    "cell": "Cell",
    "containers": "CellDict CellList SequentialCell",
    "convolution.adaptive_pool":
        "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
        "FractionalMaxPool2d FractionalMaxPool3d",
    "convolution.combined": "Conv2dBnAct DenseBnAct",
    "convolution.conv": "Conv1d Conv1dTranspose Conv2d Conv2dTranspose Conv3d Conv3dTranspose",
    "convolution.pad":
        "ConstantPad1d ConstantPad2d ConstantPad3d Pad ReflectionPad1d ReflectionPad2d ReflectionPad3d "
        "ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d",
    "convolution.pool":
        "AvgPool1d AvgPool1dExt AvgPool2d AvgPool2dExt AvgPool3d AvgPool3dExt LPPool1d LPPool2d MaxPool1d MaxPool2d "
        "MaxPool2dExt MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "dynamic_lr":
        "cosine_decay_lr exponential_decay_lr inverse_decay_lr natural_exp_decay_lr piecewise_constant_lr "
        "polynomial_decay_lr warmup_lr",
    "graph_cell": "GraphCell GraphKernel",
    "image.pixels":
        "CentralCrop ChannelShuffle ImageGradients PixelShuffle PixelUnshuffle ResizeBilinear Unfold Upsample",
    "image.similarity": "MSSSIM PSNR SSIM",
    "learning_rate_schedule":
        "CosineDecayLR ExponentialDecayLR InverseDecayLR NaturalExpDecayLR PolynomialDecayLR WarmUpLR",
    "loss.cross_entropy":
        "BCELoss BCEWithLogitsLoss CTCLoss CrossEntropyLoss FocalLoss KLDivLoss MultiLabelSoftMarginLoss NLLLoss "
        "SoftmaxCrossEntropyWithLogits",
    "loss.dice_loss": "DiceLoss MultiClassDiceLoss",
    "loss.margin_loss":
        "CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss MultiMarginLoss MultilabelMarginLoss SoftMarginLoss "
        "TripletMarginLoss TripletMarginWithDistanceLoss",
    "loss.regression":
        "GaussianNLLLoss HuberLoss L1Loss L1LossExt LossBase MAELoss MSELoss PoissonNLLLoss RMSELoss SmoothL1Loss",
    "loss.sampled_softmax": "SampledSoftmaxLoss",
    "normalization.batch_norm":
        "BatchNorm1d BatchNorm2d BatchNorm3d InstanceNorm1d InstanceNorm2d InstanceNorm3d SyncBatchNorm",
    "normalization.norm": "GroupNorm LRN LayerNorm LayerNormExt",
    "optim.adadelta": "Adadelta",
    "optim.adafactor": "AdaFactor",
    "optim.adagrad": "Adagrad ProximalAdagrad",
    "optim.adam": "Adam AdamOffload AdamWeightDecay LazyAdam",
    "optim.adamax": "AdaMax",
    "optim.asgd": "ASGD",
    "optim.ftrl": "FTRL",
    "optim.lamb": "Lamb",
    "optim.lars": "LARS",
    "optim.momentum": "Momentum",
    "optim.optimizer": "Optimizer",
    "optim.rmsprop": "RMSProp",
    "optim.rprop": "Rprop",
    "optim.sgd": "SGD",
    "recurrent.cells": "GRUCell LSTMCell RNNCell",
    "recurrent.rnn": "GRU LSTM RNN",
    "recurrent.time_distributed": "TimeDistributed",
    "utils": "no_init_parameters",
    "wrap.cell_wrapper": "ForwardValueAndGrad ParameterUpdate TrainOneStepCell WithEvalCell WithGradCell WithLossCell",
    "wrap.grad_reducer": "DistributedGradReducer PipelineGradReducer",
    "wrap.loss_scale": "DynamicLossScaleUpdateCell FixedLossScaleUpdateCell TrainOneStepWithLossScaleCell",
    "wrap.micro_batch": "GradAccumulationCell MicroBatchInterleaved PipelineCell VirtualDatasetCellTriple",
}  # fmt: skip
