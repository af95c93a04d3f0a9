"""Checks of arguments. Each takes a value, returns it normalised, and names argument and operation if it refuses.

Errors are MindSpore's: TypeError for a value of the wrong type, ValueError for one out of range.
"""

import numbers

import numpy as np

_MSG_REFUSED = "For '{}', the '{}' must be {}, but got {!r} ({})."


def _refuse(error, value, expected, arg_name, op_name):
    raise error(_MSG_REFUSED.format(op_name, arg_name, expected, value, type(value).__name__))


def integer(value, arg_name, op_name):
    """``value`` as an int; a bool is none.

    Raises:
        TypeError: if it is not an int.
    Example:
        >>> check.integer(3, "k", "TopK")
        3
    """
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        _refuse(TypeError, value, "an int", arg_name, op_name)
    return int(value)


def positive_int(value, arg_name, op_name):
    """``value`` as an int above zero.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is not above zero.
    Example:
        >>> check.positive_int(3, "in_channels", "Dense")
        3
    """
    value = integer(value, arg_name, op_name)
    if value <= 0:
        _refuse(ValueError, value, "a positive int", arg_name, op_name)
    return value


def non_negative_int(value, arg_name, op_name):
    """``value`` as an int from zero on.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is below zero.
    Example:
        >>> check.non_negative_int(0, "ddof", "Var")
        0
    """
    value = integer(value, arg_name, op_name)
    if value < 0:
        _refuse(ValueError, value, "a non-negative int", arg_name, op_name)
    return value


def boolean(value, arg_name, op_name):
    """``value``, a bool.

    Raises:
        TypeError: if it is not a bool.
    Example:
        >>> check.boolean(True, "has_bias", "Dense")
        True
    """
    if not isinstance(value, (bool, np.bool_)):
        _refuse(TypeError, value, "a bool", arg_name, op_name)
    return bool(value)


def number(value, arg_name, op_name):
    """``value``, an int or float; a bool is none.

    Raises:
        TypeError: if it is not a number.
    Example:
        >>> check.number(0.5, "alpha", "LeakyReLU")
        0.5
    """
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        _refuse(TypeError, value, "a number", arg_name, op_name)
    return value


def one_of(value, choices, arg_name, op_name):
    """``value``, one of ``choices``.

    Raises:
        ValueError: if it is none of them.
    Example:
        >>> check.one_of("none", ("none", "tanh"), "approximate", "GeLU")
        'none'
    """
    if value not in choices:
        _refuse(ValueError, value, f"one of {list(choices)}", arg_name, op_name)
    return value


def in_range(value, low, high, arg_name, op_name):
    """``value``, an int with ``low <= value <= high``.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is out of range.
    Example:
        >>> check.in_range(1, 0, 2, "batch_dims", "Gather")
        1
    """
    value = integer(value, arg_name, op_name)
    if not low <= value <= high:
        _refuse(ValueError, value, f"in the range [{low}, {high}]", arg_name, op_name)
    return value


def axis(value, ndim, arg_name, op_name):
    """``value`` as the index of one of ``ndim`` axes, counted from the front. A rank of zero counts as one axis.

    Raises:
        TypeError: if it is not an int.  ValueError: if there is no such axis.
    Example:
        >>> check.axis(-1, 3, "axis", "Softmax")
        2
    """
    value = integer(value, arg_name, op_name)
    rank = max(ndim, 1)
    if not -rank <= value < rank:
        _refuse(ValueError, value, f"in the range [{-rank}, {rank})", arg_name, op_name)
    return value % rank


def axes(value, ndim, arg_name, op_name):
    """``value``, an int, a tuple or list of ints, or None, as a tuple of axes; None and ``()`` mean all of them.

    Raises:
        TypeError: if it is none of these.  ValueError: if there is no such axis.  RuntimeError: if one comes twice.
    Example:
        >>> check.axes((0, -1), 3, "axis", "ReduceSum")
        (0, 2)
    """
    if value is None or (isinstance(value, (tuple, list)) and not value):
        return tuple(range(ndim))
    items = value if isinstance(value, (tuple, list)) else (value,)
    found = tuple(axis(item, ndim, arg_name, op_name) for item in items)
    if len(set(found)) < len(found):
        _refuse(RuntimeError, value, "without an axis that appears twice", arg_name, op_name)
    return found if ndim else ()


def dtype(array, accepted, arg_name, op_name):
    """``array``, if its dtype is of a kind in ``accepted``.

    Args:
        accepted (str): kinds of numpy dtypes: ``'b'`` bool, ``'i'`` int, ``'u'`` unsigned int, ``'f'`` float, bfloat16
            too, ``'c'`` complex.
    Raises:
        TypeError: if it is not.
    Example:
        >>> check.dtype(jnp.zeros(2), "f", "input", "Softmax").shape
        (2,)
    """
    kind = "f" if array.dtype.name == "bfloat16" else array.dtype.kind
    if kind not in accepted:
        names = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
        raise TypeError(
            f"For '{op_name}', the '{arg_name}' must be a Tensor of {', '.join(names[k] for k in accepted)}, "
            f"but got {array.dtype.name}. Cast it first: {arg_name}.astype(mindspore.float32)."
        )
    return array


def at_least_rank(array, rank, arg_name, op_name):
    """``array``, if it has at least ``rank`` axes.

    Raises:
        ValueError: if it has fewer.
    Example:
        >>> check.at_least_rank(jnp.zeros((2, 2)), 2, "input", "Tril").shape
        (2, 2)
    """
    if array.ndim < rank:
        raise ValueError(
            f"For '{op_name}', the rank of '{arg_name}' must be at least {rank}, but got {array.ndim} "
            f"(shape {array.shape})."
        )
    return array


def broadcastable(left, right, op_name):
    """Whether two shapes can be broadcast against each other: nothing, or an error.

    Raises:
        ValueError: if they cannot.
    Example:
        >>> check.broadcastable((2, 1), (3,), "Add")
    """
    for one, other in zip(left[::-1], right[::-1], strict=False):
        if one != other and 1 not in (one, other):
            raise ValueError(
                f"For '{op_name}', input1.shape and input2.shape need to broadcast: lengths must be equal or 1, "
                f"counted from the last axis, but got input1.shape = {list(left)} and input2.shape = {list(right)}."
            )
