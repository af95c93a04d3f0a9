"""Training a small network with SGD: ``TrainOneStepCell``, and the same steps written with ``value_and_grad``."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn


def make_network():
    network = nn.SequentialCell(nn.Dense(2, 3, activation="tanh"), nn.Dense(3, 1))
    for number, parameter in enumerate(network.trainable_params()):
        count = int(np.prod(parameter.shape))
        values = 0.1 * ((np.arange(count) * 7 + number * 3) % 11 - 5)
        parameter.set_data(Tensor(values.reshape(parameter.shape).astype(np.float32)))
    return network


inputs = Tensor(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).astype(np.float32))
labels = Tensor(np.array([[0], [1], [1], [0]]).astype(np.float32))

network = make_network()
optimizer = nn.SGD(network.trainable_params(), learning_rate=0.5, momentum=0.9)
train = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), optimizer)
train.set_train()
losses = [float(train(inputs, labels).asnumpy()) for _ in range(20)]
print("losses", *(f"{loss:.4f}" for loss in losses[::5]))
print("answers", np.round(network(inputs).asnumpy().ravel(), 3))

second = make_network()
second_optimizer = nn.SGD(second.trainable_params(), learning_rate=0.5, momentum=0.9)
loss_function = nn.MSELoss()


def forward(inputs, labels):
    logits = second(inputs)
    return loss_function(logits, labels), logits


loss_and_gradients = ms.value_and_grad(forward, None, second_optimizer.parameters, has_aux=True)
for _ in range(20):
    (loss, logits), gradients = loss_and_gradients(inputs, labels)
    second_optimizer(gradients)
print("last loss", f"{float(loss.asnumpy()):.4f}")
for first, other in zip(network.trainable_params(), second.trainable_params(), strict=True):
    print(first.name, other.shape, bool(np.allclose(first.asnumpy(), other.asnumpy(), atol=1e-5)))
