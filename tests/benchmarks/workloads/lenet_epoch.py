"""An epoch of LeNet-5 by Model.train."""

from . import _epochs, _training, lenet

TITLE = "Model.train, LeNet-5, Momentum, batch 32, an epoch of 64 steps: times of one step"


def mindspore_step(sinks=False):
    from mindspore import nn

    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return _epochs.mindspore_step(lenet.network(), loss, _training.images(32, 1, 32), sinks)


def jax_step(compiled):
    return _epochs.jax_step(lenet.jax_step(compiled))
