"""What becomes of the others when rank 1 raises, is killed, ends, differs in a collective, sticks, or is stopped."""

import os
import signal
import sys
import time

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops
from mindspore.communication import create_group, get_rank, init

from msgrad.engine.collectives import interpreted

interpreted._WORTH = 0  # NumPy runs programs of any size first, unless MSGRAD_TIERS is off
init()
rank, how = get_rank(), sys.argv[1]


def total(length=2):
    return ops.AllReduce()(Tensor(np.ones(length, np.float32))).asnumpy().tolist()


def stuck():
    time.sleep(300)


class Graph(ms.nn.Cell):
    """Known collectives of the same shape each, in a graph that is not compared before each step."""

    def construct(self, value):
        return ops.AllReduce()(value * 2)


class Cut(ms.nn.Cell):
    """A program that lies over both processes."""

    def __init__(self):
        super().__init__()
        self.cut = ops.Add().shard(((2,), (2,)))

    def construct(self, value):
        return self.cut(value, value) if how != "other program" or rank == 0 else self.cut(value, value * 2)


def in_semi_auto():
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
    ms.set_context(mode=ms.GRAPH_MODE)
    print(Cut()(ops.ones(4 if how != "other shape" else 4 + 2 * rank)).asnumpy(), flush=True)


def sink():
    """Steps of one launch, of which rank 1 has fewer."""
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    rows = np.ones((4 - 2 * rank, 2), np.float32)
    rows = ms.dataset.NumpySlicesDataset((rows, rows), ["x", "y"]).batch(1)
    net = ms.nn.Dense(2, 2)
    model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params()))
    model.train(1, rows, dataset_sink_mode=True)


total()
if how.startswith("known"):
    total(3)
    total(100_000)
graph = Graph()
graph(ops.ones(2))
began = time.time()
print(f"rank {rank}: begins {began}", flush=True)
if rank == 1:
    {
        "raise": lambda: int("no number"),
        "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "exit": lambda: sys.exit(0),
        "leave": lambda: os._exit(0),
        "late": lambda: time.sleep(4),
        "stuck": stuck,
    }.get(how, lambda: None)()
if how == "shape":
    total(2 + rank)
elif how == "order":
    ops.AllGather()(ops.ones(2)) if rank else total()
elif how == "known shape":
    total(2 + rank)
elif how == "known size":
    total(100_000 if rank else 2)
elif how == "less" and rank == 1:
    pass
elif how == "sink":
    sink()
    sys.exit(0)
elif how == "groups":
    create_group("swapped", [1, 0])
    for group in ("hccl_world_group", "swapped")[:: 1 - 2 * rank]:
        ops.AllReduce(group=group)(ops.ones(2))
elif how == "graph":
    ms.set_context(mode=ms.GRAPH_MODE)
    if rank == 0:
        graph(ops.ones(2))
elif how == "steps":
    for _ in range(40):
        total()
        time.sleep(0.2)
elif how in ("other shape", "other program", "no program"):
    if how != "no program" or rank == 0:
        in_semi_auto()
else:
    total()
total()
print(f"rank {rank}: end", flush=True)
