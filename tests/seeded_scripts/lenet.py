"""LeNet on noise: initial values, a shuffled dataset, and Momentum."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.common.initializer import Normal

ms.set_seed(1)


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(1, 6, 5, pad_mode="valid"),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Conv2d(6, 16, 5, pad_mode="valid"),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Flatten(),
        )
        self.classes = nn.SequentialCell(
            nn.Dense(400, 120, weight_init=Normal(0.02)),
            nn.ReLU(),
            nn.Dense(120, 84),
            nn.ReLU(),
            nn.Dense(84, 10),
        )

    def construct(self, x):
        return self.classes(self.features(x))


images = np.random.randn(80, 1, 32, 32).astype(np.float32)
labels = np.random.randint(0, 10, 80).astype(np.int32)
data = ds.NumpySlicesDataset({"image": images, "label": labels}, shuffle=True).batch(8).repeat(2)
net, loss_fn = LeNet(), nn.CrossEntropyLoss()
optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
for image, label in data.create_tuple_iterator(num_epochs=1):
    loss, gradients = step(image, label)
    optimizer(gradients)
    print(f"{float(loss):.7f}")
