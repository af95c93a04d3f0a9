"""Average pooling layers with the arguments of PyTorch's, those of ``mint.nn``."""

from ...ops.nn.pool_functions import avg_pool1d_ext, avg_pool2d_ext, avg_pool3d_ext
from .._rows import layer

__all__ = ["AvgPool1dExt", "AvgPool2dExt", "AvgPool3dExt"]

AvgPool1dExt = layer(
    avg_pool1d_ext,
    "AvgPool1dExt(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)(input)",
)
AvgPool2dExt = layer(
    avg_pool2d_ext,
    "AvgPool2dExt(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=None)(input)",
)
AvgPool3dExt = layer(
    avg_pool3d_ext,
    "AvgPool3dExt(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=None)(input)",
)
