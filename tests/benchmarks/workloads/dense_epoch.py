"""An epoch of a small dense network by Model.train."""

from . import _epochs, _training

TITLE = "Model.train, two-layer MLP, Momentum, batch 32, width 64, an epoch of 64 steps: times of one step"
SHAPES = {"0.weight": (64, 64), "0.bias": (64,), "2.weight": (10, 64), "2.bias": (10,)}


def batch():
    images, labels = _training.images(32, 1, 8)
    return images.reshape(32, 64), labels


def mindspore_step(sinks=False):
    from mindspore import nn

    network = nn.SequentialCell(nn.Dense(64, 64), nn.ReLU(), nn.Dense(64, 10))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return _epochs.mindspore_step(network, loss, batch(), sinks)


def jax_step(compiled):
    import jax

    def apply(p, x, labels):
        x = jax.nn.relu(x @ p["0.weight"].T + p["0.bias"])
        return _training.cross_entropy(x @ p["2.weight"].T + p["2.bias"], labels), {}

    return _epochs.jax_step(_training.jax_step(apply, SHAPES, *batch(), compiled=compiled))
