"""GPT-2 of 124 million weights: its training step in MindSpore, in JAX and in PyTorch."""

import numpy as np

from .precision import dtype_of_jax

FULL = {"batch": 8, "length": 1024, "layers": 12, "width": 768, "heads": 12, "words": 50304}
SMALL = {"batch": 2, "length": 16, "layers": 2, "width": 32, "heads": 4, "words": 128}


def data(sizes):
    words = np.random.default_rng(0).integers(0, sizes["words"], (sizes["batch"], sizes["length"] + 1)).astype(np.int32)
    return words[:, :-1].copy(), words[:, 1:].copy()


def mindspore_loss(sizes):
    """The network, with dropout if its probability is given, and the loss as a function of it, words and labels."""
    import mindspore as ms
    from mindspore import Tensor, nn, ops

    length, width, heads = sizes["length"], sizes["width"], sizes["heads"]
    # After the embeddings, on the weights of attention, and after both parts of a block.
    dropout = nn.Dropout(p=sizes["dropout"]) if "dropout" in sizes else lambda x: x

    class Attention(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dropout = dropout
            self.inputs, self.output = nn.Dense(width, 3 * width), nn.Dense(width, width)
            self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

        def construct(self, x):
            batch, length, _ = x.shape
            heads_of_all = self.inputs(x).reshape(batch, length, 3, heads, width // heads)
            query, key, value = heads_of_all.transpose(2, 0, 3, 1, 4)
            scores = ops.matmul(query, key.swapaxes(-1, -2)) * (width // heads) ** -0.5
            weights = self.dropout(ops.softmax(scores.astype(ms.float32) + self.mask, -1).astype(value.dtype))
            return self.output(ops.matmul(weights, value).transpose(0, 2, 1, 3).reshape(batch, length, width))

    class Block(nn.Cell):
        def __init__(self):
            super().__init__()
            self.norm1, self.attention, self.norm2 = nn.LayerNorm([width]), Attention(), nn.LayerNorm([width])
            self.up, self.down, self.gelu = nn.Dense(width, 4 * width), nn.Dense(4 * width, width), nn.GELU()
            self.dropout = dropout

        def construct(self, x):
            x = x + self.dropout(self.attention(self.norm1(x)))
            return x + self.dropout(self.down(self.gelu(self.up(self.norm2(x)))))

    class GPT2(nn.Cell):
        def __init__(self):
            super().__init__()
            self.words, self.places = nn.Embedding(sizes["words"], width), nn.Embedding(length, width)
            self.blocks = nn.CellList([Block() for _ in range(sizes["layers"])])
            self.norm, self.head = nn.LayerNorm([width]), nn.Dense(width, sizes["words"], has_bias=False)
            self.positions, self.dropout = Tensor(np.arange(length, dtype=np.int32)), dropout

        def construct(self, words):
            x = self.dropout(self.words(words) + self.places(self.positions))
            for block in self.blocks:
                x = block(x)
            return self.head(self.norm(x))

    def loss(network, words, labels):
        logits = network(words).reshape(-1, sizes["words"])
        return ops.cross_entropy(logits.astype(ms.float32), labels.reshape(-1))

    return GPT2(), loss


def jax_loss(sizes, precision):
    """Parameters, state, and the loss as a function of both, words and labels; it returns the next state, too."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    random, dtype = np.random.default_rng(0), dtype_of_jax(precision)
    length, width, heads, layers = sizes["length"], sizes["width"], sizes["heads"], sizes["layers"]

    def normal(scale, *shape):
        return jnp.asarray(scale * random.standard_normal(shape, np.float32))

    p = {name: normal(0.02, sizes["words"], width) for name in ("words", "head")} | {
        "places": normal(0.02, length, width)
    }
    dense = {
        "inputs": (3 * width, width),
        "output": (width, width),
        "up": (4 * width, width),
        "down": (width, 4 * width),
    }
    for name in ["norm", *(f"{i}.norm{j}" for i in range(layers) for j in (1, 2))]:
        p[f"{name}.scale"], p[f"{name}.shift"] = jnp.ones(width), jnp.zeros(width)
    for i in range(layers):
        for name, shape in dense.items():
            p[f"{i}.{name}"], p[f"{i}.{name}.bias"] = normal((2 / shape[1]) ** 0.5, *shape), jnp.zeros(shape[0])

    def loss(p, state, words, labels):
        def norm(x, name):
            x = x.astype(jnp.float32)
            mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
            y = (x - mean) * lax.rsqrt(variance + 1e-5) * p[f"{name}.scale"] + p[f"{name}.shift"]
            return y.astype(dtype)

        def dense(x, name):
            return x @ p[name].T.astype(dtype) + p[f"{name}.bias"].astype(dtype)

        x = (p["words"][words] + p["places"]).astype(dtype)
        batch, mask = len(words), jnp.triu(jnp.full((length, length), -1e9), 1)
        for i in range(layers):
            heads_of_all = dense(norm(x, f"{i}.norm1"), f"{i}.inputs").reshape(batch, length, 3, heads, width // heads)
            query, key, value = heads_of_all.transpose(2, 0, 3, 1, 4)
            scores = (query @ key.swapaxes(-1, -2)) * (width // heads) ** -0.5
            mixed = jax.nn.softmax(scores.astype(jnp.float32) + mask).astype(dtype) @ value
            x = x + dense(mixed.transpose(0, 2, 1, 3).reshape(batch, length, width), f"{i}.output")
            x = x + dense(jax.nn.gelu(dense(norm(x, f"{i}.norm2"), f"{i}.up")), f"{i}.down")
        logits = (norm(x, "norm") @ p["head"].T.astype(dtype)).astype(jnp.float32).reshape(-1, sizes["words"])
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), labels.reshape(-1)[:, None], 1)
        return -chosen.mean(), state

    return p, {}, loss


def torch_network(sizes, device):
    """The network, words and labels, on ``device``."""
    import torch
    from torch import nn
    from torch.nn import functional

    width, heads = sizes["width"], sizes["heads"]

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.inputs, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
            gelu = nn.GELU(approximate="tanh")
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), gelu, nn.Linear(4 * width, width))

        def forward(self, x):
            batch, length, _ = x.shape
            heads_of_all = self.inputs(self.norm1(x)).view(batch, length, 3, heads, width // heads)
            query, key, value = heads_of_all.permute(2, 0, 3, 1, 4)
            mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = x + self.output(mixed.transpose(1, 2).reshape(batch, length, width))
            return x + self.mlp(self.norm2(x))

    class GPT2(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.places = nn.Embedding(sizes["words"], width), nn.Embedding(sizes["length"], width)
            self.blocks = nn.Sequential(*[Block() for _ in range(sizes["layers"])])
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, sizes["words"], bias=False)

        def forward(self, words):
            x = self.blocks(self.words(words) + self.places.weight)
            return self.head(self.norm(x)).view(-1, sizes["words"])

    words, labels = (torch.tensor(each, device=device).long() for each in data(sizes))
    return GPT2().to(device), words, labels.view(-1)
