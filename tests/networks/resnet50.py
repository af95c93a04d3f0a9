"""ResNet-50."""

from mindspore import nn, ops

WIDTH = 64
SHAPE = (2, 3, 32, 32)


def conv(inner, outer, size, stride=1):
    return nn.Conv2d(inner, outer, size, stride, pad_mode="same", weight_init="he_normal")


class Bottleneck(nn.Cell):
    expansion = 4

    def __init__(self, inner, channels, stride=1):
        super().__init__()
        outer = channels * self.expansion
        self.conv1 = conv(inner, channels, 1)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = conv(channels, channels, 3, stride)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = conv(channels, outer, 1)
        self.bn3 = nn.BatchNorm2d(outer, gamma_init="zeros")
        self.relu = nn.ReLU()
        self.down_sample_layer = None
        if stride != 1 or inner != outer:
            self.down_sample_layer = nn.SequentialCell([conv(inner, outer, 1, stride), nn.BatchNorm2d(outer)])

    def construct(self, x):
        identity = x if self.down_sample_layer is None else self.down_sample_layer(x)
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        return self.relu(self.bn3(self.conv3(y)) + identity)


class ResNet(nn.Cell):
    def __init__(self, width, counts=(3, 4, 6, 3), num_classes=10):
        super().__init__()
        self.conv1 = conv(3, width, 7, 2)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        inner = width
        for k, count in enumerate(counts):
            blocks = []
            for n in range(count):
                blocks.append(Bottleneck(inner, width * 2**k, 2 if k and not n else 1))
                inner = width * 2**k * Bottleneck.expansion
            setattr(self, f"layer{k + 1}", nn.SequentialCell(blocks))
        self.mean = ops.ReduceMean(keep_dims=True)
        self.flatten = nn.Flatten()
        self.end_point = nn.Dense(inner, num_classes, has_bias=True)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.end_point(self.flatten(self.mean(x, (2, 3))))


def build(width=WIDTH):
    return ResNet(width)
