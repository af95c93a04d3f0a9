"""``mindspore._c_dataengine``: the C++ extension of MindSpore's pipelines is not supported; each name raises on use."""

import sys

from ...ops.legacy.left_out import leave_out

_TRANSFORM = (
    "it is a transform of MindSpore's compiled pipelines",
    "Use that of mindspore.dataset, or write one with '_execute_py'.",
)
_NAMES = ["BasicTokenizerOperation", "DataType", "LookupOperation", "TensorOperation", "Vocab"]

leave_out(sys.modules[__name__], "_c_dataengine", [(name, _TRANSFORM) for name in _NAMES])
