"""The transformer as a MindSpore program."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


def norm(width):
    return nn.LayerNorm([width], epsilon=1e-5)


class Attention(nn.Cell):
    """Causal attention, with a cache of keys and values: none, one that grows, or one of fixed size."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.inputs, self.output = nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.cache = None

    def construct(self, x, positions, cache):
        batch, length, width = x.shape
        parts = self.inputs(x).reshape(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.transpose(2, 0, 3, 1, 4)
        if cache == "growing":
            if self.cache is not None:
                key, value = ops.cat((self.cache[0], key), 2), ops.cat((self.cache[1], value), 2)
            self.cache = key, value
        elif cache == "static":
            keys, values = self.cache
            keys[:, :, positions], values[:, :, positions] = key, value
            key, value = keys, values
        scores = ops.matmul(query, key.swapaxes(-1, -2)) * (width // self.heads) ** -0.5
        if length > 1 or cache == "static":
            is_later = ops.arange(key.shape[2]) > positions.reshape(-1, 1)
            scores = scores.masked_fill(is_later, -1e9)
        mixed = ops.matmul(ops.softmax(scores, -1), value)
        return self.output(mixed.swapaxes(1, 2).reshape(batch, length, width))


class Block(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.attention, self.norm2 = norm(width), Attention(width, heads), norm(width)
        self.up, self.down = nn.Dense(width, 4 * width), nn.Dense(4 * width, width)

    def construct(self, x, positions, cache):
        x = x + self.attention(self.norm1(x), positions, cache)
        return x + self.down(ops.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Transformer(nn.Cell):
    """A decoder-only transformer with tied embeddings, as GPT-2."""

    def __init__(self, sizes, weights):
        super().__init__()
        self.sizes = sizes
        self.words, self.places = Parameter(Tensor(weights["words"])), Parameter(Tensor(weights["places"]))
        self.blocks = nn.CellList([Block(sizes.width, sizes.heads) for _ in range(sizes.layers)])
        self.norm = norm(sizes.width)
        for number, block in enumerate(self.blocks):
            layers = {"inputs": block.attention.inputs, "output": block.attention.output}
            for name, layer in {**layers, "up": block.up, "down": block.down}.items():
                layer.weight.set_data(Tensor(weights[f"blocks.{number}.{name}.weight"]))
                layer.bias.set_data(ops.zeros(layer.bias.shape, ms.float32))

    def construct(self, words, positions, cache=None):
        x = self.words[words] + self.places[positions]
        for block in self.blocks:
            x = block(x, positions, cache)
        return ops.matmul(self.norm(x), self.words.T)

    def clear(self, cache, length):
        """Empties the cache, which has ``length`` places if it is of fixed size."""
        sizes = self.sizes
        shape = (sizes.batch, sizes.heads, length, sizes.width // sizes.heads)
        for block in self.blocks:
            is_static = cache == "static"
            block.attention.cache = (ops.zeros(shape), ops.zeros(shape)) if is_static else None

    def generate(self, prompt, count, cache):
        """``count`` words after the prompt, each the most likely one, as a list of int."""
        words, start, generated = Tensor(prompt), 0, []
        self.clear(cache, prompt.shape[1] + count)
        for _ in range(count):
            positions = Tensor(np.arange(start, start + words.shape[1], dtype=np.int32))
            start += words.shape[1]
            words = self(words, positions, cache)[:, -1].argmax(-1).astype(ms.int32).reshape(-1, 1)
            generated.append(int(words[0, 0]))
        return generated


class Training:
    """Training by Adam, one batch of any length at a time."""

    def __init__(self, net):
        self.optimizer = nn.Adam(net.trainable_params(), 1e-3)

        def loss(words, positions, labels):
            return ops.cross_entropy(net(words, positions).reshape(-1, net.sizes.words), labels.reshape(-1))

        self.gradient = ms.value_and_grad(loss, None, self.optimizer.parameters)

    def step(self, text):
        """The loss before a step on ``(batch, length + 1)`` words."""
        positions = Tensor(np.arange(text.shape[1] - 1, dtype=np.int32))
        value, gradients = self.gradient(Tensor(text[:, :-1]), positions, Tensor(text[:, 1:]))
        self.optimizer(gradients)
        return float(value)
