"""Primitives that ``mindspore.ops`` has an object of, without attributes: ``ops.tensor_add`` is an ``ops.Add()``."""

from . import (  # noqa: F401  the Primitives that the rows name
    arithmetic,
    array,
    division,
    elementwise,
    logic,
    rearrange,
    reduction,
    sequences,
)
from .faces import FUNCTIONS, PRIMITIVES, register

_ROWS = [
    ("floordiv", "FloorDiv"),
    ("floormod", "FloorMod"),
    ("pows", "Pow"),
    ("reduce_max", "ReduceMax"),
    ("reduce_mean", "ReduceMean"),
    ("reduce_min", "ReduceMin"),
    ("reduce_sum", "ReduceSum"),
    ("shape_", "Shape"),
    ("tensor_add", "Add"),
    ("tensor_div", "RealDiv"),
    ("tensor_exp", "Exp"),
    ("tensor_expm1", "Expm1"),
    ("tensor_floordiv", "FloorDiv"),
    ("tensor_ge", "GreaterEqual"),
    ("tensor_gt", "Greater"),
    ("tensor_le", "LessEqual"),
    ("tensor_lt", "Less"),
    ("tensor_mod", "FloorMod"),
    ("tensor_mul", "Mul"),
    ("tensor_pow", "Pow"),
    ("tensor_range", "Range"),
    ("tensor_slice", "Slice"),
    ("tensor_sub", "Sub"),
]

for _name, _primitive in _ROWS:
    register(FUNCTIONS, _name, PRIMITIVES[_primitive]())
