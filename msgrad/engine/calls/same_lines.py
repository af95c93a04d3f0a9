"""The lines of the user's code that a recording runs, for a further recording that must run no others."""

import contextlib
import logging
import os
import random
import sys
import sysconfig

import numpy as np

from ..user_code import is_users

# Python's own code and NumPy's act on nothing of the user's, and take other lines when they find what they have kept.
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_INSTALLED = sysconfig.get_path("purelib") + os.sep
_LOG = logging.Logger._log.__code__  # which a record of a level that is on goes through
_NUMPY = os.path.dirname(np.__file__) + os.sep


class Strayed(BaseException):
    """Raised in place of a line that has not run before; none of ``Exception``, which the user's code may catch."""


class Lines:
    """The lines of the user's code that ran within `noted`.

    Attributes:
        are_known (bool): whether they all are, and nothing was logged, and no random number of Python's or NumPy's was
            drawn.
    """

    def __init__(self):
        self._ran, self._has_logged, self.are_known = set(), False, False

    @contextlib.contextmanager
    def noted(self):
        """Within it each line that runs is noted."""
        if sys.gettrace() is not None:  # of a debugger, or of what measures the coverage of tests
            yield
            return
        before = _random_states()
        with _tracing(self._ran.add, self._note_logging):
            yield
        self.are_known = not self._has_logged and _random_states() == before

    def only(self):
        """A context in which a line that was not noted raises `Strayed`, and does not run."""
        return _tracing(self._allow)

    def _note_logging(self):
        self._has_logged = True

    def _allow(self, line):
        if line not in self._ran:
            raise Strayed


@contextlib.contextmanager
def _tracing(visit, logging_starts=None):
    def inside(frame, event, argument):
        if event == "line":
            visit((frame.f_code, frame.f_lineno))
        return inside

    def entered(frame, event, argument):
        code = frame.f_code
        if code is _LOG and logging_starts is not None:
            logging_starts()
        return inside if _is_users(code.co_filename) else None

    sys.settrace(entered)
    try:
        yield
    finally:
        sys.settrace(None)


def _is_users(file):
    is_standard = file.startswith(_STANDARD) and not file.startswith(_INSTALLED)
    return is_users(file) and not is_standard and not file.startswith(_NUMPY)


def _random_states():
    kind, words, *rest = np.random.get_state()
    return random.getstate(), kind, words.tobytes(), *rest
