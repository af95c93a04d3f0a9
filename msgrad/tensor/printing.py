"""Printing: the text of a Tensor, and what ``print`` writes in a graph.

``str`` is numpy's text of the values, including numpy's print options; only float dtypes that numpy lacks are formatted
here. ``repr`` has MindSpore's own form: fixed-width numbers, long axes shortened, and vectors broken after a fixed
count. A Tensor that shares a numpy array's memory uses numpy's form there too.
"""

import math
from typing import Any

import numpy as np

from .. import _upcalls
from ..engine import dtypes
from ..engine.handle import Handle

_EDGE = 3  # elements shown at each end of a shortened axis
_LONGEST_AXIS = 6  # the longest axis of a Tensor of rank 2 or more that is shown in full
_LONGEST_VECTOR = 1000
_BREAK_AFTER = {"f": 12, "b": 12}  # elements in a line of a vector, by the dtype's kind
_BREAK_OTHERS_AFTER = 24
_CUT = object()  # marks omitted elements

# MindSpore 2.10 prints through numpy 1.26; numpy 2.4 writes float16 and float32 with an exponent from 10**precision on.
_NUMPY_FORM: dict[str, Any] = {} if np.lib.NumpyVersion(np.__version__) < "2.0.0" else {"legacy": "1.25"}


def tensor_str(array, dtype):
    """The ``str`` of a Tensor.

    Args:
        array (numpy.ndarray): the values.
        dtype (mindspore.dtype): of the Tensor.
    Returns:
        str.
    Example:
        >>> tensor_str(np.array([1.0, 2.5], np.float32), mindspore.float32)
        '[1.  2.5]'
    Source: mindspore.Tensor.__str__
    """
    if dtype.numpy.kind != "V":
        with np.printoptions(**_NUMPY_FORM):
            return str(array)
    if array.ndim == 0:
        return f"{float(array):f}"
    return np.array2string(array.astype(np.float32), formatter={"float_kind": "{:f}".format})


def tensor_repr(array, dtype, shows_memory=False):
    """The ``repr`` of a Tensor, also within a list, tuple or dict.

    Args:
        array (numpy.ndarray): the values.
        dtype (mindspore.dtype): of the Tensor.
        shows_memory (bool): whether the Tensor shares a numpy array's memory. Default: ``False``.
    Returns:
        str.
    Example:
        >>> tensor_repr(np.array([1.0, 2.5], np.float32), mindspore.float32)
        'Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.50000000e+00])'
    Source: mindspore.Tensor.__repr__
    """
    with np.printoptions(**_NUMPY_FORM):
        values = np.array2string(array, separator=", ") if shows_memory else _values(array, dtype)
    return _labelled(array, dtype, values, " ")


def lines_in_graph(values, is_nested=False):
    """The lines that ``print`` writes for ``values`` in a graph: one for each, also for each item of a container.

    Args:
        values (sequence): Tensors, numbers, strings, dtypes, None, and tuples, lists and dicts of them.
        is_nested (bool): whether they are items of a tuple, list or dict. Default: ``False``.
    Returns:
        list of str; None if another value is among them: MindSpore then prints as outside of graphs.
    Example:
        >>> lines_in_graph(["x", Tensor([1.0, 2.5]), 3, (4, 5), True])
        ['x', 'Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.50000000e+00])', '3', '(4, 5)', '1']
    """
    lines = []
    for value in values:
        if isinstance(value, (dict, range)):
            value = tuple(value.values() if isinstance(value, dict) else value)
        if isinstance(value, Handle):
            lines.append(_graph_text(value._values_(), value.dtype))
        elif isinstance(value, (str, dtypes.DType, slice, type(None))):
            lines.append(str(value))
        elif isinstance(value, (int, float)):
            lines.append(_scalar(np.asarray(value) if isinstance(value, int) else _float32(value)))
        elif not isinstance(value, (tuple, list)):
            return None
        elif not is_nested and all([type(item) is int for item in value]):
            lines.append(f"({', '.join(map(str, value))})")
        else:
            items = lines_in_graph(value, is_nested=True)
            if items is None:
                return None
            lines += items
    return lines


_upcalls.fill(graph_lines=lines_in_graph)


def _graph_text(array, dtype):
    if array.ndim == 0:
        return _scalar(array)
    return _labelled(array, dtype, _values(array, dtype, comma=""), "")


def _labelled(array, dtype, values, gap):
    """The text of a Tensor with shape and dtype; ``gap`` precedes the values of a vector or number."""
    before = "\n" if array.ndim > 1 else gap
    return f"Tensor(shape={list(array.shape)}, dtype={dtype}, value={before}{values})"


def _float32(number):
    with np.errstate(over="ignore"):  # beyond float32's range it is infinity
        return np.asarray(number, np.float32)


def _scalar(array):
    """A number as C++'s streams write it."""
    number = array.item()
    if isinstance(number, complex):
        return f"({number.real:g},{number.imag:g})"
    return str(int(number)) if isinstance(number, int) else _number(number, "g")


def _values(array, dtype, comma=","):
    if array.size == 0:
        return ""
    if array.ndim == 0:
        return _formatter(dtype, is_scalar=True)(array.item())
    shortened = _shortened(array, _LONGEST_VECTOR if array.ndim == 1 else _LONGEST_AXIS)
    texts = _texts(shortened, _formatter(dtype, is_scalar=False))
    if dtype.numpy.kind in "iuV":
        width = max(map(len, _leaves(texts)))
        texts = _texts(texts, lambda text: text.rjust(width))
    return _joined(texts, 1, _BREAK_AFTER.get(dtype.numpy.kind, _BREAK_OTHERS_AFTER), comma)


def _formatter(dtype, is_scalar):
    kind = dtype.numpy.kind
    if kind == "b":
        return str if is_scalar else "{!s:>5}".format
    if kind in "iu":
        return str
    if kind == "c":
        return lambda value: f"{_number(value.real, 'g')}{_number(value.imag, '+g')}j"
    if is_scalar or kind == "V":
        return lambda value: _number(value, "g")
    return lambda value: _number(value, "11.4e" if dtype is dtypes.float16 else "15.8e")


def _number(value, form):
    # C++ prints the sign of a NaN, which x86 sets for 0 / 0.
    if value != value and math.copysign(1, value) < 0:
        return format(-math.inf, form).replace("inf", "nan")
    return format(value, form)


def _shortened(array, longest):
    """The elements to show, as nested lists with `_CUT` for omitted ones."""
    axis = list(array) if len(array) <= longest else [*array[:_EDGE], _CUT, *array[-_EDGE:]]
    if array.ndim == 1:
        return [item if item is _CUT else item.item() for item in axis]
    return [item if item is _CUT else _shortened(item, longest) for item in axis]


def _texts(items, text_of):
    return [
        item if item is _CUT else _texts(item, text_of) if isinstance(item, list) else text_of(item) for item in items
    ]


def _leaves(items):
    for item in items:
        if isinstance(item, list):
            yield from _leaves(item)
        elif item is not _CUT:
            yield item


def _joined(texts, depth, break_after, comma):
    """The text of nested lists; ``depth`` is the column of their elements."""
    if isinstance(texts[0], list):
        *rows, last = ["..." if row is _CUT else _joined(row, depth + 1, break_after, comma) for row in texts]
        lines = [*[row if row == "..." else f"{row}{comma}" for row in rows], last]
        return "[" + ("\n" + " " * depth).join(lines) + "]"
    between = f"{comma} "
    if _CUT in texts:
        return f"[{between.join(texts[:_EDGE])} ... {between.join(texts[-_EDGE:])}]"
    lines = [between.join(texts[start : start + break_after]) for start in range(0, len(texts), break_after)]
    # A full line is broken even if nothing follows.
    end = "\n " if len(texts) % break_after == 0 else ""
    return "[" + f"{between}\n ".join(lines) + end + "]"
