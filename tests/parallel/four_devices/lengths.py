"""One compiled program serves many lengths where arrays are sharded along other axes; elsewhere each is compiled."""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import msgrad as ms
from msgrad import Tensor, nn, ops, sharding
from msgrad.engine.execution import execute
from msgrad.tools import explaining
from msgrad.tools.instrumentation import Watch


def compiled():
    return execute.report()["programs compiled"]


def test_gradients_share_programs_where_batch_and_weights_are_sharded(graph_mode):
    net = nn.SequentialCell(nn.Dense(3, 4, weight_init="one"), nn.Softmax(1))
    gradient, before = ms.grad(lambda x: (net(x) ** 2).sum(), None, net.trainable_params()), compiled()
    with sharding.use({"data": 2, "model": 2}, {r"0\.weight": ("model", None)}, batch="data"):
        for length in (10, 13, 12, 20, 5):
            x = np.random.default_rng(length).standard_normal((4, length, 3)).astype(np.float32)
            weights = np.exp(x.sum(2))  # of each of the four columns
            weights /= weights.sum(1, keepdims=True)
            moved = 2 * weights * (weights - (weights**2).sum(1, keepdims=True))
            result = gradient(Tensor(x))[0].asnumpy()
            np.testing.assert_allclose(
                result, np.tile((moved[..., None] * x).sum((0, 1)), (4, 1)), rtol=1e-4, atol=1e-5
            )
    assert compiled() - before == 3


def test_results_keep_their_sharding_and_an_axis_that_is_sharded_is_not_padded():
    mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("data", "model"))
    for spec, width, count in ((P("data"), 3, 3), (P(None, "data"), 4, 6)):
        run, before, placed = ms.jit(lambda x: ops.cumsum(ops.tanh(x), 1) * 0.7), compiled(), NamedSharding(mesh, spec)
        with Watch() as watch:
            for length in (20, 24, 22, 26, 28, 30):
                x = np.random.default_rng(length).standard_normal((4, length, width)).astype(np.float32)
                result = run(Tensor(jax.device_put(x, placed)))
                assert result._array_().sharding.is_equivalent_to(placed, 3)
                np.testing.assert_allclose(result.asnumpy(), np.cumsum(np.tanh(x), 1) * 0.7, rtol=1e-5, atol=1e-6)
        assert compiled() - before == count
        assert ("an axis that varies is sharded over devices" in report(watch)) == (count == 6)


def report(watch):
    return "\n".join(explaining._sizes([each for each in watch.launched if each.launches]))
