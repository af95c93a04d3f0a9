"""Bounded caches: the oldest objects are dropped when the total size exceeds a limit."""

import collections
import weakref


class Bounded:
    """A cache bounded by size: ``drop()`` of the oldest objects is called when the total exceeds the limit.

    Args:
        most (int): the size of all that are kept.
    """

    def __init__(self, maximum):
        self.maximum = maximum
        self.size = 0
        self._queue = collections.deque()

    def add(self, each, size=1):
        """Adds ``each``, and drops the oldest objects while the total size exceeds ``maximum``."""
        self._queue.append((weakref.ref(each), size))  # weakly, so that unused entries are freed at once
        self.size += size
        while self.size > self.maximum:
            reference, freed = self._queue.popleft()
            self.size -= freed
            if (oldest := reference()) is not None:
                oldest.drop()
