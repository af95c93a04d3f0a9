"""Networks: Cells, layers, Parameters, and what they consist of."""

# %%
import mindspore as ms
from mindspore import nn, ops

from msgrad.tools import graph, summary


# %%
class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.dense_relu = nn.SequentialCell(
            nn.Dense(16, 32, weight_init="normal", bias_init="zeros"), nn.ReLU(), nn.Dense(32, 10)
        )

    def construct(self, x):
        return self.dense_relu(self.flatten(x))


net = Network()
net

# %%
x = ops.ones((2, 4, 4), ms.float32)
probabilities = nn.Softmax(axis=1)(net(x))
assert probabilities.shape == (2, 10)
probabilities.argmax(1)

# %%
for name, parameter in net.parameters_and_names():
    print(name, parameter.shape, parameter.dtype)

# %%
net.summary(x)

# %%
summary(net, x)

# %%
graph(net, x)

# %% raises
net(ops.ones((2, 5)))
