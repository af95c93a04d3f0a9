"""`BatchMemory`: the memory of batches, into which ``map`` writes its rows, so that they need not be copied."""

import functools
import threading

import numpy as np

from .buffers import Buffers

_MOST_OPEN = 16  # batches of a column that are not complete; the rows of the oldest are copied if there are more


class BatchMemory:
    """The memory of the batches of one node.

    Args:
        size (int): the number of rows of a batch.
    """

    def __init__(self, size):
        self.size, self._buffers, self._columns = size, Buffers(), []

    def column(self):
        """A new `_Column`: the memory for the rows of one node that makes one of the columns."""
        self._columns.append(_Column(self.size, self._buffers))
        return self._columns[-1]

    def restart(self):
        """Begins an epoch: rows are numbered from 0 again."""
        for each in self._columns:
            each.clear()

    def stack(self, values):
        """``numpy.stack`` of the values of a column, in place if they are the rows of one batch."""
        for each in self._columns:
            whole = each.whole(values)
            if whole is not None:
                return whole
        return self._buffers.stack(values)


class _Column:
    def __init__(self, size, buffers):
        self.size, self.buffers = size, buffers
        self._open, self._lock = {}, threading.Lock()  # by number of the batch, its memory and the rows that are given

    def memory(self, number):
        """A function of shape and dtype that returns an array: a row of a batch if the batch is large.

        Args:
            number (int): of the row in its epoch.
        """
        return functools.partial(self._row, number)

    def _row(self, number, shape, dtype):
        batch, index = divmod(number, self.size)
        with self._lock:
            if batch not in self._open:
                buffer = self.buffers.empty((self.size, *shape), dtype)
                if buffer is None:
                    return np.empty(shape, dtype)
                self._open[batch] = buffer, [None] * self.size
                if len(self._open) > _MOST_OPEN:
                    del self._open[next(iter(self._open))]
            buffer, rows = self._open[batch]
            if buffer.shape[1:] != shape or buffer.dtype != dtype or rows[index] is not None:
                return np.empty(shape, dtype)
            rows[index] = row = buffer[index]
        return row

    def whole(self, values):
        """The batch whose rows are these values, or None."""
        with self._lock:
            for batch, (buffer, rows) in self._open.items():
                if rows[0] is values[0]:
                    del self._open[batch]
                    is_whole = all(row is value for row, value in zip(rows, values, strict=False))
                    return buffer[: len(values)] if is_whole else None
        return None

    def clear(self):
        with self._lock:
            self._open.clear()
