"""The gradient of a loop of 100 turns with a host read at each."""

from . import _loop

TITLE = "loop on values, gradient, 64 floats, 100 turns: times of one turn"


def mindspore_step():
    return _loop.mindspore_step(100)


def torch_step():
    return _loop.torch_step(100)
