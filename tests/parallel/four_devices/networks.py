"""Networks that are trained on one device and on four, and how far their losses may differ."""

import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec

import msgrad as ms
from msgrad import Tensor, nn, ops

CLOSE = 1e-6  # relative; sums over devices are added in another order

_draws = np.random.default_rng(0)
X = _draws.normal(size=(8, 16)).astype(np.float32)
Y = _draws.normal(size=(8, 4)).astype(np.float32)
W1 = (_draws.normal(size=(16, 32)) * 0.3).astype(np.float32)
W2 = (_draws.normal(size=(32, 4)) * 0.3).astype(np.float32)
SENTENCES = _draws.normal(size=(4, 6, 16)).astype(np.float32)


def mlp():
    """Two layers with the same weights each time."""
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 4))


class Block(nn.Cell):
    """A block of a transformer with four heads."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = [nn.Dense(16, 16) for _ in range(4)]
        self.norm, self.second_norm = nn.LayerNorm((16,)), nn.LayerNorm((16,))
        self.up, self.down = nn.Dense(16, 32, activation="gelu"), nn.Dense(32, 16)
        self.dropout = nn.Dropout(p=0.2)
        self.up.recompute()

    def construct(self, x):
        h = self.norm(x)
        query, key, value = [
            each(h).reshape(*x.shape[:2], 4, 4).transpose(0, 2, 1, 3) for each in (self.query, self.key, self.value)
        ]
        scores = ops.softmax(ops.matmul(query, key.swapaxes(-1, -2)) / 2.0)
        x = x + self.out(ops.matmul(scores, value).transpose(0, 2, 1, 3).reshape(x.shape))
        return x + self.dropout(self.down(self.up(self.second_norm(x))))


def block():
    """A `Block` with the same weights each time."""
    ms.set_seed(2)
    net = Block()
    net.set_train()
    return net


def trained(net, x=X, y=Y, steps=3, optimizer=nn.Adam):
    """The losses of some steps, and the Cell that has made them."""
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer(net.trainable_params(), 0.05))
    step.set_train()
    return [float(step(Tensor(x), Tensor(y)).asnumpy()) for _ in range(steps)], step


def specs(cell):
    """The PartitionSpecs of a Cell's Parameters by name."""
    return {name: spec_of(each) for name, each in cell.parameters_dict().items()}


def spec_of(tensor):
    """The PartitionSpec of a Tensor, without a None at its end."""
    items = list(jnp.asarray(tensor).sharding.spec)
    while items and items[-1] is None:
        items.pop()
    return PartitionSpec(*items)
