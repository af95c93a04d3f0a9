"""Metrics, computed by NumPy on the host."""

from .accuracy import Accuracy, Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy
from .confusion_matrix import ConfusionMatrix, ConfusionMatrixMetric
from .error import MAE, MSE, Loss, Perplexity
from .fbeta import F1, Fbeta, Precision, Recall
from .metric import Metric, rearrange_inputs
from .occlusion_sensitivity import OcclusionSensitivity
from .registry import get_metric_fn, get_metrics, names
from .roc import ROC, auc
from .similarity import BleuScore, CosineSimilarity, Dice
from .surface_distance import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance

__all__ = [
    "Accuracy", "auc", "BleuScore", "ConfusionMatrix", "ConfusionMatrixMetric", "CosineSimilarity", "Dice", "F1",
    "Fbeta", "get_metric_fn", "get_metrics", "HausdorffDistance", "Loss", "MAE", "MeanSurfaceDistance", "Metric", "MSE",
    "names", "OcclusionSensitivity", "Perplexity", "Precision", "rearrange_inputs", "Recall", "ROC",
    "RootMeanSquareDistance", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy",
]  # fmt: skip
