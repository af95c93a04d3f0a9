"""``mindspore.common.np_dtype``: NumPy's scalar type of bfloat16."""

from ml_dtypes import bfloat16  # noqa: F401
