"""A multi-layer perceptron with ReLU and mean squared error, in MindSpore and in JAX, with equal weights."""

import numpy as np


def arrays(widths, batch):
    """Returns ``[(weight, bias), ...]`` of layers from each width to the next, inputs and labels, all float32."""
    random = np.random.RandomState(0)
    layers = []
    for size_in, size_out in zip(widths, widths[1:], strict=False):
        weight = random.standard_normal((size_out, size_in)) / np.sqrt(size_in)
        layers.append((weight.astype(np.float32), np.zeros(size_out, np.float32)))
    inputs = random.standard_normal((batch, widths[0])).astype(np.float32)
    labels = random.standard_normal((batch, widths[-1])).astype(np.float32)
    return layers, inputs, labels


def mindspore_network(layers):
    from mindspore import Tensor, nn

    cells = []
    for number, (weight, bias) in enumerate(layers):
        dense = nn.Dense(weight.shape[1], weight.shape[0])
        dense.weight.set_data(Tensor(weight))
        dense.bias.set_data(Tensor(bias))
        cells += [dense] if number == len(layers) - 1 else [dense, nn.ReLU()]
    return nn.SequentialCell(*cells)


def jax_loss(layers, inputs, labels):
    import jax
    import jax.numpy as jnp

    for weight, bias in layers[:-1]:
        inputs = jax.nn.relu(inputs @ weight.T + bias)
    weight, bias = layers[-1]
    return jnp.mean(jnp.square(inputs @ weight.T + bias - labels))


def mindspore_gradient_step(widths, batch):
    import mindspore as ms
    from mindspore import Tensor, nn

    layers, inputs, labels = arrays(widths, batch)
    network, loss_function = mindspore_network(layers), nn.MSELoss()

    def forward(inputs, labels):
        return loss_function(network(inputs), labels)

    step = ms.value_and_grad(forward, None, network.trainable_params())
    inputs, labels = Tensor(inputs), Tensor(labels)

    def run():
        loss, gradients = step(inputs, labels)
        return (loss, *gradients)

    return run


def jax_gradient_step(widths, batch, compiled):
    import jax

    step = jax.value_and_grad(jax_loss)
    step = jax.jit(step) if compiled else step
    layers, inputs, labels = jax.device_put(arrays(widths, batch))

    def run():
        loss, gradients = step(layers, inputs, labels)
        return (loss, *jax.tree.leaves(gradients))

    return run
