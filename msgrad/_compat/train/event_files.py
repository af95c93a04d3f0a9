"""``mindspore.train.summary_pb2``: the protobuf messages of event files, which `SummaryRecord` writes without them."""

import sys

from ...ops.legacy.left_out import leave_out

_MESSAGE = (
    "it is a message of Google's protobuf, which msgrad does not need",
    "Write values with mindspore.SummaryRecord, and read the file with TensorBoard.",
)
_NAMES = ("Event", "Explain", "LossLandscape", "Summary")
leave_out(sys.modules[__name__], "train.summary_pb2", [(name, _MESSAGE) for name in _NAMES])
