"""``mindspore.nn.probability.distribution._utils``: helpers for user-defined distributions."""

import numpy as np

from ... import ops
from ...engine import dtypes
from ...engine.refusal import refuse
from ...nn.probability._parameters import (
    Anything,
    NonNegative,
    Positive,
    Probability,
    common_dtype,
    known_values,
    require_tensor,
    tensor_of,
)


def cast_to_tensor(t, hint_type=dtypes.float32):
    """A number, list, array or Tensor as a Tensor of ``hint_type``; a Parameter is unchanged.

    Raises:
        TypeError: for anything else.  ValueError: for None.
    """
    if t is None:
        refuse(ValueError, "cast_to_tensor", "t", Anything.words, t)
    return tensor_of(Anything.take(t, "t", "cast_to_tensor"), hint_type)


def set_param_type(args, hint_type):
    """The common dtype of parameters (a dict); ``hint_type`` (mindspore.dtype) if they are numbers and lists.

    Raises:
        TypeError: if arrays differ.
    """
    return common_dtype(args, hint_type, "set_param_type")


def check_greater_equal_zero(value, name):
    """Raises ValueError if a number in ``value``, a Tensor, is negative."""
    NonNegative.take(value, name, "check_greater_equal_zero")


def check_greater_zero(value, name):
    """Raises ValueError unless all numbers in ``value``, a Tensor, are above 0."""
    _required(value, name, "check_greater_zero")
    Positive.take(value, name, "check_greater_zero")


def check_prob(p):
    """Raises ValueError unless all numbers in ``p``, a Tensor, are in (0, 1)."""
    _required(p, "p", "check_prob")
    Probability.take(p, "p", "check_prob")


def check_greater(a, b, name_a, name_b):
    """Raises ValueError unless ``a`` is below ``b`` (Tensors), if their values are on the host."""
    minimum = known_values(_required(a, name_a, "check_greater"))
    maximum = known_values(_required(b, name_b, "check_greater"))
    if minimum is not None and maximum is not None and not np.all(minimum < maximum):
        refuse(ValueError, "check_greater", name_a, f"less than '{name_b}'", a)


def _required(value, name, owner):
    if value is None:
        refuse(ValueError, owner, name, "a Tensor", value)
    return value


def exp_generic(input_x):
    """``exp``; of ints in float32."""
    return ops.exp(_floats(input_x))


def log_generic(input_x):
    """``log``; of ints in float32."""
    return ops.log(_floats(input_x))


def _floats(x):
    return x if x.is_floating_point() else x.astype(dtypes.float32)


def broadcast_to(x, target):
    """``x`` in the shape of ``target``, two Tensors."""
    return x if x.shape == target.shape else x.broadcast_to(target.shape)


class CheckTensor:
    """Called with a value and its name, returns the value; TypeError unless it is a Tensor or None."""

    def __call__(self, x, name):
        return x if x is None else require_tensor(x, name, "CheckTensor")


class CheckTuple:
    """Called with a value and its name, returns the value; TypeError unless it is a tuple."""

    def __call__(self, x, name):
        if not isinstance(x, tuple):
            refuse(TypeError, "CheckTuple", name, "a tuple", x)
        return x
