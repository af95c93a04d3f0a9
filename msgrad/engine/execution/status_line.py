"""A line on standard error about what is under way, in place on a terminal and in a notebook, line by line in a log."""

import contextlib
import html
import importlib
import os
import sys
import time

_FIRST = 4.0  # seconds until the first line of what may soon be over
_RENEWED = 10.0  # seconds between two lines in a log
_REWRITTEN = 0.5  # seconds between two states of a line that is rewritten
_BAR = 12  # columns of a bar
_ERASED = "\r\033[K"


def is_quiet():
    """Whether the user has set ``MSGRAD_QUIET``."""
    return os.environ.get("MSGRAD_QUIET", "") not in ("", "0")


class StatusLine:
    """The line. Nothing that fails when it is written concerns the program.

    A thread of its own may write it, but only one at a time.
    """

    def __init__(self):
        self._is_shown = False  # on a terminal, and not ended
        self._display = None  # IPython's handle of the line in a notebook

    def is_in_place(self):
        """Whether the next state replaces this one."""
        return _in_notebook() or _is_terminal()

    def show(self, text, share=None):
        """Shows a state; ``share`` is the part that is done, from 0 to 1, if it is known."""
        with contextlib.suppress(Exception):  # any: `sys.stderr` may be None, closed, or the user's own
            if _in_notebook():
                self._display_bar(_Bar(text, share, False))
            elif _is_terminal():
                bar = "" if share is None else f"[{'#' * int(share * _BAR):-<{_BAR}}] "
                self._write(bar + text, True)
            else:
                self._write(text, False)

    def end(self, text):
        """Replaces the state by a line that stays; by nothing if the text is empty."""
        with contextlib.suppress(Exception):
            if _in_notebook():
                if text or self._display is not None:
                    self._display_bar(_Bar(text, None, True))
                self._display = None
            elif text or self._is_shown:
                self._write(text, False)

    def _display_bar(self, bar):
        if self._display is None:
            display = importlib.import_module("IPython.display").display
            self._display = display(bar, display_id=True)
        else:
            self._display.update(bar)

    def _write(self, text, is_in_place):
        begin = _ERASED if is_in_place or self._is_shown else ""
        self._is_shown = is_in_place
        line = text[: _columns()] if is_in_place else text and f"{text}\n"
        sys.stderr.write(begin + line)
        sys.stderr.flush()


class Pace:
    """When the next line is due: the first after ``first`` seconds, later ones sooner where they replace each other."""

    def __init__(self, first=_FIRST, clock=time.monotonic):
        self._clock = clock
        self._due = clock() + first

    def is_due(self, is_in_place):
        """Whether a line is due now; the next one then is due later."""
        now = self._clock()
        if now < self._due:
            return False
        self._due = now + (_REWRITTEN if is_in_place else _RENEWED)
        return True


class _Bar:
    """What a notebook displays: the text beside a bar, which has no end if the share is not known."""

    def __init__(self, text, share, is_over):
        self._text, self._share, self._is_over = text, share, is_over

    def __repr__(self):
        return self._text

    def _repr_html_(self):
        value = "" if self._share is None else f' value="{self._share:.3f}"'
        bar = "" if self._is_over else f"<progress{value}></progress> "
        return f"<div>{bar}<code>{html.escape(self._text)}</code></div>" if self._text else ""


def _in_notebook():
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if hasattr(ipython, "get_ipython") else None
    return hasattr(shell, "kernel")


def _is_terminal():
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


def _columns():
    """The length of a line that a terminal does not wrap, for it can erase no other."""
    try:
        return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
    except (OSError, ValueError):
        return 79
