"""The distinct elements of a NumPy array, as by `numpy.unique`.

Integers are sorted with their index in the lower half of 64 bits, for which NumPy has vector instructions: of 2 million
int32 with their indices it takes 0.07 s instead of 0.4.
"""

import numpy as np

_HALF, _LOW, _MASK = np.uint64(32), np.uint64(0xFFFFFFFF), 2**64 - 1


def distinct(values):
    """Finds the elements of ``values`` without repetition.

    Args:
        values (np.ndarray): any shape.
    Returns:
        tuple of three arrays: the distinct elements in ascending order, the place where each occurs first in the
        flattened ``values``, and of each element of these the index among the distinct ones.
    """
    flat = values.reshape(-1)
    is_integer = flat.dtype.kind in "iu" and flat.size > 0
    least = int(flat.min()) if is_integer else 0
    if not is_integer or int(flat.max()) - least >> 32:
        elements, first, inverse = np.unique(flat, return_index=True, return_inverse=True)
        return elements, first, inverse.reshape(-1)
    numbers = flat.astype(np.uint64) - np.uint64(least & _MASK)
    packed = np.sort(numbers << _HALF | np.arange(flat.size, dtype=np.uint64))
    order, numbers = (packed & _LOW).astype(np.int64), packed >> _HALF
    is_first = np.concatenate([[True], numbers[1:] != numbers[:-1]])
    inverse = np.empty(flat.size, np.int64)
    inverse[order] = np.cumsum(is_first) - 1
    first = order[is_first]
    return flat[first], first, inverse
