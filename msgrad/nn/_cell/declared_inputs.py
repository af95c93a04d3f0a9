"""Declared inputs: ``Cell.set_inputs`` and ``enable_dynamic`` declare the arguments of calls, which are then checked.

Calls are checked against a declaration in GRAPH_MODE and under ``jit``, since programs (and their tests) rely on the
errors. The first program that is compiled serves all lengths of a dynamic axis, as far as programs can
(`engine.calls.other_sizes`).
"""

import functools
import inspect
import types

from ..._contracts.check import refuse
from ...autodiff.mutable import is_mutable
from ...engine.calls import staging
from ...engine.handle import Handle
from ...tensor.placeholder import Placeholder, Symbol

_MSG_BOTH = "For '{}', give all inputs by position or some of them by name, not both: got {} and {}."
_MSG_NAME = "For '{}', '{}' is not an argument of 'construct', which has {}."
_MSG_COUNT = "For '{}', {} inputs were declared, but a call has {}."
_MSG_ARGUMENTS = "For 'Cell', 'construct' takes {} arguments, but {} were {}."
_MSG_WRONG = "For '{}', the {} must be {} as it was declared, but got {}."
_MSG_NOTHING = "For 'enable_dynamic', name at least one argument: enable_dynamic(x=Tensor(shape=None, dtype=...))."


class InputDeclaration:
    """A declaration of the inputs of a function's calls.

    Args:
        owner (str): the name of the declaration in errors.
        function (callable): the function that takes the arguments.
        inputs (tuple): all of them by position: Tensors, whose axes may be dynamic, and any values.
        named (dict): alternatively, some of them by name.
    Raises:
        ValueError: if both are given, or the function lacks a name.
    """

    def __init__(self, owner, function, inputs, named):
        if inputs and named:
            raise ValueError(_MSG_BOTH.format(owner, list(inputs), named))
        self.owner, self.inputs, self.named = owner, inputs, named
        self.signature = inspect.signature(function)
        for name in named:
            if name not in self.signature.parameters:
                raise ValueError(_MSG_NAME.format(owner, name, list(self.signature.parameters)))

    def check(self, args, kwargs):
        """Raises unless a call's arguments are as declared.

        Raises:
            TypeError: for another type or dtype, or a number that the function does not take.
            ValueError: for another number, rank, length or value.
        """
        lengths = {}  # of the Symbols that stand for one length everywhere
        if not self.named:
            args = self._by_position(args, kwargs)
            self.check_count()
            self._check_count(len(args), "given")
            if len(args) != len(self.inputs):
                raise ValueError(_MSG_COUNT.format(self.owner, len(self.inputs), len(args)))
        for path, declared, value in self._pairs(args, kwargs):
            self._compare(path, declared, value, lengths)

    def dynamic_axes(self, args, kwargs, tensors):
        """The dynamic axes of a call's arguments, as `other_sizes.recorded` takes them."""
        args = args if self.named else self._by_position(args, kwargs)
        return [
            (value, axis, getattr(length, "allows", _any_length))
            for _, declared, argument in self._pairs(args, kwargs)
            for placeholder, value in _placeholders(declared, argument)
            for axis, length in enumerate(placeholder.lengths_for(value.ndim))
            if length == -1 or isinstance(length, Symbol)
        ]

    def _pairs(self, args, kwargs):
        """For each declared argument that a call gives, how errors name it, the declaration and the value."""
        if not self.named:
            return [(f"input {k}", *pair) for k, pair in enumerate(zip(self.inputs, args, strict=True))]
        given = self.signature.bind(*args, **kwargs).arguments
        return [(f"argument '{name}'", self.named[name], given[name]) for name in self.named if name in given]

    def _by_position(self, args, kwargs):
        """All arguments of a call, those that are given by name in their places."""
        if not kwargs:
            return args
        bound = self.signature.bind(*args, **kwargs)
        return (*bound.args, *bound.kwargs.values())

    def check_count(self):
        """Raises MindSpore's error if more or fewer inputs are declared than the function takes."""
        if not self.named:
            self._check_count(len(self.inputs), "declared by 'set_inputs'")

    def _check_count(self, count, how):
        """Raises MindSpore's error if the function does not take ``count`` arguments by position."""
        most = [p for p in self.signature.parameters.values() if p.kind <= p.VAR_POSITIONAL]
        fewest = sum(p.default is p.empty and p.kind is not p.VAR_POSITIONAL for p in most)
        if count < fewest or count > len(most) and all(p.kind is not p.VAR_POSITIONAL for p in most):
            takes = fewest if fewest == len(most) else f"{fewest} to {len(most)}"
            raise TypeError(_MSG_ARGUMENTS.format(takes, count, how))

    def _compare(self, path, declared, value, lengths):
        if isinstance(declared, Handle):
            self._compare_tensors(path, declared, value, lengths)
        elif isinstance(declared, (tuple, list)):
            self._compare_sequences(path, declared, value, lengths)
        elif isinstance(value, Handle):
            self._refuse(TypeError, path, repr(declared), "a Tensor")
        elif not is_mutable(declared) and (type(declared) is not type(value) or declared != value):
            self._refuse(ValueError, path, repr(declared), repr(value))

    def _compare_tensors(self, path, declared, value, lengths):
        if not isinstance(value, Handle):
            self._refuse(TypeError, path, "a Tensor", repr(value))
        if value.dtype != declared.dtype:
            self._refuse(TypeError, path, f"a Tensor of {declared.dtype}", f"one of {value.dtype}")
        expected = declared.symbols if isinstance(declared, Placeholder) else declared.shape
        if expected == (-2,):
            return
        if len(expected) != value.ndim:
            self._refuse(ValueError, path, f"of the shape {declared.shape}", f"the shape {value.shape}")
        for axis, (length, actual) in enumerate(zip(expected, value.shape, strict=True)):
            if isinstance(length, Symbol):
                wanted = length.why_not(actual)
                if wanted is None and length.unique and lengths.setdefault(length, actual) != actual:
                    wanted = f"{lengths[length]}, as everywhere where this Symbol stands"
                if wanted is not None:
                    self._refuse(ValueError, f"length of axis {axis} of {path}", wanted, actual)
            elif length not in (-1, actual):
                self._refuse(ValueError, path, f"of the shape {declared.shape}", f"the shape {value.shape}")

    def _compare_sequences(self, path, declared, value, lengths):
        if isinstance(value, Handle):
            self._refuse(TypeError, path, f"a {'list' if isinstance(declared, list) else 'tuple'}", "a Tensor")
        if not isinstance(value, (tuple, list)) or isinstance(value, list) != isinstance(declared, list):
            self._refuse(ValueError, path, f"a {'list' if isinstance(declared, list) else 'tuple'}", repr(value))
        declared = _items(declared, value)
        if len(declared) != len(value):
            self._refuse(ValueError, path, f"of the length {len(declared)}", f"the length {len(value)}")
        for index, pair in enumerate(zip(declared, value, strict=False)):
            self._compare(f"{path}[{index}]", *pair, lengths)

    def _refuse(self, error, path, expected, got):
        raise error(_MSG_WRONG.format(self.owner, path, expected, got))


def enable_dynamic(**kwargs):
    """Declares arguments of a ``jit`` function as Tensors of dynamic shape; calls under ``jit`` are checked against it.

    Args:
        kwargs (Tensor | tuple | list): by argument, ``Tensor(shape=[None, 3], dtype=...)``, or with ``shape=None`` for
            any rank; or a tuple or list with such a Tensor.
    Returns:
        function: a decorator.
    Raises:
        ValueError: if nothing is declared, a name is not an argument, or the decorated object is not a function.
        TypeError: if a declared value has no dynamic axis.
    Example:
        >>> @mindspore.jit
        ... @mindspore.enable_dynamic(x=Tensor(shape=[None], dtype=mindspore.float32))
        ... def double(x):
        ...     return x * 2
        >>> double(Tensor([1.0, 2.0])).tolist()
        [2.0, 4.0]
    Source: mindspore.enable_dynamic
    """
    if not kwargs:
        raise ValueError(_MSG_NOTHING)
    for name, value in kwargs.items():
        if not _has_unknown(value):
            refuse(TypeError, "enable_dynamic", name, "a Tensor of unknown lengths, or a tuple or list with one", value)

    def decorate(function):
        if not isinstance(function, (types.FunctionType, types.MethodType)):
            refuse(ValueError, "enable_dynamic", "function", "a function or method", function)
        declared = InputDeclaration("enable_dynamic", function, (), kwargs)
        is_compiled = hasattr(function, "__wrapped_by_jit__")  # by an inner decorator

        @functools.wraps(function)
        def held(*args, **kwargs):
            if is_compiled or staging.is_staged():
                declared.check(args, kwargs)
            return function(*args, **kwargs)

        held.__declared_inputs__ = declared
        return held

    return decorate


def _items(declared, value):
    """The declarations of the items of a tuple or list ``value``."""
    return declared[:1] * len(value) if getattr(declared, "__ms_dynamic_len__", False) else declared


def _placeholders(declared, value):
    """Pairs of a Tensor of unknown lengths and the Tensor that a call gives for it."""
    if isinstance(declared, Placeholder):
        yield declared, value
    elif isinstance(declared, (tuple, list)):
        for pair in zip(_items(declared, value), value, strict=True):
            yield from _placeholders(*pair)


def _any_length(length):
    return True


def _has_unknown(value):
    if isinstance(value, (tuple, list)):
        return any(map(_has_unknown, value))
    return isinstance(value, Placeholder)
