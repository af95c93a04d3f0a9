"""Values of columns: NumPy arrays of numbers, strings and bytes, and Python dicts, which are passed unchanged."""

from typing import Any

import numpy as np

from ...engine.handle import Handle
from ...tensor.dlpack import is_foreign, values_of

_KINDS = "biufUS"  # kinds of NumPy dtypes
_VALUES = (np.ndarray, np.generic, Handle, str, bytes, dict)


def array(value) -> Any:
    """Converts ``value`` to a column's value.

    Args:
        value (numpy.ndarray | Number | str | bytes | list | tuple | Tensor | dict): from a user's function or source;
            or another library's array.
    Returns:
        numpy.ndarray; a dict is returned unchanged.
    Raises:
        TypeError: if a column cannot hold it.
    """
    if type(value) is not np.ndarray:
        if isinstance(value, dict):
            return value
        if isinstance(value, Handle):
            return value.asnumpy()
        if is_foreign(value):
            value = values_of(value)
        if value is None:
            raise TypeError("None is not a valid value of a column: the function must return one.")
        value = np.asarray(value)
    if value.dtype.kind not in _KINDS and value.dtype.name != "bfloat16":
        raise TypeError(
            f"a column holds numbers, strings, bytes or a dict, but got an array of dtype {value.dtype} and shape "
            f"{value.shape}."
        )
    return narrowed(value)


def narrowed(value):
    """An array of strings or bytes at the width of its longest element; any other value unchanged.

    MindSpore keeps the length of each string, not a width for all.
    """
    if type(value) is not np.ndarray or value.dtype.kind not in "US" or not value.size:
        return value
    longest = max(1, int(np.strings.str_len(value).max()))
    width = longest * np.dtype(value.dtype.kind + "1").itemsize
    return value if width == value.dtype.itemsize else value.astype(f"{value.dtype.kind}{longest}")


def cells(result):
    """The values of one row as a list: a user's function returns a tuple for several columns."""
    return [array(item) for item in result] if isinstance(result, tuple) else [array(result)]


def row(values):
    """The values of one row of a source as a tuple: a tuple, list or other iterable has one for each column."""
    if type(values) is not tuple and (isinstance(values, _VALUES) or not hasattr(values, "__iter__")):
        return (array(values),)
    return tuple([array(item) for item in values])


def kind(value):
    """The dtype of a value in ``output_types``: one for all strings, ``object`` for dicts."""
    if isinstance(value, dict):
        return np.dtype(object)
    return np.dtype(value.dtype.kind) if value.dtype.kind in "US" else value.dtype


def shape(value):
    """The shape of a value in ``output_shapes`` (list): ``[0]`` for dicts."""
    return [0] if isinstance(value, dict) else list(value.shape)


def is_pil_image(value):
    """Whether ``value`` is a Pillow image; does not import Pillow."""
    return type(value).__module__.startswith("PIL.")
