"""A U-Net that classifies each pixel, in MindSpore and in PyTorch."""

import numpy as np

FULL = {"batch": 4, "side": 128, "widths": (32, 64, 128, 256, 512), "classes": 4}


def data(sizes):
    random, batch, side = np.random.default_rng(0), sizes["batch"], sizes["side"]
    images = random.standard_normal((batch, 3, side, side), np.float32)
    return images, random.integers(0, sizes["classes"], (batch, side, side)).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, images and labels."""
    from mindspore import nn, ops

    widths = sizes["widths"]

    def double(before, width):
        cells = []
        for channels in (before, width):
            cells += [nn.Conv2d(channels, width, 3), nn.BatchNorm2d(width), nn.ReLU()]
        return nn.SequentialCell(cells)

    class UNet(nn.Cell):
        def __init__(self):
            super().__init__()
            self.down = nn.CellList([double(*pair) for pair in zip((3, *widths[:-1]), widths, strict=True)])
            pairs = list(zip(widths[:0:-1], widths[-2::-1], strict=True))
            self.grow = nn.CellList([nn.Conv2dTranspose(*pair, 2, 2) for pair in pairs])
            self.up = nn.CellList([double(2 * width, width) for _, width in pairs])
            self.pool, self.head = nn.MaxPool2d(2, 2), nn.Conv2d(widths[0], sizes["classes"], 1)

        def construct(self, x):
            kept = []
            for cell in self.down:
                x = cell(x if not kept else self.pool(x))
                kept.append(x)
            for number in range(len(self.up)):
                x = self.up[number](ops.cat([kept[-2 - number], self.grow[number](x)], 1))
            return self.head(x)

    cross_entropy = nn.CrossEntropyLoss()
    return UNet(), lambda network, images, labels: cross_entropy(network(images), labels)


def torch_network(sizes, device):
    """The network, images and labels, on ``device``, channels last as PyTorch's users have them."""
    import torch
    from torch import nn

    widths = sizes["widths"]

    def double(before, width):
        modules = []
        for channels in (before, width):
            modules += [nn.Conv2d(channels, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(True)]
        return nn.Sequential(*modules)

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down = nn.ModuleList([double(*pair) for pair in zip((3, *widths[:-1]), widths, strict=True)])
            pairs = list(zip(widths[:0:-1], widths[-2::-1], strict=True))
            self.grow = nn.ModuleList([nn.ConvTranspose2d(*pair, 2, 2) for pair in pairs])
            self.up = nn.ModuleList([double(2 * width, width) for _, width in pairs])
            self.pool, self.head = nn.MaxPool2d(2, 2), nn.Conv2d(widths[0], sizes["classes"], 1)

        def forward(self, x):
            kept = []
            for module in self.down:
                x = module(x if not kept else self.pool(x))
                kept.append(x)
            for number, (grow, up) in enumerate(zip(self.grow, self.up, strict=True)):
                x = up(torch.cat([kept[-2 - number], grow(x)], 1))
            return self.head(x)

    images, labels = (torch.tensor(each, device=device) for each in data(sizes))
    last = torch.channels_last
    return UNet().to(device, memory_format=last), images.contiguous(memory_format=last), labels.long()
