"""The dialects of `mint`'s modules, and in-place variants of functions."""

import inspect

from .._contracts.contracts import Bool
from .._contracts.doc import replaced
from .._contracts.signature import bare, function
from ..ops._core.define import composite
from ..ops._core.faces import Dialect
from ..ops._core.families import body
from ..ops.array.inplace import written

MINT = Dialect("mindspore.mint")
FUNCTIONAL = Dialect("mindspore.mint.nn.functional")
LINALG = Dialect("mindspore.mint.linalg")
SPECIAL = Dialect("mindspore.mint.special")
DISTRIBUTED = Dialect("mindspore.mint.distributed")

_INPLACE = """
    inplace (bool): whether the first argument becomes the result too. Default: ``False``.
Returns:"""
_WRITTEN = """{phrase} in place.

    Args:
        input (Tensor): what to write to.{arguments}
    Returns:
        Tensor, ``input``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> {example}
        {value}
    Source: {path}.{name}
    """


def or_in_place(target):
    """``target`` with an additional parameter ``inplace``, to write the result to its first argument."""
    sig = bare(inspect.signature(target))
    option = inspect.Parameter("inplace", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=False, annotation=Bool)
    parameters = [*sig.parameters.values(), option]
    first = parameters[0].name
    call = f"_target({', '.join(sig.parameters)})"
    name = target.__name__
    scope = {"_target": target, "_written": written, "_name": name}
    face = function(
        name, inspect.Signature(parameters), f"_written({first}, {call}, _name) if inplace else {call}", scope
    )
    face.__signature__ = inspect.Signature(parameters)
    face.__doc__ = replaced(target.__doc__, "\nReturns:", _INPLACE)
    face.__module__ = target.__module__
    face.targets = (target,)
    return face


def in_place(dialect, text, target, example, value, phrase=None, arguments=""):
    """Defines a function that writes the result of ``target`` into its first argument, ``input``.

    Args:
        dialect (Dialect): where it belongs.
        text (str): name and signature.
        target (function): of the same parameters, in order.
        example, value (str): an example and what it gives.
        phrase (str): says what the result is. Default: ``None``, the name of ``target``.
        arguments (str): the lines of ``Args`` for the other parameters.
    """
    name, _, _ = text.partition("(")

    def run(input, *rest):
        return written(input, target(input, *rest), name)

    fields = {"example": example, "value": value, "path": dialect.path, "arguments": arguments}
    phrase = phrase or f"`{target.__name__}`"
    return composite(dialect=dialect)(body(text, run, _WRITTEN, phrase=phrase, **fields))
