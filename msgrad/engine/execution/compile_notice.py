"""One line on standard error where XLA compiles for so long that a program seems to hang."""

import os
import sys
import time

from ..user_code import place

_LONG = 5.0  # seconds of compiling at one stretch
_PAUSE = 1.0  # seconds between two compilations that end a stretch

_MSG = (
    "msgrad: XLA has been compiling for {:.0f} s, now for {}. What is compiled is kept on disk; `msgrad run --explain` "
    "tells what was compiled and why (MSGRAD_QUIET=1 keeps this line off)."
)


class _Stretch:
    """The compilations that follow one another.

    Attributes:
        seconds (float): how long they have taken.
        end (float): when the last of them ended, by ``time.monotonic``.
        is_told (bool): whether this process has told the user.
    """

    seconds = end = 0.0
    is_told = False


def compiled(seconds):
    """Counts a compilation that has taken ``seconds`` until now."""
    now = time.monotonic()
    if now - seconds - _Stretch.end > _PAUSE:
        _Stretch.seconds = 0.0
    _Stretch.seconds += seconds
    _Stretch.end = now
    if _Stretch.seconds > _LONG and not _Stretch.is_told and os.environ.get("MSGRAD_QUIET", "") in ("", "0"):
        _Stretch.is_told = True
        print(_MSG.format(_Stretch.seconds, place() or "code of its own"), file=sys.stderr)
