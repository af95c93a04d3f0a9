"""Looking at gradients and changing them on their way: Tensor, Cell and operator hooks."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


def double(gradient):
    return gradient * 2


def scale_and_cut(gradient):
    return ops.minimum(gradient * 10, Tensor(25.0, ms.float32))


class HookOnTensor(nn.Cell):
    def construct(self, x, y):
        product = x * y
        product.register_hook(double)
        return product * y


class InsertedHook(nn.Cell):
    def __init__(self):
        super().__init__()
        self.hook = ops.InsertGradientOf(scale_and_cut)

    def construct(self, x, y):
        return self.hook(x * y) * y


class Scale(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.array([2.0, 3.0], np.float32)), name="weight")

    def construct(self, x):
        return x * self.weight


class Outer(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x) * 3


def add_one_to_input(cell, inputs):
    return (inputs[0] + 1,)


def halve_output(cell, inputs, output):
    return output / 2


def negate_input_gradient(cell, input_gradients, output_gradients):
    return (-input_gradients[0],)


x = Tensor([1.0, 2.0], ms.float32)
y = Tensor([3.0, 4.0], ms.float32)

print("on a tensor", *ms.grad(HookOnTensor(), (0, 1))(x, y))
print("inserted", *ms.grad(InsertedHook(), (0, 1))(x, y))

inner = Scale()
net = Outer(inner)
print("plain", net(x), ms.grad(net)(x))

inner = Scale()
handles = [
    inner.register_forward_pre_hook(add_one_to_input),
    inner.register_forward_hook(halve_output),
    inner.register_backward_hook(negate_input_gradient),
]
net = Outer(inner)
print("hooked", net(x), ms.grad(net)(x))

for handle in handles:
    handle.remove()
net = Outer(inner)
print("removed", net(x), ms.grad(net)(x))
