"""Metrics by name."""

from ...engine.refusal import refuse
from .accuracy import Accuracy, Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy
from .confusion_matrix import ConfusionMatrix, ConfusionMatrixMetric
from .error import MAE, MSE, Loss, Perplexity
from .fbeta import F1, Precision, Recall
from .metric import Metric
from .occlusion_sensitivity import OcclusionSensitivity
from .roc import ROC, auc
from .similarity import BleuScore, CosineSimilarity, Dice
from .surface_distance import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance

_BY_NAME = {
    "accuracy": Accuracy,
    "acc": Accuracy,
    "precision": Precision,
    "recall": Recall,
    "F1": F1,
    "dice": Dice,
    "roc": ROC,
    "auc": auc,
    "bleu_score": BleuScore,
    "cosine_similarity": CosineSimilarity,
    "occlusion_sensitivity": OcclusionSensitivity,
    "topk": TopKCategoricalAccuracy,
    "hausdorff_distance": HausdorffDistance,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "mae": MAE,
    "mse": MSE,
    "loss": Loss,
    "mean_surface_distance": MeanSurfaceDistance,
    "root_mean_square_distance": RootMeanSquareDistance,
    "perplexity": Perplexity,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
}


def names():
    """The names of all metrics, for `get_metric_fn`.

    Returns:
        list[str], sorted.
    Example:
        >>> nn.names()[:2]
        ['F1', 'acc']
    Source: mindspore.nn.names, mindspore.train.names
    """
    return sorted(_BY_NAME)


def get_metric_fn(name, *args, **kwargs):
    """The metric of a name.

    Args:
        name (str): one of `names`.
        args, kwargs: what its constructor takes.
    Returns:
        Metric.
    Raises:
        KeyError: for another name.
    Example:
        >>> float(nn.get_metric_fn("mae")(Tensor([1.0]), Tensor([3.0])))
        2.0
    Source: mindspore.nn.get_metric_fn, mindspore.train.get_metric_fn
    """
    if name not in _BY_NAME:
        refuse(KeyError, "get_metric_fn", "name", f"one of {names()}", name)
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics):
    """Metrics by name, from a dict of them or a set of names.

    Args:
        metrics (dict[str, Metric] | set[str] | None): None gives None.
    Returns:
        dict[str, Metric].
    Raises:
        TypeError: for a value of another type.  KeyError: for an unknown name.
    Example:
        >>> list(nn.get_metrics({"mae"}))
        ['mae']
    Source: mindspore.nn.get_metrics, mindspore.train.get_metrics
    """
    if metrics is None:
        return None
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in metrics}
    if not isinstance(metrics, dict) or not all(
        isinstance(name, str) and isinstance(metric, Metric) for name, metric in metrics.items()
    ):
        refuse(TypeError, "get_metrics", "metrics", "a dict of Metrics by name, a set of names, or None", metrics)
    return metrics
