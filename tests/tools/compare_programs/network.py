"""A network with a convolution, attention and BatchNorm, trained for two steps; `broken` leaves out one transpose."""

import sys

import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer


class Projection(nn.Cell):
    """``x @ weight.T``, or without the transpose where it is broken; the weight is square, so shapes do not tell."""

    def __init__(self, size, is_broken=False):
        super().__init__()
        self.weight = Parameter(initializer(Normal(0.3), (size, size)), name="weight")
        self.is_broken = is_broken

    def construct(self, x):
        return ops.matmul(x, self.weight if self.is_broken else self.weight.T)


class Attention(nn.Cell):
    """One head."""

    def __init__(self, size, is_broken):
        super().__init__()
        self.query, self.key = Projection(size), Projection(size, is_broken)
        self.value = Projection(size)

    def construct(self, x):
        scores = ops.matmul(self.query(x), self.key(x).swapaxes(-1, -2))
        return x + ops.matmul(ops.softmax(scores), self.value(x))


class Network(nn.Cell):
    """Images to classes."""

    def __init__(self, is_broken):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, pad_mode="valid", has_bias=False)
        self.norm = nn.BatchNorm2d(4)
        self.attention = nn.CellList([Attention(4, False), Attention(4, is_broken)])
        self.dropout = nn.Dropout(p=0.25)
        self.head = nn.Dense(4, 3)

    def construct(self, x):
        x = ops.relu(self.norm(self.conv(x)))
        x = x.reshape(x.shape[0], 4, -1).swapaxes(1, 2)
        for layer in self.attention:
            x = layer(x)
        return self.head(self.dropout(x.mean(1)))


network = Network(is_broken=sys.argv[1:] == ["broken"])
loss = nn.CrossEntropyLoss()
optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
step = nn.TrainOneStepCell(nn.WithLossCell(network, loss), optimizer)
step.set_train()
x = Tensor(np.random.RandomState(1).normal(size=(4, 1, 5, 5)).astype(np.float32))
y = Tensor(np.int32([0, 1, 2, 1]))
for _ in range(2):
    print(float(step(x, y).asnumpy()))
