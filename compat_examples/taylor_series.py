"""Higher derivatives in one direction: ``jet``, ``derivative``, and the reusable tangent map of ``linearize``."""

import numpy as np
from mindspore import Tensor, nn, ops


class Cube(nn.Cell):
    def construct(self, x):
        return x * x * x


class Product(nn.Cell):
    def construct(self, x, y):
        return x * y


x = Tensor(np.array([1.0, 2.0], np.float32))
y = Tensor(np.array([5.0, -1.0], np.float32))
series = Tensor(np.array([[1, 1], [0, 0], [0, 0]]).astype(np.float32))

output, derivatives = ops.jet(Cube(), x, series)
print("jet", output, derivatives, sep="\n")
print("second derivative", *ops.derivative(Cube(), x, 2))
print("of a product", *ops.derivative(Product(), (x, y), 2))

output, push_forward = ops.linearize(Product(), (x, y))
print("linearized at", output)
print(push_forward((x, y)))
print(push_forward((y, x)))
