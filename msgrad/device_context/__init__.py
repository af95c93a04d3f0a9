"""``mindspore.device_context``: hints for the kinds of devices; XLA chooses kernels and precisions itself."""

from . import ascend, cpu, gpu

__all__ = ["ascend", "cpu", "gpu"]
