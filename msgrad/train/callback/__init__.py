"""Callbacks of `Model`, called at each stage of training and evaluation."""

from ._base import Callback, RunContext, set_cur_net  # noqa: F401
from ._base import CallbackManager as _CallbackManager  # noqa: F401  private names of MindSpore
from ._base import InternalCallbackParam as _InternalCallbackParam  # noqa: F401
from ._base import loss_in as _handle_loss  # noqa: F401
from ._base import set_cur_net as _set_cur_net  # noqa: F401
from .checkpoint import CheckpointConfig, ModelCheckpoint
from .exits import BackupAndRestore, OnRequestExit
from .flops import FlopsUtilizationCollector
from .history import History
from .lambda_callback import LambdaCallback
from .learning_rate_scheduler import LearningRateScheduler
from .monitors import LossMonitor, TimeMonitor
from .stopping import EarlyStopping, ReduceLROnPlateau
from .summary_collector import SummaryCollector

__all__ = [
    "BackupAndRestore",
    "Callback",
    "CheckpointConfig",
    "EarlyStopping",
    "FlopsUtilizationCollector",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "LossMonitor",
    "ModelCheckpoint",
    "OnRequestExit",
    "ReduceLROnPlateau",
    "RunContext",
    "SummaryCollector",
    "TimeMonitor",
]
