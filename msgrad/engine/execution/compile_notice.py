"""The notice shown while XLA compiles for long: running seconds on a terminal, one line elsewhere."""

import contextlib
import os
import sys
import threading
import time

from ..user_code import place

_LONG = 5.0  # seconds of compiling at one stretch
_PAUSE = 1.0  # seconds between two compilations that end a stretch
_INTERVAL = 0.5  # seconds between two states of the line on a terminal

_MSG = (
    "msgrad: XLA has been compiling for {:.0f} s, now for {}. What is compiled is kept on disk; `msgrad run --explain` "
    "tells what was compiled and why (MSGRAD_QUIET=1 keeps this line off)."
)
_LINE = "\r\033[Kmsgrad: compiling for {:.0f} s, now for {}"
_ERASED = "\r\033[K"
_NO_PLACE = "code of its own"


class _Stretch:
    """Consecutive compilations, with the time since the first began.

    Attributes:
        seconds (float): how long they have taken.
        end (float): when the last of them ended, by ``time.monotonic``.
        is_told (bool): whether the line has been shown in this process.
    """

    seconds = end = 0.0
    is_told = False


class _Line:
    """The line on a terminal, rewritten by a separate thread since compiling blocks the calling one.

    Attributes:
        compiling (tuple): since when one compiles, and for which line of the user's; None between two compilations.
        is_shown (bool): whether it is on the terminal, to be erased before the program prints.
    """

    lock = threading.Lock()
    wake = threading.Event()
    thread = compiling = None
    is_shown = False


@contextlib.contextmanager
def compiling():
    """Shows on a terminal how long consecutive compilations have taken so far."""
    if _is_quiet() or not sys.stderr.isatty():
        yield
        return
    with _Line.lock:
        _Line.compiling = time.monotonic(), place() or _NO_PLACE
        if _Line.thread is None or not _Line.thread.is_alive():  # a forked process has none
            _Line.thread = threading.Thread(target=_rewrite, name="msgrad-compile-notice", daemon=True)
            _Line.thread.start()
    _Line.wake.set()
    try:
        yield
    finally:
        _erase()


def compiled(seconds):
    """Counts a compilation that has taken ``seconds`` until now."""
    now = time.monotonic()
    if now - seconds - _Stretch.end > _PAUSE:
        _Stretch.seconds = 0.0
    _Stretch.seconds += seconds
    _Stretch.end = now
    if _Line.compiling is not None:
        _erase()
    elif _Stretch.seconds > _LONG and not _Stretch.is_told and not _is_quiet():
        _Stretch.is_told = True
        print(_MSG.format(_Stretch.seconds, place() or _NO_PLACE), file=sys.stderr)


def _is_quiet():
    return os.environ.get("MSGRAD_QUIET", "") not in ("", "0")


def _rewrite():
    while True:
        _Line.wake.wait()
        with _Line.lock:
            if _Line.compiling is not None:
                begun, where = _Line.compiling
                before = _Stretch.seconds if begun - _Stretch.end <= _PAUSE else 0.0
                seconds = before + time.monotonic() - begun
                if seconds > _LONG:
                    _write(_LINE.format(seconds, where))
                    _Line.is_shown = True
        time.sleep(_INTERVAL)


def _erase():
    with _Line.lock:
        _Line.compiling = None
        _Line.wake.clear()
        if _Line.is_shown:
            _write(_ERASED)
            _Line.is_shown = False


def _write(text):
    with contextlib.suppress(OSError, ValueError):  # of a terminal that is gone
        sys.stderr.write(text)
        sys.stderr.flush()
