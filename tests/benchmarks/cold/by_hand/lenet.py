"""One training step of LeNet-5."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RNG = np.random.default_rng(0)
SHAPES = [(6, 1, 5, 5), (16, 6, 5, 5), (400, 120), (120, 84), (84, 10)]


def normal(shape):
    return (0.1 * RNG.normal(size=shape)).astype(np.float32)


def apply(layers, x):
    for weight, bias in layers[:2]:
        x = lax.conv_general_dilated(x, weight, (1, 1), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW"))
        x = jax.nn.relu(x + bias[:, None, None])
        x = lax.reduce_window(x, -np.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    x = x.reshape(len(x), -1)
    for number, (weight, bias) in enumerate(layers[2:]):
        x = x @ weight + bias
        x = jax.nn.relu(x) if number < 2 else x
    return x


@jax.jit
def gradient(layers, x, labels):
    def loss(layers):
        return -jnp.take_along_axis(jax.nn.log_softmax(apply(layers, x)), labels[:, None], axis=1).mean()

    return jax.value_and_grad(loss)(layers)


def momentum(layers, moments, gradients):
    moments = jax.tree.map(lambda moment, gradient: 0.9 * moment + gradient, moments, gradients)
    return jax.tree.map(lambda value, moment: value - 0.1 * moment, layers, moments), moments


layers = [(normal(shape), np.zeros(shape[0] if len(shape) == 4 else shape[1], np.float32)) for shape in SHAPES]
layers = jax.device_put(layers)
moments = jax.device_put(jax.tree.map(lambda value: np.zeros(value.shape, value.dtype), layers))
images, labels = np.ones((32, 1, 32, 32), np.float32), np.arange(32, dtype=np.int32) % 10
value, gradients = gradient(layers, images, labels)
jax.block_until_ready(jax.jit(momentum, donate_argnums=(0, 1))(layers, moments, gradients))
print(value)
