"""Writes `tests/golden/weights`: files of torch, and what its modules give; run by a Python that has torch.

TORCH_PYTHON tests/golden/make_weights.py
"""

import argparse
import math
import pathlib

import numpy as np
import torch
from torch import nn

FOLDER = pathlib.Path(__file__).parent / "weights"
DTYPES = "float32 float64 float16 bfloat16 uint8 int8 int16 int32 int64 bool complex64".split()


class Block(nn.Module):
    """A convolution, a norm with moving statistics, and a way around both."""

    def __init__(self, channels, width):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.downsample = nn.Sequential(nn.Conv2d(channels, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        return torch.relu(self.bn1(self.conv1(x)) + self.downsample(x))


class Images(nn.Module):
    """A small ResNet."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 2, 3, padding=1)
        self.layer1 = nn.Sequential(Block(2, 3), Block(3, 3))
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(self.layer1(self.stem(x)).mean((2, 3)))


class Linear1D(nn.Module):
    """A linear layer with a transposed weight, as that of GPT-2 in transformers."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.empty(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Attention(nn.Module):
    """Causal attention with two heads; ``linear(inputs, outputs)`` makes its layers."""

    def __init__(self, width, linear):
        super().__init__()
        self.c_attn = linear(width, 3 * width)
        self.c_proj = linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = [each.reshape(batch, length, 2, -1).transpose(1, 2) for each in self.c_attn(x).split(width, dim=-1)]
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(torch.ones(length, length).tril() == 0, -1e9)
        return self.c_proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape))


class Layer(nn.Module):
    """A layer of GPT-2."""

    def __init__(self, width, linear):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Attention(width, linear)
        self.ln_2 = nn.LayerNorm(width)
        self.c_fc = linear(width, 2 * width)
        self.c_proj = linear(2 * width, width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.c_proj(torch.relu(self.c_fc(self.ln_2(x))))


class Text(nn.Module):
    """A small GPT-2, whose output layer has the weight of the embedding."""

    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(7, 4)
        self.h = nn.ModuleList([Layer(4, Linear1D) for _ in range(2)])
        self.lm_head = nn.Linear(4, 7, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, x):
        x = self.wte(x)
        for layer in self.h:
            x = layer(x)
        return self.lm_head(x)


class Others(nn.Module):
    """Layers whose names, axes or gates other libraries write in another way."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 3, padding=1)
        self.up = nn.ConvTranspose2d(1, 2, 2, stride=2)
        self.norm = nn.GroupNorm(1, 2)
        self.act = nn.PReLU()
        self.bn = nn.BatchNorm3d(2)
        self.lstm = nn.LSTM(4, 3, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(6, 2, batch_first=True)
        self.attention = nn.MultiheadAttention(2, 1, batch_first=True)

    def forward(self, x):
        y = self.norm(self.act(self.up(self.conv(x)[:, None])))
        y = self.bn(y[..., None])[..., 0]
        y, _ = self.lstm(y[:, 0, :, :4])
        y, _ = self.gru(y)
        return self.attention(y, y, y)[0]


def randomise(net):
    """Gives all Parameters and moving statistics random values."""
    draw = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if value.is_floating_point():
                value.copy_(torch.rand(value.shape, generator=draw) - 0.5 + name.endswith("running_var"))
    return net.eval()


def main():
    FOLDER.mkdir(exist_ok=True)
    torch.manual_seed(0)
    rows = torch.arange(24.0).reshape(4, 6)
    shared = torch.arange(3.0)
    tensors = {name: torch.tensor([0, 1, 3]).to(getattr(torch, name)) for name in DTYPES}
    tensors |= {
        "transposed": rows.T, "part": rows[1:3, 2:5], "expanded": torch.arange(3.0).expand(2, 3), "one": shared,
        "two": shared, "scalar": torch.tensor(2.5), "empty": torch.zeros(0, 3), "parameter": nn.Parameter(shared + 1),
        "stepped": torch.arange(10)[1::3],
    }  # fmt: skip
    arrays = {name: value.detach().float() if value.dtype is torch.bfloat16 else value.detach()
              for name, value in tensors.items()}  # fmt: skip
    np.savez(FOLDER / "tensors.npz", **{name: value.numpy() for name, value in arrays.items()})
    torch.save(tensors, FOLDER / "tensors.pth")
    torch.save(tensors, FOLDER / "tensors_legacy.pth", _use_new_zipfile_serialization=False)
    state = nn.Linear(2, 3).state_dict()
    extras = {"epoch": 3, "args": argparse.Namespace(rate=0.1), "path": pathlib.PurePosixPath("a")}
    torch.save({"model": state, **extras}, FOLDER / "nested.pth")
    torch.save({"online": state, "target": nn.Linear(2, 3).state_dict()}, FOLDER / "two.pth")
    torch.save(nn.Linear(2, 3), FOLDER / "module.pth")
    torch.jit.save(torch.jit.script(nn.Linear(2, 3)), FOLDER / "script.pt")
    inputs = {
        "images": (Images(), torch.randn(2, 1, 5, 5)),
        "text": (Text(), torch.tensor([[1, 5, 0, 6], [2, 2, 3, 4]])),
        "others": (Others(), torch.randn(2, 2, 5)),
    }
    for name, (net, x) in inputs.items():
        torch.save(randomise(net).state_dict(), FOLDER / f"{name}.pth")
        with torch.no_grad():
            np.savez(FOLDER / f"{name}.npz", x=x.numpy(), y=net(x).numpy())


if __name__ == "__main__":
    main()
