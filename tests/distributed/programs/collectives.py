"""Every collective between two processes, in both modes: values, what is refused, and gradients."""

import mindspore as ms
import mindspore.mint.distributed as dist
import numpy as np
from mindspore import Tensor, ops
from mindspore.communication import comm_func, create_group, get_rank, init

init("mccl")
rank, n = get_rank(), 2
other = 1 - rank
x = Tensor(np.arange(4).reshape(2, 2).astype(np.float32) + 10 * (rank + 1))
both = [np.arange(4).reshape(2, 2) + 10 * (r + 1) for r in range(n)]
own, total = both[rank], both[0] + both[1]
flat = Tensor(np.arange(3, dtype=np.float32) + 3 * rank)


def values_of(actual):
    if isinstance(actual, Tensor):
        return actual.asnumpy()
    return [values_of(each) for each in actual] if isinstance(actual, (tuple, list)) else actual


def check(name, actual, expected):
    actual = values_of(actual)
    for mine, wanted in zip(actual, expected, strict=True) if isinstance(actual, list) else [(actual, expected)]:
        assert np.shape(mine) == np.shape(wanted), f"{name}: {np.shape(mine)}, not {np.shape(wanted)}"
        assert np.array_equal(mine, np.asarray(wanted)), f"{name}: {mine}, not {wanted}"


def in_place(call, *shape):
    target = ops.zeros(shape) if shape else x.copy()
    call(target)
    return target


def raises(kind, call):
    try:
        call()
    except kind:
        return True
    return False


def attributes():
    """What msrun of two processes gives in MindSpore."""
    assert (ops.AllGather().rank, ops.AllGather().rank_size, ops.AllGatherV().rank_id) == (rank, 2, rank)
    assert (ops.Send(7, other).rank, ops.Receive(7, other, [1], ms.float32).tag) == (other, 7)
    sized = (
        ops.ReduceScatter(),
        ops.AlltoAll(2, 0, 0),
        ops.CollectiveGather(1),
        ops.CollectiveScatter(1),
        ops.AlltoAllV(),
    )
    assert [each.rank_size for each in sized] == [2] * 5
    if rank == 1:
        create_group("alone", [1])
        assert (ops.AllGather("alone").rank, ops.AllGather("alone").rank_size) == (0, 1)
    else:
        assert raises(RuntimeError, lambda: ops.AllGather("alone"))
    for build in (ops.AllGather, ops.AlltoAllV, ops.AllGatherV, lambda name: ops.ReduceScatter(group=name)):
        assert raises(RuntimeError, lambda build=build: build("unknown"))
    assert ops.AllReduce(group="unknown").group == "unknown"
    assert raises(ValueError, lambda: ops.NeighborExchangeV2([5] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW"))


def primitives():
    check("sum", ops.AllReduce()(x), total)
    check("max", ops.AllReduce("max")(x), both[1])
    check("min", ops.AllReduce("min")(x), both[0])
    check("prod", ops.AllReduce("prod")(x), both[0] * both[1])
    for dtype in (np.int8, np.int32, np.int64, np.uint8, np.float16, np.float64):
        check(str(dtype), ops.AllReduce()(Tensor(np.array([1, 2], dtype))), np.array([2, 4], dtype))
    check("bool", ops.AllReduce()(Tensor([rank == 0, True, False])), [True, True, False])
    check("0-d", ops.AllReduce()(Tensor(float(rank))), 1.0)
    check("empty", ops.AllReduce()(ops.zeros((0,))), np.zeros(0))
    large = np.full(40_000, 1j * (rank + 1), np.complex64)
    check("large complex max", ops.AllReduce("max")(Tensor(large)), np.full(40_000, 2j))
    check("gather", ops.AllGather()(x), np.concatenate(both))
    check("scatter", ops.ReduceScatter()(x), total[rank : rank + 1])
    check("scatter max", ops.ReduceScatter("max")(x), both[1][rank : rank + 1])
    check("broadcast", ops.Broadcast(1)((x, Tensor([rank == 0])))[0], both[1])
    check("broadcast bool", ops.Broadcast(1)((Tensor([rank == 0]),))[0], [False])
    check("reduce", ops.Reduce(1)(x), total if rank else [0.0])
    check("gather to one", ops.CollectiveGather(0)(x), [0.0] if rank else np.concatenate(both))
    check("scatter from one", ops.CollectiveScatter(1)(x), both[1][rank : rank + 1])
    check("all to all", ops.AlltoAll(2, 0, 1)(x), np.concatenate([each[rank : rank + 1] for each in both], 1))
    sent, received = ([1, 2], [1, 2]) if rank == 0 else ([2, 1], [2, 1])
    check("parts", ops.AlltoAllV()(flat, sent, received), [0.0, 3.0, 4.0] if rank == 0 else [1.0, 2.0, 5.0])
    check("matrix", ops.AlltoAllVC()(flat, [1, 2, 2, 1]), [0.0, 3.0, 4.0] if rank == 0 else [1.0, 2.0, 5.0])
    check("uneven", ops.AllGatherV()(flat[: rank + 1], [1, 2]), [0.0, 3.0, 4.0])
    check("uneven scatter", ops.ReduceScatterV()(flat, [1, 2]), [3.0] if rank == 0 else [5.0, 7.0])
    exchange = ops.NeighborExchange([other], [other], ([2, 2],), ([2, 2],), ms.float32)
    check("neighbour", exchange((x,))[0], both[other])
    ids = [-1] * 8
    ids[4 if rank == 0 else 0] = other  # rank 0 lies above rank 1
    lengths = [0, 1, 0, 0] if rank == 0 else [1, 0, 0, 0]
    borders = ops.NeighborExchangeV2(ids, lengths, ids, lengths, "NCHW")(x.reshape(1, 1, 2, 2))
    wide = np.concatenate([own, both[1][:1]] if rank == 0 else [both[0][1:], own])
    check("borders", borders, wide[None, None])
    assert ops.Barrier()() is None
    if rank == 0:
        check("sent", ops.Send(0, 1)(x), own)
    else:
        check("received", ops.Receive(0, 0, [2, 2], ms.float32)(Tensor(0.0)), both[0])
    batch = ops.BatchISendIRecv(("isend", "irecv"), (other, other), ((2, 2),), (ms.float32,))
    check("batch", batch((x,))[1], both[other])


def functions():
    check("all_reduce", in_place(lambda t: dist.all_reduce(t)), total)
    check("avg", in_place(lambda t: dist.all_reduce(t, "avg")), total / 2)
    check("reduce", in_place(lambda t: dist.reduce(t, 1)), total if rank else own)
    check("broadcast", in_place(lambda t: dist.broadcast(t, 0)), both[0])
    listed = [ops.zeros((2, 2)) for _ in range(n)]
    dist.all_gather(listed, x)
    check("all_gather", listed, both)
    check("into", in_place(lambda t: dist.all_gather_into_tensor(t, x), 4, 2), np.concatenate(both))
    rows = x[: rank + 1]
    uneven = in_place(lambda t: dist.all_gather_into_tensor_uneven(t, rows, [1, 2]), 3, 2)
    check("uneven", uneven, np.concatenate([both[0][:1], both[1]]))
    check("scatter", in_place(lambda t: dist.reduce_scatter_tensor(t, x), 1, 2), total[rank : rank + 1])
    check("scatter list", in_place(lambda t: dist.reduce_scatter(t, [x, x * 2]), 2, 2), total * (rank + 1))
    dist.gather(x, listed if rank == 1 else None, 1)
    check("gather", listed, both)
    actual = in_place(lambda t: dist.scatter(t, [x, x + 1] if rank == 0 else None), 2, 2)
    check("scatter from one", actual, both[0] + rank)
    actual = [ops.zeros(k + 1) for k in range(n)]
    dist.all_to_all(actual, [Tensor(np.full(rank + 1, 10.0 * rank + k, np.float32)) for k in range(n)])
    check("all_to_all", actual, [np.full(k + 1, 10.0 * k + rank) for k in range(n)])
    single = np.stack([each[rank] for each in both])
    check("single", in_place(lambda t: dist.all_to_all_single(t, x), 2, 2), single)
    objects = [None] * n
    dist.all_gather_object(objects, {"rank": rank})
    assert objects == [{"rank": 0}, {"rank": 1}]
    objects = [{"from": rank}, rank]
    dist.broadcast_object_list(objects, 1)
    assert objects == [{"from": 1}, 1]
    objects = [None]
    dist.scatter_object_list(objects, ["a", "b"] if rank == 0 else None)
    assert objects == ["ab"[rank]]
    if rank == 0:
        dist.send_object_list(["x", 3], 1)
    else:
        objects = [None, None]
        dist.recv_object_list(objects, 0)
        assert objects == ["x", 3]
    target = ops.zeros((2, 2))
    handles = [dist.irecv(target, other), dist.isend(x, other)]
    for handle in handles:
        handle.wait()
    check("both ways", target, both[other])
    if rank == 0:
        dist.send(x, 1)
    else:
        target = ops.zeros((2, 2))
        assert dist.recv(target, 0) == 0
        check("sent by a function", target, both[0])
    check("returned", comm_func.all_reduce(x)[0], total)
    check("returned parts", comm_func.all_to_all_with_output_shape([(2,), (2,)], [x[0], x[1]])[0], single)
    dist.barrier()
    assert (dist.get_rank(), dist.get_world_size(), dist.get_backend()) == (rank, 2, "mccl")


class Rows(ms.nn.Cell):
    """The Primitives within one graph."""

    def construct(self, value):
        return ops.AllReduce()(value), ops.AllGather()(value), ops.ReduceScatter()(value), ops.Broadcast(0)((value,))[0]


for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    primitives()
    check("in a Cell", Rows()(x), [total, np.concatenate(both), total[rank : rank + 1], both[0]])
ms.set_context(mode=ms.PYNATIVE_MODE)
attributes()
functions()
assert raises(TypeError, lambda: ops.AllReduce("mean"))
assert raises(ValueError, lambda: ops.AllReduce(group="nowhere")(x))
assert raises(ValueError, lambda: ops.Broadcast(2))
assert raises(ValueError, lambda: ops.ReduceScatter()(ops.ones(3)))
assert raises(ValueError, lambda: ops.AlltoAll(3, 0, 1)(x))
weights = Tensor((np.arange(4).reshape(2, 2) + 1).astype(np.float32) * (rank + 1))
each = np.arange(4).reshape(2, 2) + 1.0


def gradient(op, shown=lambda out: out):
    return ms.grad(lambda v: (shown(op(v)) * weights).sum())(x)


check("d sum", gradient(ops.AllReduce()), 3 * each)
check("d max", gradient(ops.AllReduce("max")), 3 * each if rank else np.zeros((2, 2)))
check("d prod", gradient(ops.AllReduce("prod")), 3 * each * both[other])
check("d broadcast", gradient(lambda v: ops.Broadcast(1)((v,))[0]), each * (rank + 1))
check("d gather", gradient(ops.AllGather(), lambda out: out[:2]), 0 * each if rank else 3 * each)
moved = (np.arange(4).reshape(1, 4) + 1).astype(np.float32)
actual = ms.grad(lambda v: (ops.AlltoAll(2, 0, 1)(v) * Tensor(moved * (rank + 1))).sum())(x)
check("d all to all", actual, np.stack([moved[0, 2 * rank : 2 * rank + 2] * (k + 1) for k in range(2)]))
print(f"rank {rank}: end", flush=True)
