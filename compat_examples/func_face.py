"""The ``msgrad.func`` face: transforms with the names and rules of torch.func, over the same tensors."""

import numpy as np
from mindspore import Tensor, ops

from msgrad.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap

x = Tensor(np.array(0.5, np.float32))
cosine = grad(lambda x: ops.sin(x))(x)
print("cos", np.allclose(cosine.asnumpy(), np.cos(0.5)))
negative_sine = grad(grad(lambda x: ops.sin(x)))(x)
print("-sin", np.allclose(negative_sine.asnumpy(), -np.sin(0.5)))


def model(weights, features):
    return ops.relu((features * weights).sum())


def compute_loss(weights, example, target):
    return ((model(weights, example) - target) ** 2).mean()


weights = Tensor(np.array([1.0, -1.0, 2.0], np.float32))
examples = Tensor(np.array([[1, 2, 3], [2, 5, 1], [0.5, 0.5, 1]]).astype(np.float32))
targets = Tensor(np.array([4.0, -1.0, 1.0], np.float32))
print("each sample", vmap(grad(compute_loss), in_dims=(None, 0, 0))(weights, examples, targets), sep="\n")


def my_loss(y, y_pred):
    loss_per_sample = (0.5 * y_pred - y) ** 2
    return loss_per_sample.mean(), (y_pred, loss_per_sample)


true, predicted = Tensor(np.array([1.0, 2.0], np.float32)), Tensor(np.array([4.0, 2.0], np.float32))
(by_true, by_predicted), (kept, per_sample) = grad(my_loss, argnums=(0, 1), has_aux=True)(true, predicted)
print("by both", by_true, by_predicted, "aux", kept, per_sample)
gradient, (value, aux) = grad_and_value(my_loss, has_aux=True)(true, predicted)
print("with value", gradient, value, *aux)


def cube_sum(x):
    return (x * x * x).sum()


x = Tensor(np.array([1.0, 2.0], np.float32))
print("hessian", hessian(cube_sum)(x), sep="\n")
print("jacobians", jacfwd(lambda x: x * x)(x), jacrev(lambda x: x * x)(x), sep="\n")
print("jvp", *jvp(lambda x, y: x * y, (x, x), (x, x)))
output, pull_back = vjp(lambda x, y: x * y, x, predicted)
print("vjp", output, *pull_back(x))
