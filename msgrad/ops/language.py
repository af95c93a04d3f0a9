"""The compiler's own operations, on Python values: each is a Primitive object, as ``mindspore.ops`` has them."""

import math
import operator

from .faces import FUNCTIONS, register
from .primitive import Primitive
from .signature import parse


class _OfValues(Primitive):
    """A Primitive that applies a Python function.

    Args:
        name (str): of the Primitive.
        function (callable): of Python values.
        signature (inspect.Signature | None): of the call.
    """

    def __init__(self, name, function, signature):
        super().__init__(name)
        self._function = function
        if signature is not None:
            self.__signature__ = signature

    def __call__(self, *args):
        return self._function(*args)


def _with_item(items, place, value):
    made = list(items)
    made[place] = value
    return type(items)(made)


def _reduced_shape(shape, axes):
    every = {axis % len(shape) for axis in axes} if axes else range(len(shape))
    return tuple([1 if axis in every else length for axis, length in enumerate(shape)])


def _broadcast_axes(shape, other):
    """The axes over which the gradient of an operand of this shape is summed."""
    rank = max(len(shape), len(other))
    ours, theirs = (1,) * (rank - len(shape)) + tuple(shape), (1,) * (rank - len(other)) + tuple(other)
    return tuple([k for k in range(rank) if ours[k] == 1 and (theirs[k] != 1 or k < rank - len(shape))])


# function (and its signature, where MindSpore tells one), Primitive, what it computes
_ROWS = [
    ("bool_and", "bool_and", lambda x, y: x and y),
    ("bool_eq", "bool_eq", operator.eq),
    ("bool_not", "BoolNot", operator.not_),
    ("bool_or", "bool_or", lambda x, y: x or y),
    ("broadcast_gradient_args", "BroadcastGradientArgs", lambda x, y: (_broadcast_axes(x, y), _broadcast_axes(y, x))),
    ("dict_getitem", "dict_getitem", operator.getitem),
    ("dict_setitem", "dict_setitem", lambda items, key, value: {**items, key: value}),
    ("in_dict", "in_dict", lambda key, items: key in items),
    ("is_", "is_", operator.is_),
    ("is_not", "is_not", operator.is_not),
    ("list_equal", "list_equal", operator.eq),
    ("list_getitem", "list_getitem", operator.getitem),
    ("list_len", "sequence_len", len),
    ("list_setitem", "list_setitem", _with_item),
    ("make_dict", "make_dict", lambda keys, values: dict(zip(keys, values, strict=True))),
    ("make_list", "make_list", lambda *items: list(items)),
    ("make_range", "make_range", lambda *ends: tuple(range(*ends))),
    ("make_slice", "make_slice", slice),
    ("make_tuple", "MakeTuple", lambda *items: items),
    ("not_in_dict", "not_in_dict", lambda key, items: key not in items),
    ("reduced_shape", "reduced_shape", _reduced_shape),
    ("scalar_add(x, y)", "ScalarAdd", operator.add),
    ("scalar_div(x, y)", "ScalarDiv", operator.truediv),
    ("scalar_eq(x, y)", "ScalarEq", operator.eq),
    ("scalar_floordiv(x, y)", "ScalarFloorDiv", operator.floordiv),
    ("scalar_ge(x, y)", "ScalarGe", operator.ge),
    ("scalar_gt(x, y)", "ScalarGt", operator.gt),
    ("scalar_le(x, y)", "ScalarLe", operator.le),
    ("scalar_log(x)", "ScalarLog", math.log),
    ("scalar_lt(x, y)", "ScalarLt", operator.lt),
    ("scalar_max(x, y)", "ScalarMax", max),
    ("scalar_min(x, y)", "ScalarMin", min),
    ("scalar_mod(x, y)", "ScalarMod", operator.mod),
    ("scalar_mul(x, y)", "ScalarMul", operator.mul),
    ("scalar_ne(x, y)", "scalar_ne", operator.ne),
    ("scalar_pow(x, y)", "ScalarPow", operator.pow),
    ("scalar_sub(x, y)", "ScalarSub", operator.sub),
    ("scalar_uadd(x)", "ScalarUadd", operator.pos),
    ("scalar_usub(x)", "ScalarUsub", operator.neg),
    ("shape_mul(input_data)", "shape_mul", math.prod),
    ("string_concat", "string_concat", operator.add),
    ("string_eq", "string_eq", operator.eq),
    ("switch", "Switch", lambda condition, first, second: first if condition else second),
    ("tuple_div", "tuple_div", lambda x, y: tuple([a // b for a, b in zip(x, y, strict=True)])),
    ("tuple_equal", "tuple_equal", operator.eq),
    ("tuple_getitem", "TupleGetItem", operator.getitem),
    ("tuple_len", "sequence_len", len),
    ("tuple_reversed", "tuple_reversed", lambda items: items[::-1]),
    ("tuple_setitem", "tuple_setitem", _with_item),
]

for _text, _primitive, _function in _ROWS:
    _name, _signature = parse(_text)
    register(FUNCTIONS, _name, _OfValues(_primitive, _function, _signature))
