"""``mindspore.device_context.gpu``, with its ``op_tuning`` and ``op_precision``."""

from .._contracts import check
from ._counting import counting

__all__ = [
    "conv_allow_tf32", "conv_dgrad_algo", "conv_fprop_algo", "conv_wgrad_algo", "device_count", "is_available",
    "matmul_allow_tf32",
]  # fmt: skip

device_count, is_available = counting("GPU")


def matmul_allow_tf32(value):
    """A hint: JAX's own is ``jax_default_matmul_precision``. Source: mindspore.device_context.gpu.op_precision"""
    check.boolean(value, "value", "matmul_allow_tf32")


def conv_allow_tf32(value):
    """A hint: JAX's own is ``jax_default_matmul_precision``. Source: mindspore.device_context.gpu.op_precision"""
    check.boolean(value, "value", "conv_allow_tf32")


def conv_fprop_algo(mode):
    """A hint: XLA tries the algorithms itself. Source: mindspore.device_context.gpu.op_tuning.conv_fprop_algo"""


def conv_wgrad_algo(mode):
    """A hint: XLA tries the algorithms itself. Source: mindspore.device_context.gpu.op_tuning.conv_wgrad_algo"""


def conv_dgrad_algo(mode):
    """A hint: XLA tries the algorithms itself. Source: mindspore.device_context.gpu.op_tuning.conv_dgrad_algo"""
