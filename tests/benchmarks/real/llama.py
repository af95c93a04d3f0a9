"""A language model like Llama: RMSNorm, rotary positions and gated layers, in MindSpore and in PyTorch."""

import numpy as np

FULL = {"batch": 1, "length": 128, "layers": 16, "width": 1024, "inner": 4096, "heads": 16, "words": 32000}


def data(sizes):
    words = np.random.default_rng(0).integers(0, sizes["words"], (sizes["batch"], sizes["length"] + 1)).astype(np.int32)
    return words[:, :-1].copy(), words[:, 1:].copy()


def angles(sizes):
    """Cosine and sine of the rotary positions, ``(length, width of a head)`` each."""
    half = sizes["width"] // sizes["heads"] // 2
    turns = np.outer(np.arange(sizes["length"]), 10000.0 ** (-np.arange(half) / half))
    return [np.concatenate([wave(turns)] * 2, 1).astype(np.float32) for wave in (np.cos, np.sin)]


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, words and labels."""
    import mindspore as ms
    from mindspore import Parameter, Tensor, nn, ops

    length, width, heads, inner = sizes["length"], sizes["width"], sizes["heads"], sizes["inner"]

    class Norm(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(ops.ones(width))

        def construct(self, x):
            wide = x.astype(ms.float32)
            return (wide * ops.rsqrt((wide * wide).mean(-1, keep_dims=True) + 1e-6)).astype(x.dtype) * self.weight

    def dense(before, after):
        return nn.Dense(before, after, has_bias=False)

    class Layer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.output = [dense(width, width) for _ in range(4)]
            self.gate, self.up, self.down = dense(width, inner), dense(width, inner), dense(inner, width)
            self.norm1, self.norm2, self.silu = Norm(), Norm(), nn.SiLU()
            self.cosine, self.sine = map(Tensor, angles(sizes))
            self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

        def split(self, x):
            return x.reshape(x.shape[0], length, heads, width // heads).transpose(0, 2, 1, 3)

        def turned(self, x):
            first, second = x.chunk(2, -1)
            swapped = ops.cat([-second, first], -1)
            return x * self.cosine.astype(x.dtype) + swapped * self.sine.astype(x.dtype)

        def construct(self, x):
            y = self.norm1(x)
            query, key = self.turned(self.split(self.query(y))), self.turned(self.split(self.key(y)))
            scores = ops.matmul(query, key.swapaxes(-1, -2)).astype(ms.float32) * (width // heads) ** -0.5
            weights = ops.softmax(scores + self.mask, -1).astype(x.dtype)
            context = ops.matmul(weights, self.split(self.value(y)))
            x = x + self.output(context.transpose(0, 2, 1, 3).reshape(x.shape))
            y = self.norm2(x)
            return x + self.down(self.silu(self.gate(y)) * self.up(y))

    class Llama(nn.Cell):
        def __init__(self):
            super().__init__()
            self.words, self.norm = nn.Embedding(sizes["words"], width), Norm()
            self.layers = nn.CellList([Layer() for _ in range(sizes["layers"])])
            self.head = dense(width, sizes["words"])

        def construct(self, words):
            x = self.words(words)
            for layer in self.layers:
                x = layer(x)
            return self.head(self.norm(x))

    def loss(network, words, labels):
        return ops.cross_entropy(network(words).reshape(-1, sizes["words"]), labels.reshape(-1))

    return Llama(), loss


def torch_network(sizes, device):
    """The network, words and labels, on ``device``."""
    import torch
    from torch import nn

    width, heads, inner = sizes["width"], sizes["heads"], sizes["inner"]
    cosine, sine = [torch.tensor(each, device=device) for each in angles(sizes)]

    def dense(before, after):
        return nn.Linear(before, after, bias=False)

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.output = [dense(width, width) for _ in range(4)]
            self.gate, self.up, self.down = dense(width, inner), dense(width, inner), dense(inner, width)
            self.norm1, self.norm2 = nn.RMSNorm(width, 1e-6), nn.RMSNorm(width, 1e-6)

        def split(self, x):
            return x.unflatten(-1, (heads, width // heads)).transpose(1, 2)

        def turned(self, x):
            first, second = x.chunk(2, -1)
            return x * cosine.to(x.dtype) + torch.cat([-second, first], -1) * sine.to(x.dtype)

        def forward(self, x):
            y = self.norm1(x)
            query, key = self.turned(self.split(self.query(y))), self.turned(self.split(self.key(y)))
            value = self.split(self.value(y))
            context = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = x + self.output(context.transpose(1, 2).reshape(x.shape))
            y = self.norm2(x)
            return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))

    layers = [Layer() for _ in range(sizes["layers"])]
    ends = [nn.RMSNorm(width, 1e-6), dense(width, sizes["words"])]
    network = nn.Sequential(nn.Embedding(sizes["words"], width), *layers, *ends)
    words, labels = (torch.tensor(each, device=device).long() for each in data(sizes))
    return network.to(device), words, labels
