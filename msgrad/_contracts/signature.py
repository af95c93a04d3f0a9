"""Parses signatures written as text, and makes functions that have them."""

import functools
import inspect
import math
import re
import types
from typing import Any

from ..engine import dtypes
from ..engine.user_code import FACE

_NAMES = {"inf": math.inf, **{name: value for name, value in vars(dtypes).items() if isinstance(value, dtypes.DType)}}
_EMPTY = inspect.Parameter.empty
# A parameter that needs no Python to be read, as most: a name, the name of its contract, a default.
_SIMPLE = re.compile(r"(\w+)(?:: (\w+))?(?: ?= ?(?:(None|True|False)|(-?\d+)|(-?\d+\.\d+)|['\"](\w*)['\"]))?")
_CONSTANTS = {"None": None, "True": True, "False": False}


def parse(text, names=None) -> tuple[str, Any]:
    """Parses ``text``, such as ``"sum(input, axis=None)"``, into a name and an `inspect.Signature`.

    Args:
        text (str): ``"name(parameters)"``, or a name alone; a default may be ``inf`` or the name of a dtype.
        names (dict): names that annotations may refer to, with their values.
    Returns:
        tuple of str and inspect.Signature (None for a name alone).

    Example:
        >>> parse("sum(input, axis=None)")
        ('sum', <Signature (input, axis=None)>)
    """
    name, parenthesis, rest = text.partition("(")
    if not parenthesis:
        return name, None
    return name, signature(parenthesis + rest, names)


def signature(text, names=None):
    """Parses ``text``, parameters in parentheses, into an `inspect.Signature`; ``names`` as for `parse`."""
    parameters = _simple(text[1:-1], names or {})
    if parameters is not None:
        return unchecked(parameters)
    scope = {}
    try:
        exec(f"def face{text}: pass", _NAMES | (names or {}), scope)  # the text is msgrad's own, so exec is safe
    except (SyntaxError, NameError) as error:
        raise type(error)(f"{text!r} is not a signature: {error}.") from None
    return inspect.signature(scope["face"])


def _simple(text, names):
    """The parameters in ``text``, in a fifth of the time that Python's parser takes; None unless all are `_SIMPLE`."""
    parameters, has_default = [], False
    for part in text.split(", ") if text else ():
        match = _SIMPLE.fullmatch(part)
        if match is None:
            return None
        name, kind, constant, integer, number, word = match.groups()
        default = _EMPTY
        if match.end(1 if kind is None else 2) < len(part):
            default = (
                _CONSTANTS[constant] if constant else int(integer) if integer else float(number) if number else word
            )
        if default is _EMPTY and has_default or kind is not None and kind not in names:
            return None  # an error, for Python to raise; or a contract that is one of Python's names
        has_default = default is not _EMPTY
        annotation = _EMPTY if kind is None else names[kind]
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)
        )
    return parameters


def bare(annotated):
    """A signature without its annotations: contracts are not shown to users."""
    parameters = annotated.parameters.values()
    if all(each.annotation is _EMPTY for each in parameters):
        return annotated
    return unchecked([each if each.annotation is _EMPTY else each.replace(annotation=_EMPTY) for each in parameters])


def unchecked(parameters):
    """A Signature made without validating its parameters, which is most of the cost of making one."""
    return inspect.Signature(parameters, __validate_parameters__=False)


def function(name, sig, call, scope, at_once=False) -> Any:
    """Makes a function ``name`` with the signature ``sig`` that returns the value of the expression ``call``.

    It is compiled by ``exec``, so Python binds the arguments as fast as for any ``def``, and its errors show the public
    argument names. That is done at its first call: most of a file's functions are never called, and compiling takes
    0.1 ms for each.

    Args:
        name (str): of the function.
        sig (inspect.Signature): of the function.
        call (str): the expression, over the parameters and the names in ``scope``.
        scope (dict): the other names in the expression, with their values.
        at_once (bool): whether to compile it now, for a caller that looks at its code. Default: ``False``.
    Returns:
        function.
    Example:
        >>> function("double", signature("(x)"), "twice(x)", {"twice": lambda x: 2 * x})(3)
        6
    """
    result = types.FunctionType(_FIRST_CALL, scope := dict(scope), name)
    result.__qualname__ = name
    result.__signature__ = sig
    parameters = sig.parameters.values()
    result.__defaults__ = tuple(
        each.default for each in parameters if each.default is not _EMPTY and each.kind is not each.KEYWORD_ONLY
    )
    result.__kwdefaults__ = {
        each.name: each.default for each in parameters if each.default is not _EMPTY and each.kind is each.KEYWORD_ONLY
    }

    def compiled():
        result.__code__ = _code(_written(sig), call).replace(co_name=name, co_qualname=name)
        return result

    scope["_compiled"] = compiled
    scope["__name__"] = __name__  # by which a walk over functions tells it from one that a user made by `exec`
    return compiled() if at_once else result


def _first_call(*args, **kwargs):
    return _compiled()(*args, **kwargs)  # noqa: F821  in the scope of each function


_FIRST_CALL = _first_call.__code__.replace(co_filename=FACE)


def _written(sig):
    """The parameters as text, with None for each default."""
    parameters = bare(sig).parameters.values()
    return str(unchecked([each if each.default is _EMPTY else each.replace(default=None) for each in parameters]))


@functools.cache
def _code(parameters, call):
    scope = {}
    exec(compile(f"def face{parameters}: return {call}", FACE, "exec"), scope)
    return scope["face"].__code__
