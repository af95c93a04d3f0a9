"""``mindspore.device_context.cpu``, with its ``op_tuning``."""

from .._contracts import check
from ._counting import counting

__all__ = ["device_count", "is_available", "threads_num"]

device_count, is_available = counting("CPU")


def threads_num(num):
    """A number of threads: a hint. XLA takes it from the environment when it starts.

    Raises:
        TypeError, ValueError: unless it is a positive int.
    Source: mindspore.device_context.cpu.op_tuning.threads_num
    """
    check.positive_int(num, "num", "threads_num")
