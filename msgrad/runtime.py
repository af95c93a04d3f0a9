"""``mindspore.runtime``: waiting, the device's memory, and hints about both.

Functions about memory that programs allocate themselves are not supported.
"""

import gc
import re
import sys

import jax

from . import log
from ._common.cores import (
    StreamLimitCtx,
    get_device_limit,
    get_stream_limit,
    reset_stream_limit,
    set_device_limit,
    set_stream_limit,
)
from ._common.streams import (
    Event,
    Stream,
    StreamCtx,
    communication_stream,
    current_stream,
    default_stream,
    set_cur_stream,
    synchronize,
)
from ._contracts import check
from .engine.jax_options import Device, config
from .engine.refusal import refuse, require
from .ops.legacy.left_out import leave_out

_POOLS = ("JAX allocates memory itself", "Choose its allocator by XLA_PYTHON_CLIENT_ALLOCATOR in the environment.")
_LEFT_OUT = [
    ("MemPool(allocator)", _POOLS),
    ("PluggableAllocator(path_to_so_file, alloc_fn_name, free_fn_name)", _POOLS),
    ("use_mem_pool(pool)", _POOLS),
    (
        "memory_replay(file_path)",
        ("it reads a log of MindSpore's allocator", "Use jax.profiler.save_device_memory_profile."),
    ),
]
_MSG_PEAK = "JAX records the peak memory since the start of the process: max_memory_allocated() cannot be reset."

__all__ = [
    "Event", "Stream", "StreamCtx", "StreamLimitCtx", "communication_stream", "current_stream", "default_stream",
    "dispatch_threads_num", "empty_cache", "get_device_limit", "get_stream_limit", "launch_blocking",
    "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats",
    "memory_summary", "reset_max_memory_allocated", "reset_max_memory_reserved", "reset_peak_memory_stats",
    "reset_stream_limit", "set_cpu_affinity", "set_cur_stream", "set_device_limit", "set_kernel_launch_capture",
    "set_kernel_launch_group", "set_memory", "set_stream_limit", "synchronize",
    *leave_out(sys.modules[__name__], "runtime", _LEFT_OUT),
]  # fmt: skip


def empty_cache():
    """Runs Python's garbage collector, which frees device memory held by reference cycles.

    Source: mindspore.runtime.empty_cache
    """
    gc.collect()


def memory_stats():
    """Statistics of JAX's allocator for the current device, under MindSpore's names; zeros if JAX has none.

    Returns:
        dict: current bytes (``total_allocated_memory``, ``total_reserved_memory``, ``total_idle_memory``) and peak
        bytes (``max_allocated_memory``, ``max_reserved_memory``). CPUs have no statistics, in MindSpore as in JAX.
    Example:
        >>> mindspore.runtime.memory_stats()["total_allocated_memory"] >= 0
        True
    Source: mindspore.runtime.memory_stats
    """
    device = Device.chosen or config.jax_default_device or jax.local_devices()[0]
    stats = device.memory_stats() or {}
    allocated, reserved = stats.get("bytes_in_use", 0), stats.get("pool_bytes", stats.get("bytes_reserved", 0))
    reserved = max(allocated, reserved)
    peak = stats.get("peak_bytes_in_use", 0)
    return {
        "total_allocated_memory": allocated,
        "total_reserved_memory": reserved,
        "total_idle_memory": reserved - allocated,
        "max_allocated_memory": peak,
        "max_reserved_memory": max(peak, stats.get("peak_pool_bytes", 0)),
    }


def memory_allocated():
    """Bytes of device memory that hold values (int).  Source: mindspore.runtime.memory_allocated"""
    return memory_stats()["total_allocated_memory"]


def memory_reserved():
    """Bytes of device memory that the allocator holds (int).  Source: mindspore.runtime.memory_reserved"""
    return memory_stats()["total_reserved_memory"]


def max_memory_allocated():
    """The peak of `memory_allocated` (int).  Source: mindspore.runtime.max_memory_allocated"""
    return memory_stats()["max_allocated_memory"]


def max_memory_reserved():
    """The peak of `memory_reserved` (int).  Source: mindspore.runtime.max_memory_reserved"""
    return memory_stats()["max_reserved_memory"]


def memory_summary():
    """`memory_stats` as a table (str).  Source: mindspore.runtime.memory_summary"""
    lines = [f"| {name.replace('_', ' '):<22} | {size:>18} B |" for name, size in memory_stats().items()]
    rule = f"|{'-' * (len(lines[0]) - 2)}|"
    return "\n".join([rule, *lines, rule])


def reset_peak_memory_stats():
    """Not supported: peaks are those of the whole process. Warns if JAX has statistics.

    Source: mindspore.runtime.reset_peak_memory_stats
    """
    if memory_stats()["max_reserved_memory"]:
        log.warning(_MSG_PEAK)


def reset_max_memory_allocated():
    """As `reset_peak_memory_stats`.  Source: mindspore.runtime.reset_max_memory_allocated"""
    reset_peak_memory_stats()


def reset_max_memory_reserved():
    """As `reset_peak_memory_stats`.  Source: mindspore.runtime.reset_max_memory_reserved"""
    reset_peak_memory_stats()


def set_kernel_launch_group(thread_num=2, kernel_group_num=8):
    """Takes hints about launching, without effect: XLA launches whole programs.

    Args:
        thread_num, kernel_group_num (int): positive.
    Raises:
        TypeError, ValueError: for other values.
    Source: mindspore.runtime.set_kernel_launch_group
    """
    check.positive_int(thread_num, "thread_num", "set_kernel_launch_group")
    check.positive_int(kernel_group_num, "kernel_group_num", "set_kernel_launch_group")


def set_kernel_launch_capture(enable_capture_graph, op_capture_skip=None):
    """Takes hints about launching, without effect: XLA launches whole programs.

    Args:
        enable_capture_graph (bool): without effect.
        op_capture_skip (list[str]): without effect. Default: ``None``.
    Raises:
        TypeError: for other values.
    Source: mindspore.runtime.set_kernel_launch_capture
    """
    check.boolean(enable_capture_graph, "enable_capture_graph", "set_kernel_launch_capture")
    require(op_capture_skip, (list, type(None)), "set_kernel_launch_capture", "op_capture_skip")


def set_memory(
    init_size="2GB", increase_size="2GB", max_size="1024GB", optimize_level="O0", huge_page_reserve_size="0GB"
):
    """Accepts hints about memory, without effect: JAX reads its settings from the environment when it starts
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
        require(size, str, "set_memory", name)
        if not re.fullmatch(r"\d+(\.\d*)?GB", size):
            refuse(ValueError, "set_memory", name, 'a size such as "2GB"', size)
    require(optimize_level, str, "set_memory", "optimize_level")
    check.one_of(optimize_level, ("O0", "O1"), "optimize_level", "set_memory")


def launch_blocking():
    """Does nothing: an operation's errors are raised by the operation in any case.

    Source: mindspore.runtime.launch_blocking
    """


def dispatch_threads_num(threads_num):
    """Checks a number of threads, which JAX chooses itself.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is not positive.
    Source: mindspore.runtime.dispatch_threads_num
    """
    check.positive_int(threads_num, "threads_num", "dispatch_threads_num")


def set_cpu_affinity(enable_affinity, affinity_cpu_list=None, module_to_cpu_dict=None, bind_file=None):
    """Accepts hints about CPU cores, without effect: use the operating system (``taskset``).

    Source: mindspore.runtime.set_cpu_affinity
    """
