"""Bounded caches: the oldest objects are dropped when the total size exceeds a limit."""

import collections
import os
import weakref

_PART = 16  # of the machine's memory, that a cache may fill


def share_of_memory(maximum):
    """The bytes that a cache may keep: ``maximum``, or a sixteenth of the machine's memory if that is less."""
    try:
        return min(maximum, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // _PART)
    except (AttributeError, ValueError, OSError):  # another system than Linux or macOS
        return maximum


class Bounded:
    """A cache bounded by size: ``drop()`` of the oldest objects is called when the total exceeds the limit.

    Args:
        maximum (int): the size of all that are kept, in the unit of `add`.
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
