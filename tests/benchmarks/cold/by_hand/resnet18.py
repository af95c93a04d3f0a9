"""The forward pass of ResNet-18 for one image of 224 x 224."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RNG = np.random.default_rng(0)


def conv(inputs, outputs, kernel):
    weight = (0.02 * RNG.normal(size=(outputs, inputs, kernel, kernel))).astype(np.float32)
    return weight, np.stack([np.ones(outputs), np.zeros(outputs), np.zeros(outputs), np.ones(outputs)]).astype(
        np.float32
    )


def apply(layer, x, stride=1):
    weight, (scale, shift, mean, variance) = layer
    pad = weight.shape[-1] // 2
    x = lax.conv_general_dilated(
        x, weight, (stride, stride), [(pad, pad)] * 2, dimension_numbers=("NCHW", "OIHW", "NCHW")
    )
    factor = scale / jnp.sqrt(variance + 1e-5)
    return x * factor[:, None, None] + (shift - mean * factor)[:, None, None]


def block(layers, x, stride):
    y = apply(layers[1], jax.nn.relu(apply(layers[0], x, stride)))
    return jax.nn.relu(y + (x if len(layers) == 2 else apply(layers[2], x, stride)))


@jax.jit
def forward(parameters, x):
    stem, blocks, (weight, bias) = parameters
    x = jax.nn.relu(apply(stem, x, 2))
    x = lax.reduce_window(x, -np.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), [(0, 0), (0, 0), (1, 1), (1, 1)])
    for layers in blocks:
        x = block(layers, x, len(layers) - 1)
    return x.mean((2, 3)) @ weight + bias


blocks = []
for inputs, outputs in [(64, 64), (64, 128), (128, 256), (256, 512)]:
    shortcut = [] if inputs == outputs else [conv(inputs, outputs, 1)]
    blocks += [[conv(inputs, outputs, 3), conv(outputs, outputs, 3), *shortcut]]
    blocks += [[conv(outputs, outputs, 3), conv(outputs, outputs, 3)]]
head = (0.02 * RNG.normal(size=(512, 1000))).astype(np.float32), np.zeros(1000, np.float32)
parameters = jax.device_put((conv(3, 64, 7), blocks, head))
print(np.asarray(forward(parameters, np.ones((1, 3, 224, 224), np.float32)))[0, :3])
