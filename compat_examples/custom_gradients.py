"""Replacing the derivative of a computation: ``Cell.bprop``, ``custom_vjp`` and ``stop_gradient``."""

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.ops.function.grad.grad_func import custom_vjp


class StraightThroughSign(nn.Cell):
    """The sign, with the derivative of the identity inside [-1, 1]."""

    def construct(self, x):
        return ops.sign(x)

    def bprop(self, x, out, dout):
        return (ops.where(ops.abs(x) <= 1, dout, ops.zeros_like(dout)),)


class CubeWithWrongSlope(nn.Cell):
    def construct(self, x):
        return x * x * x

    def bprop(self, x, out, dout):
        return (dout * 5 * x * x,)


class Inside(nn.Cell):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x):
        return self.cell(x) * x


@custom_vjp
def clipped_product(a, b):
    return a * b


def clipped_product_bprop(a, b, out, dout):
    return ops.clip_by_value(dout * b, -2.0, 2.0), ops.clip_by_value(dout * a, -2.0, 2.0)


clipped_product.defbwd(clipped_product_bprop)


def half_stopped(x):
    return x * x + ops.stop_gradient(x * x) * x


x = Tensor([0.5, -2.0, 1.0], ms.float32)
print("sign", StraightThroughSign()(x), ms.grad(StraightThroughSign())(x))
print("inside", ms.grad(Inside(StraightThroughSign()))(x))
print("first", ms.grad(CubeWithWrongSlope())(x))
print("second", ms.grad(ms.grad(CubeWithWrongSlope()))(x))

a, b = Tensor([1.0, 4.0], ms.float32), Tensor([3.0, 0.5], ms.float32)
print("clipped", clipped_product(a, b), *ms.grad(clipped_product, (0, 1))(a, b))
print("stopped", ms.grad(half_stopped)(x))
