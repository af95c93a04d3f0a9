"""Notes on exceptions: in which Cell one was raised, and which Tensors came in."""

import contextlib
import dis
import itertools
import sys
from typing import Any

from ...engine.errors import describe
from ...engine.pytrees import tensors_in
from ...engine.user_code import is_users

_BEGIN = "In the Cell "
_MOST_TENSORS = 8
_CONTROL = StopIteration, StopAsyncIteration
_RAISE = dis.opmap["RAISE_VARARGS"]
_codes = set()  # of the functions through which every call of a Cell goes


def register(*functions):
    """Names the functions of Cell that call ``construct``; each has ``self``, ``args`` and ``kwargs``."""
    _codes.update(function.__code__ for function in functions)


def add():
    """Adds a note to the exception that leaves the calling function, unless a call of a Cell around it will.

    Those that the user's code raises itself stay as they are: ``pytest.raises(match="^text$")`` would see the note. So
    do those of classes that are not Python's or msgrad's, and what ends an iterator.
    """
    error: Any = sys.exception()  # no local of the caller's, which `_calls` would make a cycle of
    kind = type(error)
    if kind.__module__.partition(".")[0] not in ("builtins", "msgrad") or issubclass(kind, _CONTROL):
        return
    around = sys._getframe(2)
    # Whatever fails here (a method of a Cell that the user has replaced), the exception itself matters more.
    with contextlib.suppress(Exception):
        if any(frame.f_code in _codes for frame in _outwards(around)) or _has_note(error):
            return
        entries = [*_inwards(error.__traceback__)]
        calls = _calls(entries)
        if calls and not _is_raised_by_user(entries[-1]):
            error.add_note(_note(calls, around))


@contextlib.contextmanager
def added():
    """Adds the note to an exception that leaves the block."""
    try:
        yield
    except Exception:
        add()
        raise


def _outwards(frame):
    while frame is not None:
        yield frame
        frame = frame.f_back


def _inwards(traceback):
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _is_raised_by_user(entry):
    """Whether a statement ``raise`` or ``assert`` in the user's code is what the innermost ``entry`` ran."""
    code = entry.tb_frame.f_code
    return is_users(code.co_filename) and code.co_code[entry.tb_lasti] == _RAISE


def _has_note(error):
    return any(str(note).startswith(_BEGIN) for note in getattr(error, "__notes__", ()))


def _calls(entries):
    """The calls of Cells down to where the exception was raised, as ``(cell, args, kwargs)``."""
    calls = []
    for entry in entries:
        frame = entry.tb_frame
        if frame.f_code in _codes:
            names = frame.f_locals
            if calls and calls[-1][0] is names["self"]:
                calls.pop()
            calls.append((names["self"], names["args"], names["kwargs"]))
    return calls


def _note(calls, around):
    cell, args, kwargs = calls[-1]
    path = path_of([cell for cell, *_ in calls], around)
    note = f"{_BEGIN}{path} ({type(cell).__name__})"
    avals = [tensor.aval for tensor in tensors_in((args, kwargs))]
    if avals:
        more = len(avals) - _MOST_TENSORS
        note += f", called with {describe(avals[:_MOST_TENSORS])}" + (f" and {more} more Tensors" if more > 0 else "")
    return note + "."


def path_of(cells, around):
    """The path of the innermost of Cells that call each other; ``around`` is the frame in which the first is called."""
    begin, path = _root(cells, around)
    for outer, inner in itertools.pairwise(cells[begin:]):
        path += _step(outer, inner)
    return path


def _root(cells, around):
    """The index of the cell at which the path begins, and its name: the outermost that the user knows.

    That is a global variable of the user's, else the class of one that the user has written, else of any.
    """
    # Not a local one: up to Python 3.12 a look at the locals of a running frame keeps their values alive until it ends.
    for frame in _outwards(around):
        if is_users(frame.f_code.co_filename):
            names = {id(value): name for name, value in list(frame.f_globals.items()) if not name.startswith("_")}
            for index, cell in enumerate(cells):
                if id(cell) in names:
                    return index, names[id(cell)]
    theirs = [index for index, cell in enumerate(cells) if type(cell).__module__.partition(".")[0] != "msgrad"]
    root = theirs[0] if theirs else 0
    return root, type(cells[root]).__name__


def _step(outer, inner):
    """The path of ``inner`` below ``outer``, which is appended to the latter's; its class if it is no sub-cell."""
    for path, cell in outer.cells_and_names():
        if cell is inner:
            return f".{path}" if path else ""
    return f" > {type(inner).__name__}"
