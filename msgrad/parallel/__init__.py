"""``mindspore.parallel``: what of it one device can answer."""

from .._sharding.layout import Layout
from ..train.distributed import load_distributed_checkpoint
from ..train.loading import load_segmented_checkpoints
from ..train.merging import merge_sliced_parameter
from . import left_out
from .algo_parameter_config import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from .left_out import *  # noqa: F403
from .sharding import parameter_broadcast, shard, sync_pipeline_shared_parameters

__all__ = [
    *left_out.__all__,
    "Layout",
    "get_algo_parameters",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_sliced_parameter",
    "parameter_broadcast",
    "reset_algo_parameters",
    "set_algo_parameters",
    "shard",
    "sync_pipeline_shared_parameters",
]
