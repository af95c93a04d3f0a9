"""Branches and loops that depend on the values of tensors, differentiated as they ran."""

import mindspore as ms
from mindspore import Tensor, nn, ops


class Piecewise(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x * x
        return -3 * x


class Newton(nn.Cell):
    """The square root of ``x`` by Newton's rule, until it is exact to a thousandth."""

    def construct(self, x):
        root = x
        while ops.abs(root * root - x) > 0.001:
            root = (root + x / root) / 2
        return root


class Polynomial(nn.Cell):
    def construct(self, x, degree):
        total = ops.zeros_like(x)
        power = ops.ones_like(x)
        for _ in range(degree):
            power = power * x
            total = total + power
        return total


class EditedCopy(nn.Cell):
    """Writes into a copy: what is overwritten has no gradient, what is written does."""

    def construct(self, x):
        y = x * 2
        y[0] = x[2] * 5
        return y * y


print("positive", ms.grad(Piecewise())(Tensor([1.0, 2.0], ms.float32)))
print("negative", ms.grad(Piecewise())(Tensor([1.0, -2.0], ms.float32)))
value, slope = ms.value_and_grad(Newton())(Tensor(9.0, ms.float32))
print("newton", f"{float(value.asnumpy()):.3f}", f"{float(slope.asnumpy()):.3f}")
print("loop", ms.grad(Polynomial())(Tensor([1.0, 2.0], ms.float32), 4))
print("edited", ms.grad(EditedCopy())(Tensor([1.0, 2.0, 3.0], ms.float32)))
