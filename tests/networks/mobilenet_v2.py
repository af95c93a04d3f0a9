"""MobileNetV2."""

from mindspore import nn, ops

WIDTH = 32
SHAPE = (2, 3, 32, 32)
# Expansion, channels, how many, stride of the first.
SETTING = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


class ConvBNReLU(nn.Cell):
    def __init__(self, inner, outer, kernel_size=3, stride=1, groups=1):
        super().__init__()
        padding = (kernel_size - 1) // 2
        conv = nn.Conv2d(inner, outer, kernel_size, stride, pad_mode="pad", padding=padding, group=groups)
        self.features = nn.SequentialCell([conv, nn.BatchNorm2d(outer), nn.ReLU6()])

    def construct(self, x):
        return self.features(x)


class InvertedResidual(nn.Cell):
    def __init__(self, inner, outer, stride, expansion):
        super().__init__()
        hidden = inner * expansion
        self.use_res_connect = stride == 1 and inner == outer
        layers = [ConvBNReLU(inner, hidden, kernel_size=1)] if expansion != 1 else []
        layers += [
            ConvBNReLU(hidden, hidden, stride=stride, groups=hidden),
            nn.Conv2d(hidden, outer, kernel_size=1, stride=1, has_bias=False),
            nn.BatchNorm2d(outer),
        ]
        self.conv = nn.SequentialCell(layers)
        self.add = ops.Add()

    def construct(self, x):
        y = self.conv(x)
        return self.add(x, y) if self.use_res_connect else y


class MobileNetV2Backbone(nn.Cell):
    def __init__(self, width):
        super().__init__()
        inner = width
        features = [ConvBNReLU(3, inner, stride=2)]
        for expansion, channels, count, stride in SETTING:
            outer = max(channels * width // WIDTH, 1)
            for k in range(count):
                features.append(InvertedResidual(inner, outer, stride if k == 0 else 1, expansion))
                inner = outer
        self.out_channels = 1280 * width // WIDTH
        features.append(ConvBNReLU(inner, self.out_channels, kernel_size=1))
        self.features = nn.SequentialCell(features)

    def construct(self, x):
        return self.features(x)


class MobileNetV2Head(nn.Cell):
    def __init__(self, inner, num_classes=10, dropout=0.0):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.SequentialCell([nn.Flatten(), nn.Dropout(p=dropout), nn.Dense(inner, num_classes)])

    def construct(self, x):
        return self.head(self.pool(x))


class MobileNetV2(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.backbone = MobileNetV2Backbone(width)
        self.head = MobileNetV2Head(self.backbone.out_channels)

    def construct(self, x):
        return self.head(self.backbone(x))


def build(width=WIDTH):
    return MobileNetV2(width)
