"""Groups of four processes: parity groups, one without rank 0, pairs, in turn and within one gradient."""

import mindspore as ms
import mindspore.mint.distributed as dist
import numpy as np
from mindspore import Tensor, ops
from mindspore.communication import (
    GlobalComm,
    create_group,
    get_group_rank_from_world_rank,
    get_group_size,
    get_local_rank,
    get_local_rank_size,
    get_process_group_ranks,
    get_rank,
    get_world_rank_from_group_rank,
    init,
)

init()
rank, n = get_rank(), get_group_size()
assert (n, get_local_rank(), get_local_rank_size(), get_process_group_ranks()) == (4, rank, 4, [0, 1, 2, 3])
x = Tensor(np.full(2, rank + 1, np.float32))
parity = f"parity{rank % 2}"
create_group(parity, [rank % 2, rank % 2 + 2])
assert (get_rank(parity), get_group_size(parity)) == (rank // 2, 2)
assert get_world_rank_from_group_rank(parity, 1) == rank % 2 + 2
assert get_group_rank_from_world_rank(rank, parity) == rank // 2
assert (get_local_rank(parity), get_local_rank_size(parity)) == (rank // 2, 2)
create_group(parity, [rank % 2, rank % 2 + 2])  # again
refused = [(ask, ("other",), RuntimeError) for ask in (get_rank, get_group_size, get_local_rank, get_local_rank_size)]
for call, arguments, kind in (*refused, (create_group, (parity, [rank]), ValueError)):
    try:
        call(*arguments)
        raise SystemExit(f"{call.__name__}{arguments} was accepted")
    except kind as error:
        assert "parity" in str(error) or "the 'group' must be one that create_group made" in str(error), error
for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    assert ops.AllReduce(group=parity)(x).tolist() == [4.0 + 2 * (rank % 2)] * 2
    assert ops.AllGather(group=parity)(x).tolist() == [1.0 + rank % 2] * 2 + [3.0 + rank % 2] * 2
    assert ops.Broadcast(1, group=parity)((x,))[0].tolist() == [3.0 + rank % 2] * 2
    if rank:
        create_group("tail", [1, 2, 3])
        assert (get_rank("tail"), ops.AllReduce(group="tail")(x).tolist()) == (rank - 1, [9.0, 9.0])
    assert ops.AllReduce()(x).tolist() == [10.0, 10.0]
    world = GlobalComm.WORLD_COMM_GROUP
    for length, group, expected in (
        (3000, parity, 4.0 + 2 * (rank % 2)),
        (3000, world, 10.0),
        (1_200_000, world, 10.0),
    ):
        large = ops.AllReduce(group=group)(ops.full((length,), rank + 1, dtype=ms.float32))
        assert (large.asnumpy() == expected).all() and large.shape == (length,)  # each size is sent in its own way
    gradient = ms.grad(lambda v: (ops.AllReduce()(v) * ops.AllReduce(group=parity)(v)).sum())(x)
    # by the sum of all: the pairs' sums of all four; by the pair's sum: the sum of all, for both of its members
    assert gradient.tolist() == [4.0 + 6 + 4 + 6 + 2 * 10] * 2, gradient.tolist()
name = dist.new_group([3, 1])
if rank in (1, 3):
    assert (dist.get_rank(name), dist.get_process_group_ranks(name)) == ((rank == 3) * 1, [1, 3])  # sorted
    assert ops.Broadcast(0, group=name)((x,))[0].tolist() == [2.0, 2.0]
    actual = [None, None]
    dist.all_gather_object(actual, rank, name)
    assert actual == [1, 3]
else:
    assert (dist.get_rank(name), dist.get_world_size(name)) == (-1, -1)
    try:
        ops.AllReduce(group=name)(x)
        raise SystemExit("a group that this process is not in was accepted")
    except ValueError as error:
        assert "is not in the group" in str(error), error
passed = ops.zeros(2)  # round the ring
dist.batch_isend_irecv([ops.P2POp("isend", x, (rank + 1) % n), ops.P2POp("irecv", passed, (rank - 1) % n)])
assert passed.tolist() == [(rank - 1) % n + 1.0] * 2
print(f"rank {rank}: end", flush=True)
