"""Callbacks of `Model`: what it calls at each stage of training and evaluating."""

from ._base import Callback, RunContext
from ._base import CallbackManager as _CallbackManager  # noqa: F401  private names of MindSpore
from ._base import InternalCallbackParam as _InternalCallbackParam  # noqa: F401
from .checkpoint import CheckpointConfig, ModelCheckpoint
from .history import History
from .lambda_callback import LambdaCallback
from .learning_rate_scheduler import LearningRateScheduler
from .monitors import LossMonitor, TimeMonitor
from .stopping import EarlyStopping, ReduceLROnPlateau

__all__ = [
    "Callback",
    "CheckpointConfig",
    "EarlyStopping",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "LossMonitor",
    "ModelCheckpoint",
    "ReduceLROnPlateau",
    "RunContext",
    "TimeMonitor",
]
