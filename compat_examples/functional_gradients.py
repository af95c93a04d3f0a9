"""``grad`` and ``value_and_grad``: positions, weights, auxiliary outputs, and gradients that carry their name."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, grad, nn, value_and_grad


def volume(x, y, z):
    return x * y * z


x = Tensor([1.0, 2.0], ms.float32)
y = Tensor([-2.0, 3.0], ms.float32)
z = Tensor([5.0, 4.0], ms.float32)

print("one position:", grad(volume)(x, y, z))
print("two positions:", grad(volume, grad_position=(2, 0))(x, y, z))
print("a tuple of one:", grad(volume, (1,))(x, y, z))
print("with ids:", grad(volume, (1, 2), return_ids=True)(x, y, z))


def loss_and_parts(x, y):
    error = x - y
    return (error * error).sum(), error, y


gradient, aux = grad(loss_and_parts, has_aux=True)(x, y)
print("gradient:", gradient)
print("aux:", aux)
(loss, error, target), gradient = value_and_grad(loss_and_parts, has_aux=True)(x, y)
print("value and gradient:", loss, error, target, gradient)


class Affine(nn.Cell):
    def __init__(self):
        super().__init__()
        self.slope = Parameter(Tensor(np.array([3.0, -1.0], np.float32)), name="slope")
        self.offset = Parameter(Tensor(np.array([0.5], np.float32)), name="offset")

    def construct(self, x):
        return x * self.slope + self.offset


net = Affine()
weights = net.trainable_params()
print("weights:", grad(net, grad_position=None, weights=weights)(x))
print("one weight:", grad(net, None, net.slope)(x))
by_input, by_weights = grad(net, 0, weights, return_ids=True)(x)
print("input:", by_input)
print("named weights:", by_weights)
named = grad(net, 0, weights, return_ids=True)(x)
print("looked up:", ms.get_grad(named, net.offset), ms.get_grad(named, 0))
