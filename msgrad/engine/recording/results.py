"""Handles on results, of the class that the Tensor module gives, so that the engine need not know it."""

import itertools
from typing import Any

from ... import _upcalls


def wrap(state) -> Any:
    """A handle, of the class that operations return, on a concrete array or a Promise."""
    return _upcalls.Result._wrap(state)


def wrapped(states):
    """Handles, as `wrap` makes one, on each of a list of states."""
    cls = _upcalls.Result
    # By `map`, in C: a training step makes one for each Parameter and slot.
    handles = list(map(cls.__new__, itertools.repeat(cls, len(states))))
    for handle, state in zip(handles, states, strict=True):
        handle._state = state
    return handles
