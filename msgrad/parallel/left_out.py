"""Names of ``mindspore.parallel`` that are left out: checkpoints whose Parameters are parted over processes."""

import sys

from ..ops.legacy.left_out import leave_out

_PARTED = (
    "it reads layouts of Parameters over several processes, and a program of msgrad is one",
    "Merge the checkpoint into a whole one where MindSpore wrote it, and load that with load_checkpoint.",
)
_LEFT_OUT = [
    ("build_searched_strategy(strategy_filename)", _PARTED),
    (
        "convert_checkpoint_by_rank(rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file=None, "
        "dst_strategy_file=None)",
        _PARTED,
    ),
    (
        "convert_checkpoints(src_checkpoints_dir, dst_checkpoints_dir, ckpt_prefix, src_strategy_file=None, "
        "dst_strategy_file=None, process_num=1, output_format='ckpt')",
        _PARTED,
    ),
    ("merge_pipeline_strategys(src_strategy_dirs, dst_strategy_file)", _PARTED),
    ("rank_list_for_convert(rank_id, src_strategy_file=None, dst_strategy_file=None)", _PARTED),
    ("rank_list_for_transform(rank_id, src_strategy_file=None, dst_strategy_file=None)", _PARTED),
    ("restore_group_info_list(group_info_file_name)", _PARTED),
    ("set_op_strategy_config(mode='SAVE', path='')", _PARTED),
    (
        "transform_checkpoint_by_rank(rank_id, checkpoint_files_map, save_checkpoint_file_name, "
        "src_strategy_file=None, dst_strategy_file=None)",
        _PARTED,
    ),
    (
        "transform_checkpoints(src_checkpoints_dir, dst_checkpoints_dir, ckpt_prefix, src_strategy_file=None, "
        "dst_strategy_file=None, process_num=1, output_format='ckpt')",
        _PARTED,
    ),
    (
        "unified_safetensors(src_dir, src_strategy_file, dst_dir, merge_with_redundancy=True, file_suffix=None, "
        "max_process_num=64, choice_func=None, split_dst_file=())",
        _PARTED,
    ),
    ("get_ckpt_path_with_strategy(cur_ckpt_path, cur_strategy_path)", _PARTED),
]

__all__ = leave_out(sys.modules[__name__], "parallel", _LEFT_OUT)
