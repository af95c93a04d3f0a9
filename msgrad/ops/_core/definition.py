"""A definition: the single description of an operation, from which its faces are made."""

import functools
import inspect
import types
from typing import Any

from ..._contracts.contracts import Operand
from ..._contracts.kinds import is_static, kinds_of
from ..._contracts.signature import bare
from ...engine.handle import Handle
from ...engine.recording.program import Op
from ...engine.recording.trace import apply
from ...engine.static import thaw
from ...tensor import promotion
from ...tensor.numbers import number, plain
from ...tensor.tensor import Tensor
from .calls.arguments import Arguments
from .calls.half_precision import in_float32
from .calls.views import apply_view


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
