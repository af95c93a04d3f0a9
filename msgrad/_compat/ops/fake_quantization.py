"""Fake quantization: values rounded to an integer grid; gradients pass unchanged (straight-through estimator).

MindSpore's CPU has no kernels for these Primitives; the formulas are those of its documentation (MindSpore 1.5,
``nn.FakeQuantWithMinMaxObserver``).
"""

from typing import Any

from ... import ops
from ..._contracts import check
from ..._contracts.choices import FloatWithin
from ..._contracts.contracts import Bool, NonNegativeInt
from ..._contracts.enforcement import checked
from ...autodiff import vjp
from ...ops._core.primitive import Primitive, prim_attr_register
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor

_MSG_BITS = "For '{}', the attr 'num_bits' is not support: it must be 4, 7 or 8, but got {}."
_MSG_EMA = (
    "For '{}', the attr 'ema' and 'ema_decay' should set together: a moving average with a decay of 0 keeps nothing."
)


def fake_quantized(x, low, high, num_bits, symmetric, narrow_range):
    """``x`` rounded to a grid of ``2 ** num_bits`` values from ``low`` to ``high``, with 0 among them.

    Its gradient by ``x`` is 1 from end to end of the grid, by ``low`` 1 below it and by ``high`` above.
    """
    first, last = int(narrow_range), 2**num_bits - 1
    least, most = ops.stop_gradient(low), ops.stop_gradient(high)
    if symmetric:
        most = ops.maximum(most, -least)
        least = -most
    scale = (most - least) / (last - first)
    divisor = ops.select(scale == 0, ops.ones_like(scale), scale)  # a range of nothing has one value, 0
    if symmetric:  # the quotient is a tie, 127.5, below which float32 rounds in 14 % of all ranges
        zero = float((first + last + 1) // 2)
    else:
        zero = ops.floor(ops.clamp(first - least / divisor, first, last) + 0.5)
    bottom, top = (first - zero) * scale, (last - zero) * scale
    margin = 1e-4 * scale  # the ends are rounded, on each kind of device in its own way
    is_below, is_above = x < bottom - margin, x > top + margin
    passed = ops.select(
        is_below, ops.broadcast_to(low, x.shape), ops.select(is_above, ops.broadcast_to(high, x.shape), x)
    )
    value = ops.floor((ops.clamp(x, bottom, top) - bottom) / divisor + 0.5) * scale + bottom
    return ops.stop_gradient(value) + (passed - ops.stop_gradient(passed))


def _along(values, x, axis):
    """A number for each channel, in the shape that broadcasts to ``x``."""
    shape = [1] * x.ndim
    shape[axis] = -1
    return values.reshape(shape)


class _FakeQuantizer(Primitive):
    """A quantizer that passes its input on unchanged in the first ``quant_delay`` calls of training."""

    num_bits: Any
    quant_delay: Any
    symmetric: Any
    narrow_range: Any

    channel_axis: Any = None  # a subclass with a range for each channel has it as an attribute

    def _prepare(self):
        if self.num_bits not in (4, 7, 8):
            raise ValueError(_MSG_BITS.format(self.name, self.num_bits))
        self._counts = self.quant_delay > 0 and getattr(self, "training", True)
        if self._counts:
            self._step = Parameter(Tensor(0), name="global_step", requires_grad=False)

    def _quantized(self, x, low, high):
        low, high = (ops.stop_gradient(each) for each in (low, high))
        if self.channel_axis is not None:
            low, high = (_along(each, x, self.channel_axis) for each in (low, high))
        return fake_quantized(x, low, high, self.num_bits, self.symmetric, self.narrow_range)

    def _delayed(self, x, quantized):
        if not self._counts:
            return quantized
        step = ops.assign_add(self._step, 1)
        return ops.select(step > self.quant_delay, quantized, x)


class _FakeQuant(_FakeQuantizer):
    """Its call quantizes a Tensor."""

    def _prepare(self):
        _check_average(self)
        super()._prepare()

    def __call__(self, x, min, max):
        return self._delayed(x, self._quantized(x, min, max))


class _FakeQuantGrad(_FakeQuantizer):
    """Its call gives the gradient by the quantized Tensor."""

    def __call__(self, dout, x, min, max):
        _, pull = vjp(lambda x: self._quantized(x, min, max), x)
        return self._delayed(dout, pull(dout)[0])


class FakeQuantPerLayer(_FakeQuant):
    """Quantizes a Tensor between one minimum and one maximum.

    Args:
        num_bits (int): 4, 7 or 8. Default: ``8``.
        ema, ema_decay: without effect; `MinMaxUpdatePerLayer` averages. Default: ``False``, ``0.999``.
        quant_delay (int): in how many calls of training the Tensor passes unchanged. Default: ``0``.
        symmetric (bool): whether the range is as wide below 0 as above. Default: ``False``.
        narrow_range (bool): whether the lowest value of the grid is left out. Default: ``False``.
        training (bool): whether calls count. Default: ``True``.
    Raises:
        ValueError: for other bits.
    Source: mindspore.ops.operations._quant_ops.FakeQuantPerLayer
    """

    @prim_attr_register
    @checked
    def __init__(
        self, num_bits=8, ema: Bool = False, ema_decay: FloatWithin("[0, 1]") = 0.999,
        quant_delay: NonNegativeInt = 0, symmetric: Bool = False, narrow_range: Bool = False, training: Bool = True,
    ):  # fmt: skip
        self._prepare()


class FakeQuantPerChannel(_FakeQuant):
    """Quantizes a Tensor between a minimum and a maximum for each channel.

    Args: as for `FakeQuantPerLayer`.
        channel_axis (int): the axis of the channels. Default: ``1``.
    Source: mindspore.ops.operations._quant_ops.FakeQuantPerChannel
    """

    @prim_attr_register
    @checked
    def __init__(
        self, num_bits=8, ema: Bool = False, ema_decay: FloatWithin("[0, 1]") = 0.999,
        quant_delay: NonNegativeInt = 0, symmetric: Bool = False, narrow_range: Bool = False, training: Bool = True,
        channel_axis: NonNegativeInt = 1,
    ):  # fmt: skip
        self._prepare()


class FakeQuantPerLayerGrad(_FakeQuantGrad):
    """The gradient of `FakeQuantPerLayer` by its input.

    Source: mindspore.ops.operations._quant_ops.FakeQuantPerLayerGrad
    """

    @prim_attr_register
    @checked
    def __init__(
        self, num_bits=8, quant_delay: NonNegativeInt = 0, symmetric: Bool = False, narrow_range: Bool = False
    ):
        self._prepare()


class FakeQuantPerChannelGrad(_FakeQuantGrad):
    """The gradient of `FakeQuantPerChannel` by its input.

    Source: mindspore.ops.operations._quant_ops.FakeQuantPerChannelGrad
    """

    @prim_attr_register
    @checked
    def __init__(
        self, num_bits=8, quant_delay: NonNegativeInt = 0, symmetric: Bool = False, narrow_range: Bool = False,
        channel_axis: NonNegativeInt = 1,
    ):  # fmt: skip
        self._prepare()


def _check_average(primitive):
    if primitive.ema and not primitive.ema_decay:
        raise ValueError(_MSG_EMA.format(primitive.name))


def _updated(primitive, x, low, high, axes):
    """The range of a Tensor's elements, which reaches 0; with ``ema`` a moving average of it."""
    x = ops.stop_gradient(x)
    decay = primitive.ema_decay if primitive.ema else 0
    least, most = (
        extreme.reshape(old.shape) * (1 - decay) + old * decay
        for extreme, old in ((ops.amin(x, axes), low), (ops.amax(x, axes), high))
    )
    return ops.minimum(least, 0), ops.maximum(most, 0)


class MinMaxUpdatePerLayer(Primitive):
    """The range of a Tensor: its minimum, 0 at most, and its maximum, 0 at least.

    Args:
        ema (bool): whether it is averaged with the range before. Default: ``False``.
        ema_decay (float): the weight of that. Default: ``0.999``.
    Source: mindspore.ops.operations._quant_ops.MinMaxUpdatePerLayer
    """

    @prim_attr_register
    @checked
    def __init__(self, ema: Bool = False, ema_decay: FloatWithin("[0, 1]") = 0.999):
        _check_average(self)

    def __call__(self, x, min, max):
        return _updated(self, x, min, max, tuple(range(x.ndim)))


class MinMaxUpdatePerChannel(Primitive):
    """The range of each channel of a Tensor, as `MinMaxUpdatePerLayer` gives it.

    Args: as there.
        channel_axis (int): the axis of the channels. Default: ``1``.
    Source: mindspore.ops.operations._quant_ops.MinMaxUpdatePerChannel
    """

    @prim_attr_register
    @checked
    def __init__(self, ema: Bool = False, ema_decay: FloatWithin("[0, 1]") = 0.999, channel_axis: NonNegativeInt = 1):
        _check_average(self)

    def __call__(self, x, min, max):
        return _updated(self, x, min, max, tuple(axis for axis in range(x.ndim) if axis != self.channel_axis))


class _WithMinMaxVars(Primitive):
    num_bits: Any
    narrow_range: Any

    @prim_attr_register
    @checked
    def __init__(self, num_bits=8, narrow_range: Bool = False):
        check.in_range(num_bits, 2, 16, "num_bits", self.name)

    def _of(self, x, low, high):
        return fake_quantized(x, low, high, self.num_bits, False, self.narrow_range)

    def _gradients(self, gradients, *inputs):
        return vjp(self._of, *inputs)[1](gradients)


class FakeQuantWithMinMaxVars(_WithMinMaxVars):
    """Quantizes a Tensor between a minimum and a maximum, which have gradients.

    Args:
        num_bits (int): from 2 to 16. Default: ``8``.
        narrow_range (bool): whether the lowest value of the grid is left out. Default: ``False``.
    Source: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVars
    """

    def __call__(self, x, min, max):
        return self._of(x, min, max)


class FakeQuantWithMinMaxVarsPerChannel(FakeQuantWithMinMaxVars):
    """Quantizes a Tensor between a minimum and a maximum for each element of its last axis.

    Args: as for `FakeQuantWithMinMaxVars`.
    Source: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVarsPerChannel
    """


class FakeQuantWithMinMaxVarsGradient(_WithMinMaxVars):
    """The gradients of `FakeQuantWithMinMaxVars` by its inputs.

    Source: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVarsGradient
    """

    def __call__(self, gradients, x, min, max):
        return self._gradients(gradients, x, min, max)


class FakeQuantWithMinMaxVarsPerChannelGradient(FakeQuantWithMinMaxVarsGradient):
    """The gradients of `FakeQuantWithMinMaxVarsPerChannel` by its inputs.

    Source: mindspore.ops.operations._quant_ops.FakeQuantWithMinMaxVarsPerChannelGradient
    """
