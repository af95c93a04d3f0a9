"""Parts of files as arrays, which JAX takes without a copy."""

import numpy as np

from .messages import DamagedError

_ALIGNED = 64  # bytes, at which JAX takes arrays as they are


def read(file, start, size, by_end=False):
    """The ``size`` bytes of a binary file from ``start`` on, as an array.

    It is aligned for JAX; with ``by_end`` its end is: there a message has its array, mostly of a multiple of 64 bytes.

    Raises:
        DamagedError: if the file ends before.
    """
    buffer = np.empty(size + _ALIGNED, np.uint8)
    offset = -(buffer.ctypes.data + (size if by_end else 0)) % _ALIGNED
    content = buffer[offset : offset + size]
    file.seek(start)
    if file.readinto(content) != size:
        raise DamagedError("it ends within its arrays")
    return content
