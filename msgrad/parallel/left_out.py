"""Names of ``mindspore.parallel`` that are not supported: other sharded checkpoint formats and strategy search."""

import sys

from ..ops.legacy.left_out import leave_out

_JOINED = (
    "it joins checkpoints of safetensors to files of several Parameters each",
    "Use transform_checkpoints without a dst_strategy_file: it writes one whole checkpoint.",
)
_SEARCHED = (
    "it saves and loads strategies that MindSpore has found, and msgrad searches none",
    "Say them in the program: ops.MatMul().shard(...), or msgrad.sharding.use with a table of names.",
)
_RECOVERED = (
    "it finds a checkpoint of another rank after a rank of a cluster was lost",
    "Load a whole checkpoint with load_checkpoint.",
)
_LEFT_OUT = [
    ("set_op_strategy_config(mode='SAVE', path='')", _SEARCHED),
    (
        "unified_safetensors(src_dir, src_strategy_file, dst_dir, merge_with_redundancy=True, file_suffix=None, "
        "max_process_num=64, choice_func=None, split_dst_file=())",
        _JOINED,
    ),
    ("get_ckpt_path_with_strategy(cur_ckpt_path, cur_strategy_path)", _RECOVERED),
]

__all__ = leave_out(sys.modules[__name__], "parallel", _LEFT_OUT)
