"""A loop with a host read at each turn: ``while x.sum() < 1e9 and i < K: x = x * 1.001 + 0.001``."""

import itertools

import numpy as np

SIZE = 64


def lengths(first):
    """Returns the number of turns of each step: always ``first``, or different ones for None."""
    return itertools.repeat(first) if first else (50 + 37 * number % 101 for number in itertools.count())


def start():
    return np.linspace(-1, 1, SIZE, dtype=np.float32)


def run_with(each, step):
    """A step that runs ``step(turns)`` with the numbers of turns ``each``, and counts them."""

    def run():
        turns = next(each)
        run.turns += turns
        return (step(turns),)

    run.turns = 0
    return run


def mindspore_step(turns, order=1):
    import mindspore as ms
    from mindspore import Tensor

    def loop(x, turns):
        i = 0
        while x.sum() < 1e9 and i < turns:
            x = x * 1.001 + 0.001
            i += 1
        return x * x

    gradient, x = loop, Tensor(start())
    for _ in range(order):
        gradient = ms.grad(gradient)
    return run_with(lengths(turns), lambda turns: gradient(x, turns))


def torch_step(turns, order=1):
    import torch

    def gradient(x, turns):
        x.requires_grad_()
        y, i = x, 0
        while y.sum() < 1e9 and i < turns:
            y = y * 1.001 + 0.001
            i += 1
        y = y * y
        for number in range(order):
            (y,) = torch.autograd.grad(y.sum(), x, create_graph=number + 1 < order)
        return y

    x = torch.from_numpy(start())
    return run_with(lengths(turns), lambda turns: gradient(x, turns))
