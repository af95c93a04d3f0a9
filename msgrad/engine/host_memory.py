"""Memory of the CPU: glibc keeps what is freed for the next result, in place of returning it to the system.

XLA allocates the results and the buffers of a program at each launch, and frees them. If glibc returns that memory, the
system clears each page when it is used again: a step of LeNet-5 then has 4 000 page faults and takes 9.5 ms, and 4.9 ms
without them. By default it depends on what was freed before: a large array makes glibc keep memory from then on.
"""

import ctypes
import os

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # the parameters of mallopt, in malloc.h
_KEPT = 256 << 20  # bytes: more free memory than that at the end of the heap is returned
_LARGE = 32 << 20  # bytes from which an array has a mapping of its own, returned when it is freed; glibc's maximum
_OF_USER = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


def keep_freed_memory():
    """Lets glibc keep freed memory, unless the user has set its parameters; does nothing with another C library."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None and not any(name in os.environ for name in _OF_USER):
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _KEPT)
