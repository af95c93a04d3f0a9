"""One definition for each operation: `op` derives every face of it from a body over ``jax.Array``s.

A body's parameters say by annotation what they take: `Array` a Tensor, `Arrays` a list or tuple of Tensors, `Operand` a
Tensor or a Python number, `Scalar` a Python number that scales or shifts; a parameter without annotation is static: it
selects the computation and must be hashable (lists and dicts are frozen). A body called with ``jax.Array``s, from
another body, just runs.
"""

import functools
import inspect
import types
import typing

import jax
import numpy as np
from jax.lax import convert_element_type_p

from ..engine.handle import Handle
from ..engine.program import Op
from ..engine.static import HOLE, Hole, freeze, thaw
from ..engine.trace import apply
from ..tensor import promotion
from ..tensor.numbers import number, plain
from ..tensor.tensor import Tensor
from . import check
from .primitive import Primitive, primitive_class
from .views import apply_view


class Array:
    """Annotation: the parameter is a Tensor; the body gets its ``jax.Array``."""


class Arrays:
    """Annotation: the parameter is a list or tuple of Tensors; the body gets a tuple of ``jax.Array``s."""


class Operand:
    """Annotation: the parameter is a Tensor or a Python number; the body gets a ``jax.Array``."""


class Scalar:
    """Annotation: the parameter is an int or float of Python's that only scales or shifts.

    The body gets an array without axes that JAX promotes as it does a Python number; so another number computes what it
    would as part of the program, but compiles nothing. It has no value while the body runs: what Python decides by it
    (whether it is refused) is decided before, by ``check``.

    Args:
        check (callable): takes the number and raises what MindSpore does for one that is out of range.
    """

    def __init__(self, check=None):
        self.check = check

    def __or__(self, other):
        return Optional(self) if other is None else NotImplemented

    def __repr__(self):
        return "Scalar"

    def operand(self, value, arg_name, op_name):
        """The Tensor of a number, float64 or int64 as Python has it."""
        value = plain(check.number(value, arg_name, op_name))
        if self.check is not None:
            self.check(value)
        is_int = isinstance(value, int) and -(2**63) <= value < 2**63
        return number(value, _INT if is_int else _FLOAT)


class Optional:
    """Annotation: what ``kind`` says, or None."""

    def __init__(self, kind):
        self.kind = kind


class _Weak(Hole):
    """The place of a `Scalar`."""

    def fill(self, operand):
        # JAX's own way to say "of Python's": no function of jax.numpy makes a weak type of an array.
        return convert_element_type_p.bind(operand, new_dtype=operand.dtype, weak_type=True, sharding=None)


_WEAK = _Weak()
_INT, _FLOAT = np.dtype(np.int64), np.dtype(np.float64)

FUNCTIONS = {}  # every function by name
PRIMITIVES = {}  # every Primitive class by name
METHODS = {}  # every Tensor method that is attached here by name


class Definition(Op):
    """An operation defined by a Python body."""

    __slots__ = ("apply", "body", "kind", "kinds", "optional", "parameters", "positional", "required", "signature")

    def __init__(self, name, body, view=False):
        super().__init__(name)
        self.apply = apply_view if view else apply
        self.body = body
        self.kind = "add"  # the family of `promotion.result_dtype` that a number among the operands is taken by
        self.signature = signature = inspect.signature(body)
        parameters = signature.parameters.values()
        self.required = [p.name for p in parameters if p.default is p.empty]
        self.positional = {p.name: i for i, p in enumerate(parameters) if p.kind is p.POSITIONAL_OR_KEYWORD}
        hints = typing.get_type_hints(body)
        self.parameters = list(signature.parameters)
        self.kinds, self.optional = {}, set()
        for parameter in self.parameters:
            hint = hints.get(parameter)
            if isinstance(hint, types.UnionType):
                self.optional.add(parameter)
                hint = next(part for part in typing.get_args(hint) if part is not type(None))
            elif isinstance(hint, Optional):
                self.optional.add(parameter)
                hint = hint.kind
            self.kinds[parameter] = hint

    def bind(self, static):
        if not static:
            return self.body
        args, kwargs = static

        def run(*arrays):
            operands = iter(arrays)
            values = thaw(args, operands)
            return self.body(*values, **{name: thaw(value, operands) for name, value in kwargs})

        return run

    def call(self, args, kwargs):
        """Calls the operation with any arguments: sorts them into operands and static ones."""
        if _is_inside_body(args, kwargs):
            return self.body(*args, **kwargs)
        operands, numbers = [], []
        if not self._fits(len(args), kwargs):
            self.signature.bind(*args, **kwargs)  # raises Python's own TypeError
        names = self.parameters
        frozen = tuple([self._freeze(names[i], value, operands, numbers) for i, value in enumerate(args)])
        named = tuple([(name, self._freeze(name, value, operands, numbers)) for name, value in kwargs.items()])
        if numbers:
            self._convert(operands, numbers)
        return self.apply(self, operands, (frozen, named))

    def _fits(self, count, kwargs):
        """Whether ``count`` positional arguments and ``kwargs`` are a call of the body."""
        if count > len(self.positional):
            return False
        for name in kwargs:
            if name not in self.kinds or self.positional.get(name, count) < count:
                return False
        return count >= len(self.required) or all([name in kwargs for name in self.required[count:]])

    def _freeze(self, name, value, operands, numbers):
        kind = self.kinds.get(name)
        if kind is Array or kind is Operand:
            if isinstance(value, Handle):
                operands.append(value)
                return HOLE
            if value is None and name in self.optional:
                return None
            if kind is Operand and isinstance(value, (bool, int, float, complex, np.generic)):
                numbers.append(len(operands))
                operands.append(value)
                return HOLE
            expected = "a Tensor" if kind is Array else "a Tensor or a number"
            raise TypeError(f"For '{self.name}', the '{name}' must be {expected}, but got {type(value).__name__}.")
        if kind is Arrays:
            if not isinstance(value, (tuple, list)) or not all(isinstance(item, Handle) for item in value):
                raise TypeError(
                    f"For '{self.name}', the '{name}' must be a list or tuple of Tensors, "
                    f"but got {_named_types(value)}."
                )
            return tuple([freeze(item, operands) for item in value])
        value = concrete(value)
        if type(kind) is Scalar and (value is not None or name not in self.optional):
            operands.append(kind.operand(value, name, self.name))
            return _WEAK
        return freeze(value)

    def _convert(self, operands, numbers):
        """Turns the Python numbers among ``operands`` into Tensors of the dtype that goes with the others."""
        dtype = next((item.aval[1] for item in operands if isinstance(item, Handle)), None)
        if dtype is None:
            operands[:] = [Tensor(plain(item)) for item in operands]
            return
        for place in numbers:
            value = plain(operands[place])
            pair = (value, dtype) if place == 0 else (dtype, value)
            operands[place] = number(value, promotion.result_dtype(self.kind, *pair))


def _named_types(value):
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__} of {', '.join(sorted({type(item).__name__ for item in value}))}"
    return type(value).__name__


def _is_inside_body(args, kwargs):
    for value in (*args, *kwargs.values()):
        if isinstance(value, (tuple, list)) and value:
            value = value[0]
        if isinstance(value, Handle):
            return False
        if isinstance(value, jax.Array):
            return True
    return False


def concrete(value):
    """A static argument with the Tensors in it (a shape, an axis, a count) replaced by their Python values."""
    if isinstance(value, Handle):
        return value.values().tolist()
    if isinstance(value, (tuple, list)):
        return type(value)(concrete(item) for item in value) if type(value) in (tuple, list) else value
    return value


def op(primitive=None, attrs=(), method=None, name=None, view=False):
    """Defines an operation from its body.

    Args:
        primitive (str | tuple[str] | None): names of the Primitive class.
        attrs (tuple[str]): the body's parameters that the Primitive's constructor takes, in order.
        method (str | tuple[str] | None): names of the Tensor method.
        name (str): the function's name. Default: the body's.
        view (bool): whether results share storage with the first operand; the body may only move its elements.
    """
    primitives = (primitive,) if isinstance(primitive, str) else primitive or ()

    def define(body):
        record = Definition((primitives or (body.__name__,))[0], body, view)
        face = _face(record, name or body.__name__)
        _register(FUNCTIONS, face.__name__, face)
        for each in primitives:
            _register(PRIMITIVES, each, primitive_class(each, face, attrs, record))
        attach(face, method)
        return face

    return define


def _face(record, name):
    call, launch = record.call, record.apply
    plain = [kind in (Array, Operand) for kind in record.kinds.values()]
    most = plain.index(False) if False in plain else len(plain)
    least = sum(p.default is p.empty for p in inspect.signature(record.body).parameters.values())

    @functools.wraps(record.body)
    def face(*args, **kwargs):
        # The usual call, Tensors alone, skips sorting the arguments.
        if not kwargs and least <= len(args) <= most:
            for value in args:
                if not isinstance(value, Handle):
                    break
            else:
                return launch(record, args)
        return call(args, kwargs)

    face.__name__ = name
    face.op = record
    return face


def attach(face, method):
    """Makes ``face`` a Tensor method under the names ``method``."""
    for each in (method,) if isinstance(method, str) else method or ():
        if each in Tensor.__dict__:
            raise NameError(f"Tensor.{each} is defined twice: {_place(Tensor.__dict__[each])} and {_place(face)}.")
        METHODS[each] = face
        setattr(Tensor, each, face)


def composite(primitive=None, attrs=(), method=None, name=None):
    """Defines an operation as an ordinary function over Tensors that calls other operations.

    For what a body cannot do: shapes that depend on values, in-place writes, Python containers.
    """
    primitives = (primitive,) if isinstance(primitive, str) else primitive or ()

    def define(function):
        if name is not None:
            function.__name__ = name
        _register(FUNCTIONS, function.__name__, function)
        for each in primitives:
            _register(PRIMITIVES, each, primitive_class(each, function, attrs, None))
        attach(function, method)
        return function

    return define


def _register(table, name, value):
    if name in table:
        raise NameError(f"'{name}' is defined twice: {_place(table[name])} and {_place(value)}.")
    table[name] = value


def _place(face):
    code = getattr(inspect.unwrap(face) if callable(face) else face, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(face)


__all__ = [
    "FUNCTIONS",
    "METHODS",
    "PRIMITIVES",
    "Array",
    "Arrays",
    "Operand",
    "Primitive",
    "Scalar",
    "attach",
    "composite",
    "op",
]
