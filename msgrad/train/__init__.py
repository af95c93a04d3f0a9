"""Training: checkpoints, metrics."""

from .into_net import load_param_into_net
from .loading import load_checkpoint, load_checkpoint_async, load_segmented_checkpoints
from .metrics import *  # noqa: F403  the metrics
from .metrics import __all__ as _metrics
from .saving import async_ckpt_thread_status, save_checkpoint

__all__ = [
    *[name for name in _metrics if name != "get_metrics"],
    "async_ckpt_thread_status",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "load_segmented_checkpoints",
    "save_checkpoint",
]
