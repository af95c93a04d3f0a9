"""The gradient of a loop on values whose length differs at each call."""

from . import _loop

TITLE = "loop on values, gradient, 64 floats, 50 to 150 turns, different at each call: times of one turn"


def mindspore_step():
    return _loop.mindspore_step(None)


def torch_step():
    return _loop.torch_step(None)
