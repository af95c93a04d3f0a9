"""Values of columns: NumPy arrays of numbers, strings and bytes, and Python dicts, which pass as they are."""

import numpy as np

from ...engine.handle import Handle

_KINDS = "biufUS"  # of NumPy's dtypes
_VALUES = (np.ndarray, np.generic, Handle, str, bytes, dict)


def array(value):
    """``value`` as a column holds it.

    Args:
        value (numpy.ndarray | Number | str | bytes | list | tuple | Tensor | dict): of a user's function or source.
    Returns:
        numpy.ndarray; the dict itself.
    Raises:
        TypeError: if it is of a kind that no column holds.
    """
    if type(value) is not np.ndarray:
        if isinstance(value, dict):
            return value
        if isinstance(value, Handle):
            return value.asnumpy()
        if value is None:
            raise TypeError("None is no value of a column: the function has to return one.")
        value = np.asarray(value)
    if value.dtype.kind not in _KINDS and value.dtype.name != "bfloat16":
        raise TypeError(
            f"a column holds numbers, strings, bytes or a dict, but got an array of dtype {value.dtype} and shape "
            f"{value.shape}."
        )
    return value


def cells(result):
    """The values of one row as a list: a user's function returns a tuple for several columns."""
    return [array(item) for item in result] if isinstance(result, tuple) else [array(result)]


def row(values):
    """The values of one row of a source as a tuple: an iterable of other kinds than values has one for each column."""
    if type(values) is not tuple and (isinstance(values, _VALUES) or not hasattr(values, "__iter__")):
        return (array(values),)
    return tuple([array(item) for item in values])


def kind(value):
    """The dtype that ``output_types`` says of a value: one of all strings, ``object`` of dicts."""
    if isinstance(value, dict):
        return np.dtype(object)
    return np.dtype(value.dtype.kind) if value.dtype.kind in "US" else value.dtype


def shape(value):
    """The shape that ``output_shapes`` says of a value (list)."""
    return [] if isinstance(value, dict) else list(value.shape)


def is_picture(value):
    """Whether ``value`` is a picture of Pillow's; Pillow is not imported to find out."""
    return type(value).__module__.startswith("PIL.")
