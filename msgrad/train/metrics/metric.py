"""The base class of metrics, which are cleared, updated batch by batch, and evaluated."""

import abc
import functools

import numpy as np

from ...engine.refusal import InWords, refuse
from ...tensor.tensor import Tensor


def rearrange_inputs(func):
    """A decorator for a method of a `Metric`: it selects and orders the inputs as `Metric.set_indexes` specifies.

    Args:
        func (function): such as ``update``.
    Returns:
        function.
    Example:
        >>> class Last(nn.Metric):
        ...     def clear(self):
        ...         self.value = None
        ...
        ...     @nn.rearrange_inputs
        ...     def update(self, *inputs):
        ...         self.value = inputs[0]
        ...
        ...     def eval(self):
        ...         return self.value
        >>> Last().set_indexes([1, 0])("a", "b")
        'b'
    Source: mindspore.nn.rearrange_inputs, mindspore.train.rearrange_inputs
    """

    @functools.wraps(func)
    def wrapper(self, *inputs):
        return func(self, *([inputs[position] for position in self.indexes] if self.indexes else inputs))

    return wrapper


class Metric(metaclass=abc.ABCMeta):
    """The base class of metrics; a subclass defines ``clear``, ``update`` and ``eval``.

    A call clears, updates and evaluates.

    Example:
        >>> class Count(nn.Metric):
        ...     def clear(self):
        ...         self.count = 0
        ...
        ...     def update(self, *inputs):
        ...         self.count += len(inputs[0])
        ...
        ...     def eval(self):
        ...         return self.count
        >>> Count()([1, 2, 3])
        3
    Source: mindspore.nn.Metric, mindspore.train.Metric
    """

    def __init__(self):
        self._indexes = None

    @property
    def indexes(self):
        """Indices of the inputs that ``update`` takes, in order; None: all. Source: mindspore.train.Metric.indexes"""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes):
        """Sets which of the inputs, in order, ``update`` takes.

        Args:
            indexes (list[int]): their indices.
        Returns:
            The metric.
        Raises:
            ValueError: if it is not a list of ints.
        Source: mindspore.train.Metric.set_indexes
        """
        if not isinstance(indexes, list) or not all(isinstance(position, int) for position in indexes):
            refuse(ValueError, "Metric.set_indexes", "indexes", "a list of ints", indexes)
        self._indexes = indexes
        return self

    def __call__(self, *inputs):
        self.clear()
        self.update(*inputs)
        return self.eval()

    @abc.abstractmethod
    def clear(self):
        """Clears all updates. Source: mindspore.train.Metric.clear"""

    @abc.abstractmethod
    def update(self, *inputs):
        """Adds a batch. Source: mindspore.train.Metric.update"""

    @abc.abstractmethod
    def eval(self):
        """The value. Source: mindspore.train.Metric.eval"""

    def _convert_data(self, data):
        """``data`` as a numpy array; TypeError if it is not a Tensor, list or array."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if not isinstance(data, (list, np.ndarray)):
            refuse(TypeError, type(self).__name__, "inputs", "Tensors, lists or numpy arrays", data)
        return np.asarray(data)

    def _taken(self, inputs, count):
        """The inputs, after checking their number."""
        if len(inputs) != count:
            refuse(ValueError, f"{type(self).__name__}.update", "inputs", f"of length {count}", len(inputs))
        return inputs

    def _arrays(self, inputs, count=2):
        return [self._convert_data(data) for data in self._taken(inputs, count)]

    def _require_update(self, is_updated):
        """RuntimeError unless there is something to evaluate."""
        if not is_updated:
            raise RuntimeError(f"The '{type(self).__name__}' has no samples to evaluate: call 'update' first.")


class EvaluationBase(Metric):
    """The base class of metrics of classes.

    Args:
        eval_type (str): ``'classification'``, one class for each sample, or ``'multilabel'``, several.
    Raises:
        TypeError: for another one.
    """

    def __init__(self, eval_type):
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            refuse(TypeError, type(self).__name__, "eval_type", "'classification' or 'multilabel'", eval_type)
        self._type = eval_type

    def clear(self):
        """Clears all updates; a subclass defines it."""
        raise NotImplementedError

    def update(self, *inputs):
        """Adds a batch; a subclass defines it."""
        raise NotImplementedError

    def eval(self):
        """The value; a subclass defines it."""
        raise NotImplementedError

    def _check_shape(self, y_pred, y):
        owner = type(self).__name__
        if self._type != "multilabel" and y_pred.ndim < 2:
            refuse(ValueError, owner, "y_pred", "of shape (N, C, ...), the classes along axis 1", y_pred.shape)
        expected = y_pred.shape if self._type == "multilabel" else y_pred.shape[:1] + y_pred.shape[2:]
        if y.shape != expected:
            refuse(ValueError, owner, "y", f"of shape {expected} for predictions of {y_pred.shape}", y.shape)

    def _check_value(self, y_pred, y):
        if self._type == "multilabel" and not all(np.isin(each, (0, 1)).all() for each in (y_pred, y)):
            got = InWords("other values")
            refuse(ValueError, type(self).__name__, "inputs", "0 or 1 everywhere for 'multilabel'", got)

    def _predictions(self, inputs):
        """Predictions and true values with their shapes checked; classes in one-hot form become numbers."""
        y_pred, y = self._arrays(inputs)
        if self._type == "classification":
            y = classes_of(y_pred, y)
        self._check_shape(y_pred, y)
        self._check_value(y_pred, y)
        return y_pred, y

    def _check_classes(self, y_pred):
        check_classes(self, y_pred)


def check_classes(metric, y_pred):
    """Stores the number of classes of the first batch; ValueError if a later batch has another number."""
    if metric._class_num not in (0, y_pred.shape[1]):
        expected = f"of {metric._class_num} classes, as before"
        refuse(ValueError, f"{type(metric).__name__}.update", "y_pred", expected, y_pred.shape[1])
    metric._class_num = y_pred.shape[1]


def classes_of(y_pred, y):
    """True classes as numbers, where they are given in one-hot form."""
    is_one_hot = y_pred.ndim == y.ndim > 1 and np.isin(y, (0, 1)).all() and (y.sum(axis=1) == 1).all()
    return y.argmax(axis=1) if is_one_hot else y
