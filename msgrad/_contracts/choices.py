"""Contracts that are made of their choices: one of a few values, lengths for each axis, an interval, a class.

They read as types: ``reduction: OneOf("mean", "sum")``.
"""

import functools

import numpy as np

from ..engine.dtypes import DType
from ..engine.handle import Handle
from ..engine.refusal import require
from . import check
from .kinds import Static


def OneOf(*choices):  # noqa: N802  it reads as a type: ``reduction: OneOf("mean", "sum")``
    """One of a few values.

    Example:
        >>> OneOf("mean", "sum").take("mean", "reduction", "MSELoss")
        'mean'
    """
    return Static(functools.partial(_one_of, choices), *{type(choice) for choice in choices})


def _one_of(choices, value, arg_name, owner):
    return check.one_of(value, choices, arg_name, owner)


def Word(*choices):  # noqa: N802  it reads as a type: ``align: Word("LEFT_RIGHT", "RIGHT_LEFT")``
    """One of a few strs, as `OneOf`; a value of another type is a TypeError.

    Example:
        >>> Word("tanh", "relu").take("relu", "nonlinearity", "RNNCell")
        'relu'
    """
    return Static(functools.partial(_word, choices), str)


def _word(choices, value, arg_name, owner):
    return check.one_of(check.text(value, arg_name, owner), choices, arg_name, owner)


def DtypeOf(*names):  # noqa: N802  it reads as a type: ``dtype: DtypeOf("int32", "int64")``
    """One of a few dtypes of MindSpore, by name; another is a TypeError.

    Example:
        >>> DtypeOf("int32", "int64").take(mindspore.int32, "dtype", "TrilIndices")
        mindspore.int32
    """
    return Static(functools.partial(_dtype_of, names), DType)


def _dtype_of(names, value, arg_name, owner):
    if check.mindspore_dtype(value, arg_name, owner).numpy.name not in names:
        check.refuse(TypeError, owner, arg_name, " or ".join(names), value)
    return value


# It reads as a type: ``kernel_size: Lengths(2)``.
def Lengths(count, minimum=1, miscount: type[Exception] = ValueError):  # noqa: N802
    """One int for ``count`` axes, or a tuple of as many; MindSpore's ``(1, 1, height, width)`` too.

    Args:
        count (int): of the axes.
        minimum (int): the smallest value; None for any. Default: ``1``.
        miscount (type): MindSpore's exception for more or fewer of them, or other elements. Default: ``ValueError``.
    Example:
        >>> Lengths(2).take(3, "kernel_size", "Conv2D")
        (3, 3)
    """

    def take(value, arg_name, owner):
        return _lengths(count, minimum, miscount, check.no_list(value, arg_name, owner, miscount), arg_name, owner)

    return Static(take, int, np.integer, tuple)


def LengthsOrList(count, minimum=1):  # noqa: N802  it reads as a type
    """As `Lengths`, or a list of them.

    Example:
        >>> LengthsOrList(2).take([3, 2], "kernel_size", "Im2Col")
        (3, 2)
    """
    return Static(functools.partial(_lengths, count, minimum, ValueError), int, np.integer, tuple, list)


def _lengths(count, minimum, miscount, value, arg_name, owner):
    lengths = check.ints(value, arg_name, owner)
    if len(lengths) == count + 2 and lengths[:2] == (1, 1):
        lengths = lengths[2:]
    if not isinstance(value, (tuple, list)):
        lengths *= count
    if len(lengths) != count or minimum is not None and min(lengths) < minimum:
        error = miscount if len(lengths) != count else ValueError
        expected = "an int" if minimum is None else f"an int from {minimum} on"
        check.refuse(error, owner, arg_name, f"{expected}, or {count} of them", value)
    return lengths


def Tuple(count=None, takes_int=False):  # noqa: N802  it reads as a type: ``max_shape: Tuple(2)``
    """A tuple of ints; a list is a TypeError.

    Args:
        count (int): how many; another number is a ValueError. Default: ``None``: any number.
        takes_int (bool): whether a single int is accepted, too, and stays one. Default: ``False``.
    Example:
        >>> Tuple(2).take((3, 2), "max_shape", "BoundingBoxDecode")
        (3, 2)
    """
    return Static(functools.partial(_tuple, count, takes_int), int, np.integer, Handle, tuple, list)


def _tuple(count, takes_int, value, arg_name, owner):
    if takes_int and not isinstance(value, (tuple, list)):
        return check.integer(value, arg_name, owner)
    if not isinstance(value, tuple):
        check.refuse(TypeError, owner, arg_name, "a tuple of ints", value)
    if count not in (None, len(value)):
        check.refuse(ValueError, owner, arg_name, f"{count} ints", value)
    return check.ints(value, arg_name, owner)


def FloatWithin(interval):  # noqa: N802  it reads as a type: ``beta1: FloatWithin("(0, 1)")``
    """A Python float in an interval.

    Args:
        interval (str): such as ``"(0, 1]"``: a bracket includes the bound, a parenthesis excludes it.
    Example:
        >>> FloatWithin("(0, 1]").take(1.0, "rho", "Adadelta")
        1.0
    """
    return Static(functools.partial(check.float_within, interval), float)


def Instance(kind):  # noqa: N802  it reads as a type
    """An object of a class.

    Example:
        >>> Instance(dict).take({}, "options", "Model")
        {}
    """
    return Static(functools.partial(_instance, kind), kind)


def _instance(kind, value, arg_name, owner):
    return require(value, kind, owner, arg_name)
