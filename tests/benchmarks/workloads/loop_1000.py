"""The gradient of a loop of 1000 turns with a host read at each."""

from . import _loop

TITLE = "loop on values, gradient, 64 floats, 1000 turns: times of one turn"


def mindspore_step():
    return _loop.mindspore_step(1000)


def torch_step():
    return _loop.torch_step(1000)
