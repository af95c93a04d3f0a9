"""Precision, recall and F-beta scores."""

import sys
from typing import Any

import numpy as np

from ...engine.refusal import refuse, require
from ._scalar import Scalar
from .metric import EvaluationBase, Metric, check_classes, classes_of, rearrange_inputs

_LEAST = sys.float_info.min  # keeps divisors above 0


def _as_one_hot(y_pred, y, owner):
    """Predicted and true classes in one-hot form, ``(samples, classes)``."""
    classes = y_pred.shape[1]
    if y.max() >= classes:
        refuse(ValueError, f"{owner}.update", "y", f"of classes below {classes}", y.max())
    eye = np.eye(classes)
    return eye[y_pred.argmax(axis=1).reshape(-1)], eye[y.reshape(-1)]


class _Ratio(EvaluationBase):
    """The base of precision and recall: a fraction for each class; for 'multilabel', for each sample."""

    def __init__(self, eval_type="classification"):
        super().__init__(eval_type)
        self.eps = _LEAST
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._class_num = 0
        self._true_positives: Any = np.empty(0) if self._type == "multilabel" else 0
        self._whole: Any = np.empty(0) if self._type == "multilabel" else 0

    def _whole_of(self, y_pred, y):
        raise NotImplementedError

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._predictions(inputs)
        self._check_classes(y_pred)
        if self._type == "classification":
            y_pred, y = _as_one_hot(y_pred, y, type(self).__name__)
        else:
            y_pred, y = (x.swapaxes(1, 0).reshape(self._class_num, -1) for x in (y_pred, y))
        right, whole = (y * y_pred).sum(axis=0), self._whole_of(y_pred, y).sum(axis=0)
        if self._type == "classification":
            self._true_positives, self._whole = self._true_positives + right, self._whole + whole
        else:
            self._true_positives = np.concatenate((self._true_positives, right))
            self._whole = np.concatenate((self._whole, whole))

    def eval(self, average=False):
        """The fraction for each class.

        Args:
            average (bool): whether to give their mean. Default: ``False``.
        Returns:
            numpy.ndarray, or float.
        Raises:
            RuntimeError: if there is nothing to evaluate.  TypeError: if ``average`` is not a bool.
        """
        self._require_update(self._class_num)
        require(average, bool, type(self).__name__, "average")
        result = self._true_positives / (self._whole + self.eps)
        return Scalar(result.mean()) if average else result


class Precision(_Ratio):
    """Precision: the fraction of predictions of a class that are right; for 'multilabel', for each sample.

    Args:
        eval_type (str): ``'classification'`` or ``'multilabel'``. Default: ``'classification'``.
    Inputs of ``update``: as for `Accuracy`.
    Raises:
        TypeError, ValueError: as for `Accuracy`.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> nn.Precision()(Tensor([[0.2, 0.8], [0.9, 0.1], [0.3, 0.7]]), Tensor([1, 0, 0])).tolist()
        [1.0, 0.5]
    Source: mindspore.nn.Precision, mindspore.train.Precision
    """

    def _whole_of(self, y_pred, y):
        return y_pred


class Recall(_Ratio):
    """Recall: the fraction of a class that is predicted; for 'multilabel', for each sample.

    Args:
        eval_type (str): ``'classification'`` or ``'multilabel'``. Default: ``'classification'``.
    Inputs of ``update``: as for `Accuracy`.
    Raises:
        TypeError, ValueError: as for `Accuracy`.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> nn.Recall()(Tensor([[0.2, 0.8], [0.9, 0.1], [0.3, 0.7]]), Tensor([1, 0, 0])).tolist()
        [0.5, 1.0]
    Source: mindspore.nn.Recall, mindspore.train.Recall
    """

    def _whole_of(self, y_pred, y):
        return y


class Fbeta(Metric):
    """``(1 + beta^2) * precision * recall / (beta^2 * precision + recall)`` for each class.

    Args:
        beta (int | float): the weight of recall relative to precision, above 0.
    Inputs of ``update``: y_pred, probabilities ``(N, C, ...)``; y, class numbers ``(N, ...)`` or their one-hot form.
    Raises:
        ValueError: if ``beta`` is not above 0, or shapes do not fit.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> nn.Fbeta(1)(Tensor([[0.2, 0.8], [0.9, 0.1]]), Tensor([1, 0])).tolist()
        [1.0, 1.0]
    Source: mindspore.nn.Fbeta, mindspore.train.Fbeta
    """

    def __init__(self, beta):
        super().__init__()
        self.eps = _LEAST
        if not beta > 0:
            refuse(ValueError, "Fbeta", "beta", "above 0", beta)
        self.beta = beta
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._true_positives = 0
        self._actual_positives = 0
        self._positives = 0
        self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._arrays(inputs)
        y = classes_of(y_pred, y)
        check_classes(self, y_pred)
        y_pred, y = _as_one_hot(y_pred, y, type(self).__name__)
        self._true_positives += (y * y_pred).sum(axis=0)
        self._positives += y_pred.sum(axis=0)
        self._actual_positives += y.sum(axis=0)

    def eval(self, average=False):
        """The value for each class; with ``average``, their mean."""
        require(average, bool, type(self).__name__, "average")
        self._require_update(self._class_num)
        square = self.beta**2
        whole = square * self._actual_positives + self._positives + self.eps
        result = (1 + square) * self._true_positives / whole
        return Scalar(result.mean()) if average else result


class F1(Fbeta):
    """`Fbeta` with ``beta`` 1.

    Example:
        >>> nn.F1()(Tensor([[0.2, 0.8], [0.9, 0.1]]), Tensor([1, 0])).tolist()
        [1.0, 1.0]
    Source: mindspore.nn.F1, mindspore.train.F1
    """

    def __init__(self):
        super().__init__(1.0)
