"""A training step of a five-layer MLP with SGD."""

from . import _mlp

TITLE = "training step, five-layer MLP, SGD, batch 64, width 256"
WIDTHS, BATCH, RATE = (256,) * 6, 64, 0.01


def mindspore_step():
    from mindspore import Tensor, nn

    layers, inputs, labels = _mlp.arrays(WIDTHS, BATCH)
    network = nn.WithLossCell(_mlp.mindspore_network(layers), nn.MSELoss())
    train = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), learning_rate=RATE))
    train.set_train()
    inputs, labels = Tensor(inputs), Tensor(labels)
    return lambda: (train(inputs, labels),)


def jax_step(compiled):
    import jax

    def train(layers, inputs, labels):
        loss, gradients = jax.value_and_grad(_mlp.jax_loss)(layers, inputs, labels)
        return loss, jax.tree.map(lambda value, gradient: value - RATE * gradient, layers, gradients)

    train = jax.jit(train) if compiled else train
    layers, inputs, labels = jax.device_put(_mlp.arrays(WIDTHS, BATCH))

    def run():
        nonlocal layers
        loss, layers = train(layers, inputs, labels)
        return (loss,)

    return run
