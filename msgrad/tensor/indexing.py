"""MindSpore's rules for ``x[index]`` and ``x[index] = value``: accepted indices, and MindSpore's errors.

An index is converted to a hashable template and operands for the operations of `indexing_ops`. Where MindSpore 2.10 is
wrong (a negative step that starts past the end, assignment with a negative step, overlapping assignment), the result is
NumPy's.
"""

import functools

import numpy as np

from ..engine.calls import staging
from ..engine.handle import Handle, scope
from ..engine.host import state_of
from ..engine.recording.trace import apply, apply_at_once
from ..engine.refusal import refuse
from .host_values import host_values
from .indexing_ops import AT, READ, READ_AT, WRITE, WRITE_AT, WRITE_WHERE
from .numbers import constant, leaf, number, plain

_REMEMBERED = 64  # length of index lists whose conversion is cached

_REFUSES_TENSOR: dict[str, type[Exception]] = {"getitem": RuntimeError, "setitem": ValueError}  # if out of range
# In a graph: items of a tuple of another type, and masks of another shape that are the whole index.
_REFUSES_ITEM: dict[str, type[Exception]] = {"getitem": TypeError, "setitem": IndexError}
_REFUSES_MASK: dict[str, type[Exception]] = {"getitem": IndexError, "setitem": ValueError}
_INTS = {np.dtype(name) for name in ("int8", "int16", "int32", "int64")}
_BOUNDS = {int, type(None)}
_POSITIONS = {type(...), *_BOUNDS}
_OF_BASIC = {slice, *_POSITIONS}
_KINDS = "an int, slice, None, Ellipsis, bool, list, Tensor, or a tuple of these"
_MAKE_TENSOR = "Make a Tensor of an array first: Tensor(array)."
_MSG_ELEMENTS = "an int or bool Tensor, or a list of ints or bools of the same shape"
_MSG_AXES = "For '{}', a Tensor of no axes has nothing to index: it takes None, Ellipsis, () or a bool alone."
_MSG_OUT = "For '{}', the index {} is out of range for axis {} of length {}."
_MSG_MASK = (
    "For '{}', a mask must have the lengths of the axes that it selects from, but has {} for axes from {} on of {}."
)
_MSG_INDEX_SHAPES = "For '{}', the arrays of an index must broadcast against each other, but have the shapes {}."


def get(tensor, index):
    """``tensor[index]``; see `read`."""
    return read(tensor, index)[0]


def set(tensor, index, value):
    """The value of ``tensor`` after ``tensor[index] = value``; see `written`."""
    return written(tensor, index, value)[0]


def read(tensor, index):
    """``tensor[index]``, and the template of the index.

    Args:
        tensor (Tensor): any dtype, shape ``(d1, ..., dn)``.
        index (int | slice | None | Ellipsis | bool | list | tuple | Tensor): as MindSpore accepts it.
    Returns:
        Tensor: a new one, except ``tensor[...]``, which is ``tensor`` itself.
        tuple: the index as a template without operands; None if it is not basic.
    Raises:
        IndexError, TypeError, ValueError, RuntimeError: as MindSpore does, for a wrong index.
    """
    if index is Ellipsis:
        return tensor, None
    shape = tensor.aval[0]
    items = _basic_items(index) if shape else None
    if items is not None:
        return _at_basic(READ, (tensor,), _located("getitem", shape, items))
    if shape and isinstance(index, Handle) and not _is_mask(index):
        return apply(READ_AT, (tensor, index), _rows("getitem", shape, index)), None
    if index is False:
        refuse(IndexError, "getitem", "index", "True, if it is a bool", index)
    if type(index) is list and not index:
        refuse(IndexError, "getitem", "index", "a list that is not empty", index)
    if not shape and _needs_axis(index):
        raise _no_axes("getitem", index)
    at = _Index("getitem", shape)
    if at.is_basic(index):
        return _at_basic(READ, (tensor,), at.located)
    return apply(READ_AT, [tensor, *at.operands], at.template), None


def written(tensor, index, value):
    """The value of ``tensor`` after ``tensor[index] = value``, and the template of the index.

    Args:
        tensor (Tensor): any dtype, shape ``(d1, ..., dn)``.
        index (int | slice | None | Ellipsis | bool | list | tuple | Tensor): as MindSpore accepts it.
        value (Tensor | number | list | tuple): cast to the dtype of ``tensor`` and broadcast to the selected shape.
    Returns:
        Tensor of the shape and dtype of ``tensor``; ``tensor`` itself if the index selects nothing.
        tuple: the index as a template without operands; None if it is not basic.
    Raises:
        IndexError, TypeError, ValueError, RuntimeError: as MindSpore does, for an index or value that does not fit.
    """
    shape, dtype = tensor.aval
    if not shape and _needs_axis(index):
        raise _no_axes("setitem", index)
    value = _value(value, dtype)
    items = _basic_items(index) if shape else None
    if items is not None:
        return _at_basic(WRITE, (tensor, value), _located("setitem", shape, items))
    if _selects_nothing(index):
        return tensor, None
    mask = index[0] if type(index) is tuple and len(index) == 1 else index
    if isinstance(mask, Handle) and _is_mask(mask):
        _check_mask("setitem", mask.aval[0], shape)
        if len(value.aval[0]) <= len(shape) - len(mask.aval[0]):
            return apply(WRITE_WHERE, [tensor, value, mask]), None
    if shape and isinstance(index, Handle) and not _is_mask(index):
        return apply(WRITE_AT, (tensor, value, index), _rows("setitem", shape, index)), None
    at = _Index("setitem", shape)
    if at.is_basic(index):
        return _at_basic(WRITE, (tensor, value), at.located)
    return apply(WRITE_AT, [tensor, value, *at.operands], at.template), None


def selects_one(index, shape):
    """Whether an index has a position for each axis, so that it selects one element."""
    items = [item for item in index if item is not Ellipsis] if type(index) is tuple else (index,)
    return len(items) == len(shape) and all(_is_position(item) for item in items)


def _is_position(item):
    return type(item) is int or isinstance(item, Handle) and item.aval[0] == () and not _is_mask(item)


def is_view(index):
    """Whether the result of ``x[index]`` sees later writes to ``x``; if not, only its own writes reach ``x``."""
    if type(index) is tuple:
        return not any(isinstance(item, (list, tuple, Handle)) or item is True for item in index)
    if type(index) is list:
        return not _is_plain_list(index) and is_view(tuple(index))
    return not isinstance(index, Handle)


def _is_mask(tensor):
    return tensor.aval[1] == np.bool_


def _needs_axis(index):
    return isinstance(index, (slice, list)) or isinstance(index, Handle) and not _is_mask(index)


def _no_axes(name, index):
    """The error of an index into a Tensor of no axes, for which MindSpore has other types in a graph."""
    is_slice, is_read = isinstance(index, slice), name == "getitem"
    if staging.is_in_graph():
        error = TypeError if is_read and isinstance(index, (slice, int)) else IndexError if is_slice else ValueError
    else:
        error = ValueError if is_read and not isinstance(index, int) else TypeError
    return error(_MSG_AXES.format(name))


def _is_plain_list(items):
    return all(isinstance(item, int) for item in items)


def _selects_nothing(index):
    items = index if type(index) is tuple else (index,)
    return any(item is False or isinstance(item, (list, tuple)) and not item for item in items)


class _Index:
    """One index being normalised against a shape.

    Attributes:
        name (str): ``"getitem"`` or ``"setitem"``, which have different errors.
        shape (tuple): of the indexed Tensor.
        located (tuple): a basic index, as `_located` gives it.
        template (tuple): that of an advanced index.
        operands (list of Handle): the arrays of an advanced index.
        arrays (list of tuple): the shapes of these arrays, which must broadcast together.
        refuses_list, refuses_mask (type): what is raised for a list out of range, and for one of bools of another
            length; in a graph a list that is no part of a tuple is as a Tensor.
        refuses_tensor_mask (type): what is raised for a Tensor of bools of another shape.
        refuses_item (type | None): what is raised for an item of a wrong type, if not what `_plain` raises.
        may_select_nothing (bool): whether a list of bools may be without True; when reading, only such a one may.
    """

    refuses_list: type[Exception] = IndexError
    refuses_mask: type[Exception] = IndexError
    refuses_tensor_mask: type[Exception] = ValueError
    refuses_item: type[Exception] | None = None

    def __init__(self, name, shape):
        self.name = name
        self.shape = shape
        self._refuses_tensor = _REFUSES_TENSOR[name]
        self.may_select_nothing = name == "setitem"
        self.operands = []
        self.arrays = []

    def is_basic(self, index):
        """Whether an index is a basic one: then sets ``located``, else ``template``, ``operands`` and ``arrays``."""
        if index is True:
            index = None
        if type(index) is tuple:
            index = tuple([_range_as_list(item) for item in index])
        index = _range_as_list(index)
        if type(index) is list:
            if not _is_plain_list(index):
                index = tuple(index)
            elif staging.is_in_graph():
                self.refuses_list = self._refuses_tensor
                self.refuses_mask = _REFUSES_MASK[self.name]
                self.may_select_nothing = True
        items = index if type(index) is tuple else (index,)
        if index is not items:
            self._check_whole(index)
        if staging.is_in_graph():
            if index is items:
                self.refuses_item = _REFUSES_ITEM[self.name]
            else:
                self.refuses_tensor_mask = _REFUSES_MASK[self.name]
        if any(isinstance(item, (list, tuple, bool, Handle, np.ndarray)) for item in items):
            self.template = self._advanced(items)
            return False
        self.located = _located(self.name, self.shape, tuple([_plain(item, self.refuses_item) for item in items]))
        return True

    def _check_whole(self, index):
        """The errors of an index that is not a tuple."""
        if isinstance(index, (float, np.ndarray)):
            refuse(IndexError, self.name, "index", _KINDS, index, _MAKE_TENSOR)
        if isinstance(index, int) and not self.shape:
            raise _no_axes(self.name, index)

    def _advanced(self, items):
        axis, template = 0, []
        for item in _expanded(items, sum(map(_axes, items)), slice(None), len(self.shape)):
            if item is None or item is True:
                template.append(item)
            elif item is False:
                refuse(IndexError, self.name, "index", "without False in a tuple", items)
            elif isinstance(item, (int, np.integer)):
                template.append(_position(self.name, int(item), axis, self.shape[axis]))
                axis += 1
            elif isinstance(item, Handle):
                axis += self._tensor(item, axis, template)
            elif isinstance(item, (list, tuple)):
                axis += self._list(item, axis, template)
            elif isinstance(item, slice):
                start, count, step = _span(_plain(item), self.shape[axis])
                stop = start + count * step
                template.append((start, None if stop < 0 else stop, step) if count else (0, 0, 1))
                axis += 1
            else:
                _plain(item, self.refuses_item)  # raises
        if len(self.arrays) > 1:
            self._check_shapes()
        return tuple(template)

    def _tensor(self, item, axis, template):
        dtype = item.aval[1]
        if dtype == np.bool_:
            _check_mask(self.name, item.aval[0], self.shape, axis, self.refuses_tensor_mask)
            return self._mask(item._values_(), template)
        if dtype not in _INTS:
            refuse(IndexError, self.name, "index", _MSG_ELEMENTS, item)
        _check_known(self.name, item, axis, self.shape[axis])
        self._append(item, template)
        return 1

    def _list(self, item, axis, template):
        if not item:
            refuse(IndexError, self.name, "index", "without an empty list in a tuple", item)
        indices = np.array(_python(item))
        if indices.dtype.kind not in "ib":
            refuse(RuntimeError, self.name, "index", _MSG_ELEMENTS, item)
        if indices.dtype == np.bool_:
            _check_mask(self.name, indices.shape, self.shape, axis, self.refuses_mask)
            if not (self.may_select_nothing or indices.any()):
                refuse(IndexError, self.name, "index", "a list of bools with a True, or a Tensor", item)
            return self._mask(indices, template)
        for k in _outside(indices, self.shape[axis]):
            raise self.refuses_list(_MSG_OUT.format(self.name, k, axis, self.shape[axis]))
        self._append(_integers(indices.tolist()), template)
        return 1

    def _mask(self, mask, template):
        if mask.ndim == 0:
            template.append(bool(mask))
            return 0
        for indices in np.nonzero(mask):
            self._append(constant(indices), template)
        return mask.ndim

    def _append(self, tensor, template):
        template.append(AT)
        self.operands.append(tensor)
        self.arrays.append(tensor.aval[0])

    def _check_shapes(self):
        try:
            np.broadcast_shapes(*self.arrays)
        except ValueError:
            shapes = " and ".join(map(str, self.arrays))
            raise ValueError(_MSG_INDEX_SHAPES.format(self.name, shapes)) from None


# -- an int Tensor ------------------------------------------------------------------------------------------------


def _rows(name, shape, index):
    """The template of an index that is an int Tensor alone, after its errors."""
    dtype = index.aval[1]
    if dtype not in _INTS:
        refuse(IndexError, name, "index", "an int or bool Tensor", index)
    if dtype == np.int8 and name == "getitem":  # the CPU kernel's limit; not in a tuple
        refuse(TypeError, name, "index", "at least int16", index)
    _check_known(name, index, 0, shape[0])
    return _rows_template(shape)


@functools.lru_cache(4096)
def _rows_template(shape):
    return (AT, *[(0, length, 1) if length else (0, 0, 1) for length in shape[1:]])


def _check_known(name, index, axis, size):
    """Raises as MindSpore's CPU kernels do, if an index, an int Tensor, is on the host."""
    values = host_values(index)
    for k in _outside(values, size) if values is not None else ():
        raise _REFUSES_TENSOR[name](_MSG_OUT.format(name, k, axis, size))


# -- ints, slices, None ---------------------------------------------------------------------------------------------


def _range_as_list(item):
    return list(item) if type(item) is range else item


def _plain(item, error: type[Exception] | None = None):
    """An item of a basic index as a hashable value: a slice as its bounds. ``error`` is raised for other types."""
    kind = type(item)
    if kind is int or item is None or item is Ellipsis:
        return item
    if kind is slice:
        bounds = item.start, item.stop, item.step
        return bounds if _BOUNDS.issuperset(map(type, bounds)) else tuple(map(_bound, bounds))
    if isinstance(item, (int, np.integer)):
        return int(item)
    if isinstance(item, (float, np.ndarray)):
        refuse(error or TypeError, "Tensor", "index", _KINDS, item, _MAKE_TENSOR)
    refuse(_refusal_of(item, error), "Tensor", "index", _KINDS, item)


def _refusal_of(item, error: type[Exception] | None = None):
    """What is raised for an object that is no index and no value: in a graph complex numbers are no constants."""
    return TypeError if isinstance(item, complex) and staging.is_in_graph() else error or IndexError


def _bound(k):
    if k is None or type(k) is int:
        return k
    if isinstance(k, Handle):
        shape, dtype = k.aval
        if shape or dtype.kind not in "iu":
            refuse(TypeError, "Tensor", "slice", "made of ints, None and int Tensors of no axes", k)
        return int(k._values_())
    if not isinstance(k, int):
        error = TypeError if staging.is_in_graph() else RuntimeError
        refuse(error, "Tensor", "slice", "made of ints, None and int Tensors of no axes", k)
    return int(k)


def _basic_items(index):
    """An index of nothing but ints, slices, None and Ellipsis, in an axis or more, as a hashable tuple; else None."""
    kind = type(index)
    if kind is int:
        return (index,)
    if kind is tuple:
        if _POSITIONS.issuperset(map(type, index)):
            return index
        if _OF_BASIC.issuperset(map(type, index)):
            return tuple([item if type(item) in _POSITIONS else _plain(item) for item in index])
        return None
    return (_plain(index),) if kind is slice else None


def _at_basic(op, operands, located):
    """`READ` or `WRITE` at a basic index, and its template without operands."""
    fixed, moving, starts = located
    trace = scope.trace
    result = apply_at_once(op, operands, fixed) if trace is None else None
    if result is None:
        # In a recording the starts are static, which XLA optimizes better, as long as they do not change each time.
        if not starts or trace is not None and not trace.is_varying:
            result = apply(op, operands, fixed)
        else:
            result = apply(op, [*operands, *[_integers(start) for start in starts]], moving)
    return result, fixed


# A loop over indices repeats the same ones in every epoch: 0.1 us instead of 4 or more. The cache holds 65536.
@functools.lru_cache(65536)
def _located(name, shape, items):
    """The template with static starts, the template with starts as operands, and these starts."""
    axis, fixed, moving, starts = 0, [], [], []
    used = sum([item is not None and item is not Ellipsis for item in items])
    for item in _expanded(items, used, (None, None, None), len(shape)):
        if item is None:
            fixed.append(None)
            moving.append(None)
            continue
        size = shape[axis]
        if type(item) is int:
            start, count, step = _position(name, item, axis, size), None, 1
        else:
            start, count, step = _span(item, size)
        fixed.append((start, count, step))
        if count != size and count != 0:
            starts.append(start)
            start = AT
        moving.append((start, count, step))
        axis += 1
    return tuple(fixed), tuple(moving), starts


def _expanded(items, used, whole, rank):
    """``items``, which index ``used`` axes, with the ellipsis and the remaining axes replaced by ``whole`` slices."""
    if used > rank:
        refuse(IndexError, "Tensor", "index", f"of at most {rank} axes, which the Tensor has", used)
    whole = (whole,) * (rank - used)
    ellipses = [k for k, item in enumerate(items) if item is Ellipsis]
    if len(ellipses) > 1:
        refuse(IndexError, "Tensor", "index", "with one Ellipsis", items)
    return (*items[: ellipses[0]], *whole, *items[ellipses[0] + 1 :]) if ellipses else (*items, *whole)


def _position(name, k, axis, size):
    if -size <= k < size:
        return k % size
    raise IndexError(_MSG_OUT.format(name, k, axis, size))


def _span(bounds, size):
    """The first index of a slice, the number of indices, and the step."""
    if bounds[2] == 0:
        refuse(ValueError, "StridedSlice", "strides", "other than 0", bounds[2])
    if bounds == (None, None, None):  # valid for any length, also a symbolic one of `jax.export`
        return 0, size, 1
    indices = range(*slice(*bounds).indices(size))
    return (indices.start, len(indices), indices.step) if indices else (0, 0, 1)


# -- arrays ---------------------------------------------------------------------------------------------------------


def _axes(item):
    """The number of axes of the array that an item indexes."""
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    if isinstance(item, Handle) and _is_mask(item):
        return len(item.aval[0])
    if isinstance(item, (list, tuple)) and item:
        nested = np.array(_python(item), dtype=object)
        return nested.ndim if all(isinstance(each, bool) for each in nested.flat) else 1
    return 1


def _check_mask(name, have, shape, axis=0, error: type[Exception] = ValueError):
    if have != shape[axis : axis + len(have)]:
        error = IndexError if axis + len(have) > len(shape) else error
        raise error(_MSG_MASK.format(name, have, axis, shape))


def _outside(indices, size):
    """The ``indices`` that are out of range for an axis of length ``size``."""
    return indices[(indices < -size) | (indices >= size)].flat


def _python(item):
    """Nested lists of numbers with their Tensors as Python values."""
    if isinstance(item, Handle):
        return item._values_().tolist()
    return [_python(each) for each in item] if isinstance(item, (list, tuple)) else item


def _integers(indices):
    """A Tensor of ``indices``, an int or nested lists of ints."""
    if isinstance(indices, list) and len(indices) > _REMEMBERED:
        return constant(np.array(indices, np.int64))
    return leaf(_hosted_integers(_frozen(indices)))


def _frozen(indices):
    return tuple(map(_frozen, indices)) if isinstance(indices, list) else indices


# 0.1 us instead of 3, and a launch finds them on the device.
@functools.lru_cache(4096)
def _hosted_integers(indices):
    return state_of(np.array(indices, np.int64), is_shared=True)


def _value(value, dtype):
    """The value of an assignment as a Tensor; a Tensor keeps its dtype here."""
    if isinstance(value, Handle):
        return value
    value = plain(value) if isinstance(value, np.generic) else value
    if isinstance(value, (bool, int, float)):
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise RuntimeError(f"The value of an assignment must fit in 64 bits, but got {value}.")
        return number(value, dtype)
    if type(value) is range and staging.is_in_graph():
        value = list(value)
    if isinstance(value, (list, tuple)):
        try:
            items = np.array(_python(value))
        except ValueError:
            refuse(ValueError, "setitem", "value", "made of lists of equal length", value)
        if items.dtype.kind not in "biufc":
            refuse(TypeError, "setitem", "value", "made of numbers", value)
        is_real = items.dtype.kind != "c" or dtype.kind == "c"
        return constant((items if is_real else items.real).astype(dtype))
    if value is None or isinstance(value, np.ndarray):
        refuse(TypeError, "setitem", "value", "a Tensor, a number, or a list or tuple of numbers", value, _MAKE_TENSOR)
    refuse(_refusal_of(value), "setitem", "value", "a Tensor, a number, or a list or tuple of numbers", value)
