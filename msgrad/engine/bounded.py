"""What is kept of objects that can be made anew: the oldest are dropped where all together are too large."""

import collections
import weakref


class Bounded:
    """Objects with a method ``drop``, which is called where they, and those that came later, exceed a size.

    Args:
        most (int): the size of all that are kept.
    """

    def __init__(self, maximum):
        self.maximum = maximum
        self.size = 0
        self._queue = collections.deque()

    def add(self, each, size=1):
        """Keeps ``each``, and drops the oldest as long as the sizes exceed ``maximum``."""
        self._queue.append((weakref.ref(each), size))  # weakly, so that unused entries are freed at once
        self.size += size
        while self.size > self.maximum:
            reference, freed = self._queue.popleft()
            self.size -= freed
            if (oldest := reference()) is not None:
                oldest.drop()
