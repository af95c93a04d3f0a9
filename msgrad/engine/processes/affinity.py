"""Scheduling of the threads that exchange small messages: each process has processors of its own for them.

Linux moves a thread that a message wakes to the processor of the sender. So two processes that exchange small messages
came to run on one processor, where they alternated, while another was idle: an AllReduce of 1 KB took 0.37 to 0.48 ms,
and takes 0.24 ms where each process has its own (two processes on two processors).

Bound to an equal share of the processors are gloo's thread, and the thread that launches collectives while they follow
each other closely. XLA's other threads and those of the user keep all processors. With fewer processors than processes
nothing is bound: two on one processor were slower (1 KB between four: 2.4 ms, not 1.3).

gloo's thread has the policy SCHED_BATCH: a message does not let it interrupt another thread. Otherwise it interrupts
the launching thread while that holds the lock of a connection, and spins for it, until the next tick of Linux: one in
ten calls took 4 ms.
"""

import contextlib
import os
import threading
from typing import Any

_CLOSE = 0.002  # seconds between the beginnings of two launches: below, messages take the time, not the computation
_OVER = 0.1  # seconds without a launch after which the series is over


class _Bound:
    """The thread that launches a series of collectives.

    Attributes:
        thread (int): its number for the system; 0 if none is bound.
        before, share (set of int): its processors before, and now.
        last (float): when the last launch began.
        lock (Lock): held while a thread is bound or released.
    """

    before: Any = None
    share: Any = None
    thread: Any = 0

    last = 0.0
    lock = threading.Lock()


def note_launch(now, rank, size):
    """Binds the calling thread if its launches follow each other closely, and releases it if they no longer do.

    Args:
        now (float): seconds, of `time.monotonic`.
        rank, size (int): the process's number on its machine, and how many processes are there.
    """
    is_close, _Bound.last = now - _Bound.last < _CLOSE, now
    if is_close and not _Bound.thread:
        _bind(rank, size)
    elif _Bound.thread and not is_close:
        release()


def release_if_over(now):
    """Releases the bound thread if it has launched nothing for a while; another thread calls this."""
    if _Bound.thread and now - _Bound.last > _OVER:
        release()


def release():
    """Gives the bound thread its processors back."""
    with _Bound.lock, contextlib.suppress(OSError):  # the thread may have ended
        thread, _Bound.thread = _Bound.thread, 0
        if thread and os.sched_getaffinity(thread) == _Bound.share:  # what the user has set since stays
            os.sched_setaffinity(thread, _Bound.before)


def _bind(rank, size):
    with _Bound.lock, contextlib.suppress(OSError):
        before = _processors()
        share = share_of(before, rank, size)
        if share != before:
            os.sched_setaffinity(0, share)
            _Bound.before, _Bound.share, _Bound.thread = before, share, threading.get_native_id()


@contextlib.contextmanager
def bound(rank, size):
    """A context whose new threads have this process's share of the processors, and the policy SCHED_BATCH."""
    before = _processors()
    if not before:
        yield
        return
    policy = os.sched_getscheduler(0)
    _schedule(share_of(before, rank, size), os.SCHED_BATCH if policy == os.SCHED_OTHER else policy)
    try:
        yield
    finally:
        _schedule(before, policy)


def _schedule(processors, policy):
    """Gives the calling thread its processors and policy; where the system forbids one, the thread goes on without."""
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, processors)
        if policy != os.sched_getscheduler(0):
            os.sched_setscheduler(0, policy, os.sched_param(0))


def _processors():
    """The processors of the calling thread; none where the system has no affinity (macOS)."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def share_of(processors, rank, size):
    """The share of the ``processors`` (set of int) for process ``rank`` of ``size``; all if there are fewer than that.

    Example:
        >>> share_of({0, 1, 2, 3}, 1, 2)
        {2, 3}
    """
    ordered, count = sorted(processors), len(processors)
    return {*ordered[rank * count // size : (rank + 1) * count // size]} if count >= size else processors


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=release)  # the child would inherit the share
