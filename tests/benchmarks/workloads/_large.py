"""A network whose Parameters are most of the memory: four layers of 4096 units, trained with momentum.

A step returns a bias beside the loss, so that the update is awaited, and does not go on in the turn of another version.
"""

import numpy as np

LAYERS, WIDTH, BATCH, RATE, MOMENTUM = 4, 4096, 8, 0.01, 0.9


def weight(number):
    """The weight of one layer; they are made one by one, so that the peak is not that of making them."""
    values = np.random.default_rng(number).standard_normal((WIDTH, WIDTH), np.float32)
    values /= np.sqrt(WIDTH, dtype=np.float32)
    return values


def batch():
    random = np.random.default_rng(LAYERS)
    return tuple(random.standard_normal((BATCH, WIDTH), np.float32) for _ in range(2))


def mindspore_parts():
    """Returns the network, its optimizer, inputs and labels."""
    from mindspore import Tensor, nn

    cells = []
    for number in range(LAYERS):
        cells += [nn.ReLU()] if cells else []
        cells.append(nn.Dense(WIDTH, WIDTH, weight_init=Tensor(weight(number)), bias_init="zeros"))
    network = nn.SequentialCell(*cells)
    optimizer = nn.Momentum(network.trainable_params(), RATE, MOMENTUM)
    return network, optimizer, *map(Tensor, batch())


def jax_step(compiled):
    """A step that overwrites the Parameters and their moments."""
    import jax
    import jax.numpy as jnp

    from . import _mlp

    def train(layers, moments, inputs, labels):
        loss, gradients = jax.value_and_grad(_mlp.jax_loss)(layers, inputs, labels)
        moments = jax.tree.map(lambda moment, gradient: MOMENTUM * moment + gradient, moments, gradients)
        return loss, jax.tree.map(lambda value, moment: value - RATE * moment, layers, moments), moments

    train = jax.jit(train, donate_argnums=(0, 1)) if compiled else train
    layers = [(jax.device_put(weight(number)), jnp.zeros(WIDTH, jnp.float32)) for number in range(LAYERS)]
    moments = jax.tree.map(jnp.zeros_like, layers)
    inputs, labels = jax.device_put(batch())

    def run():
        nonlocal layers, moments
        loss, layers, moments = train(layers, moments, inputs, labels)
        return loss, jax.block_until_ready(layers)[0][1]

    return run
