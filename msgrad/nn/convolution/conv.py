"""Convolution and transposed convolution layers of one, two and three axes."""

import math
from typing import Any

from ... import ops
from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf, Tuple, Word
from ..._contracts.contracts import Bool, NonNegativeInt, PadMode, PositiveInt
from ..._contracts.enforcement import checked_like
from ..._contracts.kinds import accepted
from ...engine import dtypes
from ...initializer import HeUniform, Uniform, initializer
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..cell import Cell

__all__ = ["Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dTranspose", "Conv3d", "Conv3dTranspose"]


class _Conv(Cell):
    """The base: arguments as attributes, ``weight`` and ``bias``.

    Subclasses set ``transposed`` if ``weight`` has the input channels first, and ``is_line`` if they are 1-d, which is
    computed as 2-d with a height of 1; ``_make`` makes their Primitive.
    """

    kernel_size: Any
    stride: Any
    dilation: Any

    _transposed_ = False
    _is_line_ = False

    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        output_padding=None,
        dilation=1,
        group: PositiveInt = 1,
        has_bias: Bool = False,
        weight_init=None,
        bias_init=None,
        data_format: OneOf("NCHW", "NHWC") = "NCHW",
        dtype=dtypes.float32,
    ):
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (1, kernel_size) if self._is_line_ else kernel_size
        self.stride = (1, stride) if self._is_line_ else stride
        self.pad_mode = pad_mode
        self.padding = (0, 0, padding, padding) if self._is_line_ else padding
        if output_padding is not None:  # only transposed convolutions have it
            self.output_padding = output_padding
        self.dilation = (1, dilation) if self._is_line_ else dilation
        self.group = group
        self.has_bias = has_bias
        self.weight_init = _with_second_axis(weight_init, self.cls_name) if self._is_line_ else weight_init
        self.bias_init = bias_init
        self.data_format = data_format
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % group:
                check.refuse(ValueError, self.cls_name, name, f"divisible by 'group', {group}", channels)
        accepted(PadMode, pad_mode, "pad_mode", self.cls_name)
        check_padding(self.cls_name, self.padding, 2 * len(self.kernel_size))
        self._create_parameters(dtype)
        self.bias_add = ops.BiasAdd(data_format)
        self._make()

    def _create_parameters(self, dtype):
        first, second = self.out_channels, self.in_channels
        if self._transposed_:
            first, second = second, first
        second //= self.group
        is_last = self.data_format == "NHWC"
        shape = (first, *self.kernel_size, second) if is_last else (first, second, *self.kernel_size)
        if self.weight_init is None:
            self.weight_init = HeUniform(math.sqrt(5))
        self.weight = Parameter(initializer(self.weight_init, shape, dtype), name="weight")
        self.bias = None
        if self.has_bias:
            if self.bias_init is None:
                self.bias_init = Uniform(1 / math.sqrt(math.prod(shape[1:])))
            self.bias = Parameter(initializer(self.bias_init, (self.out_channels,), dtype), name="bias")

    def _make(self):
        """Makes the Primitive, if it needs only the attributes above."""

    def _with_bias(self, y):
        return y if self.bias is None else self.bias_add(y, self.bias)

    def extend_repr(self):
        """The arguments."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


def check_padding(owner, padding, count):
    """Raises MindSpore's error unless ``padding`` is an int or a tuple of ``count`` of them."""
    if not isinstance(padding, (int, tuple)):
        check.refuse(TypeError, owner, "padding", f"an int or a tuple of {count}", padding)
    Lengths(count, 0).take(padding, "padding", owner)


def _operation(kind, layer, out_channel, **more):
    """The Primitive of a layer, made with the layer's attributes."""
    return kind(
        out_channel=out_channel,
        kernel_size=layer.kernel_size,
        pad_mode=layer.pad_mode,
        pad=layer.padding,
        stride=layer.stride,
        dilation=layer.dilation,
        group=layer.group,
        **more,
    )


def _with_second_axis(weight, owner):
    """The initial value of a 1-d weight as one of a 2-d weight of height 1."""
    if not isinstance(weight, Tensor):
        return weight
    if weight.ndim != 3:
        check.refuse(ValueError, owner, "weight_init", "of 3 axes", weight)
    return weight.expand_dims(2)


_ONE = {"kernel_size": PositiveInt, "stride": PositiveInt, "padding": NonNegativeInt, "dilation": PositiveInt}
_TWO = dict.fromkeys(("kernel_size", "stride", "dilation"), Lengths(2, miscount=TypeError))
_THREE = dict.fromkeys(("kernel_size", "stride", "dilation"), Lengths(3))
_LOWER = OneOf("same", "valid", "pad")


class Conv2d(_Conv):
    """2-d convolution of ``(N, C, H, W)``, plus a bias.

    Args:
        in_channels, out_channels (int): channels of the input and of the output.
        kernel_size (int | tuple[int]): height and width of the kernels.
        stride (int | tuple[int]): Default: ``1``.
        pad_mode (str): ``'same'``: zeros on both sides, so that a stride of 1 keeps the size; ``'valid'``: none; or
            ``'pad'``: ``padding`` zeros. Default: ``'same'``.
        padding (int | tuple[int]): zeros at top, bottom, left and right. Default: ``0``.
        dilation (int | tuple[int]): the spacing of the kernel's elements. Default: ``1``.
        group (int): the number of groups of channels. Default: ``1``.
        has_bias (bool): whether to add the bias. Default: ``False``.
        weight_init, bias_init (Tensor | Initializer | str | Number): Default: He-uniform, and uniform with the bound
            ``1 / sqrt(fan_in)``.
        data_format (str): ``'NCHW'``, or ``'NHWC'`` with the channels last. Default: ``'NCHW'``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs: x (Tensor): a float dtype. Output: Tensor of shape ``(N, out_channels, ...)``.
    Parameters: ``weight`` of shape ``(out_channels, in_channels / group, *kernel_size)``, or with the channels last;
        ``bias`` of shape ``(out_channels,)``, or None.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Conv2d(3, 8, 3)(ops.ones((1, 3, 5, 5))).shape
        (1, 8, 5, 5)
    Source: mindspore.nn.Conv2d
    """

    __init__ = checked_like(_Conv.__init__, without=("output_padding",), pad_mode=Word("same", "valid", "pad"), **_TWO)

    def _make(self):
        self.conv2d = _operation(ops.Conv2D, self, self.out_channels, data_format=self.data_format)

    def construct(self, x):
        """The convolution, plus the bias."""
        return self._with_bias(self.conv2d(x, self.weight))


class Conv1d(_Conv):
    """1-d convolution of ``(N, C, L)``, plus a bias; arguments as for `Conv2d`, as single ints.

    Parameters: ``weight`` of shape ``(out_channels, in_channels / group, 1, kernel_size)``; ``bias``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Conv1d(3, 8, 3)(ops.ones((1, 3, 5))).shape
        (1, 8, 5)
    Source: mindspore.nn.Conv1d
    """

    _is_line_ = True
    __init__ = checked_like(_Conv.__init__, without=("output_padding", "data_format"), pad_mode=_LOWER, **_ONE)

    def _make(self):
        self.conv2d = _operation(ops.Conv2D, self, self.out_channels)

    def construct(self, x):
        """The convolution, plus the bias."""
        return self._with_bias(self.conv2d(x.expand_dims(2), self.weight)).squeeze(2)


class Conv3d(_Conv):
    """3-d convolution of ``(N, C, D, H, W)``, plus a bias; arguments as for `Conv2d`.

    ``padding`` is one int, or six: head, tail, top, bottom, left and right. ``data_format`` must be ``'NCDHW'``.

    Parameters: ``weight`` of shape ``(out_channels, in_channels / group, *kernel_size)``; ``bias``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Conv3d(3, 8, 3)(ops.ones((1, 3, 5, 5, 5))).shape
        (1, 8, 5, 5, 5)
    Source: mindspore.nn.Conv3d
    """

    __init__ = checked_like(
        _Conv.__init__,
        without=("output_padding",),
        defaults={"data_format": "NCDHW"},
        data_format=OneOf("NCDHW"),
        **_THREE,
    )

    def _make(self):
        self.conv3d = _operation(ops.Conv3D, self, self.out_channels)

    def construct(self, x):
        """The convolution, plus the bias."""
        return self._with_bias(self.conv3d(x, self.weight))


class _Transposed(_Conv):
    """The base of 2-d transposed convolutions: the output size by ``pad_mode``."""

    _transposed_ = True

    def _lengths(self, lengths):
        cut = self.padding if isinstance(self.padding, tuple) else (self.padding,) * 4
        rows = zip(lengths, self.kernel_size, self.stride, self.dilation, (cut[:2], cut[2:]), strict=True)
        sizes = []
        for length, kernel, stride, dilation, pads in rows:
            more = (kernel - 1) * dilation + 1 - stride
            added = {"same": 0, "valid": max(more, 0), "pad": more - sum(pads)}[self.pad_mode]
            sizes.append(length * stride + added)
        return sizes

    def _transpose(self, x):
        if x.ndim != 4:
            check.refuse(ValueError, self.cls_name, "x", "of 4 axes", x.shape)
        size = (x.shape[0], self.out_channels, *self._lengths(x.shape[2:]))
        return self._with_bias(self.conv2d_transpose(x, self.weight, size))


class Conv2dTranspose(_Transposed):
    """2-d transposed convolution of ``(N, C, H, W)``: the gradient of `Conv2d` by its input, plus a bias.

    Args:
        in_channels, out_channels (int): channels of the input and of the output.
        kernel_size (int | tuple[int]): height and width of the kernels.
        stride (int | tuple[int]): Default: ``1``.
        pad_mode (str): ``'same'``: the size is multiplied by ``stride``; ``'valid'``: nothing is cropped; or ``'pad'``:
            ``padding`` is cropped. Default: ``'same'``.
        padding (int | tuple[int]): the crop at top, bottom, left and right. Default: ``0``.
        output_padding (int | tuple[int]): zeros appended to the spatial axes, for ``'pad'``; less than ``stride`` or
            ``dilation``. Default: ``0``.
        dilation (int | tuple[int]): Default: ``1``.
        group (int): the number of groups of channels. Default: ``1``.
        has_bias (bool): whether to add the bias. Default: ``False``.
        weight_init, bias_init (Tensor | Initializer | str | Number): as for `Conv2d`.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs: x (Tensor): a float dtype. Output: Tensor of shape ``(N, out_channels, ...)``.
    Parameters: ``weight`` of shape ``(in_channels, out_channels / group, *kernel_size)``; ``bias`` of shape
        ``(out_channels,)``, or None.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Conv2dTranspose(8, 3, 4, 2)(ops.ones((1, 8, 5, 5))).shape
        (1, 3, 10, 10)
    Source: mindspore.nn.Conv2dTranspose
    """

    __init__ = checked_like(
        _Conv.__init__,
        without=("data_format",),
        defaults={"output_padding": 0},
        pad_mode=_LOWER,
        output_padding=Tuple(2, takes_int=True),
        **_TWO,
    )

    def _make(self):
        self.conv2d_transpose = _operation(ops.Conv2DTranspose, self, self.in_channels)

    def construct(self, x):
        """The transposed convolution, plus the bias."""
        y = self._transpose(x)
        ends = self.output_padding
        ends = ends if isinstance(ends, tuple) else (ends, ends)
        if not any(ends):
            return y
        if self.pad_mode != "pad":
            check.refuse(ValueError, self.cls_name, "output_padding", "0 unless 'pad_mode' is 'pad'", ends)
        for end, step, dilation in zip(ends, self.stride, self.dilation, strict=True):
            if not 0 <= end < max(step, dilation):
                check.refuse(ValueError, self.cls_name, "output_padding", "less than 'stride' or 'dilation'", ends)
        return ops.pad(y, (0, ends[1], 0, ends[0]))


class Conv1dTranspose(_Transposed):
    """1-d transposed convolution of ``(N, C, L)``; arguments as for `Conv2dTranspose`, as single ints.

    Parameters: ``weight`` of shape ``(in_channels, out_channels / group, 1, kernel_size)``; ``bias``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Conv1dTranspose(8, 3, 4, 2)(ops.ones((1, 8, 5))).shape
        (1, 3, 10)
    Source: mindspore.nn.Conv1dTranspose
    """

    _is_line_ = True
    __init__ = checked_like(_Conv.__init__, without=("output_padding", "data_format"), pad_mode=_LOWER, **_ONE)

    def _make(self):
        self.conv2d_transpose = _operation(ops.Conv2DBackpropInput, self, self.in_channels)

    def construct(self, x):
        """The transposed convolution, plus the bias."""
        if x.ndim != 3:
            check.refuse(ValueError, self.cls_name, "x", "of 3 axes", x.shape)
        return self._transpose(x.expand_dims(2)).squeeze(2)


class Conv3dTranspose(_Conv):
    """3-d transposed convolution of ``(N, C, D, H, W)``; arguments as for `Conv2dTranspose`.

    ``padding`` is one int, or six: head, tail, top, bottom, left and right. ``data_format`` must be ``'NCDHW'``.

    Parameters: ``weight`` of shape ``(in_channels, out_channels / group, *kernel_size)``; ``bias``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, or an initial Tensor the wrong shape.
    Example:
        >>> nn.Conv3dTranspose(8, 3, 4, 2)(ops.ones((1, 8, 5, 5, 5))).shape
        (1, 3, 10, 10, 10)
    Source: mindspore.nn.Conv3dTranspose
    """

    _transposed_ = True

    __init__ = checked_like(
        _Conv.__init__,
        defaults={"output_padding": 0, "data_format": "NCDHW"},
        behind={"output_padding": "group"},
        output_padding=Lengths(3, 0),
        data_format=OneOf("NCDHW"),
        **_THREE,
    )

    def _make(self):
        more = {"in_channel": self.in_channels, "output_padding": self.output_padding}
        self.conv3d_transpose = _operation(ops.Conv3DTranspose, self, self.out_channels, **more)

    def construct(self, x):
        """The transposed convolution, plus the bias."""
        return self._with_bias(self.conv3d_transpose(x, self.weight))
