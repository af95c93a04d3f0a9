"""``mindspore.train.mind_ir_pb2``: the protobuf messages of MindIR graphs, which msgrad's exports do not use."""

import sys

from ...ops.legacy.left_out import leave_out

_MESSAGE = (
    "it is a message of the graph of MindSpore's compiler",
    "Use mindspore.load with nn.GraphCell for what mindspore.export has written.",
)
leave_out(sys.modules[__name__], "train.mind_ir_pb2", [(name, _MESSAGE) for name in ("GraphProto", "ModelProto")])
