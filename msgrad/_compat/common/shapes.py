"""``mindspore.ops._utils`` and ``mindspore.common._utils``: functions of shapes.

A length of -1 is unknown, and the shape (-2,) has an unknown number of axes.
"""

import math

import numpy as np

from ...tensor.tensor import Tensor

_MSG_BROADCAST = "For '{}', {}.shape and {}.shape need to broadcast: lengths must be equal or 1, but got {} and {}."


def is_dim_unknown(shape):
    """Whether the number of axes is unknown."""
    return -2 in shape


def is_shape_unknown(shape):
    """Whether a length, or the number of axes, is unknown."""
    return any(length < 0 for length in shape)


def dim_not_equal(dim1, dim2):
    """Whether two lengths are known and differ."""
    return dim1 != dim2 and min(dim1, dim2) >= 0


def get_broadcast_shape(x_shape, y_shape, prim_name, arg_name1="x", arg_name2="y"):
    """The shape (list) of two that are broadcast against each other.

    Raises:
        ValueError: if they cannot be.
    """
    if is_dim_unknown(x_shape) or is_dim_unknown(y_shape):
        return [-2]
    rank = max(len(x_shape), len(y_shape))
    x_whole, y_whole = ((1,) * (rank - len(shape)) + tuple(shape) for shape in (x_shape, y_shape))
    shape = []
    for length, other_length in zip(x_whole, y_whole, strict=True):
        if length != other_length and 1 not in (length, other_length) and -1 not in (length, other_length):
            raise ValueError(_MSG_BROADCAST.format(prim_name, arg_name1, arg_name2, x_shape, y_shape))
        shape.append(other_length if length == 1 else length if other_length == 1 else max(length, other_length))
    return shape


def get_1d_shape(in_shape):
    """The shape of the same number of elements in one axis."""
    return (math.prod(in_shape),)


def range_op(start, limit, delta, dtype):
    """The numbers in ``[start, limit)`` in steps of ``delta``, a Tensor."""
    return Tensor(np.arange(start, limit, delta), dtype)


def get_func(func):
    """The function of a bound method; a function is returned unchanged."""
    return getattr(func, "__func__", func)
