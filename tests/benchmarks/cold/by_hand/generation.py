"""Greedy generation by a transformer, a token at a time, with a cache that grows by one at each."""

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, HEADS, WORDS = 32, 4, 100
RNG = np.random.default_rng(0)


def weights(*shape):
    return (0.2 * RNG.normal(size=shape)).astype(np.float32)


def linear(inputs, outputs):
    return weights(inputs, outputs), weights(outputs)


def normalized(x):
    x = x - x.mean(-1, keepdims=True)
    return x / jnp.sqrt((x**2).mean(-1, keepdims=True) + 1e-5)


def by_heads(x):
    return x.reshape(1, -1, HEADS, WIDTH // HEADS).swapaxes(1, 2)


def apply(layer, x):
    weight, bias = layer
    return x @ weight + bias


def block(layers, cache, x):
    inputs, output, up, down = layers
    query, key, value = map(by_heads, jnp.split(apply(inputs, normalized(x)), 3, -1))
    if cache is not None:
        key, value = jnp.concatenate([cache[0], key], 2), jnp.concatenate([cache[1], value], 2)
    scores = query @ key.swapaxes(-1, -2) / (WIDTH // HEADS) ** 0.5
    if query.shape[2] > 1:
        scores = scores - 1e9 * jnp.triu(jnp.ones((query.shape[2], key.shape[2])), 1)
    x = x + apply(output, (jax.nn.softmax(scores) @ value).swapaxes(1, 2).reshape(1, -1, WIDTH))
    return x + apply(down, jax.nn.gelu(apply(up, normalized(x)), approximate=False)), (key, value)


@jax.jit
def step(embedding, blocks, caches, tokens):
    x, grown = embedding[tokens], []
    for layers, cache in zip(blocks, caches, strict=True):
        x, cache = block(layers, cache, x)
        grown.append(cache)
    return (x[:, -1] @ embedding.T).argmax(-1).astype(jnp.int32).reshape(1, 1), grown


def layers():
    return linear(WIDTH, 3 * WIDTH), linear(WIDTH, WIDTH), linear(WIDTH, 4 * WIDTH), linear(4 * WIDTH, WIDTH)


embedding, blocks = jax.device_put((weights(WORDS, WIDTH), [layers(), layers()]))
caches, tokens = [None, None], jax.device_put(np.array([[1, 2, 3]], np.int32))
for _ in range(32):
    tokens, caches = step(embedding, blocks, caches, tokens)
    print(np.asarray(tokens)[0, 0])
