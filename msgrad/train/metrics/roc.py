"""Receiver operating characteristic curves, and the area under a curve."""

from typing import Any

import numpy as np

from ...engine.refusal import InWords, refuse, require
from ._scalar import Scalar
from .metric import Metric, rearrange_inputs


class ROC(Metric):
    """ROC curve: the false and true positive rates at each threshold, for the last update.

    Args:
        class_num (int): the number of classes. Default: ``None``, 1 if both inputs have the same number of axes.
        pos_label (int): the positive class of two. Default: ``None``, 1.
    Inputs of ``update``: y_pred, scores ``(N,)`` and y, of two classes ``(N,)``; or scores ``(N, C, ...)`` and class
        numbers ``(N, ...)``.
    Raises:
        TypeError: if an argument is not an int.  ValueError: if shapes do not fit, or all labels are positive or all
            negative.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> false, true, thresholds = nn.ROC()(Tensor([0.2, 0.8, 0.6]), Tensor([0, 1, 0]))
        >>> false.tolist(), true.tolist()
        ([0.0, 0.0, 0.5, 1.0], [0.0, 1.0, 1.0, 1.0])
    Source: mindspore.nn.ROC, mindspore.train.ROC
    """

    class_num: Any

    def __init__(self, class_num=None, pos_label=None):
        super().__init__()
        self.class_num = require(class_num, (int, type(None)), "ROC", "class_num")
        self.pos_label = require(pos_label, (int, type(None)), "ROC", "pos_label")
        self.clear()

    def clear(self):
        """Clears the last update."""
        self.y_pred: Any = 0
        self.y: Any = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Replaces the last update."""
        y_pred, y = self._arrays(inputs)
        if y_pred.ndim == y.ndim:
            if self.class_num not in (None, 1):
                refuse(ValueError, "ROC", "class_num", "1 for inputs of as many axes", self.class_num)
            self.class_num = 1
            self.pos_label = 1 if self.pos_label is None else self.pos_label
            y_pred = y_pred.ravel()
        elif y_pred.ndim == y.ndim + 1:
            if self.pos_label is not None:
                refuse(ValueError, "ROC", "pos_label", "None for scores of several classes", self.pos_label)
            if self.class_num != y_pred.shape[1]:
                refuse(ValueError, "ROC", "class_num", f"the number of classes, {y_pred.shape[1]}", self.class_num)
            y_pred = np.moveaxis(y_pred, 1, -1).reshape(-1, self.class_num)
        else:
            refuse(ValueError, "ROC", "y_pred", "of as many axes as 'y', or one more", y_pred.shape)
        self.y_pred, self.y, self._is_update = y_pred, y.ravel(), True

    def eval(self):
        """The false and true positive rates and the thresholds: arrays, or for several classes lists of them."""
        self._require_update(self._is_update)
        if self.class_num == 1:
            return _curve(self.y_pred, self.y == self.pos_label)
        curves = [_curve(self.y_pred[:, k], self.y == k) for k in range(self.class_num)]
        return tuple(map(list, zip(*curves, strict=True)))


def _curve(scores, is_positive):
    order = np.argsort(-scores)
    scores, is_positive = scores[order], is_positive[order].astype(np.int64)
    last = np.append(np.flatnonzero(np.diff(scores)), scores.size - 1)  # the last index of each score
    true = np.append(0, np.cumsum(is_positive)[last])
    false = np.append(0, 1 + last - true[1:])
    for name, counts in (("negative", false), ("positive", true)):
        if counts[-1] <= 0:
            refuse(ValueError, "ROC.eval", "y", f"{name} for some samples", InWords("for none of them"))
    thresholds = scores[last]
    return false / false[-1], true / true[-1], np.append(thresholds[:1] + 1, thresholds)


def auc(x, y, reorder=False):
    """The area under a curve, by the trapezoidal rule.

    Args:
        x, y (numpy.ndarray): the points, shapes ``(N,)`` or ``(N, 1)``; ``x`` must be monotonic unless ``reorder``.
        reorder (bool): whether to sort the points first. Default: ``False``.
    Returns:
        float.
    Raises:
        TypeError: if they are not arrays. ValueError: if there are fewer than two points, lengths differ, or ``x`` is
            not monotonic.
    Example:
        >>> import numpy as np
        >>> float(nn.auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0])))
        0.75
    Source: mindspore.nn.auc, mindspore.train.auc
    """
    for name, array in (("x", x), ("y", y)):
        require(array, np.ndarray, "auc", name)
    if len(x) != len(y):
        refuse(ValueError, "auc", "y", f"of the length of 'x', {len(x)}", len(y))
    for name, array in (("x", x), ("y", y)):
        if array.shape not in ((len(array),), (len(array), 1)):
            refuse(ValueError, "auc", name, "of shape (N,) or (N, 1)", array.shape)
    x, y = x.ravel(), y.ravel()
    if x.size < 2:
        refuse(ValueError, "auc", "x", "of at least two points", x.size)
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if not reorder and (steps < 0).any() and (steps > 0).any():
        refuse(ValueError, "auc", "x", "rising or falling", x, "Sort the points: auc(x, y, reorder=True).")
    area = np.trapezoid(y, x)
    return Scalar(-area if (steps < 0).any() else area)
