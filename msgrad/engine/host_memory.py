"""Memory of the CPU: glibc keeps what is freed for the next result, in place of returning it to the system.

XLA allocates the results and the buffers of a program at each launch, and frees them. If glibc returns that memory, the
system clears each page when it is used again: a step of LeNet-5 then has 4 000 page faults and takes 9.5 ms, and 4.9 ms
without them. By default it depends on what was freed before: a large array makes glibc keep memory from then on.

glibc always returns what is larger than 32 MB, such as the buffers of a large program. Huge pages make that cheap, one
page fault for 512. Where the system gives them on request, glibc requests them if the environment says so when a
process starts.

What is kept may be much: weights that become bfloat16 leave holes of twice their size, which are of no use to other
threads. So memory is returned before a program is compiled, if much was freed since the last time.
"""

import ctypes
import os
import time

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # the parameters of mallopt, in malloc.h
_MUCH = 256 << 20  # bytes: more free memory than that at the end of the heap is returned
_PAUSE = 100  # times that a look at the heap takes (0.1 to 2 ms), until the next one
_LARGE = 32 << 20  # bytes from which an array has a mapping of its own, returned when it is freed; glibc's maximum
_POLICY = "/sys/kernel/mm/transparent_hugepage/enabled"  # for which memory there are huge pages
_FIRST_WITH_HUGE_PAGES = 2, 35  # version of glibc
_OF_USER = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


def keep_freed_memory():
    """Lets glibc keep freed memory, unless the user has set its parameters; does nothing with another C library."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None and not any(name in os.environ for name in _OF_USER):
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _MUCH)


class _Heap(ctypes.Structure):
    """What ``mallinfo2`` tells; ``free`` counts what was returned to the system, too."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "parts", "fast", "mappings", "mapped", "most", "free_fast", "used", "free", "top")
    ]


class _Last:
    """When to look at the heap again, and the bytes that were free when memory was last returned."""

    next_look: float = 0
    returned = 0


def return_memory():
    """Returns freed memory to the system; with glibc only."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def return_if_much():
    """Returns freed memory if 256 MB of it came since the last time; with glibc 2.33 and newer only."""
    started = time.monotonic()
    if started < _Last.next_look:
        return
    look = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if look is None:
        return
    look.restype = _Heap
    if look().free >= _Last.returned + _MUCH:
        return_memory()
        _Last.returned = look().free
    now = time.monotonic()
    _Last.next_look = now + _PAUSE * (now - started)


def huge_pages():
    """The environment variables with which a process has huge pages; none if it has them, cannot, or its user chose.

    A training step of the YOLO-like detector in `tests.benchmarks.real` has 500 page faults instead of 40 000, and
    takes 0.54 s of processor time instead of 0.65. The variables include what `keep_freed_memory` sets.
    """
    try:
        library, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").split()
        with open(_POLICY) as file:
            is_on_request = "[madvise]" in file.read()
    except (AttributeError, OSError, ValueError):  # another system or C library
        return {}
    is_new = library == "glibc" and tuple(map(int, version.split("."))) >= _FIRST_WITH_HUGE_PAGES
    if not is_new or not is_on_request or any(name in os.environ for name in _OF_USER):
        return {}
    settings = {"hugetlb": 1, "mmap_threshold": _LARGE, "trim_threshold": _MUCH}
    return {"GLIBC_TUNABLES": ":".join([f"glibc.malloc.{name}={value}" for name, value in settings.items()])}
