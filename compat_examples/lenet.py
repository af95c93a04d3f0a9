"""LeNet-5 in the style of MindSpore 1.x: a training Cell with GradOperation and the optimizer under F.depend.

The images are made here: each class is a pattern of bars, shifted and noisy.
"""

import mindspore.nn as nn
import mindspore.ops.composite as C
import mindspore.ops.functional as F
import mindspore.ops.operations as P
import numpy as np
from mindspore import Tensor
from mindspore.common import dtype as mstype
from mindspore.common.initializer import TruncatedNormal
from mindspore.common.parameter import ParameterTuple

CLASSES, BATCH = 4, 32


def conv(in_channels, out_channels, kernel_size):
    return nn.Conv2d(in_channels, out_channels, kernel_size, weight_init=TruncatedNormal(0.05), pad_mode="valid")


def fc(in_channels, out_channels):
    return nn.Dense(in_channels, out_channels, TruncatedNormal(0.05), TruncatedNormal(0.05))


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = conv(1, 6, 5)
        self.conv2 = conv(6, 16, 5)
        self.fc1 = fc(16 * 5 * 5, 120)
        self.fc2 = fc(120, 84)
        self.fc3 = fc(84, CLASSES)
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.reshape = P.Reshape()

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.reshape(x, (-1, 16 * 5 * 5))
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


class TrainStep(nn.Cell):
    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens

    def construct(self, data, label):
        loss = self.network(data, label)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, self.weights)(data, label, sens)
        return F.depend(loss, self.optimizer(grads))


def images(count, random):
    labels = random.randint(0, CLASSES, count).astype(np.int32)
    data = random.normal(0, 0.2, (count, 1, 32, 32)).astype(np.float32)
    for image, label in zip(data, labels, strict=True):
        shift = random.randint(0, 4)
        if label % 2:
            image[0, shift :: 4 + 4 * (label // 2)] += 1
        else:
            image[0, :, shift :: 4 + 4 * (label // 2)] += 1
    return data, labels


np.random.seed(1)
network = LeNet5()
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
optimizer = nn.Momentum(filter(lambda p: p.requires_grad, network.get_parameters()), 0.05, 0.9)
train = TrainStep(nn.WithLossCell(network, loss), optimizer)
train.set_train()

random = np.random.RandomState(0)
losses = []
for _ in range(120):
    data, label = images(BATCH, random)
    losses.append(float(train(Tensor(data), Tensor(label)).asnumpy()))

network.set_train(False)
data, label = images(256, random)
guesses = P.Argmax(output_type=mstype.int32)(network(Tensor(data))).asnumpy()
print("parameters:", [(p.name, p.shape) for p in network.trainable_params()])
print("the loss fell to less than a tenth:", np.mean(losses[-10:]) < 0.1 * losses[0])
print("more than 95 % of new images are told apart:", np.mean(guesses == label) > 0.95)
