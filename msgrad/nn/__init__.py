"""Neural networks: Cell, containers, layers, losses, optimizers, wrappers.

Each file lists its public names in its ``__all__`` and is imported when one of them is first used; `_names.contents`
maps names to files. The metrics of ``mindspore.nn`` are defined in ``msgrad.train.metrics`` and imported from there.
"""

from .._names import contents as _contents
from .._names import on_demand as _on_demand

_ABOVE = {
    ".autodiff": "Jvp Vjp",
    ".train.metrics":
        "Accuracy auc BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta get_metric_fn "
        "get_metrics HausdorffDistance Loss MAE MeanSurfaceDistance Metric MSE names OcclusionSensitivity Perplexity "
        "Precision rearrange_inputs Recall ROC RootMeanSquareDistance Top1CategoricalAccuracy Top5CategoricalAccuracy "
        "TopKCategoricalAccuracy",
}  # fmt: skip
_ON_DEMAND = _on_demand.OnDemand(__name__, _contents.LAYERS | _ABOVE, "probability")

__all__ = sorted(name for name in _ON_DEMAND.names if name != "probability")
__getattr__ = _ON_DEMAND.get
__dir__ = _ON_DEMAND.dir
