"""Printing: the text of a Tensor.

``str`` is numpy's text of the values, including numpy's print options; only float dtypes that numpy lacks are formatted
here. ``repr`` has MindSpore's own form: fixed-width numbers, long axes shortened, and vectors broken after a fixed
count. A Tensor that shares a numpy array's memory uses numpy's form there too.
"""

import math

import numpy as np

from ..engine import dtypes

_EDGE = 3  # elements shown at each end of a shortened axis
_LONGEST_AXIS = 6  # the longest axis of a Tensor of rank 2 or more that is shown in full
_LONGEST_VECTOR = 1000
_BREAK_AFTER = {"f": 12, "b": 12}  # elements in a line of a vector, by the dtype's kind
_BREAK_OTHERS_AFTER = 24
_CUT = object()  # marks omitted elements

# MindSpore 2.10 prints through numpy 1.26; numpy 2.4 writes float16 and float32 with an exponent from 10**precision on.
_NUMPY_FORM = {} if np.lib.NumpyVersion(np.__version__) < "2.0.0" else {"legacy": "1.25"}


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
    gap = "\n" if array.ndim > 1 else " "
    return f"Tensor(shape={list(array.shape)}, dtype={dtype}, value={gap}{values})"


def _values(array, dtype):
    if array.size == 0:
        return ""
    if array.ndim == 0:
        return _formatter(dtype, is_scalar=True)(array.item())
    shown = _shortened(array, _LONGEST_VECTOR if array.ndim == 1 else _LONGEST_AXIS)
    texts = _texts(shown, _formatter(dtype, is_scalar=False))
    if dtype.numpy.kind in "iuV":
        width = max(map(len, _leaves(texts)))
        texts = _texts(texts, lambda text: text.rjust(width))
    return _joined(texts, 1, _BREAK_AFTER.get(dtype.numpy.kind, _BREAK_OTHERS_AFTER))


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


def _joined(texts, depth, break_after):
    """The text of nested lists; ``depth`` is the column of their elements."""
    if isinstance(texts[0], list):
        *rows, last = ["..." if row is _CUT else _joined(row, depth + 1, break_after) for row in texts]
        lines = [*[row if row == "..." else f"{row}," for row in rows], last]
        return "[" + ("\n" + " " * depth).join(lines) + "]"
    if _CUT in texts:
        return f"[{', '.join(texts[:_EDGE])} ... {', '.join(texts[-_EDGE:])}]"
    lines = [", ".join(texts[start : start + break_after]) for start in range(0, len(texts), break_after)]
    # A full line is broken even if nothing follows.
    end = "\n " if len(texts) % break_after == 0 else ""
    return "[" + ", \n ".join(lines) + end + "]"
