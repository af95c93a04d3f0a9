"""``mindspore.hal``: which devices there are; with it the streams and the memory of `runtime`."""

import jax

from .device import _PLATFORMS, _devices, get_current_device, is_available  # noqa: F401
from .engine.refusal import refuse, require
from .ops import check
from .runtime import (  # noqa: F401
    Event,
    Stream,
    StreamCtx,
    communication_stream,
    current_stream,
    default_stream,
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    memory_summary,
    reset_max_memory_allocated,
    reset_max_memory_reserved,
    reset_peak_memory_stats,
    set_cur_stream,
    synchronize,
)


def _found(device_target, owner, device_id=0):
    """The target that is meant, and JAX's device of a number."""
    target = get_current_device().device_target if device_target is None else device_target
    require(target, str, owner, "device_target")
    if target not in _PLATFORMS:
        refuse(ValueError, owner, "device_target", f"one of {list(_PLATFORMS)}", target)
    check.non_negative_int(device_id, "device_id", owner)
    devices = _devices(_PLATFORMS[target] or jax.default_backend())
    if device_id >= len(devices):
        refuse(ValueError, owner, "device_id", f"less than {len(devices)}, the number of devices", device_id)
    return target, devices[device_id]


def device_count(device_target=None):
    """How many devices of a kind there are (int); of the one that computes, if none is named.

    Example:
        >>> ms.hal.device_count("CPU") > 0
        True
    Source: mindspore.hal.device_count
    """
    target, device = _found(device_target, "device_count")
    return 1 if target == "CPU" else len(_devices(device.platform))


def is_initialized(device_target):
    """Whether devices of a kind may compute (bool): JAX starts all that there are.

    Source: mindspore.hal.is_initialized
    """
    return is_available(device_target)


def get_device_name(device_id, device_target=None):
    """The name of a device (str): ``"CPU"``, or that of the chip.

    Args:
        device_id (int): its number.
        device_target (str): its kind. Default: ``None``, that which computes.
    Raises:
        TypeError, ValueError: if there is none.
    Example:
        >>> ms.hal.get_device_name(0, "CPU")
        'CPU'
    Source: mindspore.hal.get_device_name
    """
    target, device = _found(device_target, "get_device_name", device_id)
    return "CPU" if target == "CPU" else device.device_kind


def get_device_capability(device_id, device_target=None):
    """``(major, minor)`` of a GPU's compute capability; None for other devices, as in MindSpore.

    Source: mindspore.hal.get_device_capability
    """
    target, device = _found(device_target, "get_device_capability", device_id)
    if target != "GPU":
        return None
    major, _, minor = str(device.compute_capability).partition(".")
    return int(major), int(minor or 0)


def get_device_properties(device_id, device_target=None):
    """JAX's device of a number, with ``device_kind`` and ``memory_stats()``; None for a CPU, as in MindSpore.

    Source: mindspore.hal.get_device_properties
    """
    target, device = _found(device_target, "get_device_properties", device_id)
    return None if target == "CPU" else device


def get_arch_list(device_target=None):
    """None, as in MindSpore but for CUDA: XLA compiles for the device that is there.

    Source: mindspore.hal.get_arch_list
    """
    _found(device_target, "get_arch_list")
