"""BERT-base with a head that classifies sequences, in MindSpore, in JAX and in PyTorch."""

import numpy as np

FULL = {"batch": 4, "length": 128, "layers": 12, "width": 768, "heads": 12, "words": 30522, "classes": 2}
EPSILON = 1e-12


def data(sizes):
    random, batch = np.random.default_rng(0), sizes["batch"]
    words = random.integers(0, sizes["words"], (batch, sizes["length"]))
    return words.astype(np.int32), random.integers(0, sizes["classes"], batch).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, words and labels."""
    from mindspore import Tensor, nn, ops

    length, width, heads = sizes["length"], sizes["width"], sizes["heads"]

    class Layer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.output = [nn.Dense(width, width) for _ in range(4)]
            self.up, self.down, self.gelu = nn.Dense(width, 4 * width), nn.Dense(4 * width, width), nn.GELU(False)
            self.norm1, self.norm2 = [nn.LayerNorm([width], epsilon=EPSILON) for _ in range(2)]

        def split(self, x):
            return x.reshape(x.shape[0], length, heads, width // heads).transpose(0, 2, 1, 3)

        def construct(self, x):
            query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
            weights = ops.softmax(ops.matmul(query, key.swapaxes(-1, -2)) * (width // heads) ** -0.5, -1)
            x = self.norm1(x + self.output(ops.matmul(weights, value).transpose(0, 2, 1, 3).reshape(x.shape)))
            return self.norm2(x + self.down(self.gelu(self.up(x))))

    class Bert(nn.Cell):
        def __init__(self):
            super().__init__()
            self.words, self.places = nn.Embedding(sizes["words"], width), nn.Embedding(length, width)
            self.norm = nn.LayerNorm([width], epsilon=EPSILON)
            self.layers = nn.CellList([Layer() for _ in range(sizes["layers"])])
            self.pool, self.tanh, self.head = nn.Dense(width, width), nn.Tanh(), nn.Dense(width, sizes["classes"])
            self.positions = Tensor(np.arange(length, dtype=np.int32))

        def construct(self, words):
            x = self.norm(self.words(words) + self.places(self.positions))
            for layer in self.layers:
                x = layer(x)
            return self.head(self.tanh(self.pool(x[:, 0])))

    cross_entropy = nn.CrossEntropyLoss()
    return Bert(), lambda network, words, labels: cross_entropy(network(words), labels)


def jax_loss(sizes, _):
    """Parameters, state, and the loss as a function of both, words and labels; it returns the next state, too."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    random, width, heads = np.random.default_rng(0), sizes["width"], sizes["heads"]
    p = {}

    def add(name, *shape):
        p[name] = jnp.asarray(0.02 * random.standard_normal(shape, np.float32))

    def add_dense(name, inner, outer):
        add(name, outer, inner)
        p[f"{name}.bias"] = jnp.zeros(outer)

    def add_norm(name):
        p[f"{name}.gamma"], p[f"{name}.beta"] = jnp.ones(width), jnp.zeros(width)

    add("words", sizes["words"], width)
    add("places", sizes["length"], width)
    add_norm("norm")
    for i in range(sizes["layers"]):
        for name in ("query", "key", "value", "output"):
            add_dense(f"{i}.{name}", width, width)
        add_dense(f"{i}.up", width, 4 * width)
        add_dense(f"{i}.down", 4 * width, width)
        add_norm(f"{i}.norm1")
        add_norm(f"{i}.norm2")
    add_dense("pool", width, width)
    add_dense("head", width, sizes["classes"])

    def loss(p, state, words, labels):
        def dense(name, x):
            return x @ p[name].T + p[f"{name}.bias"]

        def norm(name, x):
            scaled = (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + EPSILON)
            return scaled * p[f"{name}.gamma"] + p[f"{name}.beta"]

        def split(x):
            return x.reshape(*x.shape[:2], heads, width // heads).transpose(0, 2, 1, 3)

        x = norm("norm", p["words"][words] + p["places"])
        for i in range(sizes["layers"]):
            query, key, value = [split(dense(f"{i}.{name}", x)) for name in ("query", "key", "value")]
            weights = jax.nn.softmax(query @ key.swapaxes(-1, -2) * (width // heads) ** -0.5)
            x = norm(f"{i}.norm1", x + dense(f"{i}.output", (weights @ value).transpose(0, 2, 1, 3).reshape(x.shape)))
            x = norm(f"{i}.norm2", x + dense(f"{i}.down", jax.nn.gelu(dense(f"{i}.up", x), approximate=False)))
        logits = dense("head", jnp.tanh(dense("pool", x[:, 0])))
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean(), state

    return p, {}, loss


def torch_network(sizes, device):
    """The network, words and labels, on ``device``."""
    import torch
    from torch import nn

    width, heads = sizes["width"], sizes["heads"]

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.output = [nn.Linear(width, width) for _ in range(4)]
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.norm1, self.norm2 = [nn.LayerNorm(width, EPSILON) for _ in range(2)]

        def split(self, x):
            return x.unflatten(-1, (heads, width // heads)).transpose(1, 2)

        def forward(self, x):
            parts = [self.split(dense(x)) for dense in (self.query, self.key, self.value)]
            context = nn.functional.scaled_dot_product_attention(*parts)
            x = self.norm1(x + self.output(context.transpose(1, 2).reshape(x.shape)))
            return self.norm2(x + self.down(nn.functional.gelu(self.up(x))))

    class Bert(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.places = nn.Embedding(sizes["words"], width), nn.Embedding(sizes["length"], width)
            self.norm = nn.LayerNorm(width, EPSILON)
            self.layers = nn.Sequential(*[Layer() for _ in range(sizes["layers"])])
            self.pool, self.head = nn.Linear(width, width), nn.Linear(width, sizes["classes"])

        def forward(self, words):
            x = self.layers(self.norm(self.words(words) + self.places.weight))
            return self.head(torch.tanh(self.pool(x[:, 0])))

    words, labels = (torch.tensor(each, device=device).long() for each in data(sizes))
    return Bert().to(device), words, labels
