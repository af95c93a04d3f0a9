"""Initial values of Parameters. Random ones are seeded from NumPy's generator and equal MindSpore's."""

import math
import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _upcalls
from ._random.filling import fill_normal, fill_truncated_normal, fill_uniform
from .engine import dtypes
from .engine.refusal import refuse
from .tensor.tensor import Tensor

__all__ = [
    "Initializer", "initializer", "TruncatedNormal", "Normal", "Uniform", "HeUniform", "HeNormal", "XavierUniform",
    "XavierNormal", "One", "Zero", "Constant", "Identity", "Sparse", "Dirac", "Orthogonal", "VarianceScaling",
]  # fmt: skip
_BY_NAME = {}
_FANS = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("uniform", "truncated_normal", "untruncated_normal")
_SPREAD_OF_TRUNCATED = 0.87962566103423978  # standard deviation of a standard normal truncated to [-2, 2]

_MSG_AXES = "For '{}', the tensor to fill must have {} axes, but has {}."


def initializer(init, shape=None, dtype=dtypes.float32):
    """A Tensor of initial values, drawn immediately.

    Args:
        init (Tensor | str | Initializer | Number): a Tensor is returned as it is; a str is the name of an Initializer
            class in any case, ``'zeros'``, ``'ones'``, ``'xavier_uniform'``, ``'he_normal'``, ...
        shape (int | tuple[int] | list[int]): of the result; not needed with a Tensor.
        dtype (mindspore.dtype): of the result. Default: ``float32``.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``init`` is something else.  ValueError: if the name is unknown or the shape unfit.
    Example:
        >>> initializer("ones", [2]).asnumpy().tolist()
        [1.0, 1.0]
    Source: mindspore.common.initializer.initializer
    """
    shape = None if shape is None else _checked_shape(shape)
    if isinstance(init, Tensor):
        if shape is not None and init.shape != shape:
            refuse(ValueError, "initializer", "init", f"of the 'shape', {shape}", init)
        return init
    init = _initializer_of(init)
    if shape is None:
        refuse(ValueError, "initializer", "shape", f"given with {type(init).__name__}", shape)
    if getattr(dtype, "numpy", None) is None:
        refuse(TypeError, "initializer", "dtype", "the mindspore dtype of a Tensor", dtype)
    return Tensor(shape=shape, dtype=dtype, init=init)


_upcalls.fill(initialized=initializer)


def _initializer_of(init) -> Any:
    """The Initializer that a name, a number or an Initializer stands for."""
    if isinstance(init, str):
        if init.lower() not in _BY_NAME:
            expected = "the name of an Initializer, such as 'zeros' or 'he_normal'"
            refuse(ValueError, "initializer", "init", expected, init)
        return _BY_NAME[init.lower()]()
    if isinstance(init, numbers.Number):
        return Constant(init)
    if not isinstance(init, Initializer):
        refuse(TypeError, "initializer", "init", "a Tensor, a number, a name or an Initializer", init)
    return init


def _checked_shape(shape):
    shape = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    for length in shape:
        if not isinstance(length, numbers.Integral) or isinstance(length, bool) or length <= 0:
            refuse(ValueError, "initializer", "shape", "made of positive ints", shape)
    return tuple(int(length) for length in shape)


class Initializer:
    """The base class: ``_initialize(array)`` fills a NumPy array in place.

    Args:
        kwargs: kept as attributes of the same names.
    Example:
        >>> class Three(Initializer):
        ...     def _initialize(self, array):
        ...         array[...] = 3
        >>> initializer(Three(), [2]).asnumpy().tolist()
        [3.0, 3.0]
    Source: mindspore.common.initializer.Initializer
    """

    _names_ = ()

    if TYPE_CHECKING:  # the arguments of the constructor

        def __getattr__(self, name) -> Any: ...

    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in (cls.__name__.lower(), *cls.__dict__.get("_names_", ())):
            _BY_NAME.setdefault(name, cls)

    def __repr__(self):
        # Layers print their initializers, and MindSpore's have another path.
        shown, is_ours = super().__repr__(), type(self).__module__ == __name__
        return shown.replace(__name__, "mindspore.common.initializer", 1) if is_ours else shown

    def _initialize(self, array):
        raise NotImplementedError("Must be overridden!")

    def __call__(self, array):
        """Fills ``array`` (numpy.ndarray) in place."""
        self._initialize(array)


class Zero(Initializer):
    """Zeros. Source: mindspore.common.initializer.Zero"""

    _names_ = ("zeros",)

    def _initialize(self, array):
        array[...] = 0


class One(Initializer):
    """Ones. Source: mindspore.common.initializer.One"""

    _names_ = ("ones",)

    def _initialize(self, array):
        array[...] = 1


class Constant(Initializer):
    """The same number everywhere. Source: mindspore.common.initializer.Constant"""

    def __init__(self, value):
        super().__init__(value=value)

    def _initialize(self, array):
        array[...] = self.value


class Uniform(Initializer):
    """Uniform between ``-scale`` and ``scale``. Source: mindspore.common.initializer.Uniform"""

    def __init__(self, scale=0.07):
        super().__init__(scale=scale)

    def _initialize(self, array):
        _fill_uniform(array, self.scale)


class Normal(Initializer):
    """Normal with mean ``mean`` and standard deviation ``sigma``. Source: mindspore.common.initializer.Normal"""

    def __init__(self, sigma=0.01, mean=0.0):
        super().__init__(sigma=sigma, mean=mean)

    def _initialize(self, array):
        _fill_normal(array, self.sigma, self.mean)


class TruncatedNormal(Initializer):
    """Normal between ``a`` and ``b``. Source: mindspore.common.initializer.TruncatedNormal"""

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)

    def _initialize(self, array):
        _fill_truncated_normal(array, self.sigma, self.mean, self.a, self.b)


class XavierUniform(Initializer):
    """Uniform with bound ``gain * sqrt(6 / (fan_in + fan_out))``. Source: mindspore.common.initializer.XavierUniform"""

    _names_ = ("xavier_uniform",)

    def __init__(self, gain=1):
        super().__init__(gain=gain)

    def _initialize(self, array):
        _fill_uniform(array, self.gain * math.sqrt(6 / sum(_fans(array.shape))))


class XavierNormal(Initializer):
    """Normal, deviation ``gain * sqrt(2 / (fan_in + fan_out))``. Source: mindspore.common.initializer.XavierNormal"""

    _names_ = ("xavier_normal",)

    def __init__(self, gain=1):
        super().__init__(gain=gain)

    def _initialize(self, array):
        _fill_normal(array, self.gain * math.sqrt(2 / sum(_fans(array.shape))))


class _He(Initializer):
    def __init__(self, negative_slope: float = 0, mode="fan_in", nonlinearity="leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)

    def _deviation(self, shape):
        if self.mode not in ("fan_in", "fan_out"):
            refuse(ValueError, type(self).__name__, "mode", "'fan_in' or 'fan_out'", self.mode)
        fan_in, fan_out = _fans(shape)
        return _gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan_in if self.mode == "fan_in" else fan_out)


class HeUniform(_He):
    """Uniform with bound ``gain * sqrt(3 / fan)``.

    Args:
        negative_slope (int | float): of the leaky ReLU that follows. Default: ``0``.
        mode (str): which fan: ``'fan_in'`` or ``'fan_out'``. Default: ``'fan_in'``.
        nonlinearity (str): what follows: ``'leaky_relu'``, ``'relu'``, ``'tanh'``, ``'sigmoid'``, ``'linear'`` or a
            convolution. Default: ``'leaky_relu'``.
    Source: mindspore.common.initializer.HeUniform
    """

    _names_ = ("he_uniform",)

    def _initialize(self, array):
        _fill_uniform(array, math.sqrt(3) * self._deviation(array.shape))


class HeNormal(_He):
    """Normal with deviation ``gain / sqrt(fan)``; arguments as for `HeUniform`.

    Source: mindspore.common.initializer.HeNormal
    """

    _names_ = ("he_normal",)

    def _initialize(self, array):
        _fill_normal(array, self._deviation(array.shape))


class VarianceScaling(Initializer):
    """Variance ``scale / fan``, drawn from one of three distributions.

    For ``'truncated_normal'`` MindSpore 2.10 draws from the uniform distribution; msgrad draws from the truncated
    normal.

    Args:
        scale (float): positive. Default: ``1.0``.
        mode (str): which fan: ``'fan_in'``, ``'fan_out'`` or ``'fan_avg'``. Default: ``'fan_in'``.
        distribution (str): ``'uniform'``, ``'truncated_normal'`` or ``'untruncated_normal'``.
            Default: ``'truncated_normal'``.
    Raises:
        ValueError: for another value.
    Source: mindspore.common.initializer.VarianceScaling
    """

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal"):
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        if scale <= 0:
            refuse(ValueError, "VarianceScaling", "scale", "above 0", scale)
        for name, value, choices in (("mode", mode, _FANS), ("distribution", distribution, _DISTRIBUTIONS)):
            if value not in choices:
                refuse(ValueError, "VarianceScaling", name, f"one of {list(choices)}", value)

    def _initialize(self, array):
        fan_in, fan_out = _fans(array.shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        deviation = math.sqrt(variance)
        if self.distribution == "uniform":
            _fill_uniform(array, math.sqrt(3 * variance))
        elif self.distribution == "untruncated_normal":
            _fill_normal(array, deviation)
        else:
            deviation /= _SPREAD_OF_TRUNCATED
            _fill_truncated_normal(array, deviation, 0.0, -2 * deviation, 2 * deviation)


class Identity(Initializer):
    """Ones on the diagonal of a matrix. Source: mindspore.common.initializer.Identity"""

    def _initialize(self, array):
        if array.ndim != 2:
            raise ValueError(_MSG_AXES.format("Identity", "2", array.ndim))
        array[...] = np.eye(*array.shape)


class Orthogonal(Initializer):
    """``gain`` times a matrix with orthonormal rows or columns; further axes are flattened into the columns.

    Source: mindspore.common.initializer.Orthogonal
    """

    def __init__(self, gain=1.0):
        super().__init__(gain=gain)

    def _initialize(self, array):
        if array.ndim < 2:
            raise ValueError(_MSG_AXES.format("Orthogonal", "at least 2", array.ndim))
        rows = array.shape[0]
        columns = array.size // rows
        normal = np.empty((rows, columns), np.float32)
        _fill_normal(normal, 1.0)
        q, r = np.linalg.qr(normal.T if rows < columns else normal)
        q *= np.sign(np.diag(r))  # so that the distribution is uniform
        array[...] = self.gain * (q.T if rows < columns else q).reshape(array.shape)


class Sparse(Initializer):
    """Normal with deviation ``sigma``, with a fraction ``sparsity`` of each column of a matrix set to zero.

    Source: mindspore.common.initializer.Sparse
    """

    def __init__(self, sparsity, sigma=0.01):
        super().__init__(sparsity=sparsity, sigma=sigma)

    def _initialize(self, array):
        if array.ndim != 2:
            raise ValueError(_MSG_AXES.format("Sparse", "2", array.ndim))
        rows, columns = array.shape
        _fill_normal(array, self.sigma)
        for column in range(columns):
            array[np.random.permutation(rows)[: math.ceil(self.sparsity * rows)], column] = 0


class Dirac(Initializer):
    """The identity convolution kernel, in each of ``groups`` groups of output channels.

    Source: mindspore.common.initializer.Dirac
    """

    def __init__(self, groups=1):
        super().__init__(groups=groups)

    def _initialize(self, array):
        if array.ndim not in (3, 4, 5):
            raise ValueError(_MSG_AXES.format("Dirac", "3, 4 or 5", array.ndim))
        if self.groups <= 0 or array.shape[0] % self.groups:
            refuse(ValueError, "Dirac", "groups", f"a divisor of the first axis, {array.shape[0]}", self.groups)
        array[...] = 0
        size = array.shape[0] // self.groups
        center = tuple(length // 2 for length in array.shape[2:])
        for group in range(self.groups):
            for channel in range(min(size, array.shape[1])):
                array[(group * size + channel, channel, *center)] = 1


def _seed():
    """The seed of one array, from NumPy's global generator, which the script may seed and also draw from."""
    return int(np.random.randint(1, 1 << 63, dtype=np.int64))


def _fill_uniform(array, bound):
    fill_uniform(array, _seed(), -bound, bound)


def _fill_normal(array, sigma, mean=0.0):
    if sigma < 0:
        refuse(ValueError, "Initializer", "sigma", "0 or above", sigma)
    fill_normal(array, _seed(), mean, sigma)


def _fill_truncated_normal(array, sigma, mean, low, high):
    if sigma < 0:
        refuse(ValueError, "Initializer", "sigma", "above 0", sigma)
    seed = _seed()
    if sigma == 0:
        refuse(RuntimeError, "TruncatedNormal", "sigma", "above 0", sigma)
    fill_truncated_normal(array, seed, low, high, mean, sigma)


def _fans(shape):
    """``(fan_in, fan_out)`` of a weight: the axes after the second are the receptive field."""
    if len(shape) < 2:
        raise ValueError(_MSG_AXES.format("fan_in and fan_out", "at least 2", len(shape)))
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _gain(nonlinearity, slope):
    if nonlinearity == "leaky_relu":
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            refuse(ValueError, "HeUniform", "negative_slope", "an int or float, for 'leaky_relu'", slope)
        return math.sqrt(2 / (1 + slope**2))
    gains = {"sigmoid": 1.0, "linear": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}
    if nonlinearity.startswith("conv"):
        return 1.0
    if nonlinearity not in gains:
        names = [*gains, "leaky_relu"]
        refuse(ValueError, "HeUniform", "nonlinearity", f"one of {names}, or a convolution", nonlinearity)
    return gains[nonlinearity]
