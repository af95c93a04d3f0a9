"""Parses signatures written as text, and makes functions that have them."""

import functools
import inspect
import math
import types

from ..engine import dtypes
from ..engine.user_code import FACE

_NAMES = {"inf": math.inf, **{name: value for name, value in vars(dtypes).items() if isinstance(value, dtypes.DType)}}
_EMPTY = inspect.Parameter.empty


def parse(text, names=None):
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
    scope = {}
    exec(f"def face{text}: pass", _NAMES | (names or {}), scope)  # the text is msgrad's own, so exec is safe
    return inspect.signature(scope["face"])


def bare(annotated):
    """A signature without its annotations: contracts are not shown to users."""
    parameters = annotated.parameters.values()
    if all(each.annotation is _EMPTY for each in parameters):
        return annotated
    return unchecked([each if each.annotation is _EMPTY else each.replace(annotation=_EMPTY) for each in parameters])


def unchecked(parameters):
    """A Signature made without validating its parameters, which is most of the cost of making one."""
    return inspect.Signature(parameters, __validate_parameters__=False)


def function(name, shown, call, scope):
    """Makes a function ``name`` with the signature ``shown`` that returns the value of the expression ``call``.

    It is compiled by ``exec``, so Python binds the arguments as fast as for any ``def``, and its errors show the public
    argument names.

    Args:
        name (str): of the function.
        shown (inspect.Signature): of the function.
        call (str): the expression, over the parameters and the names in ``scope``.
        scope (dict): the other names in the expression, with their values.
    Returns:
        function.
    Example:
        >>> function("double", signature("(x)"), "twice(x)", {"twice": lambda x: 2 * x})(3)
        6
    """
    result = types.FunctionType(_code(_written(shown), call).replace(co_name=name, co_qualname=name), scope, name)
    parameters = shown.parameters.values()
    result.__defaults__ = tuple(
        each.default for each in parameters if each.default is not _EMPTY and each.kind is not each.KEYWORD_ONLY
    )
    result.__kwdefaults__ = {
        each.name: each.default for each in parameters if each.default is not _EMPTY and each.kind is each.KEYWORD_ONLY
    }
    return result


def _written(shown):
    """The parameters as text, with None for each default."""
    parameters = bare(shown).parameters.values()
    return str(unchecked([each if each.default is _EMPTY else each.replace(default=None) for each in parameters]))


@functools.cache
def _code(parameters, call):
    scope = {}
    exec(compile(f"def face{parameters}: return {call}", FACE, "exec"), scope)
    return scope["face"].__code__
