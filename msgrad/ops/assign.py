"""In-place operations on Parameters: ``assign``, ``assign_add``, ``assign_sub``."""

import numpy as np

from ..engine import dtypes
from ..engine.handle import Handle, scope
from ..tensor import promotion
from ..tensor.tensor import Tensor
from .define import composite
from .faces import FUNCTIONS

_MSG_CALL = (
    'Failed calling {0} with "{0}()(variable={1}, value={2})". The variable must be a Parameter or Tensor, the value a '
    "Tensor or a number."
)


def _checked(variable, value, name):
    """``value`` as a Tensor that fits ``variable``: of its shape, and of a dtype that casts to its own."""
    if not isinstance(variable, Handle) or not isinstance(value, (Handle, bool, int, float, complex, np.number)):
        raise TypeError(_MSG_CALL.format(name, type(variable).__name__, type(value).__name__))
    if not isinstance(value, Handle):
        value = Tensor(value, variable.dtype)
    (shape, dtype), (given, given_dtype) = variable.aval, value.aval
    if len(shape) != len(given):
        raise ValueError(
            f"For '{name}','value' must have the same rank as 'variable'. But got 'value' rank: {len(given)}, "
            f"'variable' rank: {len(shape)}."
        )
    if shape != given:
        raise ValueError(
            f"For '{name}','value' must have the same shape as 'variable'. But got 'value' shape: {_shown(given)}, "
            f"'variable' shape: {_shown(shape)}."
        )
    if dtype == given_dtype:
        return value
    if promotion.result_dtype("add", dtype, given_dtype) != dtype:
        raise TypeError(
            f"For '{name}', data type of 'value' must convert to that of 'variable', {dtypes.of(dtype)}, "
            f"but got {dtypes.of(given_dtype)}. Cast it first: value.astype(variable.dtype)."
        )
    return value.astype(variable.dtype)


def _shown(shape):
    return f"({', '.join(map(str, shape))})"


@composite("Assign")
def assign(variable, value):
    """Gives ``variable`` a new value in place. No gradient flows from a Parameter to what was assigned.

    Args:
        variable (Parameter | Tensor): what to write to.
        value (Tensor): of its shape, and a dtype that converts to its dtype without loss of kind.
    Returns:
        Tensor, the new value.
    Raises:
        ValueError: if shapes differ.  TypeError: if the dtype would narrow.
    Example:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> ops.assign(p, Tensor([2.0])).tolist()
        [2.0]
    Source: mindspore.ops.assign, mindspore.ops.Assign
    """
    value = _checked(variable, value, "Assign")
    variable.write(value)
    return Tensor._wrap(variable.state())


@composite("AssignAdd")
def assign_add(variable, value):
    """Adds ``value`` to ``variable`` in place. Gradients flow through the result, as through that of ``add``.

    Args:
        variable (Parameter | Tensor): what to write to.
        value (Tensor | Number): of its shape; a number is taken in its dtype.
    Returns:
        Tensor, the new value; outside recordings it shares it with ``variable``.
    Raises:
        ValueError: if shapes differ.  TypeError: if the dtype would narrow.
    Example:
        >>> ops.assign_add(Parameter(Tensor([1.0]), name="p"), Tensor([2.0])).tolist()
        [3.0]
    Source: mindspore.ops.assign_add, mindspore.ops.AssignAdd
    """
    total = FUNCTIONS["add"](variable, _checked(variable, value, "AssignAdd"))
    variable.write(total)
    return Tensor(variable) if scope.trace is None else total


@composite("AssignSub")
def assign_sub(variable, value):
    """Subtracts ``value`` from ``variable`` in place. Gradients flow through the result, as through that of ``sub``.

    Args:
        variable (Parameter | Tensor): what to write to.
        value (Tensor | Number): of its shape; a number is taken in its dtype.
    Returns:
        Tensor, the new value.
    Raises:
        ValueError: if shapes differ.  TypeError: if the dtype would narrow.
    Example:
        >>> ops.assign_sub(Parameter(Tensor([1.0]), name="p"), Tensor([2.0])).tolist()
        [-1.0]
    Source: mindspore.ops.assign_sub, mindspore.ops.AssignSub
    """
    difference = FUNCTIONS["sub"](variable, _checked(variable, value, "AssignSub"))
    variable.write(difference)
    return difference
