"""``mindspore.hal``: the devices of this machine, their memory, and streams, which are hints."""

from typing import NamedTuple

from ... import runtime
from ..._common.device import devices_of, get_current_device, has_target
from ..._common.streams import (
    Event,
    Stream,
    StreamCtx,
    communication_stream,
    current_stream,
    default_stream,
    set_cur_stream,
    synchronize,
)
from ..._contracts import check
from ...engine.refusal import refuse, require
from ...runtime import empty_cache

__all__ = [
    "Event", "Stream", "StreamCtx", "communication_stream", "current_stream", "default_stream", "device_count",
    "empty_cache", "get_arch_list", "get_device_capability", "get_device_name", "get_device_properties",
    "is_available", "is_initialized", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
    "memory_reserved", "memory_stats", "memory_summary", "reset_max_memory_allocated", "reset_max_memory_reserved",
    "reset_peak_memory_stats", "set_cur_stream", "synchronize",
]  # fmt: skip

__name__ = "msgrad.hal"  # the public path, used in imports and pickles


class DeviceProperties(NamedTuple):
    """The properties of a GPU: the parts of its capability, the number of multiprocessors, bytes of memory."""

    name: str
    major: int
    minor: int
    multi_processor_count: int
    total_memory: int


def is_available(device_target):
    """Whether this machine has a device of a kind: ``"CPU"``, ``"GPU"`` or ``"Ascend"``, an accelerator of JAX's.

    Raises:
        ValueError: for anything else.
    Source: mindspore.hal.is_available
    """
    return has_target(check.one_of(device_target, ("CPU", "GPU", "Ascend"), "device_target", "is_available"))


def is_initialized(device_target):
    """Whether a kind of device is initialized (bool); JAX initializes all at once.

    Raises:
        ValueError: if there is none.
    Source: mindspore.hal.is_initialized
    """
    return bool(devices_of(_checked_target(device_target, "is_initialized")))


def device_count(device_target=None):
    """The number of devices of a kind in this process.

    Args:
        device_target (str): ``"CPU"``, ``"GPU"`` or ``"Ascend"``. Default: ``None``, the one that computes.
    Returns:
        int.
    Raises:
        ValueError: if there is none.
    Example:
        >>> mindspore.hal.device_count("CPU") >= 1
        True
    Source: mindspore.hal.device_count
    """
    return len(devices_of(_checked_target(device_target, "device_count")))


def get_device_name(device_id, device_target=None):
    """The name of a device: ``'CPU'``, or its maker's.

    Args:
        device_id (int): its number.
        device_target (str): as for `device_count`. Default: ``None``.
    Returns:
        str.
    Raises:
        TypeError, ValueError: if there is none.
    Example:
        >>> mindspore.hal.get_device_name(0, "CPU")
        'CPU'
    Source: mindspore.hal.get_device_name
    """
    device = _device(device_id, device_target, "get_device_name")
    return "CPU" if device.platform == "cpu" else device.device_kind


def get_device_properties(device_id, device_target=None):
    """The properties of a GPU.

    Args:
        device_id, device_target: as for `get_device_name`.
    Returns:
        DeviceProperties, with ``name``, ``major``, ``minor``, ``multi_processor_count`` and ``total_memory``; None for
        other devices, as MindSpore has it for a CPU.
    Raises:
        TypeError, ValueError: if there is none.
    Source: mindspore.hal.get_device_properties
    """
    device = _device(device_id, device_target, "get_device_properties")
    if device.platform != "gpu":
        return None
    memory = (device.memory_stats() or {}).get("bytes_limit", 0)
    major, minor = _capability(device)
    return DeviceProperties(device.device_kind, major, minor, device.core_count, memory)


def get_device_capability(device_id, device_target=None):
    """The compute capability of a GPU, ``(major, minor)``; None for other devices, as in MindSpore.

    Source: mindspore.hal.get_device_capability
    """
    device = _device(device_id, device_target, "get_device_capability")
    return _capability(device) if device.platform == "gpu" else None


def get_arch_list(device_target=None):
    """The architectures for which programs are compiled: those of this process's GPUs; None for other devices.

    Source: mindspore.hal.get_arch_list
    """
    devices = devices_of(_checked_target(device_target, "get_arch_list"))
    if devices[0].platform != "gpu":
        return None
    return sorted({"sm_{}{}".format(*_capability(device)) for device in devices})


def memory_stats(device_target=None):
    """As `mindspore.runtime.memory_stats` (dict); empty on a CPU, which has no statistics.

    Source: mindspore.hal.memory_stats
    """
    stats = _of_memory(runtime.memory_stats, device_target, "memory_stats")
    return stats if any(stats.values()) else {}


def memory_allocated(device_target=None):
    """As `mindspore.runtime.memory_allocated` (int).  Source: mindspore.hal.memory_allocated"""
    return _of_memory(runtime.memory_allocated, device_target, "memory_allocated")


def memory_reserved(device_target=None):
    """As `mindspore.runtime.memory_reserved` (int).  Source: mindspore.hal.memory_reserved"""
    return _of_memory(runtime.memory_reserved, device_target, "memory_reserved")


def max_memory_allocated(device_target=None):
    """As `mindspore.runtime.max_memory_allocated` (int).  Source: mindspore.hal.max_memory_allocated"""
    return _of_memory(runtime.max_memory_allocated, device_target, "max_memory_allocated")


def max_memory_reserved(device_target=None):
    """As `mindspore.runtime.max_memory_reserved` (int).  Source: mindspore.hal.max_memory_reserved"""
    return _of_memory(runtime.max_memory_reserved, device_target, "max_memory_reserved")


def memory_summary(device_target=None):
    """As `mindspore.runtime.memory_summary` (str).  Source: mindspore.hal.memory_summary"""
    return _of_memory(runtime.memory_summary, device_target, "memory_summary")


def reset_peak_memory_stats(device_target=None):
    """As `mindspore.runtime.reset_peak_memory_stats`.  Source: mindspore.hal.reset_peak_memory_stats"""
    _of_memory(runtime.reset_peak_memory_stats, device_target, "reset_peak_memory_stats")


def reset_max_memory_allocated(device_target=None):
    """As `mindspore.runtime.reset_peak_memory_stats`.  Source: mindspore.hal.reset_max_memory_allocated"""
    _of_memory(runtime.reset_peak_memory_stats, device_target, "reset_max_memory_allocated")


def reset_max_memory_reserved(device_target=None):
    """As `mindspore.runtime.reset_peak_memory_stats`.  Source: mindspore.hal.reset_max_memory_reserved"""
    _of_memory(runtime.reset_peak_memory_stats, device_target, "reset_max_memory_reserved")


def _checked_target(device_target, owner):
    """Checks that this machine has a kind of device."""
    target = get_current_device().device_target if device_target is None else device_target
    if not has_target(require(target, str, owner, "device_target")):
        refuse(ValueError, owner, "device_target", "a device type of this machine", target)
    return target


def _device(device_id, device_target, owner):
    devices = devices_of(_checked_target(device_target, owner))
    if check.non_negative_int(device_id, "device_id", owner) >= len(devices):
        refuse(ValueError, owner, "device_id", f"less than {len(devices)}", device_id)
    return devices[device_id]


def _capability(device):
    return tuple(map(int, device.compute_capability.split(".")))


def _of_memory(ask, device_target, owner):
    _checked_target(device_target, owner)
    return ask()
