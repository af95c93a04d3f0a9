"""`frombuffer`: a Tensor over another object's buffer."""

import numpy as np

from ..dtype import DType
from .tensor import Tensor

_MSG = "For 'frombuffer', the '{}' must be {}, but got {}."


def frombuffer(buffer, dtype, count=-1, offset=0):
    """A 1-d Tensor that shares the memory of ``buffer``: writes to either are visible in the other.

    Args:
        buffer (object): contiguous, with Python's buffer protocol (bytes, bytearray, memoryview, array, NumPy's).
            Read-only buffers and bools are copied.
        dtype (mindspore.dtype): of the elements.
        count (int): the number of elements. Default: ``-1``, all.
        offset (int): bytes before the first one. Default: ``0``.
    Returns:
        Tensor of shape ``(count,)``.
    Raises:
        RuntimeError: for other values, and if the buffer is too small.  TypeError: if a number is not an int.
    Example:
        >>> mindspore.frombuffer(bytearray([1, 0, 2, 0]), mindspore.int16).tolist()
        [1, 2]
    Source: mindspore.frombuffer
    """
    for name, value in (("count", count), ("offset", offset)):
        if not isinstance(value, int):
            raise TypeError(_MSG.format(name, "an int", repr(value)))
    if not isinstance(dtype, DType) or dtype.numpy is None:
        raise RuntimeError(_MSG.format("dtype", "a mindspore dtype of numbers, such as mindspore.float32", repr(dtype)))
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise RuntimeError(_MSG.format("buffer", "an object with a buffer", type(buffer).__name__)) from None
    size = dtype.numpy.itemsize
    left = memory.nbytes - offset
    if not memory.c_contiguous:
        raise RuntimeError(_MSG.format("buffer", "contiguous", f"strides {memory.strides}"))
    if not 0 <= offset < memory.nbytes:
        raise RuntimeError(_MSG.format("offset", f"from 0 to less than the {memory.nbytes} bytes", offset))
    if count != -1 and count < 1:
        raise RuntimeError(_MSG.format("count", "positive, or -1", count))
    if (count == -1 and left % size) or count * size > left:
        expected = f"of {count} elements" if count > 0 else "of whole elements"
        raise RuntimeError(_MSG.format("buffer", f"{expected} of {size} bytes after the offset", f"{left} bytes"))
    is_bool = dtype.numpy == np.bool_
    values = np.frombuffer(memory, np.uint8 if is_bool else dtype.numpy, count, offset)
    tensor = Tensor.from_numpy(values != 0 if is_bool else values)
    tensor._shows_memory_ = False
    return tensor
