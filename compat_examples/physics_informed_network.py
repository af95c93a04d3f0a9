"""A physics-informed network: the loss holds a second derivative by the input, and is differentiated by the weights.

It fits u with u'' = -u, u(0) = 0, u'(0) = 1, whose solution is the sine.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class Network(nn.Cell):
    """Sum of three bumps ``outer * tanh(inner * x + shift)``, for each point by itself."""

    def __init__(self):
        super().__init__()
        self.inner = Parameter(Tensor(np.array([[0.5, -0.4, 0.9]], np.float32)), name="inner")
        self.shift = Parameter(Tensor(np.array([[0.1, 0.3, -0.2]], np.float32)), name="shift")
        self.outer = Parameter(Tensor(np.array([[0.7], [-0.6], [0.4]], np.float32)), name="outer")

    def construct(self, x):
        return ops.matmul(ops.tanh(x * self.inner + self.shift), self.outer)


class Derivative(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function
        self.grad = ops.GradOperation()

    def construct(self, x):
        return self.grad(self.function)(x)


class Residual(nn.Cell):
    """Squared error of the equation at ``points``, and of the two conditions at ``origin``."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.slope = Derivative(network)
        self.curvature = Derivative(self.slope)

    def construct(self, points, origin):
        equation = self.curvature(points) + self.network(points)
        start = self.network(origin)
        start_slope = self.slope(origin) - 1
        return (equation * equation).mean() + (start * start).sum() + (start_slope * start_slope).sum()


network = Network()
residual = Residual(network)
weights = network.trainable_params()
optimizer = nn.SGD(weights, learning_rate=0.1)
loss_and_gradients = ms.value_and_grad(residual, None, weights)

points = Tensor(np.linspace(0, 1.5, 6, dtype=np.float32).reshape(6, 1))
origin = Tensor(np.zeros((1, 1), np.float32))
for step in range(31):
    loss, gradients = loss_and_gradients(points, origin)
    if step % 10 == 0:
        print(f"step {step}: loss {float(loss.asnumpy()):.4f}")
        print(*(f"{gradient:.3f}" for gradient in gradients[0].asnumpy().ravel()))
    optimizer(gradients)

print("fitted", np.round(network(points).asnumpy().ravel(), 3) + 0.0)
