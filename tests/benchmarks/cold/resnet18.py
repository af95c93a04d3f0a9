"""The forward pass of ResNet-18 for one image of 224 x 224."""

import numpy as np
from mindspore import Tensor, nn, ops


def conv(inputs, outputs, kernel, stride=1):
    return nn.Conv2d(inputs, outputs, kernel, stride, pad_mode="pad", padding=kernel // 2)


class Block(nn.Cell):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1, self.norm1 = conv(inputs, outputs, 3, stride), nn.BatchNorm2d(outputs)
        self.conv2, self.norm2 = conv(outputs, outputs, 3), nn.BatchNorm2d(outputs)
        self.shortcut = None
        if stride > 1:
            self.shortcut = nn.SequentialCell(conv(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def construct(self, x):
        y = self.norm2(self.conv2(ops.relu(self.norm1(self.conv1(x)))))
        return ops.relu(y + (x if self.shortcut is None else self.shortcut(x)))


class ResNet18(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem = nn.SequentialCell(
            conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        )
        widths = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
        blocks = [[Block(*each), Block(each[1], each[1], 1)] for each in widths]
        self.blocks = nn.SequentialCell(*[block for pair in blocks for block in pair])
        self.head = nn.Dense(512, 1000)

    def construct(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


net = ResNet18().set_train(False)
print(net(Tensor(np.ones((1, 3, 224, 224), np.float32))).asnumpy()[0, :3])
