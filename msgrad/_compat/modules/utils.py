"""``mindspore.utils``: sharing Tensors by DLPack; monitoring of MindSpore's own hardware is not supported."""

import sys

from ...engine.refusal import require
from ...ops.legacy.left_out import leave_out
from ...tensor.tensor import Tensor

_WATCH = ("it watches over Ascend chips in a cluster", "Save checkpoints, from which a run that was ended goes on.")
_ORDER = ("it compares the programs of several processes", "A program of msgrad is one process.")
_LEFT_OUT = [
    ("ExitByRequest()", _WATCH),
    ("RSCPluginHandle()", _WATCH),
    ("TFTCommValue()", _WATCH),
    ("_reuse_data_ptr(arg0, arg1, arg2)", ("it hands out memory of MindSpore's own", "Use Tensor.set_data.")),
    ("_tft_handler()", _WATCH),
    ("comm_exec_order_check(action)", _ORDER),
    ("get_sdc_detect_result()", _WATCH),
    ("runtime_execution_order_check(folders_, all_rank=None)", _ORDER),
    ("sdc_detect_start()", _WATCH),
    ("sdc_detect_stop()", _WATCH),
    ("stress_detect(detect_type='aic')", _WATCH),
    ("MsDispatchMode()", ("it sees calls that MindSpore's own kernels get", "Define the function, and call it.")),
]

__all__ = ["from_dlpack", "to_dlpack", *leave_out(sys.modules[__name__], "utils", _LEFT_OUT)]
__name__ = "msgrad.utils"  # the public path, used in imports and pickles


def to_dlpack(tensor):
    """A DLPack capsule of a Tensor's memory.

    Args:
        tensor (Tensor): any shape, a dtype that DLPack knows.
    Returns:
        capsule, which can be taken once.
    Raises:
        TypeError: if it is not a Tensor.
    Example:
        >>> mindspore.utils.from_dlpack(mindspore.utils.to_dlpack(Tensor([1.0]))).tolist()
        [1.0]
    Source: mindspore.utils.to_dlpack
    """
    return require(tensor, Tensor, "to_dlpack", "tensor").to_dlpack()


def from_dlpack(dlpack):
    """A Tensor of the memory behind a DLPack capsule, or an array that has ``__dlpack__``.

    Args:
        dlpack (capsule | array): it is not copied, where JAX can share it.
    Returns:
        Tensor.
    Raises:
        RuntimeError: if it is neither, or was taken already.
    Source: mindspore.utils.from_dlpack
    """
    return Tensor.from_dlpack(dlpack)
