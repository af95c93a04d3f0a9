"""``mindspore.common.file_system``: a service of MindSpore's that keeps checkpoints in memory."""

import sys

from ..ops.left_out import leave_out

_SERVICE = ("it talks to MindIO, a service of Ascend's machines", "Use mindspore.load_checkpoint.")
leave_out(
    sys.modules[__name__],
    "common.file_system",
    [
        ("FileSystem()", _SERVICE),
        ("mindio_preload(ckpt_file_name)", _SERVICE),
        ("set_mindio_server_info(data_block_pool_capacity_in_gb=100)", _SERVICE),
    ],
)
