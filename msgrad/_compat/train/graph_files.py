"""``mindspore.train.mind_ir_pb2``: the messages of graphs in files, of which those that msgrad exports have none."""

import sys

from ...ops.legacy.left_out import leave_out

_MESSAGE = (
    "it is a message of the graph of MindSpore's compiler",
    "Use mindspore.load with nn.GraphCell for what mindspore.export has written.",
)
leave_out(sys.modules[__name__], "train.mind_ir_pb2", [(name, _MESSAGE) for name in ("GraphProto", "ModelProto")])
