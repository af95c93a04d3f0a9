"""Activations as layers: each applies a function of ``msgrad.ops`` to its input."""

import sys

from ... import ops
from ..._contracts import check
from ..._contracts.contracts import Bool, PositiveInt, Real
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...initializer import initializer
from ...ops._core.primitive import Primitive
from ...ops.nn.softmax import _softmax_along, log_softmax_ext
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from .._rows import layer, on_demand
from ..cell import Cell

_ROWS = {
    "CELU": lambda: layer(ops.celu, "CELU(alpha=1.0)(x)"),
    "ELU": lambda: layer(ops.elu, "ELU(alpha=1.0)(x)"),
    "FastGelu": lambda: layer(ops.fast_gelu, "FastGelu()(x)"),
    "GLU": lambda: layer(ops.glu, "GLU(axis=-1)(x)"),
    "HShrink": lambda: layer(ops.hardshrink, "HShrink(lambd=0.5)(input)"),
    "HSigmoid": lambda: layer(ops.hardsigmoid, "HSigmoid()(input)"),
    "HSwish": lambda: layer(ops.hardswish, "HSwish()(input)"),
    "LeakyReLU": lambda: layer(ops.leaky_relu, "LeakyReLU(alpha=0.2)(x)"),
    "LogSigmoid": lambda: layer(ops.logsigmoid, "LogSigmoid()(input_x)"),
    "LogSoftmax": lambda: layer(ops.log_softmax, "LogSoftmax(axis=-1)(x)"),
    "LogSoftmaxExt": lambda: layer(log_softmax_ext, "LogSoftmaxExt(dim=None)(x)"),
    "Mish": lambda: layer(ops.mish, "Mish()(input_x)"),
    "ReLU": lambda: layer(ops.relu, "ReLU()(input)"),
    "ReLU6": lambda: layer(ops.relu6, "ReLU6()(x)"),
    "SeLU": lambda: layer(ops.selu, "SeLU()(input_x)"),
    "Sigmoid": lambda: layer(ops.sigmoid, "Sigmoid()(x)"),
    "SiLU": lambda: layer(ops.silu, "SiLU()(x)"),
    "SoftShrink": lambda: layer(ops.softshrink, "SoftShrink(lambd=0.5)(input)"),
    "Softmax": lambda: layer(_softmax_along, "Softmax(axis=-1)(input)"),
    "Softmin": lambda: layer(ops.softmin, "Softmin(axis=-1)(x)"),
    "Softsign": lambda: layer(ops.softsign, "Softsign()(x)"),
    "Tanh": lambda: layer(ops.tanh, "Tanh()(x)"),
    "Tanhshrink": lambda: layer(ops.tanhshrink, "Tanhshrink()(x)"),
    "Threshold": lambda: layer(ops.threshold, "Threshold(threshold, value)(input_x)", threshold="thr"),
}
__getattr__ = on_demand(__name__, _ROWS)
__all__ = [*_ROWS, "GELU", "Hardtanh", "get_activation", "PReLU", "PReLUExt", "RReLU", "Softmax2d"]


class Hardtanh(Cell):
    """Hard tanh: the input, clipped to ``[min_val, max_val]``.

    Args:
        min_val, max_val (int | float): the bounds. Default: ``-1.0``, ``1.0``.
    Inputs: x (Tensor): any shape, a float or int dtype. Output: Tensor of the same shape and dtype.
    Raises:
        TypeError: if a bound is not a number.  ValueError: if ``min_val`` is not less than ``max_val``.
    Example:
        >>> nn.Hardtanh()(Tensor([-2.0, 0.5])).tolist()
        [-1.0, 0.5]
    Source: mindspore.nn.Hardtanh
    """

    @checked
    def __init__(self, min_val: Real = -1.0, max_val: Real = 1.0):
        super().__init__()
        if min_val >= max_val:
            check.refuse(ValueError, "Hardtanh", "min_val", f"less than 'max_val', {max_val}", min_val)
        self.min_val = min_val
        self.max_val = max_val

    def construct(self, x):
        """The clipped input."""
        return ops.hardtanh(x, self.min_val, self.max_val)


class RReLU(Cell):
    """Randomized leaky ReLU: ``x`` for ``x >= 0``, otherwise ``x`` times a random slope for each element.

    Args:
        lower, upper (int | float): the bounds of the slopes. Default: ``1 / 8`` and ``1 / 3``.
    Inputs: x (Tensor): any shape, a float dtype, int32 or int64. Output: Tensor of the same shape and dtype.
    Raises:
        TypeError: if a bound is not a number.  ValueError: if ``lower`` is above ``upper``.
    Example:
        >>> nn.RReLU(0.5, 0.5)(Tensor([-1.0, 2.0])).tolist()
        [-0.5, 2.0]
    Source: mindspore.nn.RReLU
    """

    @checked
    def __init__(self, lower: Real = 1 / 8, upper: Real = 1 / 3):
        super().__init__()
        if lower > upper:
            check.refuse(ValueError, "RReLU", "upper", f"at least 'lower', {lower}", upper)
        self.lower = lower
        self.upper = upper

    def construct(self, x):
        """The input where it is not negative, and multiples of it elsewhere."""
        return ops.rrelu(x, self.lower, self.upper)


class GELU(Cell):
    """GELU activation: ``x * P(X <= x)`` for a standard normal ``X``; by default the tanh approximation.

    Args:
        approximate (bool): whether to approximate. Default: ``True``.
    Raises:
        TypeError: if it is not a bool.
    Example:
        >>> nn.GELU()(Tensor([0.0])).tolist()
        [0.0]
    Source: mindspore.nn.GELU
    """

    @checked
    def __init__(self, approximate: Bool = True):
        super().__init__()
        self.approximate = "tanh" if approximate else "none"

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.gelu(x, self.approximate)


class PReLU(Cell):
    """PReLU: ``x`` where positive, ``w * x`` elsewhere, with one learned ``w``, or one for each channel (axis 1).

    Args:
        channel (int): the number of weights: 1 or the length of axis 1. Default: ``1``.
        w (float | list | Tensor): the initial value. Default: ``0.25``.
    Parameters: ``w`` of shape ``(channel,)``, named ``a``.
    Raises:
        ValueError: if ``channel`` is not positive.  TypeError: if ``w`` is something else.
    Example:
        >>> nn.PReLU()(Tensor([-2.0, 2.0])).tolist()
        [-0.5, 2.0]
    Source: mindspore.nn.PReLU
    """

    @checked
    def __init__(self, channel: PositiveInt = 1, w=0.25):
        super().__init__()
        if isinstance(w, list):
            w = Tensor(w, dtypes.float32)
        if not isinstance(w, (float, Tensor)):
            check.refuse(TypeError, "PReLU", "w", "a float, a list or a Tensor", w)
        self.w = Parameter(initializer(w, (channel,)), name="a")

    def construct(self, x):
        """At least two axes unless ``channel`` is 1, a float dtype; the result has the same."""
        return ops.prelu(x, self.w)


class PReLUExt(Cell):
    """`PReLU` whose Parameter is named ``weight``.

    Args:
        num_parameters (int): the number of weights: 1 or the length of axis 1. Default: ``1``.
        init (float): the initial value. Default: ``0.25``.
        dtype (mindspore.dtype | None): of the Parameter. Default: ``None``, float32.
    Inputs: input (Tensor): a float dtype. Output: Tensor of the same shape and dtype.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.PReLUExt()(Tensor([-2.0, 2.0])).tolist()
        [-0.5, 2.0]
    Source: mindspore.nn.PReLUExt
    """

    @checked
    def __init__(self, num_parameters: PositiveInt = 1, init: Real = 0.25, dtype=None):
        super().__init__()
        dtype = dtypes.float32 if dtype is None else dtype
        self.weight = Parameter(initializer(init, (num_parameters,), dtype), name="weight")

    def construct(self, input):
        """The activation."""
        return ops.prelu(input, self.weight)


class Softmax2d(Cell):
    """Softmax over the channels of an image, ``(N, C, H, W)`` or ``(C, H, W)``.

    Inputs: x (Tensor): three or four axes, a float dtype. Output: Tensor of the same shape and dtype.
    Raises:
        ValueError: if ``x`` has another number of axes.
    Example:
        >>> nn.Softmax2d()(ops.zeros((2, 1, 1))).tolist()
        [[[0.5]], [[0.5]]]
    Source: mindspore.nn.Softmax2d
    """

    def __init__(self):
        super().__init__()

    def construct(self, x):
        """Three or four axes, a float dtype; the result has the same."""
        if x.ndim not in (3, 4):
            check.refuse(ValueError, "Softmax2d", "x", "of 3 or 4 axes", x.shape)
        return ops.softmax(x, -3)


_BY_NAME = {  # and their classes in this file
    "softmin": "Softmin",
    "softmax": "Softmax",
    "softmax2d": "Softmax2d",
    "logsoftmax": "LogSoftmax",
    "logsoftmaxExt": "LogSoftmaxExt",
    "relu": "ReLU",
    "relu6": "ReLU6",
    "rrelu": "RReLU",
    "silu": "SiLU",
    "tanh": "Tanh",
    "tanhshrink": "Tanhshrink",
    "hardtanh": "Hardtanh",
    "gelu": "GELU",
    "fast_gelu": "FastGelu",
    "elu": "ELU",
    "sigmoid": "Sigmoid",
    "softsign": "Softsign",
    "prelu": "PReLU",
    "preluExt": "PReLUExt",
    "leakyrelu": "LeakyReLU",
    "hswish": "HSwish",
    "hsigmoid": "HSigmoid",
    "logsigmoid": "LogSigmoid",
    "softshrink": "SoftShrink",
    "hshrink": "HShrink",
    "threshold": "Threshold",
    "mish": "Mish",
}


def get_activation(name, prim_name=None):
    """Makes an activation layer by name.

    Args:
        name (str | None): one of the names that the error message lists; None gives None.
        prim_name (str): the caller's name in errors. Default: ``None``.
    Returns:
        Cell or None.
    Raises:
        KeyError: if there is no activation of that name.
    Example:
        >>> nn.get_activation("relu")
        ReLU()
    Source: mindspore.nn.get_activation
    """
    if name is None:
        return None
    if name not in _BY_NAME:
        start = f"For '{prim_name}', the" if prim_name else "The"
        raise KeyError(f"{start} 'name' must be in {list(_BY_NAME)}, but got {name}.")
    return getattr(sys.modules[__name__], _BY_NAME[name])()


def activation_of(activation, owner):
    """The activation of a layer, given by name, as a Cell or Primitive, or None.

    Raises:
        TypeError: if it is something else.  KeyError: for an unknown name.
    """
    activation = get_activation(activation) if isinstance(activation, str) else activation
    if activation is not None and not isinstance(activation, (Cell, Primitive)):
        check.refuse(TypeError, owner, "activation", "a str, a Cell or a Primitive", activation)
    return activation
