"""Confusion matrices, and the metrics derived from them."""

import numpy as np

from ..._contracts import check
from ...engine.refusal import InWords, refuse, require
from .metric import Metric, rearrange_inputs
from .ratios import DECREASES, ratio


class ConfusionMatrix(Metric):
    """Confusion matrix: how often each class (row) is predicted as each class (column).

    Args:
        num_classes (int): the number of classes.
        normalize (str): divide by the sums of the ``'target'`` (row), of the ``'prediction'`` (column), or of
            ``'all'``; ``'no_norm'`` gives counts. Default: ``'no_norm'``.
        threshold (float): the smallest score of class 1, for binary scores. Default: ``0.5``.
    Inputs of ``update``: y_pred, class numbers or scores ``(N, ...)``, or scores ``(N, C, ...)``; y, class numbers
        ``(N, ...)``.
    Raises:
        TypeError, ValueError: for arguments of other types and values, or shapes that do not fit.
        RuntimeError: if there is nothing to evaluate.
    Example:
        >>> nn.ConfusionMatrix(2)(Tensor([0, 1, 1]), Tensor([0, 0, 1])).tolist()
        [[1.0, 1.0], [0.0, 1.0]]
    Source: mindspore.nn.ConfusionMatrix, mindspore.train.ConfusionMatrix
    """

    def __init__(self, num_classes, normalize="no_norm", threshold=0.5):
        super().__init__()
        self.num_classes = require(num_classes, int, "ConfusionMatrix", "num_classes")
        self.normalize = check.one_of(normalize, tuple(_WHOLES), "normalize", "ConfusionMatrix")
        self.threshold = require(threshold, float, "ConfusionMatrix", "threshold")
        self.clear()

    def clear(self):
        """Clears all updates."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._arrays(inputs)
        if y_pred.ndim not in (y.ndim, y.ndim + 1):
            expected = "of as many axes as 'y', or one more"
            refuse(ValueError, "ConfusionMatrix.update", "y_pred", expected, y_pred.shape)
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        elif y_pred.dtype.kind == "f":
            y_pred = y_pred >= self.threshold
        pairs = (y.reshape(-1) * self.num_classes + y_pred.reshape(-1)).astype(int)
        counts = np.bincount(pairs, minlength=self.num_classes**2)
        self.confusion_matrix += counts.reshape(self.num_classes, self.num_classes)
        self._is_update = True

    def eval(self):
        """The matrix (numpy.ndarray); rows or columns of empty classes are 0."""
        self._require_update(self._is_update)
        if self.normalize == "no_norm":
            return self.confusion_matrix.astype(float)
        whole = self.confusion_matrix.sum(axis=_WHOLES[self.normalize], keepdims=True)
        return np.divide(self.confusion_matrix, whole, out=np.zeros_like(self.confusion_matrix), where=whole != 0)


_WHOLES = {"target": 1, "prediction": 0, "all": None, "no_norm": ()}  # the axes of the sum to divide by


class ConfusionMatrixMetric(Metric):
    """A ratio of the numbers of true and false positives and negatives.

    Args:
        skip_channel (bool): whether to include channel 0. Default: ``True``.
        metric_name (str): the ratio: 'sensitivity', 'specificity', 'precision', 'negative predictive value', 'miss
            rate', 'fall out', 'false discovery rate', 'false omission rate', 'prevalence threshold', 'threat score',
            'accuracy', 'balanced accuracy', 'f1 score', 'matthews correlation coefficient', 'fowlkes mallows index',
            'informedness', 'markedness', or an alias of one. Default: ``'sensitivity'``.
        calculation_method (bool): whether to average the ratios of the updates, each reduced by ``decrease``, instead
            of taking the ratio of the totals; only for inputs with more than two axes. Default: ``False``.
        decrease (str): ``'mean'``, ``'sum'``, or one of them over one axis, ``'mean_batch'``, ``'sum_batch'``,
            ``'mean_channel'``, ``'sum_channel'``, or ``'none'``: the result must be one number. Default: ``'mean'``.
    Inputs of ``update``: y_pred, y: 0 and 1 for each class, ``(N, C, ...)``.
    Raises:
        TypeError, ValueError: for arguments of other types and values, or shapes that do not fit.
        NotImplementedError: for another name.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> metric = nn.ConfusionMatrixMetric(metric_name="precision")
        >>> metric(Tensor([[1, 0], [1, 0]]), Tensor([[1, 0], [0, 1]])).tolist()
        [0.5]
    Source: mindspore.nn.ConfusionMatrixMetric, mindspore.train.ConfusionMatrixMetric
    """

    def __init__(self, skip_channel=True, metric_name="sensitivity", calculation_method=False, decrease="mean"):
        super().__init__()
        owner = "ConfusionMatrixMetric"
        self.skip_channel = require(skip_channel, bool, owner, "skip_channel")
        self.calculation_method = require(calculation_method, bool, owner, "calculation_method")
        self.metric_name = require(metric_name, str, owner, "metric_name")
        self.decrease = check.one_of(check.text(decrease, "decrease", owner), tuple(DECREASES), "decrease", owner)
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._total_num = 0
        self._class_num = 0
        self._counts = np.zeros(4)

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._arrays(inputs)
        counts = self._counted(y_pred, y)
        if self.calculation_method and y_pred.ndim > 2 and y_pred.shape[2:] != (1,):
            score, number = DECREASES[self.decrease](ratio(self.metric_name, counts))
            self._total_num += score.item() * int(number.item())
            self._class_num += int(number.item())
        else:
            self._counts += counts.sum((0, 1))

    def _counted(self, y_pred, y):
        """The numbers of true and false positives and true and false negatives, ``(N, C, 4)``."""
        owner = "ConfusionMatrixMetric.update"
        if not (y.astype(np.uint8) == y).all():
            refuse(ValueError, owner, "y", "0 or 1 everywhere", InWords("other values"))
        if y_pred.ndim < 2:
            refuse(ValueError, owner, "y_pred", "of at least two axes", y_pred.shape)
        if not self.skip_channel:
            y_pred, y = (x[:, 1:] if x.shape[1] > 1 else x for x in (y_pred, y))
        if y_pred.shape != y.shape:
            refuse(ValueError, owner, "y", f"of the shape of the predictions, {y_pred.shape}", y.shape)
        y_pred, y = (x.astype(float).reshape(*x.shape[:2], -1) for x in (y_pred, y))
        true_positives, true_negatives = (y_pred + y == 2).sum(2), (y_pred + y == 0).sum(2)
        positives = y.sum(2)
        false_positives = y.shape[2] - positives - true_negatives
        return np.stack((true_positives, false_positives, true_negatives, positives - true_positives), -1)

    def eval(self):
        """The ratio: a float, or a numpy.ndarray of one."""
        if self._class_num:
            return self._total_num / self._class_num
        self._require_update(not self.calculation_method or self._counts.any())
        return ratio(self.metric_name, self._counts[None])
