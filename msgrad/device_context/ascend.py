"""``mindspore.device_context.ascend``, with its ``op_precision``, ``op_debug``, ``op_tuning``: mostly hints."""

from ..engine.precision import allow
from ..engine.refusal import refuse
from ._counting import counting

__all__ = [
    "aclinit_config", "aclnn_cache", "aoe_job_type", "aoe_tune_mode", "conv_allow_hf32", "debug_option", "device_count",
    "execute_timeout", "is_available", "matmul_allow_hf32", "op_compile", "op_precision_mode", "precision_mode",
]  # fmt: skip

device_count, is_available = counting("Ascend")


def _switch(value, owner):
    if value not in (True, False):
        refuse(ValueError, owner, "value", "True or False", value)
    return bool(value)


def precision_mode(mode):
    """No effect: operations keep the dtypes of their operands. Source: mindspore.device_context.ascend.op_precision"""


def op_precision_mode(path):
    """No effect: no file is read. Source: mindspore.device_context.ascend.op_precision"""


def matmul_allow_hf32(value):
    """Lets an accelerator that is no GPU compute matrix products of float32 with fewer bits, from now on.

    Here that is a TPU: three passes of bfloat16 (some 16 bits of a fraction's 23) in place of six.

    Args:
        value (bool): whether it may. Initially ``False``.
    Raises:
        ValueError: if ``value`` is not a bool.
    Example:
        >>> mindspore.device_context.ascend.op_precision.matmul_allow_hf32(True)
    Source: mindspore.device_context.ascend.op_precision.matmul_allow_hf32
    """
    allow("other", "products", _switch(value, "matmul_allow_hf32"))


def conv_allow_hf32(value):
    """Lets an accelerator that is no GPU compute convolutions of float32 with fewer bits, from now on.

    Here that is a TPU: three passes of bfloat16 (some 16 bits of a fraction's 23) in place of six.

    Args:
        value (bool): whether it may. Initially ``True``.
    Raises:
        ValueError: if ``value`` is not a bool.
    Example:
        >>> mindspore.device_context.ascend.op_precision.conv_allow_hf32(False)
    Source: mindspore.device_context.ascend.op_precision.conv_allow_hf32
    """
    allow("other", "convolutions", _switch(value, "conv_allow_hf32"))


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
