"""Data parallel training: weights equal to one process on the joint batch, for each training API, in both modes."""

import gc
import sys

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init

from msgrad.engine.recording.trace import Trace

init()
rank, n = get_rank(), get_group_size()
if "mixed" in sys.argv and rank == 1:
    ms.set_deterministic(True)  # compiles what NumPy runs in the others
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(24, 3)).astype(np.float32), rng.normal(size=(24, 2)).astype(np.float32)
W = [rng.normal(size=shape).astype(np.float32) for shape in ((5, 3), (2, 5))]
PER = 4 // n


def network(scale=1.0):
    first = nn.Dense(3, 5, weight_init=Tensor(W[0] * scale), bias_init="zeros")
    return nn.SequentialCell(first, nn.Tanh(), nn.Dense(5, 2, weight_init=Tensor(W[1]), bias_init="zeros"))


class Mse(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x, y):
        return ((self.net(x) - y) ** 2).mean()


def data():
    return ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False, num_shards=n, shard_id=rank).batch(PER)


def alone():
    net = network()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = ms.value_and_grad(Mse(net), None, opt.parameters)
    for start in range(0, 24, 4):
        opt(step(Tensor(X[start : start + 4]), Tensor(Y[start : start + 4]))[1])
    return [each.asnumpy() for each in net.get_parameters()]


def by_model(sinks):
    net = network(scale=1.0 + rank)  # parameter_broadcast begins all as the first
    model = ms.Model(Mse(net), optimizer=nn.Momentum(net.trainable_params(), 0.1, 0.9))
    model.train(1, data(), dataset_sink_mode=sinks)
    return net


def by_cell():
    net = network()
    step = nn.TrainOneStepCell(Mse(net), nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
    for x, y in data().create_tuple_iterator():
        step(x, y)
    return net


def recordings_end():
    """A step leaves no recording: that would keep the old Parameters, which the next step would have to copy."""
    step = nn.TrainOneStepCell(Mse(net := network()), nn.SGD(net.trainable_params(), 0.1)).set_train()
    gc.collect()
    gc.disable()
    step(Tensor(X[:PER]), Tensor(Y[:PER]))
    assert not any(isinstance(each, Trace) for each in gc.get_objects())
    gc.enable()


def by_reducer():
    net = network()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    reducer = nn.DistributedGradReducer(opt.parameters)
    step = ms.value_and_grad(Mse(net), None, opt.parameters)
    for x, y in data().create_tuple_iterator():
        loss, gradients = step(x, y)
        if rank == 0:
            float(loss)  # nobody else looks
        opt(reducer(gradients))
    return net


def overflow():
    net = network()
    manager = nn.DynamicLossScaleUpdateCell(2.0**4, 2, 1000)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = nn.TrainOneStepWithLossScaleCell(Mse(net), optimizer, manager).set_train()
    x = X[:PER] * (np.float32(np.inf) if rank == 1 else 1)
    _, overflows, _ = step(Tensor(x), Tensor(Y[:PER]))
    assert bool(overflows) and float(step.scale_sense) == 8.0, (overflows, step.scale_sense)
    assert np.array_equal(net[0].weight.asnumpy(), W[0]) and np.array_equal(net[2].weight.asnumpy(), W[1])


def dropout():
    """The step of a network that draws, whose steps are recorded each time, kept, and run many at a time."""
    net = nn.SequentialCell(nn.Dense(3, 5), nn.Dropout(p=0.5), nn.Dense(5, 2))
    model = ms.Model(Mse(net), optimizer=nn.SGD(net.trainable_params(), 0.01))
    model.train(2, data(), dataset_sink_mode=True)
    sums = ops.AllReduce()(Tensor([float(net[0].weight.sum())]))
    assert abs(float(sums[0]) - n * float(net[0].weight.sum())) < 1e-4, "weights differ between the processes"


def normalized():
    images = rng.normal(size=(8, 3, 2, 2)).astype(np.float32)
    each = 8 // n
    synchronized, whole = nn.SyncBatchNorm(3).set_train(), nn.BatchNorm2d(3).set_train()
    mine = slice(rank * each, (rank + 1) * each)
    out, expected = synchronized(Tensor(images[mine])), whole(Tensor(images))
    assert np.allclose(out.asnumpy(), expected.asnumpy()[mine], atol=1e-5)
    assert np.allclose(synchronized.moving_variance.asnumpy(), whole.moving_variance.asnumpy(), atol=1e-6)
    # A rank that is in no list has statistics of its own, as all have with 0.
    for groups in ([[0]], 0):
        apart, whole_part = nn.SyncBatchNorm(3, process_groups=groups).set_train(), nn.BatchNorm2d(3).set_train()
        assert np.allclose(apart(Tensor(images[mine])).asnumpy(), whole_part(Tensor(images[mine])).asnumpy(), atol=1e-6)
    weights = Tensor(np.cos(np.arange(images.size)).reshape(images.shape).astype(np.float32))
    actual = ms.grad(lambda v: (synchronized(v) * weights[mine]).sum())(Tensor(images[mine]))
    wanted = ms.grad(lambda v: (whole(v) * weights).sum())(Tensor(images))
    assert np.allclose(actual.asnumpy(), wanted.asnumpy()[mine], atol=1e-5)


expected = alone()
for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    ms.set_auto_parallel_context(
        parallel_mode="data_parallel", gradients_mean=True, device_num=n, parameter_broadcast=True
    )
    runs = {"model": lambda: by_model(False), "sink": lambda: by_model(True), "cell": by_cell, "reducer": by_reducer}
    for name, train in runs.items():
        if sys.argv[1:] and name not in sys.argv:
            continue
        result = [each.asnumpy() for each in train().get_parameters()]
        worst = max(np.abs(a - b).max() for a, b in zip(result, expected, strict=True))
        assert worst < 1e-6, f"{name}: {worst}"
        print(f"rank {rank}: {name} {worst:.1e}", flush=True)
    if not sys.argv[1:]:
        overflow()
        dropout()
        normalized()
        recordings_end()
    ms.reset_auto_parallel_context()
print(f"rank {rank}: end", flush=True)
