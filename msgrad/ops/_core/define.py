"""One definition for each operation: `op` derives every face of it from a body over ``jax.Array``s.

The annotations of a body's parameters are contracts (`contracts`). An argument that is not an operand selects the
computation and is frozen to be hashable. A body called with ``jax.Array``s, from another body, runs directly.
"""

import functools
import inspect
import sys
import types
from typing import Any

from ..._contracts.contracts import Array, Operand
from ..._contracts.enforcement import enforced
from ..._contracts.kinds import is_static, kinds_of
from ..._contracts.signature import bare
from ...engine.handle import Handle
from ...engine.recording.program import Op
from ...engine.recording.trace import apply
from ...engine.static import thaw
from ...tensor import promotion
from ...tensor.arrays import all_taken
from ...tensor.numbers import number, plain
from ...tensor.tensor import Tensor
from .arguments import Arguments, is_inside_body
from .faces import OPS, attach, primitive
from .half_precision import in_float32
from .views import apply_view


class Definition(Op):
    """An operation defined by a Python body."""

    home: Any

    __slots__ = ("apply", "arguments", "body", "home", "kind", "kinds", "signature")

    def __init__(self, name, function_name, body, view=False, wide=False):
        super().__init__(name)
        self.apply = apply_view if view else apply
        self.kind = "add"  # the family of `promotion.result_dtype` for numbers among the operands
        annotated = inspect.signature(body)
        self.signature = bare(annotated)
        self.kinds = kinds_of(annotated)
        self.body = _with_normal_defaults(body, self.kinds, name)
        if wide:
            self.body = in_float32(self.body)
        self.home = None  # the module that defines it, the table of functions and its name there
        takes_numbers = any(getattr(kind, "kind", kind) is Operand for kind in self.kinds.values())
        convert = self._convert if takes_numbers else None
        self.arguments = Arguments(name, function_name, self.signature, self.kinds, convert)

    def bind(self, static):
        if not static:
            return self.body
        args, kwargs = static

        def run(*arrays):
            operands = iter(arrays)
            values = thaw(args, operands)
            return self.body(*values, **{name: thaw(value, operands) for name, value in kwargs})

        return run

    def stable_parts(self):
        module, functions, name = self.home or ("", {}, None)
        is_there = name in functions and getattr(functions[name], "op", None) is self
        return (module, name) if is_there and module.startswith("msgrad.") else None

    def _convert(self, operands):
        """Converts the Python numbers among ``operands`` to Tensors, of the dtype promoted with the others."""
        dtype = next((item.aval[1] for item in operands if isinstance(item, Handle)), None)
        for index, value in enumerate(operands):
            if not isinstance(value, Handle):
                value = plain(value)
                pair = (value, dtype) if index == 0 else (dtype, value)
                operands[index] = (
                    Tensor(value) if dtype is None else number(value, promotion.result_dtype(self.kind, *pair))
                )


def _with_normal_defaults(body, kinds, name):
    """``body`` with its defaults normalised by their contracts, such as ``(1, 1)`` for 1."""

    def normal(key, default):
        return kinds[key].take(default, key, name) if is_static(kinds[key]) else default

    positional = list(kinds)[: body.__code__.co_argcount]
    defaults = body.__defaults__ or ()
    copied = types.FunctionType(body.__code__, body.__globals__, body.__name__, None, body.__closure__)
    copied.__defaults__ = tuple(map(normal, positional[len(positional) - len(defaults) :], defaults))
    copied.__kwdefaults__ = {key: normal(key, default) for key, default in (body.__kwdefaults__ or {}).items()}
    return functools.update_wrapper(copied, body)


def op(primitives=(), method=(), name=None, view=False, dialect=OPS, look=None, wide=False) -> Any:
    """Defines an operation from its body.

    Args:
        primitives (str | tuple[str]): Primitive classes, each as `faces.primitive` takes it.
        method (str | tuple[str]): names of the Tensor method of the same signature.
        name (str): the function's name. Default: the body's.
        view (bool): whether results share storage with the first operand; the body may only rearrange its elements.
        dialect (Dialect): the module that the function belongs to. Default: ``mindspore.ops``.
        look (function): checks the values of concrete Tensors, and raises where MindSpore's kernels do; its
            parameters are a subset of the body's. Default: ``None``.
        wide (bool): whether half types are computed in float32, by `in_float32`: for sums and statistics.
    """
    primitives = (primitives,) if isinstance(primitives, str) else primitives

    def define(body):
        word = name or body.__name__
        record = Definition(_shown(body, primitives, method), word, body, view, wide)
        face = _function(record, word)
        record.home = _importing(), dialect.functions, _key(face)
        return _faces(face if look is None else _looking(face, look), primitives, method, dialect)

    return define


def _importing():
    """The module being imported, whose top-level code contains the current definition."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return "" if frame is None else frame.f_globals.get("__name__", "")


def composite(primitives=(), method=(), name=None, dialect=OPS) -> Any:
    """Defines an operation as an ordinary function over Tensors that calls other operations.

    For operations that a body cannot express: shapes that depend on values, in-place writes, Python containers.
    Arguments as for `op`.
    """
    primitives = (primitives,) if isinstance(primitives, str) else primitives

    def define(target):
        wrapper = enforced(target, _shown(target, primitives, method))
        wrapper.__name__ = name or target.__name__
        return _faces(wrapper, primitives, method, dialect)

    return define


def _looking(face, look):
    """Wraps ``face`` to call ``look`` after all arguments have been checked, unless another body calls it."""
    record = face.op
    parameters = [record.signature.parameters[name] for name in inspect.signature(look).parameters]
    rows = [(each.name, record.arguments.positional[each.name], each.default) for each in parameters]
    kinds = [record.kinds[each.name] for each in parameters]
    operands = [position for position, kind in enumerate(kinds) if getattr(kind, "kind", kind) is Array]

    @functools.wraps(face)
    def looking(*args, **kwargs):
        result = face(*args, **kwargs)
        if not is_inside_body(args, kwargs):
            values = [args[k] if k < len(args) else kwargs.get(name, default) for name, k, default in rows]
            values = list(all_taken(values))
            is_whole = all([each is not inspect.Parameter.empty for each in values])
            if is_whole and all([isinstance(values[index], Handle) for index in operands]):
                look(*values)
        return result

    return looking


def _shown(target, primitives, method):
    """The name in errors: the Primitive's, or the function's, or the method's for a private function."""
    if primitives:
        return primitives[0].partition("(")[0]
    if target.__name__.startswith("_") and method:
        return method if isinstance(method, str) else method[0]
    return target.__name__


def _faces(target, primitives, method, dialect):
    dialect.add(_key(target), target)
    for text in primitives:
        primitive(target, text)
    attach(target, method)
    return target


def _key(target):
    """The name of a function in the table; a private one is prefixed by its file: ``"_division._div"``."""
    name = target.__name__
    return f"_{target.__module__.rpartition('.')[2]}.{name}" if name.startswith("_") else name


def _function(record, name) -> Any:
    """The function of a definition."""
    body, sort, launch = record.body, record.arguments.sort, record.apply
    operands = [getattr(kind, "kind", kind) in (Array, Operand) for kind in record.kinds.values()]  # or an Optional one
    maximum = operands.index(False) if False in operands else len(operands)
    minimum = len(record.arguments.required)

    @functools.wraps(record.body)
    def face(*args, **kwargs):
        # The usual call, with Tensors only, skips sorting the arguments.
        if not kwargs and minimum <= len(args) <= maximum:
            for value in args:
                if not isinstance(value, Handle):
                    break
            else:
                return launch(record, args)
        sorted_arguments = sort(args, kwargs)
        if sorted_arguments is None:  # another body calls this one
            return body(*args, **kwargs)
        return launch(record, *sorted_arguments)

    face.__name__ = name
    vars(face).update(__signature__=record.signature, op=record)
    return face
