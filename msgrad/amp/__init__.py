"""Mixed precision: networks that compute in half precision, and loss scaling."""

from .build import build_train_network
from .loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .loss_scaler import (  # noqa: F401
    DynamicLossScaler,
    LossScaler,
    StaticLossScaler,
    _grad_scale_map,
    _grad_unscale_map,
    all_finite,
    init_status,
)
from .mixed_precision import auto_mixed_precision, custom_mixed_precision, get_black_list, get_white_list

__all__ = [
    "DynamicLossScaleManager",
    "DynamicLossScaler",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaler",
    "StaticLossScaler",
    "all_finite",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
]
