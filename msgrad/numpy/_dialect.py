"""The dialect of ``mindspore.numpy``: its table, and its contracts for Tensors, dtypes and shapes."""

import functools
import inspect
from typing import Any

import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.doc import replaced
from .._contracts.kinds import Made, Static, concrete
from .._contracts.signature import bare, function, signature
from ..engine import dtypes
from ..engine.handle import Handle
from ..ops._core.calls.operands import exact
from ..ops._core.define import composite, op
from ..ops._core.faces import Dialect
from ..ops.array.casting import named_dtype
from ..tensor.arrays import taken
from ..tensor.numbers import constant, number, plain

_OF_PYTHON = {bool: np.dtype(np.bool_), int: np.dtype(np.int32), float: np.dtype(np.float32)}
_NARROW = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.int64): np.dtype(np.int32)}
_NAMED = {"int": dtypes.int32, "uint": dtypes.uint32, "float": dtypes.float32, int: dtypes.int32, float: dtypes.float32}
_EXPECTED = "a Tensor, a number, or a list or tuple of them"


def to_tensor(value, arg_name, owner, is_exact=False) -> Any:
    """``value`` as a Tensor; numbers, alone or in lists, become int32 and float32.

    Args:
        is_exact (bool): whether they stay in 64 bits instead, as those that are cast to a given dtype. Default: False.
    Raises:
        TypeError: if it is not a Tensor, number, list or tuple.  ValueError: if the lists have different lengths.
    """
    value = taken(value)
    if isinstance(value, Handle):
        return value
    if is_exact and isinstance(value, tuple(_OF_PYTHON)):
        return exact(value, owner)
    for kind, dtype in _OF_PYTHON.items():
        if isinstance(value, kind):
            return number(plain(value), dtype)
    if not isinstance(value, (tuple, list)):
        return check.refuse(TypeError, owner, arg_name, _EXPECTED, value)
    if any(isinstance(each, Handle) for each in _leaves(value)):
        stacked = promoted([to_tensor(each, arg_name, owner) for each in value])
        return ops.cast(ops.stack(stacked), dtypes.of(_narrow(stacked[0].aval[1])))
    try:
        array = np.asarray(value)
    except ValueError:
        return check.refuse(ValueError, owner, arg_name, "made of lists of equal length", value)
    if array.dtype.kind in "OSU":
        return check.refuse(ValueError if array.dtype.kind == "O" else TypeError, owner, arg_name, _EXPECTED, value)
    return constant(array if is_exact else array.astype(_narrow(array.dtype)))


def _narrow(dtype):
    return _NARROW.get(dtype, dtype)


def _leaves(value):
    if not isinstance(value, (tuple, list)):
        return [value]
    return [leaf for each in value for leaf in _leaves(each)]


def promote(*dtypes):
    """The common numpy dtype of operands in ``mindspore.numpy``.

    As NumPy's, but an int of any width goes with float16 and float32 as it is, and uint16 with float64 gives float32.

    Raises:
        TypeError: for different dtypes one of which is complex.
    """
    return functools.reduce(_pair, map(np.dtype, dtypes))


def _pair(left, right):
    if left == right:
        return left
    if "c" in (left.kind, right.kind):
        check.refuse(TypeError, "promote_types", "type1", "of the dtype of 'type2', as complex dtypes must be", left)
    floats = [dtype for dtype in (left, right) if dtype.kind not in "biu"]
    if len(floats) == 1:
        return np.dtype(np.float32) if {left.name, right.name} == {"uint16", "float64"} else floats[0]
    return np.promote_types(left, right)


def promoted(tensors):
    """``tensors`` in their common dtype."""
    dtype = dtypes.of(promote(*[each.aval[1] for each in tensors]))
    return [each.astype(dtype) for each in tensors]


def _dtype(value, arg_name, owner):
    dtype = (_NAMED.get(value) or named_dtype(value)) if isinstance(value, (str, type, dtypes.DType)) else None
    if dtype is None:
        check.refuse(TypeError, owner, arg_name, "a mindspore dtype, the name of one, or a type of numbers", value)
    return dtype


def _ints(value, arg_name, owner):
    return check.ints(concrete(value), arg_name, owner)


def _shape(value, arg_name, owner):
    shape = _ints(value, arg_name, owner)
    if min(shape, default=0) < 0:
        check.refuse(ValueError, owner, arg_name, "made of non-negative lengths", value)
    return shape


Like = Made(to_tensor, *_OF_PYTHON, tuple, list)
AnyDtype = Static(_dtype, dtypes.DType, str, type)
Shape = Static(_shape, int, tuple, list, Handle)
NewShape = Static(_ints, int, tuple, list, Handle)  # with a -1 for what remains

NAMES = {"Like": Like, "AnyDtype": AnyDtype, "Shape": Shape, "NewShape": NewShape}
NUMPY = Dialect("mindspore.numpy", NAMES)
face = NUMPY.face
op = functools.partial(op, dialect=NUMPY)
composite = functools.partial(composite, dialect=NUMPY)

_CAST = signature("(*, dtype=None)").parameters["dtype"]
_CAST_DOC = "    dtype (mindspore.dtype): that the result is cast to. Default: ``None``, its own.\nReturns:"


def typed(target, within=None):
    """An elementwise operation of ``mindspore.numpy``: it accepts anything convertible to Tensors, and a result dtype.

    Args:
        target (function): of Tensors.
        within (callable): the numpy dtype that an operand of one is cast to first. Default: ``None``, its own.
    Returns:
        function, which takes the arguments of the target and ``dtype``.
    """

    def taken(value, arg_name):
        value = to_tensor(value, arg_name, target.__name__)
        return value if within is None else value.astype(dtypes.of(within(value.aval[1])))

    operands = list(bare(inspect.signature(target)).parameters.values())
    call = f"_cast(_target({', '.join(f'_taken({each.name}, {each.name!r})' for each in operands)}), dtype)"
    scope = {"_target": target, "_taken": taken, "_cast": as_dtype}
    sig = inspect.Signature([*operands, _CAST])
    wrapper = function(target.__name__, sig, call, scope)
    wrapper.__signature__ = sig
    wrapper.__doc__ = replaced(target.__doc__, "Returns:", _CAST_DOC)
    wrapper.__module__ = target.__module__
    wrapper.kinds = dict.fromkeys([each.name for each in operands], Like)
    return wrapper


def as_dtype(result, dtype):
    """``result`` cast to a dtype; None keeps its dtype."""
    return result if dtype is None else ops.cast(result, dtype)
