"""Worker threads: a pool processes chunks of rows, and results are returned in order."""

import collections
import concurrent.futures
import contextlib
import itertools
import queue
import threading
import time
from typing import Any

_TRIAL = 4  # rows timed before deciding whether to use threads
_WORTH = 3e-4  # seconds per row below which threads cost more than they save
_CHUNK_SECONDS = 5e-3
_LARGEST_CHUNK = 64


class Threads:
    """Calls a function for each row, in ``workers`` threads if rows take long enough.

    Args:
        function (callable): of an int, the row's number, and the row; returns the new row.
        workers (int): the number of threads; with 0 the reading thread calls the function.
        run (Run): ends them.
        has_lanes (bool): whether each of n threads takes every n-th row, in order. Default: ``False``.
    """

    _pool: Any
    _seconds: Any

    def __init__(self, function, workers, run, has_lanes=False):
        self.function, self.workers, self.run = function, workers, run
        self._lanes = workers if has_lanes else 1  # each chunk of rows is for one lane
        self._pool, self._seconds = None, None  # seconds per row, once measured

    def rows(self, rows, slot=0):
        """Yields the new rows in the order of ``rows`` (iterable), which this thread reads a few rows ahead.

        ``slot`` (int) is the thread that takes the first row.
        """
        numbered = enumerate(rows)
        if self.workers:
            if self._seconds is None:
                yield from self._timed(numbered)
            if self._seconds is not None and self._seconds >= _WORTH:
                yield from self._pooled(numbered, slot)
        for number, row in numbered:
            yield self.function(number, row)

    def _timed(self, numbered):
        minimum = None
        for number, row in itertools.islice(numbered, _TRIAL):
            start = time.perf_counter()
            changed = self.function(number, row)
            seconds = time.perf_counter() - start
            minimum = seconds if minimum is None else min(minimum, seconds)
            yield changed
        self._seconds = minimum

    def _pooled(self, numbered, slot):
        if self._pool is None:
            self._pool = _Pool(self.workers, self._lanes)
            self.run.closing.callback(self._pool.close)
        chunk = max(1, min(_LARGEST_CHUNK, int(_CHUNK_SECONDS / self._seconds)))
        maximum = self.workers // self._lanes  # queued chunks of each lane
        waiting = collections.deque()
        try:
            while True:
                rows = list(itertools.islice(numbered, chunk * self._lanes))
                if rows:
                    waiting.append(self._submitted(rows, slot))
                if waiting and (not rows or len(waiting) > maximum):
                    yield from _in_turn([each.result() for each in waiting.popleft()])
                elif not rows:
                    return
        finally:
            for each in itertools.chain.from_iterable(waiting):
                each.cancel()

    def _submitted(self, rows, slot):
        """Submits the rows ``rows``; returns a future for each lane, starting with the first row's."""
        lanes = [rows[start :: self._lanes] for start in range(min(self._lanes, len(rows)))]
        return [self._pool.submit(self._change, lane, (lane[0][0] + slot) % self._lanes) for lane in lanes]

    def _change(self, rows):
        return [self.function(number, row) for number, row in rows]


def _in_turn(lanes):
    """Interleaves lists, whose lengths differ by at most one (the first are longer)."""
    for items in itertools.zip_longest(*lanes, fillvalue=_NONE):
        yield from (item for item in items if item is not _NONE)


_NONE = object()


class _Pool:
    """A pool of daemon threads, which do not delay the exit of the process, unlike those of concurrent.futures.

    Args:
        count (int): the number of threads.
        lanes (int): the number of task queues: 1, or one for each thread.
    """

    def __init__(self, count, lanes=1):
        self.queues = [queue.SimpleQueue() for _ in range(lanes)]
        self.is_closed = False
        for number in range(count):
            tasks = self.queues[number % lanes]
            threading.Thread(target=_work, args=(tasks,), daemon=True, name="msgrad-dataset-map").start()

    def submit(self, function, argument, lane=0):
        """Queues a call; returns its future, which is cancelled if the pool is closed, now or before a thread comes."""
        future = concurrent.futures.Future()
        self.queues[lane].put((future, function, argument))
        if self.is_closed:
            _end(self.queues[lane])
        return future

    def close(self):
        """Ends the threads and cancels queued tasks, for which a thread that still reads rows may be waiting."""
        self.is_closed = True
        for tasks in self.queues:
            _end(tasks)


def _work(tasks):
    while (task := tasks.get()) is not None:
        future, function, argument = task
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(function(argument))
            except BaseException as error:
                future.set_exception(error)
        del task, future, function, argument  # their arguments may be large
    tasks.put(None)  # for the next thread of this queue


def _end(tasks):
    """Empties a queue except for the mark of its end."""
    with contextlib.suppress(queue.Empty):
        while True:
            task = tasks.get_nowait()
            if task is not None:
                task[0].cancel()
    tasks.put(None)
