"""Jacobians and Hessians: ``jacfwd``, ``jacrev``, and one inside the other."""

import numpy as np
from mindspore import Tensor, jacfwd, jacrev, nn


class Energy(nn.Cell):
    """A scalar of several coordinates: their cubes, and the square of their sum."""

    def construct(self, x):
        return (x * x * x).sum() + x.sum() * x.sum()


class SquareAndProduct(nn.Cell):
    def construct(self, x, y):
        return x * x, x * y


x = Tensor(np.array([2.0, 3.0, -1.0], np.float32))
energy = Energy()
print("gradient", jacrev(energy)(x))
print("hessian", jacfwd(jacrev(energy))(x), sep="\n")
print("other order", jacrev(jacfwd(energy))(x), sep="\n")

x, y = Tensor(np.array([2.0, 1.0], np.float32)), Tensor(np.array([0.5, 3.0], np.float32))
for row in jacfwd(SquareAndProduct(), grad_position=(0, 1))(x, y):
    print("row of Jacobians", *row, sep="\n")


def scaled(x):
    return x * x, x.sum()


jacobian, total = jacrev(scaled, has_aux=True)(x)
print("with aux", jacobian, total, sep="\n")
