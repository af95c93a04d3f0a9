"""Worker threads: chunks of rows go to a pool, and the oldest result comes out first."""

import collections
import concurrent.futures
import itertools
import queue
import threading
import time

_TRIAL = 4  # rows that are timed before threads are used
_WORTH = 3e-4  # seconds for a row: below, handing it to a thread costs more than it saves
_CHUNK_SECONDS = 5e-3
_LARGEST_CHUNK = 64


class Threads:
    """Calls a function for each row, in ``workers`` threads where that is worth it.

    Args:
        function (callable): of an int, the row's number, and the row; returns the new row.
        workers (int): of the threads; with 0 the function is called by the thread that reads.
        run (Run): which ends them.
    """

    def __init__(self, function, workers, run):
        self.function, self.workers, self.run = function, workers, run
        self._pool, self._seconds = None, None  # of a row, once it is known

    def rows(self, rows):
        """Yields the new rows in the order of ``rows`` (iterable), which is read in this thread, and not far ahead."""
        numbered = enumerate(rows)
        if self.workers:
            if self._seconds is None:
                yield from self._timed(numbered)
            if self._seconds is not None and self._seconds >= _WORTH:
                yield from self._pooled(numbered)
        for number, row in numbered:
            yield self.function(number, row)

    def _timed(self, numbered):
        least = None
        for number, row in itertools.islice(numbered, _TRIAL):
            start = time.perf_counter()
            changed = self.function(number, row)
            seconds = time.perf_counter() - start
            least = seconds if least is None else min(least, seconds)
            yield changed
        self._seconds = least

    def _pooled(self, numbered):
        if self._pool is None:
            self._pool = _Pool(self.workers)
            self.run.closing.callback(self._pool.close)
        chunk = max(1, min(_LARGEST_CHUNK, int(_CHUNK_SECONDS / self._seconds)))
        waiting = collections.deque()
        try:
            while True:
                taken = list(itertools.islice(numbered, chunk))
                if taken:
                    waiting.append(self._pool.submit(self._change, taken))
                if waiting and (not taken or len(waiting) > self.workers):
                    yield from waiting.popleft().result()
                elif not taken:
                    return
        finally:
            for each in waiting:
                each.cancel()

    def _change(self, taken):
        return [self.function(number, row) for number, row in taken]


class _Pool:
    """Threads that end with the process whatever they are at: those of concurrent.futures are waited for at its end."""

    def __init__(self, count):
        self.count, self.tasks = count, queue.SimpleQueue()
        for _ in range(count):
            threading.Thread(target=_work, args=(self.tasks,), daemon=True, name="msgrad-dataset-map").start()

    def submit(self, function, argument):
        future = concurrent.futures.Future()
        self.tasks.put((future, function, argument))
        return future

    def close(self):
        for _ in range(self.count):
            self.tasks.put(None)


def _work(tasks):
    while (task := tasks.get()) is not None:
        future, function, argument = task
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(function(argument))
            except BaseException as error:
                future.set_exception(error)
        del task, future, function, argument  # what they hold may be large
