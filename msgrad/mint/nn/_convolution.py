"""1-d to 3-d convolution layers, and 2-d transposed convolution."""

import math
from typing import Any

from ..._contracts.choices import LengthsOrList, OneOf
from ..._contracts.contracts import Bool, NonNegativeInt, PositiveInt
from ..._contracts.enforcement import checked, checked_like
from ...engine import dtypes
from ...engine.refusal import refuse
from ...initializer import HeUniform, Uniform, initializer
from ...nn.cell import Cell
from ...tensor.parameter import Parameter
from .._functional import Padding, ends
from . import functional

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d"]

_MODES = OneOf("zeros", "reflect", "replicate", "circular")


class _Conv(Cell):
    """The base: arguments as attributes, ``weight`` and ``bias``; subclasses name the function."""

    kernel_size: Any
    stride: Any
    padding: Any
    dilation: Any

    _convolve_: Any = None
    _is_transposed_ = False

    def __init__(
        self,
        in_channels: NonNegativeInt,
        out_channels: NonNegativeInt,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups: PositiveInt = 1,
        bias: Bool = True,
        padding_mode: _MODES = "zeros",
        dtype=None,
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.groups = groups
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.padding_mode = padding_mode
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                refuse(ValueError, self.cls_name, name, f"divisible by 'groups', {groups}", channels)
        if padding == "same" and max(self.stride) > 1:
            refuse(ValueError, self.cls_name, "stride", "1 where 'padding' is 'same'", stride)
        first, second = (in_channels, out_channels) if self._is_transposed_ else (out_channels, in_channels)
        shape, dtype = (first, second // groups, *kernel_size), dtype or dtypes.float32
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)), shape, dtype), name="weight")
        self.bias = None
        if bias:
            fan_in = math.prod(shape[1:])
            bound = Uniform(1 / math.sqrt(fan_in)) if fan_in else "zeros"
            self.bias = Parameter(initializer(bound, (out_channels,), dtype), name="bias")

    def construct(self, input):
        """The convolution, plus the bias."""
        padding = self.padding
        if self.padding_mode != "zeros":
            input = functional.pad(input, self._widths(), self.padding_mode)
            padding = 0
        return self._convolve_(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _widths(self):
        """The widths for ``functional.pad``, the last axis first."""
        pairs = ends(self.padding, self.kernel_size, self.dilation)
        return tuple([width for pair in reversed(pairs) for width in pair])

    def extend_repr(self):
        """The arguments."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, padding={self.padding}, dilation={self.dilation}, groups={self.groups}, "
            f"bias={self.bias is not None}"
        )


def _axes(rank):
    """The contracts for ``rank`` axes."""
    return dict.fromkeys(("kernel_size", "stride", "dilation"), LengthsOrList(rank)) | {"padding": Padding(rank)}


class Conv1d(_Conv):
    """1-d convolution of ``(N, C, L)``, plus a bias.

    Args:
        in_channels, out_channels (int): ``C`` and that of the result.
        kernel_size (int | tuple[int]): lengths of the kernels.
        stride (int | tuple[int]): Default: ``1``.
        padding (int | tuple[int] | str): the padding on both sides; ``'valid'``: nothing; ``'same'``: so that
            lengths stay, where the stride is 1. Default: ``0``.
        dilation (int | tuple[int]): the step between elements of the kernels. Default: ``1``.
        groups (int): into which the channels are parted. Default: ``1``.
        bias (bool): whether to add the bias. Default: ``True``.
        padding_mode (str): what is added: ``'zeros'``, ``'reflect'``, ``'replicate'`` or ``'circular'``.
            Default: ``'zeros'``.
        dtype (mindspore.dtype | None): of the Parameters. Default: ``None``, float32.
    Inputs: input (Tensor): a float dtype. Output: Tensor of shape ``(N, out_channels, ...)``.
    Parameters: ``weight`` of shape ``(out_channels, in_channels / groups, *kernel_size)``; ``bias`` of shape
        ``(out_channels,)``, or None.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> mint.nn.Conv1d(3, 8, 3, padding=1)(ops.ones((1, 3, 5))).shape
        (1, 8, 5)
    Source: mindspore.mint.nn.Conv1d
    """

    _convolve_ = staticmethod(functional.conv1d)

    __init__ = checked_like(_Conv.__init__, **_axes(1))


class Conv2d(_Conv):
    """2-d convolution of ``(N, C, H, W)``, plus a bias; arguments as for `Conv1d`.

    Example:
        >>> mint.nn.Conv2d(3, 8, 3, padding=1)(ops.ones((1, 3, 5, 5))).shape
        (1, 8, 5, 5)
    Source: mindspore.mint.nn.Conv2d
    """

    _convolve_ = staticmethod(functional.conv2d)

    __init__ = checked_like(_Conv.__init__, **_axes(2))


class Conv3d(_Conv):
    """3-d convolution of ``(N, C, D, H, W)``, plus a bias; arguments as for `Conv1d`.

    Example:
        >>> mint.nn.Conv3d(3, 8, 3, padding=1)(ops.ones((1, 3, 5, 5, 5))).shape
        (1, 8, 5, 5, 5)
    Source: mindspore.mint.nn.Conv3d
    """

    _convolve_ = staticmethod(functional.conv3d)

    __init__ = checked_like(_Conv.__init__, **_axes(3))


class ConvTranspose2d(_Conv):
    """2-d transposed convolution of ``(N, C, H, W)``, plus a bias.

    Args:
        in_channels, out_channels (int): ``C`` and that of the result.
        kernel_size (int | tuple[int]): height and width of the kernels.
        stride (int | tuple[int]): Default: ``1``.
        padding (int | tuple[int]): how much is cut off on both sides. Default: ``0``.
        output_padding (int | tuple[int]): how much is added at the ends. Default: ``0``.
        groups (int): into which the channels are parted. Default: ``1``.
        bias (bool): whether to add the bias. Default: ``True``.
        dilation (int | tuple[int]): Default: ``1``.
        padding_mode (str): ``'zeros'``. Default: ``'zeros'``.
        dtype (mindspore.dtype | None): of the Parameters. Default: ``None``, float32.
    Inputs: input (Tensor): a float dtype; output_size (tuple[int] | None): the height and width to come to, among
        those that the stride allows, or None. Output: Tensor of shape ``(N, out_channels, ...)``.
    Parameters: ``weight`` of shape ``(in_channels, out_channels / groups, *kernel_size)``; ``bias`` of shape
        ``(out_channels,)``, or None.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> mint.nn.ConvTranspose2d(3, 8, 3, stride=2)(ops.ones((1, 3, 5, 5)), (12, 12)).shape
        (1, 8, 12, 12)
    Source: mindspore.mint.nn.ConvTranspose2d
    """

    _is_transposed_ = True

    @checked
    def __init__(
        self,
        in_channels: NonNegativeInt,
        out_channels: NonNegativeInt,
        kernel_size: LengthsOrList(2),
        stride: LengthsOrList(2) = 1,
        padding: LengthsOrList(2, 0) = 0,
        output_padding: LengthsOrList(2, 0) = 0,
        groups: PositiveInt = 1,
        bias: Bool = True,
        dilation: LengthsOrList(2) = 1,
        padding_mode: OneOf("zeros") = "zeros",
        dtype=None,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype
        )
        self.output_padding = output_padding

    def construct(self, input, output_size=None):
        """The transposed convolution, plus the bias."""
        added = self.output_padding if output_size is None else self._added(input, output_size)
        rest = self.stride, self.padding, added, self.groups, self.dilation
        return functional.conv_transpose2d(input, self.weight, self.bias, *rest)

    def _added(self, input, output_size):
        """The output padding for a given output size."""
        added = []
        for axis, size in enumerate(output_size[-2:]):
            reach = self.dilation[axis] * (self.kernel_size[axis] - 1) + 1
            minimum = (input.shape[axis - 2] - 1) * self.stride[axis] - 2 * self.padding[axis] + reach
            if not minimum <= size < minimum + self.stride[axis]:
                maximum = minimum + self.stride[axis] - 1
                expected = f"from {minimum} to {maximum} along axis {axis - 2}"
                refuse(ValueError, self.cls_name, "output_size", expected, size)
            added.append(size - minimum)
        return tuple(added)
