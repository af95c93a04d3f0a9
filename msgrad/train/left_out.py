"""Names of ``mindspore.train`` that are not supported: clusters, MindInsight, and the second-order optimizer THOR."""

import sys

from ..ops.legacy.left_out import leave_out

_DEVICE = ("it shares a network among several devices", "Export the whole network: export(..., file_format='MINDIR').")
_CLUSTER = (
    "it repairs a run on a cluster of Ascend chips",
    "Save checkpoints, from which a run that was ended goes on: ModelCheckpoint, BackupAndRestore, OnRequestExit.",
)
_LANDSCAPE = (
    "MindInsight alone draws the landscape of a loss",
    "Record the loss and the Parameters for TensorBoard with SummaryCollector.",
)
_THOR = (
    "it belongs to THOR, a second-order optimizer for clusters",
    "Train the network as it is, with a first-order optimizer of mindspore.nn.",
)
_LEFT_OUT = [
    ("ConvertModelUtils()", _THOR),
    ("ConvertNetUtils()", _THOR),
    ("SummaryLandscape(summary_dir)", _LANDSCAPE),
    ("TrainFaultTolerance(ckpt_save_path=None, **kwargs)", _CLUSTER),
    ("export_split_mindir(file_name, device_num=8, rank_id=0, dynamic=True, sapp=True)", _DEVICE),
]

__all__ = leave_out(sys.modules[__name__], "train", _LEFT_OUT)
