"""Collective Primitives in one process: the printed form, and attributes that it does not show."""

_ALL = [
    *["AllReduce()", "AllReduce('max', 'other')", "AllGather()", "AllGather('other')", "ReduceScatter('min')"],
    *["Broadcast(0)", "Reduce(0)", "CollectiveGather(0)", "CollectiveScatter()", "AlltoAll(1, 0, 1)", "Barrier()"],
    *["AllGatherV()", "ReduceScatterV()", "AlltoAllV(block_size=2)", "AlltoAllVC()", "Send(3, 0)"],
    *["Receive(3, 0, [2], ms.float32)", "NeighborExchange([], [], [], [], ms.float32)"],
    *["NeighborExchangeV2([-1]*8, [0]*4, [-1]*8, [0]*4, 'NCHW', 'other')", "BatchISendIRecv(('isend',), (0,))"],
]

COLLECTIVES = [
    *[f"repr(ops.{each})" for each in _ALL],
    *[f"ops.{each}.{name}" for each in _ALL for name in ("rank", "rank_size", "rank_id", "fusion", "group")],
    "ops.Receive(3, 0, [2], ms.float32).tag",
    "ops.AllGather().mean_flag",
    *[f"ops.NeighborExchangeV2([-1]*8, [0]*4, [-1]*8, [0]*4, 'NCHW').{name}" for name in ("format", "input_names")],
    *[f"ops.NeighborExchangeV2({ranks}, [0]*4, [-1]*8, [0]*4, 'NCHW')" for ranks in ("[1]*8", "[-2]*8")],
    "ops.NeighborExchangeV2([-1]*8, [0]*4, [1]*8, [0]*4, 'NCHW')",
    *[f"ops.Send(0, 0, {group})" for group in ("group=None", "group_back=None", "group_back=3")],
    "ops.Receive(0, 0, [1], ms.float32, group=None)",
    *[f"ops.{name}, group=None)" for name in ("NeighborExchange([], [], [], [], ms.float32", "BatchISendIRecv((), ()")],
    "ops.BatchISendIRecv(('isend',), (0,)).receive_shapes",
    "ops.AllGather().add_prim_attr('fusion', 2).fusion",
]
