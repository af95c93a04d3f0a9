"""In-place operations on Parameters: ``assign``, ``assign_add``, ``assign_sub``."""

from ..._contracts import check
from ..._contracts.contracts import Array, Operand
from ...engine import dtypes
from ...engine.handle import Handle, scope
from ...tensor import promotion
from ...tensor.tensor import Tensor
from .._core.define import composite
from .._core.faces import FUNCTIONS

_ONE_NUMBER = {(), (1,)}


def _checked(variable, value, name, takes_numbers=False):
    """``value`` as a Tensor of the shape of ``variable``, with a dtype that can be cast to its dtype.

    With ``takes_numbers`` the shapes ``()`` and ``(1,)`` are the same.
    """
    shape, dtype = variable.aval
    if not isinstance(value, Handle):
        value_shape, common = (), promotion.beside_number(type(value), dtype)
    elif value.aval == variable.aval:
        return value
    else:
        value_shape, value_dtype = value.aval
        common = promotion.result_dtype("add", dtype, value_dtype)
    if shape != value_shape and not (takes_numbers and {shape, value_shape} == _ONE_NUMBER):
        check.refuse(ValueError, name, "value", f"of the shape of 'variable', {shape}", value)
    if common != dtype:
        expected = f"of a dtype that converts to that of 'variable', {dtypes.of(dtype)}"
        check.refuse(TypeError, name, "value", expected, value, "Cast it first: value.astype(variable.dtype).")
    value = value.astype(variable.dtype) if isinstance(value, Handle) else Tensor(value, variable.dtype)
    return value if shape == value_shape else value.reshape(shape)


@composite("Assign")
def assign(variable: Array, value: Operand):
    """Assigns a value to ``variable`` in place. No gradient flows from a Parameter to the assigned value.

    Args:
        variable (Parameter | Tensor): the Tensor to write to.
        value (Tensor): of the same shape, and a dtype that is not of a higher kind (float to int is refused).
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
    variable = variable._original_()
    value = _checked(variable, value, "Assign")
    variable._write_(value)
    return Tensor._wrap(variable._state_())


@composite("AssignAdd")
def assign_add(variable: Array, value: Operand):
    """Adds ``value`` to ``variable`` in place. Gradients flow through the result, as through that of ``add``.

    Args:
        variable (Parameter | Tensor): what to write to.
        value (Tensor | Number): of its shape, where ``()`` and ``(1,)`` are the same; a number is taken in its dtype.
    Returns:
        Tensor, the new value; outside recordings it shares it with ``variable``.
    Raises:
        ValueError: if shapes differ.  TypeError: if the dtype would narrow.
    Example:
        >>> ops.assign_add(Parameter(Tensor([1.0]), name="p"), Tensor([2.0])).tolist()
        [3.0]
    Source: mindspore.ops.assign_add, mindspore.ops.AssignAdd
    """
    variable = variable._original_()
    total = FUNCTIONS["add"](variable, _checked(variable, value, "AssignAdd", takes_numbers=True))
    variable._write_(total)
    return Tensor(variable) if scope.trace is None else total


@composite("AssignSub")
def assign_sub(variable: Array, value: Operand):
    """Subtracts ``value`` from ``variable`` in place. Gradients flow through the result, as through that of ``sub``.

    Args:
        variable (Parameter | Tensor): what to write to.
        value (Tensor | Number): of its shape, where ``()`` and ``(1,)`` are the same; a number is taken in its dtype.
    Returns:
        Tensor, the new value.
    Raises:
        ValueError: if shapes differ.  TypeError: if the dtype would narrow.
    Example:
        >>> ops.assign_sub(Parameter(Tensor([1.0]), name="p"), Tensor([2.0])).tolist()
        [-1.0]
    Source: mindspore.ops.assign_sub, mindspore.ops.AssignSub
    """
    variable = variable._original_()
    difference = FUNCTIONS["sub"](variable, _checked(variable, value, "AssignSub", takes_numbers=True))
    variable._write_(difference)
    return difference


@composite("CopyWithSlice()(x, y)", name="_copy_with_slice")
def _copy_with_slice(x: Array, y: Array):
    """Copies ``y`` into ``x``, which may be a view.

    Args:
        x (Parameter | Tensor): what to write to.
        y (Tensor): of its shape and dtype.
    Returns:
        Tensor, ``x``.
    Raises:
        ValueError: if shapes differ.  RuntimeError: if dtypes do.
    Example:
        >>> ops.CopyWithSlice()(Tensor([1.0]), Tensor([2.0])).tolist()
        [2.0]
    Source: mindspore.ops.CopyWithSlice
    """
    if x.aval[1] != y.aval[1]:
        check.refuse(RuntimeError, "CopyWithSlice", "y", f"of the dtype of 'x', {x.dtype}", y)
    x._write_(_checked(x, y, "CopyWithSlice"))
    return x
