"""Loss scalers for hand-written training loops."""

import abc

from .._contracts.contracts import PositiveInt, Real
from .._contracts.enforcement import checked
from ..engine import dtypes
from ..engine.pytrees import tensors_in
from ..engine.refusal import refuse
from ..ops.control.composite import HyperMap
from ..ops.optim.overflow import are_finite, scaled_on
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor

_map = HyperMap()
_map._keeps_lists_ = True  # MindSpore's scalers are graphs


def all_finite(inputs, status=None):
    """Whether every element of every Tensor is finite.

    Args:
        inputs (Tensor | tuple | list): Tensors of float dtypes, nested to any depth.
        status (Tensor): the result of `init_status`, in MindSpore 2.0; without effect. Default: ``None``.
    Returns:
        Tensor, 0-d, bool.
    Raises:
        TypeError: if there is not a Tensor in ``inputs``.  ValueError: if there is nothing at all.
    Example:
        >>> amp.all_finite((Tensor([1.0]), Tensor([float("inf")]))).item()
        False
    Source: mindspore.amp.all_finite
    """
    tensors = tensors_in(inputs)
    if not tensors:
        error = ValueError if inputs in ((), []) else TypeError
        refuse(error, "all_finite", "inputs", "a Tensor, or a tuple or list of Tensors", inputs)
    return are_finite(tensors)


def _grad_scale_map(scale_value, inputs):
    """The inputs (Tensor, or nested containers of them) times a scale (Tensor), in their dtype."""
    return _map(lambda value: value * scale_value.astype(value.dtype), inputs)


def _grad_unscale_map(scale_value, inputs):
    """The inputs (Tensor, or nested containers of them) divided by a scale (Tensor), in their dtype."""
    return _grad_scale_map(1 / scale_value, inputs)


def init_status():
    """The overflow status of MindSpore 2.0: zeros, which `all_finite` accepts and ignores.

    Returns:
        Tensor of 8 zeros, float32.
    Example:
        >>> amp.init_status().shape
        (8,)
    Source: mindspore.amp.init_status (2.0)
    """
    return Tensor([0.0] * 8, dtypes.float32)


class LossScaler(abc.ABC):
    """The base class: scales losses, and gradients back. Source: mindspore.amp.LossScaler"""

    @abc.abstractmethod
    def scale(self, inputs):
        """The inputs times the scale. Source: mindspore.amp.LossScaler.scale"""

    @abc.abstractmethod
    def unscale(self, inputs):
        """The inputs divided by the scale. Source: mindspore.amp.LossScaler.unscale"""

    @abc.abstractmethod
    def adjust(self, grads_finite):
        """Changes the scale after a step. Source: mindspore.amp.LossScaler.adjust"""


class _Scaler(LossScaler):
    """A scale in a Parameter."""

    def __init__(self, scale_value):
        if scale_value < 1:
            refuse(ValueError, type(self).__name__, "scale_value", "at least 1", scale_value)
        self.scale_value = Parameter(Tensor(scale_value, dtypes.float32), name="scale_value")

    def scale(self, inputs):
        """The inputs (Tensor, or nested containers of them) times the scale, in their dtype."""
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs):
        """The inputs (Tensor, or nested containers of them) divided by the scale, in their dtype."""
        return _grad_unscale_map(self.scale_value, inputs)


class StaticLossScaler(_Scaler):
    """A constant loss scale.

    Args:
        scale_value (int | float): at least 1.
    Raises:
        TypeError, ValueError: for another.
    Example:
        >>> scaler = amp.StaticLossScaler(scale_value=256)
        >>> scaler.unscale(scaler.scale(Tensor([0.5]))).tolist()
        [0.5]
    Source: mindspore.amp.StaticLossScaler
    """

    @checked
    def __init__(self, scale_value: Real):
        super().__init__(scale_value)

    def adjust(self, grads_finite):
        """Changes nothing; returns False."""
        return False


class DynamicLossScaler(_Scaler):
    """A dynamic loss scale: it is lowered when gradients are not finite, and raised after a number of finite steps.

    Args:
        scale_value (int | float): the initial scale, at least 1.
        scale_factor (int): the factor by which it is lowered and raised.
        scale_window (int): the number of finite steps after which it is raised.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> scaler = amp.DynamicLossScaler(scale_value=2**10, scale_factor=2, scale_window=1)
        >>> scaler.adjust(Tensor(False))
        True
        >>> scaler.scale_value.item()
        512.0
    Source: mindspore.amp.DynamicLossScaler
    """

    @checked
    def __init__(self, scale_value: Real, scale_factor: PositiveInt, scale_window: PositiveInt):
        super().__init__(scale_value)
        self.scale_window, self.scale_factor = scale_window, scale_factor
        self.counter = Parameter(Tensor(0, dtypes.int32), name="counter")

    def adjust(self, grads_finite):
        """Changes the scale after a step whose gradients were finite or not (Tensor, bool); returns True."""
        scale, count = scaled_on(self.scale_value, self.counter, grads_finite, self.scale_factor, self.scale_window)
        self.scale_value._write_(scale)
        self.counter._write_(count)
        return True
