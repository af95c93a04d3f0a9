"""One gradient for each sample of a batch: ``vmap`` of ``grad``, against the gradient of the whole batch."""

import numpy as np
from mindspore import Parameter, Tensor, grad, nn, ops, value_and_grad, vmap


def loss(weight, sample, target):
    error = (weight * sample).sum() - target
    return error * error


weight = Tensor(np.array([1.0, -2.0, 0.5], np.float32))
samples = Tensor(np.array([[1, 2, 4], [0.5, 1, 2], [3, -1, 1], [2, 2, 2]]).astype(np.float32))
targets = Tensor(np.array([1.0, 2.5, 4.5, 0.0], np.float32))

each = vmap(grad(loss), in_axes=(None, 0, 0))(weight, samples, targets)
print("each", each, sep="\n")
values, gradients = vmap(value_and_grad(loss, (0, 2)), in_axes=(None, 0, 0))(weight, samples, targets)
print("losses", values, "by target", gradients[1])


def batch_loss(weight, samples, targets):
    return vmap(loss, in_axes=(None, 0, 0))(weight, samples, targets).sum()


print("sum", each.sum(axis=0), grad(batch_loss)(weight, samples, targets))


class Linear(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.array([1.0, -2.0, 0.5], np.float32)), name="weight")

    def construct(self, sample, target):
        error = (self.weight * sample).sum() - target
        return error * error


net = Linear()
print("by parameter", *vmap(grad(net, None, net.trainable_params()))(samples, targets), sep="\n")
print("columns", vmap(ops.square, in_axes=1, out_axes=1)(samples), sep="\n")
