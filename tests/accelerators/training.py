"""What is compiled: a function and its arguments, and a network's training step as one."""

from typing import NamedTuple

import msgrad as ms
from msgrad import nn
from msgrad.engine.jax_options import Tracing

RATE, MOMENTUM = 0.01, 0.9


class Subject(NamedTuple):
    """A function, and its arguments: pytrees of arrays.

    Attributes:
        is_step (bool): whether the function overwrites its first argument, as a training step does.
        shardings (list): of the leaves of the arguments, for several devices.
        options (function): makes the context in which it is compiled. Default: msgrad's, in which 64 bits stay 64.
    """

    function: object
    arguments: list
    is_step: bool = False
    shardings: list = None
    options: object = Tracing


class _Loss(nn.Cell):
    def __init__(self, network, loss):
        super().__init__(auto_prefix=False)
        self.network, self.loss = network, loss

    def construct(self, *inputs):
        return self.loss(self.network, *inputs)


def _mean(network, *inputs):
    return network(*inputs).astype(ms.float32).mean()


def training_step(network, inputs, precision, loss=_mean):
    """The step by which Momentum trains a network; ``loss`` is a function of it and of the inputs."""
    network.set_train()
    if precision == "bf16":
        network = ms.amp.auto_mixed_precision(network, "O2", dtype=ms.bfloat16)
    optimizer = nn.Momentum(network.trainable_params(), RATE, MOMENTUM)
    # One Cell, so that the optimizer's Parameters are the network's: as two arguments they would be copies.
    trained = nn.TrainOneStepCell(_Loss(network, loss), optimizer).set_train()

    def step(trained, *inputs):
        value = trained(*inputs)
        return value, trained

    return Subject(step, [trained, *inputs], is_step=True)
