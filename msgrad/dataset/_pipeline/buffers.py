"""`Buffers`: reuses the memory of large batches."""

import math
import sys
import threading

import numpy as np

_LARGE = 1 << 20  # bytes; the C library caches smaller blocks itself
_MOST = 4  # buffers that are kept


class Buffers:
    """Arrays for batches; large ones in the memory of an earlier batch that nothing refers to any more.

    New memory of this size is mapped by the system page by page, which costs two workers that decode photographs a
    fifth of their time.
    """

    def __init__(self):
        self._kept, self._lock = [], threading.Lock()

    def stack(self, column):
        """``numpy.stack`` of a list of arrays of the same shape and, except for strings, one dtype."""
        first = column[0]
        out = None if first.dtype.kind in "US" else self.empty((len(column), *first.shape), first.dtype)
        return np.stack(column, out=out)

    def empty(self, shape, dtype):
        """An array, whose values are arbitrary; None if it would be small."""
        if math.prod(shape) * np.dtype(dtype).itemsize < _LARGE:
            return None
        with self._lock:
            for index in range(len(self._kept)):
                free = self._kept[index]
                if free.shape == shape and free.dtype == dtype and _references(free) <= _OURS:
                    return free
            buffer = np.empty(shape, dtype)
            if len(self._kept) < _MOST:
                self._kept.append(buffer)
        return buffer


def _references(array):
    return sys.getrefcount(array)


def _measured():
    """The number of references that `Buffers` itself holds, which depends on the Python version."""
    references = [np.empty(1)]
    array = references[0]
    return _references(array)


_OURS = _measured()
