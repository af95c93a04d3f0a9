"""State that a layer keeps while it is differentiated: running statistics, updated once for each step."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class Normalize(nn.Cell):
    """Takes the mean of each column off, and keeps a running mean for evaluation."""

    def __init__(self, features):
        super().__init__()
        self.running_mean = Parameter(Tensor(np.zeros(features, np.float32)), name="running_mean", requires_grad=False)
        self.calls = Parameter(Tensor(np.zeros((), np.float32)), name="calls", requires_grad=False)
        self.gain = Parameter(Tensor(np.ones(features, np.float32)), name="gain")

    def construct(self, x):
        if not self.training:
            return (x - self.running_mean) * self.gain
        mean = x.mean(axis=0)
        ops.assign(self.running_mean, self.running_mean * 0.5 + ops.stop_gradient(mean) * 0.5)
        ops.assign_add(self.calls, Tensor(1.0, ms.float32))
        return (x - mean) * self.gain


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.normalize = Normalize(2)

    def construct(self, x):
        y = self.normalize(x)
        return (y * y).sum()


model = Model()
weights = model.trainable_params()
x = Tensor(np.array([[1, 2], [3, 6], [5, 10]]).astype(np.float32))

model.set_train()
step = ms.value_and_grad(model, None, weights)
for _ in range(3):
    loss, (gradient,) = step(x)
    print("train", loss, gradient, model.normalize.running_mean.asnumpy(), model.normalize.calls.asnumpy())

model.set_train(False)
print("evaluate", model(x), *ms.grad(model, None, weights)(x))
print("unchanged", model.normalize.running_mean.asnumpy(), model.normalize.calls.asnumpy())
print([parameter.name for parameter in model.get_parameters()])
