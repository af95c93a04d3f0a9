"""``MapParameter``, which is not supported."""

import sys

from ..ops.legacy.left_out import leave_out

_LEFT_OUT = [
    (
        "MapParameter(key_dtype=None, value_dtype=None, value_shape=None, key_tensor=None, value_tensor=None, "
        "default_value='normal', permit_filter_value=1, evict_filter_value=9223372036854775807, **kwargs)",
        (
            "it is a table that grows in a parameter server",
            "Keep a Parameter of all rows, and read them with ops.gather.",
        ),
    )
]

__all__ = leave_out(sys.modules[__name__], "experimental.map_parameter", _LEFT_OUT)
