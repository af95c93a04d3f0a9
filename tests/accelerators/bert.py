"""BERT with a mask by padding: its training step in MindSpore and in JAX."""

import numpy as np

FULL = {"batch": 8, "length": 512, "layers": 12, "width": 768, "heads": 12, "words": 30522}


def data(sizes):
    random, shape = np.random.default_rng(0), (sizes["batch"], sizes["length"])
    return random.integers(0, sizes["words"], shape).astype(np.int32), random.integers(0, 2, shape[0]).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, words and labels."""
    import msgrad as ms

    from .networks import Bert

    network = Bert(**{name: size for name, size in sizes.items() if name != "batch"}, dropout=0.0)
    return network, lambda network, words, labels: ms.ops.cross_entropy(network(words).astype(ms.float32), labels)


def jax_loss(sizes, precision):
    """Parameters, state, and the loss as a function of both, words and labels; it returns the next state, too."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    from ..benchmarks.accelerator.precision import dtype_of_jax

    random, dtype = np.random.default_rng(0), dtype_of_jax(precision)
    width, heads, layers = sizes["width"], sizes["heads"], sizes["layers"]

    def normal(*shape):
        return jnp.asarray(0.02 * random.standard_normal(shape, np.float32))

    p = {"words": normal(sizes["words"], width), "places": normal(sizes["length"], width)}
    dense = {"inputs": (3 * width, width), "output": (width, width)}
    dense |= {"up": (4 * width, width), "down": (width, 4 * width)}
    shapes = {f"{i}.{name}": shape for i in range(layers) for name, shape in dense.items()} | {"head": (2, width)}
    for name, shape in shapes.items():
        p[name], p[f"{name}.bias"] = normal(*shape), jnp.zeros(shape[0])
    for name in [f"{i}.norm{j}" for i in range(layers) for j in (1, 2)]:
        p[f"{name}.scale"], p[f"{name}.shift"] = jnp.ones(width), jnp.zeros(width)

    def loss(p, state, words, labels):
        def norm(x, name):
            x = x.astype(jnp.float32)
            mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
            y = (x - mean) * lax.rsqrt(variance + 1e-5) * p[f"{name}.scale"] + p[f"{name}.shift"]
            return y.astype(dtype)

        def dense(x, name):
            return x @ p[name].T.astype(dtype) + p[f"{name}.bias"].astype(dtype)

        x = (p["words"][words] + p["places"]).astype(dtype)
        batch, length, _ = x.shape
        mask = jnp.where(words == 0, -np.inf, 0.0)[:, None, None]
        for i in range(layers):
            heads_of_all = dense(x, f"{i}.inputs").reshape(batch, length, 3, heads, width // heads)
            query, key, value = heads_of_all.transpose(2, 0, 3, 1, 4)
            scores = (query @ key.swapaxes(-1, -2)) * (width // heads) ** -0.5
            mixed = jax.nn.softmax(scores.astype(jnp.float32) + mask).astype(dtype) @ value
            mixed = mixed.transpose(0, 2, 1, 3).reshape(batch, length, width)
            x = norm(x + dense(mixed, f"{i}.output"), f"{i}.norm1")
            x = norm(x + dense(jax.nn.relu(dense(x, f"{i}.up")), f"{i}.down"), f"{i}.norm2")
        logits = dense(x[:, 0], "head").astype(jnp.float32)
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean(), state

    return p, {}, loss
