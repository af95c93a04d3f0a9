"""Training: checkpoints, loss scales."""

from ..amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .into_net import load_param_into_net
from .loading import load_checkpoint, load_checkpoint_async, load_segmented_checkpoints
from .saving import async_ckpt_thread_status, save_checkpoint

__all__ = [
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "async_ckpt_thread_status",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "load_segmented_checkpoints",
    "save_checkpoint",
]
