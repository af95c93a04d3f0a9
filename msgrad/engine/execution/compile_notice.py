"""The notice shown while a launch takes long to prepare: what is traced, run by NumPy or compiled, and for how long.

A separate thread writes it, since this blocks the calling one: a line each in a log, in place on a terminal and in
a notebook.
"""

import atexit
import contextlib
import os
import threading
import time
from typing import Any

from ..user_code import place
from .status_line import StatusLine, is_quiet

_FIRST = 4.0  # seconds of compiling at one stretch until the first line
_RENEWED = 10.0  # seconds between two lines in a log
_REWRITTEN = 1.0  # seconds between two states of the line where they replace each other
_PAUSE = 1.0  # seconds between two compilations that end a stretch

COMPILING, TRACING, BY_NUMPY = "compiling", "tracing", "running by NumPy"

_MSG_NOW = "msgrad: {} for {:.0f} s, now {}{}"
_MSG_TOOK = "msgrad: {} took {:.0f} s: {}{}{}"
_TOGETHER = "; {} programs in a row took {:.0f} s"
_HINT = " (MSGRAD_QUIET=1 silences this)"
_HINT_ON_COMPILING = (
    " (kept on disk; `msgrad run --explain` tells what was compiled and why, MSGRAD_QUIET=1 silences this)"
)


class _Compilation:
    """A compilation under way: what is compiled, since when, and whether a line has told of it."""

    __slots__ = ("begun", "is_told", "what")

    def __init__(self, what, begun):
        self.what, self.begun, self.is_told = what, begun, False


class _Stretch:
    """Consecutive compilations of a thread, or what else ``doing`` says.

    Attributes:
        doing (str): `COMPILING`, `TRACING` or `BY_NUMPY`.
        seconds (float): how long its ended compilations took together; ``count`` is their number.
        end (float): when the last of them ended.
        due (float): how many seconds of compiling make the next line due.
        current (_Compilation): the one under way, or None.
    """

    current: Any

    __slots__ = ("count", "current", "doing", "due", "end", "seconds")

    def __init__(self):
        self.end, self.current, self.doing = 0.0, None, COMPILING
        self._restart()

    def _restart(self):
        self.seconds, self.count, self.due = 0.0, 0, _FIRST

    def goes_on(self, begun, doing):
        """Starts anew if what begins at ``begun`` comes after a pause; if it is something else, counts that alone."""
        if begun - self.end > _PAUSE:
            self._restart()
        elif doing != self.doing:
            self.due -= self.seconds
            self.seconds, self.count = 0.0, 0
        self.doing = doing

    def length(self, now):
        return self.seconds + now - self.current.begun

    def add(self, seconds, now):
        """Counts an ended compilation."""
        self.current = None
        self.seconds += seconds
        self.count += 1
        self.end = now


class _Own(threading.local):
    """The stretch of the calling thread."""

    def __init__(self):
        self.stretch = _Stretch()


class Notice:
    """The lines about the compilations of all threads.

    Args:
        clock (function): gives the time in seconds.
        is_watched (bool): whether a thread calls `look` when a line is due.
    """

    def __init__(self, clock=time.monotonic, is_watched=True):
        self._clock, self._is_watched = clock, is_watched
        self._own = _Own()
        self._changed = threading.Condition()  # with a lock that a signal handler may take again
        self._running = []  # the stretches of threads that compile, the longest first
        self._watcher = None
        self._line = StatusLine()
        self._is_closed = False
        self._hints = {COMPILING: _HINT_ON_COMPILING, TRACING: _HINT, BY_NUMPY: _HINT}

    @contextlib.contextmanager
    def compiling(self, name, operations, doing=COMPILING):
        """Watches the compilation of a Cell, function or operation, which `compiled` or the end of the block ends.

        ``doing`` may say that it is traced, or run by NumPy, instead, until the end of the block.
        """
        stretch = self._own.stretch
        if self._is_closed or stretch.current is not None or is_quiet():
            yield
            return
        begun = self._clock()
        with self._changed:
            stretch.goes_on(begun, doing)
            stretch.current = _Compilation(_described(name, operations), begun)
            self._running.append(stretch)
            if self._is_watched and self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="msgrad-compile-notice", daemon=True)
                with contextlib.suppress(RuntimeError):  # at the end of the process there are no new threads
                    self._watcher.start()
            self._changed.notify()
        try:
            yield
        finally:
            self._end(stretch)

    def compiled(self, seconds):
        """Counts a compilation by this thread that has taken ``seconds`` until now."""
        stretch, now = self._own.stretch, self._clock()
        if stretch.current is not None:
            if stretch.doing == COMPILING:
                self._end(stretch)
            return
        stretch.goes_on(now - seconds, COMPILING)
        stretch.add(seconds, now)
        if stretch.seconds >= stretch.due and not self._is_closed and not is_quiet():
            with self._changed:
                self._tell_end(stretch, seconds, _described(None, 0))

    def look(self):
        """Writes the lines that are due; returns the seconds until the next one, None if nothing compiles."""
        now, is_in_place = self._clock(), self._line.is_in_place()
        waits = []
        for stretch in self._running[:1] if is_in_place else self._running:
            length = stretch.length(now)
            if length >= stretch.due:
                stretch.current.is_told = True
                self._line.show(_MSG_NOW.format(stretch.doing, length, stretch.current.what, self._hint(stretch)))
                stretch.due = length + (_REWRITTEN if is_in_place else _RENEWED)
            waits.append(stretch.due - length)
        return min(waits, default=None)

    def close(self):
        """Ends the notice: Python ends the process hard where a daemon thread holds the lock of its standard error."""
        if self._changed.acquire(timeout=1.0):  # fails where standard error is a full pipe
            self._is_closed = True
            self._changed.notify()
            self._changed.release()
            if self._watcher is not None and self._watcher.is_alive():
                self._watcher.join(1.0)

    def leave(self):
        """Ends the notice in a forked child, where the threads and compilations of its parent are not."""
        self._changed = threading.Condition()
        self._running, self._watcher, self._own = [], None, _Own()
        self._is_closed = True

    def _watch(self):
        with self._changed:
            while not self._is_closed:
                self._changed.wait(self.look())

    def _end(self, stretch):
        with self._changed:
            compilation, now = stretch.current, self._clock()
            if compilation is None:
                return
            seconds = now - compilation.begun
            stretch.add(seconds, now)
            if stretch in self._running:  # `leave` has forgotten it
                self._running.remove(stretch)
            if (compilation.is_told or stretch.seconds >= stretch.due) and not self._is_closed:
                self._tell_end(stretch, seconds, compilation.what)

    def _tell_end(self, stretch, seconds, what):
        together = _TOGETHER.format(stretch.count, stretch.seconds) if stretch.count > 1 else ""
        stretch.due = stretch.seconds + _RENEWED
        self._line.end(_MSG_TOOK.format(stretch.doing, seconds, what, together, self._hint(stretch)))

    def _hint(self, stretch):
        """A hint on what may be done about it, once in a process, in a log."""
        if self._line.is_in_place():
            return ""
        hint = self._hints.pop(stretch.doing, "")
        self._hints = {doing: other for doing, other in self._hints.items() if other != hint}
        return hint


def _described(name, operations):
    """A description of what is compiled, with the user's line: ``Net at train.py:12 (34 operations)``."""
    where = place()
    text = f"{name or 'a program'} at {where}" if where else name or "a program"
    return f"{text} ({operations} operations)" if operations > 1 else text


_notice = Notice()
compiling, compiled = _notice.compiling, _notice.compiled
atexit.register(_notice.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_notice.leave)
