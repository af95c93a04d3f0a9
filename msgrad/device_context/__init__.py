"""``mindspore.device_context``: hints for each kind of device, without effect: XLA chooses kernels and precisions."""

from . import ascend, cpu, gpu

__all__ = ["ascend", "cpu", "gpu"]
