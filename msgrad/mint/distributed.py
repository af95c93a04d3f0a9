"""Collectives between the processes of a program, of which there is one."""

from .. import ops
from .._contracts.signature import signature
from ..ops.legacy.left_out import LeftOut
from ._dialect import DISTRIBUTED

DISTRIBUTED.share("""
    all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce all_to_all
    all_to_all_single barrier broadcast broadcast_object_list destroy_process_group gather_object get_backend
    get_global_rank get_group_rank get_process_group_ranks get_rank get_world_size init_process_group is_available
    is_initialized new_group reduce reduce_scatter reduce_scatter_tensor reduce_scatter_tensor_uneven
    scatter_object_list
""")
DISTRIBUTED.face(
    ops.gather_into_tensor,
    "gather(tensor, gather_list, dst=0, group=None, async_op=False)",
    tensor="input_tensor",
    gather_list="output_tensor",
)
DISTRIBUTED.face(
    ops.scatter_tensor,
    "scatter(tensor, scatter_list, src=0, group=None, async_op=False)",
    tensor="output_tensor",
    scatter_list="input_tensor",
)

# What needs another process: each raises a sentence that says so.
P2POp = ops.P2POp
batch_isend_irecv = ops.batch_isend_irecv
irecv = ops.irecv
isend = ops.isend
recv = ops.recv
recv_object_list = ops.recv_object_list
send = ops.send
send_object_list = ops.send_object_list
TCPStore = LeftOut(
    "mint.distributed.TCPStore",
    signature(
        "(host_name, port, world_size=None, is_master=False, timeout=300, wait_for_workers=True, multi_tenant=False, "
        "master_listen_fd=None, use_libuv=True)"
    ),
    ops.send.reason,
)

globals().update(DISTRIBUTED.public())
__all__ = [
    *DISTRIBUTED.public(), "P2POp", "TCPStore", "batch_isend_irecv", "irecv", "isend", "recv", "recv_object_list",
    "send", "send_object_list",
]  # fmt: skip
