"""Transforms of arrays of any kind."""

import enum

import numpy as np

from ... import dtype as mstype
from ..._contracts import check
from ..._contracts.check import non_negative_number
from ..._contracts.choices import Instance
from ..._contracts.contracts import Int, PositiveInt
from ..._contracts.kinds import Static
from ...engine.dtypes import DType
from ...engine.refusal import refuse, require
from .base import Transform


class Relational(enum.IntEnum):
    """Comparisons.  Source: mindspore.dataset.transforms.Relational"""

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARISONS = {
    Relational.EQ: np.equal,
    Relational.NE: np.not_equal,
    Relational.GT: np.greater,
    Relational.GE: np.greater_equal,
    Relational.LT: np.less,
    Relational.LE: np.less_equal,
}


def numpy_dtype(kind, owner, argument):
    """The NumPy dtype of ``kind`` (mindspore.dtype, NumPy dtype or name).

    Raises:
        TypeError: if it is not a dtype.
    """
    if kind == mstype.string:
        return np.dtype(str)
    try:
        dtype = np.dtype(mstype.dtype_to_nptype(kind) if isinstance(kind, DType) else kind)
    except TypeError:
        dtype = None
    if dtype is None or kind is None:
        refuse(TypeError, owner, argument, "a dtype of mindspore or NumPy", kind)
    return dtype


DataType = Static(lambda value, name, owner: numpy_dtype(value, owner, name), object)
Constant = Instance((str, float, bool, int, bytes))


def _smoothing(value, arg_name, owner):
    if non_negative_number(value, arg_name, owner) > 1:
        refuse(ValueError, owner, arg_name, "in the range [0, 1]", value)
    return value


class TypeCast(Transform):
    """Converts to another dtype.

    Args:
        data_type (mindspore.dtype | numpy.dtype | str): the dtype.
    Raises:
        TypeError: if it is none.  RuntimeError: if strings become numbers or numbers strings.
    Example:
        >>> mindspore.dataset.transforms.TypeCast(mindspore.int32)(np.array([1.5])).tolist()
        [1]
    Source: mindspore.dataset.transforms.TypeCast
    """

    def __init__(self, data_type: DataType):
        self.data_type = data_type

    def _apply(self, value):
        if (value.dtype.kind in "US") != (self.data_type.kind in "US"):
            self._fail(f"an array of {value.dtype} cannot become one of {self.data_type}.")
        if value.dtype.kind == "f" and self.data_type.kind == "u":  # by way of int64, as C does on common machines
            value = value.astype(np.int64)
        return value.astype(self.data_type, copy=False)

    def _layout_after(self, layout):
        return layout


class OneHot(Transform):
    """One-hot encoding of class numbers.

    Args:
        num_classes (int): the number of classes.
        smoothing_rate (float): label smoothing, the fraction of the one spread over all classes. Default: ``0.0``.
    Raises:
        TypeError, ValueError: for other arguments.  RuntimeError: if a number is not a class.
    Example:
        >>> mindspore.dataset.transforms.OneHot(3)(np.array([2, 0])).tolist()
        [[0, 0, 1], [1, 0, 0]]
    Source: mindspore.dataset.transforms.OneHot
    """

    def __init__(self, num_classes: PositiveInt, smoothing_rate: Static(_smoothing, float, int) = 0.0):
        self.num_classes, self.smoothing_rate = num_classes, smoothing_rate

    def _apply(self, value):
        if value.dtype.kind not in "iu":
            self._fail(f"the classes must be ints, but got {value.dtype}.")
        value = value.squeeze()
        if value.ndim > 1:
            self._fail(f"the classes must be one int or an array of one axis, but got the shape {value.shape}.")
        if value.size and not 0 <= int(value.min()) <= int(value.max()) < self.num_classes:
            self._fail(f"the classes must be in the range [0, {self.num_classes}), but got {value.tolist()}.")
        ones = np.zeros((*value.shape, self.num_classes), np.float64 if self.smoothing_rate else value.dtype)
        ones += ones.dtype.type(self.smoothing_rate / self.num_classes)
        flat = ones.reshape(-1, self.num_classes)
        flat[np.arange(len(flat)), value.reshape(-1)] = 1 - self.smoothing_rate + self.smoothing_rate / self.num_classes
        return ones


class Fill(Transform):
    """An array of the same shape and dtype, filled with one value.

    Args:
        fill_value (str | float | bool | int | bytes): the value.
    Source: mindspore.dataset.transforms.Fill
    """

    def __init__(self, fill_value: Constant):
        self.fill_value = fill_value

    def _apply(self, value):
        is_text = isinstance(self.fill_value, (str, bytes))
        if is_text != (value.dtype.kind in "US"):
            self._fail(f"{self.fill_value!r} cannot fill an array of {value.dtype}.")
        return np.full(value.shape, self.fill_value, None if is_text else value.dtype)


class Mask(Transform):
    """The mask of a comparison with a constant.

    Args:
        operator (Relational): the comparison.
        constant (str | int | float | bool): the constant, in the array's dtype.
        dtype (mindspore.dtype): of the result. Default: ``mindspore.bool_``.
    Source: mindspore.dataset.transforms.Mask
    """

    def __init__(self, operator: Instance(Relational), constant: Constant, dtype: DataType = mstype.bool_):
        self.operator, self.constant, self.dtype = operator, constant, dtype

    def _apply(self, value):
        is_text = value.dtype.kind in "US"
        if is_text != isinstance(self.constant, (str, bytes)):
            self._fail(f"an array of {value.dtype} cannot be compared with {self.constant!r}.")
        constant = self.constant if is_text else np.asarray(self.constant).astype(value.dtype)
        return _COMPARISONS[self.operator](value, constant).astype(self.dtype)


class PadEnd(Transform):
    """Pads or truncates axes at their ends to a shape.

    Args:
        pad_shape (list[int | None]): the shape; None keeps a length.
        pad_value (str | float | bool | int | bytes): the padding. Default: ``None``, 0 or an empty string.
    Source: mindspore.dataset.transforms.PadEnd
    """

    def __init__(self, pad_shape, pad_value: Constant | None = None):
        self.pad_shape = require(pad_shape, list, "PadEnd", "pad_shape")
        for length in self.pad_shape:
            if length is not None:
                check.positive_int(length, "pad_shape", "PadEnd")
        self.pad_value = pad_value

    def _apply(self, value):
        if value.ndim != len(self.pad_shape):
            self._fail(f"an array of the shape {value.shape} cannot be padded to {self.pad_shape}.")
        lengths = [now if length is None else length for length, now in zip(self.pad_shape, value.shape, strict=True)]
        is_text = value.dtype.kind in "US"
        fill = value.dtype.type() if self.pad_value is None else self.pad_value
        if is_text != isinstance(fill, (str, bytes)):
            self._fail(f"an array of {value.dtype} cannot be padded with {fill!r}.")
        kind = np.result_type(value, np.asarray(fill)) if is_text else value.dtype
        whole = np.full(lengths, fill, kind)
        part = tuple([slice(0, min(pair)) for pair in zip(lengths, value.shape, strict=True)])
        whole[part] = value[part]
        return whole


class Concatenate(Transform):
    """Concatenates 1-d arrays: ``prepend``, the values of the columns, ``append``.

    Args:
        axis (int): 0 or -1. Default: ``0``.
        prepend, append (numpy.ndarray): arrays before and after. Default: ``None``, none.
    Source: mindspore.dataset.transforms.Concatenate
    """

    def __init__(self, axis: Int = 0, prepend=None, append=None):
        if axis not in (0, -1):
            refuse(ValueError, "Concatenate", "axis", "0 or -1", axis)
        self.axis = axis
        self.before, self.after = _one_axis(prepend, "prepend"), _one_axis(append, "append")

    def __call__(self, *values):
        parts = [*self.before, *[self._taken(value) for value in values], *self.after]
        kinds = {part.dtype.kind if part.dtype.kind in "US" else part.dtype for part in parts}
        if len(kinds) > 1 or any(part.ndim != 1 for part in parts):
            dtypes_and_shapes = [(str(part.dtype), part.shape) for part in parts]
            self._fail(f"the arrays must have one axis and one dtype, but got {dtypes_and_shapes}.")
        return np.concatenate(parts)


def _one_axis(value, argument):
    """A list of the array, or an empty one for None."""
    if value is None:
        return []
    value = np.asarray(require(value, np.ndarray, "Concatenate", argument))
    if value.ndim != 1:
        refuse(ValueError, "Concatenate", argument, "an array of one axis", value)
    return [value]


class Duplicate(Transform):
    """Duplicates the value, for two columns.  Source: mindspore.dataset.transforms.Duplicate"""

    def _apply(self, value):
        return value, value


class Slice(Transform):
    """Slices an array.

    Args:
        slices (int | list[int] | slice | None | Ellipsis): for each axis from the first on: an index, which keeps the
            axis with length 1, a list of indices, or a slice; None or Ellipsis for all.
    Example:
        >>> mindspore.dataset.transforms.Slice(slice(1, 3))(np.array([5, 6, 7])).tolist()
        [6, 7]
    Source: mindspore.dataset.transforms.Slice
    """

    def __init__(self, *slices):
        for each in slices:
            if isinstance(each, bool) or not isinstance(each, (int, list, slice, type(None), type(...))):
                refuse(TypeError, "Slice", "slices", "made of ints, lists of ints, slices, None or Ellipsis", each)
        self.slices = slices

    def _apply(self, value):
        if len(self.slices) > value.ndim:
            self._fail(f"there are {len(self.slices)} slices for an array of the shape {value.shape}.")
        for axis, each in enumerate(self.slices):
            if isinstance(each, slice):
                value = value[(slice(None),) * axis + (each,)]
            elif isinstance(each, (int, list)):
                indices = [each] if isinstance(each, int) else each
                for index in indices:
                    if not -value.shape[axis] <= index < value.shape[axis]:
                        self._fail(f"there is no index {index} on axis {axis} of an array of the shape {value.shape}.")
                value = np.take(value, indices, axis)
        return value


class Unique(Transform):
    """Unique elements in the order of their first occurrence, the index of each element among them, and how often
    each comes: three values.

    Source: mindspore.dataset.transforms.Unique
    """

    def _apply(self, value):
        if value.dtype.kind in "US":
            self._fail("the elements must be numbers.")
        distinct, first, inverse, counts = np.unique(value, return_index=True, return_inverse=True, return_counts=True)
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return distinct[order], rank[inverse].reshape(-1).astype(np.int32), counts[order].astype(np.int32)
