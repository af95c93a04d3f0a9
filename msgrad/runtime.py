"""``mindspore.runtime``: waiting, the device's memory, and hints about both.

XLA orders a program's work itself, so MindSpore's streams and events have no counterpart and are left out.
"""

import gc
import re

import jax

from ._settings import check_type
from .ops import check
from .ops.check import refuse

__all__ = [
    "dispatch_threads_num", "empty_cache", "launch_blocking", "max_memory_allocated", "max_memory_reserved",
    "memory_allocated", "memory_reserved", "memory_stats", "set_cpu_affinity", "set_memory", "synchronize",
]  # fmt: skip


def synchronize():
    """Waits until the device has computed everything that it was given.

    Example:
        >>> mindspore.runtime.synchronize()
    Source: mindspore.runtime.synchronize
    """
    jax.effects_barrier()
    for array in jax.live_arrays():
        array.block_until_ready()


def empty_cache():
    """Lets go of the device memory that only Python's unreachable cycles hold.

    Source: mindspore.runtime.empty_cache
    """
    gc.collect()


def memory_stats():
    """What JAX's allocator tells about the device that computes, under MindSpore's names; zeros where it tells nothing.

    Returns:
        dict: bytes now (``total_allocated_memory``, ``total_reserved_memory``, ``total_idle_memory``) and at most
        (``max_allocated_memory``, ``max_reserved_memory``). A CPU tells nothing, in MindSpore as in JAX.
    Example:
        >>> mindspore.runtime.memory_stats()["total_allocated_memory"] >= 0
        True
    Source: mindspore.runtime.memory_stats
    """
    device = jax.config.jax_default_device or jax.local_devices()[0]
    told = device.memory_stats() or {}
    allocated, reserved = told.get("bytes_in_use", 0), told.get("pool_bytes", told.get("bytes_reserved", 0))
    reserved = max(allocated, reserved)
    peak = told.get("peak_bytes_in_use", 0)
    return {
        "total_allocated_memory": allocated,
        "total_reserved_memory": reserved,
        "total_idle_memory": reserved - allocated,
        "max_allocated_memory": peak,
        "max_reserved_memory": max(peak, told.get("peak_pool_bytes", 0)),
    }


def memory_allocated():
    """Bytes of device memory that hold values (int).  Source: mindspore.runtime.memory_allocated"""
    return memory_stats()["total_allocated_memory"]


def memory_reserved():
    """Bytes of device memory that the allocator holds (int).  Source: mindspore.runtime.memory_reserved"""
    return memory_stats()["total_reserved_memory"]


def max_memory_allocated():
    """The most that `memory_allocated` has been (int).  Source: mindspore.runtime.max_memory_allocated"""
    return memory_stats()["max_allocated_memory"]


def max_memory_reserved():
    """The most that `memory_reserved` has been (int).  Source: mindspore.runtime.max_memory_reserved"""
    return memory_stats()["max_reserved_memory"]


def set_memory(
    init_size="2GB", increase_size="2GB", max_size="1024GB", optimize_level="O0", huge_page_reserve_size="0GB"
):
    """Takes hints about memory, without effect: JAX reads its own from the environment when it starts
    (``XLA_PYTHON_CLIENT_MEM_FRACTION``).

    Args:
        init_size, increase_size, max_size, huge_page_reserve_size (str): such as ``"2GB"``.
        optimize_level (str): ``"O0"`` or ``"O1"``.
    Raises:
        TypeError: if an argument has another type.  ValueError: if it has another form.
    Source: mindspore.runtime.set_memory
    """
    sizes = {
        "init_size": init_size,
        "increase_size": increase_size,
        "max_size": max_size,
        "huge_page_reserve_size": huge_page_reserve_size,
    }
    for name, size in sizes.items():
        check_type(name, size, str)
        if not re.fullmatch(r"\d+(\.\d*)?GB", size):
            refuse(ValueError, "set_memory", name, 'a size such as "2GB"', size)
    check_type("optimize_level", optimize_level, str)
    check.one_of(optimize_level, ("O0", "O1"), "optimize_level", "set_memory")


def launch_blocking():
    """Does nothing: errors of operations come with the operation in any case.

    Source: mindspore.runtime.launch_blocking
    """


def dispatch_threads_num(threads_num):
    """Checks a number of threads, which JAX chooses itself.

    Raises:
        TypeError: if it is no int.  ValueError: if it is not positive.
    Source: mindspore.runtime.dispatch_threads_num
    """
    check.positive_int(threads_num, "threads_num", "dispatch_threads_num")


def set_cpu_affinity(enable_affinity, affinity_cpu_list=None, module_to_cpu_dict=None, bind_file=None):
    """Takes hints about which cores compute, without effect: the operating system decides (``taskset``).

    Source: mindspore.runtime.set_cpu_affinity
    """
