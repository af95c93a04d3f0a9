"""Making Tensors, their attributes, operations, indices, and NumPy."""

# %%
import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, ops
from mindspore.common.initializer import Normal, One, initializer

Tensor([1, 0, 1, 0])

# %%
a = Tensor(np.arange(6).reshape(2, 3), ms.float32)
(a.shape, a.dtype, a.itemsize, a.nbytes, a.ndim, a.size, a.strides)

# %%
ones = initializer(One(), [2, 2], ms.float32)
normal = initializer(Normal(0.1), [2, 2], ms.float32)
(ones, normal.shape, ops.zeros_like(ones))

# %%
a[0], a[1, 2], a[:, -1], a[..., 1:], a[a > 2]

# %%
b = a * 2 + 1
assert (b @ a.T).shape == (2, 2)
ops.concat((a, b), axis=0), ops.stack((a, b), axis=2).shape, mint.sum(a, dim=1)

# %%
array = a.asnumpy()
array[0, 0] = 9
assert a[0, 0] == 9
Tensor.from_numpy(np.ones(3)), type(array)
