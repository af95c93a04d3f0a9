"""Adaptive pooling to a given output size, and fractional max pooling with random windows."""

from ... import ops
from .._rows import layer

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d",
]  # fmt: skip

AdaptiveAvgPool1d = layer(ops.adaptive_avg_pool1d, "AdaptiveAvgPool1d(output_size)(input)")
AdaptiveAvgPool2d = layer(ops.adaptive_avg_pool2d, "AdaptiveAvgPool2d(output_size)(input)")
AdaptiveAvgPool3d = layer(ops.adaptive_avg_pool3d, "AdaptiveAvgPool3d(output_size)(input)")
AdaptiveMaxPool1d = layer(ops.adaptive_max_pool1d, "AdaptiveMaxPool1d(output_size)(x)")
AdaptiveMaxPool2d = layer(ops.adaptive_max_pool2d, "AdaptiveMaxPool2d(output_size, return_indices=False)(input)")
AdaptiveMaxPool3d = layer(ops.adaptive_max_pool3d, "AdaptiveMaxPool3d(output_size, return_indices=False)(input)")
FractionalMaxPool2d = layer(
    ops.fractional_max_pool2d,
    "FractionalMaxPool2d(kernel_size, output_size=None, output_ratio=None, return_indices=False, "
    "_random_samples=None)(input)",
)
FractionalMaxPool3d = layer(
    ops.fractional_max_pool3d,
    "FractionalMaxPool3d(kernel_size, output_size=None, output_ratio=None, return_indices=False, "
    "_random_samples=None)(input)",
)
