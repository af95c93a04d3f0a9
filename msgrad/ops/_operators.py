"""Python's operators on Tensors: each calls the operation of a row; numbers and lists are accepted as operands."""

import numbers
from typing import NamedTuple

import numpy as np

from .._contracts.contracts import Operand
from ..engine import dtypes
from ..engine.calls import staging
from ..engine.handle import Handle
from ..engine.pytrees import Composite
from ..engine.recording.trace import apply
from ..tensor import promotion
from ..tensor.arrays import is_array, taken
from ..tensor.broadcasting import can_broadcast
from ..tensor.numbers import hosted, leaf, plain
from ..tensor.tensor import Tensor
from ._core.faces import FUNCTIONS, OPERATORS, register
from .linalg import matmul  # noqa: F401  the operations that the rows name
from .math import arithmetic, division, elementwise, logic  # noqa: F401  the operations that the rows name


class _Operator(NamedTuple):
    """An operator of two operands: its symbol, its function, where a list may stand, and whether ``+=`` exists.

    In a graph a list or a tuple may stand on both sides of all that have ``+=``.
    """

    symbol: str
    function: str
    takes_list_right: bool = False
    takes_list_left: bool = False
    is_in_place: bool = False


_ARITHMETIC = [
    _Operator("add", "add", takes_list_right=True, takes_list_left=True, is_in_place=True),
    _Operator("sub", "sub", takes_list_right=True, takes_list_left=True, is_in_place=True),
    _Operator("mul", "mul", is_in_place=True),
    _Operator("truediv", "_division._div", is_in_place=True),
    _Operator("floordiv", "floor_div", takes_list_right=True, takes_list_left=True, is_in_place=True),
    _Operator("mod", "floor_mod", is_in_place=True),
    _Operator("pow", "pow", takes_list_left=True),
    _Operator("matmul", "matmul"),
    _Operator("and", "bitwise_and"),
    _Operator("or", "bitwise_or"),
    _Operator("xor", "bitwise_xor"),
]
_OF_LISTS = {each.symbol for each in _ARITHMETIC if each.is_in_place}
_REFUSE_LISTS = {"add", "floordiv"}  # in ``+=`` and ``//=``, outside of graphs
_ORDER = [("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal")]
_UNARY = [("neg", "neg"), ("abs", "abs"), ("invert", "logical_not")]

_MSG_OPERAND = "For '{}', the operands must be Tensors or numbers, but got {} and {}."


_NUMBERS = (numbers.Number, np.bool_)  # NumPy's bool is not a Number to Python
_KEPT, _MOST = {int, float}, 256  # numbers whose states are kept, and how many of an operator


def _operand(symbol, value, other, takes_lists):
    """``value``, the operand besides the Tensor ``other``, as a Tensor."""
    if is_array(value):
        return taken(value)
    if isinstance(value, (list, tuple)) and (takes_lists or symbol in _OF_LISTS and staging.is_in_graph()):
        return Tensor(list(value), other.dtype)
    raise TypeError(_MSG_OPERAND.format(symbol, type(other).__name__, type(value).__name__))


def _kept(states, key, state):
    """``state``, kept under ``key``; not that of a float's zero, since 0.0 and -0.0 are equal keys."""
    if key is not None and (key[1] or key[0] is int):
        if len(states) >= _MOST:
            states.clear()
        states[key] = state
    return state


def _two_sided(symbol, function, takes_lists, is_list_left=False):
    """The methods ``x op other`` and ``other op x``."""
    face = FUNCTIONS[function]
    record = getattr(face, "op", None)
    if record is not None and Operand not in record.kinds.values():
        record = None  # it refuses numbers itself; it is called as a composite
    # Two Tensors need no sorting of arguments, unless values are checked after the call (`look`).
    is_direct = record is not None and len(record.kinds) == 2 and face.__wrapped__ is record.body
    is_quotient = symbol == "truediv"  # the only operator that accepts wide unsigned ints with floats, as floats

    # The states of numbers, by type, value and the Tensor's dtype: on the right and on the left.
    rights, lefts = {}, {}

    def forward(self, other):
        if isinstance(other, Handle):
            return apply(record, (self, other)) if is_direct else face(self, other)
        key = (type(other), other, self.aval[1]) if type(other) in _KEPT else None
        state = rights.get(key)
        if state is not None:
            return apply(record, (self, leaf(state)))
        if isinstance(other, _NUMBERS):
            other = plain(other)
            if record is None:
                return face(self, other)
            dtype = promotion.result_dtype(record.kind, self.aval[1], other)
            if is_quotient and self.aval[1] in promotion.WIDE:
                self, key = self.astype(dtypes.of(dtype)), None
            return apply(record, (self, leaf(_kept(rights, key, hosted(other, dtype)))))
        if isinstance(other, Composite):
            return NotImplemented  # left to the sparse Tensor's own operator
        return face(self, _operand(symbol, other, self, takes_lists))

    def reflected(self, other):
        key = (type(other), other, self.aval[1]) if type(other) in _KEPT else None
        state = lefts.get(key)
        if state is not None:
            return apply(record, (leaf(state), self))
        if isinstance(other, _NUMBERS):
            other = plain(other)
            if record is None:
                return face(other, self)
            dtype = promotion.result_dtype(record.kind, other, self.aval[1])
            if is_quotient and self.aval[1] in promotion.WIDE:
                self, key = self.astype(dtypes.of(dtype)), None
            return apply(record, (leaf(_kept(lefts, key, hosted(other, dtype))), self))
        return face(_operand(symbol, other, self, is_list_left), self)

    def reflected_in_graph(self, other):
        return reflected(self, other) if staging.is_in_graph() else NotImplemented

    # Outside of graphs MindSpore has no reflected bit operators: ``6 | tensor`` is a TypeError.
    return forward, reflected_in_graph if function.startswith("bitwise") else reflected


def _operand_in_place_(self, other):
    """``other`` as the operand of ``+=`` and the like in a graph: with the dtype of this Tensor.

    So the operand is cast, not only the result: in int32, 2 times 1.5 is 2.
    """
    shape, dtype = self.aval
    other = taken(other)
    if isinstance(other, Handle) and other.aval[1] != dtype and can_broadcast(other.aval[0], shape):
        return other.astype(self.dtype)
    return int(other) if isinstance(other, float) and dtype.kind in "iu" else other


def _in_place(symbol, forward):
    """``x += y``, ``x -= y``, ...: written to ``x`` in a graph, another Tensor elsewhere, as in MindSpore."""
    refuses_lists = symbol in _REFUSE_LISTS

    def write(self, other):
        if not staging.is_in_graph():
            if refuses_lists and isinstance(other, (list, tuple)):
                raise TypeError(_MSG_OPERAND.format(f"i{symbol}", type(self).__name__, type(other).__name__))
            return forward(self, other)
        shape, dtype = self.aval
        result = forward(self, _operand_in_place_(self, other))
        if not isinstance(result, Handle) or result.aval[0] != shape:
            return result
        self._write_(result if result.aval[1] == dtype else result.astype(self.dtype))
        return self

    return write


def _equality(function, otherwise):
    """``==`` or ``!=``; other objects than Tensors and numbers differ, and the answer is a Python bool."""
    forward, _ = _two_sided(function, function, False)

    def compare(self, other):
        if isinstance(other, (Handle, int, float)) or is_array(
            other
        ):  # neither complex nor NumPy numbers, except np.float64, a float
            return forward(self, other)
        return otherwise

    return compare


def _define(name, method):
    method.__name__ = method.__qualname__ = name
    register(OPERATORS, name, method)


def _install():
    for row in _ARITHMETIC:
        forward, reflected = _two_sided(row.symbol, row.function, row.takes_list_right, row.takes_list_left)
        _define(f"__{row.symbol}__", forward)
        if row.is_in_place:
            register(OPERATORS, f"__i{row.symbol}__", _in_place(row.symbol, forward))
        _define(f"__r{row.symbol}__", reflected)
    for symbol, function in _ORDER:
        forward, _ = _two_sided(symbol, function, False)
        _define(f"__{symbol}__", forward)
    for symbol, function in _UNARY:
        register(OPERATORS, f"__{symbol}__", FUNCTIONS[function])
    register(OPERATORS, "_operand_in_place_", _operand_in_place_)
    _define("__eq__", _equality("equal", False))
    _define("__ne__", _equality("not_equal", True))
    _define("__round__", lambda self: FUNCTIONS["round"](self))
    _define("__pos__", lambda self: self)


_install()
