"""Padding of the last axes."""

from ... import ops
from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.enforcement import checked
from ..cell import Cell

__all__ = [
    "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Pad", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
    "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad2d",
]  # fmt: skip


class Pad(Cell):
    """Adds elements at both ends of every axis.

    Args:
        paddings (tuple[tuple[int]]): ``(before, after)`` for each axis, at most four.
        mode (str): ``'CONSTANT'``: zeros; ``'REFLECT'`` mirrors without repeating the edge, ``'SYMMETRIC'`` repeats it.
            Default: ``'CONSTANT'``.
    Inputs: x (Tensor): any dtype. Output: Tensor of the same dtype.
    Raises:
        TypeError: if ``paddings`` is not a tuple.  ValueError: if it is not a tuple of pairs, or for another ``mode``.
    Example:
        >>> nn.Pad(((1, 0), (0, 2)))(Tensor([[3.0]])).tolist()
        [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]
    Source: mindspore.nn.Pad
    """

    @checked
    def __init__(self, paddings, mode: OneOf("CONSTANT", "REFLECT", "SYMMETRIC") = "CONSTANT"):
        super().__init__()
        if not isinstance(paddings, tuple):
            check.refuse(TypeError, "Pad", "paddings", "a tuple of pairs", paddings)
        if len(paddings) > 4 or any(len(pair) != 2 for pair in paddings):
            check.refuse(ValueError, "Pad", "paddings", "at most four pairs of ints", paddings)
        self.mode = mode
        self.paddings = paddings

    def construct(self, x):
        """The padded input."""
        return ops.Pad(self.paddings)(x) if self.mode == "CONSTANT" else ops.MirrorPad(self.mode)(x, self.paddings)


class _PadNd(Cell):
    """The base of padding layers of the last ``rank`` axes; subclasses set the ``mode`` of ``ops.pad``."""

    _rank_ = 0
    _mode_ = "constant"

    def __init__(self, padding):
        super().__init__()
        if isinstance(padding, int):
            padding = (padding,) * 2 * self._rank_
        if not isinstance(padding, tuple) or not all(isinstance(width, int) for width in padding):
            check.refuse(TypeError, self.cls_name, "padding", "an int or a tuple of ints", padding)
        if len(padding) % 2 or len(padding) > 2 * self._rank_:
            check.refuse(ValueError, self.cls_name, "padding", f"at most {self._rank_} pairs of widths", padding)
        self.padding = padding

    def construct(self, x):
        """The padded input."""
        return ops.pad(x, self.padding, self._mode_)


class _ConstantPad(_PadNd):
    def __init__(self, padding, value):
        super().__init__(padding)
        if not isinstance(value, (int, float)):
            check.refuse(TypeError, self.cls_name, "value", "an int or a float", value)
        self.value = value

    def construct(self, x):
        """The padded input."""
        return ops.pad(x, self.padding, self._mode_, self.value)


class _ReflectionPad(_PadNd):
    _mode_ = "reflect"

    def __init__(self, padding):
        super().__init__(padding)
        if any(width < 0 for width in self.padding):
            check.refuse(ValueError, self.cls_name, "padding", "non-negative", padding)


class _ReplicationPad(_PadNd):
    _mode_ = "replicate"


class ConstantPad1d(_ConstantPad):
    """Constant padding of the last axis.

    Args:
        padding (int | tuple[int]): ``(left, right)``, or one int for both. Negative widths crop.
        value (int | float): the padding value.
    Inputs: x (Tensor): any dtype. Output: Tensor of the same dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another number of widths.
    Example:
        >>> nn.ConstantPad1d((1, 2), 7)(Tensor([[1.0]])).tolist()
        [[7.0, 1.0, 7.0, 7.0]]
    Source: mindspore.nn.ConstantPad1d
    """

    _rank_ = 1


class ConstantPad2d(_ConstantPad):
    """Constant padding of the last two axes; arguments as for `ConstantPad1d`.

    ``padding`` is ``(left, right, top, bottom)``, or one int for all of them.

    Example:
        >>> nn.ConstantPad2d((1, 0, 0, 1), 7)(Tensor([[1.0]])).tolist()
        [[7.0, 1.0], [7.0, 7.0]]
    Source: mindspore.nn.ConstantPad2d
    """

    _rank_ = 2


class ConstantPad3d(_ConstantPad):
    """Constant padding of the last three axes; arguments as for `ConstantPad1d`.

    ``padding`` is ``(left, right, top, bottom, front, back)``, or one int for all of them.

    Example:
        >>> nn.ConstantPad3d(1, 0)(ops.ones((1, 2, 2, 2))).shape
        (1, 4, 4, 4)
    Source: mindspore.nn.ConstantPad3d
    """

    _rank_ = 3


class ZeroPad2d(_ConstantPad):
    """Zero padding of the last two axes.

    Args:
        padding (int | tuple[int]): ``(left, right, top, bottom)``, or one int for all of them.
    Inputs: x (Tensor): any dtype. Output: Tensor of the same dtype.
    Raises:
        TypeError: if ``padding`` is something else.  ValueError: for another number of widths.
    Example:
        >>> nn.ZeroPad2d((1, 0, 0, 1))(Tensor([[1.0]])).tolist()
        [[0.0, 1.0], [0.0, 0.0]]
    Source: mindspore.nn.ZeroPad2d
    """

    _rank_ = 2

    def __init__(self, padding):
        super().__init__(padding, 0)


class ReflectionPad1d(_ReflectionPad):
    """Reflection padding of the last axis.

    Args:
        padding (int | tuple[int]): ``(left, right)``, or one int for both; less than the length of the axis.
    Inputs: x (Tensor): any dtype. Output: Tensor of the same dtype.
    Raises:
        TypeError: if ``padding`` is something else. ValueError: if a width is negative or too large, or their number is
            wrong.
    Example:
        >>> nn.ReflectionPad1d((2, 1))(Tensor([[1, 2, 3]])).tolist()
        [[3, 2, 1, 2, 3, 2]]
    Source: mindspore.nn.ReflectionPad1d
    """

    _rank_ = 1


class ReflectionPad2d(_ReflectionPad):
    """Reflection padding of the last two axes; ``padding`` is ``(left, right, top, bottom)`` or an int.

    Example:
        >>> nn.ReflectionPad2d(1)(ops.ones((1, 2, 3))).shape
        (1, 4, 5)
    Source: mindspore.nn.ReflectionPad2d
    """

    _rank_ = 2


class ReflectionPad3d(_ReflectionPad):
    """Reflection padding of the last three axes; ``padding`` is six ints or one.

    Example:
        >>> nn.ReflectionPad3d(1)(ops.ones((1, 2, 3, 4))).shape
        (1, 4, 5, 6)
    Source: mindspore.nn.ReflectionPad3d
    """

    _rank_ = 3


class ReplicationPad1d(_ReplicationPad):
    """Replication padding of the last axis: repeats the edge elements.

    Args:
        padding (int | tuple[int]): ``(left, right)``, or one int for both.
    Inputs: x (Tensor): any dtype. Output: Tensor of the same dtype.
    Raises:
        TypeError: if ``padding`` is something else.  ValueError: for another number of widths.
    Example:
        >>> nn.ReplicationPad1d((2, 1))(Tensor([[1, 2, 3]])).tolist()
        [[1, 1, 1, 2, 3, 3]]
    Source: mindspore.nn.ReplicationPad1d
    """

    _rank_ = 1


class ReplicationPad2d(_ReplicationPad):
    """Replication padding of the last two axes; ``padding`` is ``(left, right, top, bottom)`` or an int.

    Example:
        >>> nn.ReplicationPad2d(1)(ops.ones((1, 2, 3))).shape
        (1, 4, 5)
    Source: mindspore.nn.ReplicationPad2d
    """

    _rank_ = 2


class ReplicationPad3d(_ReplicationPad):
    """Replication padding of the last three axes; ``padding`` is six ints or one.

    Example:
        >>> nn.ReplicationPad3d(1)(ops.ones((1, 2, 3, 4))).shape
        (1, 4, 5, 6)
    Source: mindspore.nn.ReplicationPad3d
    """

    _rank_ = 3
