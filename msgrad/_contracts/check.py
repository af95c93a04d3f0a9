"""Argument checks: each takes a value and returns it normalised, or raises an error that names argument and operation.

Errors are MindSpore's: TypeError for a value of the wrong type, ValueError for one out of range.
"""

import numbers
from typing import Any

import jax
import jax.export
import numpy as np

from ..engine.dtypes import DType
from ..engine.refusal import InWords, refuse, shown  # noqa: F401  checks are where operations look for the two


def integer(value, arg_name, op_name) -> int:
    """``value`` as an int; a bool is not accepted.

    Raises:
        TypeError: if it is not an int.
    Example:
        >>> check.integer(3, "k", "TopK")
        3
    """
    if not _is_int(value):
        refuse(TypeError, op_name, arg_name, "an int", value)
    return value if jax.export.is_symbolic_dim(value) else int(value)


def positive_int(value, arg_name, op_name) -> int:
    """``value`` as an int above zero.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is not above zero.
    Example:
        >>> check.positive_int(3, "in_channels", "Dense")
        3
    """
    value = integer(value, arg_name, op_name)
    if value <= 0:
        refuse(ValueError, op_name, arg_name, "a positive int", value)
    return value


def non_negative_int(value, arg_name, op_name) -> int:
    """``value`` as a non-negative int.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is below zero.
    Example:
        >>> check.non_negative_int(0, "ddof", "Var")
        0
    """
    value = integer(value, arg_name, op_name)
    if value < 0:
        refuse(ValueError, op_name, arg_name, "a non-negative int", value)
    return value


def boolean(value, arg_name, op_name) -> bool:
    """``value``, a bool.

    Raises:
        TypeError: if it is not a bool.
    Example:
        >>> check.boolean(True, "has_bias", "Dense")
        True
    """
    if not isinstance(value, (bool, np.bool_)):
        refuse(TypeError, op_name, arg_name, "a bool", value)
    return bool(value)


def number(value, arg_name, op_name) -> Any:
    """``value``, an int or float; a bool is not accepted.

    Raises:
        TypeError: if it is not a number.
    Example:
        >>> check.number(0.5, "alpha", "LeakyReLU")
        0.5
    """
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        refuse(TypeError, op_name, arg_name, "a number", value)
    return value


def positive_number(value, arg_name, op_name) -> Any:
    """``value``, an int or float above zero.

    Raises:
        TypeError: if it is not a number.  ValueError: if it is not above zero.
    Example:
        >>> check.positive_number(1024, "loss_scale", "SGD")
        1024
    """
    if not number(value, arg_name, op_name) > 0:  # NaN is refused, too
        refuse(ValueError, op_name, arg_name, "a number above 0", value)
    return value


def non_negative_number(value, arg_name, op_name) -> Any:
    """``value``, a non-negative int or float.

    Raises:
        TypeError: if it is not a number.  ValueError: if it is below zero.
    Example:
        >>> check.non_negative_number(0.9, "momentum", "SGD")
        0.9
    """
    if not number(value, arg_name, op_name) >= 0:  # NaN is refused, too
        refuse(ValueError, op_name, arg_name, "a non-negative number", value)
    return value


def python_number(value, arg_name, op_name) -> Any:
    """``value``, a Python bool, int or float.

    Raises:
        TypeError: for a value of another type.
    Example:
        >>> check.python_number(True, "input_x", "ScalarToTensor")
        True
    """
    if not isinstance(value, (bool, int, float)):
        refuse(TypeError, op_name, arg_name, "a bool, an int or a float", value)
    return value


def positive_float(value, arg_name, op_name) -> float:
    """``value``, a float above zero; an int is not accepted.

    Raises:
        TypeError: if it is not a float.  ValueError: if it is not above zero.
    Example:
        >>> check.positive_float(0.1, "learning_rate", "ExponentialDecayLR")
        0.1
    """
    if non_negative_float(value, arg_name, op_name) == 0:
        refuse(ValueError, op_name, arg_name, "a float above 0", value)
    return value


def non_negative_float(value, arg_name, op_name) -> float:
    """``value``, a non-negative float; an int is not accepted.

    Raises:
        TypeError: if it is not a float.  ValueError: if it is below zero.
    Example:
        >>> check.non_negative_float(0.0, "min_lr", "CosineDecayLR")
        0.0
    """
    if not isinstance(value, float):
        refuse(TypeError, op_name, arg_name, "a float", value)
    if not value >= 0:  # NaN is refused, too
        refuse(ValueError, op_name, arg_name, "a non-negative float", value)
    return value


def float_within(interval, value, arg_name, op_name) -> float:
    """``value``, a float in an interval such as ``"[0, 1)"``; an int is not accepted.

    Raises:
        TypeError: if it is not a float.  ValueError: if it lies outside.
    Example:
        >>> check.float_within("[0, 1)", 0.0, "beta1", "Adamax")
        0.0
    """
    if not isinstance(value, float):
        refuse(TypeError, op_name, arg_name, "a float", value)
    if not is_within(interval, value):
        refuse(ValueError, op_name, arg_name, f"a float in {interval}", value)
    return value


def is_within(interval, value):
    """Whether a number lies in an interval such as ``"[0, 1)"``."""
    low, high = map(float, interval[1:-1].split(","))
    is_above = value >= low if interval[0] == "[" else value > low
    is_below = value <= high if interval[-1] == "]" else value < high
    return is_above and is_below


def text(value, arg_name, op_name) -> str:
    """``value``, a str.

    Raises:
        TypeError: if it is not a str.
    Example:
        >>> check.text("ij", "indexing", "Meshgrid")
        'ij'
    """
    if not isinstance(value, str):
        refuse(TypeError, op_name, arg_name, "a str", value)
    return value


def function(value, arg_name, op_name) -> Any:
    """``value``, a callable.

    Raises:
        TypeError: if it is not callable.
    Example:
        >>> check.function(len, "loop_func", "Scan")
        <built-in function len>
    """
    if not callable(value):
        refuse(TypeError, op_name, arg_name, "a function", value)
    return value


def mindspore_dtype(value, arg_name, op_name) -> DType:
    """``value``, one of MindSpore's numeric dtypes.

    Raises:
        TypeError: if it is not.
    Example:
        >>> check.mindspore_dtype(mindspore.float32, "dtype", "sum")
        mindspore.float32
    """
    if not isinstance(value, DType) or value.numpy is None:
        refuse(TypeError, op_name, arg_name, "a mindspore dtype of numbers", value)
    return value


def ints(value, arg_name, op_name) -> tuple[int, ...]:
    """``value``, an int or a tuple or list of ints, as a tuple.

    Raises:
        TypeError: for a value of another type.
    Example:
        >>> check.ints([2, 3], "shape", "Reshape")
        (2, 3)
    """
    items = value if isinstance(value, (tuple, list)) else (value,)
    return tuple([integer(item, arg_name, op_name) for item in items])


def positive_ints(value, arg_name, op_name) -> tuple[int, ...]:
    """``value``, a positive int or a tuple or list of them, as a tuple.

    Raises:
        TypeError: for a value of another type.  ValueError: if one is not above zero, or there are none.
    Example:
        >>> check.positive_ints([2, 3], "block_shape", "SpaceToBatchND")
        (2, 3)
    """
    checked = ints(value, arg_name, op_name)
    if not checked or min(checked) < 1:
        refuse(ValueError, op_name, arg_name, "one positive int or several", value)
    return checked


def no_list(value, arg_name, op_name, mistyped: type[Exception] = ValueError) -> Any:
    """``value``, if it is neither a list nor a tuple of anything but ints.

    Raises:
        TypeError: for a list.  ``mistyped``: for a tuple of other elements.
    Example:
        >>> check.no_list((2, 3), "kernel_size", "Conv2D")
        (2, 3)
    """
    if isinstance(value, list):
        refuse(TypeError, op_name, arg_name, "an int or a tuple of ints", value, "Convert it first: tuple(x).")
    if isinstance(value, tuple) and not all(_is_int(each) for each in value):
        refuse(mistyped, op_name, arg_name, "an int or a tuple of ints", value)
    return value


def _is_int(value) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) or jax.export.is_symbolic_dim(value)


def sizes(value, arg_name, op_name) -> tuple[int, ...]:
    """``value``, a tuple or list of ints, or one that holds such a sequence: the ``*shape`` of a method.

    Raises:
        TypeError: for a value of another type.
    Example:
        >>> check.sizes(((2, 3),), "shape", "Reshape")
        (2, 3)
    """
    if isinstance(value, (tuple, list)) and len(value) == 1 and isinstance(value[0], (tuple, list)):
        value = value[0]
    return sequence(value, arg_name, op_name)


def sequence(value, arg_name, op_name) -> tuple[int, ...]:
    """``value``, a tuple or list of ints, as a tuple.

    Raises:
        TypeError: if it is neither.
    Example:
        >>> check.sequence([0, 1], "axis", "ReverseV2")
        (0, 1)
    """
    if not isinstance(value, (tuple, list)):
        refuse(TypeError, op_name, arg_name, "a tuple or list of ints", value)
    return ints(value, arg_name, op_name)


def axes_given(value, arg_name, op_name) -> Any:
    """``value``, an int or a tuple of ints. `axes` checks whether they are axes of the operand.

    Raises:
        TypeError: for a value of another type.
    Example:
        >>> check.axes_given([0, -1], "axis", "ReduceSum")
        (0, -1)
    """
    if isinstance(value, (tuple, list)):
        return ints(value, arg_name, op_name)
    return integer(value, arg_name, op_name)


def one_of(value, choices, arg_name, op_name) -> Any:
    """``value``, one of ``choices``; 1 is not True.

    Raises:
        ValueError: if it is none of them.  TypeError: if it is not of their type, unless that is str or there are two.
    Example:
        >>> check.one_of("none", ("none", "tanh"), "approximate", "GeLU")
        'none'
    """
    value = value.item() if isinstance(value, np.generic) else value
    kinds = {type(choice) for choice in choices}
    is_of_kind = isinstance(value, tuple(kinds)) and (type(value) is not bool or bool in kinds)
    if not is_of_kind or value not in choices:
        error = TypeError if not is_of_kind and len(kinds) == 1 and str not in kinds else ValueError
        refuse(error, op_name, arg_name, f"one of {list(choices)}", value)
    return value


def in_range(value, low, high, arg_name, op_name) -> int:
    """``value``, an int with ``low <= value <= high``.

    Raises:
        TypeError: if it is not an int.  ValueError: if it is out of range.
    Example:
        >>> check.in_range(1, 0, 2, "batch_dims", "Gather")
        1
    """
    value = integer(value, arg_name, op_name)
    if not low <= value <= high:
        refuse(ValueError, op_name, arg_name, f"in the range [{low}, {high}]", value)
    return value


def axis(value, ndim, arg_name, op_name, error: type[Exception] = ValueError) -> int:
    """``value`` as the index of one of ``ndim`` axes, counted from the front. A rank of zero counts as one axis.

    Raises:
        TypeError: if it is not an int.  ``error``: if there is no such axis.
    Example:
        >>> check.axis(-1, 3, "axis", "Softmax")
        2
    """
    value = integer(value, arg_name, op_name)
    rank = max(ndim, 1)
    if not -rank <= value < rank:
        refuse(error, op_name, arg_name, f"in the range [{-rank}, {rank})", value)
    return value % rank


def axis_and_length(value, shape, arg_name, op_name) -> tuple[int, int]:
    """``value`` as the index of an axis of ``shape``, counted from the front, and the length of that axis.

    Raises:
        TypeError: if it is not an int.  ValueError: if an axis is out of range.
    Example:
        >>> check.axis_and_length(-1, (2, 3), "axis", "split")
        (1, 3)
    """
    if not shape:
        refuse(ValueError, op_name, arg_name, "one of a Tensor that has axes", value)
    index = axis(value, len(shape), arg_name, op_name)
    return index, shape[index]


def two_axes(first, second, ndim, first_name, second_name, op_name) -> tuple[int, int]:
    """Two different axes of an array of ``ndim`` axes, counted from the front.

    Raises:
        TypeError: if one is not an int.  ValueError: if one is out of range, or both are the same.
    Example:
        >>> check.two_axes(0, -1, 2, "dim1", "dim2", "Diagonal")
        (0, 1)
    """
    first, second = axis(first, ndim, first_name, op_name), axis(second, ndim, second_name, op_name)
    if first == second:
        refuse(ValueError, op_name, second_name, f"another axis than '{first_name}', {first}", second)
    return first, second


def distinct_axes(value, ndim, arg_name, op_name) -> tuple[int, ...]:
    """``value``, an int or a tuple or list of ints, as a tuple of distinct axes.

    Raises:
        TypeError: if it is neither.  ValueError: if an axis is out of range, or one is repeated.
    Example:
        >>> check.distinct_axes((0, -1), 3, "axis", "ReverseV2")
        (0, 2)
    """
    checked = tuple([axis(item, ndim, arg_name, op_name) for item in ints(value, arg_name, op_name)])
    if len(set(checked)) < len(checked):
        refuse(ValueError, op_name, arg_name, "without repeated axes", value)
    return checked


def axes(value, ndim, arg_name, op_name, repeated: type[Exception] = RuntimeError) -> tuple[int, ...]:
    """``value``, an int, a tuple or list of ints, or None, as a tuple of axes; None and ``()`` mean all of them.

    Raises:
        TypeError: for another type.  ValueError: if an axis is out of range.  ``repeated``: if one is repeated.
    Example:
        >>> check.axes((0, -1), 3, "axis", "ReduceSum")
        (0, 2)
    """
    if value is None or (isinstance(value, (tuple, list)) and not value):
        return tuple(range(ndim))
    items = value if isinstance(value, (tuple, list)) else (value,)
    checked = tuple(axis(item, ndim, arg_name, op_name) for item in items)
    if len(set(checked)) < len(checked):
        refuse(repeated, op_name, arg_name, "without repeated axes", value)
    return checked if ndim else ()


def dtype(array, accepted, arg_name, op_name) -> Any:
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


def same_shape(array, other, arg_name, other_name, op_name) -> Any:
    """``array``, if it has the shape of ``other``, the argument ``other_name``.

    Raises:
        ValueError: if it has another one.
    Example:
        >>> check.same_shape(jnp.zeros(2), jnp.ones(2), "y", "x", "SquareSumAll").shape
        (2,)
    """
    if array.shape != other.shape:
        refuse(ValueError, op_name, arg_name, f"of the shape of '{other_name}', {other.shape}", array.shape)
    return array


def same_dtype(array, other, arg_name, other_name, op_name) -> Any:
    """``array``, if it has the dtype of ``other``, the argument ``other_name``.

    Raises:
        TypeError: if it has another one.
    Example:
        >>> check.same_dtype(jnp.zeros(2), jnp.ones(2), "y", "x", "SquareSumAll").shape
        (2,)
    """
    if array.dtype != other.dtype:
        refuse(TypeError, op_name, arg_name, f"of the dtype of '{other_name}', {other.dtype}", str(array.dtype))
    return array


def at_least_rank(array, rank, arg_name, op_name) -> Any:
    """``array``, if it has at least ``rank`` axes.

    Raises:
        ValueError: if it has fewer.
    Example:
        >>> check.at_least_rank(jnp.zeros((2, 2)), 2, "input", "Tril").shape
        (2, 2)
    """
    if array.ndim < rank:
        refuse(ValueError, op_name, arg_name, f"of at least {rank} axes", array)
    return array


def not_empty(array, axes, arg_name, op_name, error: type[Exception] = ValueError) -> Any:
    """``array``, if none of ``axes`` has length 0.

    Raises:
        ``error``: if one has.
    Example:
        >>> check.not_empty(jnp.zeros((0, 2)), (1,), "input", "ReduceMax").shape
        (0, 2)
    """
    if any(array.shape[each] == 0 for each in axes):
        refuse(error, op_name, arg_name, "of at least one element along the axis", array)
    return array


def broadcastable(left, right, op_name):
    """Raises unless two shapes can be broadcast against each other.

    Raises:
        ValueError: if they cannot.
    Example:
        >>> check.broadcastable((2, 1), (3,), "Add")
    """
    for length, other_length in zip(left[::-1], right[::-1], strict=False):
        if length != other_length and 1 not in (length, other_length):
            raise ValueError(
                f"For '{op_name}', input1.shape and input2.shape need to broadcast: lengths must be equal or 1, "
                f"counted from the last axis, but got input1.shape = {list(left)} and input2.shape = {list(right)}."
            )
