"""U-Net."""

from mindspore import nn, ops
from mindspore.common.initializer import TruncatedNormal

WIDTH = 64
SHAPE = (1, 1, 32, 32)


class DoubleConv(nn.Cell):
    def __init__(self, inner, outer):
        super().__init__()
        init = TruncatedNormal(sigma=0.06)
        self.double_conv = nn.SequentialCell(
            [
                nn.Conv2d(inner, outer, kernel_size=3, has_bias=True, weight_init=init, pad_mode="same"),
                nn.BatchNorm2d(outer),
                nn.ReLU(),
                nn.Conv2d(outer, outer, kernel_size=3, has_bias=True, weight_init=init, pad_mode="same"),
                nn.BatchNorm2d(outer),
                nn.ReLU(),
            ]
        )

    def construct(self, x):
        return self.double_conv(x)


class Down(nn.Cell):
    def __init__(self, inner, outer):
        super().__init__()
        self.maxpool_conv = nn.SequentialCell([nn.MaxPool2d(kernel_size=2, stride=2), DoubleConv(inner, outer)])

    def construct(self, x):
        return self.maxpool_conv(x)


class Up(nn.Cell):
    def __init__(self, inner, outer):
        super().__init__()
        self.concat = ops.Concat(axis=1)
        self.up = nn.Conv2dTranspose(inner, inner // 2, kernel_size=2, stride=2, has_bias=True)
        self.relu = nn.ReLU()
        self.conv = DoubleConv(inner, outer)

    def construct(self, x, skipped):
        return self.conv(self.concat((self.relu(self.up(x)), skipped)))


class UNet(nn.Cell):
    def __init__(self, width, classes=2):
        super().__init__()
        self.inc = DoubleConv(1, width)
        self.downs = nn.CellList([Down(width * 2**k, width * 2 ** (k + 1)) for k in range(4)])
        self.ups = nn.CellList([Up(width * 2 ** (k + 1), width * 2**k) for k in reversed(range(4))])
        self.outc = nn.Conv2d(width, classes, kernel_size=1, has_bias=True)

    def construct(self, x):
        levels = [self.inc(x)]
        for down in self.downs:
            levels.append(down(levels[-1]))
        y = levels[4]
        for k, up in enumerate(self.ups):
            y = up(y, levels[3 - k])
        return self.outc(y)


def build(width=WIDTH):
    return UNet(width)
