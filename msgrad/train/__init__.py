"""Training: checkpoints, loss scales."""

from ..amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .serialization import load_param_into_net

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager", "load_param_into_net"]
