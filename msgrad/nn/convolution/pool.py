"""Pooling layers of one, two and three axes."""

from typing import Any

from ... import ops
from ..._contracts import check
from ..._contracts.choices import Lengths, OneOf
from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.enforcement import checked_like
from ..._contracts.kinds import Static
from .._rows import layer, on_demand
from ..cell import Cell

_ROWS = {
    "LPPool1d": lambda: layer(ops.lp_pool1d, "LPPool1d(norm_type, kernel_size, stride=None, ceil_mode=False)(x)"),
    "LPPool2d": lambda: layer(ops.lp_pool2d, "LPPool2d(norm_type, kernel_size, stride=None, ceil_mode=False)(x)"),
}
__getattr__ = on_demand(__name__, _ROWS)
__all__ = [
    *_ROWS, "AvgPool1d", "AvgPool2d", "AvgPool3d", "MaxPool1d", "MaxPool2d", "MaxPool2dExt", "MaxPool3d",
    "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
]  # fmt: skip


def _window(value, arg_name, owner):
    """Checks a window size: a positive int or a tuple of them; a tuple of one becomes the int."""
    if not isinstance(value, (int, tuple)):
        check.refuse(TypeError, owner, arg_name, "an int or a tuple of ints", value)
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, bool) or not isinstance(each, int) or each < 1:
            check.refuse(ValueError, owner, arg_name, "a positive int, or a tuple of them", value)
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


Window = Static(_window, int, tuple)


class _Pool(Cell):
    """Pooling over ``rank`` axes, of an input with or without a batch axis.

    Subclasses make ``pool``, a Primitive for inputs with batch, channels and ``rank + lifted`` further axes.
    """

    _rank_ = 0
    _lifted_ = 0

    def __init__(self, kernel_size, stride, pad_mode, data_format="NCHW"):
        super().__init__()
        if not isinstance(pad_mode, str):
            check.refuse(TypeError, self.cls_name, "pad_mode", "a str", pad_mode)
        self.pad_mode = check.one_of(pad_mode.upper(), ("VALID", "SAME", "PAD"), "pad_mode", self.cls_name)
        self.format = data_format
        self.kernel_size = kernel_size
        self.stride = stride

    def _lift(self, lifted):
        """Kernel and stride with ``lifted`` leading axes of length 1."""
        self._lifted_ = lifted
        for name in ("kernel_size", "stride"):
            yield (1,) * lifted + Lengths(self._rank_).take(getattr(self, name), name, self.cls_name)

    def construct(self, x):
        """The pooled input, with a batch axis if it has one."""
        rank = x.ndim
        if rank == self._rank_ + 1:
            y = self._pooled(x.unsqueeze(0))
            return tuple([each.squeeze(0) for each in y]) if isinstance(y, tuple) else y.squeeze(0)
        if rank != self._rank_ + 2:
            check.refuse(ValueError, self.cls_name, "x", f"of {self._rank_ + 1} or {self._rank_ + 2} axes", x.shape)
        return self._pooled(x)

    def _pooled(self, x):
        for _ in range(self._lifted_):
            x = x.unsqueeze(2)
        y = self.pool(x)
        if not self._lifted_:
            return y
        return tuple([self._lowered(each) for each in y]) if isinstance(y, tuple) else self._lowered(y)

    def _lowered(self, y):
        for _ in range(self._lifted_):
            y = y.squeeze(2)
        return y

    def extend_repr(self):
        """The window sizes and strides."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


def _sides(layer, padding):
    """The padding of each axis, for both sides."""
    if not isinstance(padding, (int, tuple, list)):
        check.refuse(TypeError, layer.cls_name, "padding", "an int or a tuple of ints", padding)
    if isinstance(padding, (tuple, list)) and len(padding) == 1:
        padding = padding[0]
    return Lengths(layer._rank_, 0).take(padding, "padding", layer.cls_name)


def _twice(pads):
    return tuple([pad for pad in pads for _ in range(2)])


class _MaxPool(_Pool):
    """The maximum of each window."""

    def __init__(
        self,
        kernel_size: Window = 1,
        stride: Window = 1,
        pad_mode="valid",
        padding=0,
        dilation=1,
        return_indices: Bool = False,
        ceil_mode: Bool = False,
        data_format: OneOf("NCHW", "NHWC") = "NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, data_format)
        if self.pad_mode == "PAD" and data_format == "NHWC":
            check.refuse(ValueError, self.cls_name, "data_format", "'NCHW' where 'pad_mode' is 'pad'", data_format)
        self.pool = self._make(padding, dilation, return_indices, ceil_mode)

    def _make(self, padding, dilation, return_indices, ceil_mode):
        self.return_indices = return_indices
        if self.pad_mode != "PAD":
            default = padding == 0 and dilation == 1 and not return_indices and not ceil_mode
            self._check_only_padded(default)
            return self._plain()
        pads = _sides(self, padding)
        dilation = Lengths(self._rank_).take(self._whole(dilation), "dilation", self.cls_name)
        kernel, stride = self._lift(3 - self._rank_)
        self.padding = pads = (0,) * self._lifted_ + pads
        if return_indices or set(dilation) != {1}:
            dilation = (1,) * self._lifted_ + dilation
            return ops.MaxPool3DWithArgmax(kernel, stride, pads, dilation, ceil_mode)
        return ops.MaxPool3D(kernel, stride, "pad", _twice(pads), ceil_mode)

    def _whole(self, dilation):
        """``dilation``, with a tuple of one int replaced by the int."""
        if not isinstance(dilation, (int, tuple)):
            check.refuse(ValueError, self.cls_name, "dilation", "an int or a tuple of ints", dilation)
        return dilation[0] if isinstance(dilation, tuple) and len(dilation) == 1 else dilation

    def _check_only_padded(self, is_default):
        if not is_default:
            expected = "'pad' where 'padding', 'dilation', 'return_indices' or 'ceil_mode' is given"
            check.refuse(ValueError, self.cls_name, "pad_mode", expected, self.pad_mode)

    def _plain(self):
        kernel, stride = self._lift(2 - self._rank_)
        return ops.MaxPool(kernel, stride, self.pad_mode, self.format)

    def _pooled(self, x):
        y = super()._pooled(x)
        return y[0] if isinstance(y, tuple) and not self.return_indices else y


class MaxPool2d(_MaxPool):
    """Max pooling over two axes of ``(N, C, H, W)`` or ``(C, H, W)``.

    Args:
        kernel_size, stride (int | tuple[int]): sizes and strides of the windows. Default: ``1``.
        pad_mode (str): ``'valid'``; ``'same'``: padded to one window per stride; or ``'pad'``: padded by
            ``padding``. Default: ``'valid'``.
        padding (int | tuple[int]): for ``'pad'``: the padding on both sides. Default: ``0``.
        dilation (int | tuple[int]): for ``'pad'``: the spacing of a window's elements. Default: ``1``.
        return_indices (bool): for ``'pad'``: whether to give the indices too. Default: ``False``.
        ceil_mode (bool): for ``'pad'``: whether a last window may extend beyond the end. Default: ``False``.
        data_format (str): ``'NCHW'``, or ``'NHWC'`` with the channels last, except for ``'pad'``. Default: ``'NCHW'``.
    Inputs: x (Tensor): a real dtype. Output: Tensor of as many axes, or a tuple with the indices (int64) in the last
        axes flattened.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.  ValueError: if ``x`` has another rank.
    Example:
        >>> nn.MaxPool2d(2, 2)(ops.ones((1, 1, 4, 4))).shape
        (1, 1, 2, 2)
    Source: mindspore.nn.MaxPool2d
    """

    _rank_ = 2

    __init__ = checked_like(_MaxPool.__init__)


class MaxPool1d(_MaxPool):
    """Max pooling over one axis of ``(N, C, L)`` or ``(C, L)``; arguments as for `MaxPool2d`.

    ``kernel_size`` and ``stride`` are ints; the attributes have additional axes of length 1.

    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.  ValueError: if ``x`` has another rank.
    Example:
        >>> nn.MaxPool1d(2, 2)(Tensor([[[1.0, 3.0, 2.0, 4.0]]])).tolist()
        [[[3.0, 4.0]]]
    Source: mindspore.nn.MaxPool1d
    """

    _rank_ = 1

    __init__ = checked_like(_MaxPool.__init__, without=("data_format",), kernel_size=PositiveInt, stride=PositiveInt)

    def _make(self, *options):
        pool = super()._make(*options)
        lead = (1,) * self._lifted_
        self.kernel_size, self.stride = (*lead, self.kernel_size), (*lead, self.stride)
        return pool


class MaxPool3d(_MaxPool):
    """Max pooling over three axes of ``(N, C, D, H, W)`` or ``(C, D, H, W)``; arguments as for `MaxPool2d`.

    With ``dilation`` or ``return_indices``, ``pad_mode`` must be ``'pad'``.

    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.  ValueError: if ``x`` has another rank.
    Example:
        >>> nn.MaxPool3d(2, 2)(ops.ones((1, 1, 4, 4, 4))).shape
        (1, 1, 2, 2, 2)
    Source: mindspore.nn.MaxPool3d
    """

    _rank_ = 3

    __init__ = checked_like(_MaxPool.__init__, without=("data_format",))

    def _make(self, padding, dilation, return_indices, ceil_mode):
        if self.pad_mode == "PAD":
            return super()._make(padding, dilation, return_indices, ceil_mode)
        pads = _sides(self, padding)
        self._check_only_padded(not any(pads) and dilation == 1 and not return_indices and not ceil_mode)
        self.return_indices = return_indices
        return ops.MaxPool3D(*self._lift(0), self.pad_mode)


class _AvgPool(_Pool):
    """The mean of each window."""

    def __init__(
        self,
        kernel_size: Window = 1,
        stride: Window = 1,
        pad_mode="valid",
        padding=0,
        ceil_mode: Bool = False,
        count_include_pad: Bool = True,
        divisor_override=None,
        data_format: OneOf("NCHW", "NHWC") = "NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, data_format)
        self.pool = self._make(padding, ceil_mode, count_include_pad, divisor_override)

    def _make(self, padding, ceil_mode, count_include_pad, divisor):
        if divisor is not None and divisor <= 0:
            check.refuse(ValueError, self.cls_name, "divisor_override", "above 0", divisor)
        pads = _sides(self, padding)
        if self.pad_mode != "PAD" and any(pads):
            check.refuse(ValueError, self.cls_name, "padding", "0 unless 'pad_mode' is 'pad'", padding)
        is_padded = self.pad_mode == "PAD" or ceil_mode or not count_include_pad or divisor is not None
        if self._rank_ < 3 and not is_padded:
            kernel, stride = self._lift(2 - self._rank_)
            return ops.AvgPool(kernel, stride, self.pad_mode, self.format)
        if self.format == "NHWC":
            expected = "'NCHW' unless the other arguments are the default ones"
            check.refuse(ValueError, self.cls_name, "data_format", expected, self.format)
        kernel, stride = self._lift(3 - self._rank_)
        pads = _twice((0,) * self._lifted_ + pads)
        return ops.AvgPool3D(kernel, stride, self.pad_mode.lower(), pads, ceil_mode, count_include_pad, divisor or 0)


class AvgPool2d(_AvgPool):
    """Average pooling over two axes of ``(N, C, H, W)`` or ``(C, H, W)``.

    Args:
        kernel_size, stride (int | tuple[int]): sizes and strides of the windows. Default: ``1``.
        pad_mode (str): ``'valid'``; ``'same'``: padded to one window per stride; or ``'pad'``: padded by
            ``padding``. Default: ``'valid'``.
        padding (int | tuple[int]): for ``'pad'``: the number of zeros on both sides. Default: ``0``.
        ceil_mode (bool): whether a last window may extend beyond the end. Default: ``False``.
        count_include_pad (bool): whether means include the padding (never that of ``'same'``). Default: ``True``.
        divisor_override (int | None): divides the sums instead of the window size. Default: ``None``.
        data_format (str): ``'NCHW'``, or ``'NHWC'`` with the channels last. Default: ``'NCHW'``.
    Inputs: x (Tensor): a float dtype. Output: Tensor of as many axes.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.  ValueError: if ``x`` has another rank.
    Example:
        >>> nn.AvgPool2d(2, 2)(ops.ones((1, 1, 4, 4))).shape
        (1, 1, 2, 2)
    Source: mindspore.nn.AvgPool2d
    """

    _rank_ = 2

    __init__ = checked_like(_AvgPool.__init__)


class AvgPool1d(_AvgPool):
    """Average pooling over one axis of ``(N, C, L)`` or ``(C, L)``; arguments as for `AvgPool2d`.

    ``kernel_size`` and ``stride`` are ints. As in MindSpore, an input with space for only one window gives one number,
    with ``'same'`` too.

    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.  ValueError: if ``x`` has another rank.
    Example:
        >>> nn.AvgPool1d(2, 2)(Tensor([[[1.0, 3.0, 2.0, 4.0]]])).tolist()
        [[[2.0, 3.0]]]
    Source: mindspore.nn.AvgPool1d
    """

    _rank_ = 1

    __init__ = checked_like(
        _AvgPool.__init__, without=("divisor_override", "data_format"), kernel_size=PositiveInt, stride=PositiveInt
    )

    def _make(self, *options):
        pool = super()._make(*options)
        if self._lifted_ == 1:
            self.kernel_size, self.stride = (1, self.kernel_size), (1, self.stride)
        return pool

    def _pooled(self, x):
        if self._lifted_ == 1 and 0 <= x.shape[-1] - self.kernel_size[1] < self.stride[1]:
            return x[..., : self.kernel_size[1]].mean(-1, keep_dims=True)
        return super()._pooled(x)


class AvgPool3d(_AvgPool):
    """Average pooling over three axes of ``(N, C, D, H, W)`` or ``(C, D, H, W)``; arguments as for `AvgPool2d`.

    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.  ValueError: if ``x`` has another rank.
    Example:
        >>> nn.AvgPool3d(2, 2)(ops.ones((1, 1, 4, 4, 4))).shape
        (1, 1, 2, 2, 2)
    Source: mindspore.nn.AvgPool3d
    """

    _rank_ = 3

    __init__ = checked_like(_AvgPool.__init__, without=("data_format",))


class MaxPool2dExt(Cell):
    """Max pooling over two axes of ``(N, C, H, W)``.

    Args:
        kernel_size (int | tuple[int]): sizes of the windows. Default: ``1``.
        stride (int | tuple[int]): their strides. Default: ``None``, ``kernel_size``.
        padding (int | tuple[int]): the padding on both sides, at most half a window. Default: ``0``.
        dilation (int | tuple[int]): the spacing of a window's elements. Default: ``1``.
        return_indices (bool): whether to give the indices too. Default: ``False``.
        ceil_mode (bool): whether a last window may extend beyond the end. Default: ``False``.
    Inputs: input (Tensor): a real dtype. Output: Tensor, or a tuple with the indices (int64).
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, when it is called.
    Example:
        >>> nn.MaxPool2dExt(2)(ops.ones((1, 1, 4, 4))).shape
        (1, 1, 2, 2)
    Source: mindspore.nn.MaxPool2dExt
    """

    def __init__(self, kernel_size=1, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def construct(self, input):
        """The pooled input, or it and the indices."""
        windows = self.kernel_size, self.stride, self.padding, self.dilation
        return ops.max_pool2d(input, *windows, self.return_indices, self.ceil_mode)


class _MaxUnpool(Cell):
    """The base of max unpooling; subclasses set the function ``unpool``."""

    _unpool_: Any = None

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def construct(self, x, indices, output_size=None):
        """A Tensor with the elements of ``x`` at ``indices`` and zeros elsewhere."""
        if output_size is not None and (not isinstance(output_size, tuple) or not output_size):
            check.refuse(ValueError, self.cls_name, "output_size", "a tuple of ints, or None", output_size)
        return self._unpool_(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpool):
    """Max unpooling: the inverse of `MaxPool1d` with ``return_indices``; all other elements become 0.

    Args:
        kernel_size (int | tuple[int]): sizes of the windows.
        stride (int | tuple[int]): their strides. Default: ``None``, ``kernel_size``.
        padding (int | tuple[int]): the pooling's padding on both sides. Default: ``0``.
    Inputs: x (Tensor): the elements; indices (Tensor): their indices, of the same shape; output_size (tuple[int]): the
        shape of the result, if it is not the smallest one. Output: Tensor.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value, when it is called.
    Example:
        >>> nn.MaxUnpool1d(2)(Tensor([[[3.0, 4.0]]]), Tensor([[[1, 3]]])).tolist()
        [[[0.0, 3.0, 0.0, 4.0]]]
    Source: mindspore.nn.MaxUnpool1d
    """

    _unpool_ = staticmethod(ops.max_unpool1d)


class MaxUnpool2d(_MaxUnpool):
    """The inverse of `MaxPool2d` with ``return_indices``; arguments as for `MaxUnpool1d`.

    Example:
        >>> nn.MaxUnpool2d(2)(Tensor([[[[3.0]]]]), Tensor([[[[2]]]])).tolist()
        [[[[0.0, 0.0], [3.0, 0.0]]]]
    Source: mindspore.nn.MaxUnpool2d
    """

    _unpool_ = staticmethod(ops.max_unpool2d)


class MaxUnpool3d(_MaxUnpool):
    """The inverse of `MaxPool3d` with ``return_indices``; arguments as for `MaxUnpool1d`.

    Example:
        >>> nn.MaxUnpool3d((1, 1, 2))(Tensor([[[[[3.0]]]]]), Tensor([[[[[1]]]]])).tolist()
        [[[[[0.0, 3.0]]]]]
    Source: mindspore.nn.MaxUnpool3d
    """

    _unpool_ = staticmethod(ops.max_unpool3d)
