"""Graphs: GRAPH_MODE, the decorator jit, and control flow."""

# %%
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
x = Tensor(np.ones((3, 4), np.float32))
eager = net(x)

# %%
ms.set_context(mode=ms.GRAPH_MODE)
graph = net(x)
ms.set_context(mode=ms.PYNATIVE_MODE)
np.testing.assert_allclose(graph.asnumpy(), eager.asnumpy(), rtol=1e-5)


# %%
@ms.jit
def loss(x, y):
    return ops.mse_loss(net(x), y)


step = ms.value_and_grad(loss, None, net.trainable_params())
value, gradients = step(x, ops.zeros((3, 2)))
value, len(gradients)


# %%
@ms.jit
def steps(x, limit):
    while x < limit:
        x = x * 2
    return x


assert steps(Tensor(3.0), Tensor(100.0)) == 192
steps(Tensor(1.0), Tensor(10.0))
