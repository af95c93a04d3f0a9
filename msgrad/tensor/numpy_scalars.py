"""NumPy's numbers beside the values of Tensors: promoted as by NumPy 1, on which MindSpore runs."""

import numpy as np

_KINDS = ("b", "iu", "fc")  # from the lowest


def weakened(operands):
    """The operands of a NumPy function, its numbers cast to the dtype to which NumPy 1 promotes them with an array.

    There a number of no higher kind than the arrays counts by its value: ``np.float64(0.5)`` times a float32 array is
    float32, but ``np.float64(1e300)`` times it is float64. Arrays without axes are numbers beside others. Numbers of a
    higher kind count by their dtype.

    Args:
        operands (list): of arrays and numbers.
    Returns:
        list.
    Example:
        >>> [each.dtype.name for each in weakened([np.float64(0.5), np.float32([1, 2])])]
        ['float32', 'float32']
    """
    are_numbers = [isinstance(each, np.generic) or isinstance(each, np.ndarray) and not each.ndim for each in operands]
    dtypes = [each.dtype for each in operands if isinstance(each, np.ndarray) and each.ndim]
    if not dtypes or not any(are_numbers):
        return operands
    common = np.result_type(*dtypes)
    pairs = zip(operands, are_numbers, strict=True)
    return [_weak(each, common) if is_number else each for each, is_number in pairs]


def _weak(number, common):
    kind, most = _kind(number.dtype), _kind(common)
    if kind is None or most is None or kind > most:
        return number
    if number.dtype.kind in "iu" and common.kind in "iu":
        of_kind = [np.dtype(f"{common.kind}{size}") for size in (common.itemsize, 2, 4, 8) if size >= common.itemsize]
        fitting = [each for each in of_kind if np.iinfo(each).min <= number <= np.iinfo(each).max]
        if fitting:
            return number.astype(fitting[0])
    return number.astype(common if common.kind == "b" else np.promote_types(common, np.min_scalar_type(number)))


def _kind(dtype):
    return next((rank for rank, kinds in enumerate(_KINDS) if dtype.kind in kinds), None)
