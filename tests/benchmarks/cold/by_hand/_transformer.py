"""A training step of a transformer encoder, as `nn.TransformerEncoder` computes it, with Adam."""

import jax
import jax.numpy as jnp
import numpy as np

RNG = np.random.default_rng(0)


def _dense(inputs, outputs):
    return {"weight": _normal(inputs, outputs), "bias": np.zeros(outputs, np.float32)}


def _normal(*shape):
    return (RNG.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)


def _norm(width):
    return {"gain": np.ones(width, np.float32), "bias": np.zeros(width, np.float32)}


def parameters(layers, width, hidden, words, classes):
    """The values of all layers, as nested dicts."""

    def layer():
        return {
            "inputs": _dense(width, 3 * width),
            "output": _dense(width, width),
            "up": _dense(width, hidden),
            "down": _dense(hidden, width),
            "norm1": _norm(width),
            "norm2": _norm(width),
        }

    layers = [layer() for _ in range(layers)]
    return {"embedding": _normal(words, width), "layers": layers, "head": _dense(width, classes)}


def apply_dense(p, x):
    return x @ p["weight"] + p["bias"]


def _normalized(p, x):
    mean = x.mean(-1, keepdims=True)
    x = (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)
    return x * p["gain"] + p["bias"]


def _layer(p, x, heads):
    batch, length, width = x.shape
    parts = jnp.split(apply_dense(p["inputs"], x), 3, -1)
    query, key, value = [part.reshape(batch, length, heads, -1).swapaxes(1, 2) for part in parts]
    scores = jax.nn.softmax(query @ key.swapaxes(-1, -2) / (width // heads) ** 0.5)
    attended = (scores @ value).swapaxes(1, 2).reshape(batch, length, width)
    x = _normalized(p["norm1"], x + apply_dense(p["output"], attended))
    return _normalized(p["norm2"], x + apply_dense(p["down"], jax.nn.relu(apply_dense(p["up"], x))))


def encoded(p, tokens, heads):
    """The last hidden states at these tokens."""
    x = p["embedding"][tokens]
    for layer in p["layers"]:
        x = _layer(layer, x, heads)
    return x


def train(loss, p, *batch):
    """One step of Adam; the loss."""

    def gradient(p, *batch):
        return jax.value_and_grad(loss)(p, *batch)

    def adam(p, first, second, gradients):
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
        p = jax.tree.map(lambda p, m, v: p - 1e-3 * (m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-8), p, first, second)
        return p, first, second

    p = jax.device_put(p)
    zeros = jax.tree.map(lambda value: np.zeros(value.shape, value.dtype), p)
    value, gradients = jax.jit(gradient)(p, *batch)
    jax.block_until_ready(jax.jit(adam, donate_argnums=(0, 1, 2))(p, *jax.device_put((zeros, zeros)), gradients))
    return value


def cross_entropy(logits, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1).mean()
