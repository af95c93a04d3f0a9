"""``mindspore.device_context.gpu``, with its ``op_tuning`` and ``op_precision``."""

from .._contracts import check
from ..engine.precision import allow
from ._counting import counting

__all__ = [
    "conv_allow_tf32", "conv_dgrad_algo", "conv_fprop_algo", "conv_wgrad_algo", "device_count", "is_available",
    "matmul_allow_tf32",
]  # fmt: skip

device_count, is_available = counting("GPU")


def matmul_allow_tf32(value):
    """Lets a GPU round the float32 inputs of matrix products to TensorFloat-32, from now on.

    Args:
        value (bool): whether it may. Initially ``False``.
    Raises:
        TypeError: if ``value`` is not a bool.
    Example:
        >>> mindspore.device_context.gpu.op_precision.matmul_allow_tf32(True)
    Source: mindspore.device_context.gpu.op_precision.matmul_allow_tf32
    """
    allow("gpu", "products", check.boolean(value, "value", "matmul_allow_tf32"))


def conv_allow_tf32(value):
    """Lets a GPU round the float32 inputs of convolutions to TensorFloat-32, from now on.

    Args:
        value (bool): whether it may. Initially ``True``.
    Raises:
        TypeError: if ``value`` is not a bool.
    Example:
        >>> mindspore.device_context.gpu.op_precision.conv_allow_tf32(False)
    Source: mindspore.device_context.gpu.op_precision.conv_allow_tf32
    """
    allow("gpu", "convolutions", check.boolean(value, "value", "conv_allow_tf32"))


def conv_fprop_algo(mode):
    """A hint: XLA tries the algorithms itself. Source: mindspore.device_context.gpu.op_tuning.conv_fprop_algo"""


def conv_wgrad_algo(mode):
    """A hint: XLA tries the algorithms itself. Source: mindspore.device_context.gpu.op_tuning.conv_wgrad_algo"""


def conv_dgrad_algo(mode):
    """A hint: XLA tries the algorithms itself. Source: mindspore.device_context.gpu.op_tuning.conv_dgrad_algo"""
