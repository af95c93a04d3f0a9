"""The forward pass of a small GPT-2: four layers, 128 wide, 64 tokens."""

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, HEADS, LAYERS, WORDS, TOKENS = 128, 4, 4, 1000, 64
RNG = np.random.default_rng(0)


def weights(*shape):
    return (0.02 * RNG.normal(size=shape)).astype(np.float32)


def linear(inputs, outputs):
    return weights(inputs, outputs), np.zeros(outputs, np.float32)


def norm():
    return np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)


def apply(layer, x):
    weight, bias = layer
    return x @ weight + bias


def normalized(layer, x):
    scale, shift = layer
    x = x - x.mean(-1, keepdims=True)
    return x / jnp.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * scale + shift


def attention(inputs, output, x):
    query, key, value = [
        each.reshape(1, -1, HEADS, WIDTH // HEADS).swapaxes(1, 2) for each in jnp.split(apply(inputs, x), 3, -1)
    ]
    scores = query @ key.swapaxes(-1, -2) / (WIDTH // HEADS) ** 0.5
    scores = jax.nn.softmax(jnp.where(jnp.triu(jnp.ones((TOKENS, TOKENS), bool), 1), -1e9, scores))
    return apply(output, (scores @ value).swapaxes(1, 2).reshape(1, -1, WIDTH))


@jax.jit
def forward(parameters, tokens):
    words, positions, blocks, last = parameters
    x = words[tokens] + positions
    for norm1, inputs, output, norm2, up, down in blocks:
        x = x + attention(inputs, output, normalized(norm1, x))
        x = x + apply(down, jax.nn.gelu(apply(up, normalized(norm2, x))))
    return normalized(last, x) @ words.T


def block():
    widths = (WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)
    inputs, output, up, down = [linear(*each) for each in widths]
    return norm(), inputs, output, norm(), up, down


parameters = weights(WORDS, WIDTH), weights(TOKENS, WIDTH), [block() for _ in range(LAYERS)], norm()
tokens = np.arange(TOKENS, dtype=np.int32).reshape(1, -1)
print(np.asarray(forward(jax.device_put(parameters), tokens))[0, -1, :3])
