"""Collectives between the processes of a program."""

from .. import ops
from ..ops.legacy.left_out import LeftOut
from ._dialect import DISTRIBUTED

DISTRIBUTED.share("""
    all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce all_to_all
    all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather_object
    get_backend get_global_rank get_group_rank get_process_group_ranks get_rank get_world_size init_process_group irecv
    is_available is_initialized isend new_group recv recv_object_list reduce reduce_scatter reduce_scatter_tensor
    reduce_scatter_tensor_uneven scatter_object_list send send_object_list
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

P2POp = ops.P2POp
TCPStore = LeftOut(
    "mint.distributed",
    "TCPStore(host_name, port, world_size=None, is_master=False, timeout=300, wait_for_workers=True, "
    "multi_tenant=False, master_listen_fd=None, use_libuv=True)",
    ops.TCPStore.reason,
)

globals().update(DISTRIBUTED.public())
__all__ = [*DISTRIBUTED.public(), "P2POp", "TCPStore"]
