"""Forward and reverse products with a Jacobian: ``jvp``, ``vjp``, ``nn.Jvp``, ``nn.Vjp``."""

import numpy as np
from mindspore import Tensor, nn
from mindspore.ops import jvp, vjp


class CubePlus(nn.Cell):
    def construct(self, x, y):
        return x**3 + y


class TwoOutputs(nn.Cell):
    def construct(self, x, y):
        return x * y, x - y


class Square(nn.Cell):
    def construct(self, x):
        return x * x


x = Tensor(np.array([[1, 2], [3, 4]]).astype(np.float32))
y = Tensor(np.array([[2, 1], [0, -1]]).astype(np.float32))
v = Tensor(np.array([[1, 0.5], [-1, 2]]).astype(np.float32))

print("jvp", *jvp(CubePlus(), (x, y), (v, v)), sep="\n")
print("jvp of two outputs", *jvp(TwoOutputs(), (x, y), (v, x)), sep="\n")
print("jvp of one input", *jvp(Square(), x, v), sep="\n")

output, pull_back = vjp(CubePlus(), x, y)
print("vjp", output, pull_back(v), sep="\n")
outputs, pull_back = vjp(TwoOutputs(), x, y)
print("vjp of two outputs", outputs, pull_back((v, x)), sep="\n")

print("nn.Jvp", *nn.Jvp(CubePlus())(x, y, (v, v)), sep="\n")
print("nn.Vjp", *nn.Vjp(CubePlus())(x, y, v), sep="\n")
print("nn.Vjp of one input", *nn.Vjp(Square())(x, v), sep="\n")
