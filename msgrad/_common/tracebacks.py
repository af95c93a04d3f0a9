"""Shortened tracebacks: the user's frames, and the innermost of msgrad's.

An exception keeps all its frames, for debuggers and for ``raise``. They are left out while one is shown: by Python's
hooks, its module ``traceback`` (and so by ``logging`` and ``unittest``), by pytest and by IPython, if these are there
before msgrad. So nothing is paid where exceptions are raised, and every function of msgrad's is covered.
``MSGRAD_TRACEBACK=full`` shows all frames.
"""

import contextlib
import functools
import inspect
import itertools
import os
import sys
import threading
import traceback
import types
import warnings

from ..engine import refusal
from ..engine.user_code import FACE, is_around, is_own, stacklevel

_MODES = ("", "short", "full")
_MSG_MODE = "MSGRAD_TRACEBACK must be 'short' or 'full', but is {!r}: tracebacks are short."


@contextlib.contextmanager
def short(error, with_innermost=True):
    """Shortens the tracebacks of an exception, and of those that it is chained to, in a block, as `shortened` does."""
    whole = [(each, each.__traceback__) for each in _chained(error)]
    for each, frames in whole:
        each.__traceback__ = shortened(frames, with_innermost)
    try:
        yield
    finally:
        for each, frames in whole:
            each.__traceback__ = frames


def shortened(frames, with_innermost=True):
    """A traceback without msgrad's frames, except the innermost of them if nothing of the user's lies below.

    With msgrad's frames go those of JAX, context managers and decorators next to them.

    Args:
        frames (traceback | None): of an exception.
        with_innermost (bool): whether to keep that one although there are frames of the user's. Default: ``True``.
    Returns:
        traceback | None; ``frames`` itself if msgrad has none of them, or the user wants to see all.
    """
    if os.environ.get("MSGRAD_TRACEBACK") == "full":
        return frames
    entries = [*_entries(frames)]
    kept, innermost = [], []
    for may_hide, run in itertools.groupby(entries, key=lambda entry: is_around(_file(entry))):
        run = [*run]
        hides = may_hide and any(is_own(_file(entry)) for entry in run)
        kept += [] if hides else run
        innermost = _telling(run)[-1:] if hides else []
    if with_innermost or not kept:
        kept += innermost
    if len(kept) == len(entries):
        return frames
    result = None
    for entry in reversed(kept):
        result = types.TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def install():
    """Lets what shows exceptions show them shortened. Called once, when msgrad is imported."""
    if os.environ.get("MSGRAD_TRACEBACK", "") not in _MODES:
        warnings.warn(_MSG_MODE.format(os.environ["MSGRAD_TRACEBACK"]), stacklevel=stacklevel())
    sys.excepthook = _hook(sys.excepthook)
    threading.excepthook = _thread_hook(threading.excepthook)
    _wrap(traceback.TracebackException, "__init__", _printer)
    if "pytest" in sys.modules:
        _wrap(sys.modules["pytest"].ExceptionInfo, "getrepr", _report)
    if "IPython.core.ultratb" in sys.modules:
        _wrap(sys.modules["IPython.core.ultratb"].FormattedTB, "structured_traceback", _printer)


def _wrap(owner, name, wrapper):
    function = getattr(owner, name)
    setattr(owner, name, functools.wraps(function)(wrapper(function)))


def _hook(hook):
    def show(kind, error, frames):
        with short(error):
            hook(kind, error, shortened(frames))

    return show


def _thread_hook(hook):
    def show(args):
        kind, error, frames, thread = args
        with short(error):
            hook(threading.ExceptHookArgs((kind, error, shortened(frames), thread)))

    return show


def _printer(method):
    signature = inspect.signature(method)
    _, _, error, frames, *_ = signature.parameters  # which may be passed by name

    def show(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        with short(given.arguments[error]):
            given.arguments[frames] = shortened(given.arguments.get(frames))
            return method(*given.args, **given.kwargs)

    return show


def _report(method):
    def show(self, *args, **kwargs):
        # Without the innermost frame: pytest shows the last one's whole function and its arguments, which are JAX's.
        with short(self.value, with_innermost=False):
            return method(type(self).from_exception(self.value), *args, **kwargs)

    return show


def _entries(frames):
    while frames is not None:
        yield frames
        frames = frames.tb_next


def _file(entry):
    return entry.tb_frame.f_code.co_filename


def _telling(run):
    """The entries of msgrad's that have source lines, and do more than raise what their caller says."""
    return [entry for entry in run if is_own(_file(entry)) and _file(entry) not in (FACE, refusal.__file__)]


def _chained(error):
    """An exception, its causes and contexts, and those that a group has: each once."""
    found, waiting = {}, [error]
    while waiting:
        each = waiting.pop()
        if each is not None and id(each) not in found:
            found[id(each)] = each
            waiting += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]
    return found.values()
