"""How many threads NumPy's products have: one, while NumPy runs a plan.

OpenBLAS's other threads wait for the next product by spinning, 26 ms of each processor after every one that they take
part in: of the first step of a small transformer 0.5 s of 1.2 s of processor time, which XLA and Python lack.
What NumPy runs here is short, or it would be compiled. So is the result the same on any number of processors.
"""

import threading
from typing import Any

from numpy._core import _multiarray_umath  # private, read in NumPy 2.4: the library that OpenBLAS is linked to

from ..openblas import thread_functions


class _OneThread:
    """A context in which OpenBLAS has one thread; the last thread of Python's to leave it gives the others back."""

    _functions: Any

    def __init__(self):
        self._functions = thread_functions(_multiarray_umath)
        self._lock = threading.Lock()
        self._inside = self._before = 0

    def __enter__(self):
        if self._functions is None:
            return
        get, put = self._functions
        with self._lock:
            if not self._inside:
                self._before = get()
                put(1)
            self._inside += 1

    def __exit__(self, *_):
        if self._functions is None:
            return
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._functions[1](self._before)


one_thread = _OneThread()
