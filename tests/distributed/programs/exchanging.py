"""Exchanges of objects, before and after the file that is the argument exists; rank 0 waits for rank 1 meanwhile."""

import os
import sys
import time

import mindspore.mint.distributed as dist
from mindspore import ops
from mindspore.communication import get_rank, init

init()
rank = get_rank()


def exchanged(item):
    objects = [None, None]
    dist.all_gather_object(objects, item)
    return objects


print(f"rank {rank}: {ops.AllReduce()(ops.ones(2)).tolist()}", flush=True)
try:
    print(f"rank {rank}: {exchanged(rank)}", flush=True)
except RuntimeError as error:
    print(f"rank {rank}: {error}", flush=True)
else:
    print(f"rank {rank}: waits", flush=True)
    while rank == 1 and not os.path.exists(sys.argv[1]):
        time.sleep(0.05)
    print(f"rank {rank}: {exchanged([rank])}", flush=True)
print(f"rank {rank}: end", flush=True)
