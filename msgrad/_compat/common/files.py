"""``mindspore.common.file_system``: MindSpore's service that keeps checkpoints in memory."""

import sys

from ...ops.legacy.left_out import leave_out
from ..left_out import mindio_preload, set_mindio_server_info  # noqa: F401  MindSpore has them from here

_SERVICE = ("it talks to MindIO, a service of Ascend's machines", "Use mindspore.load_checkpoint.")
leave_out(
    sys.modules[__name__],
    "common.file_system",
    [
        ("FileSystem()", _SERVICE),
    ],
)
