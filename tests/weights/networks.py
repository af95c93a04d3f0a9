"""Networks as MindSpore's users write them, with the computations of those of `tests/golden/make_weights.py`."""

import math

from msgrad import Tensor, nn, ops


class Block(nn.Cell):
    def __init__(self, channels, width):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3)
        self.bn1 = nn.BatchNorm2d(width)
        self.down_sample = nn.SequentialCell(nn.Conv2d(channels, width, 1), nn.BatchNorm2d(width))

    def construct(self, x):
        return ops.relu(self.bn1(self.conv1(x)) + self.down_sample(x))


class Images(nn.Cell):
    """The names of torch, but those of norms."""

    def __init__(self, classes=4):
        super().__init__()
        self.stem = nn.Conv2d(1, 2, 3, has_bias=True)
        self.layer1 = nn.SequentialCell(Block(2, 3), Block(3, 3))
        self.fc = nn.Dense(3, classes)

    def construct(self, x):
        return self.fc(self.layer1(self.stem(x)).mean((2, 3)))


class OtherBlock(nn.Cell):
    def __init__(self, channels, width):
        super().__init__()
        self.main = nn.SequentialCell(nn.Conv2d(channels, width, 3), nn.BatchNorm2d(width))
        self.way = nn.SequentialCell(nn.Conv2d(channels, width, 1), nn.BatchNorm2d(width))

    def construct(self, x):
        return ops.relu(self.main(x) + self.way(x))


class OtherImages(nn.Cell):
    """The layers in the same order, under other names; the last one is a convolution."""

    def __init__(self):
        super().__init__()
        self.backbone = nn.SequentialCell(nn.Conv2d(1, 2, 3, has_bias=True), OtherBlock(2, 3), OtherBlock(3, 3))
        self.head = nn.Conv2d(3, 4, 1, has_bias=True)

    def construct(self, x):
        return self.head(self.backbone(x).mean((2, 3), keep_dims=True))[:, :, 0, 0]


class Attention(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value = [nn.Dense(width, width) for _ in range(3)]
        self.c_proj = nn.Dense(width, width)

    def construct(self, x):
        batch, length, _ = x.shape
        q, k, v = [
            layer(x).reshape(batch, length, 2, -1).swapaxes(1, 2) for layer in (self.query, self.key, self.value)
        ]
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / math.sqrt(q.shape[-1])
        scores = ops.masked_fill(scores, ops.tril(ops.ones((length, length))) == 0, -1e9)
        return self.c_proj(ops.matmul(ops.softmax(scores), v).swapaxes(1, 2).reshape(x.shape))


class Layer(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.ln_1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.attn = Attention(width)
        self.ln_2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.c_fc = nn.Dense(width, 2 * width)
        self.c_proj = nn.Dense(2 * width, width)

    def construct(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.c_proj(ops.relu(self.c_fc(self.ln_2(x))))


class Text(nn.Cell):
    """Dense layers in place of transposed ones, three of them for query, key and value."""

    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(7, 4)
        self.h = nn.CellList([Layer(4) for _ in range(2)])

    def construct(self, x):
        x = self.wte(x)
        for layer in self.h:
            x = layer(x)
        return ops.matmul(x, self.wte.embedding_table.T)


class Wrapped(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Text()

    def construct(self, x):
        return self.net(x)


class Others(nn.Cell):
    """Layers whose Parameters have other axes than torch's, or gates whose order could differ."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 3, has_bias=True)
        self.up = nn.Conv2dTranspose(1, 2, 2, stride=2, has_bias=True)
        self.norm = nn.GroupNorm(1, 2)
        self.act = nn.PReLU()
        self.bn = nn.BatchNorm3d(2)
        self.lstm = nn.LSTM(4, 3, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(6, 2, batch_first=True)
        self.attention = nn.MultiheadAttention(2, 1, batch_first=True)

    def construct(self, x):
        y = self.norm(self.act(self.up(self.conv(x)[:, None])))
        y = self.bn(y[..., None])[..., 0]
        y, _ = self.lstm(y[:, 0, :, :4])
        y, _ = self.gru(y)
        return self.attention(y, y, y)[0]


def output(net, x):
    """What a network gives in evaluation."""
    net.set_train(False)
    return net(Tensor(x)).asnumpy()


class OfKeras(nn.Cell):
    """The network of `tests/golden/make_keras_weights.py`."""

    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(
            nn.Conv2d(2, 3, 3, has_bias=True),
            nn.BatchNorm2d(3),
            nn.Conv2d(3, 3, 3, group=3),
            nn.Conv2dTranspose(3, 2, 2, stride=2, has_bias=True),
        )
        self.dense = nn.Dense(2, 2, activation="relu")
        self.head = nn.Dense(2, 3)

    def construct(self, x):
        return self.head(self.dense(self.body(x.transpose(0, 3, 1, 2)).mean((2, 3))))
