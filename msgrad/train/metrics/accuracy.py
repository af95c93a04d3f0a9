"""Accuracy."""

import numpy as np

from ...engine.refusal import refuse
from ._scalar import Scalar
from .metric import EvaluationBase, Metric, classes_of, rearrange_inputs


class Accuracy(EvaluationBase):
    """Accuracy: the fraction of samples whose class, or all of whose labels, are predicted correctly.

    Args:
        eval_type (str): ``'classification'`` or ``'multilabel'``. Default: ``'classification'``.
    Inputs of ``update``: y_pred, probabilities ``(N, C, ...)``, or for 'multilabel' 0 and 1; y, class numbers ``(N,
        ...)`` or their one-hot form, or for 'multilabel' 0 and 1, ``(N, C, ...)``.
    Raises:
        TypeError: for another ``eval_type``.  ValueError: if shapes or values do not fit.  RuntimeError: if there is
            nothing to evaluate.
    Example:
        >>> float(nn.Accuracy()(Tensor([[0.2, 0.8], [0.9, 0.1]]), Tensor([1, 1])))
        0.5
    Source: mindspore.nn.Accuracy, mindspore.train.Accuracy
    """

    def __init__(self, eval_type="classification"):
        super().__init__(eval_type)
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._correct_num = 0
        self._total_num = 0
        self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._predictions(inputs)
        self._check_classes(y_pred)
        if self._type == "classification":
            right = (y_pred.argmax(axis=1) == y).reshape(-1)
        else:
            right = (y_pred == y).swapaxes(1, -1).reshape(-1, self._class_num).all(axis=1)
        self._correct_num += right.sum()
        self._total_num += right.size

    def eval(self):
        """The fraction (float)."""
        self._require_update(self._total_num)
        return Scalar(self._correct_num / self._total_num)


class TopKCategoricalAccuracy(Metric):
    """Top-k accuracy: the fraction of samples whose class is among the ``k`` most probable ones.

    Args:
        k (int): from 1 on.
    Inputs of ``update``: y_pred, probabilities ``(N, C)``; y, class numbers ``(N,)`` or their one-hot form.
    Raises:
        TypeError, ValueError: if ``k`` is not an int from 1 on.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> float(nn.TopKCategoricalAccuracy(2)(Tensor([[0.5, 0.2, 0.3]]), Tensor([2])))
        1.0
    Source: mindspore.nn.TopKCategoricalAccuracy, mindspore.train.TopKCategoricalAccuracy
    """

    def __init__(self, k):
        super().__init__()
        if not isinstance(k, int):
            refuse(TypeError, "TopKCategoricalAccuracy", "k", "an int", k)
        if k < 1:
            refuse(ValueError, "TopKCategoricalAccuracy", "k", "at least 1", k)
        self.k = k
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._correct_num = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._arrays(inputs)
        if y_pred.shape[-1] < self.k:
            refuse(ValueError, "TopKCategoricalAccuracy", "k", f"at most the {y_pred.shape[-1]} classes", self.k)
        y = classes_of(y_pred, y).reshape(-1, 1)
        self._correct_num += (np.argsort(-y_pred, axis=1)[:, : self.k] == y).sum()
        self._samples_num += y.size

    def eval(self):
        """The fraction (float)."""
        self._require_update(self._samples_num)
        return Scalar(self._correct_num / self._samples_num)


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """`TopKCategoricalAccuracy` of the most probable class.

    Example:
        >>> float(nn.Top1CategoricalAccuracy()(Tensor([[0.5, 0.2, 0.3]]), Tensor([2])))
        0.0
    Source: mindspore.nn.Top1CategoricalAccuracy, mindspore.train.Top1CategoricalAccuracy
    """

    def __init__(self):
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """`TopKCategoricalAccuracy` of the five most probable classes.

    Example:
        >>> float(nn.Top5CategoricalAccuracy()(Tensor([[0.5, 0.1, 0.1, 0.1, 0.1, 0.1]]), Tensor([0])))
        1.0
    Source: mindspore.nn.Top5CategoricalAccuracy, mindspore.train.Top5CategoricalAccuracy
    """

    def __init__(self):
        super().__init__(5)
