"""`Buffers`: memory of large batches, used again."""

import sys
import threading

import numpy as np

_LARGE = 1 << 20  # bytes; the C library keeps less in its own hands
_MOST = 4  # buffers that are kept


class Buffers:
    """Stacks arrays, where they are large in memory that an earlier batch had and nobody refers to any more.

    Fresh memory of this size comes from the system, page by page: two workers that decode photographs lose a fifth of
    their time to that.
    """

    def __init__(self):
        self._kept, self._lock = [], threading.Lock()

    def stack(self, column):
        """``numpy.stack`` of a list of arrays of one shape, and of one dtype but for strings."""
        first = column[0]
        if first.nbytes * len(column) < _LARGE or first.dtype.kind in "US":
            return np.stack(column)
        with self._lock:
            out = self._taken((len(column), *first.shape), first.dtype)
        return np.stack(column, out=out)

    def _taken(self, shape, dtype):
        for index in range(len(self._kept)):
            kept = self._kept[index]
            if kept.shape == shape and kept.dtype == dtype and _references(kept) <= _OURS:
                return kept
        made = np.empty(shape, dtype)
        if len(self._kept) < _MOST:
            self._kept.append(made)
        return made


def _references(array):
    return sys.getrefcount(array)


def _measured():
    """How many references `Buffers` itself counts, which depends on the version of Python."""
    kept = [np.empty(1)]
    array = kept[0]
    return _references(array)


_OURS = _measured()
