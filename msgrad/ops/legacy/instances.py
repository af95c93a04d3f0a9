"""Objects in ``mindspore.ops``: Primitives without attributes (``ops.tensor_add`` is an ``ops.Add()``), HyperMaps."""

import operator

from .._core.faces import FUNCTIONS, PRIMITIVES, register
from ..array import rearrange, reshaping, sequences  # noqa: F401  the Primitives that the rows name
from ..control.composite import HyperMap
from ..math import arithmetic, division, elementwise, logic, reduction  # noqa: F401  the Primitives that the rows name

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


def _one_like(value):
    return type(value)(1) if isinstance(value, (bool, int, float)) else FUNCTIONS["ones_like"](value)


register(FUNCTIONS, "hyper_add", HyperMap(operator.add))
register(FUNCTIONS, "_ones_like_for_grad", HyperMap(_one_like))
