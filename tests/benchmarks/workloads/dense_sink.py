"""An epoch of a small dense network by Model.train in sink mode."""

from . import dense_epoch

TITLE = "Model.train in sink mode, two-layer MLP, Momentum, batch 32, width 64, an epoch of 64 steps: times of one step"
jax_step = dense_epoch.jax_step


def mindspore_step():
    return dense_epoch.mindspore_step(sinks=True)
