"""A language model by Primitives with strategies: two groups of data, and two halves of each layer."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

from .networks import CLOSE

WORDS, WIDTH, HEADS = 16, 16, 4
_draws = np.random.default_rng(1)
IDS, LABELS = _draws.integers(0, WORDS, (2, 4, 4)).astype(np.int32)


class Linear(nn.Cell):
    """A product and a bias, of which each half of the devices has half of the columns, or of the rows."""

    def __init__(self, draws, columns, rows, by_columns):
        super().__init__()
        self.weight = Parameter(Tensor(draws.normal(size=(columns, rows)).astype(np.float32) * 0.2))
        self.bias = Parameter(Tensor(draws.normal(size=rows).astype(np.float32) * 0.2))
        self.product = ops.MatMul().shard(((2, 1), (1, 2)) if by_columns else ((2, 2), (2, 1)))
        self.add = ops.Add().shard(((2, 2), (2,)) if by_columns else ((2, 1), (1,)))

    def construct(self, x):
        return self.add(self.product(x, self.weight), self.bias)


class Attention(nn.Cell):
    """Attention of which each half of the devices has half of the heads."""

    def __init__(self, draws):
        super().__init__()
        self.inputs = nn.CellList([Linear(draws, WIDTH, WIDTH, True) for _ in range(3)])
        self.out = Linear(draws, WIDTH, WIDTH, False)
        self.split, self.join = ops.Transpose().shard(((2, 1, 2, 1),)), ops.Transpose().shard(((2, 2, 1, 1),))
        self.scores = ops.BatchMatMul(transpose_b=True).shard(((2, 2, 1, 1), (2, 2, 1, 1)))
        self.values = ops.BatchMatMul().shard(((2, 2, 1, 1), (2, 2, 1, 1)))
        self.softmax = ops.Softmax().shard(((2, 2, 1, 1),))
        self.scale = ops.Mul().shard(((2, 2, 1, 1), ()))
        self.reshape = ops.Reshape()

    def construct(self, x, shape):
        heads = (*shape, HEADS, WIDTH // HEADS)
        query, key, value = [self.split(self.reshape(each(x), heads), (0, 2, 1, 3)) for each in self.inputs]
        weights = self.softmax(self.scale(self.scores(query, key), 0.5))
        return self.out(self.reshape(self.join(self.values(weights, value), (0, 2, 1, 3)), (-1, WIDTH)))


class Model(nn.Cell):
    """Rows of a table, a layer of attention, one of two products, and the cross entropy of the next words."""

    def __init__(self):
        super().__init__()
        draws = np.random.default_rng(2)
        self.table = Parameter(Tensor(draws.normal(size=(WORDS, WIDTH)).astype(np.float32)), name="table")
        self.gamma = Parameter(Tensor(np.ones(WIDTH, np.float32)), name="gamma")
        self.beta = Parameter(Tensor(np.zeros(WIDTH, np.float32)), name="beta")
        self.attention = Attention(draws)
        self.up, self.down = Linear(draws, WIDTH, 64, True), Linear(draws, 64, WIDTH, False)
        self.up.recompute(mp_comm_recompute=False, parallel_optimizer_comm_recompute=True)
        self.gather = ops.Gather().shard(((1, 1), (2, 1)))
        self.norm = ops.LayerNorm().shard(((2, 1), (1,), (1,)))
        self.gelu, self.residual = ops.GeLU().shard(((2, 2),)), ops.Add().shard(((2, 1), (2, 1)))
        self.head = ops.MatMul(transpose_b=True).shard(((2, 1), (2, 1)))
        self.one_hot = ops.OneHot().shard(((2, 1), (), ()))
        self.loss = ops.SoftmaxCrossEntropyWithLogits().shard(((2, 1), (2, 1)))
        self.mean = ops.ReduceMean().shard(((2,),))
        self.one, self.zero = Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)

    def construct(self, ids, labels):
        x = ops.reshape(self.gather(self.table, ids, 0), (-1, WIDTH))
        x = self.residual(x, self.attention(self.norm(x, self.gamma, self.beta)[0], ids.shape))
        x = self.residual(x, self.down(self.gelu(self.up(x))))
        expected = self.one_hot(ops.reshape(labels, (-1,)), WORDS, self.one, self.zero)
        return self.mean(self.loss(self.head(x, self.table), expected)[0], 0)


def losses():
    net = Model()
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.02))
    step.set_train()
    return [float(step(Tensor(IDS), Tensor(LABELS)).asnumpy()) for _ in range(3)]


@pytest.fixture(scope="module")
def expected():
    return losses()


@pytest.mark.parametrize(
    "settings",
    [
        {"full_batch": True},
        {"dataset_strategy": ((2, 1), (2, 1))},
        {
            "full_batch": True,
            "enable_parallel_optimizer": True,
            "parallel_optimizer_config": {"parallel_optimizer_threshold": 0},
        },
    ],
    ids=["whole batch", "halves of the batch", "parallel optimizer"],
)
def test_losses_are_those_of_one_device(settings, expected):
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", **settings)
    np.testing.assert_allclose(losses(), expected, rtol=CLOSE)
