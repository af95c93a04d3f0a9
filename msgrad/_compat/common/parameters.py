"""``mindspore.common.parameter``: its private names."""

import itertools
import numbers

from ...engine.refusal import refuse, require
from ...parallel._utils import _is_in_auto_parallel_mode, _is_parallel_mode  # noqa: F401
from ...tensor.parameter import GENERATED_PREFIX, is_generated_name
from ...tensor.tensor import Tensor

PARAMETER_NAME_DEFAULT = "Parameter"
PARAMETER_NAME_PREFIX_MAX_LEN = 1024
_GENERATED_PARAMETER_NAME_PREFIX = GENERATED_PREFIX
_is_parameter_generated = is_generated_name
_keys = itertools.count()


def _get_unique_parameter_key():
    """A new int at each call."""
    return next(_keys)


def init_to_value(init):
    """The number of ``"zeros"``, ``"ones"`` or a number, as a float.

    Raises:
        ValueError: if it is anything else.
    """
    if isinstance(init, numbers.Number):
        return float(init)
    if init not in ("zeros", "ones"):
        refuse(ValueError, "init_to_value", "init", "a number, 'zeros' or 'ones'", init)
    return float(init == "ones")


class _BufferMeta(type(Tensor)):
    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)


class _Buffer(Tensor, metaclass=_BufferMeta):
    """A Tensor that becomes a buffer of the Cell to which it is assigned: state, but not a Parameter.

    Args:
        data (Tensor): its value.
        persistent (bool): kept as an attribute; as in MindSpore, ``state_dict`` has it either way. Default: ``True``.
    Raises:
        ValueError: if ``data`` is None.  TypeError: if it is not a Tensor.
    """

    def __new__(cls, data, *, persistent=True):
        if data is None:
            refuse(ValueError, "Buffer", "data", "a Tensor", data)
        buffer = require(data, Tensor, "Buffer", "data").copy()
        buffer._is_buffer, buffer.persistent = True, persistent
        return buffer
