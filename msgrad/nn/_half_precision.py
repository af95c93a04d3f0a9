"""The rule of half types, for layers that are several operations."""

import functools

from ..engine import dtypes

_HALVES = (dtypes.float16, dtypes.bfloat16)


def in_float32(construct):
    """``construct`` of a layer, for inputs of half types computed in float32; its result has the first input's dtype.

    `msgrad.ops._core.calls.half_precision` does the same for one operation, and says why.
    """

    @functools.wraps(construct)
    def wide(self, first, *others):
        dtype = getattr(first, "dtype", None)
        if dtype not in _HALVES:
            return construct(self, first, *others)
        inputs = [x.astype(dtypes.float32) if getattr(x, "dtype", None) in _HALVES else x for x in (first, *others)]
        return construct(self, *inputs).astype(dtype)

    return wide
