"""Handles on results, of the class that the Tensor module sets, so that the engine need not know it."""

import itertools
from typing import Any

from ..handle import Handle


class Results:
    """The class of the handles that operations return; the Tensor module sets it."""

    cls = Handle


def set_result_class(cls):
    """Makes operations return handles of class ``cls``."""
    Results.cls = cls


def result_class():
    """The class of the handles that operations return."""
    return Results.cls


def wrap(state) -> Any:
    """A handle, of the class that operations return, on a concrete array or a Promise."""
    return Results.cls._wrap(state)


def wrapped(states):
    """Handles, as `wrap` makes one, on each of a list of states."""
    cls = Results.cls
    # By `map`, in C: a training step makes one for each Parameter and slot.
    handles = list(map(cls.__new__, itertools.repeat(cls, len(states))))
    for handle, state in zip(handles, states, strict=True):
        handle._state = state
    return handles
