"""Training: Model, its callbacks and metrics, checkpoints, exported networks."""

from ..amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, build_train_network
from . import callback, left_out, operator_strategies, summary  # noqa: F401  the third serves partitions
from .callback import *  # noqa: F403
from .converting import ckpt_to_safetensors, safetensors_to_ckpt
from .dataset_helper import DatasetHelper, connect_network_with_dataset, data_sink
from .distributed import load_distributed_checkpoint
from .exporting import export, load
from .left_out import *  # noqa: F403
from .load_params import load_param_into_net
from .loading import load_checkpoint, load_checkpoint_async, load_segmented_checkpoints
from .merging import merge_sliced_parameter
from .metrics import *  # noqa: F403  the metrics
from .metrics import __all__ as _metrics
from .model import Model
from .saving import async_ckpt_thread_status, save_checkpoint
from .strategy_files import build_searched_strategy, get_ckpt_path_with_strategy, restore_group_info_list
from .summary import *  # noqa: F403

__all__ = [
    *[name for name in _metrics if name != "get_metrics"],
    *callback.__all__,
    *left_out.__all__,
    *summary.__all__,
    "DatasetHelper",
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "Model",
    "async_ckpt_thread_status",
    "build_searched_strategy",
    "build_train_network",
    "ckpt_to_safetensors",
    "connect_network_with_dataset",
    "data_sink",
    "export",
    "get_ckpt_path_with_strategy",
    "load",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_distributed_checkpoint",
    "load_param_into_net",
    "load_segmented_checkpoints",
    "merge_sliced_parameter",
    "restore_group_info_list",
    "safetensors_to_ckpt",
    "save_checkpoint",
]
