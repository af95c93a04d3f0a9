"""Mean absolute and mean squared error, and the mean loss."""

import math

import numpy as np

from ...engine.refusal import refuse, require
from ._scalar import Scalar
from .metric import Metric, rearrange_inputs


class MAE(Metric):
    """Mean absolute error: the sum of absolute differences, divided by the number of samples.

    Inputs of ``update``: y_pred and y, of equally many elements; the first axis is that of samples.
    Raises:
        RuntimeError: if there is nothing to evaluate.
    Example:
        >>> float(nn.MAE()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        1.0
    Source: mindspore.nn.MAE, mindspore.train.MAE
    """

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._abs_error_sum = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._arrays(inputs)
        self._abs_error_sum += np.abs(y.reshape(y_pred.shape) - y_pred).sum()
        self._samples_num += y.shape[0]

    def eval(self):
        """The mean (float)."""
        self._require_update(self._samples_num)
        return Scalar(float(self._abs_error_sum) / self._samples_num)


class MSE(Metric):
    """Mean squared error: the sum of squared differences, divided by the number of samples.

    Inputs of ``update``: y_pred and y, of equally many elements; the first axis is that of samples.
    Raises:
        RuntimeError: if there is nothing to evaluate.
    Example:
        >>> float(nn.MSE()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        2.0
    Source: mindspore.nn.MSE, mindspore.train.MSE
    """

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._squared_error_sum = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        y_pred, y = self._arrays(inputs)
        self._squared_error_sum += np.square(y.reshape(y_pred.shape) - y_pred).sum()
        self._samples_num += y.shape[0]

    def eval(self):
        """The mean (float)."""
        self._require_update(self._samples_num)
        return Scalar(float(self._squared_error_sum) / self._samples_num)


class Loss(Metric):
    """The mean of losses.

    Inputs of ``update``: loss, 0-d or 1-d; the mean of a 1-d one is used.
    Raises:
        ValueError: if it has more axes.  RuntimeError: if there is nothing to evaluate.
    Example:
        >>> loss = nn.Loss()
        >>> for value in (1.0, 3.0):
        ...     loss.update(Tensor(value))
        >>> float(loss.eval())
        2.0
    Source: mindspore.nn.Loss, mindspore.train.Loss
    """

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._sum_loss = 0
        self._total_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a loss."""
        (loss,) = self._arrays(inputs, 1)
        if loss.ndim > 1:
            refuse(ValueError, "Loss.update", "loss", "0-d or of one axis", loss.shape)
        self._sum_loss += loss.mean()
        self._total_num += 1

    def eval(self):
        """The mean (float)."""
        self._require_update(self._total_num)
        return Scalar(float(self._sum_loss) / self._total_num)


class Perplexity(Metric):
    """Perplexity: ``exp`` of the mean of ``-log(probability of the true class)``.

    Args:
        ignore_label (int): a class to ignore. Default: ``None``.
    Inputs of ``update``: preds, probabilities ``(N, C)``; labels, class numbers ``(N,)``.
    Raises:
        TypeError: if ``ignore_label`` is not an int.  RuntimeError: if the shapes do not fit, or there is nothing to
            evaluate.
    Example:
        >>> round(nn.Perplexity()(Tensor([[0.5, 0.5], [0.5, 0.5]]), Tensor([0, 1])), 6)
        2.0
    Source: mindspore.nn.Perplexity, mindspore.train.Perplexity
    """

    def __init__(self, ignore_label=None):
        super().__init__()
        self.ignore_label = require(ignore_label, (int, type(None)), "Perplexity", "ignore_label")
        self.clear()

    def clear(self):
        """Clears all updates."""
        self._sum_metric = 0.0
        self._num_inst = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds a batch."""
        pred, label = self._arrays(inputs)
        if label.size * pred.shape[-1] != pred.size:
            refuse(RuntimeError, "Perplexity.update", "labels", "one for each row of the predictions", label.shape)
        label = label.reshape(-1).astype(int)
        pred = pred[np.arange(label.size), label]
        counts = label != self.ignore_label
        self._sum_metric -= np.log(np.maximum(1e-10, pred[counts])).sum()
        self._num_inst += counts.sum()

    def eval(self):
        """The perplexity (float)."""
        self._require_update(self._num_inst)
        return math.exp(self._sum_metric / self._num_inst)
