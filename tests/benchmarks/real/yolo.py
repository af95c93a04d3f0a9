"""A detector like YOLO: residual stages of SiLU, and one prediction for each cell at two scales."""

import numpy as np

FULL = {"batch": 4, "side": 256, "widths": (32, 64, 128, 256), "blocks": (1, 2, 2), "outputs": 85}


def data(sizes):
    random, batch, side = np.random.default_rng(0), sizes["batch"], sizes["side"]
    cells = (side // 8) ** 2 + (side // 16) ** 2
    images = random.standard_normal((batch, 3, side, side), np.float32)
    return images, random.integers(0, sizes["outputs"], (batch, cells)).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, images and labels."""
    from mindspore import nn, ops

    widths, outputs = sizes["widths"], sizes["outputs"]

    def conv(before, width, size=1, stride=1):
        kernel = nn.Conv2d(before, width, size, stride, pad_mode="pad", padding=size // 2)
        return nn.SequentialCell(kernel, nn.BatchNorm2d(width), nn.SiLU())

    class Residual(nn.Cell):
        def __init__(self, width):
            super().__init__()
            self.body = nn.SequentialCell(conv(width, width // 2), conv(width // 2, width, 3))

        def construct(self, x):
            return x + self.body(x)

    class Detector(nn.Cell):
        def __init__(self):
            super().__init__()
            self.stem, stages = conv(3, widths[0], 3, 2), []
            for before, width, count in zip(widths, widths[1:], sizes["blocks"], strict=False):
                stages.append(nn.SequentialCell(conv(before, width, 3, 2), *[Residual(width) for _ in range(count)]))
            self.stages = nn.CellList(stages)
            self.across, self.join = conv(widths[3], widths[2]), conv(2 * widths[2], widths[2], 3)
            self.heads = nn.CellList([nn.Conv2d(width, outputs, 1) for width in widths[2:]])

        def construct(self, x):
            fine = self.stages[1](self.stages[0](self.stem(x)))
            coarse = self.stages[2](fine)
            wide = self.across(coarse).repeat_interleave(2, 2).repeat_interleave(2, 3)
            fine = self.join(ops.cat([fine, wide], 1))
            rows = [
                head(x).reshape(x.shape[0], outputs, -1) for head, x in zip(self.heads, (fine, coarse), strict=True)
            ]
            return ops.cat(rows, 2)

    cross_entropy = nn.CrossEntropyLoss()
    return Detector(), lambda network, images, labels: cross_entropy(network(images), labels)


def torch_network(sizes, device):
    """The network, images and labels, on ``device``, channels last as PyTorch's users have them."""
    import torch
    from torch import nn

    widths, outputs = sizes["widths"], sizes["outputs"]

    def conv(before, width, size=1, stride=1):
        kernel = nn.Conv2d(before, width, size, stride, size // 2, bias=False)
        return nn.Sequential(kernel, nn.BatchNorm2d(width), nn.SiLU(True))

    class Residual(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.body = nn.Sequential(conv(width, width // 2), conv(width // 2, width, 3))

        def forward(self, x):
            return x + self.body(x)

    class Detector(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem, stages = conv(3, widths[0], 3, 2), []
            for before, width, count in zip(widths, widths[1:], sizes["blocks"], strict=False):
                stages.append(nn.Sequential(conv(before, width, 3, 2), *[Residual(width) for _ in range(count)]))
            self.stages = nn.ModuleList(stages)
            self.across, self.join = conv(widths[3], widths[2]), conv(2 * widths[2], widths[2], 3)
            self.heads = nn.ModuleList([nn.Conv2d(width, outputs, 1) for width in widths[2:]])

        def forward(self, x):
            fine = self.stages[1](self.stages[0](self.stem(x)))
            coarse = self.stages[2](fine)
            wide = self.across(coarse).repeat_interleave(2, 2).repeat_interleave(2, 3)
            fine = self.join(torch.cat([fine, wide], 1))
            rows = [head(x).flatten(2) for head, x in zip(self.heads, (fine, coarse), strict=True)]
            return torch.cat(rows, 2)

    images, labels = (torch.tensor(each, device=device) for each in data(sizes))
    last = torch.channels_last
    return Detector().to(device, memory_format=last), images.contiguous(memory_format=last), labels.long()
