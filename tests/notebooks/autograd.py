"""Gradients of functions and networks, auxiliary results, and where gradients stop."""

# %%
import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

x, y = ops.ones(5), ops.zeros(3)
w = Parameter(Tensor(np.full((5, 3), 0.1), ms.float32), name="w")
b = Parameter(Tensor(np.zeros(3), ms.float32), name="b")


# %%
def function(x, y, w, b):
    z = ops.matmul(x, w) + b
    return ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z))


loss = function(x, y, w, b)
gradients = ms.grad(function, (2, 3))(x, y, w, b)
expected = 1 / (1 + np.exp(-0.5)) / 3
np.testing.assert_allclose(gradients[1].asnumpy(), [expected] * 3, rtol=1e-6)
loss, gradients


# %%
def with_logits(x, y, w, b):
    z = ops.matmul(x, w) + b
    return ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z)), z


gradient, (z,) = ms.grad(with_logits, 3, has_aux=True)(x, y, w, b)
assert np.allclose(gradient.asnumpy(), expected)
z

# %%
stopped = ms.grad(lambda x: ops.stop_gradient(x * x) * x)(Tensor([3.0]))
assert stopped.item() == 9
ms.grad(ms.grad(lambda x: x**3))(Tensor(2.0)), ms.jacrev(lambda x: x * x)(Tensor([1.0, 2.0]))
