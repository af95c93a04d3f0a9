"""The transformer of `mindspore_model` in PyTorch."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.inputs, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.cache = None

    def forward(self, x, positions, cache):
        batch, length, width = x.shape
        parts = self.inputs(x).reshape(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        if cache == "growing":
            if self.cache is not None:
                key, value = torch.cat((self.cache[0], key), 2), torch.cat((self.cache[1], value), 2)
            self.cache = key, value
        elif cache == "static":
            keys, values = self.cache
            keys[:, :, positions], values[:, :, positions] = key, value
            key, value = keys, values
        scores = query @ key.swapaxes(-1, -2) * (width // self.heads) ** -0.5
        if length > 1 or cache == "static":
            is_later = torch.arange(key.shape[2]) > positions.reshape(-1, 1)
            scores = scores.masked_fill(is_later, -1e9)
        mixed = functional.softmax(scores, -1) @ value
        return self.output(mixed.swapaxes(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.attention, self.norm2 = nn.LayerNorm(width), Attention(width, heads), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, positions, cache):
        x = x + self.attention(self.norm1(x), positions, cache)
        return x + self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Transformer(nn.Module):
    def __init__(self, sizes, weights):
        super().__init__()
        self.sizes = sizes
        self.words, self.places = (nn.Parameter(torch.from_numpy(weights[name])) for name in ("words", "places"))
        self.blocks = nn.ModuleList([Block(sizes.width, sizes.heads) for _ in range(sizes.layers)])
        self.norm = nn.LayerNorm(sizes.width)
        for number, block in enumerate(self.blocks):
            layers = {"inputs": block.attention.inputs, "output": block.attention.output}
            for name, layer in {**layers, "up": block.up, "down": block.down}.items():
                layer.weight.data = torch.from_numpy(weights[f"blocks.{number}.{name}.weight"])
                layer.bias.data = torch.zeros(layer.bias.shape)

    def forward(self, words, positions, cache=None):
        x = self.words[words] + self.places[positions]
        for block in self.blocks:
            x = block(x, positions, cache)
        return self.norm(x) @ self.words.T

    def clear(self, cache, length):
        sizes = self.sizes
        shape = (sizes.batch, sizes.heads, length, sizes.width // sizes.heads)
        for block in self.blocks:
            is_static = cache == "static"
            block.attention.cache = (torch.zeros(shape), torch.zeros(shape)) if is_static else None

    @torch.no_grad()
    def generate(self, prompt, count, cache):
        words, start, generated = torch.from_numpy(prompt), 0, []
        self.clear(cache, prompt.shape[1] + count)
        for _ in range(count):
            positions = torch.from_numpy(np.arange(start, start + words.shape[1]))
            start += words.shape[1]
            words = self(words, positions, cache)[:, -1].argmax(-1).reshape(-1, 1)
            generated.append(int(words[0, 0]))
        return generated


class Training:
    def __init__(self, net):
        self.net, self.optimizer = net, torch.optim.Adam(net.parameters(), 1e-3)

    def step(self, text):
        words, labels = torch.from_numpy(text[:, :-1]), torch.from_numpy(text[:, 1:]).long()
        positions = torch.from_numpy(np.arange(words.shape[1]))
        logits = self.net(words, positions).reshape(-1, self.net.sizes.words)
        loss = functional.cross_entropy(logits, labels.reshape(-1))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return float(loss)
