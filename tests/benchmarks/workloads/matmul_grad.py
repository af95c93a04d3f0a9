"""``GradOperation`` in a Cell, on a network of one product and one Parameter."""

import numpy as np

TITLE = "GradOperation on x * z @ y, 2x3 and 3x3"
X = np.array([[0.5, 1.0, 2.0], [1.5, 0.25, 3.0]], np.float32)
Y = np.array([[1.0, 0.5, 4.0], [2.0, 0.25, 1.0], [0.5, 8.0, 3.0]], np.float32)
Z = np.array([2.0], np.float32)


def mindspore_step():
    from mindspore import Parameter, Tensor, nn, ops

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.matmul = ops.MatMul()
            self.z = Parameter(Tensor(Z), name="z")

        def construct(self, x, y):
            return self.matmul(x * self.z, y)

    class Gradient(nn.Cell):
        def __init__(self, net):
            super().__init__()
            self.net = net
            self.grad_op = ops.GradOperation()

        def construct(self, x, y):
            return self.grad_op(self.net)(x, y)

    gradient, x, y = Gradient(Net()), Tensor(X), Tensor(Y)
    return lambda: (gradient(x, y),)


def jax_step(compiled):
    import jax

    def net(x, y, z):
        return ((x * z) @ y).sum()

    gradient = jax.grad(net)
    gradient = jax.jit(gradient) if compiled else gradient
    x, y, z = jax.device_put((X, Y, Z))
    return lambda: (gradient(x, y, z),)
