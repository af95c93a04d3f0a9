"""The forward pass of a small GPT-2 made of plain classes: four layers, 128 wide, 64 tokens."""

import torch
from torch.nn import functional as F

WIDTH, HEADS, LAYERS, WORDS, TOKENS = 128, 4, 4, 1000, 64


def weights(*shape):
    return 0.02 * torch.randn(*shape)


class Linear:
    def __init__(self, inputs, outputs):
        self.weight, self.bias = weights(inputs, outputs), torch.zeros(outputs)

    def __call__(self, x):
        return x @ self.weight + self.bias


class LayerNorm:
    def __init__(self):
        self.scale, self.shift = torch.ones(WIDTH), torch.zeros(WIDTH)

    def __call__(self, x):
        return F.layer_norm(x, (WIDTH,), self.scale, self.shift, 1e-5)


class Attention:
    def __init__(self):
        self.inputs, self.output = Linear(WIDTH, 3 * WIDTH), Linear(WIDTH, WIDTH)

    def __call__(self, x):
        query, key, value = [
            each.reshape(1, -1, HEADS, WIDTH // HEADS).swapaxes(1, 2) for each in self.inputs(x).split(WIDTH, -1)
        ]
        scores = query @ key.swapaxes(-1, -2) / (WIDTH // HEADS) ** 0.5
        future = torch.ones(TOKENS, TOKENS).triu(1).bool()
        scores = torch.softmax(scores.masked_fill(future, -1e9), -1)
        return self.output((scores @ value).swapaxes(1, 2).reshape(1, -1, WIDTH))


class Block:
    def __init__(self):
        self.norm1, self.attention, self.norm2 = LayerNorm(), Attention(), LayerNorm()
        self.up, self.down = Linear(WIDTH, 4 * WIDTH), Linear(4 * WIDTH, WIDTH)

    def __call__(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class GPT:
    def __init__(self):
        self.words, self.positions = weights(WORDS, WIDTH), weights(TOKENS, WIDTH)
        self.blocks, self.norm = [Block() for _ in range(LAYERS)], LayerNorm()

    def __call__(self, tokens):
        x = self.words[tokens] + self.positions
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.words.T


print(GPT()(torch.arange(TOKENS).reshape(1, -1))[0, -1, :3].numpy())
