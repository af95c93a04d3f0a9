"""Ascend's overflow register, which programs of MindSpore 1.x read after computing gradients.

There is no such register here. Instead the values themselves are checked: those computed by the current call since the
register was cleared that are still referred to, mainly gradients and losses.
"""

import weakref

from ..._contracts.contracts import Array
from ...engine.handle import scope
from ...engine.recording.trace import recorded_count, recorded_since
from ...tensor.tensor import Tensor
from .._core.define import composite
from ..array.creation import zeros
from . import overflow

_LENGTH = 8
_MSG_OUTSIDE = (
    "For '{}', there is no float status outside of a call: use it in the construct of a Cell, or test the gradients "
    "themselves, ops.isfinite(gradient).all()."
)
_cleared = weakref.WeakKeyDictionary()  # the length of each recording when the register was last cleared


def _status(owner):
    """Whether a value computed since the register was cleared is not finite: a 0-d bool."""
    if scope.trace is None:
        raise RuntimeError(_MSG_OUTSIDE.format(owner))
    values = recorded_since(_cleared.get(scope.trace, 0))
    floats = [value for value in values if value.is_floating_point()]
    return ~overflow.are_finite(floats) if floats else Tensor(False)


def _clear():
    if scope.trace is not None:
        _cleared[scope.trace] = recorded_count()


@composite("NPUAllocFloatStatus", name="_alloc_float_status")
def _alloc_float_status():
    """A Tensor for the state of the overflow register.

    Returns:
        Tensor of 8 zeros, float32.
    Example:
        >>> ops.NPUAllocFloatStatus()().shape
        (8,)
    Source: mindspore.ops.NPUAllocFloatStatus
    """
    return zeros((_LENGTH,))


@composite("NPUClearFloatStatus", name="_clear_float_status")
def _clear_float_status(x: Array):
    """Clears the overflow register: `NPUGetFloatStatus` sees results computed from here on.

    Args:
        x (Tensor): 8 float32, which becomes 0.
    Returns:
        Tensor of 8 zeros.
    Example:
        >>> ops.NPUClearFloatStatus()(ops.NPUAllocFloatStatus()()).tolist()
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    Source: mindspore.ops.NPUClearFloatStatus
    """
    _clear()
    x._write_(zeros(x.shape, x.dtype))
    return zeros(x.shape, x.dtype)


@composite("NPUGetFloatStatus", name="_get_float_status")
def _get_float_status(x: Array):
    """Writes to a Tensor whether a result since the last clearing, still in memory, has an overflow.

    Args:
        x (Tensor): 8 float32; the first becomes 1 or 0.
    Returns:
        Tensor of 8 zeros.
    Raises:
        RuntimeError: outside of a call of a Cell.
    Example:
        >>> class Net(nn.Cell):
        ...     def construct(self, x):
        ...         status = ops.NPUAllocFloatStatus()()
        ...         ops.NPUClearFloatStatus()(status)
        ...         y = 1 / x
        ...         ops.NPUGetFloatStatus()(status)
        ...         return status.sum()
        >>> Net()(Tensor([0.0])).item()
        1.0
    Source: mindspore.ops.NPUGetFloatStatus
    """
    x._write_(_row(_status("NPUGetFloatStatus"), x))
    return zeros(x.shape, x.dtype)


@composite("NPUGetFloatStatusV2", name="_get_float_status_v2")
def _get_float_status_v2(x: Array):
    """As `NPUGetFloatStatus`, but returns the answer.

    Args:
        x (Tensor): 8 int32.
    Returns:
        Tensor of 8 int32, the first 1 or 0.
    Raises:
        RuntimeError: outside of a call of a Cell.
    Example:
        >>> class Net(nn.Cell):
        ...     def construct(self, x):
        ...         none = ops.NPUClearFloatStatusV2()(ops.zeros(8, mindspore.int32))
        ...         y = 1 / x
        ...         return ops.NPUGetFloatStatusV2()(none).sum()
        >>> Net()(Tensor([0.0])).item()
        1
    Source: mindspore.ops.operations.math_ops.NPUGetFloatStatusV2
    """
    return _row(_status("NPUGetFloatStatusV2"), x)


@composite("NPUClearFloatStatusV2", name="_clear_float_status_v2")
def _clear_float_status_v2(x: Array):
    """Clears the overflow register.

    Args:
        x (Tensor): 8 int32.
    Returns:
        Tensor of 8 zeros.
    Example:
        >>> ops.NPUClearFloatStatusV2()(ops.ones(8, mindspore.int32)).tolist()
        [0, 0, 0, 0, 0, 0, 0, 0]
    Source: mindspore.ops.operations.math_ops.NPUClearFloatStatusV2
    """
    _clear()
    return zeros(x.shape, x.dtype)


def _row(status, x):
    return overflow.first_of(status, x)
