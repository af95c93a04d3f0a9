"""Contracts of the parameters and dtypes of distributions and bijectors, and their common dtype."""

import numpy as np

from ..._contracts.kinds import Kind, Static
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...tensor.host_values import host_values
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor


class Given(Kind):
    """The contract of a parameter: a number, a list, an array or a Tensor.

    Values are checked if reading them needs no computation; a Tensor in an open recording is not checked.

    Args:
        words (str): describes the accepted values. Default: ``"a number, list, array or Tensor"``.
        holds (callable): ``holds(array)`` returns whether a numpy array is accepted. Default: always.
        refused (tuple of type): Python number types that are refused. Default: none.
    Example:
        >>> Given("greater than 0", lambda values: values > 0).take(0.5, "sd", "Normal")
        0.5
    """

    def __init__(self, words="a number, list, array or Tensor", holds=None, refused=()):
        self.words, self.holds, self.refused = words, holds, refused
        self.types = (int, float, list, np.ndarray, Tensor)

    def take(self, value, arg_name, owner):
        if isinstance(value, (bool, *self.refused)) or not isinstance(value, self.types):
            numbers = "" if self.refused else "a number, "
            refuse(TypeError, owner, arg_name, f"{numbers}a list, an array or a Tensor", value)
        values = known_values(value)
        if self.holds is not None and values is not None and not np.all(self.holds(values)):
            refuse(ValueError, owner, arg_name, self.words, value)
        return value


def known_values(value):
    """The values of a parameter as a numpy array; None if reading them would need a computation."""
    return host_values(value) if isinstance(value, Tensor) else np.asarray(value)


def _is_positive(values):
    return values > 0


def _is_share(values):
    return (values > 0) & (values < 1)


def _is_division(values):
    """Whether the last axis is positive and sums to 1."""
    if values.ndim == 0:
        return False
    kind = values.dtype if values.dtype.kind == "f" else np.dtype(np.float64)
    sums = values.sum(-1, dtype=kind)
    eps = np.finfo(kind).eps
    return _is_share(values).all() and np.allclose(sums, np.ones_like(sums), rtol=10 * eps, atol=eps)


Anything = Given()
Positive = Given("greater than 0", _is_positive)
NonNegative = Given("0 or greater", lambda values: values >= 0)
Probability = Given("greater than 0 and less than 1", _is_share)
Probabilities = Given("greater than 0, of a last axis that sums to 1", _is_division)
PositiveNotFloat = Given("greater than 0", _is_positive, refused=(float,))
PositiveArray = Given("greater than 0", _is_positive, refused=(int, float))


def _type_among(names, words):
    def rule(value, arg_name, owner):
        if value not in names:
            refuse(TypeError, owner, arg_name, words, value)
        return value

    return Static(rule, dtypes.DType)


FloatType = _type_among(dtypes.float_type, "a float dtype")
NumberType = _type_among((*dtypes.int_type, *dtypes.uint_type, *dtypes.float_type), "an int or a float dtype")


def dtype_of(value):
    """The MindSpore dtype of a Tensor or an array; None for other values."""
    if isinstance(value, np.ndarray):
        return dtypes.of(value.dtype)
    return value.dtype if isinstance(value, Tensor) else None


def common_dtype(parameters, hint, owner):
    """The common dtype of a distribution's parameters.

    Args:
        parameters (dict): by name.
        hint (mindspore.dtype | None): the dtype for numbers and lists.
        owner (str): the name in errors.
    Returns:
        mindspore.dtype, a float one: that of the arrays, float32 for ints and float64.
    Raises:
        TypeError: if arrays have different dtypes.
    """
    dtype = None
    for name, value in parameters.items():
        own = dtype_of(value)
        if own not in (None, dtype) and dtype is not None:
            refuse(TypeError, owner, name, f"of the dtype of the other parameters, {dtype}", value)
        dtype = dtype or own
    if dtype is not None:
        return dtype if dtype in dtypes.float_type and dtype is not dtypes.float64 else dtypes.float32
    return hint if hint in dtypes.float_type else dtypes.float32


def tensor_of(value, dtype):
    """``value`` as a Tensor of ``dtype``; a Parameter or None is returned unchanged."""
    if value is None or isinstance(value, Parameter):
        return value
    return value.astype(dtype) if isinstance(value, Tensor) else Tensor(value, dtype)


def batch_shape(parameters, owner):
    """The shape to which parameters (a dict) broadcast; None if one is passed to calls.

    Raises:
        ValueError: if they do not, in the name of ``owner``.
    """
    if any(value is None for value in parameters.values()):
        return None
    shape = ()
    for name, value in parameters.items():
        try:
            shape = np.broadcast_shapes(shape, np.shape(value))
        except ValueError:
            refuse(ValueError, owner, name, f"of a shape that broadcasts with the others', {shape}", value)
    return shape


def are_numbers(parameters):
    """Whether all parameters are Python numbers, or passed to calls."""
    return all(isinstance(value, (int, float, type(None))) for value in parameters.values())


def parameter(name):
    """Makes a property that returns the parameter ``name``."""
    return property(lambda self: getattr(self, f"_{name}"), doc=f"The parameter ``{name}``.")


def require_tensor(value, name, owner):
    """``value``, a Tensor; TypeError if it is something else."""
    return require(value, Tensor, owner, name, "" if value is None else "Make it one: Tensor(...).")
