"""``print`` while staged calls are recorded: detected, and in the form of MindSpore's graphs."""

import builtins
import sys
import threading
from typing import Any

from ... import _upcalls


class Prints:
    """A context manager that replaces ``sys.stdout`` and ``print`` while staged calls are recorded.

    A call that prints is recorded on each call. Python tells of prints in no other way: ``print`` and
    ``sys.stdout.write`` raise no audit event.

    Args:
        note (function): called when something is printed.
        is_in_graph (function): whether the calling code is compiled by MindSpore.
    """

    _stream: Any
    _print: Any

    def __init__(self, note, is_in_graph):
        self._note, self._is_in_graph = note, is_in_graph
        self._stream = self._print = None
        self._users = 0
        self._lock = threading.Lock()

    def __enter__(self):
        with self._lock:
            # Threads may record at the same time: the first puts it in place, the last takes it away.
            if not self._users:
                self._stream, sys.stdout = sys.stdout, self
                self._print, builtins.print = builtins.print, self.print
            self._users += 1

    def __exit__(self, *error):
        with self._lock:
            self._users -= 1
            if self._users:
                return
            # Unless the call itself has replaced them: that stays.
            if sys.stdout is self:
                sys.stdout = self._stream
            if builtins.print == self.print:
                builtins.print = self._print

    def print(self, *values, **options):
        """``print``: in a graph one line for each value, without the options, as MindSpore's ``Print`` writes them."""
        lines = None if options or not self._is_in_graph() else _upcalls.graph_lines(values)
        if lines is None:
            self._print(*values, **options)
        for line in lines or ():
            self._print(line)

    def write(self, text):
        """``sys.stdout.write``."""
        self._note()
        return self._stream.write(text)

    def __getattr__(self, name):
        return getattr(self._stream, name)
