"""Operations of MindSpore's compiler on Python values: Primitive objects of ``mindspore.ops``."""

import math
import operator

from ..._contracts.check import refuse
from ..._contracts.signature import parse
from ...engine import dtypes
from ...engine.calls.staging import is_staged
from ...engine.handle import Handle
from ...engine.pytrees import tensors_in
from .._core.faces import FUNCTIONS, register
from .._core.primitive import Primitive


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


def _with_item(items, position, value):
    changed = list(items)
    changed[position] = value
    return type(items)(changed)


def _reduced_shape(shape, axes):
    every = {axis % len(shape) for axis in axes} if axes else range(len(shape))
    return tuple([1 if axis in every else length for axis, length in enumerate(shape)])


def _broadcast_axes(shape, other):
    """The axes over which the gradient of an operand of this shape is summed."""
    rank = max(len(shape), len(other))
    ours, theirs = (1,) * (rank - len(shape)) + tuple(shape), (1,) * (rank - len(other)) + tuple(other)
    return tuple([k for k in range(rank) if ours[k] == 1 and (theirs[k] != 1 or k < rank - len(shape))])


_TYPES = {
    bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float32, str: dtypes.string, type(None): dtypes.type_none,
}  # fmt: skip


def _type_of(value):
    """The dtype of a value; for a Tensor or a sequence its type with its elements' types."""
    if isinstance(value, Handle):
        return dtypes.TensorType(dtypes.of(value.aval[1]))
    if isinstance(value, (tuple, list)):
        return (dtypes.Tuple if isinstance(value, tuple) else dtypes.List)([_type_of(item) for item in value])
    if isinstance(value, dtypes.DType):
        return dtypes.type_type
    if type(value) not in _TYPES:
        if callable(value):
            return dtypes.function
        refuse(
            TypeError, "typeof", "x", "a Tensor, a number, a str, a dtype, a function, None or a tuple of these", value
        )
    return _TYPES[type(value)]


def _has_type(value, dtype):
    return dtypes.is_kind_of(_type_of(value), dtype)


def _is_condition(value):
    if not isinstance(value, Handle):
        refuse(TypeError, "IsTensorBoolCond", "x", "a Tensor", value)
    if value.size != 1:
        refuse(ValueError, "IsTensorBoolCond", "x", "of one element", value)
    return True


def _iterable(value):
    return tuple(value) if isinstance(value, dict) else value


# function (and its signature, if MindSpore has one), Primitive, what it computes
_ROWS = [
    ("array_to_scalar", "array_to_scalar", lambda x: x.item()),
    ("augassign_add", "augassign_add", operator.add),
    ("augassign_div", "augassign_div", operator.truediv),
    ("augassign_floordiv", "augassign_floordiv", operator.floordiv),
    ("augassign_mod", "augassign_mod", operator.mod),
    ("augassign_mul", "augassign_mul", operator.mul),
    ("augassign_sub", "augassign_sub", operator.sub),
    ("bool_and", "bool_and", lambda x, y: x and y),
    ("bool_eq", "bool_eq", operator.eq),
    ("bool_not", "BoolNot", operator.not_),
    ("bool_or", "bool_or", lambda x, y: x or y),
    ("broadcast_gradient_args", "BroadcastGradientArgs", lambda x, y: (_broadcast_axes(x, y), _broadcast_axes(y, x))),
    ("dict_getitem", "dict_getitem", operator.getitem),
    ("dict_setitem", "dict_setitem", lambda items, key, value: {**items, key: value}),
    ("hastype", "hastype", _has_type),
    ("in_dict", "in_dict", lambda key, items: key in items),
    ("is_", "is_", operator.is_),
    ("is_not", "is_not", operator.is_not),
    ("is_sequence_shape_unknown", "IsDimUnKnown", lambda items: False),
    ("is_sequence_value_unknown", "IsShapeUnKnown", lambda items: False),
    ("is_tensor_bool_cond", "IsTensorBoolCond", _is_condition),
    ("isconstant(x)", "IsConstant", lambda x: not (is_staged() and tensors_in(x))),
    ("iter_converter", "iter_converter", _iterable),
    ("list_equal", "list_equal", operator.eq),
    ("list_getitem", "list_getitem", operator.getitem),
    ("list_len", "sequence_len", len),
    ("list_setitem", "list_setitem", _with_item),
    ("make_dict", "make_dict", lambda keys, values: dict(zip(keys, values, strict=True))),
    ("make_list", "make_list", lambda *items: list(items)),
    ("make_range", "make_range", lambda *ends: tuple(range(*ends))),
    ("make_slice", "make_slice", slice),
    ("make_tuple", "MakeTuple", lambda *items: items),
    ("ms_hasnext", "ms_hasnext", lambda items: len(items) > 0),
    ("ms_next", "ms_next", lambda items: (items[0], items[1:])),
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
    ("SliceGetItem", "SliceGetItem", getattr),
    ("string_concat", "string_concat", operator.add),
    ("string_eq", "string_eq", operator.eq),
    ("switch", "Switch", lambda condition, first, second: first if condition else second),
    ("switch_layer", "switch_layer", lambda index, layers: layers[int(index)]),
    ("tail", "tail", lambda items: items[1:]),
    ("tuple_div", "tuple_div", lambda x, y: tuple([a // b for a, b in zip(x, y, strict=True)])),
    ("tuple_equal", "tuple_equal", operator.eq),
    ("tuple_getitem", "TupleGetItem", operator.getitem),
    ("tuple_len", "sequence_len", len),
    ("tuple_reversed", "tuple_reversed", lambda items: items[::-1]),
    ("tuple_setitem", "tuple_setitem", _with_item),
    ("typeof", "typeof", _type_of),
    ("zip_operation", "zip_operation", lambda *items: tuple(zip(*items, strict=False))),
]

for _text, _primitive, _function in _ROWS:
    _name, _signature = parse(_text)
    register(FUNCTIONS, _name, _OfValues(_primitive, _function, _signature))
