"""The rule of half types, for layers that are several operations."""

import functools

from ..engine import dtypes

_HALVES = (dtypes.float16, dtypes.bfloat16)


def in_float32(construct):
    """``construct`` of a layer, for inputs of half types computed in float32.

    Its result has the dtype to which its inputs are promoted: a half type beside float32 gives float32.
    `msgrad.ops._core.calls.half_precision` does the same for one operation, and says why.
    """

    @functools.wraps(construct)
    def wide(self, *inputs):
        given = {getattr(x, "dtype", None) for x in inputs}
        halves = given.intersection(_HALVES)
        if not halves:
            return construct(self, *inputs)
        result = construct(
            self, *[x.astype(dtypes.float32) if getattr(x, "dtype", None) in halves else x for x in inputs]
        )
        is_narrow = len(halves) == 1 and given.isdisjoint((dtypes.float32, dtypes.float64))
        return result.astype(halves.pop()) if is_narrow else result

    return wide
