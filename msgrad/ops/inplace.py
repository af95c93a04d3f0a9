"""Tensor methods that write their result into the Tensor: after ``x.add_(1)``, ``x`` is what ``x.add(1)`` is."""

import numpy as np

from ..engine import dtypes
from .faces import attach

_METHODS = [
    "add", "addmm", "clamp", "div", "erfinv", "exp", "fill", "floor", "floor_divide", "index_add", "index_fill", "log",
    "masked_fill", "mul", "remainder", "scatter", "scatter_add", "sigmoid", "sign", "sub", "tanh",
]  # fmt: skip

_MSG_SHAPE = "For '{}', the result has shape {}, which does not fit the Tensor's, {}. Assign it instead: x = x.{}(...)."
_MSG_DTYPE = "For '{}', the result has dtype {}, which does not fit the Tensor's, {}. Assign it instead: x = x.{}(...)."


def _in_place(name):
    def write(self, *args, **kwargs):
        result = getattr(self, name)(*args, **kwargs)
        (shape, dtype), (given, given_dtype) = self.aval, result.aval
        if given != shape:
            raise ValueError(_MSG_SHAPE.format(write.__name__, given, shape, name))
        if not np.can_cast(given_dtype, dtype, "same_kind"):
            raise RuntimeError(_MSG_DTYPE.format(write.__name__, dtypes.of(given_dtype), dtypes.of(dtype), name))
        self.write(result if given_dtype == dtype else result.astype(self.dtype))
        return self

    write.__name__ = write.__qualname__ = f"{name}_"
    write.__doc__ = f"""`Tensor.{name}` in place, which MindSpore 2.10 does on accelerators only.

    Args:
        args, kwargs: as for `Tensor.{name}`.
    Returns:
        Tensor, this one.
    Raises:
        ValueError: if the result has another shape.  RuntimeError: if its dtype does not convert to the Tensor's.
    Source: mindspore.Tensor.{name}_
    """
    return write


for _name in _METHODS:
    attach(_in_place(_name), f"{_name}_")


def zero_(self):
    """Sets all elements to zero in place.

    Returns:
        Tensor, this one.
    Example:
        >>> Tensor([1, 2]).zero_().tolist()
        [0, 0]
    Source: mindspore.Tensor.zero_
    """
    return self.fill_(0)


attach(zero_, "zero_")
