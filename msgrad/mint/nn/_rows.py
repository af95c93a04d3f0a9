"""Layers that call a function of `functional` with arguments fixed by the constructor."""

from ... import nn
from . import functional
from ._layer import layer

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss", "BCEWithLogitsLoss", "CosineEmbeddingLoss", "CrossEntropyLoss",
    "Dropout", "Dropout2d", "ELU", "Embedding", "Flatten", "Fold", "GELU", "GLU", "Hardshrink", "Hardsigmoid",
    "Hardswish", "Hardtanh", "Identity", "KLDivLoss", "L1Loss", "LayerNorm", "Linear", "LogSigmoid", "LogSoftmax",
    "MSELoss", "MaxPool2d", "MaxUnpool2d", "Mish", "NLLLoss", "PReLU", "PixelShuffle", "ReLU", "ReLU6", "SELU", "SiLU",
    "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softshrink", "Tanh", "Threshold", "Unfold", "Upsample",
    "UpsamplingBilinear2d", "UpsamplingNearest2d",
]  # fmt: skip

# -- activations ------------------------------------------------------------------------------------------------------

ELU = layer(functional.elu, "ELU(alpha=1.0, inplace=False)(input)")
GELU = layer(functional.gelu, "GELU(approximate='none')(input)")
GLU = layer(functional.glu, "GLU(dim=-1)(input)")
Hardshrink = nn.HShrink
Hardsigmoid = nn.HSigmoid
Hardswish = nn.HSwish
Hardtanh = layer(functional.hardtanh, "Hardtanh(min_val=-1.0, max_val=1.0, inplace=False)(input)")
LogSigmoid = layer(functional.logsigmoid, "LogSigmoid()(input)")
LogSoftmax = nn.LogSoftmaxExt
Mish = layer(functional.mish, "Mish()(input)")
PReLU = nn.PReLUExt
ReLU = nn.ReLU
ReLU6 = layer(functional.relu6, "ReLU6(inplace=False)(input)")
SELU = layer(functional.selu, "SELU()(input)")
SiLU = layer(functional.silu, "SiLU(inplace=False)(x)")
Sigmoid = layer(functional.sigmoid, "Sigmoid()(input)")
Softmax = layer(functional.softmax, "Softmax(dim=None)(input)")
Softshrink = nn.SoftShrink
Tanh = layer(functional.tanh, "Tanh()(input)")
Threshold = layer(functional.threshold, "Threshold(threshold, value, inplace=False)(input)")

# -- losses -----------------------------------------------------------------------------------------------------------

BCELoss = layer(functional.binary_cross_entropy, "BCELoss(weight=None, reduction='mean')(input, target)")
BCEWithLogitsLoss = layer(
    functional.binary_cross_entropy_with_logits,
    "BCEWithLogitsLoss(weight=None, reduction='mean', pos_weight=None)(input, target)",
)
CosineEmbeddingLoss = layer(
    functional.cosine_embedding_loss, "CosineEmbeddingLoss(margin=0.0, reduction='mean')(input1, input2, target)"
)
CrossEntropyLoss = layer(
    functional.cross_entropy,
    "CrossEntropyLoss(weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0)(input, target)",
)
KLDivLoss = layer(functional.kl_div, "KLDivLoss(reduction='mean', log_target=False)(input, target)")
L1Loss = layer(functional.l1_loss, "L1Loss(reduction='mean')(logits, labels)")
MSELoss = layer(functional.mse_loss, "MSELoss(reduction='mean')(input, target)")
NLLLoss = layer(functional.nll_loss, "NLLLoss(weight=None, ignore_index=-100, reduction='mean')(input, target)")
SmoothL1Loss = layer(functional.smooth_l1_loss, "SmoothL1Loss(reduction='mean', beta=1.0)(input, target)")
SoftMarginLoss = nn.SoftMarginLoss

# -- pooling ----------------------------------------------------------------------------------------------------------

AdaptiveAvgPool1d = layer(functional.adaptive_avg_pool1d, "AdaptiveAvgPool1d(output_size)(input)")
AdaptiveAvgPool2d = layer(functional.adaptive_avg_pool2d, "AdaptiveAvgPool2d(output_size)(input)")
AdaptiveAvgPool3d = layer(functional.adaptive_avg_pool3d, "AdaptiveAvgPool3d(output_size)(input)")
AdaptiveMaxPool1d = layer(functional.adaptive_max_pool1d, "AdaptiveMaxPool1d(output_size, return_indices=False)(input)")
AdaptiveMaxPool2d = nn.AdaptiveMaxPool2d
AvgPool1d = nn.AvgPool1dExt
AvgPool2d = nn.AvgPool2dExt
AvgPool3d = nn.AvgPool3dExt
MaxPool2d = nn.MaxPool2dExt
MaxUnpool2d = layer(
    functional.max_unpool2d, "MaxUnpool2d(kernel_size, stride=None, padding=0)(input, indices, output_size=None)"
)

# -- shapes -----------------------------------------------------------------------------------------------------------

Flatten = layer(functional.flatten, "Flatten(start_dim=1, end_dim=-1)(input)")
Fold = layer(functional.fold, "Fold(output_size, kernel_size, dilation=1, padding=0, stride=1)(input)")
Identity = nn.Identity
PixelShuffle = layer(functional.pixel_shuffle, "PixelShuffle(upscale_factor)(input)")
Unfold = layer(functional.unfold, "Unfold(kernel_size, dilation=1, padding=0, stride=1)(input)")
Upsample = layer(
    functional.interpolate,
    "Upsample(size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None)(input)",
)
UpsamplingBilinear2d = layer(
    functional.interpolate,
    "UpsamplingBilinear2d(size=None, scale_factor=None)(input)",
    fixed={"mode": "bilinear", "align_corners": True},
)
UpsamplingNearest2d = layer(
    functional.interpolate, "UpsamplingNearest2d(size=None, scale_factor=None)(input)", fixed={"mode": "nearest"}
)

# -- with Parameters, and dropping ------------------------------------------------------------------------------------

Dropout = nn.DropoutExt
Dropout2d = nn.Dropout2dExt
Embedding = nn.EmbeddingExt
LayerNorm = nn.LayerNormExt
Linear = nn.Linear
