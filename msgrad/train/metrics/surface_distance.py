"""Distances between the surfaces of two segmentations: Hausdorff, mean, root mean square."""

import math
from typing import Any

import numpy as np

from ..._contracts import check
from ...engine.refusal import refuse, require
from ._scalar import Scalar
from .metric import Metric, rearrange_inputs

_DISTANCES = ("euclidean", "chessboard", "taxicab")


class _SurfaceDistance(Metric):
    """Keeps the predicted and the true surfaces of the last update."""

    def __init__(self, distance_metric):
        super().__init__()
        owner = type(self).__name__
        text = check.text(distance_metric, "distance_metric", owner)
        self.distance_metric = check.one_of(text, _DISTANCES, "distance_metric", owner)
        self.clear()

    def clear(self):
        """Clears the last update."""
        self._y_pred_edges = 0
        self._y_edges = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Replaces the last update.

        Args:
            y_pred, y (Tensor | list | numpy.ndarray): pixels, of the same shape.
            label_idx (int | float): the value of the pixels that belong to the set.
        """
        owner = f"{type(self).__name__}.update"
        y_pred, y = (self._convert_data(data) for data in self._taken(inputs, 3)[:2])
        label = inputs[2]
        if not isinstance(label, (int, float)):
            refuse(self._label_error_, owner, "label_idx", "an int or a float", label)
        if label not in y_pred and label not in y:
            refuse(ValueError, owner, "label_idx", "among the pixels", label)
        if y_pred.size == 0 or y_pred.shape != y.shape:
            refuse(ValueError, owner, "y", f"of the shape of the predictions, {y_pred.shape}, not empty", y.shape)
        sets = [each if each.dtype == bool else each == label for each in (y_pred, y)]
        self._y_pred_edges, self._y_edges = map(_surface, self._cropped(*sets))
        self._is_update = True

    _label_error_ = ValueError

    def _cropped(self, y_pred, y):
        return y_pred, y

    def _distances(self, ours, theirs) -> Any:
        """The distance of each pixel of one surface from the other surface; empty without pixels."""
        from scipy import ndimage  # imported here, since it is slow to import

        if not ours.any():
            return np.array([])
        if not theirs.any():
            return np.full(np.count_nonzero(ours), np.inf)
        if self.distance_metric == "euclidean":
            return ndimage.distance_transform_edt(~theirs)[ours]
        return ndimage.distance_transform_cdt(~theirs, metric=self.distance_metric)[ours]

    def _both_ways(self):
        self._require_update(self._is_update)
        yield self._distances(self._y_pred_edges, self._y_edges)
        yield self._distances(self._y_edges, self._y_pred_edges)


def _surface(pixels):
    from scipy import ndimage

    return ndimage.binary_erosion(pixels) ^ pixels


class HausdorffDistance(_SurfaceDistance):
    """Hausdorff distance: the largest distance from one surface to the other.

    Args:
        distance_metric (str): ``'euclidean'``, ``'chessboard'`` or ``'taxicab'``. Default: ``'euclidean'``.
        percentile (float): a percentile of the distances, from 0 to 100, instead of the largest. Default: ``None``.
        directed (bool): whether to use only distances from the predicted surface. Default: ``False``.
        crop (bool): whether to crop the image to both sets first. Default: ``True``.
    Inputs of ``update``: y_pred, y, label_idx: pixels, of the same shape, and the value of those that count.
    Raises:
        TypeError, ValueError: for arguments of other types and values.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> x, y = Tensor([[1, 0, 0], [0, 0, 0]]), Tensor([[0, 0, 1], [0, 0, 0]])
        >>> float(nn.HausdorffDistance()(x, y, 1))
        2.0
    Source: mindspore.nn.HausdorffDistance, mindspore.train.HausdorffDistance
    """

    def __init__(self, distance_metric="euclidean", percentile=None, directed=False, crop=True):
        super().__init__(distance_metric)
        self.percentile = require(percentile, (float, type(None)), "HausdorffDistance", "percentile")
        self.directed = require(directed, (bool, type(None)), "HausdorffDistance", "directed")
        self.crop = require(crop, (bool, type(None)), "HausdorffDistance", "crop")

    def _cropped(self, y_pred, y):
        indices = np.nonzero(y_pred | y)
        if not self.crop or indices[0].size == 0:
            return y_pred, y
        box = tuple(slice(along.min(), along.max() + 1) for along in indices)
        return y_pred[box].squeeze(), y[box].squeeze()

    def _maximum(self, distances):
        if distances.size == 0:
            return math.inf
        if not self.percentile:  # for two of the metrics the distances are ints, as in MindSpore
            return Scalar(distances.max()) if distances.dtype.kind == "f" else distances.max()
        if not 0 <= self.percentile <= 100:
            refuse(ValueError, "HausdorffDistance", "percentile", "from 0 to 100", self.percentile)
        return Scalar(np.percentile(distances, self.percentile))

    def eval(self):
        """The distance (float)."""
        forth, back = self._both_ways()
        forth = self._maximum(forth)
        return forth if self.directed else max(forth, self._maximum(back))


class _MeanDistance(_SurfaceDistance):
    """Base of mean distances in one or both directions; a subclass defines ``_mean`` and ``_mean_of`` both."""

    _mean_of: Any
    _mean: Any

    def __init__(self, symmetric=False, distance_metric="euclidean"):
        super().__init__(distance_metric)
        self.symmetric = require(symmetric, bool, type(self).__name__, "symmetric")

    def eval(self):
        """The value (float)."""
        forth, back = self._both_ways()
        if forth.size == 0 or self.symmetric and back.size == 0:
            return math.inf
        return Scalar(self._mean_of(forth, back) if self.symmetric else self._mean(forth))


class MeanSurfaceDistance(_MeanDistance):
    """The mean distance from the predicted surface to the true one.

    Args:
        symmetric (bool): whether to give the mean of both directions. Default: ``False``.
        distance_metric (str): ``'euclidean'``, ``'chessboard'`` or ``'taxicab'``. Default: ``'euclidean'``.
    Inputs of ``update``: y_pred, y, label_idx: pixels, of the same shape, and the value of those that count.
    Raises:
        TypeError, ValueError: for arguments of other types and values.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> x, y = Tensor([[1, 0, 0], [0, 0, 0]]), Tensor([[0, 0, 1], [0, 0, 0]])
        >>> float(nn.MeanSurfaceDistance()(x, y, 1))
        2.0
    Source: mindspore.nn.MeanSurfaceDistance, mindspore.train.MeanSurfaceDistance
    """

    def _mean(self, distances):
        return distances.mean()

    def _mean_of(self, forth, back):
        return np.mean((forth.mean(), back.mean()))


class RootMeanSquareDistance(_MeanDistance):
    """The mean square of the distances from the predicted surface to the true one.

    Args:
        symmetric (bool): whether to give the root of the mean of both directions. Default: ``False``.
        distance_metric (str): ``'euclidean'``, ``'chessboard'`` or ``'taxicab'``. Default: ``'euclidean'``.
    Inputs of ``update``: y_pred, y, label_idx: pixels, of the same shape, and the value of those that count.
    Raises:
        TypeError, ValueError: for arguments of other types and values.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> x, y = Tensor([[1, 0, 0], [0, 0, 0]]), Tensor([[0, 0, 1], [0, 0, 0]])
        >>> float(nn.RootMeanSquareDistance(symmetric=True)(x, y, 1))
        2.0
    Source: mindspore.nn.RootMeanSquareDistance, mindspore.train.RootMeanSquareDistance
    """

    _label_error_ = TypeError

    def _mean(self, distances):
        return (distances**2).mean()  # in one direction MindSpore takes no root

    def _mean_of(self, forth, back):
        return np.sqrt(np.mean((self._mean(forth), self._mean(back))))
