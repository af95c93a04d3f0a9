"""Enforces the contracts of a function's or a constructor's parameters."""

import functools
import inspect
import sys
from typing import Any

from ..engine.handle import Handle
from ..tensor.arrays import FREE, taken
from .kinds import ANY, kinds_of
from .signature import bare, function

# The names in the `Kind.test` of contracts: a parameter may have the name of a builtin.
TESTING = {"_type": type, "_isinstance": isinstance, "_Handle": Handle}


def enforced(target, owner, owner_expression="_owner") -> Any:
    """Wraps ``target`` so that its contracts are enforced; the wrapper's signature has no annotations.

    Args:
        target (function): a function whose parameters are annotated with contracts.
        owner (str): the name in errors.
        owner_expression (str): an expression for that name, over ``_owner`` and the parameters.
    Returns:
        function; ``target`` itself where there is nothing to enforce.
    """
    signature = inspect.signature(target)
    kinds = kinds_of(signature)
    if all(kind is ANY for kind in kinds.values()):
        return target
    scope = {f"_take_{name}": kind.take for name, kind in kinds.items() if kind is not ANY}
    call = []
    for name, parameter in signature.parameters.items():
        if kinds[name] is ANY:
            value, test = f"_taken({name})", f"_type({name}) in _free"
        else:
            value, test = f"_take_{name}({name}, {name!r}, {owner_expression})", kinds[name].test.format(name)
        value = f"({name} if {test} else {value})" if test else value
        prefix = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**", parameter.KEYWORD_ONLY: f"{name}="}
        call.append(prefix.get(parameter.kind, "") + value)
    scope |= {"_target": target, "_owner": owner, "_taken": taken, "_free": FREE, **TESTING}
    wrapper = function(target.__name__, bare(signature), f"_target({', '.join(call)})", scope)
    functools.update_wrapper(wrapper, target)
    wrapper.__signature__ = bare(signature)
    return wrapper


def checked(constructor):
    """Enforces the contracts of a Cell's ``__init__``; errors name the Cell's class.

    Example:
        >>> class Scale(nn.Cell):
        ...     @checked
        ...     def __init__(self, length: PositiveInt):
        ...         super().__init__()
        ...         self.length = length
        >>> Scale(3).length
        3
    """
    owner = next(iter(inspect.signature(constructor).parameters))
    return enforced(constructor, None, f"type({owner}).__name__")


def checked_like(constructor, without=(), defaults=None, behind=None, **kinds):
    """Derives a Cell's ``__init__`` from its base's, with fewer parameters or other contracts: 1-d to 3-d layers.

    Call it in the body of the class.

    Args:
        constructor (function): the base's ``__init__``; its contracts apply unless ``kinds`` replaces them.
        without (tuple[str]): parameters to omit; they keep their defaults.
        defaults (dict): new defaults, by parameter name.
        behind (dict): ``{name: other}`` moves the parameter ``name`` to follow ``other``.
        kinds (Kind): new contracts, by parameter name.
    Returns:
        function; its errors name the Cell's class, as with `checked`.
    Raises:
        NameError: if the base's ``__init__`` lacks a named parameter.
    Example:
        >>> class Scale(nn.Cell):
        ...     def __init__(self, lengths, factor: PositiveInt = 1):
        ...         super().__init__()
        ...         self.lengths = lengths
        >>> class Scale2d(Scale):
        ...     __init__ = checked_like(Scale.__init__, without=("factor",), lengths=Lengths(2))
        >>> Scale2d(3).lengths
        (3, 3)
    """
    parameters = inspect.signature(constructor).parameters
    defaults, behind = defaults or {}, behind or {}
    if unknown := {*without, *defaults, *behind, *behind.values(), *kinds} - parameters.keys():
        raise NameError(f"{constructor.__qualname__}({', '.join(parameters)}) has no parameter {', '.join(unknown)}.")
    declared = [
        each.replace(annotation=kinds.get(name, each.annotation), default=defaults.get(name, each.default))
        for name, each in parameters.items()
        if name not in without
    ]
    for name, other in behind.items():
        (moved,) = [each for each in declared if each.name == name]
        declared.remove(moved)
        declared.insert([each.name for each in declared].index(other) + 1, moved)
    own, *names = [each.name for each in declared]
    call = f"_base({', '.join([own, *[f'{name}={name}' for name in names]])})"
    wrapper = function("__init__", bare(inspect.Signature(declared)), call, {"_base": constructor}, at_once=True)
    wrapper.__signature__ = inspect.Signature(declared)
    wrapper.__qualname__ = f"{sys._getframe(1).f_locals['__qualname__']}.__init__"  # shown in Python's TypeErrors
    return checked(wrapper)
