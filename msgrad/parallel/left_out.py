"""Names of ``mindspore.parallel`` that are not supported: other sharded checkpoint formats."""

import sys

from ..ops.legacy.left_out import leave_out

_JOINED = (
    "it joins checkpoints of safetensors to files of several Parameters each",
    "Use transform_checkpoints without a dst_strategy_file: it writes one whole checkpoint.",
)
_LEFT_OUT = [
    (
        "unified_safetensors(src_dir, src_strategy_file, dst_dir, merge_with_redundancy=True, file_suffix=None, "
        "max_process_num=64, choice_func=None, split_dst_file=())",
        _JOINED,
    ),
]

__all__ = leave_out(sys.modules[__name__], "parallel", _LEFT_OUT)
