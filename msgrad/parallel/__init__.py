"""``mindspore.parallel``: one program sharded over several devices, and checkpoints of several devices."""

from .._sharding.layout import Layout
from ..train.distributed import load_distributed_checkpoint
from ..train.loading import load_segmented_checkpoints
from ..train.merging import merge_sliced_parameter
from ..train.operator_strategies import set_op_strategy_config
from ..train.strategy_files import build_searched_strategy, merge_pipeline_strategys, restore_group_info_list
from ..train.transforming import rank_list_for_transform, transform_checkpoint_by_rank, transform_checkpoints
from . import left_out
from .algo_parameter_config import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from .left_out import *  # noqa: F403
from .sharding import parameter_broadcast, shard, sync_pipeline_shared_parameters

convert_checkpoint_by_rank = transform_checkpoint_by_rank
convert_checkpoints = transform_checkpoints
rank_list_for_convert = rank_list_for_transform

__all__ = [
    *left_out.__all__,
    "Layout",
    "build_searched_strategy",
    "convert_checkpoint_by_rank",
    "convert_checkpoints",
    "get_algo_parameters",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "parameter_broadcast",
    "rank_list_for_convert",
    "rank_list_for_transform",
    "reset_algo_parameters",
    "restore_group_info_list",
    "set_algo_parameters",
    "set_op_strategy_config",
    "shard",
    "sync_pipeline_shared_parameters",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
]
