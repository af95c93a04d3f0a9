"""Training: Model, its callbacks and metrics, checkpoints, exported networks."""

from ..amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, build_train_network
from . import _left_out, callback
from .callback import *  # noqa: F403
from .dataset_helper import DatasetHelper, data_sink
from .exporting import export, load
from .into_net import load_param_into_net
from .loading import load_checkpoint, load_checkpoint_async, load_segmented_checkpoints
from .metrics import *  # noqa: F403  the metrics
from .metrics import __all__ as _metrics
from .model import Model
from .saving import async_ckpt_thread_status, save_checkpoint

globals().update(vars(_left_out.NAMES))
__all__ = [
    *vars(_left_out.NAMES),
    *[name for name in _metrics if name != "get_metrics"],
    *callback.__all__,
    "DatasetHelper",
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "Model",
    "async_ckpt_thread_status",
    "build_train_network",
    "data_sink",
    "export",
    "load",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "load_segmented_checkpoints",
    "save_checkpoint",
]
