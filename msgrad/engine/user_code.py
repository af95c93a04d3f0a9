"""The user's line: the innermost frame of a file that is neither msgrad's nor JAX's."""

import contextlib
import functools
import os
import sys

import jax

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_JAX = os.path.dirname(jax.__file__) + os.sep
FACE = "<face>"  # the file name of functions that are made from text
_OURS = (_PACKAGE, FACE)
# Also the frames that decorators and context managers of ours put between, which lie in Python's own files.
_AROUND = (*_OURS, _JAX, contextlib.__file__, functools.__file__)
_NOT_THE_USER_S = (*_AROUND, "<string>", "<frozen")


def is_users(file):
    """Whether a file name is of the user's code or a library's, not msgrad's or JAX's."""
    return not file.startswith(_NOT_THE_USER_S)


def is_own(file):
    """Whether a file name is of msgrad's code."""
    return file.startswith(_OURS)


def is_around(file):
    """Whether a file name is of msgrad's code, or of what lies between it and the user's: JAX's, and decorators."""
    return file.startswith(_AROUND)


def place():
    """The user's line being run, as ``"net.py:12"``; None if there is none."""
    # Frame by frame: `inspect.stack` reads the source of each, and takes 2.5 ms for what this does in microseconds.
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if is_users(file):
            return f"{_shortened(file)}:{frame.f_lineno}"
        frame = frame.f_back
    return None


def called(owner):
    """The name for ``owner`` in messages: that of the operation that the user called, if ``owner`` is internal.

    Names of our own begin with ``_``.
    """
    frame, name = sys._getframe(1), owner
    while owner.startswith("_") and frame is not None and frame.f_code.co_filename.startswith(_NOT_THE_USER_S):
        code = frame.f_code
        if code.co_filename == FACE and not code.co_name.startswith("_"):
            name = code.co_name
        frame = frame.f_back
    return name


def stacklevel():
    """The ``stacklevel`` with which the caller's ``warnings.warn`` names the user's line."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    return level


def _shortened(file):
    folder = os.getcwd() + os.sep
    return file.removeprefix(folder) if file.startswith(folder) else os.path.basename(file)
