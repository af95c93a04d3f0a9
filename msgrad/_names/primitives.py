"""Inner Primitives of MindSpore's files that hold memory of their own: queues, replay buffers, environments, arrays."""

import sys

from ..ops.left_out import leave_out
from ..ops.primitive import Primitive


class _VirtualDataset(Primitive):
    """What several devices would share of a batch: the batch itself, on one."""

    def __init__(self):
        super().__init__("_VirtualDataset")

    def __call__(self, *args):
        return args


_QUEUE = ("it keeps a queue in MindSpore's own memory", "Use a Python list of Tensors, or collections.deque.")
_REPLAY = ("it keeps past steps in MindSpore's own memory", "Keep them in NumPy arrays, and make Tensors of a sample.")
_GAME = ("it runs an environment of MindSpore's own", "Call the environment from Python.")
_LIST = ("it keeps a list in MindSpore's own memory", "Use a Python list, and ops.stack.")
_PEER = ("it exchanges data with another process", "There is one process.")
_KERNEL = "it is a kernel of MindSpore's own"
_INTERNAL = [
    ("BatchAssign(lock=True)", (_KERNEL, "Use ops.assign for each Parameter.")),
    ("BufferAppend(capacity, buffer_shape, buffer_dtype)", _REPLAY),
    ("BufferGetItem(capacity, buffer_shape, buffer_dtype)", _REPLAY),
    ("BufferSample(capacity, batch_size, buffer_shape, buffer_dtype, seed=0, unique=False)", _REPLAY),
    ("CudnnGRU(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout)", (_KERNEL, "Use nn.GRU.")),
    ("DiscountedReturn(gamma)", (_KERNEL, "Add the rewards up in a Python loop from the last one on.")),
    *[(f"Env{name}", _GAME) for name in ("Create", "Reset", "Step")],
    *[(f"Mux{name}", _PEER) for name in ("Receive", "Send")],
    *[(f"PriorityReplayBuffer{name}", _REPLAY) for name in ("Create", "Destroy", "Push", "Sample", "Update")],
    *[(f"ReservoirReplayBuffer{name}", _REPLAY) for name in ("Create", "Destroy", "Push", "Sample")],
    *[(f"TensorsQueue{name}", _QUEUE) for name in ("Clear", "Close", "Create", "Get", "Put", "Size")],
    *[(f"TensorArray{name}", _LIST) for name in ("", "Clear", "Close", "Gather", "Read", "Size", "Stack", "Write")],
    ("FlashAttentionScore", (_KERNEL, "Use ops.flash_attention_score.")),
    ("MaxPoolWithIndices", (_KERNEL, "Use ops.max_pool2d(x, kernel_size, return_indices=True).")),
    ("MaxPoolWithMask", (_KERNEL, "Use ops.max_pool2d(x, kernel_size, return_indices=True).")),
    ("PsROIPooling", (_KERNEL, "Use ops.ROIAlign, and take the means of its bins.")),
]

leave_out(sys.modules[__name__], "operations", _INTERNAL)
