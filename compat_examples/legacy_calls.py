"""Forms of MindSpore 1.6 that later versions dropped: ``vjp(fn, inputs, v)`` and ``grad(fn, position, True)``."""

import mindspore.context as context
import mindspore.nn as nn
import numpy as np
from mindspore import Tensor
from mindspore.ops import grad, vjp

context.set_context(device_target="CPU")


class CubePlus(nn.Cell):
    def construct(self, x, y):
        return x**3 + y


x = Tensor(np.array([[1, 2], [3, 4]]).astype(np.float32))
y = Tensor(np.array([[2, 1], [0, -1]]).astype(np.float32))
v = Tensor(np.array([[1, 0.5], [-1, 2]]).astype(np.float32))

output, gradients = vjp(CubePlus(), (x, y), v)
print(output)
print(gradients)
print(grad(CubePlus(), (0, 1), True)(x, y, v))
