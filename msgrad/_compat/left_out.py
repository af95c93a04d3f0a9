"""Unsupported names of ``mindspore`` itself: they import, and raise an error with an alternative on use."""

import sys

from ..ops.legacy.left_out import leave_out

_COUNTED = (
    "it asks MindSpore's compiler what it has counted",
    "Use the callback FlopsUtilizationCollector of mindspore.train.",
)
_GRAPH_FILE = (
    "it parses the graph of MindSpore's compiler, of which files that msgrad exports have none",
    "Use mindspore.load with nn.GraphCell for what mindspore.export has written.",
)
_CACHE = ("it talks to MindIO, a cache of files for clusters of Ascend", "Use load_checkpoint, which reads the file.")
_STORED = (
    "it is memory of MindSpore's own, which a Tensor hands out, and JAX owns that of arrays",
    "Use asnumpy(), nbytes, data_ptr() or to_dlpack() of the Tensor.",
)
_LEFT_OUT = [
    ("UntypedStorage()", _STORED),
    ("flops_collection(phase='train')", _COUNTED),
    ("load_mindir(file_name)", _GRAPH_FILE),
    ("save_mindir(model, file_name)", _GRAPH_FILE),
    ("mindio_preload(ckpt_file_name)", _CACHE),
    ("set_mindio_server_info(data_block_pool_capacity_in_gb=100)", _CACHE),
]

__all__ = leave_out(sys.modules[__name__], "mindspore", _LEFT_OUT)
