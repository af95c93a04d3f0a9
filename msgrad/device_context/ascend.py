"""``mindspore.device_context.ascend``, with its ``op_precision``, ``op_debug``, ``op_tuning``: hints without effect."""

from ._counting import counting

__all__ = [
    "aclinit_config", "aclnn_cache", "aoe_job_type", "aoe_tune_mode", "conv_allow_hf32", "debug_option", "device_count",
    "execute_timeout", "is_available", "matmul_allow_hf32", "op_compile", "op_precision_mode", "precision_mode",
]  # fmt: skip

device_count, is_available = counting("Ascend")


def precision_mode(mode):
    """No effect: operations keep the dtypes of their operands. Source: mindspore.device_context.ascend.op_precision"""


def op_precision_mode(path):
    """No effect: no file is read. Source: mindspore.device_context.ascend.op_precision"""


def matmul_allow_hf32(value):
    """No effect: float32 products are computed in float32. Source: mindspore.device_context.ascend.op_precision"""


def conv_allow_hf32(value):
    """No effect: float32 convolutions are computed in float32. Source: mindspore.device_context.ascend.op_precision"""


def execute_timeout(op_timeout):
    """No effect: there is no timeout. Source: mindspore.device_context.ascend.op_debug"""


def debug_option(option_value):
    """No effect: there is no such debugging. Source: mindspore.device_context.ascend.op_debug"""


def aclinit_config(config):
    """No effect: there is no such library. Source: mindspore.device_context.ascend.op_debug"""


def op_compile(value):
    """No effect: XLA compiles everything. Source: mindspore.device_context.ascend.op_tuning"""


def aoe_tune_mode(tune_mode):
    """No effect: XLA tunes kernels itself. Source: mindspore.device_context.ascend.op_tuning"""


def aoe_job_type(config):
    """No effect: XLA tunes kernels itself. Source: mindspore.device_context.ascend.op_tuning"""


def aclnn_cache(enable_global_cache=False, cache_queue_length=10000):
    """No effect: JAX caches compiled programs. Source: mindspore.device_context.ascend.op_tuning"""
