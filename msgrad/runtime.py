"""``mindspore.runtime``: waiting, the device's memory, streams, and hints about them."""

import gc
import re
import sys

import jax

from . import log, streams
from .engine.refusal import refuse, require
from .ops import check
from .ops.left_out import leave_out
from .streams import *  # noqa: F403

_CORES = ("it gives cores of Ascend's to streams", "XLA divides the work over all cores.")
_CAPTURE = ("it groups kernels of MindSpore's own", "XLA compiles a whole step to one program: use mindspore.jit.")
_POOLS = ("it puts an allocator in the place of MindSpore's own", "JAX allocates: XLA_PYTHON_CLIENT_ALLOCATOR.")
_LEFT_OUT = [
    ("MemPool(allocator)", _POOLS),
    ("PluggableAllocator(path_to_so_file, alloc_fn_name, free_fn_name)", _POOLS),
    ("use_mem_pool(pool)", _POOLS),
    ("memory_replay(file_path)", ("it reads a record of MindSpore's own", "Use jax.profiler.device_memory_profile().")),
    ("StreamLimitCtx(stream, cube_num=-1, vector_num=-1)", _CORES),
    ("get_device_limit(device)", _CORES),
    ("get_stream_limit(stream)", _CORES),
    ("reset_stream_limit(stream)", _CORES),
    ("set_device_limit(device, cube_num=-1, vector_num=-1)", _CORES),
    ("set_stream_limit(stream, cube_num=-1, vector_num=-1)", _CORES),
    ("set_kernel_launch_capture(enable_capture_graph, op_capture_skip=None)", _CAPTURE),
    ("set_kernel_launch_group(thread_num=2, kernel_group_num=8)", _CAPTURE),
]
leave_out(sys.modules[__name__], "runtime", _LEFT_OUT)

__all__ = [
    "dispatch_threads_num", "empty_cache", "launch_blocking", "max_memory_allocated", "max_memory_reserved",
    "memory_allocated", "memory_reserved", "memory_stats", "memory_summary", "reset_max_memory_allocated",
    "reset_max_memory_reserved", "reset_peak_memory_stats", "set_cpu_affinity", "set_memory", "synchronize",
    *streams.__all__, *[text.partition("(")[0] for text, _ in _LEFT_OUT],
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


_MSG_PEAK = "JAX keeps the peak of a device's memory for the whole process: it is not reset."
_SUMMARY = {
    "Reserved memory": "total_reserved_memory",
    "Allocated memory": "total_allocated_memory",
    "Idle memory": "total_idle_memory",
    "Max reserved memory": "max_reserved_memory",
    "Max allocated memory": "max_allocated_memory",
}


def memory_summary():
    """The figures of `memory_stats` as a table (str).

    Example:
        >>> "Allocated memory" in mindspore.runtime.memory_summary()
        True
    Source: mindspore.runtime.memory_summary
    """
    told = memory_stats()
    rule = f"|{'=' * 45}|"
    rows = [f"| {name:<20} | {f'{told[key]} B':>20} |" for name, key in _SUMMARY.items()]
    return "\n".join([rule, f"|{'Memory summary':^45}|", rule, *rows, rule]) + "\n"


def reset_peak_memory_stats():
    """Says in the log that JAX does not reset its figures.  Source: mindspore.runtime.reset_peak_memory_stats"""
    log.warning(_MSG_PEAK)


def reset_max_memory_allocated():
    """As `reset_peak_memory_stats`.  Source: mindspore.runtime.reset_max_memory_allocated"""
    log.warning(_MSG_PEAK)


def reset_max_memory_reserved():
    """As `reset_peak_memory_stats`.  Source: mindspore.runtime.reset_max_memory_reserved"""
    log.warning(_MSG_PEAK)


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
        require(size, str, "set_memory", name)
        if not re.fullmatch(r"\d+(\.\d*)?GB", size):
            refuse(ValueError, "set_memory", name, 'a size such as "2GB"', size)
    require(optimize_level, str, "set_memory", "optimize_level")
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
