"""One training step of LeNet-5."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

net = nn.SequentialCell(
    nn.Conv2d(1, 6, 5, pad_mode="valid"),
    nn.ReLU(),
    nn.MaxPool2d(2, 2),
    nn.Conv2d(6, 16, 5, pad_mode="valid"),
    nn.ReLU(),
    nn.MaxPool2d(2, 2),
    nn.Flatten(),
    nn.Dense(400, 120),
    nn.ReLU(),
    nn.Dense(120, 84),
    nn.ReLU(),
    nn.Dense(84, 10),
)
loss, optimizer = nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9)
step = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)
images, labels = np.ones((32, 1, 32, 32), np.float32), np.arange(32, dtype=np.int32) % 10
value, gradients = step(Tensor(images), Tensor(labels))
optimizer(gradients)
print(value)
