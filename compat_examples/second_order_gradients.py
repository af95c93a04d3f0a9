"""Second derivatives by nesting ``GradOperation``: one input, several outputs, and mixed partials through ``sens``."""

import numpy as np
from mindspore import Tensor, nn, ops


class Sine(nn.Cell):
    def __init__(self):
        super().__init__()
        self.sin = ops.Sin()

    def construct(self, x):
        return self.sin(x)


class Quartic(nn.Cell):
    def construct(self, x):
        return x * x * x * x


class CubeTimesSquare(nn.Cell):
    def construct(self, x, y):
        return x * x * x * y * y


class Gradient(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self.grad = ops.GradOperation()
        self.network = network

    def construct(self, x):
        return self.grad(self.network)(x)


class AllGradients(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self.grad = ops.GradOperation(get_all=True)
        self.network = network

    def construct(self, x, y):
        return self.grad(self.network)(x, y)


class RowsOfHessian(nn.Cell):
    """Picks one first derivative by a cotangent of one, and the other by a cotangent of zero."""

    def __init__(self, first_gradients):
        super().__init__()
        self.grad = ops.GradOperation(get_all=True, sens_param=True)
        self.network = first_gradients
        self.take = Tensor(np.array([1], np.float32))
        self.leave = Tensor(np.array([0], np.float32))

    def construct(self, x, y):
        dxdx, dxdy = self.grad(self.network)(x, y, (self.take, self.leave))
        dydx, dydy = self.grad(self.network)(x, y, (self.leave, self.take))
        return dxdx, dxdy, dydx, dydy


angle = Tensor(np.array([0.5], np.float32))
print("-sin", np.round(Gradient(Gradient(Sine()))(angle).asnumpy(), 4))

x = Tensor(np.array([1.0, 2.0, -3.0], np.float32))
print("second", Gradient(Gradient(Quartic()))(x))
print("third", Gradient(Gradient(Gradient(Quartic())))(x))

x, y = Tensor(np.array([2.0], np.float32)), Tensor(np.array([3.0], np.float32))
dxdx, dxdy, dydx, dydy = RowsOfHessian(AllGradients(CubeTimesSquare()))(x, y)
print("mixed", dxdx, dxdy, dydx, dydy)
