"""An epoch of LeNet-5 by Model.train in sink mode."""

from . import lenet_epoch

TITLE = "Model.train in sink mode, LeNet-5, Momentum, batch 32, an epoch of 64 steps: times of one step"
jax_step = lenet_epoch.jax_step


def mindspore_step():
    return lenet_epoch.mindspore_step(sinks=True)
