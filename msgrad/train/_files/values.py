"""Converts Tensors and strings to `Record`s, and back."""

import math

import numpy as np

from ...engine import dtypes
from ...tensor.tensor import Tensor
from .records import DamagedError, Record

_TEXT = "str"
_TEXT_CODE = "utf-32-le"
_BY_NAME = {str(dtype): dtype for dtype in dtypes.all_types if dtype.numpy is not None}


def record(name, value):
    """The Record of a str or a Tensor; it shares the Tensor's memory."""
    if isinstance(value, str):
        return Record(name, (0,), _TEXT, value.encode(_TEXT_CODE) or b"\0\0\0\0")
    values = np.ascontiguousarray(value._values_())
    return Record(name, value.shape, str(value.dtype), memoryview(values.reshape(-1).view(np.uint8)))


def value(record):
    """The str or the Tensor of a Record.

    Raises:
        DamagedError: if the number of bytes does not match the shape and dtype, or the dtype is unknown.
    """
    if record.kind == _TEXT:
        try:
            return str(record.content, _TEXT_CODE).rstrip("\0")
        except UnicodeDecodeError:
            raise DamagedError(f"the text '{record.name}' is not valid UTF-8") from None
    dtype = _BY_NAME.get(record.kind)
    if dtype is None:
        raise DamagedError(f"'{record.name}' has the dtype {record.kind!r}, which msgrad cannot hold")
    dims = () if record.dims == (0,) and len(record.content) else record.dims  # MindSpore 1.x writes 0-d Tensors so
    if math.prod(dims) * dtype.numpy.itemsize != len(record.content):
        raise DamagedError(f"'{record.name}' is of shape {dims} and {record.kind}, but has {len(record.content)} bytes")
    return Tensor(record.content.view(dtype.numpy).reshape(dims))
