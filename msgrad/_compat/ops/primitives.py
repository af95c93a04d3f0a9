"""MindSpore's internal Primitives with state: queues, replay buffers, environments, arrays."""

import sys

from ...ops._core.primitive import Primitive
from ...ops.legacy.left_out import LeftOutPrimitive, leave_out


class _VirtualDataset(Primitive):
    """Distributes a batch over devices in MindSpore; here it returns the batch."""

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
_ASCEND = "it is a kernel of Ascend's"
_GROUPED = (_ASCEND, "Use ops.matmul for each group.")
_QUANTISED = (_ASCEND + ", for quantised numbers", "Compute with float16.")
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
    ("AdamW()", (_KERNEL, "Use mint.optim.AdamW.")),
    ("DSDMatmul()", (_KERNEL, "Use ops.matmul.")),
    ("DynamicQuantExt()", _QUANTISED),
    ("FusedAddTopKDiv()", (_ASCEND, "Use ops.topk.")),
    ("GroupedMatmul(split_item=0, group_type=-1, transpose_a=False, transpose_b=False)", _GROUPED),
    ("GroupedMatmulV4()", _GROUPED),
    ("MatmulDDS(bs, heads)", (_KERNEL, "Use ops.matmul.")),
    ("MoeDistributeCombine()", (_PEER[0], "Use ops.moe_token_unpermute.")),
    ("MoeDistributeDispatch()", (_PEER[0], "Use ops.moe_token_permute.")),
    ("MoeFinalizeRouting()", (_ASCEND, "Use ops.moe_token_unpermute.")),
    ("PromptFlashAttention", (_KERNEL, "Use ops.prompt_flash_attention.")),
    ("QuantBatchMatmul(transpose_x1=False, transpose_x2=False, dtype=None)", _QUANTISED),
    ("QuantV2()", _QUANTISED),
    ("SwigluGrad()", (_KERNEL, "Use mindspore.grad of ops.swiglu.")),
    ("TopKRouter()", (_ASCEND, "Use ops.topk.")),
    ("DropoutExt()", (_KERNEL, "Use mint.nn.functional.dropout.")),
    ("FlashAttentionScoreGrad", (_KERNEL, "Use mindspore.grad of ops.flash_attention_score.")),
    ("MaxPoolWithIndices", (_KERNEL, "Use ops.max_pool2d(x, kernel_size, return_indices=True).")),
    ("MaxPoolWithMask", (_KERNEL, "Use ops.max_pool2d(x, kernel_size, return_indices=True).")),
    ("PsROIPooling", (_KERNEL, "Use ops.ROIAlign, and take the means of its bins.")),
]

_FORMAT = (_ASCEND + ", for layouts of its own", "Leave the call out.")

leave_out(sys.modules[__name__], "operations", [("format_cast(input, acl_format)", _FORMAT)])
leave_out(sys.modules[__name__], "operations", _INTERNAL, LeftOutPrimitive)
