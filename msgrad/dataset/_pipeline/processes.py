"""Worker processes: forked processes make rows, in order. Functions need not be picklable, but results must be."""

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
import traceback
import warnings

from .failures import broken, user_error

_CHUNK = 8
_MSG_DEAD = "a worker process ended unexpectedly (exit code {}): it was killed, ran out of memory or called os._exit"


class Processes:
    """Calls a function for each row in ``workers`` processes, which are forked at once and end with the run.

    Args:
        function (callable): of an int, the row's number, and the row; returns the new row.
        workers (int): of the processes.
        run (Run): ends them.
        node (str): the name in errors.
    """

    def __init__(self, function, workers, run, node):
        self.node = node
        self._links, self._workers = [], []
        self._receiving = threading.RLock()  # no link is closed meanwhile
        run.closing.callback(self._close)
        context = multiprocessing.get_context("fork")
        for _ in range(workers):
            ours, theirs = context.Pipe()
            arguments = function, theirs, [*self._links, ours]
            worker = context.Process(target=_work, args=arguments, daemon=True, name="msgrad-dataset-worker")
            with warnings.catch_warnings():
                # Python and JAX warn of locks that other threads hold at a fork; workers use none of them.
                warnings.simplefilter("ignore")
                worker.start()
            theirs.close()
            self._links.append(ours)
            self._workers.append(worker)

    def rows(self, rows):
        """Yields the new rows in the order of ``rows`` (iterable): each process has one chunk at a time."""
        numbered = enumerate(rows)
        busy = []  # indices of workers, the one with the oldest rows first
        for index in range(len(self._links)):
            if self._send(index, numbered):
                busy.append(index)
        try:
            while busy:
                index = busy.pop(0)
                changed = self._take(index)
                if self._send(index, numbered):
                    busy.append(index)
                yield from changed
        finally:
            for index in busy:  # from an epoch that was abandoned
                with contextlib.suppress(OSError, EOFError):
                    self._receive(index)

    def _send(self, index, numbered):
        chunk = list(itertools.islice(numbered, _CHUNK))
        if chunk:
            try:
                self._links[index].send(chunk)
            except OSError:
                raise self._worker_error(index) from None
        return bool(chunk)

    def _receive(self, index):
        with self._receiving:
            return self._links[index].recv()

    def _take(self, index):
        try:
            is_done, result = self._receive(index)
        except (EOFError, OSError):
            raise self._worker_error(index) from None
        if is_done:
            return result
        raise user_error(self.node, result[1], result[0])

    def _worker_error(self, index):
        code = None
        with contextlib.suppress(ValueError):  # it is closed: the run is over, and nobody reads this error
            self._workers[index].join(1)
            code = self._workers[index].exitcode
        return broken(self.node, _MSG_DEAD.format(code))

    def _close(self):
        for worker in self._workers:  # first, since that also ends a thread of the parent that waits for a worker
            worker.kill()
            worker.join()
            with contextlib.suppress(ValueError):  # another thread has waited for it, too, and is about to note its end
                worker.close()
        with self._receiving:
            for link in self._links:
                link.close()


def _work(function, link, other_links):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets the signal too, and ends the workers
    for other in other_links:  # so that a worker notices when the parent has ended
        other.close()
    try:
        while True:
            link.send(_results_of(function, link.recv()))
    except (EOFError, OSError):
        os._exit(0)  # without the parent's exit handlers


def _results_of(function, chunk):
    changed = []
    for number, row in chunk:
        try:
            changed.append(function(number, row))
        except Exception:
            return False, (number, traceback.format_exc())
    return True, changed
