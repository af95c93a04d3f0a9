"""Semi-automatic parallel mode over several processes: losses and weights equal to those of one device."""

import gc
import os
import pathlib
import sys

import jax
import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Layout, Parameter, Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init
from mindspore.parallel.auto_parallel import AutoParallel

import msgrad.sharding
from msgrad.engine.execution import executables

sys.path.append(str(pathlib.Path(__file__).parents[3]))
from tests import refusing

init()
rank, n = get_rank(), get_group_size()
folder = sys.argv[1]
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(8, 16)).astype(np.float32), rng.normal(size=(8, 4)).astype(np.float32)
W1, W2 = (rng.normal(size=(16, 32)) * 0.3).astype(np.float32), (rng.normal(size=(32, 4)) * 0.3).astype(np.float32)
MINE = slice(rank * 8 // n, (rank + 1) * 8 // n)


class Net(nn.Cell):
    """Two products: cut along columns, then along rows."""

    def __init__(self):
        super().__init__()
        self.w1, self.w2 = Parameter(Tensor(W1), name="w1"), Parameter(Tensor(W2), name="w2")
        self.first = ops.MatMul().shard(((1, 1), (1, n)))
        self.second = ops.MatMul().shard(((1, n), (n, 1)))
        self.relu = ops.ReLU().shard(((1, n),))

    def construct(self, x):
        return self.second(self.relu(self.first(x, self.w1)), self.w2)


def semi_auto(**settings):
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", **settings)


def trained(net, x=X, y=Y, optimizer=nn.Adam):
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer(net.trainable_params(), 0.05)).set_train()
    return [float(step(Tensor(x), Tensor(y)).asnumpy()) for _ in range(4)], step


def close(actual, wanted, atol=0):
    np.testing.assert_allclose(actual, wanted, rtol=1e-6, atol=atol)  # sums are added in another order


def by_strategies():
    expected, one = trained(Net())
    semi_auto(full_batch=True)
    losses, step = trained(Net())
    close(losses, expected)
    cut = step.parameters_dict()["w1"]
    assert cut.shape == (16, 32) and step.parameters_dict()["moment1.w1"].shape == (16, 32)
    part = ms.Tensor(cut)._state_().addressable_shards[0].data
    assert part.shape == (16, 32 // n), part.shape
    close(cut.asnumpy(), one.parameters_dict()["w1"].asnumpy(), atol=1e-6)
    out = step.network._backbone(Tensor(X))
    if rank == 0:
        assert out.asnumpy().shape == (8, 4) and float((out * 2).sum()) == float(out.sum() * 2)  # nobody else looks
    return step


def by_parts_of_the_batch():
    expected, _ = trained(Net())
    semi_auto()  # dataset_strategy="data_parallel"
    close(trained(Net(), X[MINE], Y[MINE])[0], expected)
    semi_auto(dataset_strategy=((n, 1), (n, 1)))
    close(trained(Net(), X[MINE], Y[MINE])[0], expected)
    layout = Layout((n,), ("dp",))
    semi_auto(dataset_strategy=(layout("dp", "None"), layout("dp", "None")))
    close(trained(Net(), X[MINE], Y[MINE])[0], expected)


def by_a_function():
    """The loop of MindSpore's guides, with a gradient of a function and an optimizer."""

    def losses(x, y):
        net, loss_fn = Net(), nn.MSELoss()
        opt = nn.Momentum(net.trainable_params(), 0.05, 0.9)

        def forward(x, y):
            logits = net(x / 1.0)
            return loss_fn(logits, y), logits

        grad = ms.value_and_grad(forward, None, opt.parameters, has_aux=True)

        @ms.jit
        def step(x, y):
            (loss, logits), gradients = grad(x, y)
            opt(gradients)
            return loss

        return [float(step(Tensor(x), Tensor(y))) for _ in range(3)]

    expected = losses(X, Y)
    semi_auto()
    close(losses(X[MINE], Y[MINE]), expected)


def by_the_optimizer():
    """The optimizer's work and random weights: without a seed they are those of the first process."""

    def net():
        return nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dropout(p=0.5), nn.Dense(32, 4))

    config = {"parallel_optimizer_threshold": 0}
    semi_auto(enable_parallel_optimizer=True, parallel_optimizer_config=config, full_batch=True)
    losses, step = trained(net())
    weight = step.parameters_dict()["moment1.0.weight"]
    assert weight._state_().addressable_shards[0].data.shape == (32 // n, 16)
    ms.reset_auto_parallel_context()
    sums = ops.AllGather()(Tensor(losses, ms.float32).reshape(1, -1)).asnumpy()
    assert (sums == sums[0]).all(), sums


def by_auto_parallel():
    def weights(wrap, sinks):
        ms.set_seed(3)
        net = wrap(nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 4)))
        dataset = ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False)
        dataset = dataset.batch(4) if wrap is not AutoParallel else parts(dataset)
        model = ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.05, 0.9))
        model.train(2, dataset, dataset_sink_mode=sinks)
        return [each.asnumpy() for each in net.trainable_params()]

    def parts(dataset):
        rows = np.arange(8).reshape(2, n, -1)[:, rank].ravel()  # of each batch of 4
        return ds.NumpySlicesDataset((X[rows], Y[rows]), ["x", "y"], shuffle=False).batch(4 // n)

    for sinks in (False, True):
        for actual, expected in zip(weights(AutoParallel, sinks), weights(lambda net: net, sinks), strict=True):
            close(actual, expected, atol=1e-6)


def by_shard():
    net = nn.Dense(16, 32)
    expected = net(Tensor(X)).asnumpy()
    semi_auto(full_batch=True)
    net.shard(((n, 1),), parameter_plan={"self.weight": (1, n)})
    close(net(Tensor(X)).asnumpy(), expected, atol=1e-6)
    close(ms.shard(lambda x: x * 2, ((1, n),), ((n, 1),))(Tensor(X)).asnumpy(), X * 2)
    close(ops.Add().shard(((n, 1), (n, 1)))(Tensor(X), Tensor(X)).asnumpy(), X * 2)


def by_a_table():
    expected, _ = trained(Net())
    with msgrad.sharding.use({"data": n}, {"w1": (None, "data")}, batch="data", optimizer=True):
        losses, step = trained(Net(), X[MINE], Y[MINE])
        assert step.parameters_dict()["w1"]._state_().addressable_shards[0].data.shape == (16, 32 // n)
        assert step.parameters_dict()["moment1.w2"]._state_().addressable_shards[0].data.shape == (32 // n, 4)
    close(losses, expected)


def checkpoints(step):
    """Each rank its parts, which the next run loads; and the whole."""
    net = step.network._backbone
    expected = net.w1.asnumpy()
    path = os.path.join(folder, f"rank_{rank}", "net.ckpt")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    ms.save_checkpoint(step, path, integrated_save=False)
    loaded = ms.load_checkpoint(path)
    assert loaded["w1"].shape == loaded["moment1.w1"].shape == (16, 32 // n) and loaded["w2"].shape == (32 // n, 4)
    net.w1.set_data(Tensor(W1 * 0))
    ms.load_param_into_net(step, loaded)
    close(net.w1.asnumpy(), expected)
    ms.save_checkpoint(step, path)
    loaded = ms.load_checkpoint(path)
    close(loaded["w1"].asnumpy(), expected)
    ms.load_param_into_net(step, loaded)
    assert net.w1._state_().addressable_shards[0].data.shape == (16, 32 // n)


def strategy_files():
    """Parts of all ranks, put together by the file that says how they lie."""
    file = os.path.join(folder, f"strategy_{rank}.ckpt")
    semi_auto(full_batch=True, strategy_ckpt_save_file=file)
    net = Net()
    net(Tensor(X))
    parts = os.path.join(folder, "parts", f"rank_{rank}")
    os.makedirs(parts, exist_ok=True)
    ms.save_checkpoint(net, os.path.join(parts, "parts.ckpt"), integrated_save=False)
    ms.reset_auto_parallel_context()
    ops.Barrier()()
    if rank == 0:
        ms.transform_checkpoints(os.path.dirname(parts), os.path.join(folder, "whole"), "net", file)
        actual = ms.load_checkpoint(os.path.join(folder, "whole", "rank_0", "net0.ckpt"))
        assert (actual["w1"].asnumpy() == W1).all() and (actual["w2"].asnumpy() == W2).all()


def garbage():
    """A value that only a cycle holds is in every process's program, whenever Python collects garbage."""
    semi_auto(full_batch=True)

    class Cycles(Net):
        def construct(self, x):
            for k in range(20):
                cycle = [x * k]
                cycle.append(cycle)
                del cycle
            y = super().construct(x)
            return y * 2 if y.sum() > 1e6 else y

    threshold = gc.get_threshold()
    gc.set_threshold(*(1, 1, 1) if rank else (10**6, 10**6, 10**6))
    first, second = (Cycles()(Tensor(X)).asnumpy() for _ in range(2))
    gc.set_threshold(*threshold)
    assert gc.isenabled() and (first == second).all()


def compiled_again():
    """What the compiler refuses for its products is compiled once more, in all processes."""
    rows = slice(6 + ms.get_context("mode"))  # of which no program is compiled yet
    expected, _ = trained(Net(), X[rows], Y[rows])
    semi_auto(full_batch=True)
    compiler, executables.stored.is_on = refusing.Compiler(), lambda: False
    jax.jit = compiler
    close(trained(Net(), X[rows], Y[rows])[0], expected)
    assert compiler.made == compiler.refused >= 1
    sum_of_all = ms.jit(lambda x: ops.AllReduce()(ops.matmul(x, x) * 3))
    close(sum_of_all(Tensor(X[rows, rows])).asnumpy(), n * 3 * X[rows, rows] @ X[rows, rows], 1e-5)
    jax.jit = compiler.jit
    assert compiler.made == compiler.refused >= 2


def refused():
    semi_auto(full_batch=True)
    net = Net()
    net(Tensor(X))
    try:
        ops.AllReduce()(net.w1)
        raise AssertionError
    except RuntimeError as error:
        assert "is sharded over all processes by a strategy" in str(error), error
    try:
        semi_auto(device_num=1)
    except NotImplementedError as error:
        assert "it has 1 devices" in str(error), error


for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
    ms.set_context(mode=mode)
    checkpoints(by_strategies())
    ms.reset_auto_parallel_context()
    if n > 2:
        continue
    checks = (
        by_parts_of_the_batch,
        by_a_function,
        by_the_optimizer,
        by_auto_parallel,
        by_shard,
        by_a_table,
        garbage,
        compiled_again,
        refused,
    )
    for check in checks:
        check()
        ms.reset_auto_parallel_context()
        print(f"rank {rank}: {check.__name__}", flush=True)
strategy_files()
print(f"rank {rank}: end", flush=True)
