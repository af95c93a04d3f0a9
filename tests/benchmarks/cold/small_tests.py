"""What a file of small tests does: many calls and gradients, each of other operations, shapes and dtypes."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

UNARY = [ops.sin, ops.exp, ops.tanh, ops.sigmoid, ops.relu, ops.abs, ops.square, ops.gelu, ops.softplus, ops.erf]
for number, operation in enumerate(UNARY):
    for shape in ((3,), (2, 3), (1, 4, 2)):
        x = Tensor(np.full((*shape, number + 1), 0.5, np.float32))
        operation(x).asnumpy()
        ms.grad(lambda x, operation=operation: operation(x).sum())(x).asnumpy()
LAYERS = [
    lambda: nn.Dense(4, 3),
    lambda: nn.LayerNorm((4,)),
    lambda: nn.SequentialCell(nn.Dense(4, 5), nn.ReLU(), nn.Dense(5, 2)),
    lambda: nn.Softmax(),
]
for make in LAYERS:
    for rows in range(1, 6):
        layer, x = make(), Tensor(np.ones((rows, 4), np.float32))
        layer(x).asnumpy()
        ms.grad(lambda x, layer=layer: layer(x).sum())(x).asnumpy()
