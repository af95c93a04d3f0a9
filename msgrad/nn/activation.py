"""Activations as layers: each applies a function of ``msgrad.ops`` to its input."""

from .. import ops
from ..engine import dtypes
from ..initializer import initializer
from ..ops import check
from ..ops.contracts import Axes, Bool, PositiveInt, Real, checked
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from .cell import Cell


class ReLU(Cell):
    """``max(x, 0)``. Source: mindspore.nn.ReLU"""

    def construct(self, x):
        """Any shape and number dtype; the result has the same."""
        return ops.relu(x)


class ReLU6(Cell):
    """``min(max(x, 0), 6)``. Source: mindspore.nn.ReLU6"""

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.relu6(x)


class LeakyReLU(Cell):
    """``x`` where positive, ``alpha * x`` elsewhere. Source: mindspore.nn.LeakyReLU"""

    @checked
    def __init__(self, alpha: Real = 0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.leaky_relu(x, self.alpha)


class PReLU(Cell):
    """``x`` where positive, ``w * x`` elsewhere, with trained ``w``, one for all or one for each channel (axis 1).

    Args:
        channel (int): how many: 1 or the length of axis 1. Default: ``1``.
        w (float | list | Tensor): the initial value. Default: ``0.25``.
    Parameters: ``w`` of shape ``(channel,)``, named ``a``.
    Raises:
        ValueError: if ``channel`` is not positive.  TypeError: if ``w`` is something else.
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


class ELU(Cell):
    """``x`` where positive, ``alpha * (exp(x) - 1)`` elsewhere. Source: mindspore.nn.ELU"""

    @checked
    def __init__(self, alpha: Real = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.elu(x, self.alpha)


class CELU(Cell):
    """``max(0, x) + min(0, alpha * (exp(x / alpha) - 1))``. Source: mindspore.nn.CELU"""

    @checked
    def __init__(self, alpha: Real = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.celu(x, self.alpha)


class SeLU(Cell):
    """The self-normalising ELU. Source: mindspore.nn.SeLU"""

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.selu(x)


class GELU(Cell):
    """``x * P(X <= x)`` of a normal variable ``X``; by default its approximation with tanh.

    Args:
        approximate (bool): whether to approximate. Default: ``True``.
    Raises:
        TypeError: if it is not a bool.
    Source: mindspore.nn.GELU
    """

    @checked
    def __init__(self, approximate: Bool = True):
        super().__init__()
        self.approximate = approximate

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.gelu(x, "tanh" if self.approximate else "none")


class FastGelu(Cell):
    """GELU by a cheaper approximation with a sigmoid. Source: mindspore.nn.FastGelu"""

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.fast_gelu(x)


class Sigmoid(Cell):
    """``1 / (1 + exp(-x))``. Source: mindspore.nn.Sigmoid"""

    def construct(self, input):
        """Any shape, a float dtype; the result has the same."""
        return ops.sigmoid(input)


class LogSigmoid(Cell):
    """``log(sigmoid(x))``. Source: mindspore.nn.LogSigmoid"""

    def construct(self, input_x):
        """Any shape, a float dtype; the result has the same."""
        return ops.logsigmoid(input_x)


class HSigmoid(Cell):
    """``max(0, min(1, (x + 3) / 6))``. Source: mindspore.nn.HSigmoid"""

    def construct(self, input):
        """Any shape, a float dtype; the result has the same."""
        return ops.hardsigmoid(input)


class SiLU(Cell):
    """``x * sigmoid(x)``. Source: mindspore.nn.SiLU"""

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.silu(x)


class HSwish(Cell):
    """``x * max(0, min(1, (x + 3) / 6))``. Source: mindspore.nn.HSwish"""

    def construct(self, input):
        """Any shape, a float dtype; the result has the same."""
        return ops.hardswish(input)


class Mish(Cell):
    """``x * tanh(log(1 + exp(x)))``. Source: mindspore.nn.Mish"""

    def construct(self, input):
        """Any shape, a float dtype; the result has the same."""
        return ops.mish(input)


class Tanh(Cell):
    """The hyperbolic tangent. Source: mindspore.nn.Tanh"""

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.tanh(x)


class Tanhshrink(Cell):
    """``x - tanh(x)``. Source: mindspore.nn.Tanhshrink"""

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.tanhshrink(x)


class Hardtanh(Cell):
    """``x`` kept between ``min_val`` and ``max_val``. Source: mindspore.nn.Hardtanh"""

    @checked
    def __init__(self, min_val: Real = -1.0, max_val: Real = 1.0):
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val

    def construct(self, x):
        """Any shape and number dtype; the result has the same."""
        return ops.hardtanh(x, self.min_val, self.max_val)


class Softsign(Cell):
    """``x / (1 + |x|)``. Source: mindspore.nn.Softsign"""

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.softsign(x)


class SoftShrink(Cell):
    """``x`` moved towards 0 by ``lambd``, and 0 within it. Source: mindspore.nn.SoftShrink"""

    @checked
    def __init__(self, lambd: Real = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input):
        """Any shape, a float dtype; the result has the same."""
        return ops.softshrink(input, self.lambd)


class HShrink(Cell):
    """``x``, but 0 within ``lambd`` of it. Source: mindspore.nn.HShrink"""

    @checked
    def __init__(self, lambd: Real = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input_x):
        """Any shape, a float dtype; the result has the same."""
        return ops.hardshrink(input_x, self.lambd)


class Threshold(Cell):
    """``x`` where greater than ``threshold``, ``value`` elsewhere. Source: mindspore.nn.Threshold"""

    @checked
    def __init__(self, threshold: Real, value: Real):
        super().__init__()
        self.threshold = threshold
        self.value = value

    def construct(self, input_x):
        """Any shape and number dtype; the result has the same."""
        return ops.threshold(input_x, self.threshold, self.value)


class Softmax(Cell):
    """``exp(x) / sum(exp(x))`` along ``axis``.

    Args:
        axis (int | tuple[int]): Default: ``-1``.
    Raises:
        TypeError: if ``axis`` is something else.
    Example:
        >>> nn.Softmax()(Tensor([0.0, 0.0])).asnumpy().tolist()
        [0.5, 0.5]
    Source: mindspore.nn.Softmax
    """

    @checked
    def __init__(self, axis: Axes = -1):
        super().__init__()
        self.axis = axis

    def construct(self, input):
        """Any shape, a float dtype; the result has the same."""
        return ops.softmax(input, self.axis)


class Softmin(Cell):
    """Softmax of ``-x`` along ``axis``. Source: mindspore.nn.Softmin"""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.softmin(x, self.axis)


class Softmax2d(Cell):
    """Softmax over the channels of an image, ``(N, C, H, W)`` or ``(C, H, W)``. Source: mindspore.nn.Softmax2d"""

    def construct(self, input):
        """Three or four axes, a float dtype; the result has the same."""
        if input.ndim not in (3, 4):
            check.refuse(ValueError, "Softmax2d", "input", "of 3 or 4 axes", input.shape)
        return ops.softmax(input, -3)


class LogSoftmax(Cell):
    """``log(softmax(x))`` along ``axis``. Source: mindspore.nn.LogSoftmax"""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """Any shape, a float dtype; the result has the same."""
        return ops.log_softmax(x, self.axis)


class GLU(Cell):
    """The first half of ``x`` along ``axis`` times the sigmoid of the second. Source: mindspore.nn.GLU"""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """An even length along ``axis``, a float dtype; the result has half that length."""
        return ops.glu(x, self.axis)


_BY_NAME = {
    "softmin": Softmin,
    "softmax": Softmax,
    "softmax2d": Softmax2d,
    "logsoftmax": LogSoftmax,
    "relu": ReLU,
    "relu6": ReLU6,
    "silu": SiLU,
    "tanh": Tanh,
    "tanhshrink": Tanhshrink,
    "hardtanh": Hardtanh,
    "gelu": GELU,
    "fast_gelu": FastGelu,
    "elu": ELU,
    "sigmoid": Sigmoid,
    "softsign": Softsign,
    "prelu": PReLU,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "logsigmoid": LogSigmoid,
    "softshrink": SoftShrink,
    "hshrink": HShrink,
    "threshold": Threshold,
    "mish": Mish,
}


def get_activation(name, prim_name=None):
    """The activation layer of a name.

    Args:
        name (str | None): one of the names in the error message; None gives None.
        prim_name (str): who asks, for the error message. Default: ``None``.
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
    return _BY_NAME[name]()
