"""Neural networks: Cell, containers, layers, losses, optimizers, wrappers.

Each file lists its public names in its own ``__all__``. The metrics that ``mindspore.nn`` holds live above, in
``msgrad.train.metrics``, and are looked up there when they are asked for; so is ``probability``.
"""

import importlib
import types

from ..autodiff import Jvp, Vjp  # noqa: F401
from ._left_out import *
from .attention import *
from .basic import *
from .cell import *
from .containers import *
from .convolution import *
from .dynamic_lr import *
from .graph_cell import *
from .image import *
from .learning_rate_schedule import *
from .loss import *
from .normalization import *
from .optim import *
from .recurrent import *
from .utils import *
from .wrap import *

_METRICS = (
    "Accuracy", "auc", "BleuScore", "ConfusionMatrix", "ConfusionMatrixMetric", "CosineSimilarity", "Dice", "F1",
    "Fbeta", "get_metric_fn", "get_metrics", "HausdorffDistance", "Loss", "MAE", "MeanSurfaceDistance", "Metric", "MSE",
    "names", "OcclusionSensitivity", "Perplexity", "Precision", "rearrange_inputs", "Recall", "ROC",
    "RootMeanSquareDistance", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy",
)  # fmt: skip

_OWN = [name for name, value in globals().items() if name[0] != "_" and not isinstance(value, types.ModuleType)]
__all__ = sorted([*_METRICS, *_OWN])


def __getattr__(name):
    if name == "probability":
        return importlib.import_module("msgrad.nn.probability")
    if name in _METRICS:
        return getattr(importlib.import_module("msgrad.train.metrics"), name)
    raise AttributeError(f"mindspore.nn has no '{name}' in msgrad.")
